"""Which store each kind of agent binds under each scope, with which access: real runs of every start."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from host.core.messages import Reply
from host.events import AgentModule, AgentModules, AgentTransition, ApiCall, MemoryState, Notice
from tests.helpers.runs import MARKDOWN, SCRATCHPAD, calls
from tests.helpers.teams import TeamRan, finishes, run_team, starts

SCOPES = ("isolated", "shared", "inherited", "read-only")
MAKES = ("create_memory", {"name": "of-root", "description": "d", "contents": "c"})
TRIES = (
    ("read_memory", {"name": "of-root"}),
    ("create_memory", {"name": "own", "description": "d", "contents": "c"}),
)
BOARD = {"implementer": "dev", "reviewer": "judge", "merge": "merger"}


class Bound(NamedTuple):
    """What an agent has bound: how it came by it, whose it is beside the root's, whether it may write."""

    origin: str
    store: str
    writable: bool


OWN = Bound("created", "own", True)
PROFILES = Bound("profile", "own", True)
TABLE: Mapping[str, tuple[Bound, Bound, Bound, Bound]] = {
    "root": (OWN, PROFILES, OWN, OWN),
    "implementer": (OWN, PROFILES, OWN, OWN),
    "subagent": (OWN, PROFILES, Bound("inherited", "root's", True), Bound("inherited", "root's", False)),
    "reviewer": (OWN, PROFILES, OWN, OWN),
    "merge": (OWN, PROFILES, OWN, OWN),
    "fork": (
        Bound("forked", "copy", True),
        Bound("forked", "root's", True),
        Bound("forked", "root's", True),
        Bound("forked", "root's", False),
    ),
    "exec": (
        Bound("transferred", "root's", True),
        PROFILES,
        Bound("transferred", "root's", True),
        Bound("transferred", "root's", False),
    ),
    "transition": (
        Bound("transferred", "root's", True),
        PROFILES,
        Bound("transferred", "root's", True),
        Bound("transferred", "root's", False),
    ),
}
CELLS = [
    pytest.param(start, scope, bound, id=f"{start} {scope}")
    for start, row in TABLE.items()
    for scope, bound in zip(SCOPES, row, strict=True)
]


def keeps(scope: str, base: Mapping[str, Any] = MARKDOWN) -> dict[str, Any]:
    """An agent with memories under this scope."""
    memories = {"id": "memories", "enabled": True, **base, "params": {**base["params"], "scope": scope}}
    return {"capabilities": [memories]}


def tries_and(*last: tuple[str, Any]) -> list[Reply]:
    """Reads the root's memory and writes one of its own, then goes on."""
    return [calls(*TRIES), calls(*last)]


def of_root(out: Path, scope: str) -> TeamRan:
    script = {"root": [calls(MAKES), *tries_and(finishes("done"))]}
    return run_team(out, script, {"root": keeps(scope)})


def of_subagent(out: Path, scope: str) -> TeamRan:
    spawns, waits = ("spawn_subagent", {"agent": "sub", "prompt": "x"}), ("wait_for_subagents", {})
    script = {
        "root": [calls(MAKES), calls(spawns), calls(waits), calls(finishes("done"))],
        "sub": tries_and(finishes("done")),
    }
    agents = {"root": {**keeps("isolated"), "roster": starts("sub")}, "sub": keeps(scope)}
    return run_team(out, script, agents)


def of_board(out: Path, scope: str) -> TeamRan:
    create, wait = ("create_issue", {"title": "T", "body": "B"}), ("wait_for_issue", {})
    script = {
        "root": [calls(MAKES), calls(create), calls(wait), calls(finishes("done"))],
        "dev": tries_and(finishes("did it")),
        "judge": tries_and(("approve", {})),
        "merger": tries_and(finishes("merged")),
    }
    agents = {"root": keeps("isolated"), **dict.fromkeys(("dev", "judge", "merger"), keeps(scope))}
    return run_team(out, script, agents, board=BOARD)


def of_fork(out: Path, scope: str) -> TeamRan:
    script = {
        "root": [
            calls(MAKES),
            calls(("fork", {})),
            calls(("wait_for_subagents", {})),
            calls(finishes("done")),
        ],
        "root-2": tries_and(finishes("done")),
    }
    return run_team(out, script, {"root": keeps(scope)})


