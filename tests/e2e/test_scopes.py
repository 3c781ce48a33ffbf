"""Which memories an agent binds, by its scope and by how it was started, in real runs and both modes.

What was bound is read off the record: the ids of stores, their origins, the access of each holder.
"""

import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

import pytest

from host.events import (
    AgentModule,
    AgentSpawned,
    ApiCall,
    MemoryRefusal,
    MemoryRevision,
    ModuleOrigin,
    StartKind,
)
from runtime_js import Compiler
from tests.helpers.acts import (
    Act,
    approves,
    asks_for,
    awaits_issues,
    creates,
    enters,
    execs,
    finishes,
    forks,
    reads,
    spawns,
    waits,
)
from tests.helpers.memory_turns import EXECUTIONS, Execution
from tests.helpers.teams import (
    Script,
    TeamRan,
    after,
    code_of,
    failed_checks,
    memories,
    run_team,
    starts,
    stores,
)

SCOPES: Final = ("isolated", "shared", "inherited", "read-only")


@dataclass(frozen=True)
class Cell:
    """Whose store is bound: a new one of the agent's own, its profile's, its source's or a copy of that."""

    whose: str
    origin: ModuleOrigin
    writable: bool = True


OWN: Final = Cell("own", "created")
PROFILES: Final = Cell("profile", "profile")
INHERITED: Final = Cell("source", "inherited")
TRANSFERRED: Final = Cell("source", "transferred")
TOP_LEVEL: Final = (OWN, PROFILES, OWN, OWN)
SUCCESSOR: Final = (TRANSFERRED, PROFILES, TRANSFERRED, Cell("source", "transferred", writable=False))

TABLE: Final[Mapping[str, tuple[Cell, ...]]] = {
    "root": TOP_LEVEL,
    "implementer": TOP_LEVEL,
    "subagent": (OWN, PROFILES, INHERITED, Cell("source", "inherited", writable=False)),
    "reviewer": TOP_LEVEL,
    "merge": TOP_LEVEL,
    "fork": (
        Cell("copy", "forked"),
        Cell("source", "forked"),
        Cell("source", "forked"),
        Cell("source", "forked", writable=False),
    ),
    "exec": SUCCESSOR,
    "transition": SUCCESSOR,
}


@dataclass(frozen=True)
class Start:
    """A run in which an agent is started in one way.

    Args:
        subject: that agent; it ends with `ends`.
        source: the one whose memories it could be handed, which has written `of-source` before.
        twin: another instance of the subject's profile.
        script: the replies of all but the subject, and of the subject those that follow its first.
    """

    kind: StartKind
    subject: str
    source: str | None
    twin: str
    script: Mapping[str, tuple[tuple[Act, ...], ...]]
    ends: Act = field(default_factory=finishes)


TWIN: Final = ((creates("of-twin"),), (finishes(),))


def led(*acts: Act) -> tuple[tuple[Act, ...], ...]:
    """An agent that has a subagent of the subject's profile work before it starts the subject."""
    return (creates("of-source"),), (spawns("worker"), waits()), acts, (finishes(),)


def worked(kind: StartKind, ends: Act, first: Act, second: Act) -> Start:
    """The subject in one role on the board, agents without memories in the others."""
    lead = led(asks_for("One"), awaits_issues())
    script = {"lead": lead, "worker": TWIN, "plain": ((first,),), "plain-2": ((second,),)}
    return Start(kind, "worker-2", "lead", "worker", script, ends=ends)


def succeeded(act: Act) -> Start:
    script = {"lead": led(act), "worker": TWIN}
    return Start("successor", "worker-2", "lead", "worker", script)


STARTS: Final[Mapping[str, Start]] = {
    "root": Start(
        "root",
        "worker",
        None,
        "worker-2",
        {"worker": ((spawns("worker"), waits()), (finishes(),)), "worker-2": TWIN},
    ),
    "implementer": worked("implementer", finishes(), approves(), finishes()),
    "subagent": Start(
        "subagent", "worker-2", "lead", "worker", {"lead": led(spawns("worker"), waits()), "worker": TWIN}
    ),
    "reviewer": worked("reviewer", approves(), finishes(), finishes()),
    "merge": worked("merge", finishes(), finishes(), approves()),
    "fork": Start(
        "fork",
        "worker-2",
        "worker",
        "worker",
        {"worker": ((creates("of-source"),), (forks(),), (waits(),), (finishes(),))},
    ),
    "exec": succeeded(execs("worker")),
    "transition": succeeded(enters("next")),
}


