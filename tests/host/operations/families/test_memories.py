"""The memories family through the bracket, over a real store and with the real compilers."""

from dataclasses import asdict

import pytest

from host.events import (
    ApiCall,
    CompileDiagnostic,
    MemoryCaps,
    MemoryEntry,
    MemoryPeak,
    MemoryRead,
    MemoryRefusal,
    MemoryRevision,
    MemoryState,
    View,
)
from host.memories import MemoryLimits
from host.operations import OPERATIONS, memory_state_event
from host.turn.code import MAX_USES_PER_TURN
from runtime_js import Compiler
from tests.helpers.memories import draft, holder_of, store_of
from tests.host.operations.callers import Desk, error
from tests.host.operations.families.memory_desks import (
    LIMITS,
    PARSE,
    SHOW,
    TYPE_ERROR,
    desk,
    due,
    held,
    loaded,
    memory,
    names,
    pages,
)

USAGE = {"count": 1, "maxCount": 2, "totalChars": 12, "maxTotalChars": 60, "revision": 1}


def test_a_write_gives_the_usage_and_leaves_its_events(compiler: Compiler) -> None:
    at = desk(compiler)

    assert at.call("memories.write_memory", memory(body=" Quotes vary.\n")) == {"ok": USAGE}
    assert at.captured.events == (
        MemoryRevision(
            module_id="memories-1",
            name="csv-tools",
            revision=1,
            change="written",
            op="write",
            description="Parses exports",
            body="Quotes vary.",
            len=12,
            lines=1,
            author="root",
            turn=3,
        ),
        ApiCall(turn=3, operation="memories.write_memory", ok=True, duration_us=0, origin="program"),
    )


def test_the_state_of_a_store_as_its_event(compiler: Compiler) -> None:
    at = desk(compiler)
    at.call("memories.write_memory", memory(body=" Quotes vary.\n"))

    assert at.holder is not None
    assert memory_state_event(at.holder) == MemoryState(
        module_id="memories-1",
        strategy="scratchpad",
        memories=(
            MemoryEntry(
                name="csv-tools", description="Parses exports", len=12, lines=1, code=False, on_use=False
            ),
        ),
        count=1,
        total_len=12,
        total_lines=1,
        peak=MemoryPeak(count=1, total_len=12, total_lines=1),
        caps=MemoryCaps(max_count=2, max_len_per_memory=40, max_total_len=60, max_len_description=30),
        scope="isolated",
        writable=True,
    )


@pytest.mark.parametrize(
    ("strategy", "index_len"),
    [("scratchpad", None), ("markdown", len("- `a` — about")), ("keyword-search", None)],
)
def test_the_length_of_an_index_is_reported_where_one_is_pinned(strategy: str, index_len: int | None) -> None:
    holder = holder_of(store_of(strategy))
    holder.create(draft("a"), turn=1)

    assert memory_state_event(holder).index_len == index_len


def test_a_write_of_code_loads_it_shows_its_page_and_queues_its_script(compiler: Compiler) -> None:
    at = desk(compiler)

    assert at.call("memories.write_memory", memory(code=PARSE, onUse=SHOW)) == {"ok": USAGE}
    assert loaded(at) == ["csvTools"]
    assert pages(at.window) == ["csvTools.parse"]
    assert at.captured.types == ("memory_revision", "view", "api_call")
    assert [(view.action, view.kind, view.origin) for view in at.captured.of(View)] == [
        ("opened", "docs", "host")
    ]
    assert due(at) == [("csv-tools", "csvTools")]
    assert at.texts() == [
        "Documentation: csvTools.parse\n----\nfunction parse(line: string): string[]\n\nSplits a line.\n\n"
        'import { parse } from "csvTools"'
    ]


def test_a_second_module_may_import_the_first(compiler: Compiler) -> None:
    at = desk(compiler)
    at.call("memories.write_memory", memory(code=PARSE))
    at.captured.clear()
    code = 'import { parse } from "csvTools";\nexport const first = (line: string) => parse(line)[0] ?? "";\n'

    assert at.call("memories.write_memory", memory("heads", code=code))["ok"]["revision"] == 1
    assert loaded(at) == ["csvTools", "heads"]


