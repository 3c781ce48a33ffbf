"""TypeScript from a small table that has every form of an argument and of a result."""

from collections.abc import Callable
from typing import Any

import pytest

from host.operations import Family, Operation, render_declarations, render_sdk
from host.operations.declarations import signature
from host.operations.model import NoArguments
from tests.host.operations.things import CLEAR, FAMILY, FIND, GATHER, MARK, PUT, row

SIGNATURES = [
    (FIND, "findIt(target: Function | string, nearBy?: string, options?: { atMost?: number }): Thing[]"),
    (PUT, "put(thing: PutArguments): number"),
    (CLEAR, "clear(): void"),
    (
        MARK,
        "mark(spans: Span[], labels: (string | number)[], options?: { weights?: Record<string, number>;"
        ' way?: "light" | "dark"; isKept?: boolean; instead?: Span | string }): Hole | Thing',
    ),
]


@pytest.mark.parametrize(("operation", "expected"), SIGNATURES)
def test_a_signature(operation: Operation, expected: str) -> None:
    assert signature(operation) == expected


def test_declarations_of_a_family_and_of_gg() -> None:
    assert (
        render_declarations((FAMILY,))
        == """\
// Generated from the table of operations; do not edit.

/** Finds things. */
declare module "gg:things" {
  /** A part of a thing. */
  export interface Inner {
    /** Whether it is new. */
    isNew: boolean;
  }

  /** A thing. */
  export interface Thing {
    /** How it is. */
    kind: "small" | "large";
    /** What it has. */
    parts: Inner[];
    /** The first of them. */
    firstPart?: Inner;
    /** In grams. */
    weight: number;
    drop(): void;
  }

  /** A thing to put. */
  export interface PutArguments {
    /** Its name. */
    name: string;
    /** How often. */
    maxCount?: number;
  }

  /** From here to there. */
  export interface Span {
    /** The first. */
    from: number;
    /** The last. */
    to?: number;
  }

  /** Where a thing was. */
  export interface Hole {
    /** Its sizes by direction. */
    sizes: Record<string, number>;
  }

  /**
   * Finds things.
   * Fails with `not-found` when there is none.
   * Fails with `limit-exceeded` when there are too many.
   */
  export function findIt(target: Function | string, nearBy?: string, options?: { atMost?: number }): Thing[];

  /** Puts a thing. */
  export function put(thing: PutArguments): number;

  /** Clears all. */
  export function clear(): void;

  /** Marks spans. */
  export function mark(spans: Span[], labels: (string | number)[], options?: { \
weights?: Record<string, number>; way?: "light" | "dark"; isKept?: boolean; \
instead?: Span | string }): Hole | Thing;
}

declare module "gg:tools" {
  export {};
}

declare module "gg" {
  /** What went wrong, for a program to branch on. */
  export type ApiErrorCode = "invalid-argument" | "not-found" | "conflict" | "refused" | "unavailable" \
| "limit-exceeded" | "io-error" | "other";

  /** The failure of a call. */
  export class ApiError extends Error {
    /** The call that failed, as a program writes it. */
    readonly operation: string;
    readonly code: ApiErrorCode;
    constructor(operation: string, code: ApiErrorCode, message: string);
    toJSON(): { name: string; operation: string; code: ApiErrorCode; message: string };
  }

  export * as things from "gg:things";
  export * as tools from "gg:tools";
}
"""
    )


def test_the_sdk_hands_the_arguments_on() -> None:
    assert render_sdk((FAMILY,)) == {
        "things.ts": """\
// Generated from the table of operations; do not edit.
import { call, keyOf, register } from "./core";
import * as self from "./things";
import type { Hole, Inner, PutArguments, Span, Thing } from "gg:things";

register("things", self);

export function findIt(target: Function | string, nearBy?: string, options?: { atMost?: number }): Thing[] {
  const result: Thing[] = call("things.find_it", [keyOf(target), nearBy ?? null, options]);
  return result.map(wrapped);
}

export function put(thing: PutArguments): number {
  return call("things.put", [thing]);
}

export function clear(): void {
  call("things.clear", []);
}

export function mark(spans: Span[], labels: (string | number)[], options?: { \
weights?: Record<string, number>; way?: "light" | "dark"; isKept?: boolean; \
instead?: Span | string }): Hole | Thing {
  return call("things.mark", [spans, labels, options]);
}
""",
        "gg.ts": """\
// Generated from the table of operations; do not edit.
export { ApiError } from "./core";
export * as things from "./things";
export * as tools from "./tools";
""",
    }


UNTYPED: list[Any] = [dict[int, str], bytes, Callable[[], None]]


@pytest.mark.parametrize("annotation", UNTYPED, ids=str)
def test_a_result_that_typescript_has_no_type_for_is_refused(annotation: object) -> None:
    with pytest.raises(TypeError, match=r"^no TypeScript type for "):
        signature(row("odd", NoArguments, summary="", result=annotation))


def test_calls_that_are_withheld_are_absent_and_so_are_the_types_that_only_they_name() -> None:
    withheld = frozenset({"things.find_it", "things.put"})

    left = render_declarations((Family("things", "Finds things.", (CLEAR, MARK)),))

    assert render_declarations((FAMILY,), withheld) == left
    assert "export interface Inner" in left  # that a `Thing` has, of which `mark` gives one
    assert "PutArguments" not in left
    assert "findIt" not in left


def test_a_family_of_which_all_is_withheld_is_there_and_empty() -> None:
    withheld = frozenset(operation.id for operation in FAMILY.operations)

    declared = render_declarations((FAMILY,), withheld)

    assert '/** Finds things. */\ndeclare module "gg:things" {\n\n}\n' in declared
    assert 'export * as things from "gg:things";' in declared


def test_an_array_that_has_members_of_its_own() -> None:
    family = Family("things", "Finds things.", (GATHER,))

    assert """\
  /** Things, as an array. */
  export interface Heap extends Array<Inner> {
    /** In grams. */
    maxWeight: number;
  }

  /** Gathers things. */
  export function gather(): Heap;
""" in render_declarations((family,))
    assert """\
export function gather(): Heap {
  const result: { things: Inner[]; maxWeight: number } = call("things.gather", []);
  return Object.assign(result.things, { maxWeight: result.maxWeight });
}
""" in render_sdk((family,))["things.ts"]