@pytest.mark.parametrize("execution", EXECUTIONS)
@pytest.mark.parametrize("scope", SCOPES)
@pytest.mark.parametrize("row", TABLE)
def test_what_each_start_binds_under_each_scope(
    row: str, scope: str, execution: Execution, tmp_path: Path, compiler: Compiler
) -> None:
    start, cell = STARTS[row], TABLE[row][SCOPES.index(scope)]
    ran = run_start(tmp_path, row, scope, execution, compiler)
    rows, subject = stores(ran), stores(ran)[start.subject]

    assert (ran.result.status, failed_checks(ran)) == ("completed", [])
    (spawned,) = ran.of(AgentSpawned, start.subject)
    assert (spawned.profile, spawned.started_as) == ("worker", start.kind)
    assert (subject.origin, subject.writable, subject.scope) == (cell.origin, cell.writable, scope)
    source = rows[start.source].module_id if start.source else None
    match cell.whose:
        case "profile":
            assert (subject.module_id, rows[start.twin].origin) == (rows[start.twin].module_id, "profile")
            assert subject.module_id != source
        case "source":
            assert subject.module_id == source
        case _:
            assert subject.module_id not in held_before(rows, start.subject)
    assert_reads(ran, start, cell)
    assert_write(ran, start.subject, subject)


def run_start(tmp_path: Path, row: str, scope: str, execution: Execution, compiler: Compiler) -> TeamRan:
    """The subject looks for what others have written and writes itself; then it goes on as the start says."""
    start = STARTS[row]
    looks = (reads("of-source"), reads("of-twin"), creates("of-subject"))
    script: Script = {
        **start.script,
        start.subject: (looks, *start.script.get(start.subject, ((start.ends,),))),
    }
    lead = {"capabilities": [memories("isolated")], "roster": starts("worker")}
    worker = {"capabilities": [memories(scope)], "roster": starts("worker")}
    is_alone = "lead" not in start.script
    agents = {"worker": worker} if is_alone else {"lead": lead, "worker": worker, "plain": {}}
    others: dict[str, Any] = {}
    if row in ("implementer", "reviewer", "merge"):
        others["board"] = {"implementer": "plain", "reviewer": "plain", "merge": "plain", row: "worker"}
    if row == "transition":
        to = {"next": {"transfer": ["memories"]}}
        others["states"] = {"first": {"agent": "lead", "to": to}, "next": {"agent": "worker"}}
    return run_team(tmp_path / "r", script, agents, execution=execution, compiler=compiler, **others)


def assert_reads(ran: TeamRan, start: Start, cell: Cell) -> None:
    of_source, of_twin, _ = ran.given(start.subject, 1)
    sees_source = cell.whose in ("source", "copy")
    assert code_of(of_source) == ("A note." if sees_source else "not-found")
    if cell.whose == "profile" and start.twin == "worker":  # it has written before the subject was started
        assert of_twin == "A note."


def assert_write(ran: TeamRan, agent_id: str, held: AgentModule) -> None:
    """A write of the agent's arrived, and was accepted or refused as its access says."""
    writes = [call for call in ran.of(ApiCall, agent_id) if call.operation == "memories.create_memory"]
    write = writes[-1]
    revisions = [(each.module_id, each.name) for each in ran.of(MemoryRevision, agent_id)]
    refusals = [each for each in ran.of(MemoryRefusal, agent_id) if each.call == write.operation]
    if held.writable:
        assert (write.ok, refusals) == (True, [])
        assert (held.module_id, "of-subject") in revisions
        return
    assert (write.ok, write.code, revisions) == (False, "refused", [])
    (refusal,) = refusals
    assert (refusal.module_id, refusal.kind, refusal.code) == (held.module_id, "read_only", "refused")


def held_before(rows: Mapping[str, AgentModule], agent_id: str) -> list[str | None]:
    """The stores of those that began before."""
    ids = list(rows)
    return [rows[each].module_id for each in ids[: ids.index(agent_id)]]