BROKEN = [
    pytest.param(
        {"code": TYPE_ERROR},
        "csvTools.ts:1:14: error TS2322: Type 'string' is not assignable to type 'number'.\n"
        "  1 | export const n: number = 'x';\n"
        "    |              ^",
        [("csvTools.ts", 1, "TS2322", "module")],
        id="a type error",
    ),
    pytest.param(
        {"code": "export const = 1;"},
        'csvTools.ts:1:14: error: Expected identifier but found "="\n'
        "  1 | export const = 1;\n"
        "    |              ^",
        [("csvTools.ts", 1, "", "module")],
        id="a syntax error",
    ),
    pytest.param(
        {"onUse": "views.openTxt('a', 'b');"},
        "csvTools.on-use.ts:1:7: error TS2551: Property 'openTxt' does not exist on type"
        " 'typeof import(\"gg:views\")'. Did you mean 'openText'?",
        [("csvTools.on-use.ts", 1, "TS2551", "onUse")],
        id="a script, whose source is never shown",
    ),
]


@pytest.mark.parametrize(("halves", "message", "diagnostics"), BROKEN)
def test_a_write_of_code_that_does_not_compile_leaves_no_trace(
    compiler: Compiler, halves: dict[str, str], message: str, diagnostics: list[tuple[str, int, str, str]]
) -> None:
    at = desk(compiler)

    assert at.call("memories.write_memory", memory(**halves)) == error(
        "invalid-argument", "memories.writeMemory", message
    )
    assert [(d.file, d.line, d.code, d.origin) for d in at.captured.of(CompileDiagnostic)] == diagnostics
    assert [(r.name, r.kind, r.figure) for r in at.captured.of(MemoryRefusal)] == [
        ("csv-tools", "code_does_not_compile", None)
    ]
    assert at.captured.types == ("compile_diagnostic", "memory_refusal", "api_call")
    assert (names(at), loaded(at), pages(at.window), due(at)) == ([], [], [], [])


def test_both_halves_are_diagnosed_together(compiler: Compiler) -> None:
    at = desk(compiler)
    answer = at.call("memories.write_memory", memory(code=TYPE_ERROR, onUse="nothing();"))

    assert [line.split(" ")[0] for line in answer["error"]["message"].split("\n") if "error" in line] == [
        "csvTools.ts:1:14:",
        "csvTools.on-use.ts:1:1:",
    ]


def test_a_key_is_not_used_up_by_code_that_does_not_compile(compiler: Compiler) -> None:
    at = desk(compiler)
    at.call("memories.write_memory", memory("csv-tools", code=TYPE_ERROR))
    at.call("memories.write_memory", memory("csv.tools", code=PARSE))
    at.call("memories.write_memory", memory("csv-tools", code=PARSE))

    assert loaded(at) == ["csvTools", "csvTools2"]


def test_an_update_replaces_the_module_and_its_pages(compiler: Compiler) -> None:
    at = desk(compiler)
    at.call("memories.write_memory", memory(code=PARSE, onUse=SHOW))
    at.window.end_turn()
    code = "export function join(parts: string[]): string {\n  return parts.join();\n}\n"

    assert at.call("memories.update_memory", memory(code=code))["ok"]["revision"] == 2
    assert loaded(at) == ["csvTools"]
    assert pages(at.window) == ["csvTools.join"]
    assert [page.key for page in at.halves.pages()] == ["csvTools", "csvTools.join"]
    assert due(at) == [("csv-tools", "csvTools")]  # of the write alone: the update leaves no onUse


def test_an_update_without_code_unloads_it(compiler: Compiler) -> None:
    at = desk(compiler)
    at.call("memories.write_memory", memory(code=PARSE))
    at.call("memories.update_memory", memory(onUse=SHOW))

    assert (loaded(at), pages(at.window)) == ([], [])
    assert due(at) == [("csv-tools", "csvTools")]


def test_an_unchanged_update_moves_no_page(compiler: Compiler) -> None:
    at = desk(compiler)
    at.call("memories.write_memory", memory(code=PARSE))
    before = at.texts()
    at.call("memories.update_memory", memory(code=PARSE))

    assert at.texts() == before


