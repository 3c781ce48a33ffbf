"""Memory calls of agents that hold one store: code that another has changed, and the order of the record."""

import threading
from typing import Any

import pytest

from host.events import Event
from host.memories import Holder, strategy_of
from runtime_js import Compiler
from tests.helpers.memories import draft
from tests.host.operations.families.memory_desks import (
    PARSE,
    TYPE_ERROR,
    MemoryDesk,
    desk,
    holder,
    loaded,
    memory,
    pages,
)

JOIN = "export const join = (fields: string[]) => fields.join(',');\n"


def two_desks(compiler: Compiler, strategy: str) -> tuple[MemoryDesk, Holder]:
    """A desk, and another holder of its store."""
    at = desk(compiler, strategy)
    assert at.holder is not None
    return at, holder(at, at.holder.store)


def test_a_module_that_another_has_changed_is_loaded_by_a_read(compiler: Compiler) -> None:
    at, other = two_desks(compiler, "markdown")
    at.call("memories.create_memory", memory(code=PARSE))
    at.call("memories.read_memory", "csv-tools")
    other.delete("csv-tools", turn=1)
    other.create(draft("csv-tools", "Quotes vary.", code=JOIN), turn=1)
    assert [module.source for module in at.halves.modules] == [PARSE]

    assert at.call("memories.read_memory", "csv-tools") == {"ok": "Quotes vary."}
    assert [module.source for module in at.halves.modules] == [JOIN]


def test_a_module_whose_code_another_broke_is_gone_after_the_read_that_tells_so(compiler: Compiler) -> None:
    at, other = two_desks(compiler, "markdown")
    at.call("memories.create_memory", memory(code=PARSE))
    at.call("memories.read_memory", "csv-tools")
    other.delete("csv-tools", turn=1)
    other.create(draft("csv-tools", "Quotes vary.", code=TYPE_ERROR), turn=1)

    told = at.call("memories.read_memory", "csv-tools")["ok"]
    assert told.startswith("Quotes vary.\n\n----\ncsvTools.ts:1:14: error TS2322")
    assert (loaded(at), pages(at.window)) == ([], [])


def test_a_module_that_does_not_compile_any_more_stays_as_long_as_it_is_the_memorys(
    compiler: Compiler,
) -> None:
    at = desk(compiler, "markdown")
    at.call("memories.create_memory", memory(code=PARSE))
    at.call("memories.create_memory", memory("rows", code='export { parse } from "csvTools";'))
    at.call("memories.read_memory", "csv-tools")
    at.call("memories.read_memory", "rows")
    at.call("memories.delete_memory", "csv-tools")

    assert 'rows.ts:1:23: error: Cannot import "csvTools"' in at.call("memories.read_memory", "rows")["ok"]
    assert loaded(at) == ["rows"]  # a program that imports it is told the place in it


@pytest.mark.parametrize("is_deleted", [True, False], ids=["deleted", "without code"])
def test_a_module_that_another_took_away_is_kept_until_the_next_read(
    is_deleted: bool, compiler: Compiler
) -> None:
    at, other = two_desks(compiler, "markdown")
    at.call("memories.create_memory", memory(code=PARSE))
    at.call("memories.read_memory", "csv-tools")
    other.delete("csv-tools", turn=1)
    if not is_deleted:
        other.create(draft("csv-tools"), turn=1)
    assert loaded(at) == ["csvTools"]

    answer = at.call("memories.read_memory", " csv-tools ")
    assert ("error" in answer) == is_deleted
    assert (loaded(at), pages(at.window)) == ([], [])


def test_under_scratchpad_a_module_stays_until_the_holders_own_update(compiler: Compiler) -> None:
    at, other = two_desks(compiler, "scratchpad")
    at.call("memories.write_memory", memory(code=PARSE))
    other.commit_update(draft("csv-tools", "Quotes vary.", code=JOIN), turn=1)
    other.commit_write(draft("theirs", code=JOIN), turn=1)
    assert [module.source for module in at.halves.modules] == [PARSE]

    at.call("memories.update_memory", memory(code=JOIN))
    assert [(module.key, module.source) for module in at.halves.modules] == [("csvTools", JOIN)]


CALLS: list[tuple[str, object]] = [
    ("memories.create_memory", memory("b")),
    ("memories.edit_memory", {"name": "a", "search": "vary", "replace": "differ"}),
    ("memories.delete_memory", "a"),
    ("memories.write_memory", memory("b")),
    ("memories.update_memory", memory("a")),
]


@pytest.mark.parametrize(("operation_id", "arguments"), CALLS)
def test_no_mutation_comes_between_another_and_its_record(
    operation_id: str, arguments: object, compiler: Compiler
) -> None:
    """So that the revisions of a store are recorded in its order."""
    at = desk(compiler, "scratchpad" if operation_id in strategy_of("scratchpad").mutating else "markdown")
    assert at.holder is not None
    at.holder.commit_write(draft("a", "Quotes vary."), turn=1)
    order: Any = at.holder.in_order()
    seen: list[tuple[str, bool]] = []

    def look(event: Event) -> None:
        is_free = order.acquire(blocking=False)
        if is_free:
            order.release()
        seen.append((event.type, is_free))

    def emit(event: Event) -> None:
        other = threading.Thread(target=look, args=(event,))
        other.start()
        other.join()

    at.emit = emit
    at.call(operation_id, arguments)

    assert seen == [("memory_revision", False), ("api_call", True)]
