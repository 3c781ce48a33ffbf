"""Edits and searches of memories as programs make them."""

import pytest

from host.events import ApiCall, MemoryRefusal, MemoryRevision, MemorySearch
from host.memories import MAX_KEYWORDS, MemoryLimits
from runtime_js import Compiler
from tests.host.operations.callers import error
from tests.host.operations.families.memory_desks import (
    PARSE,
    SHOW,
    MemoryDesk,
    desk,
    due,
    held,
    loaded,
    memory,
)

ROOMY = MemoryLimits(
    max_count=0,
    max_len_per_memory=0,
    max_total_len=0,
    max_len_index=0,
    max_len_description=0,
    max_results=2,
)


def searching(compiler: Compiler) -> MemoryDesk:
    at = desk(compiler, "keyword-search", limits=ROOMY)
    for name, body in (("a", "A comma, a quote."), ("b", "One comma."), ("c", "Comma comma comma.")):
        at.call("memories.create_memory", {"name": name, "body": body})
    at.captured.clear()
    return at


def test_an_edit_replaces_one_place_of_the_body_and_says_so(compiler: Compiler) -> None:
    at = desk(compiler, "markdown")
    at.call("memories.create_memory", memory(code=PARSE))
    at.captured.clear()

    answer = at.call(
        "memories.edit_memory",
        {"name": " csv-tools ", "search": "vary", "replace": "$& vary", "expectedRevision": 1},
    )

    assert answer == {
        "ok": {"count": 1, "totalChars": 15, "indexChars": 30, "maxIndexChars": 80, "revision": 2}
    }
    assert at.captured.events == (
        MemoryRevision(
            module_id="memories-1",
            name="csv-tools",
            revision=2,
            change="updated",
            op="edit",
            description="Parses exports",
            body="Quotes $& vary.",
            code=PARSE,
            len=15,
            lines=1,
            author="root",
            turn=3,
        ),
        ApiCall(turn=3, operation="memories.edit_memory", ok=True, duration_us=0, origin="program"),
    )


def test_an_edit_leaves_code_that_is_loaded_as_it_is_and_is_no_use(compiler: Compiler) -> None:
    at = desk(compiler, "markdown")
    at.call("memories.create_memory", memory(code=PARSE, onUse=SHOW))
    at.call("memories.read_memory", "csv-tools")
    assert due(at) == [("csv-tools", "csvTools")]

    at.call("memories.edit_memory", {"name": "csv-tools", "search": " vary", "replace": ""})

    assert (held(at), loaded(at), due(at)) == (["Quotes."], ["csvTools"], [])


EDITS = [
    ({"search": "nothing", "replace": "x"}, "not-found", "edit_no_match"),
    ({"search": "e", "replace": "x", "name": "csv-tool"}, "not-found", "not_found"),
    ({"search": ".", "replace": "x", "name": "csv"}, "conflict", "edit_several"),
    ({"search": "vary", "replace": "x", "expectedRevision": 9}, "conflict", "stale_revision"),
    ({"search": "", "replace": "x"}, "invalid-argument", "empty_field"),
    ({"search": "Quotes vary.", "replace": "  "}, "invalid-argument", "would_empty"),
    ({"search": "vary", "replace": "x" * 99}, "limit-exceeded", "body_cap"),
]


@pytest.mark.parametrize(("fields", "code", "kind"), EDITS)
def test_an_edit_that_is_refused_changes_nothing_and_is_recorded_once(
    compiler: Compiler, fields: dict[str, object], code: str, kind: str
) -> None:
    at = desk(compiler, "markdown")
    at.call("memories.create_memory", memory())
    at.call("memories.create_memory", memory("csv", body="A. B."))
    at.captured.clear()

    answer = at.call("memories.edit_memory", {"name": "csv-tools", **fields})

    assert answer["error"]["code"] == code
    assert [(event.code, event.kind) for event in at.captured.of(MemoryRefusal)] == [(code, kind)]
    assert at.captured.types == ("memory_refusal", "api_call")
    assert held(at) == ["A. B.", "Quotes vary."]


