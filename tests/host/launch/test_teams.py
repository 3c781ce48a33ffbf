"""Several agents: what a document of them comes to, and one slip per rule with the whole refusal it gets."""

import copy
from dataclasses import replace
from pathlib import Path

import pytest

from host.core.errors import Defect, LaunchRefused
from host.launch import BoardPlan, LaunchPlan, RosterEntry, StatePlan, load, validate
from host.launch.capabilities import STRATEGIES
from host.launch.places import ABSENT
from tests.host.launch.documents import SUFFIXES, Document, outcome, written
from tests.host.launch.teams import DELEGATION, REPLIES, TEAM, agent, memories, put

AGENTS = ("lead", "reader", "judge")
STATES = ("plan", "do")
ROLES = ("subagent", "implementer", "reviewer", "merge")
ROSTER = ("agents", 0, "roster")
EDGE = ("states", "plan", "to", "do")
COUNT = "needs a whole number, 1 or more"
NAMES_NOTHING = ("names no agent", "names no state")  # what no JSON Schema finds
NAME = "its name needs 1 to 64 of the letters A to Z, digits, - and _, beginning with a letter or a digit"


def test_several_agents_become_a_plan(tmp_path: Path) -> None:
    plan = validate(TEAM, base=tmp_path)

    assert [planned.id for planned in plan.agents] == list(AGENTS)
    assert (plan.root_agent, plan.agent("judge")) == (plan.agents[0], plan.agents[2])
    assert plan.max_parallel == 3
    assert plan.agent("lead").roster == (
        RosterEntry(agent="reader", role="subagent"),
        RosterEntry(agent="judge", role="reviewer"),
    )
    assert [planned.roster for planned in plan.agents[1:]] == [(), ()]
    assert [planned.delegates for planned in plan.agents] == [True, False, False]
    assert plan.states == {
        "plan": StatePlan(agent="lead", to={"do": frozenset({"memories"}), "plan": frozenset()}),
        "do": StatePlan(agent="reader", to={}),
    }
    assert plan.board == BoardPlan(implementer="reader", reviewer="judge", merge="reader")
    assert plan.document == TEAM


def test_what_is_not_written_has_a_default(tmp_path: Path) -> None:
    plan = validate({"task": "t", "model": REPLIES, "agents": [{"id": "b"}, {"id": "a"}]}, base=tmp_path)

    assert (plan.root, plan.max_parallel, plan.states, plan.board) == ("b", 16, {}, None)
    assert [(planned.delegates, planned.roster) for planned in plan.agents] == [(False, ())] * 2


NEEDS_EDGES = 'needs an object such as {"report": {"transfer": ["memories"]}}'
# place in the document, value put there, message, known values; the place is that of the defect
WRONG_VALUES: list[tuple[tuple[str | int, ...], object, str, tuple[str, ...]]] = [
    (("root",), "laed", 'names no agent; did you mean "lead"?', AGENTS),
    (("root",), "nobody", "names no agent", AGENTS),
    (("maxParallel",), 0, COUNT, ()),
    (ROSTER, {}, "needs a list", ()),
    (ROSTER, None, "needs a list", ()),
    ((*ROSTER, 0), "reader", 'needs an object such as {"agent": "reader", "as": "subagent"}', ()),
    ((*ROSTER, 0, "agent"), "readr", 'names no agent; did you mean "reader"?', AGENTS),
    ((*ROSTER, 0, "agent"), " reader", 'names no agent; did you mean "reader"?', AGENTS),
    ((*ROSTER, 0, "agent"), "", "names no agent", AGENTS),
    ((*ROSTER, 0, "agent"), 5, "needs text", ()),
    ((*ROSTER, 0, "as"), "sub-agent", 'unknown role; did you mean "subagent"?', ROLES),
    ((*ROSTER, 0, "as"), "root", "unknown role", ROLES),
    ((*ROSTER, 0, "as"), None, "unknown role", ROLES),
    ((*ROSTER, 0, "role"), "merge", "unknown key", ("agent", "as")),
    ((*ROSTER, 2), {"agent": "reader", "as": "subagent"}, "reader is listed as subagent already", ()),
    (("states",), [], "needs an object", ()),
    (("states",), None, "needs an object", ()),
    (("states", "do"), "reader", 'needs an object such as {"agent": "reader"}', ()),
    (("states", "do", "agent"), "redaer", 'names no agent; did you mean "reader"?', AGENTS),
    (("states", "do", "agents"), "x", 'unknown key; did you mean "agent"?', ("agent", "to")),
    (("states", "do", "transfer"), [], "unknown key; it belongs in to", ("agent", "to")),
    (("states", "do", "to"), ["plan"], NEEDS_EDGES, ()),
    (("states", "do", "to"), None, NEEDS_EDGES, ()),
    (("states", "do/it"), {"agent": "reader"}, NAME, ()),
    (("states", ""), {"agent": "reader"}, NAME, ()),
    ((*EDGE[:-1], "done"), {}, 'names no state; did you mean "do"?', STATES),
    ((*EDGE[:-1], "Plan"), {"transfer": []}, 'names no state; did you mean "plan"?', STATES),
    (EDGE, ["memories"], 'needs an object such as {"transfer": ["memories"]}', ()),
    (EDGE, None, 'needs an object such as {"transfer": ["memories"]}', ()),
    ((*EDGE, "transfers"), [], 'unknown key; did you mean "transfer"?', ("transfer",)),
    ((*EDGE, "transfer"), "memories", "needs a list", ()),
    ((*EDGE, "transfer", 0), "memory", 'unknown kind of module; did you mean "memories"?', ("memories",)),
    ((*EDGE, "transfer", 0), "window", "unknown kind of module", ("memories",)),
    ((*EDGE, "transfer", 1), "memories", "memories is listed already", ()),
    (("board",), [], "needs an object", ()),
    (("board", "merge"), "merger", "names no agent", AGENTS),
    (("board", "reviewer"), 5, "needs text", ()),
    (
        ("board", "reviewers"),
        "judge",
        'unknown key; did you mean "reviewer"?',
        ("implementer", "reviewer", "merge"),
    ),
    (("agents", 0, "capabilities", 0, "params"), {}, "unknown key", ("id", "enabled")),
    (("agents", 0, "capabilities", 0, "enabled"), 1, "needs true or false", ()),
]


