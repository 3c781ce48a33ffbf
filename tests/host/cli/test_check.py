"""`gg check` as a person calls it, with the real compilers."""

import json
import os
import signal
import subprocess
from pathlib import Path

import pytest

from tests.helpers.mcp_servers import good_spec
from tests.host.cli.processes import gg, start_gg

ROOT = Path(__file__).parents[3]
GOOD = 'import { views } from "gg";\nviews.openText("a", "b");\n'
TYPES = 'import { views } from "gg";\nconst é: number = "\x1b";\nviews.openTxt("a", "b");\n'
SYNTAX = "const = 5;\n"
WATCHING = "; watching, Ctrl-C ends it\n"


def test_programs_are_checked_where_they_stand(tmp_path: Path) -> None:
    for name, text in (("good.ts", GOOD), ("types.ts", TYPES), ("syntax.ts", SYNTAX)):
        (tmp_path / name).write_text(text)

    ran = gg("check", "good.ts", "types.ts", "syntax.ts", cwd=tmp_path)

    assert (ran.returncode, ran.stderr) == (1, "3 errors in 3 files\n")
    assert ran.stdout.split("\n") == [
        "types.ts:2:7: error TS2322: Type 'string' is not assignable to type 'number'.",
        '  2 | const é: number = "\\x1b";',
        "    |       ^",
        "types.ts:3:7: error TS2551: Property 'openTxt' does not exist on type 'typeof import(\"gg:views\")'."
        " Did you mean 'openText'?",
        '  3 | views.openTxt("a", "b");',
        "    |       ^",
        'syntax.ts:1:7: error: Expected identifier but found "="',
        "  1 | const = 5;",
        "    |       ^",
        "",
    ]


@pytest.mark.slow
def test_a_program_knows_no_memories_and_no_skills(tmp_path: Path) -> None:
    (tmp_path / "uses.ts").write_text('import { parseCsv } from "csvTools";\nparseCsv("");\n')
    (tmp_path / "csv-tools").mkdir()
    (tmp_path / "csv-tools" / "skill.md").write_text("---\ndescription: CSV.\n---\nHow.\n")
    (tmp_path / "csv-tools" / "skill.ts").write_text("export const parseCsv = (text: string) => text;\n")

    ran = gg("check", "uses.ts", "csv-tools", cwd=tmp_path)

    assert (ran.returncode, ran.stderr) == (1, "1 error in 3 files\n")
    assert ran.stdout.startswith(
        'uses.ts:1:26: error: Cannot import "csvTools": no module of that key is loaded. '
    )


