"""The fixture with several agents, by the command line: it comes to the same in whatever order they work."""

import json
import shutil
from dataclasses import dataclass
from pathlib import Path

import pytest
from click.testing import CliRunner

from host.cli.commands.show import show
from host.events import FoldedStore, Notice, RecordReader, RunView, read_events
from tests.host.cli.processes import gg

FIXTURE = Path(__file__).parents[2] / "fixtures" / "team"
SUMMARY = "report.md is there: mail, down for 192 of 324 minutes, is to be fixed first."
REPORT = """\
# Minutes of downtime, 2026

| service | Q2 | Q3 |
|---|---|---|
| mail | 121 | 71 |
| search | 15 | 85 |
| billing | 20 | 12 |

Fix mail first: it was down for 192 of 324 minutes.
"""
# Agent, profile, how it began, by whom, on which issue, turns.
AGENTS = [
    ("lead", "lead", "root", None, None, 4),
    ("researcher", "researcher", "subagent", "lead", None, 4),
    ("researcher-2", "researcher", "subagent", "researcher", None, 3),
    ("checker", "checker", "subagent", "researcher", None, 2),
    ("writer", "writer", "implementer", None, "issue-1", 1),
    ("reviewer", "reviewer", "reviewer", None, "issue-1", 2),
    ("writer-2", "writer", "implementer", None, "issue-1", 1),
    ("reviewer-2", "reviewer", "reviewer", None, "issue-1", 2),
    ("merger", "merger", "merge", None, "issue-1", 1),
]
# Agent, store, how it came by it, the scope of its profile, whether it may write.
HOLDERS = [
    ("researcher", "memories-1", "profile", "shared", True),
    ("researcher-2", "memories-1", "profile", "shared", True),
    ("checker", "memories-1", "inherited", "read-only", False),
]
MEMORIES = {
    "2026-q2": "billing: 20 minutes (20)\nmail: 121 minutes (42, 61, 18)\nsearch: 15 minutes (15)",
    "2026-q3": "billing: 12 minutes (12)\nmail: 71 minutes (27, 44)\nsearch: 85 minutes (35, 50)",
    "incident-tools": "byService takes the text of an export.",
}
AUTHORS = {
    "2026-q2": ["researcher", "researcher"],
    "2026-q3": ["researcher-2", "researcher-2", "researcher", "researcher"],
    "incident-tools": ["researcher"],
}
ASKED = "Say what to fix first, and why."
# Where the issue stands, who works on it, the changes that were requested last.
ISSUE = [
    ("open", None, ()),
    ("implementing", "writer", ()),
    ("reviewing", "reviewer", ()),
    ("implementing", "writer-2", (ASKED,)),
    ("reviewing", "reviewer-2", (ASKED,)),
    ("merging", "merger", ()),
    ("done", "merger", ()),
]
# What is told of a run while it goes on, in this order whoever is the faster.
TOLD = [
    "Turn 1 · lead",
    "researcher starts as a subagent of lead: incidents/ has the incidents of 2026-q2 and 2026-q3.",
    "researcher-2 starts as a subagent of researcher: incidents/ has the incidents of 2026-q3.",
    "Turn 1 · researcher-2",
    "  refused  memories.create_memory at program.ts:6:54: conflict: Cannot create `2026-q2`:",
    "Turn 3 · researcher-2",
    "checker starts as a subagent of researcher: The memories 2026-q2 and 2026-q3 say how long",
    "  call     read_memory",
    "Turn 4 · researcher",
    "Turn 3 · lead",
    "writer starts as an implementer of issue-1: Write the report on the incidents",
    "reviewer starts as a reviewer of issue-1: Review what was done for this issue.",
    "writer-2 starts as an implementer of issue-1: Write the report on the incidents",
    "reviewer-2 starts as a reviewer of issue-1: Review what was done for this issue.",
    "merger starts as the merge agent of issue-1: Merge what was done for this issue;",
    "Turn 4 · lead",
    "completed after 20 turns of 9 agents",
]


@dataclass(frozen=True)
class Ran:
    record: Path
    summary: str
    told: str
    view: RunView


AGAIN = [pytest.param(run, marks=pytest.mark.slow) for run in ((2, 1), (4, 2), (4, 3))]


