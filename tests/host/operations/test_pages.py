"""Pages of documentation made from the table: what stands on them, and that their programs compile."""

import re
from collections.abc import Iterator
from dataclasses import replace

import pytest

from host.operations import (
    FAMILIES,
    OPERATIONS,
    Family,
    Operation,
    Page,
    family_page,
    operation_page,
    render_declarations,
    sdk_pages,
)
from runtime_js import Compiler, Unit, UnitKind
from tests.host.operations.things import CLEAR, FAMILY, FIND, GATHER, MARK, PUT

PAGES = [
    pytest.param(
        FIND,
        """\
findIt(target: Function | string, nearBy?: string, options?: { atMost?: number }): Thing[]

Finds things.

Arguments:
- `target` (Function | string): What to look for.
- `nearBy` (string, optional): Where.
- `options.atMost` (number, optional): How many.

Returns `Thing[]`:
- `kind` ("small" | "large"): How it is.
- `parts` (Inner[]): What it has.
- `firstPart` (Inner, optional): The first of them.
- `weight` (number): In grams.
- `drop(): void`

`Inner`:
- `isNew` (boolean): Whether it is new.

Fails with:
- `not-found` when there is none.
- `limit-exceeded` when there are too many.

Types: `things.Inner`, `things.Thing`

import { things } from "gg"
things.findIt("a");""",
        id="positional and options, a list of objects",
    ),
    pytest.param(
        PUT,
        """\
put(thing: PutArguments): number

Puts a thing.

Arguments:
- `thing.name` (string): Its name.
- `thing.maxCount` (number, optional): How often.

Types: `things.PutArguments`

import { things } from "gg\"""",
        id="one object, a number",
    ),
    pytest.param(CLEAR, 'clear(): void\n\nClears all.\n\nimport { things } from "gg"', id="nothing"),
    pytest.param(
        GATHER,
        """\
gather(): Heap

Gathers things.

Returns `Heap`:
- `maxWeight` (number): In grams.

`Inner`:
- `isNew` (boolean): Whether it is new.

Types: `things.Inner`, `things.Heap`

import { things } from "gg\"""",
        id="an array with members of its own",
    ),
    pytest.param(
        MARK,
        """\
mark(spans: Span[], labels: (string | number)[], options?: { weights?: Record<string, number>; \
way?: "light" | "dark"; isKept?: boolean; instead?: Span | string }): Hole | Thing

Marks spans.

Arguments:
- `spans` (Span[]): What to mark.
- `labels` ((string | number)[]): What to write there.
- `options.weights` (Record<string, number>, optional): By label.
- `options.way` ("light" | "dark", default "light"): How.
- `options.isKept` (boolean, default false): Whether it stays.
- `options.instead` (Span | string, optional): What to mark otherwise.

`Span`:
- `from` (number): The first.
- `to` (number, optional): The last.

Returns `Hole | Thing`.

`Hole`:
- `sizes` (Record<string, number>): Its sizes by direction.

`Thing`:
- `kind` ("small" | "large"): How it is.
- `parts` (Inner[]): What it has.
- `firstPart` (Inner, optional): The first of them.
- `weight` (number): In grams.
- `drop(): void`

`Inner`:
- `isNew` (boolean): Whether it is new.

Types: `things.Span`, `things.Hole`, `things.Inner`, `things.Thing`

import { things } from "gg\"""",
        id="arrays, records, unions",
    ),
]


@pytest.mark.parametrize(("operation", "expected"), PAGES)
def test_the_page_of_a_call(operation: Operation, expected: str) -> None:
    assert operation_page(operation) == expected


def test_the_page_of_a_family() -> None:
    assert (
        family_page(Family("things", "Finds things.", (FIND, CLEAR)))
        == """\
Finds things.

- `findIt(target: Function | string, nearBy?: string, options?: { atMost?: number }): Thing[]`: Finds things.
- `clear(): void`: Clears all.

Types: `things.Inner`, `things.Thing`

import { things } from "gg\""""
    )


PUT_ARGUMENTS = """\
/** A thing to put. */
interface PutArguments {
  /** Its name. */
  name: string;
  /** How often. */
  maxCount?: number;
}"""
ALL = [
    ("gg", "module", "gg", "gg", ""),
    ("things", "module", "things", "things", ""),
    ("things.put", "function", "things", "put", "put(thing: PutArguments): number"),
    ("things.clear", "function", "things", "clear", "clear(): void"),
    ("things.PutArguments", "type", "things", "PutArguments", PUT_ARGUMENTS),
    ("ApiError", "type", "gg", "ApiError", "class ApiError extends Error"),
    ("ApiErrorCode", "type", "gg", "ApiErrorCode", "type ApiErrorCode"),
]


