"""What a compaction needs before a run may start, each with the whole refusal."""

import copy
from pathlib import Path

import pytest

from host.core.errors import Defect
from host.launch import LaunchPlan
from host.launch.places import ABSENT
from host.launch.plan import CompactionPlan
from tests.host.launch.documents import LIMITS, MEMORIES, VALID, Document, outcome

SUMMARY: Document = {"id": "compaction", "implementation": "summary"}
MEMORY: Document = {"id": "compaction", "implementation": "memory-compaction"}
IMPLEMENTATION = "agents[0].capabilities[1].implementation"
THRESHOLD = "agents[0].capabilities[1].params.threshold"
WHY = "the tokens of the model's context window, since compaction is enabled"
NAMES = ("summary", "memory-compaction")
SHARE = "needs a number, more than 0 and at most 1"


def document(compaction: object, memories: object = MEMORIES, **changes: object) -> Document:
    """A run whose agent has these two capabilities, and a model with a context window."""
    made = copy.deepcopy(VALID)
    made["model"] = {"provider": "scripted", "replies": ["export {}"], "contextWindow": 8000}
    written = [memories, compaction] if memories is not None else [compaction]
    made["agents"][0]["capabilities"] = copy.deepcopy(written)
    made.update(changes)
    return made


def memories(strategy: str = "scratchpad", *, may_revise: bool = True, **params: object) -> Document:
    lifted = dict.fromkeys(LIMITS, 0)
    return {
        "id": "memories",
        "implementation": strategy,
        "features": {"reviseMemories": may_revise},
        "params": {"scope": "isolated", **lifted, **params},
    }


def told(found: LaunchPlan | tuple[Defect, ...]) -> list[tuple[str, str]]:
    return [] if isinstance(found, LaunchPlan) else [(defect.place, defect.message) for defect in found]


@pytest.mark.parametrize(
    ("params", "threshold"), [({}, 0.85), ({"params": {"threshold": 1}}, 1.0), ({"params": {}}, 0.85)]
)
def test_an_enabled_compaction_is_planned(params: Document, threshold: float, tmp_path: Path) -> None:
    plan = outcome(document({**MEMORY, **params}), tmp_path)

    assert isinstance(plan, LaunchPlan)
    assert plan.root_agent.compaction == CompactionPlan(
        strategy="memory-compaction", threshold=threshold, context_window_tokens=8000
    )


def test_the_context_window_is_that_of_the_agent_s_own_model(tmp_path: Path) -> None:
    made = document(SUMMARY)
    made["agents"][0]["model"] = {"provider": "human", "contextWindow": 900}
    plan = outcome(made, tmp_path)

    assert isinstance(plan, LaunchPlan)
    assert plan.root_agent.compaction is not None
    assert plan.root_agent.compaction.context_window_tokens == 900


WRONG_VALUES = [
    ({**SUMMARY, "params": {"threshold": 0}}, THRESHOLD, SHARE, 0),
    ({**SUMMARY, "params": {"threshold": 1.01}}, THRESHOLD, SHARE, 1.01),
    ({**SUMMARY, "params": {"threshold": "0.85"}}, THRESHOLD, SHARE, "0.85"),
    ({**SUMMARY, "params": {"threshold": True}}, THRESHOLD, SHARE, True),
    (
        {**SUMMARY, "params": {"share": 0.5}},
        "agents[0].capabilities[1].params.share",
        "unknown key",
        0.5,
    ),
    (
        {"id": "compaction", "implementation": "sumary"},
        IMPLEMENTATION,
        'unknown compaction; did you mean "summary"?',
        "sumary",
    ),
]


@pytest.mark.parametrize("enabled", [True, False])
@pytest.mark.parametrize(("compaction", "place", "message", "found"), WRONG_VALUES)
def test_what_is_written_is_checked_also_where_it_is_off(
    compaction: Document, place: str, message: str, found: object, enabled: bool, tmp_path: Path
) -> None:
    defects = outcome(document({**compaction, "enabled": enabled}), tmp_path)

    assert isinstance(defects, tuple)
    assert [(d.place, d.message, d.found, d.agent) for d in defects] == [(place, message, found, "analyst")]