def test_an_edit_needs_its_fields(compiler: Compiler) -> None:
    at = desk(compiler, "markdown")

    assert at.call("memories.edit_memory", {"name": "a", "search": "b"}) == error(
        "invalid-argument",
        "memories.editMemory",
        "memories.editMemory needs replace, and it is missing.",
    )
    assert at.call("memories.edit_memory", {"name": "a", "old_string": "b"}) == error(
        "invalid-argument",
        "memories.editMemory",
        "memories.editMemory does not know `old_string`. It knows name, search, replace, expectedRevision.",
    )


def test_a_search_gives_the_best_hits_and_how_many_there_are(compiler: Compiler) -> None:
    at = searching(compiler)

    assert at.call("memories.search_memories", [" COMMA", "quote", "comma", " "]) == {
        "ok": {
            "hits": [
                {
                    "name": "a",
                    "description": "",
                    "matched": 2,
                    "occurrences": 2,
                    "excerpt": "A comma, a quote.",
                    "revision": 1,
                },
                {
                    "name": "c",
                    "description": "",
                    "matched": 1,
                    "occurrences": 3,
                    "excerpt": "Comma comma comma.",
                    "revision": 1,
                },
            ],
            "total": 3,
        }
    }
    assert at.captured.events == (
        MemorySearch(module_id="memories-1", keywords=("COMMA", "quote"), total=3, names=("a", "c"), turn=3),
        ApiCall(turn=3, operation="memories.search_memories", ok=True, duration_us=0, origin="program"),
    )


def test_a_search_that_finds_nothing_is_recorded_as_one(compiler: Compiler) -> None:
    at = searching(compiler)

    assert at.call("memories.search_memories", ["semicolon"]) == {"ok": {"hits": [], "total": 0}}
    assert at.captured.of(MemorySearch) == (
        MemorySearch(module_id="memories-1", keywords=("semicolon",), total=0, names=(), turn=3),
    )


def test_long_keywords_are_cut_in_the_record_alone(compiler: Compiler) -> None:
    at = searching(compiler)
    at.call("memories.create_memory", {"name": "d", "body": "d" * 200})
    at.captured.clear()

    assert at.call("memories.search_memories", ["d" * 101])["ok"]["total"] == 1
    assert [event.keywords for event in at.captured.of(MemorySearch)] == [(f"{'d' * 100}…",)]


SEARCHES = [
    ([], "invalid-argument", "no_keywords"),
    ([" ", ""], "invalid-argument", "no_keywords"),
    ([f"k{number}" for number in range(MAX_KEYWORDS + 1)], "limit-exceeded", "keywords_cap"),
    (["\ud800"], "invalid-argument", "lone_surrogate"),
    (["a", 5], "invalid-argument", "arguments"),
]


@pytest.mark.parametrize(("keywords", "code", "kind"), SEARCHES)
def test_a_search_that_is_refused_is_no_search(
    compiler: Compiler, keywords: list[object], code: str, kind: str
) -> None:
    at = searching(compiler)

    assert at.call("memories.search_memories", keywords)["error"]["code"] == code
    assert at.captured.types == ("memory_refusal", "api_call")
    assert [(event.name, event.kind) for event in at.captured.of(MemoryRefusal)] == [(None, kind)]


def test_a_description_may_be_left_out_where_no_index_is_kept(compiler: Compiler) -> None:
    at = desk(compiler, "keyword-search")
    other = desk(compiler, "markdown")

    assert at.call("memories.create_memory", {"name": "a", "body": "b"})["ok"]["revision"] == 1
    assert other.call("memories.create_memory", {"name": "a", "body": "b"}) == error(
        "invalid-argument",
        "memories.createMemory",
        "Cannot create `a`: description is empty. Give memories.createMemory one line that says what the"
        " memory is about.",
    )
