"""What the events say of several agents is held against itself."""

import json
from pathlib import Path

import pytest

from host.events import Event, RecordReader, SessionRecord, verify_record
from tests.host.events.children import begin
from tests.host.events.runs import STARTED
from tests.host.events.samples import call
from tests.host.events.stores import PlainStore
from tests.host.events.team import Story, begun, ended, handed, issue, of, team_run, team_summary, transition


def emitted(path: Path, story: Story) -> SessionRecord:
    record = begin(path)
    for agent_id, event in story:
        record.log.emit(event, agent_id=agent_id)
    return record


def problems(path: Path, story: Story, check: str = "agents") -> list[str]:
    emitted(path, story).close()
    return [
        text for found in verify_record(RecordReader(path)) if found.name == check for text in found.problems
    ]


def two() -> Story:
    """`a` and its subagent `b`, which holds the store of `a` to read."""
    return [
        *of("a", STARTED),
        *begun("a", "memories-1"),
        *begun("b", "memories-1", "inherited", spawner="a", scope="read-only", writable=False),
    ]


def done(*story: tuple[str, Event], agents: int = 2) -> Story:
    return [*two(), *story, *ended("b"), *of("a", team_summary(agents=agents, turns=0))]


def test_a_run_of_several_agents_is_right(tmp_path: Path) -> None:
    story = team_run()
    emitted(tmp_path / "r", story).close()
    found = {check.name: check for check in verify_record(RecordReader(tmp_path / "r"))}

    assert (found["agents"].looked_at, found["agents"].problems) == (
        "7 agents, what each held, how it ended",
        (),
    )
    assert found["memories"].problems == ()
    assert found["stores"].looked_at == "0 files under agents/, 6 absent and rebuilt"


def state(module_id: str, *, scope: str, writable: bool) -> Event:
    return PlainStore(module_id).state(scope=scope, writable=writable)


def revision(author: str, module_id: str = "memories-1") -> Event:
    return PlainStore(module_id, author=author).write("x", "y")[0]


CARRIED = handed("carried", "memories-1", "memories-2")
COPIED = handed("copied", "memories-1", "memories-1")
WRONG: list[tuple[Story, list[str]]] = [
    (done(), []),
    (two(), []),
    ([*two(), *of("a", team_summary(agents=2, turns=0))], ["the run has ended, and b has not"]),
    (done(agents=3), ["event 9: agents is 3, not 2"]),
    ([*two(), *ended("b"), *of("b", call(1))], ["event 9: api_call comes after the end of b"]),
    ([*two(), *begun("b", None)], ["event 8: b began before"]),
    ([*two(), *begun("c", None, spawner="nobody")], ["event 8: there is no agent nobody"]),
    ([*two(), *transition("a", "exec", ())], []),
    ([*two()[:4], *transition("a", "exec", ())], ["event 5: there is no agent b"]),
    ([*two(), *issue("a", "implementing", worker="dev")], ["event 8: there is no agent dev"]),
    ([*two(), *begun("c", "memories-1", "created")], ["event 9: memories-1 was there before it was created"]),
    (
        [*two(), *begun("c", "memories-9", "transferred")],
        ["event 9: memories-9 is transferred, and was not there before"],
    ),
    (
        [*two(), *transition("a", "exec", CARRIED)],
        ["event 8: memories are carried, from memories-1 to memories-2"],
    ),
    (
        [*two(), *transition("a", "fork", COPIED)],
        ["event 8: memories are copied, from memories-1 to memories-1"],
    ),
    ([*two(), *of("a", revision("a"))], []),
    ([*two(), *of("a", revision("b"))], ["event 8: author is 'b', not 'a'"]),
    ([*two(), *of("b", revision("b"))], ["event 8: b holds memories-1 to read, not to write"]),
    ([*two(), *of("a", revision("a", "memories-2"))], ["event 8: a holds memories-1, not memories-2"]),
    ([*two(), *of("b", state("memories-1", scope="read-only", writable=False))], []),
    (
        [*two(), *of("b", state("memories-1", scope="inherited", writable=True))],
        [
            "event 8: b holds memories-1 to read, not to write",
            "event 8: b holds memories-1 under read-only, not under inherited",
        ],
    ),
    (
        [*two(), *transition("a", "exec", ()), *of("a", revision("a"))],
        ["event 9: a holds no store, not memories-1"],
    ),
]


@pytest.mark.parametrize(("story", "told"), WRONG, ids=range(len(WRONG)))
def test_what_contradicts_itself_is_found(story: Story, told: list[str], tmp_path: Path) -> None:
    assert problems(tmp_path / "r", story) == told


def test_a_copy_that_is_said_to_be_of_another_store_is_found(tmp_path: Path) -> None:
    told = handed("copied", "memories-1", "memories-2")
    forked = begun("b", "memories-2", "forked", spawner="a", started_as="fork")
    story = [*begun("a", "memories-1"), *forked, *begun("c", "memories-3"), *transition("a", "fork", told)]
    assert problems(tmp_path / "r", story, "memories") == []

    wrong = transition("a", "fork", handed("copied", "memories-3", "memories-2"))
    assert problems(tmp_path / "w", [*story, *wrong], "memories") == [
        "event 11, store memories-2: copiedFrom is 'memories-3', not 'memories-1'"
    ]


def file_of(record: Path, agent_id: str) -> Path:
    return record / f"agents/{agent_id}/modules/memories.json"


def test_a_file_is_as_old_as_its_agent_s_last_turn_until_the_run_has_ended(tmp_path: Path) -> None:
    with emitted(tmp_path / "r", two()[:4]) as record:
        record.write_module_state("a")
        for agent_id, event in two()[4:]:
            record.log.emit(event, agent_id=agent_id)
        record.log.flush()
        (older,) = [check for check in verify_record(RecordReader(record.path)) if check.name == "stores"]
        assert (older.looked_at, older.problems) == ("1 file under agents/, 1 absent and rebuilt", ())

        for agent_id, event in [*ended("b"), *of("a", team_summary(agents=2, turns=0))]:
            record.log.emit(event, agent_id=agent_id)
        record.log.flush()
        (stale,) = [check for check in verify_record(RecordReader(record.path)) if check.name == "stores"]
        assert stale.problems[0].startswith("agents/a/modules/memories.json says {'agentId': 'a', ")

        for agent_id in ("a", "b"):
            record.write_module_state(agent_id)
        (right,) = [check for check in verify_record(RecordReader(record.path)) if check.name == "stores"]
        assert (right.looked_at, right.problems) == ("2 files under agents/", ())


DAMAGE = [
    ("coHolders", ["a", "c"]),
    ("coHolders", []),
    ("coHolders", 5),
    ("coHolders", [["a"]]),
    ("earlierCoHolders", ["a"]),
    ("earlierCoHolders", None),
    ("until", "2026-11-30T15:24:05.000123Z"),
    ("access", "write"),
    ("moduleId", "memories-2"),
]


@pytest.mark.parametrize(("key", "value"), DAMAGE, ids=range(len(DAMAGE)))
def test_a_file_that_never_was_so_is_found_while_the_run_goes_on(
    key: str, value: object, tmp_path: Path
) -> None:
    """But for one that lacks another holder: it may be from before that one came."""
    record = emitted(tmp_path / "r", two())
    record.write_module_state("b")
    record.close()
    file = file_of(record.path, "b")
    file.write_text(json.dumps({**json.loads(file.read_text()), key: value}))

    (found,) = [check for check in verify_record(RecordReader(record.path)) if check.name == "stores"]
    assert len(found.problems) == (0 if value == [] else 1)
