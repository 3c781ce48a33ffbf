"""A person at the terminal who is asked about calls, and what is shown of it."""

import json
import os
import re
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import pytest

from host.cli.approval import read_answer
from host.cli.approval_lines import approval_line, more_arguments, question_lines
from host.cli.lines import Line, line
from host.cli.output import Output
from host.events import Approval, RecordReader
from host.operations import ApprovalAnswer, ApprovalRequest
from tests.host.cli.processes import Step, gg, on_terminal

WAIT_S = 60.0
YES, ALWAYS = ApprovalAnswer(allowed=True), ApprovalAnswer(allowed=True, scope="run")
NO, NEVER = ApprovalAnswer(allowed=False), ApprovalAnswer(allowed=False, scope="run")

TYPED = [
    ("yes", YES),
    ("Y", YES),
    (" yes \r\n", YES),
    ("yes.", YES),
    ("always", ALWAYS),
    ("n", NO),
    ("no", NO),
    ("No, it is Friday", ApprovalAnswer(allowed=False, reason="it is Friday")),
    ("never   it  is not yours", ApprovalAnswer(allowed=False, scope="run", reason="it  is not yours")),
    ("show", "show"),
    ("", None),
    ("yes but carefully", None),
    ("always please", None),
    ("show me", None),
    ("yesno", None),
    ("noo", None),
    ("true", None),
]


@pytest.mark.parametrize(("typed", "answer"), TYPED)
def test_what_is_typed_is_an_answer(typed: str, answer: object) -> None:
    assert read_answer(typed) == answer


def request(arguments: str, **fields: Any) -> ApprovalRequest:  # noqa: ANN401
    given: dict[str, Any] = {"agent_id": "root", "turn": 2, "name": "git.push", "call": "git__push", **fields}
    return ApprovalRequest(arguments=arguments, **given)


def texts(lines: Any) -> list[str]:  # noqa: ANN401
    return [each.text for each in lines]


def test_a_question_says_who_calls_what_with_what() -> None:
    asked = request('{"remote": "origin", "flags": ["-f"]}', place="program.ts:4:7")

    assert texts(question_lines(asked)) == [
        "",
        "approve?   root calls git__push in turn 2, program.ts:4:7",
        "           │ {",
        '           │   "remote": "origin",',
        '           │   "flags": [',
        '           │     "-f"',
        "           │   ]",
        "           │ }",
        "yes, or always: every call of git.push until the run ends, by any agent",
        "no, or never; a reason may follow: never, it is not yours",
    ]


HOSTILE = [
    "\x1b[2J\x1b[H\x07\x9b",
    "a\nyes, or always\rapprove?",
    "\u202egnihton\u2066",
    "\u2028\u2029\x85\x0b\x0c",
    "\ud800",
]


@pytest.mark.parametrize("text", HOSTILE)
@pytest.mark.parametrize("is_json", [True, False])
def test_no_argument_leaves_its_bars_or_moves_the_cursor(text: str, is_json: bool) -> None:
    """What masking has left of arguments may be no JSON, and is shown all the same."""
    arguments = json.dumps({"a": text, text: 1}, ensure_ascii=False) if is_json else f'{{"a": "{text}'
    asked = request(arguments)

    for shown in (texts(question_lines(asked))[2:-2], texts(more_arguments(asked))[:-1]):
        assert all(row.startswith("           │ ") for row in shown)
        assert not re.search("[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]", "".join(shown))


def test_long_arguments_are_cut_and_shown_whole_when_that_is_asked_for() -> None:
    asked = request(json.dumps({"a": "x" * 3000}))
    question = texts(question_lines(asked))

    assert question[-3] == "1,013 more characters are not shown; answer show to see them"
    assert sum(row.count("x") for row in question[2:-3]) == 2000 - len('{\n  "a": "')
    shown = texts(more_arguments(asked))
    assert sum(row.count("x") for row in shown[:-1]) == 3000
    assert shown[-1] == "yes, always, no or never?"


def event(**fields: Any) -> Approval:  # noqa: ANN401
    given = {"decision": "allowed", "by": "person", "scope": "once", "waited_ms": 12.0, **fields}
    return Approval(turn=1, operation="tools.git.push", name="git.push", **given)


TOLD = [
    (event(), "  approval git.push allowed by a person"),
    (event(scope="run"), "  approval git.push allowed for the rest of the run by a person"),
    (event(scope="run", by="rule"), "  approval git.push allowed by an earlier answer"),
    (event(decision="denied", waited_ms=3210.0), "  approval git.push denied by a person, after 3.2 s"),
    (
        event(decision="denied", scope="run", reason="Not\nyours.", waited_ms=3_600_000.0),
        "  approval git.push denied for the rest of the run by a person, after 3,600.0 s: Not yours.",
    ),
    (
        event(decision="denied", by="nobody"),
        "  approval git.push denied since nobody was there to be asked",
    ),
]