@pytest.mark.parametrize(("place", "value", "message", "known"), WRONG_VALUES)
def test_a_wrong_value_is_refused_with_what_is_known_there(
    place: tuple[str | int, ...], value: object, message: str, known: tuple[str, ...], tmp_path: Path
) -> None:
    defects = outcome(put(place, value), tmp_path)

    assert isinstance(defects, tuple)
    (defect,) = defects
    assert (defect.place, defect.message, defect.found, defect.known) == (shown(place), message, value, known)
    assert defect.agent == ("lead" if place[0] == "agents" else None)


def shown(place: tuple[str | int, ...]) -> str:
    steps = [
        f"[{step}]" if isinstance(step, int) else f".{step}" if step.isalpha() else f'["{step}"]'
        for step in place
    ]
    return "".join(steps).removeprefix(".")


# what is taken away, the places of the defects
MISSING = [
    (("states", "do", "agent"), ["states.do.agent"]),
    (("board", "implementer"), ["board.implementer"]),
    (("board", "reviewer"), ["board.reviewer"]),
    (("board", "merge"), ["board.merge"]),
    ((*ROSTER, 0, "agent"), ["agents[0].roster[0].agent"]),
    ((*ROSTER, 0, "as"), ["agents[0].roster[0].as"]),
    (("model",), [f"agents[{n}].model" for n in range(3)]),
]


@pytest.mark.parametrize(("place", "places"), MISSING)
def test_what_has_to_be_written_is_missed(
    place: tuple[str | int, ...], places: list[str], tmp_path: Path
) -> None:
    document = copy.deepcopy(TEAM)
    at = document
    for step in place[:-1]:
        at = at[step]
    del at[place[-1]]

    defects = outcome(document, tmp_path)

    assert isinstance(defects, tuple)
    assert [(defect.place, defect.found) for defect in defects] == [(place, ABSENT) for place in places]


def test_an_agent_s_own_model_is_enough(tmp_path: Path) -> None:
    document = copy.deepcopy(TEAM)
    model = document.pop("model")
    for each in document["agents"]:
        each["model"] = model

    assert isinstance(outcome(document, tmp_path), LaunchPlan)


VALID_CHANGES: list[tuple[tuple[str | int, ...], object]] = [
    (("states",), {}),
    (("states", "do"), {"agent": "lead", "to": {}}),
    (("states", "plan", "to"), {"do": {"transfer": []}}),
    (("board",), None),
    (("board",), {"implementer": "lead", "reviewer": "lead", "merge": "lead"}),
    (ROSTER, []),
    (ROSTER, [{"agent": "lead", "as": "subagent"}]),
    (ROSTER, [{"agent": "reader", "as": role} for role in ROLES]),
    (("agents", 1, "roster"), [{"agent": "lead", "as": "implementer"}]),
    (("agents", 0, "capabilities", 0, "enabled"), False),
    (("maxParallel",), 1),
]


