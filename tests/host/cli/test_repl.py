"""`gg repl`, and a person as the model of `gg run`: through a pipe, and at a terminal."""

import fcntl
import json
import os
import pty
import re
import shlex
import signal
import struct
import subprocess
import termios
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from host.events import RecordReader
from tests.host.cli.processes import GG, environment, gg

END = "\x04\n"
VIEWS = 'import { views } from "gg";\nviews.openText("sum", String(1 + 1));\nconsole.log("\\u001b[2Jhere");\n'
TYPO = "const a: number = '';\n"
FINISH = 'import { session } from "gg";\nsession.finish("bye");\n'


@pytest.mark.slow
def test_programs_come_through_a_pipe(tmp_path: Path) -> None:
    ran = gg("repl", "--out", "record", cwd=tmp_path, typed=f"{VIEWS}{END}{TYPO}{END}{FINISH}")

    assert (ran.returncode, ran.stdout.splitlines()) == (
        0,
        [
            "Task",
            "           │ Whatever you like.",
            "View: sum",
            "           │ 2",
            "Compiler error",
            "           │ program.ts:1:7: error TS2322: Type 'string' is not assignable to type 'number'.",
            "           │   1 | const a: number = '';",
            "           │     |       ^",
            "bye",
        ],
    )
    assert ran.stderr.splitlines() == [
        "Type a TypeScript program; Ctrl-D runs it. Ctrl-D without one leaves.",
        "  console  \\u001b[2Jhere",
        "record  record",
    ]
    view = RecordReader(tmp_path / "record").view()
    assert [turn.reply.text for turn in view.turns if turn.reply] == [VIEWS, TYPO, FINISH]


VENDORS = """
task: Say hello.
model: {provider: "xai:grok", apiKeyEnv: A_KEY_THAT_IS_NOT_SET, contextWindow: 100000}
agents:
  - id: greeter
    capabilities: [{id: compaction, implementation: summary}]
  - {id: other, model: "anthropic:claude"}
"""


@pytest.mark.slow
def test_who_takes_the_place_of_a_vendors_model_needs_neither_its_client_nor_its_key(tmp_path: Path) -> None:
    (tmp_path / "run.yaml").write_text(VENDORS, encoding="utf-8")

    run, repl = (gg(command, "run.yaml", cwd=tmp_path, typed=f"{FINISH}{END}") for command in ("run", "repl"))

    assert (run.returncode, "A_KEY_THAT_IS_NOT_SET" in run.stderr) == (1, True)
    assert (repl.returncode, repl.stdout.splitlines()[-2:]) == (0, ["           │ Say hello.", "bye"])


TEAM = """
task: Say which columns there are.
model: human
agents:
  - id: lead
    execution: tool_calling
    roster: [{agent: reader, as: subagent}]
    capabilities: [{id: delegation}]
  - {id: reader, execution: tool_calling}
"""
ASKS = (
    'spawn_subagent {"agent": "reader", "prompt": "Read them."}\n'
    f"wait_for_subagents\n{END}"
    f'finish {{"summary": "id and name"}}\n{END}'
    f'finish {{"summary": "done"}}\n{END}'
)


@pytest.mark.slow
def test_who_answers_for_several_agents_is_told_which_it_is(tmp_path: Path) -> None:
    (tmp_path / "team.yaml").write_text(TEAM, encoding="utf-8")
    ran = gg("repl", "team.yaml", cwd=tmp_path, typed=ASKS)

    assert (ran.returncode, ran.stdout.splitlines()) == (
        0,
        [
            "You are lead",
            "Task",
            "           │ Say which columns there are.",
            "You are reader",
            "Context",
            "           │ `lead`, which set your task, works on this. Your part of it stands under Task.",
            "           │",
            "           │ ```",
            "           │ Say which columns there are.",
            "           │ ```",
            "Task",
            "           │ Read them.",
            "You are lead",
            'answer to spawn_subagent: {"id":"reader"}',
            'answer to wait_for_subagents: [{"id":"reader","agent":"reader","status":"completed",'
            '"summary":"id and name"}]',
            "done",
        ],
    )
    assert [line for line in ran.stderr.splitlines() if line.startswith("Tools: ")] == [
        "Tools: spawn_subagent, wait_for_subagents, send_message, fork, exec, finish",
        "Tools: finish",
    ]


@pytest.mark.slow
def test_quiet_leaves_what_a_model_would_read(tmp_path: Path) -> None:
    ran = gg("repl", "--quiet", cwd=tmp_path, typed=FINISH)

    assert (ran.stdout.splitlines()[-1], ran.stderr) == ("bye", "")


@pytest.mark.slow
def test_a_long_line_is_shown_whole_as_a_model_would_read_it(tmp_path: Path) -> None:
    ran = gg("repl", "--quiet", cwd=tmp_path, typed=VIEWS.replace("String(1 + 1)", '"x".repeat(5_000)'))

    assert "x" * 5_000 in ran.stdout


