"""TypeScript and pages from a small table that has every form of a parameter and of a result."""

from collections.abc import Callable
from typing import Any, ClassVar, Literal

import pytest
from pydantic import Field

from host.operations import (
    Caller,
    Family,
    Operation,
    family_page,
    operation_page,
    render_declarations,
    render_operations,
    render_sdk,
)
from host.operations.declarations import signature
from host.operations.model import Arguments, GuestParameter, NoArguments, Result


class Inner(Result):
    """A part of a thing.

    More is told to people alone.
    """

    is_new: bool = Field(description="Whether it is new.")


class Thing(Result):
    """A thing."""

    kind: Literal["small", "large"] = Field(default="small", description="How it is.")
    parts: list[Inner] = Field(description="What it has.")
    first_part: Inner | None = Field(default=None, description="The first of them.")
    weight: float = Field(description="In grams.")

    methods: ClassVar = {"drop": "drop(): void"}


class FindArguments(Arguments):
    target: str = Field(description="What to look for.")
    near_by: str | None = Field(default=None, description="Where.")
    at_most: int | None = Field(default=None, ge=1, description="How many.")


class PutArguments(Arguments):
    """A thing to put."""

    name: str = Field(description="Its name.")
    max_count: int | None = Field(default=None, description="How often.")


def nothing(caller: Caller, arguments: object) -> None:
    raise AssertionError("these calls are described and never made")


def row(name: str, arguments: type[Arguments], **rest: Any) -> Operation:  # noqa: ANN401  (the rest of a row)
    return Operation(id=f"things.{name}", run=nothing, arguments=arguments, **rest)


FAMILY = Family(
    "things",
    "Finds things.",
    (
        row(
            "find_it",
            FindArguments,
            summary="Finds things.",
            result=list[Thing],
            options=("at_most",),
            capability="things",
            failures=(("not-found", "there is none"), ("limit-exceeded", "there are too many")),
            guest_parameter={
                "target": GuestParameter(
                    typescript="Function | string", sent="keyOf(target)", wanted="a function"
                )
            },
            guest_result="result.map(wrapped)",
        ),
        row("put", PutArguments, summary="Puts a thing.", takes="thing", result=int, in_on_use=False),
        row("clear", NoArguments, summary="Clears all."),
    ),
)
FIND, PUT, CLEAR = FAMILY.operations

SIGNATURES = [
    (FIND, "findIt(target: Function | string, nearBy?: string, options?: { atMost?: number }): Thing[]"),
    (PUT, "put(thing: PutArguments): number"),
    (CLEAR, "clear(): void"),
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
}
"""
    )


def test_the_sdk_hands_the_arguments_on() -> None:
    assert render_sdk((FAMILY,)) == {
        "things.ts": """\
// Generated from the table of operations; do not edit.
import { call, keyOf, register } from "./core";
import * as self from "./things";
import type { Inner, PutArguments, Thing } from "gg:things";

register("things", self);

export function findIt(target: Function | string, nearBy?: string, options?: { atMost?: number }): Thing[] {
  const result: Thing[] = call("things.find_it", [keyOf(target), nearBy, options]);
  return result.map(wrapped);
}

export function put(thing: PutArguments): number {
  return call("things.put", [thing]);
}

export function clear(): void {
  call("things.clear", []);
}
""",
        "gg.ts": """\
// Generated from the table of operations; do not edit.
export { ApiError } from "./core";
export * as things from "./things";
""",
    }


PAGES = [
    (
        FIND,
        """\
findIt(target: Function | string, nearBy?: string, options?: { atMost?: number }): Thing[]

Finds things.
`target` (Function | string): What to look for.
`nearBy` (string, optional): Where.
`options.atMost` (number, optional): How many.
Fails with `not-found` when there is none.
Fails with `limit-exceeded` when there are too many.

/** A part of a thing. */
interface Inner {
  /** Whether it is new. */
  isNew: boolean;
}

/** A thing. */
interface Thing {
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

import { things } from "gg\"""",
    ),
    (
        PUT,
        """\
put(thing: PutArguments): number

Puts a thing.

/** A thing to put. */
interface PutArguments {
  /** Its name. */
  name: string;
  /** How often. */
  maxCount?: number;
}

import { things } from "gg\"""",
    ),
    (CLEAR, 'clear(): void\n\nClears all.\n\nimport { things } from "gg"'),
]


@pytest.mark.parametrize(("operation", "expected"), PAGES)
def test_the_page_of_a_call(operation: Operation, expected: str) -> None:
    assert operation_page(operation) == expected


def test_the_page_of_a_family() -> None:
    assert (
        family_page(FAMILY)
        == """\
Finds things.

- `findIt(target: Function | string, nearBy?: string, options?: { atMost?: number }): Thing[]`: Finds things.
- `put(thing: PutArguments): number`: Puts a thing.
- `clear(): void`: Clears all.

import { things } from "gg\""""
    )


def test_the_reference_for_people() -> None:
    assert (
        render_operations((Family("things", "Finds things.", (PUT, CLEAR)),))
        == """\
## things

Finds things.

### `things.put`

```ts
put(thing: PutArguments): number
```

Puts a thing.

Granted always. Not in onUse scripts. In the record: `things.put`.

### `things.clear`

```ts
clear(): void
```

Clears all.

Granted always. In the record: `things.clear`.

### Types of `things`

```ts
/** A thing to put. */
interface PutArguments {
  /** Its name. */
  name: string;
  /** How often. */
  maxCount?: number;
}
```"""
    )


def test_failures_and_parameters_in_the_reference_for_people() -> None:
    section = render_operations((FAMILY,)).split("### ")[1]

    assert (
        section
        == """\
`things.findIt`

```ts
findIt(target: Function | string, nearBy?: string, options?: { atMost?: number }): Thing[]
```

Finds things.

- `target` (Function | string): What to look for.
- `nearBy` (string, optional): Where.
- `options.atMost` (number, optional): How many.

| fails with | when |
|---|---|
| `not-found` | there is none |
| `limit-exceeded` | there are too many |

Granted with the capability `things`. In the record: `things.find_it`.

"""
    )


UNTYPED: list[Any] = [dict[int, str], bytes, Callable[[], None]]


@pytest.mark.parametrize("annotation", UNTYPED, ids=str)
def test_a_result_that_typescript_has_no_type_for_is_refused(annotation: object) -> None:
    with pytest.raises(TypeError, match=r"^no TypeScript type for "):
        signature(row("odd", NoArguments, summary="", result=annotation))
