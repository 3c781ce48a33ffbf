"""An agent that manages its own context, in a real run."""

from pathlib import Path

from host.events import (
    CodeExecution,
    Compaction,
    Prompt,
    RecordReader,
    TurnOutcome,
    View,
    verify_record,
)
from runtime_js import Compiler
from tests.helpers.runs import FINISH, MARKDOWN, SCRATCHPAD, run_agent

IMPORT = 'import { context, memories, views } from "gg";\n'
CAPABILITY = {"agent-managed-context": {}}


def opens(label: str) -> str:
    return f'{IMPORT}views.openText("{label}", "text of {label}");\n'


def test_a_compaction_keeps_memories_modules_and_the_turn_that_asked_for_it(
    tmp_path: Path, compiler: Compiler
) -> None:
    writes = IMPORT + (
        'memories.writeMemory({ name: "rate", description: "The rate.", body: "Rate is 7.",'
        ' code: "export const rate = 7;" });\n'
    )
    compacts = IMPORT + (
        'context.compact("Two views were read.", ["a.csv"]);\nviews.openText("after", "kept");\n'
    )
    uses = (
        'import { rate } from "rate";\n'
        + IMPORT
        + (
            'const found = context.searchArchive("text of one");\n'
            'views.openText("found", JSON.stringify([rate, found.hits.map((hit) => hit.role)]));\n'
        )
    )
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "a.csv").write_text("1,2\n")
    ran = run_agent(
        tmp_path / "r",
        [opens("one"), writes, compacts, uses, FINISH],
        compiler=compiler,
        memories=SCRATCHPAD,
        files={"params": {"dir": "data"}},
        others=CAPABILITY,
    )

    assert [outcome.outcome for outcome in ran.of(TurnOutcome)] == ["progressed"] * 4 + ["finished"]
    assert [(m.role, m.text.split("\n")[0]) for m in ran.prompts[3][1:]] == [
        ("user", "Memories"),
        ("user", "Task"),
        ("user", "Summary"),
        ("assistant", 'import { context, memories, views } from "gg";'),
        ("user", "File: a.csv:1-1 of 1 lines"),
        ("user", "View: after"),
    ]
    assert "Rate is 7." in ran.prompts[3][1].text
    assert ran.prompts[4][: len(ran.prompts[3])] == ran.prompts[3]
    assert ran.told(4) == ['View: found\n----\n[7,["assistant","user"]]']
    (compaction,) = ran.of(Compaction)
    assert (compaction.turn, compaction.summary, compaction.cause) == (3, "Two views were read.", "agent")
    assert [len(prompt.new_messages) for prompt in ran.of(Prompt)] == [2, 2, 2, 6, 2]
    assert ran.of(Prompt)[3].messages == 7


def test_archived_turns_are_gone_from_the_next_prompt(tmp_path: Path, compiler: Compiler) -> None:
    archives = IMPORT + (
        "const report = context.archiveThread([{ from: 1, to: 1 }]);\n"
        'views.openText("report", `${report.items} ${report.detail}`);\n'
    )
    fails = f"{IMPORT}context.archiveThread([{{ from: 1, to: 4 }}]);\n"
    ran = run_agent(
        tmp_path / "r",
        [opens("one"), opens("two"), archives, fails, FINISH],
        compiler=compiler,
        others=CAPABILITY,
    )

    assert [m.text.split("\n")[-1] for m in ran.prompts[3][2:] if m.role == "user"] == [
        "text of two",
        "2 2 messages are archived, about 28 tokens.",
    ]
    assert ran.of(CodeExecution)[3].error is not None
    assert "Turn 4 is not over" in str(ran.of(CodeExecution)[3].error)


def test_a_view_that_a_script_archives_is_recorded_as_closed_by_it(
    tmp_path: Path, compiler: Compiler
) -> None:
    script = "context.archiveThread([{ from: 1, to: 1 }]);"
    writes = IMPORT + (
        f'memories.writeMemory({{ name: "tidy", description: "d", body: "b", onUse: "{script}" }});\n'
    )
    ran = run_agent(
        tmp_path / "r",
        [opens("one"), writes, FINISH],
        compiler=compiler,
        memories=SCRATCHPAD,
        others=CAPABILITY,
    )

    assert [(view.action, view.origin) for view in ran.of(View)] == [
        ("opened", "program"),
        ("closed", "onUse"),
    ]


def test_a_compaction_that_names_a_file_that_is_not_there_changes_nothing(
    tmp_path: Path, compiler: Compiler
) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "a.csv").write_text("1,2\n")
    fails = IMPORT + (
        'try { context.compact("so far", ["a.csv", "b.csv"]); }'
        ' catch (error) { views.openText("error", String(error)); }\n'
    )
    ran = run_agent(
        tmp_path / "r",
        [fails, FINISH],
        compiler=compiler,
        files={"params": {"dir": "data"}},
        others=CAPABILITY,
    )

    assert ran.told(1) == [
        "View: error\n----\nApiError: Cannot read `b.csv`: there is no such file or directory."
    ]
    assert ran.of(Compaction) == []


def test_a_window_that_is_compacted_in_every_turn_stays_small_and_its_record_whole(
    tmp_path: Path, compiler: Compiler
) -> None:
    compacts = IMPORT + (
        "const turn = programs.history().length + 1;\n"
        'if (turn === 4) memories.createMemory({ name: "kept", description: "d", body: "b" });\n'
        'views.openText("turn", "x".repeat(1_000));\n'
        "context.compact(`after ${turn}`);\n"
    )
    compacts = compacts.replace("context, ", "context, programs, ")
    ran = run_agent(
        tmp_path / "r",
        [*[compacts] * 12, FINISH],
        compiler=compiler,
        memories=MARKDOWN,
        others={**CAPABILITY, "program-library": {}},
    )

    assert [[m.text.split("\n")[-1] for m in prompt[1:-2]] for prompt in ran.prompts[1:]] == [
        *[["Do it.", f"> after {turn}"] for turn in (1, 2, 3)],
        *[["- `kept` — d", "Do it.", f"> after {turn}"] for turn in range(4, 13)],
    ]
    assert {compaction.messages_after for compaction in ran.of(Compaction)} == {3, 4}
    assert all(check.ok for check in verify_record(RecordReader(ran.result.record)))
