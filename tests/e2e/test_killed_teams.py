"""kill -9 of a host whose agents are at work: the record loads with every turn that had ended, and no process
is left. The moments are drawn from `--fuzz-seed`.
"""

import json
from collections import defaultdict
from pathlib import Path
from typing import Any, Final

import pytest

from host.events import (
    AgentEnded,
    AgentSpawned,
    MemoryRevision,
    RecordReader,
    SessionSummary,
    StampedEvent,
    TurnOutcome,
    verify_record,
)
from tests.helpers.hosts import Host, Moment, Pace, measure, parametrize_moments
from tests.helpers.teams import memories, starts

WORKERS: Final = ("north", "south", "east", "west")
NOTES: Final = 5
TURNS: Final = 4 + len(WORKERS) * (NOTES + 1) + 4
MOMENTS: Final = 60
QUICK_MOMENTS: Final = 3  # without --run-slow
BOARD: Final = {"implementer": "dev", "reviewer": "judge", "merge": "merger"}


def program(*lines: str) -> str:
    return "\n".join(['import { board, delegation, memories, session, views } from "gg";', *lines, ""])


def note(name: str) -> str:
    return program(f'memories.createMemory({{ name: "{name}", description: "d", body: "Of {name}." }});')


REPLIES: Final = {
    "lead": [
        program(
            *(f'delegation.spawnSubagent({{ agent: "{id_}", prompt: "Go." }});' for id_ in WORKERS),
            'board.createIssue({ title: "One", body: "Do it." });',
        ),
        program("delegation.waitForSubagents();"),
        program("board.waitForIssue();", 'delegation.exec({ agent: "closer", prompt: "End it." });'),
    ],
    "closer": [program('session.finish("all done");')],
    "dev": [note("of-dev"), program('session.finish("done");')],
    "judge": [program("session.approve();")],
    "merger": [program('session.finish("merged");')],
    **{
        id_: [*(note(f"{id_}-{n}") for n in range(NOTES)), program('session.finish("done");')]
        for id_ in WORKERS
    },
}


def agent(id_: str) -> dict[str, Any]:
    roster = [*starts(*WORKERS), {"agent": "closer", "as": "merge"}] if id_ == "lead" else []
    return {
        "id": id_,
        "model": {"provider": "scripted", "replies": REPLIES[id_]},
        "roster": roster,
        "capabilities": [{"id": "delegation", "enabled": True}, memories("inherited")],
    }


@pytest.fixture(scope="module")
def configuration(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("killed")
    document = {
        "task": "Count.",
        "root": "lead",
        "limits": {"maxTurns": 20},
        "maxParallel": 3,
        "board": BOARD,
        "agents": [agent(id_) for id_ in REPLIES],
    }
    (folder / "run.json").write_text(json.dumps(document))
    return folder


@pytest.fixture(scope="module")
def scratch(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One place for the temporary files of all the hosts, one after the other."""
    return tmp_path_factory.mktemp("scratch")


@pytest.fixture(scope="module")
def pace(configuration: Path, scratch: Path, tmp_path_factory: pytest.TempPathFactory) -> Pace:
    record = tmp_path_factory.mktemp("undisturbed") / "record"
    pace = measure(configuration, record, scratch=scratch, turns=TURNS)
    reader = RecordReader(record)
    assert [check for check in verify_record(reader) if not check.ok] == []
    assert sum(isinstance(each.event, TurnOutcome) for each in reader.events()) == TURNS
    return pace


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    parametrize_moments(metafunc, of="team/", turns=TURNS, count=MOMENTS, quick=QUICK_MOMENTS)


@pytest.mark.slow
def test_a_host_killed_while_its_agents_are_at_work(
    moment: Moment, configuration: Path, scratch: Path, pace: Pace, tmp_path: Path
) -> None:
    record = tmp_path / "record"
    with Host(configuration, record, scratch=scratch) as host:
        host.watch_until(moment, pace)
        host.kill()

    assert host.orphans() == []
    if not (record / "events.ndjson").exists():
        assert host.turns_begun == 0  # killed before the run began
        return
    reader = RecordReader(record)
    assert (reader.writer, reader.view().mismatches) == (None, ())
    assert [check for check in verify_record(reader) if not check.ok] == []
    assert_whole(tuple(reader.events()))


def assert_whole(events: tuple[StampedEvent, ...]) -> None:
    """Of each agent that began there is every turn that had ended, with all that it wrote in it, and nothing
    after its end.
    """
    of = defaultdict[str, list[StampedEvent]](list)
    for stamped in events:
        if not isinstance(stamped.event, SessionSummary):
            of[stamped.agent_id].append(stamped)
    for id_, own in of.items():
        turns = [each.event.turn for each in own if isinstance(each.event, TurnOutcome)]
        assert turns == list(range(1, len(turns) + 1))
        assert len(turns) <= len(REPLIES[id_])
        begins = [isinstance(each.event, AgentSpawned) for each in own]
        assert sum(begins) == 1
        ended = [isinstance(each.event, AgentEnded) for each in own]
        assert not any(ended[:-1])
        written = [each.event.name for each in own if isinstance(each.event, MemoryRevision)]
        if id_ in WORKERS:
            notes = [f"{id_}-{n}" for n in range(NOTES)]
            assert written in (notes[: len(turns)], notes[: len(turns) + 1])