def of_exec(out: Path, scope: str) -> TeamRan:
    hands_over = ("exec", {"agent": "next", "prompt": "x"})
    script = {"root": [calls(MAKES), calls(hands_over)], "next": tries_and(finishes("done"))}
    agents = {"root": {**keeps("isolated"), "roster": starts("next")}, "next": keeps(scope)}
    return run_team(out, script, agents)


def of_transition(out: Path, scope: str, *transfer: str) -> TeamRan:
    script = {
        "root": [calls(MAKES), calls(("transition_state", {"state": "last"}))],
        "next": tries_and(finishes("done")),
    }
    states = {
        "first": {"agent": "root", "to": {"last": {"transfer": list(transfer)}}},
        "last": {"agent": "next"},
    }
    return run_team(out, script, {"root": keeps("isolated"), "next": keeps(scope)}, states=states)


STARTS: Mapping[str, tuple[str, Callable[[Path, str], TeamRan]]] = {
    "root": ("root", of_root),
    "implementer": ("dev", of_board),
    "subagent": ("sub", of_subagent),
    "reviewer": ("judge", of_board),
    "merge": ("merger", of_board),
    "fork": ("root-2", of_fork),
    "exec": ("next", of_exec),
    "transition": ("next", lambda out, scope: of_transition(out, scope, "memories")),
}


@pytest.mark.parametrize(("start", "scope", "bound"), CELLS)
def test_an_agent_binds_what_its_start_and_its_scope_say(
    start: str, scope: str, bound: Bound, tmp_path: Path
) -> None:
    agent_id, run = STARTS[start]
    ran = run(tmp_path / "record", scope)

    assert ran.result.status == "completed"
    row = module_of(ran, agent_id)
    store = "own" if start == "root" else relation(ran, row, agent_id)
    assert (Bound(row.origin or "", store, row.writable), row.scope) == (bound, scope)
    sees = start == "root" or bound.store in ("root's", "copy")
    answers = [(call.operation, call.code) for call in ran.of(ApiCall, agent_id)][-3:-1]
    assert answers == [
        ("memories.read_memory", None if sees else "not-found"),
        ("memories.create_memory", None if bound.writable else "refused"),
    ]
    assert {state.writable for state in ran.of(MemoryState, agent_id)} == {bound.writable}


def module_of(ran: TeamRan, agent_id: str) -> AgentModule:
    (modules,) = ran.of(AgentModules, agent_id)
    (row,) = modules.modules
    return row


def relation(ran: TeamRan, row: AgentModule, agent_id: str) -> str:
    """Whose the store is, from its id and from what it held as the agent began."""
    if row.module_id == module_of(ran, "root").module_id:
        return "root's"
    return "copy" if ran.of(MemoryState, agent_id)[0].count else "own"


@pytest.mark.parametrize("scope", ["inherited", "read-only"])
def test_a_spawner_without_memories_has_none_to_give(scope: str, tmp_path: Path) -> None:
    spawns, waits = ("spawn_subagent", {"agent": "sub", "prompt": "x"}), ("wait_for_subagents", {})
    script = {"root": [calls(spawns, waits), calls(finishes("done"))], "sub": tries_and(finishes("done"))}
    ran = run_team(tmp_path / "record", script, {"root": {"roster": starts("sub")}, "sub": keeps(scope)})

    row = module_of(ran, "sub")
    assert (row.origin, row.writable, row.module_id) == ("created", True, "memories-1")


def test_inheritance_chains_and_access_is_the_holders(tmp_path: Path) -> None:
    def spawns(agent: str) -> Reply:
        return calls(("spawn_subagent", {"agent": agent, "prompt": "x"}), ("wait_for_subagents", {}))

    done = calls(finishes("done"))
    script = {
        "root": [calls(MAKES), spawns("reader"), done],
        "reader": [spawns("writer"), done],
        "writer": [calls(*TRIES), done],
    }
    agents = {
        "root": {**keeps("isolated"), "roster": starts("reader")},
        "reader": {**keeps("read-only"), "roster": starts("writer")},
        "writer": keeps("inherited"),
    }
    ran = run_team(tmp_path / "record", script, agents)

    rows = [module_of(ran, agent_id) for agent_id in ("root", "reader", "writer")]
    assert [(row.module_id, row.writable) for row in rows] == [
        ("memories-1", True),
        ("memories-1", False),
        ("memories-1", True),
    ]
    assert [memory.name for memory in ran.result.memories] == ["of-root", "own"]