@pytest.mark.slow
def test_what_is_healthy_is_counted_and_not_told(tmp_path: Path) -> None:
    for name in ("a b.ts", "ü.ts", "line\nbreak.ts", "node_modules/x.ts", ".gg/x.ts"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(GOOD if "/" not in name else SYNTAX)

    ran = gg("check", ".", "a b.ts", cwd=tmp_path)

    assert (ran.returncode, ran.stdout, ran.stderr) == (0, "", "no errors in 3 files\n")


@pytest.mark.slow
def test_a_name_is_told_on_one_line(tmp_path: Path) -> None:
    (tmp_path / "a\nb\x1b.ts").write_text(SYNTAX)
    (tmp_path / os.fsdecode(b"\xff.ts")).write_text(SYNTAX)

    ran = gg("check", ".", cwd=tmp_path)

    heads = [row for row in ran.stdout.split("\n") if ": error: " in row]
    assert [row.split(": ")[0] for row in heads] == ["a\\x0ab\\x1b.ts:1:7", "\\udcff.ts:1:7"]


@pytest.mark.slow
def test_json_is_one_object(tmp_path: Path) -> None:
    (tmp_path / "syntax.ts").write_text(SYNTAX)

    ran = gg("check", "syntax.ts", "--json", "--quiet", "--as", "module", cwd=tmp_path)

    assert (ran.returncode, ran.stderr) == (1, "")
    assert json.loads(ran.stdout) == {
        "files": 1,
        "errors": 1,
        "warnings": 0,
        "diagnostics": [
            {
                "file": "syntax.ts",
                "line": 1,
                "column": 7,
                "code": "",
                "severity": "error",
                "message": 'Expected identifier but found "="',
                "kind": "module",
            }
        ],
    }


@pytest.mark.slow
def test_annotations_for_github(tmp_path: Path) -> None:
    (tmp_path / "syntax.ts").write_text(SYNTAX)
    (tmp_path / "good.ts").write_text(GOOD)

    ran = gg("check", "--format", "github", ".", cwd=tmp_path)

    assert (ran.returncode, ran.stderr) == (1, "1 error in 2 files\n")
    assert (
        ran.stdout == '::error file=syntax.ts,line=1,col=7,title=error::Expected identifier but found "="\n'
    )


@pytest.mark.slow
def test_the_memories_of_a_record_are_checked(tmp_path: Path) -> None:
    gg("run", ROOT / "fixtures" / "quickstart", "--out", "record", cwd=tmp_path)
    events = tmp_path / "record" / "events.ndjson"
    events.write_text(events.read_text().replace('views.openText(\\"csv-notes', 'views.show(\\"csv-notes'))

    ran = gg("check", "record", cwd=tmp_path)

    assert (ran.returncode, ran.stderr) == (1, "1 error in 1 code memory\n")
    missing = (
        "Property 'show' does not exist on type 'typeof import(\"gg:views\")'."
        " It exports close, current, openDocsView, openFile, openText."
    )
    assert ran.stdout.split("\n") == [
        "record: csv-tools, revision 1: its onUse does not compile",
        f"csvTools.on-use.ts:1:7: error TS2339: {missing}",
        '  1 | views.show("csv-notes", "Row 1 is a header on exports after March.");',
        "    |       ^",
        "",
    ]


@pytest.mark.slow
def test_a_record_of_a_newer_gg_is_no_wrong_use(tmp_path: Path) -> None:
    record = tmp_path / "record"
    record.mkdir()
    (record / "events.ndjson").write_text("")
    (record / "run.json").write_text('{"formatVersion": 99}')

    ran = gg("check", "record", cwd=tmp_path)

    told = "gg: record/run.json has format version 99, and this gg reads up to 1; read it with a newer gg\n"
    assert (ran.returncode, ran.stdout, ran.stderr) == (1, "", told)


WRONG_USES = [
    pytest.param(["nope.ts"], "there is no nope.ts; did you mean note.ts?", id="missing"),
    pytest.param(["note.ts", "pipe"], "cannot check pipe: it is a pipe; save what", id="pipe"),
    pytest.param(["--json", "--format", "human", "note.ts"], "--json and --format are two forms", id="forms"),
    pytest.param(["--agent", "a", "note.ts"], "--agent is one of a configuration; name that", id="no config"),
    pytest.param(
        ["--config", ".", "--agent", "c", "note.ts"],
        "--agent: . has no agent `c`; name `a` or `b`",
        id="agent",
    ),
    pytest.param(["--watch", "empty"], "nothing to check in empty: no *.ts", id="watch of nothing"),
]


@pytest.mark.slow
@pytest.mark.parametrize(("arguments", "told"), WRONG_USES)
def test_wrong_use_is_one_line(tmp_path: Path, arguments: list[str], told: str) -> None:
    (tmp_path / "note.ts").write_text(GOOD)
    (tmp_path / "empty").mkdir()
    write_agents(tmp_path, a={}, b={})
    os.mkfifo(tmp_path / "pipe")

    ran = gg("check", *arguments, cwd=tmp_path)

    assert (ran.returncode, ran.stdout, ran.stderr.count("\n")) == (2, "", 1)
    assert ran.stderr.startswith(f"gg check: {told}")
    assert ran.stderr.endswith(" See gg check --help\n")


GREET = 'import { local } from "gg:tools";\nconst n: number = await local.greet({ name: "Ada" });\n'
MISTYPED = "Type 'string' is not assignable to type 'number'."
PYTHON = 'print("imported")\ndef greet(name: str) -> str:\n    """Greets."""\n    return name\n'


def write_agents(folder: Path, **params: dict[str, object]) -> None:
    """A configuration whose agents have these tools."""
    (folder / "greetings.py").write_text(PYTHON)
    agents = [{"id": id_, "capabilities": [{"id": "tools", "params": p}]} for id_, p in params.items()]
    (folder / "run.json").write_text(json.dumps({"task": "x", "model": "human", "agents": agents}))


FORMS = [
    pytest.param([], f"a.ts:2:7: error TS2322: {MISTYPED}\n", id="human"),
    pytest.param(
        ["--format", "github"], f"::error file=a.ts,line=2,col=7,title=TS2322::{MISTYPED}\n", id="github"
    ),
    pytest.param(["--json"], '{"files": 1, "errors": 1, "warnings": 0, ', id="json"),
]


@pytest.mark.slow
@pytest.mark.parametrize(("form", "beginning"), FORMS)
def test_a_program_is_checked_with_the_tools_of_a_configuration(
    tmp_path: Path, form: list[str], beginning: str
) -> None:
    (tmp_path / "a.ts").write_text(GREET)
    write_agents(tmp_path, other={}, greeter={"python": ["greetings:greet"]})

    ran = gg("check", "a.ts", "--config", ".", "--agent", "greeter", *form, cwd=tmp_path)

    assert (ran.returncode, ran.stderr) == (1, "imported\n1 error in 1 file\n")
    assert ran.stdout.startswith(beginning)


@pytest.mark.slow
def test_a_wrong_configuration_is_refused_with_every_defect(tmp_path: Path) -> None:
    (tmp_path / "a.ts").write_text(GREET)
    write_agents(tmp_path, one={"python": 5}, two={"mcp": {"a": {}}})

    ran = gg("check", "a.ts", "--config", "run.json", "--json", cwd=tmp_path)

    assert (ran.returncode, ran.stdout) == (1, "")
    assert ran.stderr.startswith("gg: the configuration cannot be run: 2 defects\nrun.json:1: agents[0].")


@pytest.mark.slow
def test_servers_stay_up_between_the_checks_of_a_watch_and_end_with_it(tmp_path: Path) -> None:
    command = ["sh", "-c", 'echo $$ >> pids; echo ready >&2; exec "$@"', "sh", *(good_spec().command or ())]
    write_agents(tmp_path, root={"mcp": {"good": {"command": command}}})
    calls = 'import { good } from "gg:tools";\nconst n: number = (await good.add({ a: 1 })).total;\n'
    (tmp_path / "a.ts").write_text(calls)
    watching = Watching(tmp_path, "a.ts", "--config", "run.json")
    assert watching.line() == "  gg       good: ready\n"
    assert watching.line() == f"no errors in 1 file{WATCHING}"

    (tmp_path / "a.ts").write_text(calls.replace("number", "string"))
    assert watching.line() == f"1 error in 1 file{WATCHING}"

    (pid,) = map(int, (tmp_path / "pids").read_text().split())
    os.kill(pid, 0)  # it is there
    assert watching.end()[0] == 1
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


class Watching:
    """`gg check --watch` in a folder; its lines are waited for, and it is ended as by Ctrl-C."""

    def __init__(self, folder: Path, *arguments: str) -> None:
        self._process = start_gg(["check", "--watch", *arguments], cwd=folder)

    def line(self) -> str:
        """The next line on stderr."""
        assert self._process.stderr is not None
        return self._process.stderr.readline()

    def output(self) -> str:
        """The next line on stdout."""
        assert self._process.stdout is not None
        return self._process.stdout.readline()

    def end(self, *signals: int) -> tuple[int, str, str]:
        """The exit code and what was not read yet. Several signals arrive at once."""
        self._process.send_signal(signal.SIGSTOP)
        for each in signals or (signal.SIGINT,):
            self._process.send_signal(each)
        self._process.send_signal(signal.SIGCONT)
        try:
            out, err = self._process.communicate(timeout=60)
        except subprocess.TimeoutExpired:
            self._process.kill()
            raise
        return self._process.returncode, out, err


@pytest.mark.slow
def test_a_watch_checks_each_save_and_ends_with_the_last_state(tmp_path: Path) -> None:
    (tmp_path / "a.ts").write_text(SYNTAX)
    watching = Watching(tmp_path, "a.ts")
    assert watching.line() == f"1 error in 1 file{WATCHING}"

    (tmp_path / "a.ts").write_text(GOOD)
    assert watching.line() == f"no errors in 1 file{WATCHING}"
    os.rename(tmp_path / "a.ts", tmp_path / "b.ts")
    assert watching.line() == f"1 error in 1 file{WATCHING}"
    os.rename(tmp_path / "b.ts", tmp_path / "a.ts")
    assert watching.line() == f"no errors in 1 file{WATCHING}"

    code, out, err = watching.end()
    assert (code, err) == (0, "")
    assert out.split("\n") == [
        'a.ts:1:7: error: Expected identifier but found "="',
        "  1 | const = 5;",
        "    |       ^",
        "a.ts:1:1: error: nothing of that name is there any more",
        "",
    ]


@pytest.mark.slow
@pytest.mark.parametrize("with_signal", [signal.SIGINT, signal.SIGTERM])
def test_a_watch_of_errors_ends_with_1(tmp_path: Path, with_signal: signal.Signals) -> None:
    (tmp_path / "a.ts").write_text(SYNTAX)
    watching = Watching(tmp_path, "--format", "github", "a.ts")
    assert watching.output().startswith("::error file=a.ts,line=1,col=7,")

    assert watching.end(with_signal) == (1, "", f"1 error in 1 file{WATCHING}")


@pytest.mark.slow
def test_a_second_signal_ends_a_watch_at_once(tmp_path: Path) -> None:
    (tmp_path / "a.ts").write_text(GOOD)
    watching = Watching(tmp_path, "a.ts")
    assert watching.line() == f"no errors in 1 file{WATCHING}"

    assert watching.end(signal.SIGINT, signal.SIGTERM) == (130, "", "")


@pytest.mark.slow
def test_a_watch_in_json_is_one_object_a_pass(tmp_path: Path) -> None:
    (tmp_path / "a.ts").write_text(GOOD)
    watching = Watching(tmp_path, "--json", "--quiet", ".")
    assert json.loads(watching.output()) == {"files": 1, "errors": 0, "warnings": 0, "diagnostics": []}

    (tmp_path / "b.ts").write_text(SYNTAX)
    told = json.loads(watching.output())

    assert [(told["files"], told["errors"]), [found["file"] for found in told["diagnostics"]]] == [
        (2, 1),
        ["b.ts"],
    ]
    assert watching.end() == (1, "", "")