def test_of_a_compaction_that_is_off_nothing_is_missed(tmp_path: Path) -> None:
    made = document({"id": "compaction", "enabled": False}, None)
    del made["model"]["contextWindow"]
    off = document({**MEMORY, "enabled": False}, memories(scope="read-only"))
    del off["model"]["contextWindow"]

    for each in (made, off):
        plan = outcome(each, tmp_path)
        assert isinstance(plan, LaunchPlan)
        assert plan.root_agent.compaction is None


@pytest.mark.parametrize("written", [{}, {"implementation": None}, {"implementation": " "}])
def test_an_enabled_compaction_names_how(written: Document, tmp_path: Path) -> None:
    defects = outcome(document({"id": "compaction", **written}), tmp_path)

    assert isinstance(defects, tuple)
    (defect,) = defects
    assert (defect.place, defect.message, defect.known) == (
        IMPLEMENTATION,
        "required: how an enabled capability compacts",
        NAMES,
    )


HUMAN = f'needs contextWindow, {WHY}; write {{"provider": "human", "contextWindow": 128000}}'
SCRIPTED = {"provider": "scripted", "replies": ["export {}"]}
UNMEASURED = [
    ({"model": SCRIPTED}, None, "model.contextWindow", f"required: {WHY}", ABSENT),
    ({"model": {**SCRIPTED, "contextWindow": None}}, None, "model.contextWindow", f"required: {WHY}", ABSENT),
    ({}, SCRIPTED, "agents[0].model.contextWindow", f"required: {WHY}", ABSENT),
    ({"model": "human"}, None, "model", HUMAN, "human"),
    ({}, "human", "agents[0].model", HUMAN, "human"),
]


@pytest.mark.parametrize(("changes", "own", "place", "message", "found"), UNMEASURED)
def test_the_agent_s_model_says_how_large_its_window_is(
    changes: Document, own: object, place: str, message: str, found: object, tmp_path: Path
) -> None:
    made = document(SUMMARY, **changes)
    if own is not None:
        made["agents"][0]["model"] = own
    defects = outcome(made, tmp_path)

    assert isinstance(defects, tuple)
    assert [(d.place, d.message, d.found) for d in defects] == [(place, message, found)]


FULL = (
    "could not be satisfied once the memories are full: {}, and reviseMemories is false; lift what fills them"
    " with 0, or allow revising"
)
UNSATISFIABLE = [
    (None, "needs memories to record in, and this agent has none"),
    ({**MEMORIES, "enabled": False}, "needs memories to record in, and those of this agent are off"),
    (
        memories(scope="read-only"),
        "needs a call that writes memories, and the scope of this agent's is read-only",
    ),
    (memories(may_revise=False, maxCount=9), FULL.format("maxCount is 9")),
    (memories(may_revise=False, maxTotalLen=1), FULL.format("maxTotalLen is 1")),
    (
        memories(" scratchpad ", may_revise=False, maxCount=9, maxTotalLen=1),
        FULL.format("maxCount is 9 and maxTotalLen is 1"),
    ),
    (memories("markdown", may_revise=False, maxLenIndex=99), FULL.format("maxLenIndex is 99")),
    (memories("keyword-search", may_revise=False, maxCount=64), FULL.format("maxCount is 64")),
    (
        memories("markdown", maxLenIndex=8),
        "could never be satisfied: maxLenIndex is 8, and the index of one memory has 9 characters at least",
    ),
]


@pytest.mark.parametrize(("held", "message"), UNSATISFIABLE)
def test_memory_compaction_is_refused_where_it_could_not_be_satisfied(
    held: Document | None, message: str, tmp_path: Path
) -> None:
    refused = outcome(document(MEMORY, held), tmp_path)

    place = IMPLEMENTATION if held is not None else "agents[0].capabilities[0].implementation"
    assert told(refused) == [(place, message)]
    assert told(outcome(document(SUMMARY, held), tmp_path)) == []


SATISFIABLE = [
    memories(),
    memories(may_revise=False, maxLenIndex=64, maxLenPerMemory=9, maxLenDescription=9, maxResults=9),
    memories(maxCount=1, maxTotalLen=1),
    memories("markdown", may_revise=False, maxCount=64, maxTotalLen=64),
    memories("markdown", maxLenIndex=9),
    memories("keyword-search", may_revise=False, maxTotalLen=64, maxLenIndex=5),
    memories("keyword-search", maxCount=64, scope="shared"),
]


