"""Any rosters, states and boards are planned as they are written, or refused; in every format alike."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from host.core.errors import HostDefect
from host.launch import AgentPlan, BoardPlan, LaunchPlan, RosterEntry, StatePlan
from host.launch.capabilities import SCOPES, STRATEGIES
from host.memories import Holder, Start, StoreRegistry, Wanted, strategy_of
from tests.host.launch.documents import Document, outcome
from tests.host.launch.teams import DELEGATION, REPLIES, memories
from tests.host.launch.test_formats_agree import outcome as outcome_of_file
from tests.host.launch.test_formats_agree import put

IDS = ("a", "b", "c")
STATES = ("plan", "do", "to")
ROLES = ("subagent", "implementer", "reviewer", "merge")
COMPACTION = {"id": "compaction", "implementation": "memory-compaction"}
BOARD = ("implementer", "reviewer", "merge")

IN_ALL_FORMATS = st.one_of(
    st.booleans(),
    st.integers(-1, 3),
    st.sampled_from(["", "A", "d", "memories", "[key]", "a b", *IDS, *STATES, *ROLES]),
    st.lists(st.sampled_from(["memories", "a"]), max_size=2),
    st.dictionaries(st.sampled_from(["agent", "as", "to", "model", "a"]), st.just("a"), max_size=2),
)
IN_PYTHON = st.one_of(
    IN_ALL_FORMATS,
    st.none(),
    st.floats(),
    st.text(max_size=3),
    st.dictionaries(st.one_of(st.none(), st.integers(), st.text(max_size=2)), st.none(), max_size=2),
)


def mostly(usual: st.SearchStrategy[Any], anything: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """What is written as a rule, and now and then something else."""
    return st.integers(0, 40).flatmap(lambda n: usual if n else anything)


def states(anything: st.SearchStrategy[Any], names: st.SearchStrategy[str]) -> st.SearchStrategy[Any]:
    kinds = st.lists(mostly(st.just("memories"), anything), max_size=1)
    edge = st.fixed_dictionaries({}, optional={"transfer": mostly(kinds, anything)})
    to = st.dictionaries(st.sampled_from(STATES), mostly(edge, anything), max_size=2)
    state = st.fixed_dictionaries({"agent": names}, optional={"to": mostly(to, anything)})
    whole = st.fixed_dictionaries(dict.fromkeys(STATES, mostly(state, anything)))
    some = st.dictionaries(mostly(st.sampled_from(STATES), st.text(max_size=3)), state, max_size=3)
    return st.one_of(whole, mostly(some, anything))


@st.composite
def teams(draw: st.DrawFn, anything: st.SearchStrategy[Any]) -> Document:
    """A document of up to three agents in which anything may be of another kind."""
    ids = draw(st.lists(mostly(st.sampled_from(IDS), anything), min_size=1, max_size=3, unique_by=repr))
    known = [id_ for id_ in ids if isinstance(id_, str)]
    names = mostly(st.sampled_from(known or IDS), anything)
    entry = st.fixed_dictionaries({"agent": names, "as": mostly(st.sampled_from(ROLES), anything)})
    kept = st.builds(
        memories,
        st.sampled_from(STRATEGIES[:2]),
        st.sampled_from(SCOPES),
        enabled=st.booleans(),
        features=st.fixed_dictionaries({"reviseMemories": st.booleans()}),
    )
    others = mostly(st.just(DELEGATION), st.just(COMPACTION))
    capabilities = st.lists(st.one_of(kept, others), max_size=3, unique_by=lambda c: c["id"])
    agents = [
        draw(
            st.fixed_dictionaries(
                {"id": st.just(id_), "capabilities": capabilities},
                optional={"roster": mostly(st.lists(mostly(entry, anything), max_size=3), anything)},
            )
        )
        for id_ in ids
    ]
    board = mostly(st.fixed_dictionaries(dict.fromkeys(BOARD, names)), anything)
    optional = {
        "root": names,
        "maxParallel": mostly(st.integers(1, 99), anything),
        "states": states(anything, names),
        "board": board,
    }
    run = draw(st.fixed_dictionaries({}, optional=optional))
    return {"task": "t", "model": {**REPLIES, "contextWindow": 8000}, "agents": agents, **run}


@pytest.mark.slow
@settings(deadline=None, max_examples=100)
@given(document=teams(IN_PYTHON))
def test_any_team_is_planned_as_written_or_refused(
    document: Document, tmp_path_factory: pytest.TempPathFactory
) -> None:
    found = outcome(document, tmp_path_factory.getbasetemp())

    if isinstance(found, LaunchPlan):
        assert [(agent.id, agent.roster) for agent in found.agents] == [
            (agent["id"], tuple(_entry(entry) for entry in agent.get("roster", [])))
            for agent in document["agents"]
        ]
        assert [agent.delegates for agent in found.agents] == [
            DELEGATION in agent["capabilities"] for agent in document["agents"]
        ]
        assert found.root == (document.get("root") or document["agents"][0]["id"])
        assert found.max_parallel == document.get("maxParallel", 16)
        assert found.states == {name: _state(state) for name, state in document.get("states", {}).items()}
        board = document.get("board")
        assert found.board == (None if board is None else BoardPlan(**board))
    else:
        assert found != ()


def _entry(written: Document) -> RosterEntry:
    return RosterEntry(agent=written["agent"], role=written["as"])


def _state(written: Document) -> StatePlan:
    to = {name: frozenset(edge.get("transfer", [])) for name, edge in written.get("to", {}).items()}
    return StatePlan(agent=written["agent"], to=to)


@pytest.mark.slow
@settings(deadline=None, max_examples=50)
@given(document=teams(IN_ALL_FORMATS))
def test_any_team_is_the_same_in_every_format(
    document: Document, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.getbasetemp()

    outcomes = [outcome_of_file(put(document, folder, suffix)) for suffix in (".json", ".yaml", ".toml")]

    assert outcomes[1:] == [outcomes[0]] * 2


@st.composite
def pairs(draw: st.DrawFn) -> Document:
    """Three agents without a slip, which may disagree about their strategies."""
    roles = mostly(st.just("subagent"), st.sampled_from(ROLES))
    entry = st.fixed_dictionaries({"agent": st.sampled_from(IDS), "as": roles})
    rosters = st.lists(entry, max_size=2, unique_by=lambda found: (found["agent"], found["as"]))
    kept = st.builds(memories, st.sampled_from(STRATEGIES[:2]), st.sampled_from(SCOPES))
    return {
        "task": "t",
        "model": REPLIES,
        "agents": [
            {
                "id": id_,
                "capabilities": draw(mostly(st.lists(kept, min_size=1, max_size=1), st.just([]))),
                "roster": draw(rosters),
            }
            for id_ in IDS
        ],
    }


@pytest.mark.slow
@settings(deadline=None, max_examples=150)
@given(document=pairs(), way=st.lists(st.integers(0, 9), max_size=8))
def test_where_a_launch_is_allowed_no_start_finds_a_disagreement(
    document: Document, way: list[int], tmp_path_factory: pytest.TempPathFactory
) -> None:
    plan = outcome(document, tmp_path_factory.getbasetemp())
    if not isinstance(plan, LaunchPlan):
        return
    stores = StoreRegistry()
    agent = plan.root_agent
    holder = bind(stores, agent, Start(kind="root"))
    for step in way:
        below = [entry.agent for entry in agent.roster if entry.role == "subagent"]
        if step == 9 or not below:
            holder = bind(stores, agent, Start(kind="fork", offered=holder))
        elif step == 8:
            agent = plan.agent(agent.roster[0].agent)
            holder = bind(stores, agent, Start(kind="successor", offered=holder))
        else:
            agent = plan.agent(below[step % len(below)])
            holder = bind(stores, agent, Start(kind="subagent", offered=holder))


@pytest.mark.slow
@settings(deadline=None, max_examples=150)
@given(document=pairs())
def test_a_launch_is_refused_only_where_a_start_would_find_a_disagreement(
    document: Document, tmp_path_factory: pytest.TempPathFactory
) -> None:
    base = tmp_path_factory.getbasetemp()
    alone = [{**agent, "roster": []} for agent in document["agents"]]
    agents = outcome({**document, "agents": alone}, base)
    assert isinstance(agents, LaunchPlan)

    found = outcome(document, base)

    disagreeing = {
        entry["agent"]
        for agent in document["agents"]
        for entry in agent["roster"]
        if entry["as"] == "subagent" and _disagree(agents.agent(agent["id"]), agents.agent(entry["agent"]))
    }
    assert (set() if isinstance(found, LaunchPlan) else {defect.agent for defect in found}) == disagreeing


def _disagree(spawner: AgentPlan, child: AgentPlan) -> bool:
    stores = StoreRegistry()
    holder = bind(stores, spawner, Start(kind="root"))
    try:
        bind(stores, child, Start(kind="subagent", offered=holder))
    except HostDefect:
        return True
    return False


def bind(stores: StoreRegistry, agent: AgentPlan, start: Start) -> Holder | None:
    """What an agent of the plan holds after such a start."""
    if agent.memories is None:
        return None
    want = Wanted(
        profile=agent.id,
        agent_id=agent.id,
        strategy=strategy_of(agent.memories.strategy),
        scope=agent.memories.scope,
        limits=agent.memories.limits,
        calls={},
    )
    return stores.bind(want, start).holder