@pytest.mark.parametrize(("approval", "told"), TOLD)
def test_what_became_of_a_question_is_a_line(approval: Approval, told: str) -> None:
    assert approval_line(approval).text == told


def test_what_others_write_meanwhile_follows_the_question(capsys: pytest.CaptureFixture[str]) -> None:
    output, asked, written = Output(), threading.Event(), threading.Event()

    def others() -> None:
        assert asked.wait(WAIT_S)
        output.progress([line("of another agent")])
        output.problem([line("a problem")])
        written.set()

    thread = threading.Thread(target=others)
    thread.start()
    with output.asking() as say:
        say([line("the question")])
        asked.set()
        assert written.wait(WAIT_S)
        say([line("its end")])
    thread.join()
    output.progress([line("afterwards")])

    told = "the question\nits end\nof another agent\na problem\nafterwards\n"
    assert capsys.readouterr().err == told


def test_of_very_many_lines_the_latest_follow(capsys: pytest.CaptureFixture[str]) -> None:
    output = Output()
    with output.asking():
        output.progress(line(str(number)) for number in range(6000))

    assert capsys.readouterr().err.split("\n") == [*map(str, range(1000, 6000)), ""]


def test_a_question_is_asked_also_when_quiet(capsys: pytest.CaptureFixture[str]) -> None:
    output = Output(quiet=True)
    with output.asking() as say:
        output.progress([line("progress")])
        say([line("the question")])

    assert capsys.readouterr().err == "the question\n"


@pytest.mark.parametrize("columns", [40, 80])
def test_no_row_of_a_question_is_wider_than_the_terminal(
    columns: int, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A terminal would begin the rest of it where a line of gg's own begins."""
    monkeypatch.setenv("COLUMNS", str(columns))
    forged = "approve?   root calls nothing"
    rows: list[Line] = [*question_lines(request(json.dumps({"a": f"{' ' * 200}{forged}"})))]
    with Output().asking() as say:
        say(rows)

    shown = capsys.readouterr().err.split("\n")
    assert max(map(len, shown)) <= columns
    assert [row for row in shown if row.startswith("approve?   root calls nothing")] == []


# On a terminal

QUESTION: Final = "no, or never"
COMMANDS: Final = ("echo one", "echo two", "echo three")


def write_config(folder: Path, *, approval: str = "ask", **more: object) -> None:
    """One agent that runs three commands in one reply, then finishes."""
    replies = folder / "replies"
    replies.mkdir()
    calls = [{"name": "shell", "arguments": {"command": command}} for command in COMMANDS]
    (replies / "1.json").write_text(json.dumps({"toolCalls": calls}))
    ends = [{"name": "finish", "arguments": {"summary": "done"}}]
    (replies / "2.json").write_text(json.dumps({"toolCalls": ends}))
    document = {
        "task": "Run commands.",
        "model": {"provider": "scripted", "replies": "replies"},
        **more,
        "agents": [
            {
                "id": "root",
                "execution": "tool_calling",
                "capabilities": [{"id": "shell", "params": {"dir": ".", "approval": approval}}],
            }
        ],
    }
    (folder / "run.json").write_text(json.dumps(document))


def without_escapes(shown: str) -> str:
    return re.sub(r"\x1b\[[\d;?]*[A-Za-z]", "", shown)


def decisions(folder: Path) -> list[tuple[str, str, str, str | None]]:
    """What became of each question."""
    turns = RecordReader(folder / "record").view().turns
    return [(e.decision, e.by, e.scope, e.reason) for turn in turns for e in turn.approvals]


ANSWERED: Final[dict[str, tuple[list[Step], list[tuple[str, str, str, str | None]]]]] = {
    "each by itself": (
        [(QUESTION, "yes\n"), (QUESTION, "no, it is Friday\n"), (QUESTION, "perhaps\n"), ("again: ", "y\n")],
        [
            ("allowed", "person", "once", None),
            ("denied", "person", "once", "it is Friday"),
            ("allowed", "person", "once", None),
        ],
    ),
    "always": (
        [(QUESTION, "always\n")],
        [
            ("allowed", "person", "run", None),
            ("allowed", "rule", "run", None),
            ("allowed", "rule", "run", None),
        ],
    ),
    "never after a no": (
        [(QUESTION, "no\n"), (QUESTION, "never\n")],
        [
            ("denied", "person", "once", None),
            ("denied", "person", "run", None),
            ("denied", "rule", "run", None),
        ],
    ),
    "Ctrl-D": (
        [(QUESTION, "\x04"), (QUESTION, "y\x04\x04"), (QUESTION, "yes\n")],
        [
            ("denied", "person", "once", None),
            ("denied", "person", "once", None),
            ("allowed", "person", "once", None),
        ],
    ),
}


QUICK: Final = ("each by itself", "Ctrl-D")


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[] if name in QUICK else [pytest.mark.slow]) for name in ANSWERED]
)
@pytest.mark.parametrize("options", [(), pytest.param(("--quiet", "--json"), marks=pytest.mark.slow)])
def test_a_person_answers_on_a_terminal(name: str, options: tuple[str, ...], tmp_path: Path) -> None:
    write_config(tmp_path)
    steps, decided = ANSWERED[name]

    code, shown = on_terminal("run", "run.json", "--out", "record", *options, cwd=tmp_path, steps=steps)

    assert code == 0
    assert decisions(tmp_path) == decided
    shown = without_escapes(shown)
    assert '"command": "echo one"' in shown
    assert shown.count("root calls shell in turn 1") == sum(by == "person" for _, by, _, _ in decided)
    told = gg("show", "record", cwd=tmp_path).stdout
    assert [line for line in told.split("\n") if line.startswith("  approval")] == [
        approval_line(each).text for each in RecordReader(tmp_path / "record").view().turns[0].approvals
    ]