@pytest.mark.slow
@pytest.mark.parametrize("typed", ["", "\n \n", END + "\n"])
def test_who_types_nothing_leaves_and_that_is_no_failure(typed: str, tmp_path: Path) -> None:
    ran = gg("repl", "--out", "record", cwd=tmp_path, typed=typed)
    summary = RecordReader(tmp_path / "record").view().summary

    assert ran.returncode == 0
    assert summary is not None
    assert summary.status == "canceled"


@pytest.mark.slow
def test_who_closed_stdin_has_left(tmp_path: Path) -> None:
    ran = subprocess.run(
        f"{GG} repl --quiet <&-",
        shell=True,
        cwd=tmp_path,
        env=environment(),
        capture_output=True,
        text=True,
        check=False,
    )

    assert (ran.returncode, ran.stderr) == (0, "")
    assert ran.stdout == "Task\n           │ Whatever you like.\n"


@pytest.mark.slow
def test_a_byte_that_is_no_text_is_located_and_the_next_program_runs(tmp_path: Path) -> None:
    typed = b"const a = '\xff';\n" + END.encode() + VIEWS.encode()
    strict = {**environment(), "PYTHONIOENCODING": "utf-8:strict"}  # as in most locales
    ran = subprocess.run(
        [GG, "repl", "--quiet"], input=typed, cwd=tmp_path, env=strict, capture_output=True, check=False
    )

    assert (ran.returncode, ran.stderr) == (0, b"")
    assert ran.stdout.decode().splitlines()[2:] == [
        "Compiler error",
        "           │ program.ts:1:12: error: Lone surrogate U+DCFF: a program is Unicode text.",
        "           │   1 | const a = '\\udcff';",
        "           │     |            ^",
        "View: sum",
        "           │ 2",
    ]