@pytest.mark.parametrize(("place", "value"), VALID_CHANGES)
def test_a_team_may_be_otherwise(place: tuple[str | int, ...], value: object, tmp_path: Path) -> None:
    assert isinstance(outcome(put(place, value), tmp_path), LaunchPlan)


WITHOUT = [
    ("a roster without the capability", {"roster": [{"agent": "a", "as": "subagent"}]}, {}),
    ("states without it", {}, {"states": {"s": {"agent": "a", "to": {"s": {}}}}}),
    ("a board without it", {}, {"board": {"implementer": "a", "reviewer": "a", "merge": "a"}}),
    ("the capability alone", {"capabilities": [DELEGATION]}, {}),
]


@pytest.mark.parametrize(("own", "runs"), [case[1:] for case in WITHOUT], ids=[case[0] for case in WITHOUT])
def test_the_arms_of_a_comparison_are_one_document(own: Document, runs: Document, tmp_path: Path) -> None:
    document = {"task": "t", "model": REPLIES, "agents": [{"id": "a", **own}], **runs}

    assert isinstance(outcome(document, tmp_path), LaunchPlan)


def test_memories_that_are_not_kept_are_not_handed_over(tmp_path: Path) -> None:
    document = put(("agents", 0, "capabilities"), [DELEGATION])

    assert outcome(document, tmp_path) == (
        Defect(
            place="states.plan.to.do.transfer[0]",
            message="lead, the agent of this state, has no memories to hand over",
            found="memories",
        ),
    )


def test_memories_that_are_off_may_be_listed_as_those_that_are_on(tmp_path: Path) -> None:
    plan = outcome(put(("agents", 0, "capabilities", 1), {"id": "memories", "enabled": False}), tmp_path)

    assert isinstance(plan, LaunchPlan)
    assert plan.states["plan"].to["do"] == {"memories"}


def pair(spawner: Document, child: Document, role: str = "subagent") -> Document:
    """Two agents, of which the first has the second in its roster."""
    lead = agent("lead", spawner, roster=[{"agent": "reader", "as": role}])
    return {"task": "t", "model": REPLIES, "agents": [lead, agent("reader", child)]}


def told(spawners: str, own: str) -> str:
    return (
        f"reader organizes its memories as {own}, and lead, whose memories it inherits as a subagent, as"
        f" {spawners}; name one strategy in both"
    )


@pytest.mark.parametrize("scope", ["inherited", "read-only"])
@pytest.mark.parametrize("spawners", STRATEGIES)
@pytest.mark.parametrize("own", STRATEGIES)
@pytest.mark.parametrize("spawners_scope", ["isolated", "shared", "inherited", "read-only"])
def test_a_subagent_that_inherits_names_the_strategy_of_its_spawner(
    spawners: str, spawners_scope: str, own: str, scope: str, tmp_path: Path
) -> None:
    found = outcome(pair(memories(spawners, spawners_scope), memories(own, scope)), tmp_path)

    if own == spawners:
        assert isinstance(found, LaunchPlan)
    else:
        assert found == (
            Defect(
                place="agents[1].capabilities[0].implementation",
                message=told(spawners, own),
                found=own,
                agent="reader",
            ),
        )


MARKDOWN, SCRATCHPAD = memories("markdown", "isolated"), memories("scratchpad", "inherited")
AGREEING = [
    ("the child's own store", pair(MARKDOWN, memories("scratchpad", "isolated"))),
    ("the store of its profile", pair(MARKDOWN, memories("scratchpad", "shared"))),
    ("an implementer", pair(MARKDOWN, SCRATCHPAD, "implementer")),
    ("a reviewer", pair(MARKDOWN, SCRATCHPAD, "reviewer")),
    ("a merge agent", pair(MARKDOWN, SCRATCHPAD, "merge")),
    ("off in the spawner", pair({**MARKDOWN, "enabled": False}, SCRATCHPAD)),
    ("off in the child", pair(MARKDOWN, {**SCRATCHPAD, "enabled": False})),
    ("none in the spawner", pair(DELEGATION, SCRATCHPAD)),
    ("white space", pair(memories(" markdown"), memories("markdown\n"))),
]


@pytest.mark.parametrize("document", [case[1] for case in AGREEING], ids=[case[0] for case in AGREEING])
def test_other_pairs_may_differ(document: Document, tmp_path: Path) -> None:
    assert isinstance(outcome(document, tmp_path), LaunchPlan)


def chain(*links: Document) -> Document:
    """Agents of which each has the next one in its roster."""
    ids = [f"a{n}" for n in range(len(links))]
    agents = [
        agent(id_, link, roster=[{"agent": below, "as": "subagent"}] if below else [])
        for id_, link, below in zip(ids, links, [*ids[1:], ""], strict=True)
    ]
    return {"task": "t", "model": REPLIES, "agents": agents}