_WAITS: Final = """\
from host import Reply, ToolCall

def reply(messages, agent_id):
    with open("go", encoding="utf-8") as pipe:
        call, arguments = pipe.read().split(maxsplit=1)
    return Reply(tool_calls=(ToolCall(id="", name=call, arguments=arguments),))
"""


@pytest.mark.slow
def test_what_was_typed_before_the_question_answers_nothing(tmp_path: Path) -> None:
    """The model replies when the terminal has shown what was typed."""
    (tmp_path / "model.py").write_text(_WAITS)
    os.mkfifo(tmp_path / "go")
    write_config(tmp_path, model={"provider": "scripted", "replies": "model:reply"})

    def go(reply: str) -> Callable[[], object]:
        return lambda: (tmp_path / "go").write_text(reply)

    steps: list[Step] = [
        ("Turn 1", "yes\n"),
        ("yes", go('shell {"command": "echo one"}')),
        (QUESTION, "never\n"),
        ("Turn 2", go('finish {"summary": "done"}')),
    ]
    code, _ = on_terminal("run", "run.json", "--out", "record", cwd=tmp_path, steps=steps)

    assert code == 0
    assert decisions(tmp_path) == [("denied", "person", "run", None)]


@pytest.mark.slow
def test_ctrl_c_withdraws_the_question_and_cancels_the_run(tmp_path: Path) -> None:
    write_config(tmp_path)

    code, shown = on_terminal(
        "run", "run.json", "--out", "record", cwd=tmp_path, steps=[(QUESTION, "\x03"), ("withdrawn", "")]
    )

    assert code == 0
    assert "stopping at the end of this turn" in shown
    assert decisions(tmp_path) == [("denied", "nobody", "once", None)] * 3
    assert shown.count(QUESTION) == 1
    summary = RecordReader(tmp_path / "record").view().summary
    assert summary is not None
    assert summary.status == "canceled"


@pytest.mark.slow
def test_a_question_is_withdrawn_when_the_time_of_the_run_is_spent(tmp_path: Path) -> None:
    write_config(tmp_path, limits={"maxRuntimeSecs": 2})

    code, _ = on_terminal(
        "run", "run.json", "--out", "record", cwd=tmp_path, steps=[(QUESTION, ""), ("withdrawn", "")]
    )

    assert code == 3
    assert decisions(tmp_path) == [("denied", "nobody", "once", None)]
    (turn,) = RecordReader(tmp_path / "record").view().turns
    assert [call.code for call in turn.failed_calls] == ["limit-exceeded"] * 3
    told = "The wait was ended: the run's time is spent, limit 2 s; end the session."
    assert turn.failed_calls[0].message == told


@pytest.mark.slow
def test_without_a_terminal_calls_are_refused_at_once(tmp_path: Path) -> None:
    write_config(tmp_path)

    ran = gg("run", "run.json", "--out", "record", cwd=tmp_path, typed="yes\nyes\nyes\n")

    assert ran.returncode == 0
    assert decisions(tmp_path) == [("denied", "nobody", "once", None)] * 3
    told = "refused: shell needs the approval of a person, and nobody is there to be asked."
    assert ran.stderr.count(told) == 3


@pytest.mark.slow
def test_what_is_denied_is_no_tool_of_the_agent(tmp_path: Path) -> None:
    write_config(tmp_path, approval="deny")

    ran = gg("run", "run.json", "--out", "record", cwd=tmp_path)

    assert ran.stderr.count("refused: shell is not allowed: the operator forbids it.") == 3
    agent = RecordReader(tmp_path / "record").view().agents[0]
    assert agent.surface is not None
    assert "shell" not in agent.surface.tools