@pytest.mark.slow
def test_the_agent_has_memories_and_files_to_read(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("alpha")
    program = (
        'import { files, memories, views } from "gg";\n'
        'const body = files.readTextFile("a.txt");\n'
        'const used = memories.writeMemory({ name: "n", description: "d", body });\n'
        'views.openText("used", String(used.totalChars));\n'
        'let refused = "";\n'
        'try { files.writeFile("b.txt", ""); } catch (error) { refused = String(error); }\n'
        'views.openText("refused", refused);\n'
    )
    ran = gg("repl", cwd=tmp_path, typed=program)

    assert "View: used\n           │ 5\n" in ran.stdout
    assert "View: refused\n           │ ApiError:" in ran.stdout
    assert not (tmp_path / "b.txt").exists()


def configure(folder: Path, **changes: object) -> Path:
    document = {
        "name": "asked",
        "task": "Add.",
        "model": {"provider": "scripted", "replies": ["x"]},
        "limits": {"maxTurns": 1},
        "agents": [{"id": "adder"}],
        **changes,
    }
    (folder / "run.json").write_text(json.dumps(document))
    return folder / "run.json"


@pytest.mark.slow
def test_a_configuration_keeps_its_task_and_loses_its_model_and_limits(tmp_path: Path) -> None:
    agents = [{"id": "adder", "model": {"provider": "scripted", "replies": ["y"]}}]
    config = configure(tmp_path, agents=agents)
    ran = gg("repl", config, "--out", "record", cwd=tmp_path, typed=f"{VIEWS}{END}{FINISH}")

    assert (ran.returncode, ran.stdout.splitlines()[:2]) == (0, ["Task", "           │ Add."])
    kept = json.loads((tmp_path / "record" / "run.json").read_text())["config"]
    assert (kept["model"], kept["name"], kept["agents"], "limits" in kept) == (
        "human",
        "asked",
        [{"id": "adder", "model": "human"}],
        False,
    )


@pytest.mark.slow
def test_a_run_may_ask_a_person(tmp_path: Path) -> None:
    config = configure(tmp_path, model="human", limits={"maxTurns": 5})
    ran = gg("run", config, "--out", "record", cwd=tmp_path, typed=f"{VIEWS}{END}{FINISH}")

    assert (ran.returncode, ran.stdout) == (0, "bye\n")
    assert "Task\n           │ Add.\n" in ran.stderr
    assert "View: sum\n           │ 2\n" in ran.stderr
    assert "program  2 lines\n  calls    session.finish\n" in ran.stderr  # what was typed is not shown again


@pytest.mark.slow
def test_a_person_submits_programs_where_a_call_is_forced(tmp_path: Path) -> None:
    config = configure(tmp_path, model="human", agents=[{"id": "adder", "codeMode": {"delivery": "tool"}}])
    ran = gg("repl", config, cwd=tmp_path, typed=f"{VIEWS}{END}{FINISH}")

    assert ran.stdout.splitlines() == [
        "Task",
        "           │ Add.",
        "answer to submit_program: received",
        "View: sum",
        "           │ 2",
        "bye",
    ]


@pytest.mark.slow
def test_a_window_stays_as_large_as_it_was(tmp_path: Path) -> None:
    compaction = {"id": "compaction", "implementation": "summary", "params": {"threshold": 0.85}}
    model = {"provider": "scripted", "replies": ["x"], "contextWindow": 9_000}
    agents = [{"id": "adder", "capabilities": [compaction]}]
    config = configure(tmp_path, model=model, agents=agents)
    ran = gg("repl", config, "--out", "record", cwd=tmp_path, typed=FINISH)

    assert (ran.returncode, ran.stdout.splitlines()[-1]) == (0, "bye")
    kept = json.loads((tmp_path / "record" / "run.json").read_text())["config"]
    assert kept["model"] == {"provider": "human", "contextWindow": 9_000}


NO_CALL = "The reply called no tool, and nothing was done. Call a tool; `finish` ends the session."
CALLS = (
    f"I look around first.\n{END}"
    f'list_dir\nread_file {{"path": "none"}}\n{END}'
    f"list_dir {{odd\n{END}"
    f'finish {{"summary": "bye"}}\n'
)


@pytest.mark.slow
def test_calls_are_typed_where_the_agent_calls_tools(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    files = {"id": "files", "params": {"dir": "data"}}
    agents = [{"id": "adder", "execution": "tool_calling", "capabilities": [files]}]
    ran = gg("repl", configure(tmp_path, agents=agents), "--out", "record", cwd=tmp_path, typed=CALLS)

    assert (ran.returncode, ran.stdout.splitlines()) == (
        0,
        [
            "Task",
            "           │ Add.",
            "Notice",
            f"           │ {NO_CALL}",
            "answer to list_dir: []",
            "answer to read_file: not-found: Cannot read `none`: there is no such file or directory.",
            "bye",
        ],
    )
    assert ran.stderr.splitlines() == [
        "Type calls, one to a line: name {json}; Ctrl-D makes them. Ctrl-D without one leaves.",
        "Tools: read_file, write_file, edit_file, list_dir, search_files, finish",
        "again: line 1: the arguments of list_dir are no JSON at character 2:"
        " Expecting property name enclosed in double quotes",
        "record  record",
    ]
    replies = [turn.reply for turn in RecordReader(tmp_path / "record").view().turns if turn.reply]
    assert [(reply.text, len(reply.tool_calls)) for reply in replies] == [
        ("I look around first.\n", 0),
        ("", 2),
        ("", 1),
    ]


@pytest.mark.slow
def test_a_person_who_is_asked_for_a_summary_writes_it_as_text(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "long").write_text("x" * 20_000)
    capabilities = [
        {"id": "files", "params": {"dir": "data"}},
        {"id": "compaction", "implementation": "summary", "params": {"threshold": 0.5}},
    ]
    agents = [{"id": "adder", "execution": "tool_calling", "capabilities": capabilities}]
    model = {"provider": "human", "contextWindow": 9_000}
    config = configure(tmp_path, agents=agents, model=model, limits={"maxTurns": 5})
    typed = f'read_file {{"path": "long"}}\n{END}read_file gave x alone.\n{END}finish {{"summary": "bye"}}\n'
    ran = gg("run", config, "--out", "record", cwd=tmp_path, typed=typed)

    assert (ran.returncode, ran.stdout) == (0, "bye\n")
    assert "  asks     for a summary of the window\n" in ran.stderr
    (compacted,) = (turn.compaction for turn in RecordReader(tmp_path / "record").view().turns[:1])
    assert compacted is not None
    assert compacted.summary == "read_file gave x alone."


@pytest.mark.slow
def test_a_run_may_ask_a_person_for_calls(tmp_path: Path) -> None:
    agents = [{"id": "adder", "execution": "tool_calling"}]
    config = configure(tmp_path, model="human", limits={"maxTurns": 5}, agents=agents)
    ran = gg("run", config, cwd=tmp_path, typed='finish {"summary": "bye"}\n')

    assert (ran.returncode, ran.stdout) == (0, "bye\n")
    assert "\n  call     finish\n" in ran.stderr  # what was typed is not shown again


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (
            ["repl", "nowhere"],
            "gg: nowhere does not exist; name a configuration, or the folder of one",
        ),
        (["repl", "--out", "."], "gg repl: --out . is not empty; name a directory that is absent or empty."),
        (["repl", "a", "b"], "gg repl: `b` is too much."),
    ],
)
def test_wrong_use_is_one_line(arguments: list[str], told: str, tmp_path: Path) -> None:
    (tmp_path / "a").touch()
    ran = gg(*arguments, cwd=tmp_path)

    assert (ran.returncode, ran.stdout, len(ran.stderr.splitlines())) == (2, "", 1)
    assert ran.stderr.startswith(told)