def test_an_agent_has_the_pages_of_what_it_may_call_and_of_the_types_that_this_names() -> None:
    pages = sdk_pages((FAMILY,), {"things.put", "things.clear"}.__contains__)

    assert [(page.key, page.kind, page.module, page.name, page.signature) for page in pages] == ALL
    assert [page.summary for page in pages] == [
        "All that gg gives to programs: a module for each family of calls, and the error they throw.",
        "Finds things.",
        "Puts a thing.",
        "Clears all.",
        "A thing to put.",
        "The failure of a call.",
        "What went wrong, for a program to branch on.",
    ]
    assert "findIt" not in "".join(page.text for page in pages)


def test_what_a_call_meets_with_one_agent_alone_stands_on_its_page() -> None:
    notes = {"things.clear": "Two things at most.", "things.unheard_of": "Never told."}
    pages = sdk_pages((FAMILY,), {"things.put", "things.clear"}.__contains__, notes)

    assert [page.text for page in pages if "at most" in page.text or "Never" in page.text] == [
        'clear(): void\n\nClears all.\n\nTwo things at most.\n\nimport { things } from "gg"'
    ]


def test_a_family_without_a_call_has_no_page() -> None:
    pages = sdk_pages((FAMILY,), lambda _: False)

    assert [page.key for page in pages] == ["gg", "ApiError", "ApiErrorCode"]
    assert pages[0].text == (
        "All that gg gives to programs: a module for each family of calls, and the error they throw.\n\n"
        '- `import { ApiError } from "gg"`: The failure of a call.'
    )


def test_the_page_of_all_lists_the_modules_of_the_tools() -> None:
    tool = Page(
        key="git.log", kind="function", module="git", name="log", signature="log()", summary="Log.", text=""
    )
    git = replace(tool, key="git", kind="module", name="git", summary="Tools of the server git.")

    pages = sdk_pages((FAMILY,), lambda _: False, tools=(git, tool))

    assert [page.key for page in pages] == ["gg", "ApiError", "ApiErrorCode"]
    assert pages[0].text.split("\n\n")[1:] == [
        '- `import { ApiError } from "gg"`: The failure of a call.',
        "Your tools are in a module of their own:\n"
        '- `import { git } from "gg:tools"`: Tools of the server git.',
    ]


def test_the_page_of_a_type() -> None:
    text = {page.key: page.text for page in sdk_pages((FAMILY,), lambda _: True)}["things.Inner"]

    assert (
        text
        == """\
/** A part of a thing. */
interface Inner {
  /** Whether it is new. */
  isNew: boolean;
}

Named by: things.findIt, things.mark

import type { Inner } from "gg:things\""""
    )


def test_the_pages_of_a_union_of_results_and_of_a_call_that_gives_one() -> None:
    pages = {page.key: page.text for page in sdk_pages(FAMILIES, lambda _: True)}

    assert (
        pages["files.FileRead"]
        == """\
/** What was read: a text or, told apart by `kind`, a picture. */
type FileRead = TextRead | ImageRead;

Named by: files.readFile

import type { FileRead } from "gg:files\""""
    )
    assert "Returns `FileRead`:\n- `TextRead | ImageRead`\n\n`TextRead`:\n- `kind`" in pages["files.readFile"]


@pytest.fixture(scope="module")
def compiler() -> Iterator[Compiler]:
    with Compiler() as compiler:
        yield compiler


SDK_PAGES = sdk_pages(FAMILIES, lambda _: True)


@pytest.mark.parametrize("page", SDK_PAGES, ids=lambda page: page.key)
def test_what_a_page_tells_to_write_compiles(page: Page, compiler: Compiler) -> None:
    text = page.text
    at = re.search(r"^import .* from ", text, re.MULTILINE)
    programs = [text[at.start() :]] if at else re.findall(r"`(import .*?)`", text)

    assert programs
    for program in programs:
        unit = Unit(kind=UnitKind.PROGRAM, source=program, declarations=render_declarations(FAMILIES))
        assert compiler.compile(unit).warnings == ()


def test_every_call_has_an_example_of_two_lines_at_most_that_makes_it() -> None:
    for operation in OPERATIONS.values():
        assert f"{operation.spelling}(" in operation.example, operation.id
        assert operation.example.count("\n") <= 1, operation.id


def test_every_field_and_every_type_is_described() -> None:
    for page in SDK_PAGES:
        assert not re.search(r"^- .*(\): |: )(None)?$|/\*\*  \*/", page.text, re.MULTILINE), page.key
        assert page.summary, page.key