# What each side reads of a note that the other has written since: the original, the copy.
@pytest.mark.parametrize("execution", EXECUTIONS)
@pytest.mark.parametrize(
    ("scope", "of_copy", "of_original"),
    [
        ("isolated", "not-found", "not-found"),
        ("shared", "A note.", "A note."),
        ("inherited", "A note.", "A note."),
        ("read-only", "not-found", "A note."),
    ],
)
def test_the_sides_of_a_fork_part_or_stay_linked(
    scope: str, of_copy: str, of_original: str, execution: Execution, tmp_path: Path, compiler: Compiler
) -> None:
    written = threading.Event()
    script: Script = {
        "root": (
            (creates("before"),),
            (forks(),),
            (creates("of-original"),),
            after(written.set, waits()),
            (reads("of-copy"), reads("before")),
            (finishes(),),
        ),
        "root-2": (
            after(lambda: written.wait(60), reads("of-original"), reads("before"), creates("of-copy")),
            (finishes(),),
        ),
    }
    root = {"root": {"capabilities": [memories(scope)]}}
    ran = run_team(tmp_path / "r", script, root, execution=execution, compiler=compiler)

    rows = stores(ran)
    assert failed_checks(ran) == []
    assert (rows["root"].module_id == rows["root-2"].module_id) is (scope != "isolated")
    assert [code_of(answer) for answer in ran.given("root", 5)] == [of_copy, "A note."]
    assert [code_of(answer) for answer in ran.given("root-2", 1)[:2]] == [of_original, "A note."]


@pytest.mark.parametrize("execution", EXECUTIONS)
@pytest.mark.parametrize("scope", SCOPES)
def test_memories_go_down_a_chain_from_whatever_its_top_holds(
    scope: str, execution: Execution, tmp_path: Path, compiler: Compiler
) -> None:
    """One that may only read is among them: who it starts may write again."""
    levels = {"top": scope, "second": "inherited", "third": "read-only", "last": "inherited"}
    script: dict[str, Any] = {
        id_: ((creates(f"of-{id_}"),), (spawns(below), waits()), (reads("of-last"),), (finishes(),))
        for id_, below in pairwise(levels)
    }
    script["last"] = (
        (reads("of-top"), reads("of-second"), reads("of-third"), creates("of-last")),
        (finishes(),),
    )
    agents = {
        id_: {"capabilities": [memories(scope)], "roster": starts(*below)}
        for (id_, scope), below in zip(levels.items(), (["second"], ["third"], ["last"], []), strict=True)
    }
    ran = run_team(tmp_path / "r", script, agents, execution=execution, compiler=compiler)

    assert (ran.result.status, failed_checks(ran)) == ("completed", [])
    rows = stores(ran)
    assert {row.module_id for row in rows.values()} == {"memories-1"}
    assert [(row.origin, row.writable) for row in rows.values()] == [
        ("profile" if scope == "shared" else "created", True),
        ("inherited", True),
        ("inherited", False),
        ("inherited", True),
    ]
    assert [code_of(answer) for answer in ran.given("last", 1)[:3]] == ["A note.", "A note.", "not-found"]
    assert [ran.given(id_, 3) for id_ in ("top", "second", "third")] == [["A note."]] * 3
    assert [(agent, each.name) for agent, each in ran.by_agent(MemoryRevision)] == [
        ("top", "of-top"),
        ("second", "of-second"),
        ("last", "of-last"),
    ]


@pytest.mark.parametrize("scope", ["inherited", "read-only"])
def test_a_spawner_without_memories_breaks_the_chain(scope: str, tmp_path: Path) -> None:
    script: Script = {
        "top": ((creates("of-top"),), (spawns("none"), waits()), (finishes(),)),
        "none": ((spawns("low"), waits()), (finishes(),)),
        "low": ((reads("of-top"), creates("of-low")), (spawns("last"), waits()), (finishes(),)),
        "last": ((reads("of-low"),), (finishes(),)),
    }
    agents = {
        "top": {"capabilities": [memories("isolated")], "roster": starts("none")},
        "none": {"roster": starts("low")},
        "low": {"capabilities": [memories(scope)], "roster": starts("last")},
        "last": {"capabilities": [memories("read-only")]},
    }
    ran = run_team(tmp_path / "r", script, agents)

    rows = stores(ran)
    assert [(row.module_id, row.origin, row.writable) for row in rows.values()] == [
        ("memories-1", "created", True),
        (None, None, False),
        ("memories-2", "created", True),
        ("memories-2", "inherited", False),
    ]
    assert code_of(ran.given("low", 1)[0]) == "not-found"
    assert ran.given("last", 1) == ["A note."]
