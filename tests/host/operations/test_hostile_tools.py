"""Whatever a model passes to a tool, it is answered, and nothing is stored that the tool does not know."""

import json
from pathlib import Path
from typing import Any, Final

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from host.memories import MemoryStore, strategy_of
from host.operations import OPERATIONS, Workspace
from host.operations.json_schema import object_schema
from host.operations.native_binding import native_arguments
from tests.host.operations.callers import Desk
from tests.host.operations.families.memory_desks import LIMITS, NO_MEMORIES, holder

NATIVE: Final = {row.native.name: row for row in OPERATIONS.values() if row.native is not None}
SECRET: Final = "unknown-argument"
KNOWN: Final = sorted(
    {name for row in NATIVE.values() for name in object_schema(native_arguments(row))["properties"]}
)
UNKNOWN: Final = ["code", "onUse", "on_use", "module_id", "author", "turn", "__class__", "self", ""]
TEXTS: Final = st.sampled_from(["a", "b", "a.txt", "", " ", "\ud800", "\0", "é", "..", "x" * 70]) | st.text()
SCALARS: Final = st.none() | st.booleans() | st.integers() | st.floats() | TEXTS
VALUES: Final = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(TEXTS | st.sampled_from(KNOWN), inner, max_size=3)
    ),
    max_leaves=6,
)


def hostile_desk(strategy: str, folder: Path) -> Desk:
    chosen = strategy_of(strategy)
    at = Desk(granted=NO_MEMORIES | chosen.calls)
    at.holder = holder(at, MemoryStore(number=1, strategy=chosen, limits=LIMITS), native=True)
    at.workspace = Workspace(folder, writable=True)
    return at


def stored(at: Desk, folder: Path) -> str:
    """All that calls can have left, as one text."""
    assert at.holder is not None
    files = [path for path in sorted(folder.rglob("*")) if path.is_file()]
    return repr(
        (
            at.holder.state(),
            at.endings.endings,
            [(path.name, path.read_bytes()) for path in files],
        )
    )


@pytest.mark.slow
@pytest.mark.parametrize("strategy", ["scratchpad", "markdown", "keyword-search"])
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_any_object_is_answered(strategy: str, tmp_path: Path, data: st.DataObject) -> None:
    at = hostile_desk(strategy, tmp_path)
    for _ in range(3):
        name = data.draw(st.sampled_from(sorted(NATIVE)))
        properties = object_schema(native_arguments(NATIVE[name]))["properties"]
        passed: dict[str, Any] = {key: data.draw(TEXTS | VALUES) for key in properties}
        passed |= data.draw(st.dictionaries(st.sampled_from(KNOWN), VALUES, max_size=2))
        extra = data.draw(st.none() | st.sampled_from(UNKNOWN))
        if extra is not None:
            passed[extra] = SECRET
        before = stored(at, tmp_path)

        answer = at.send_tool(name, json.dumps(passed))

        assert at.defects.recorded == []
        assert answer.text.encode("utf-8")
        assert answer.operation_id in {
            row.id for row in OPERATIONS.values() if row.native and row.native.name == name
        }
        if not answer.ok:
            assert stored(at, tmp_path) == before
        if extra is not None:
            assert not answer.ok
    assert SECRET not in stored(at, tmp_path)


@given(
    name=st.sampled_from(sorted(NATIVE)) | TEXTS, arguments_json=st.text() | st.from_regex(r"[\[{\"a:,1}\]]*")
)
def test_any_text_is_answered(name: str, arguments_json: str) -> None:
    at = Desk()

    answer = at.send_tool(name, arguments_json)

    assert at.defects.recorded == []
    assert answer.text.encode("utf-8")
    assert len(answer.text) < 2_000


def test_half_a_surrogate_pair_where_one_of_some_words_is_wanted() -> None:
    at = Desk()

    answer = at.send_tool("put_record", json.dumps({"text": "a", "kind": "\ud800"}))

    assert at.defects.recorded == []
    assert answer.text.startswith(
        "invalid-argument: put_record: kind wants a string without half of a surrogate"
    )
