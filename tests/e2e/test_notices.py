"""What holders of one store are told of each other's changes: real runs, in both modes."""

import threading
from collections.abc import Callable, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, Final, Literal

import pytest

from host.events import Compaction, MemoryRevision, MemoryState, Notice
from runtime_js import Compiler
from tests.helpers.acts import (
    Act,
    alone,
    compacts,
    creates,
    deletes,
    edits,
    execs,
    finishes,
    forks,
    opens_file,
    reads,
    spawns,
    updates,
    waits,
    writes,
)
from tests.helpers.memory_turns import EXECUTIONS, STRATEGIES, Execution
from tests.helpers.teams import Said, Script, TeamRan, after, failed_checks, memories, run_team, starts, then

HEAD: Final = "Another agent sharing your memories has made changes since your last turn:"
READ: Final = {"responses_as_code": "memories.readMemory", "tool_calling": "read_memory"}
WAIT_S: Final = 60.0


def makes(strategy: str, name: str, body: str = "A note.", description: str | None = None) -> Act:
    return (writes if strategy == "scratchpad" else creates)(name, body, description)


def revises(strategy: str, name: str, body: str) -> Act:
    """Gives a memory of which the body is `A note.` another one."""
    return updates(name, body) if strategy == "scratchpad" else edits(name, "A note.", body)


def run_linked(
    out: Path,
    script: Script,
    *,
    strategy: str = "markdown",
    execution: str = "tool_calling",
    compiler: Compiler | None = None,
    capabilities: Sequence[dict[str, Any]] = (),
    **document: Any,  # noqa: ANN401 - further keys of the configuration
) -> TeamRan:
    """The agent `lead`, with further capabilities, and agents `other` that inherit its memories."""
    agents = {
        "lead": {
            "capabilities": [memories("inherited", strategy), *capabilities],
            "roster": starts("other"),
        },
        "other": {"capabilities": [memories("inherited", strategy)], "roster": starts("other")},
    }
    ran = run_team(out, script, agents, execution=execution, compiler=compiler, **document)
    assert (ran.result.error, failed_checks(ran)) == (None, [])
    return ran


def told(ran: TeamRan, agent_id: str) -> list[tuple[int | None, list[str]]]:
    """What an agent was told of its memories: the turn, and the lines of what was changed."""
    return [
        (notice.turn, [line for line in notice.text.splitlines() if line.startswith("- ")])
        for notice in ran.of(Notice, agent_id)
        if notice.kind == "memories_changed"
    ]


def signals(event: threading.Event) -> Callable[[], None]:
    return event.set


def comes(event: threading.Event, *, says: threading.Event | None = None) -> Callable[[], bool]:
    """Waits for it, having said something first."""

    def wait() -> bool:
        if says is not None:
            says.set()
        return event.wait(WAIT_S)

    return wait


CHANGES: Final = """\
- added `deploy-runbook` — how the staging cluster is rolled{}
- updated `api-conventions` — error envelope + pagination rules{}
- deleted `scratch-notes`"""


@pytest.mark.parametrize("execution", EXECUTIONS)
@pytest.mark.parametrize("strategy", STRATEGIES)
def test_a_notice_to_the_letter_at_the_end_of_the_window(
    strategy: str, execution: Execution, tmp_path: Path, compiler: Compiler
) -> None:
    about = "error envelope + pagination rules"
    revised = edits("api-conventions", "A note.", "An envelope.\n\n- pages")
    if strategy == "scratchpad":
        revised = updates("api-conventions", "An envelope.\n\n- pages", about)
    added = makes(strategy, "deploy-runbook", "Roll it.", "how the staging cluster is rolled")
    there = (makes(strategy, "api-conventions", description=about), makes(strategy, "scratch-notes"))
    script: Script = {
        "lead": [there, (spawns("other"), waits()), (finishes(),)],
        "other": [(added, revised, deletes("scratch-notes")), (finishes(),)],
    }
    ran = run_linked(tmp_path / "r", script, strategy=strategy, execution=execution, compiler=compiler)

    if strategy == "scratchpad":
        text = CHANGES.format("\n```\nRoll it.\n```", "\n```\nAn envelope.\n\n- pages\n```")
    else:
        closing = f"Read one with `{READ[execution]}` if it bears on what you are doing."
        text = f"{CHANGES.format('', '')}\n\n{closing}"
    last = ran.prompts["lead"][2][-1]
    assert (last.role, last.text) == ("user", f"Notice\n----\n{HEAD}\n\n{text}")
    assert [(notice.turn, notice.text) for notice in ran.of(Notice, "lead")] == [(3, f"{HEAD}\n\n{text}")]
    assert ran.of(Notice, "other") == []


