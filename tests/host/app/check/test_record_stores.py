"""The code memories of a record of several agents: by store, each as its author's profile had it checked."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from host.app import Checked, check_paths
from host.core.masking import Masker
from host.events import MemoryRead, SessionRecord
from runtime_js import Compiler
from tests.host.events.samples import StillClock
from tests.host.events.stores import PlainStore
from tests.host.events.team import Story, begun, handed, of, transition

WRONG = "export const n: number = 'x';"
RIGHT = "export const n = 1;"
CONFIG: dict[str, Any] = {
    "agents": [{"id": "a"}, {"id": "lax", "codeMode": {"typecheck": "off"}}],
}


@pytest.fixture(scope="module")
def compiler() -> Iterator[Compiler]:
    with Compiler() as compiler:
        yield compiler


def written(path: Path, story: Story) -> Path:
    with SessionRecord.create(
        path, run_id="run-1", config=CONFIG, gg_version="0", clock=StillClock(), masker=Masker({})
    ) as record:
        for agent_id, event in story:
            record.log.emit(event, agent_id=agent_id)
    return path


def told(compiler: Compiler, record: Path) -> list[tuple[str, bool, str, int, int]]:
    """Of each text: store, whether no other store holds code, slug, revision, how many errors it has."""
    found: list[Checked] = list(check_paths([record], compiler=compiler))
    return [
        (memory.store, memory.is_alone, memory.slug, memory.revision, len(each.errors))
        for each in found
        if (memory := each.memory)
    ]


def one_store() -> tuple[PlainStore, Story]:
    store = PlainStore("memories-1", author="a")
    story = [*begun("a", "memories-1"), *of("a", *store.write("tools", "x", code=WRONG))]
    return store, story


def test_code_of_a_store_that_was_copied_is_checked_in_both(tmp_path: Path, compiler: Compiler) -> None:
    original, story = one_store()
    copy = original.copy("memories-2")
    original.author = "a"
    copy.author = "b"
    story += [
        *begun("b", "memories-2", "forked", spawner="a", started_as="fork", profile="a"),
        *transition("a", "fork", handed("copied", "memories-1", "memories-2")),
        *of("b", *copy.write("own", "x", code=RIGHT)),
        *of("a", *original.write("tools", "x", code=RIGHT)),
    ]

    assert told(compiler, written(tmp_path / "r", story)) == [
        ("memories-1", False, "tools", 2, 0),
        ("memories-2", False, "own", 1, 0),
        ("memories-2", False, "tools", 1, 1),
    ]


def test_a_store_without_code_makes_no_other_one_of_several(tmp_path: Path, compiler: Compiler) -> None:
    _, story = one_store()
    prose = PlainStore("memories-2", author="b")
    story += [*begun("b", "memories-2"), *of("b", *prose.write("prose", "x"))]

    assert told(compiler, written(tmp_path / "r", story)) == [("memories-1", True, "tools", 1, 1)]


def test_each_memory_is_checked_as_its_author_s_profile_says(tmp_path: Path, compiler: Compiler) -> None:
    store, story = one_store()
    store.author = "lax-2"
    story += [
        *begun("lax-2", "memories-1", "inherited", spawner="a", started_as="subagent"),
        *of("lax-2", *store.write("more", "x", code=WRONG)),
    ]

    assert told(compiler, written(tmp_path / "r", story)) == [
        ("memories-1", True, "more", 1, 0),
        ("memories-1", True, "tools", 1, 1),
    ]


def test_modules_import_those_of_their_own_store_alone(tmp_path: Path, compiler: Compiler) -> None:
    store, story = one_store()
    uses = 'import { n } from "tools";\nexport const m = n + 1;'
    story += of("a", *store.write("tools", "x", code=RIGHT), *store.write("uses", "x", code=uses))
    other = PlainStore("memories-2", author="b")
    story += [*begun("b", "memories-2"), *of("b", *other.write("uses", "x", code=uses))]

    assert told(compiler, written(tmp_path / "r", story)) == [
        ("memories-1", False, "tools", 2, 0),
        ("memories-1", False, "uses", 1, 0),
        ("memories-2", False, "uses", 1, 1),
    ]


def test_keys_that_were_given_in_the_original_hold_in_the_copy(tmp_path: Path, compiler: Compiler) -> None:
    """Two slugs want one key; the one that was read first has it, in the original and so in its copy."""
    store = PlainStore("memories-1", author="a")
    story = [
        *begun("a", "memories-1"),
        *of(
            "a",
            *store.write("my-code", "x", code=RIGHT),
            *store.write("my_code", "x", code="export const b = 2;"),
        ),
        *of("a", MemoryRead(module_id="memories-1", name="my_code", hit=True, turn=1)),
    ]
    copy = store.copy("memories-2")
    copy.author = "b"
    uses = 'import { b } from "myCode";\nexport const c = b;'
    story += [
        *begun("b", "memories-2", "forked", spawner="a", started_as="fork", profile="a"),
        *of("b", *copy.write("uses", "x", code=uses)),
    ]

    assert [errors for *_, errors in told(compiler, written(tmp_path / "r", story))] == [0, 0, 0, 0, 0]
