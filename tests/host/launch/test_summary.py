"""What is said of a configuration that can be run."""

from pathlib import Path
from typing import Any

import pytest

from host.launch import summarize, validate
from tests.host.launch.documents import MEMORIES, VALID, broken, changed

FILES = {"id": "files", "params": {"dir": "."}}
OFF = {"id": "memories", "enabled": False}
MODEL = {"provider": "scripted", "replies": ["x"]}
SHORT = {"name": "short", "task": "t", "model": MODEL, "agents": [{"id": "a"}]}
CODE_MODE = "quickstart can be run: root analyst (scripted; responses_as_code"
NOTHING = "short can be run: root a (scripted; responses_as_code; no capabilities); no limits"
LIMITS = "limits maxTurns 20, maxRuntimeSecs 600, maxConsecutiveErrors 5"

SUMMARIES = [
    (
        VALID,
        f"{CODE_MODE}; memories scratchpad); {LIMITS}",
    ),
    (
        broken(("agents", 0, "capabilities", 1), FILES),
        f"{CODE_MODE}; memories scratchpad, files); {LIMITS}",
    ),
    (
        changed(lambda document: document["agents"][0].update(execution="tool_calling")),
        f"quickstart can be run: root analyst (scripted; tool_calling; memories scratchpad); {LIMITS}",
    ),
    (
        broken(
            ("agents", 0, "capabilities"),
            [
                {"id": "agent-managed-context"},
                {"id": "program-library"},
                {
                    **MEMORIES,
                    "implementation": " keyword-search ",
                    "features": {"reviseMemories": False},
                },
            ],
        ),
        f"{CODE_MODE}; memories keyword-search append-only, program-library,"
        f" agent-managed-context); {LIMITS}",
    ),
    (
        {
            **SHORT,
            "model": {**MODEL, "contextWindow": 8_000},
            "agents": [{"id": "a", "capabilities": [{"id": "compaction", "implementation": "summary"}]}],
        },
        "short can be run: root a (scripted; responses_as_code; compaction summary at 0.85 of 8000 tokens);"
        " no limits",
    ),
    (SHORT, NOTHING),
    ({**SHORT, "limits": {"maxTurns": None}}, NOTHING),
    ({**SHORT, "model": None, "agents": [{"id": "a", "model": MODEL, "capabilities": [OFF]}]}, NOTHING),
    (
        {**SHORT, "model": "human"},
        "short can be run: root a (human; responses_as_code; no capabilities); no limits",
    ),
]


@pytest.mark.parametrize(("document", "said"), SUMMARIES)
def test_what_would_run_is_said_on_one_line(document: dict[str, Any], said: str, tmp_path: Path) -> None:
    assert summarize(validate(document, base=tmp_path)) == (said,)


DELEGATION = {"id": "delegation"}
LEAD = {
    "id": "lead",
    "capabilities": [{**MEMORIES, "params": {**MEMORIES["params"], "scope": "shared"}}, DELEGATION],
    "roster": [
        {"agent": "reader", "as": "subagent"},
        {"agent": "lead", "as": "subagent"},
        {"agent": "judge", "as": "reviewer"},
    ],
}
READER = {"id": "reader", "execution": "tool_calling", "roster": [{"agent": "judge", "as": "subagent"}]}
JUDGE = {"id": "judge", "model": "human", "capabilities": [DELEGATION]}
TEAM = {**SHORT, "root": "reader", "maxParallel": 3, "agents": [LEAD, READER, JUDGE]}
STATES = {
    "plan": {"agent": "lead", "to": {"do": {"transfer": ["memories"]}, "plan": {}}},
    "do": {"agent": "lead", "to": {}},
}
BOARD = {"implementer": "reader", "reviewer": "judge", "merge": "reader"}
LEAD_TOLD = (
    "agent lead (scripted; responses_as_code; memories scratchpad shared, delegation; starts reader and lead"
)
READER_TOLD = "root reader (scripted; tool_calling; no capabilities; starts none without delegation"
JUDGE_TOLD = "agent judge (human; responses_as_code; delegation"

SUMMARIES_OF_SEVERAL = [
    (
        TEAM,
        "short can be run: 3 agents, 3 at once; no limits",
        f"  {LEAD_TOLD}; hands over to reader, lead and judge)",
        f"  {READER_TOLD})",
        f"  {JUDGE_TOLD})",
    ),
    (
        {**TEAM, "states": STATES, "board": BOARD},
        "short can be run: 3 agents, 3 at once; no limits",
        f"  {LEAD_TOLD}; hands over to reader, lead and judge; creates issues;"
        " state plan leads to do with memories and plan; state do is a last one)",
        f"  {READER_TOLD}; implements and merges issues)",
        f"  {JUDGE_TOLD}; hands over to lead; creates issues; reviews issues)",
    ),
]


@pytest.mark.parametrize("case", SUMMARIES_OF_SEVERAL, ids=["roster", "states and board"])
def test_of_several_agents_each_is_said_on_a_line(case: tuple[Any, ...], tmp_path: Path) -> None:
    document, *lines = case

    assert summarize(validate(document, base=tmp_path)) == tuple(lines)