def test_all_instances_of_a_sharing_profile_hold_one_store(tmp_path: Path) -> None:
    spawn, wait = ("spawn_subagent", {"agent": "sub", "prompt": "x"}), ("wait_for_subagents", {})
    writes = calls(
        ("create_memory", {"name": "of-sub", "description": "d", "contents": "c"}), finishes("done")
    )
    reads = calls(("read_memory", {"name": "of-sub"}), finishes("done"))
    script = {
        "root": [calls(spawn, wait), calls(spawn, wait), calls(finishes("done"))],
        "sub": [writes],
        "sub-2": [reads],
    }
    agents = {"root": {**keeps("shared"), "roster": starts("sub")}, "sub": keeps("shared")}
    ran = run_team(tmp_path / "record", script, agents)

    assert [module_of(ran, id_).module_id for id_ in ("root", "sub", "sub-2")] == [
        "memories-1",
        "memories-2",
        "memories-2",
    ]
    assert [call.ok for call in ran.of(ApiCall, "sub-2")] == [True, True]
    assert "- `of-sub` — d" in ran.prompts["sub-2"][0][1].text


HANDED = [
    pytest.param("isolated", MARKDOWN, ("memories",), "carried", None, id="carried"),
    pytest.param("isolated", MARKDOWN, (), "initialized", None, id="not in the list"),
    pytest.param(
        "isolated",
        SCRATCHPAD,
        ("memories",),
        "initialized",
        "Your memories start empty. Those of the agent before you are organized as `markdown` and yours as"
        " `scratchpad`, so they could not be handed over.",
        id="another strategy",
    ),
    pytest.param(
        "shared",
        MARKDOWN,
        ("memories",),
        "initialized",
        "Your memories are the ones that all agents of `next` share. Those of the agent before you were not"
        " handed over.",
        id="its profile's own",
    ),
]


@pytest.mark.parametrize(("scope", "strategy", "transfer", "disposition", "told"), HANDED)
def test_what_is_handed_over_and_what_the_successor_is_told(
    scope: str,
    strategy: Mapping[str, Any],
    transfer: tuple[str, ...],
    disposition: str,
    told: str | None,
    tmp_path: Path,
) -> None:
    script = {
        "root": [calls(MAKES), calls(("transition_state", {"state": "last"}))],
        "next": [calls(finishes("done"))],
    }
    states = {
        "first": {"agent": "root", "to": {"last": {"transfer": list(transfer)}}},
        "last": {"agent": "next"},
    }
    agents = {"root": keeps("isolated"), "next": keeps(scope, strategy)}
    ran = run_team(tmp_path / "record", script, agents, states=states)

    (transition,) = ran.of(AgentTransition)
    (handed,) = transition.modules
    own = "memories-1" if disposition == "carried" else "memories-2"
    assert (handed.disposition, handed.from_id, handed.to_id) == (disposition, "memories-1", own)
    assert [notice.text for notice in ran.of(Notice, "next")] == ([] if told is None else [told])
    assert (ran.prompts["next"][0][-1].text == f"Notice\n----\n{told}") == (told is not None)


def test_a_successor_that_keeps_no_memories_gets_none(tmp_path: Path) -> None:
    script = {
        "root": [calls(MAKES), calls(("exec", {"agent": "next", "prompt": "x"}))],
        "next": [calls(finishes("done"))],
    }
    agents = {"root": {**keeps("isolated"), "roster": starts("next")}, "next": {}}
    ran = run_team(tmp_path / "record", script, agents)

    (handed,) = ran.of(AgentTransition)[0].modules
    assert (handed.disposition, handed.from_id, handed.to_id) == ("dropped", "memories-1", None)
    assert ran.result.memories == ()