def test_a_deletion_unloads_and_the_key_stays_with_the_slug(compiler: Compiler) -> None:
    at = desk(compiler)
    at.call("memories.write_memory", memory(code=PARSE))

    assert at.call("memories.delete_memory", "csv-tools") == {
        "ok": {**USAGE, "count": 0, "totalChars": 0, "revision": 2}
    }
    assert (loaded(at), names(at)) == ([], [])

    at.call("memories.write_memory", memory("csv.tools", code=PARSE))
    at.call("memories.write_memory", memory("csv-tools", code=PARSE))
    assert loaded(at) == ["csvTools", "csvTools2"]
    assert [module.source for module in at.halves.modules] == [PARSE, PARSE]


REFUSED = [
    pytest.param(
        "memories.write_memory",
        [memory("a", body="x" * 41)],
        ("limit-exceeded", "body_cap", 41, 40),
        id="a limit with its figures",
    ),
    pytest.param(
        "memories.write_memory", [memory("csv-tools")], ("conflict", "duplicate", None, None), id="duplicate"
    ),
    pytest.param(
        "memories.update_memory", [memory("nothing")], ("not-found", "not_found", None, None), id="not found"
    ),
    pytest.param(
        "memories.update_memory",
        [{**memory(), "expectedRevision": 7}],
        ("conflict", "stale_revision", 7, 1),
        id="another revision on an update",
    ),
    pytest.param(
        "memories.delete_memory",
        ["csv-tools", {"expectedRevision": 7}],
        ("conflict", "stale_revision", 7, 1),
        id="another revision on a deletion",
    ),
    pytest.param(
        "memories.write_memory",
        [memory("a b")],
        ("invalid-argument", "invalid_name", None, None),
        id="a malformed slug",
    ),
]


@pytest.mark.parametrize(("operation_id", "arguments", "expected"), REFUSED)
def test_a_refusal_of_the_store_is_recorded(
    compiler: Compiler,
    operation_id: str,
    arguments: list[object],
    expected: tuple[str, str, int | None, int | None],
) -> None:
    at = desk(compiler)
    at.call("memories.write_memory", memory())
    at.captured.clear()
    answer = at.call(operation_id, *arguments)

    (refusal,) = at.captured.of(MemoryRefusal)
    assert (refusal.code, refusal.kind, refusal.figure, refusal.limit) == expected
    assert answer == error(refusal.code, OPERATIONS[operation_id].spelling, refusal.message)
    assert at.captured.types == ("memory_refusal", "api_call")


def nested(depth: int) -> str:
    return f"export const x = {'(' * depth}1{')' * depth};"


@pytest.mark.parametrize("operation_id", ["memories.write_memory", "memories.create_memory"])
@pytest.mark.parametrize("half", ["code", "onUse"])
def test_brackets_nested_too_deeply_are_refused_before_anything_is_stored(
    compiler: Compiler, operation_id: str, half: str
) -> None:
    at = desk(compiler, "scratchpad" if operation_id == "memories.write_memory" else "markdown")

    assert at.call(operation_id, memory(**{half: nested(101)})) == error(
        "limit-exceeded",
        OPERATIONS[operation_id].spelling,
        f"The {half} of `csv-tools` nests brackets 101 of 100 deep at line 1, column 118;"
        " take parts of it into functions of their own.",
    )
    assert names(at) == []


def test_uses_of_one_turn_are_bounded_and_the_next_turn_has_its_own(compiler: Compiler) -> None:
    at = desk(compiler)
    at.call("memories.write_memory", memory(onUse=SHOW))
    for _ in range(MAX_USES_PER_TURN - 1):
        assert "ok" in at.call("memories.update_memory", memory(onUse=SHOW))

    assert at.call("memories.update_memory", memory(body="Changed.", onUse=SHOW)) == error(
        "limit-exceeded",
        "memories.updateMemory",
        "This would be use 33 of a memory or skill with an onUse in one turn, limit 32; go on in a later"
        " turn.",
    )
    assert held(at) == ["Quotes vary."]
    assert "ok" in at.call("memories.update_memory", memory(body="Without.", onUse=None))

    assert len(due(at)) == MAX_USES_PER_TURN
    assert "ok" in at.call("memories.update_memory", memory(onUse=SHOW))
    assert len(due(at)) == 1