# the links of a chain, the agents that are refused
CHAINS = [
    ((memories("markdown", "isolated"), memories(), memories(scope="read-only"), memories()), []),
    ((memories("markdown", "isolated"), memories(), memories("scratchpad")), ["a2"]),
    ((memories("markdown"), memories("scratchpad"), memories("markdown")), ["a1", "a2"]),
    ((memories("markdown"), memories("scratchpad", "isolated"), memories("scratchpad")), []),
    ((memories("markdown"), DELEGATION, memories("scratchpad")), []),
    ((memories("markdown"), memories("scratchpad", enabled=False), memories("scratchpad")), []),
]


@pytest.mark.parametrize(("links", "refused"), CHAINS)
def test_a_chain_agrees_where_its_pairs_do(
    links: tuple[Document, ...], refused: list[str], tmp_path: Path
) -> None:
    found = outcome(chain(*links), tmp_path)

    assert ([] if isinstance(found, LaunchPlan) else [defect.agent for defect in found]) == refused


def test_a_child_is_told_of_each_of_its_spawners(tmp_path: Path) -> None:
    document = pair(memories("markdown", "isolated"), memories("scratchpad"))
    document["agents"].append(
        agent("chief", memories("keyword-search"), roster=[{"agent": "reader", "as": "subagent"}])
    )

    found = outcome(document, tmp_path)

    assert isinstance(found, tuple)
    place = "agents[1].capabilities[0].implementation"
    by_chief = told("keyword-search", "scratchpad").replace("lead", "chief")
    assert [(defect.agent, defect.place, defect.message) for defect in found] == [
        ("reader", place, told("markdown", "scratchpad")),
        ("reader", place, by_chief),
    ]


def test_a_pair_that_is_listed_twice_is_told_once(tmp_path: Path) -> None:
    document = pair(memories("markdown"), memories("scratchpad"))
    document["agents"][0]["roster"] *= 2

    found = outcome(document, tmp_path)

    assert isinstance(found, tuple)
    assert [defect.place for defect in found] == [
        "agents[0].roster[1]",
        "agents[1].capabilities[0].implementation",
    ]


def test_one_slip_is_named_once(tmp_path: Path) -> None:
    strategy = outcome(pair(memories("markdwn"), memories("scratchpad")), tmp_path)
    ids = outcome(put(("agents", 1, "id"), "the reader"), tmp_path)

    assert isinstance(strategy, tuple)
    assert [defect.place for defect in strategy] == ["agents[0].capabilities[0].implementation"]
    assert isinstance(ids, tuple)
    assert [defect.place for defect in ids] == ["agents[1].id"]


def test_every_defect_is_told_at_once_in_the_order_of_the_document(tmp_path: Path) -> None:
    document = copy.deepcopy(TEAM)
    document["agents"][0]["roster"].append({"agent": "x", "as": "y"})
    document["agents"][1]["capabilities"][0]["implementation"] = "keyword-search"
    document["agents"][2]["capabilities"][0]["params"]["scope"] = "own"
    document["states"]["do"] = {"to": {"undo": {"transfer": ["views"]}}}
    document["board"] = {"merge": "y"}

    found = outcome(document, tmp_path)

    assert isinstance(found, tuple)
    assert [defect.place for defect in found] == [
        "agents[0].roster[2].agent",
        "agents[0].roster[2].as",
        "agents[1].capabilities[0].implementation",
        "agents[2].capabilities[0].params.scope",
        "states.do.to.undo",
        "states.do.to.undo.transfer[0]",
        "states.do.agent",
        "board.merge",
        "board.implementer",
        "board.reviewer",
    ]


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_a_team_is_the_same_plan_in_every_format(suffix: str, tmp_path: Path) -> None:
    file = tmp_path / f"run{suffix}"
    file.write_text(written(TEAM, suffix), encoding="utf-8")

    assert load(file) == validate(TEAM, base=tmp_path)


def _is_written_in_all(value: object) -> bool:
    return value is not None  # TOML has no null


@pytest.mark.parametrize(
    ("place", "value"), [(place, value) for place, value, *_ in WRONG_VALUES if _is_written_in_all(value)]
)
def test_a_slip_is_the_same_defect_in_every_format(
    place: tuple[str | int, ...], value: object, tmp_path: Path
) -> None:
    document = put(place, value)
    in_memory = outcome(document, tmp_path)

    for suffix in SUFFIXES:
        file = tmp_path / f"run{suffix}"
        file.write_text(written(document, suffix), encoding="utf-8")
        with pytest.raises(LaunchRefused) as exc_info:
            load(file)
        assert in_memory == tuple(replace(d, file=None, line=None) for d in exc_info.value.defects)
