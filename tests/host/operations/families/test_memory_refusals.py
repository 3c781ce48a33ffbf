"""Every refused call of the memories leaves one event of it, whatever refused it and whoever called."""

from host.core.errors import HostDefect, Refusal
from host.events import ApiCall, MemoryRefusal
from host.operations import Operation, PreparedHalves
from runtime_js import Compiler
from tests.host.operations.callers import Desk, NoCode
from tests.host.operations.families.memory_desks import desk, memory, tool_desk

EDITS = frozenset({"memories.edit_memory"})


def shut(operation: Operation) -> None:
    raise Refusal("refused", "Only writes are admitted.", kind="compaction_pending")


def over_time() -> None:
    raise Refusal("limit-exceeded", "Run time: 600.0 s used, limit 600 s.", kind="run_time")


def noted(at: Desk) -> list[tuple[str, str | None, str, str]]:
    """Each refusal as its event tells it; the call's own event says the same."""
    events = at.captured.of(MemoryRefusal)
    assert [(event.code, event.message) for event in events] == [
        (event.code, event.message) for event in at.captured.of(ApiCall)
    ]
    return [(event.call, event.name, event.code, event.kind) for event in events]


def test_of_programs(compiler: Compiler) -> None:
    at = desk(compiler, "markdown")
    at.call("memories.edit_memory", {"name": "a", "search": "b", "replace": "c"})
    at.call("memories.write_memory", memory(" ab "))
    at.call("memories.edit_memory", {"name": "ab", "find": "b"})
    at.call("memories.read_memory", 5)
    at.send("memories.read_memory", '"argument 1 is a Date"')
    at.gate = shut
    at.call("memories.read_memory", "x\n" * 100)
    at.granted -= EDITS
    at.call("memories.edit_memory", {"name": "ab"})

    assert noted(at) == [
        ("memories.edit_memory", "a", "not-found", "not_found"),
        ("memories.write_memory", "ab", "unavailable", "not_granted"),
        ("memories.edit_memory", "ab", "invalid-argument", "arguments"),
        ("memories.read_memory", None, "invalid-argument", "arguments"),
        ("memories.read_memory", None, "invalid-argument", "arguments"),
        ("memories.read_memory", "x\\u000a" * 32 + "…", "refused", "compaction_pending"),
        ("memories.edit_memory", "ab", "unavailable", "not_granted"),
    ]


def test_of_what_the_sandbox_refuses(compiler: Compiler) -> None:
    at = desk(compiler)
    too_large = Refusal("limit-exceeded", "Value: 9 MiB, limit 8 MiB.", kind="value_cap")

    at.bracket(native=False).answer(
        at.caller("program"), "memories.write_memory", "[]", lambda: None, refusal=too_large
    )

    assert noted(at) == [("memories.write_memory", None, "limit-exceeded", "value_cap")]


def test_of_tools() -> None:
    at = tool_desk("markdown")
    at.tool("edit_memory", name="a", old_string="b")
    at.tool("update_memory", name=" ab ")
    at.tool("edit_memory", name="ab", find="b")
    at.tool("read_memory", name=5)
    at.send_tool("read_memory", "[")
    at.send_tool("read_memory", "[" * 100_000)
    at.refuse_over_run_time = over_time
    at.tool("read_memory", name="ab")
    at.refuse_over_run_time = lambda: None
    at.gate = shut
    at.tool("read_memory", name="ab")

    assert noted(at) == [
        ("memories.edit_memory", "a", "not-found", "not_found"),
        ("memories.update_memory", "ab", "unavailable", "not_granted"),
        ("memories.edit_memory", "ab", "invalid-argument", "arguments"),
        ("memories.read_memory", None, "invalid-argument", "arguments"),
        ("memories.read_memory", None, "invalid-argument", "unparsable"),
        ("memories.read_memory", None, "invalid-argument", "unparsable"),
        ("memories.read_memory", "ab", "limit-exceeded", "run_time"),
        ("memories.read_memory", "ab", "refused", "compaction_pending"),
    ]


class LostCompiler(NoCode):
    """Code that no compiler can be had for."""

    def refuse_over_use_limit(self, on_use: str | None) -> None:
        pass

    def refuse_deep_nesting(self, slug: str, code: str | None, on_use: str | None) -> None:
        pass

    def prepare(self, slug: str, code: str | None, on_use: str | None) -> PreparedHalves:
        raise HostDefect("compiler", "it is gone")


def test_of_what_gg_could_not_carry_out(compiler: Compiler) -> None:
    at = desk(compiler)
    at.code = LostCompiler()
    at.call("memories.write_memory", memory(code="export const a = 1;"))

    assert noted(at) == [("memories.write_memory", "csv-tools", "io-error", "defect")]
    assert [str(found) for found in at.defects.recorded] == ["compiler: it is gone"]


def test_what_is_no_call_of_the_memories_is_none_of_theirs() -> None:
    at = tool_desk()
    at.tool("memorize", name="a")
    at.tool("finish")

    assert at.captured.types == ("api_call", "api_call")
