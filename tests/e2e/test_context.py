"""An agent that manages its own context, in a real run."""

from pathlib import Path

from host.events import CodeExecution, Compaction, Prompt, TurnOutcome
from runtime_js import Compiler
from tests.helpers.runs import FINISH, SCRATCHPAD, run_agent

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