@pytest.mark.parametrize("held", SATISFIABLE)
def test_memory_compaction_is_planned_where_it_can_be_satisfied(held: Document, tmp_path: Path) -> None:
    assert told(outcome(document(MEMORY, held), tmp_path)) == []


APPEND_ONLY = memories("markdown", may_revise=False, scope="inherited")
LENT = (
    "could not be satisfied once the memories of {}, which it inherits, are full: maxLenIndex is 99, and"
    " reviseMemories is false; lift what fills them with 0, or allow revising"
)
SHORT_INDEX = (
    "could never be satisfied: maxLenIndex of lead, which it inherits, is 8, and the index of one memory has"
    " 9 characters at least"
)
# the memories of the last agent, of the one that starts it, and of the one that starts that; what is told
LENDERS = [
    (APPEND_ONLY, memories("markdown", maxLenIndex=99), None, [LENT.format("lead")]),
    (APPEND_ONLY, memories("markdown"), memories("markdown", maxLenIndex=99), []),
    (
        APPEND_ONLY,
        memories("markdown", scope="inherited"),
        memories("markdown", maxLenIndex=99),
        [LENT.format("chief")],
    ),
    (APPEND_ONLY, None, memories("markdown", maxLenIndex=99), []),
    (memories("markdown", may_revise=False), memories("markdown", maxLenIndex=99), None, []),
    (memories("markdown", scope="inherited"), memories("markdown", maxLenIndex=99), None, []),
    (memories("markdown", scope="inherited"), memories("markdown", maxLenIndex=8), None, [SHORT_INDEX]),
]


@pytest.mark.parametrize(("own", "spawners", "above", "messages"), LENDERS)
def test_the_limits_of_memories_that_are_inherited_count_as_well(
    own: Document, spawners: Document | None, above: Document | None, messages: list[str], tmp_path: Path
) -> None:
    made = document(MEMORY, own)
    made["agents"] += [
        {
            "id": id_,
            "roster": [{"agent": below, "as": "subagent"}, {"agent": id_, "as": "subagent"}],
            "capabilities": [held] if held else [],
        }
        for id_, held, below in (("lead", spawners, "analyst"), ("chief", above, "lead"))
    ]

    assert told(outcome(made, tmp_path)) == [(IMPLEMENTATION, message) for message in messages]


def test_only_one_that_starts_it_as_a_subagent_hands_memories_to_an_agent(tmp_path: Path) -> None:
    made = document(MEMORY, APPEND_ONLY)
    roster = [{"agent": "analyst", "as": role} for role in ("implementer", "reviewer", "merge")]
    held = [memories("markdown", maxLenIndex=99)]
    made["agents"].append({"id": "lead", "roster": roster, "capabilities": held})

    assert told(outcome(made, tmp_path)) == []


def test_every_defect_is_told_at_once(tmp_path: Path) -> None:
    held = memories("markdown", may_revise=False, scope="read-only", maxLenIndex=5)
    made = document({**MEMORY, "params": {"threshold": 2}}, held)
    del made["model"]["contextWindow"]

    assert told(outcome(made, tmp_path)) == [
        ("model.contextWindow", f"required: {WHY}"),
        (IMPLEMENTATION, "needs a call that writes memories, and the scope of this agent's is read-only"),
        (IMPLEMENTATION, FULL.format("maxLenIndex is 5")),
        (
            IMPLEMENTATION,
            "could never be satisfied: maxLenIndex is 5, and the index of one memory has 9 characters at"
            " least",
        ),
        (THRESHOLD, SHARE),
    ]


def test_one_slip_in_the_memories_is_named_once(tmp_path: Path) -> None:
    held = memories(may_revise=False, maxCount="64")
    made = document(MEMORY, {"enabled": "yes", **held})

    assert [place for place, _ in told(outcome(made, tmp_path))] == [
        "agents[0].capabilities[0].enabled",
        "agents[0].capabilities[0].params.maxCount",
    ]