def test_creating_compiles_nothing_and_reading_loads(compiler: Compiler) -> None:
    at = desk(compiler, "markdown")

    assert at.call("memories.create_memory", memory(code=PARSE, onUse=SHOW)) == {
        "ok": {"count": 1, "totalChars": 12, "indexChars": 30, "maxIndexChars": 80, "revision": 1}
    }
    assert (loaded(at), due(at)) == ([], [])
    at.captured.clear()

    assert at.call("memories.read_memory", " csv-tools ") == {"ok": "Quotes vary."}
    assert at.captured.of(MemoryRead) == (
        MemoryRead(module_id="memories-1", name="csv-tools", hit=True, turn=3),
    )
    assert at.captured.types == ("memory_read", "view", "api_call")
    assert (loaded(at), due(at)) == (["csvTools"], [("csv-tools", "csvTools")])


def test_reading_tells_what_does_not_compile_after_the_body_and_loads_the_rest(compiler: Compiler) -> None:
    at = desk(compiler, "markdown")
    at.call("memories.create_memory", memory(code=TYPE_ERROR, onUse=SHOW))
    at.call("memories.create_memory", memory("second", code=PARSE, onUse="nothing();"))

    assert at.call("memories.read_memory", "csv-tools") == {
        "ok": "Quotes vary.\n\n----\n"
        "csvTools.ts:1:14: error TS2322: Type 'string' is not assignable to type 'number'.\n"
        "  1 | export const n: number = 'x';\n"
        "    |              ^"
    }
    assert (loaded(at), due(at)) == ([], [("csv-tools", "csvTools")])

    assert at.call("memories.read_memory", "second") == {
        "ok": "Quotes vary.\n\n----\nsecond.on-use.ts:1:1: error TS2304: Cannot find name 'nothing'."
    }
    assert (loaded(at), due(at)) == (["second"], [])


def test_a_miss_is_recorded_as_a_read_and_as_a_refusal(compiler: Compiler) -> None:
    at = desk(compiler, "markdown")
    at.call("memories.create_memory", memory())
    at.captured.clear()
    answer = at.call("memories.read_memory", "x" * 1_000_000)

    assert (answer["error"]["code"], len(answer["error"]["message"]) < 300) == ("not-found", True)
    assert at.captured.types == ("memory_read", "memory_refusal", "api_call")
    assert [(read.name, read.hit) for read in at.captured.of(MemoryRead)] == [(f"{'x' * 64}…", False)]


def test_a_read_of_nothing_is_no_miss(compiler: Compiler) -> None:
    at = desk(compiler, "markdown")

    assert at.call("memories.read_memory", "  ")["error"]["code"] == "invalid-argument"
    assert at.captured.types == ("memory_refusal", "api_call")


def test_a_holder_that_may_only_read_is_refused(compiler: Compiler) -> None:
    at = desk(compiler, access="read")

    for operation_id, arguments in (
        ("memories.write_memory", [memory(code=TYPE_ERROR)]),
        ("memories.update_memory", [memory()]),
        ("memories.delete_memory", ["csv-tools"]),
        ("memories.delete_memory", [5, 6, 7]),
    ):
        assert at.call(operation_id, *arguments)["error"]["code"] == "refused"
    assert {refusal.kind for refusal in at.captured.of(MemoryRefusal)} == {"read_only"}
    assert at.call("memories.create_memory", memory())["error"]["code"] == "unavailable"


def test_an_agent_without_memories() -> None:
    at = Desk()

    assert at.call("memories.delete_memory", "a") == error(
        "unavailable", "memories.deleteMemory", "This agent keeps no memories."
    )
    assert at.captured.types == ("api_call",)


def test_calls_of_another_strategy_are_not_available(compiler: Compiler) -> None:
    assert desk(compiler).call("memories.read_memory", "a") == error(
        "unavailable",
        "memories.readMemory",
        "memories.readMemory is not available to this agent. The calls there are: memories.deleteMemory,"
        " memories.updateMemory and memories.writeMemory.",
    )


def test_the_usage_of_a_call_is_the_stores_own(compiler: Compiler) -> None:
    at = desk(compiler, limits=MemoryLimits(**dict.fromkeys(asdict(LIMITS), 0)))

    assert at.call("memories.write_memory", memory()) == {"ok": {"count": 1, "totalChars": 12, "revision": 1}}