def test_a_reader_s_notice_spells_the_call_in_the_reader_s_mode(tmp_path: Path, compiler: Compiler) -> None:
    """Of two that hold one store one writes programs and the other one calls tools."""
    asked, made = threading.Event(), threading.Event()
    agents = {
        "lead": {"capabilities": [memories("isolated")], "roster": starts("other")},
        "other": {"capabilities": [memories("read-only")], "execution": "tool_calling"},
    }
    script: Script = {
        "lead": [
            (spawns("other"),),
            after(comes(asked), creates("a")),
            after(signals(made), waits()),
            (finishes(),),
        ],
        "other": [after(comes(made, says=asked), reads("a")), (finishes(),)],
    }
    ran = run_team(tmp_path / "r", script, agents, execution="responses_as_code", compiler=compiler)

    assert ran.given("other", 1) == ["A note."]
    assert [notice.text for notice in ran.of(Notice, "other")] == [
        f"{HEAD}\n\n- added `a` — About a.\n\nRead one with `read_memory` if it bears on what you are doing."
    ]


def test_code_that_changed_is_told_at_the_end(tmp_path: Path, compiler: Compiler) -> None:
    one, two = (f"export const n = {n};" for n in (1, 2))
    changes = (
        deletes("coded"),
        creates("coded", code=two),
        edits("plain", "A note.", "More."),
        creates("new", code=one),
    )
    script: Script = {
        "lead": [
            (creates("coded", code=one), creates("plain")),
            (reads("coded"), spawns("other"), waits()),
            (finishes(),),
        ],
        "other": [changes, (finishes(),)],
    }
    ran = run_linked(tmp_path / "r", script, execution="responses_as_code", compiler=compiler)

    assert [notice.text for notice in ran.of(Notice, "lead")] == [
        f"{HEAD}\n\n"
        "- updated `coded` — About coded.\n- updated `plain` — About plain.\n- added `new` — About new.\n\n"
        "Read one with `memories.readMemory` if it bears on what you are doing.\n"
        "The code of `coded` changed; read it again to load it."
    ]


@pytest.mark.parametrize("execution", EXECUTIONS)
@pytest.mark.parametrize("strategy", STRATEGIES)
def test_each_holder_but_the_author_is_told_once_and_one_that_comes_later_is_not(
    strategy: str, execution: Execution, tmp_path: Path, compiler: Compiler
) -> None:
    asked, written = threading.Event(), threading.Event()
    script: Script = {
        "lead": [
            (makes(strategy, "there"),),
            (spawns("other"), spawns("other"), waits("other")),
            (waits("other-2"),),
            (spawns("other"), waits()),
            (finishes(),),
        ],
        "other": [
            after(comes(asked), makes(strategy, "a"), revises(strategy, "a", "More.")),
            after(signals(written), finishes()),
        ],
        "other-2": [
            after(comes(written, says=asked), makes(strategy, "b")),
            (waits(),),
            (finishes(),),
        ],
        "other-3": [(waits(),), (finishes(),)],
    }
    ran = run_linked(tmp_path / "r", script, strategy=strategy, execution=execution, compiler=compiler)

    a, b = "- added `a` — About a.", "- added `b` — About b."
    assert told(ran, "other") == told(ran, "other-3") == []
    assert told(ran, "other-2") == [(2, [a])]
    assert [line for _, lines in told(ran, "lead") for line in lines] == [a, b]
    assert [(agent_id, each.name, each.author) for agent_id, each in ran.by_agent(MemoryRevision)] == [
        ("lead", "there", "lead"),
        ("other", "a", "other"),
        ("other", "a", "other"),
        ("other-2", "b", "other-2"),
    ]
    counts = {agent_id: [each.count for each in ran.of(MemoryState, agent_id)] for agent_id in script}
    assert (counts["lead"][:2], counts["lead"][-1]) == ([0, 1], 3)
    assert (counts["other"][:2], counts["other-2"][0], counts["other-2"][-1]) == ([1, 2], 1, 3)
    assert counts["other-3"] == [3]
    assert ("`b`" in ran.prompts["other-3"][0][1].text) is (strategy != "keyword-search")