# At once, and in which try: one at a time is an order of its own, the others are whatever they come to.
@pytest.fixture(scope="module", params=[(1, 1), (4, 1), *AGAIN], ids=str)
def ran(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Ran:
    """The fixture, run with so many agents at once."""
    folder = tmp_path_factory.mktemp("team")
    config = folder / "team"
    shutil.copytree(FIXTURE, config)
    written = json.loads((FIXTURE / "run.json").read_text(encoding="utf-8"))
    (config / "run.json").write_text(json.dumps({**written, "maxParallel": request.param[0]}))
    done = gg("run", config, "--out", "record", cwd=folder)
    assert done.returncode == 0, done.stderr
    return Ran(folder / "record", done.stdout, done.stderr, RecordReader(folder / "record").view())


def authors_of(store: FoldedStore, name: str) -> list[str]:
    """Who made each revision of a memory, in order."""
    return [each.revision.author for each in store.history if each.revision.name == name]


def told_in_order(expected: list[str], text: str) -> list[str]:
    """Those of the expected lines that are found one after another, each by its beginning."""
    lines = iter(text.splitlines())
    return [each for each in expected if any(line.startswith(each) for line in lines)]


def test_it_comes_to_its_report(ran: Ran) -> None:
    files = ran.record / "workspace" / "lead"

    assert ran.summary == f"{SUMMARY}\n"
    assert (files / "report.md").read_text(encoding="utf-8") == REPORT
    assert sorted(str(path.relative_to(files)) for path in files.rglob("*") if path.is_file()) == [
        "drafts/report.md",
        "incidents/2026-q2.csv",
        "incidents/2026-q3.csv",
        "report.md",
    ]
    assert [path.name for path in (ran.record / "workspace").iterdir()] == ["lead"]


def test_every_agent_begins_and_ends(ran: Ran) -> None:
    begun = [
        (agent.agent_id, it.profile, it.started_as, it.spawner, it.issue, agent.turns)
        for agent in ran.view.agents
        if (it := agent.spawned)
    ]

    assert begun == AGENTS
    assert {(agent.status, agent.errors) for agent in ran.view.agents} == {("completed", 0)}


def test_the_researchers_share_a_store_that_the_checker_reads(ran: Ran) -> None:
    held = [
        (agent.agent_id, row.module_id, row.origin, row.scope, row.writable)
        for agent in ran.view.agents
        if agent.modules
        for row in agent.modules.modules
        if row.enabled
    ]

    assert held == HOLDERS
    assert set(ran.view.stores) == {"memories-1"}


def test_what_was_noted_is_the_same_whoever_was_faster(ran: Ran) -> None:
    store = ran.view.stores["memories-1"]

    assert {name: memory.body for name, memory in store.memories.items()} == MEMORIES
    assert {name: authors_of(store, name) for name in store.memories} == AUTHORS


def test_one_researcher_is_told_what_the_other_noted(ran: Ran) -> None:
    told: dict[str, list[str]] = {}
    for stamped in read_events(ran.record / "events.ndjson"):
        if isinstance(stamped.event, Notice) and stamped.event.kind == "memories_changed":
            lines = [line for line in stamped.event.text.splitlines() if line.startswith("- ")]
            told.setdefault(stamped.agent_id, []).extend(lines)

    added, updated = (f"- {how} `2026-q3` — Downtime in 2026-q3." for how in ("added", "updated"))
    assert told["researcher"] in ([added], [added, updated])
    # The other is told of the first quarter if it is still there by then; the checker of nothing.
    assert told.keys() <= {"researcher", "researcher-2"}
    assert told.get("researcher-2") in (None, ["- updated `2026-q2` — Downtime in 2026-q2."])


def test_the_issue_is_sent_back_once(ran: Ran) -> None:
    (issue,) = ran.view.issues

    assert (issue.issue, issue.creator) == ("issue-1", "lead")
    assert [(step.state.status, step.state.worker, step.state.items) for step in issue.history] == ISSUE
    assert issue.now.summary == "report.md is merged."


def test_it_can_be_followed(ran: Ran) -> None:
    assert told_in_order(TOLD, ran.told) == TOLD


def test_the_record_is_shown_and_right(ran: Ran) -> None:
    shown = CliRunner().invoke(show, [str(ran.record)], catch_exceptions=False)
    verified = CliRunner().invoke(show, [str(ran.record), "--verify"], catch_exceptions=False)

    assert told_in_order(TOLD[1:], shown.stdout) == TOLD[1:]
    assert (verified.exit_code, verified.stderr) == (0, "the record is right in everything\n")


def test_its_replies_are_found_by_agent_and_mode() -> None:
    replies = FIXTURE / "replies"
    agents = json.loads((FIXTURE / "run.json").read_text(encoding="utf-8"))["agents"]
    modes = {agent["id"]: agent.get("execution", "responses_as_code") for agent in agents}

    assert {path.parent.name: path.name for path in replies.glob("*/*")} == modes