@pytest.mark.slow
def test_a_directory_that_was_removed_is_named(tmp_path: Path) -> None:
    """A shell can stand in one; `gg` is started from it as the shell would."""
    gone = tmp_path / "gone"
    gone.mkdir()
    shell = f"rmdir {shlex.quote(str(gone))}; {shlex.quote(str(GG))} repl; {shlex.quote(str(GG))} doctor"
    ran = subprocess.run(
        ["sh", "-c", shell], cwd=gone, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False
    )

    assert ran.stderr == "gg: this directory has been removed; run gg repl in another\n"
    assert "wrong records      this directory has been removed; run gg elsewhere" in ran.stdout.splitlines()


@dataclass(frozen=True, kw_only=True)
class AtTerminal:
    """How a command ended that was run on a terminal. `is_kept`: the terminal is set as it was before."""

    code: int
    output: str
    is_kept: bool


def at_terminal(
    folder: Path,
    *steps: tuple[str, str | signal.Signals],
    command: Sequence[str] = ("repl",),
    **variables: str,
) -> AtTerminal:
    """Runs a command on a terminal. Each step waits for a text after the one before, then presses keys or
    sends a signal.
    """
    pid, terminal = pty.fork()
    if pid == 0:
        os.chdir(folder)
        fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 100, 0, 0))
        forced = {"TERM": "xterm-256color", "PROMPT_TOOLKIT_NO_CPR": "1"}
        os.execve(GG, [str(GG), *command, "--out", "record"], {**environment(), **forced, **variables})
    found, output, start, due = termios.tcgetattr(terminal), "", 0, list(steps)
    while True:
        try:
            output += os.read(terminal, 65_536).decode(errors="replace")
            is_kept = termios.tcgetattr(terminal) == found
        except OSError:  # the other end is closed
            break
        while due and (place := plain(output).find(due[0][0], start)) >= 0:
            text, act = due.pop(0)
            start = place + len(text)
            if isinstance(act, signal.Signals):
                os.kill(pid, act)
            else:
                os.write(terminal, act.encode())
    os.close(terminal)
    _, status = os.waitpid(pid, 0)
    assert due == [], plain(output)
    return AtTerminal(code=os.waitstatus_to_exitcode(status), output=output, is_kept=is_kept)


def plain(output: str) -> str:
    """The text without escapes; what an editor draws again stands in it again."""
    return re.sub(r"\x1b\[[\d;?]*[A-Za-z]", "", output)


@pytest.mark.slow
def test_a_person_types_several_lines_and_reads_what_they_opened(tmp_path: Path) -> None:
    program = VIEWS.replace("\n", "\r")
    ran = at_terminal(
        tmp_path,
        ("Whatever you like.", ""),
        ("gg>", f"{program}\x04"),
        ("View: sum", ""),
        ("gg>", "dropped"),
        ("dropped", "\x03"),
        ("gg>", FINISH.replace("\n", "\r") + "\x04"),
    )

    assert ran.code == 0
    assert "\x1b[0;38;5;" in ran.output or "\x1b[38;5;" in ran.output or ";3" in ran.output  # colours
    assert plain(ran.output).rstrip().endswith("record  record")
    view = RecordReader(tmp_path / "record").view()
    assert [turn.reply.text for turn in view.turns if turn.reply] == [VIEWS, FINISH]


@pytest.mark.slow
@pytest.mark.parametrize("key", ["\x04", "\x03"])
def test_ctrl_d_or_ctrl_c_at_an_empty_program_leaves(key: str, tmp_path: Path) -> None:
    ran = at_terminal(tmp_path, ("Whatever you like.", ""), ("gg>", key), NO_COLOR="1")

    assert (ran.code, ran.is_kept) == (0, True)
    assert plain(ran.output).rstrip().endswith("record  record")
    assert re.search(r"\x1b\[[\d;]*3\d", ran.output) is None  # no colour


@pytest.mark.slow
def test_a_terminal_is_left_as_it_was_when_the_time_of_the_run_is_spent(tmp_path: Path) -> None:
    configure(tmp_path, model="human", limits={"maxRuntimeSecs": 3})
    ran = at_terminal(tmp_path, ("gg>", "const a"), command=("run", "run.json"))

    assert (ran.code, ran.is_kept) == (3, True)
    assert "\x1b[?2004l" in ran.output  # what is pasted into the shell comes as it is


@pytest.mark.slow
def test_a_terminal_is_left_as_it_was_when_an_editor_is_ended_by_signals(tmp_path: Path) -> None:
    ran = at_terminal(tmp_path, ("gg>", signal.SIGTERM), ("stopping at the end", signal.SIGTERM))

    assert (ran.code, ran.is_kept) == (130, True)