@pytest.mark.parametrize("execution", EXECUTIONS)
@pytest.mark.parametrize("strategy", STRATEGIES)
def test_a_request_is_the_beginning_of_the_next_one_whatever_there_is_to_tell(
    strategy: str, execution: Execution, tmp_path: Path, compiler: Compiler
) -> None:
    script: Script = {
        "lead": [
            (makes(strategy, "m"),),
            (spawns("other"), waits()),
            (makes(strategy, "own"),),
            (spawns("other"), waits()),
            (finishes(),),
        ],
        "other": [(makes(strategy, "a"),), (revises(strategy, "m", "More."),), (finishes(),)],
        "other-2": [(deletes("a"), makes(strategy, "b")), (deletes("own"),), (finishes(),)],
    }
    ran = run_linked(tmp_path / "r", script, strategy=strategy, execution=execution, compiler=compiler)

    assert [turn for turn, _ in told(ran, "lead")] == [3, 5]
    for agent_id in script:
        for before, now in pairwise(ran.prompts[agent_id]):
            assert now[: len(before)] == before


Rewriting = Literal["compact", "summary", "memory-compaction"]
REWRITINGS: Final[tuple[Rewriting, ...]] = ("compact", "summary", "memory-compaction")
PINNED: Final = ("scratchpad", "markdown")


def capabilities_of(rewriting: Rewriting, folder: Path) -> list[dict[str, Any]]:
    """What an agent needs whose window is rewritten that way; one file of the folder is not too much for it,
    two are.
    """
    folder.mkdir()
    for name in ("one", "two"):
        (folder / name).write_text(f"{name} " * 4_000)
    if rewriting == "compact":
        return [{"id": "agent-managed-context", "enabled": True}]
    compaction = {"implementation": rewriting, "params": {"threshold": 0.35}}
    return [
        {"id": "files", "enabled": True, "params": {"dir": str(folder)}},
        {"id": "compaction", "enabled": True, **compaction},
    ]


def rewrites(
    rewriting: Rewriting, strategy: str, execution: Execution, wait: Callable[[], object] = lambda: None
) -> list[Said | Callable[[], Said]]:
    """The replies after which a window is rewritten; that turn is answered when `wait` has returned."""
    match rewriting:
        case "compact":
            return [after(wait, compacts("On we go."))]
        case "summary":
            return [(opens_file("one"),), after(wait, opens_file("two")), "On we go."]
    state = alone(execution, makes(strategy, "state"))
    return [(opens_file("one"), opens_file("two")), then(wait, state)]


@pytest.mark.parametrize("execution", EXECUTIONS)
@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize("rewriting", REWRITINGS)
def test_a_compaction_sweeps_what_was_told_and_the_block_has_it(
    rewriting: Rewriting, strategy: str, execution: Execution, tmp_path: Path, compiler: Compiler
) -> None:
    script: Script = {
        "lead": [
            (spawns("other"), waits()),
            *rewrites(rewriting, strategy, execution),
            (waits(),),
            (finishes(),),
        ],
        "other": [(makes(strategy, "a"),), (finishes(),)],
    }
    ran = run_linked(
        tmp_path / "r",
        script,
        strategy=strategy,
        execution=execution,
        compiler=compiler,
        capabilities=capabilities_of(rewriting, tmp_path / "files"),
        context_window_tokens=27_000,
    )

    assert len(ran.of(Compaction, "lead")) == 1
    assert told(ran, "lead") == [(2, ["- added `a` — About a."])]
    *_, after_it, last = ran.prompts["lead"]
    assert [message.text for message in (*after_it, *last) if HEAD in message.text] == []
    block = after_it[1].text
    assert block.startswith("Memories\n----\n- `a` — About a.") is (strategy in PINNED)
    assert last[: len(after_it)] == after_it


# What a block that was made anew does not show by itself: bodies under markdown, and what is gone.
LEFT_TO_TELL: Final = {
    "scratchpad": ["- deleted `gone`"],
    "markdown": ["- updated `old` — About old.", "- deleted `gone`"],
    "keyword-search": ["- added `new` — About new.", "- updated `old` — About old.", "- deleted `gone`"],
}


@pytest.mark.parametrize("execution", EXECUTIONS)
@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize("rewriting", REWRITINGS)
def test_what_the_block_shows_that_was_made_anew_is_told_no_more(
    rewriting: Rewriting, strategy: str, execution: Execution, tmp_path: Path, compiler: Compiler
) -> None:
    """Another holder works in the turn at whose end the window is rewritten."""
    goes, done = threading.Event(), threading.Event()
    changes = (makes(strategy, "new"), revises(strategy, "old", "More."), deletes("gone"))
    script: Script = {
        "lead": [
            (makes(strategy, "old"), makes(strategy, "gone")),
            (spawns("other"),),
            *rewrites(rewriting, strategy, execution, comes(done, says=goes)),
            (waits(),),
            (finishes(),),
        ],
        "other": [after(comes(goes), *changes), after(signals(done), finishes())],
    }
    ran = run_linked(
        tmp_path / "r",
        script,
        strategy=strategy,
        execution=execution,
        compiler=compiler,
        capabilities=capabilities_of(rewriting, tmp_path / "files"),
        context_window_tokens=27_000,
    )

    (compaction,) = ran.of(Compaction, "lead")
    assert told(ran, "lead") == [((compaction.turn or 0) + 1, LEFT_TO_TELL[strategy])]
    block = ran.prompts["lead"][-2][1].text
    if strategy in PINNED:
        assert [f"`{name}`" in block for name in ("new", "old", "gone")] == [True, True, False]


@pytest.mark.parametrize("execution", EXECUTIONS)
def test_the_sides_of_a_fork_are_told_what_was_to_be_told_and_then_of_each_other(
    execution: Execution, tmp_path: Path, compiler: Compiler
) -> None:
    asked = threading.Event()
    script: Script = {
        "lead": [
            (spawns("other"), waits(), forks()),
            after(comes(asked), creates("of-original")),
            (waits(),),
            (finishes(),),
        ],
        "other": [(creates("a"),), (finishes(),)],
        "lead-2": [after(signals(asked), creates("of-copy")), (finishes(),)],
    }
    ran = run_linked(tmp_path / "r", script, execution=execution, compiler=compiler)

    a, of_copy = "- added `a` — About a.", "- added `of-copy` — About of-copy."
    assert told(ran, "lead")[0] == (2, [a])
    assert [line for _, lines in told(ran, "lead")[1:] for line in lines] == [of_copy]
    assert told(ran, "lead-2")[0] == (1, [a])
    assert told(ran, "lead-2")[1:] in ([], [(2, ["- added `of-original` — About of-original."])])


def test_a_successor_is_told_nothing_of_what_came_before(tmp_path: Path) -> None:
    agents = {
        "lead": {"capabilities": [memories("isolated")], "roster": starts("other", "next")},
        "other": {"capabilities": [memories("inherited")]},
        "next": {"capabilities": [memories("inherited")], "roster": starts("other")},
    }
    script: Script = {
        "lead": [(creates("of-lead"), spawns("other"), waits(), execs("next"))],
        "other": [(creates("a"),), (finishes(),)],
        "next": [(spawns("other"), waits()), (finishes(),)],
        "other-2": [(creates("b"),), (finishes(),)],
    }
    ran = run_team(tmp_path / "r", script, agents)

    assert (ran.result.error, failed_checks(ran)) == (None, [])
    assert told(ran, "next") == [(2, ["- added `b` — About b."])]
    assert ran.prompts["next"][0][1].text == "Memories\n----\n- `a` — About a.\n- `of-lead` — About of-lead."
