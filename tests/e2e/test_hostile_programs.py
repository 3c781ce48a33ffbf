"""Generated programs in whole runs: the host stays alive, each turn is judged, the next program is fine, and
nothing comes back to the model or into the record that is not the agent's.

Half of `--fuzz-examples` are tried here, the others in `tests/sandbox/test_fuzz.py`; `--fuzz-seed` is what
they are drawn from.
"""

import json
import os
import random
import re
import sys
import tempfile
from pathlib import Path
from typing import Final

import pytest

from host.app.declarations import DECLARATIONS
from host.events import Defect, Prompt, TurnOutcome
from host.operations import FAMILIES, OPERATIONS
from runtime_js import (
    Compiler,
    CompilerBroken,
    CompileRejected,
    Unit,
    UnitKind,
    render_diagnostics,
)
from tests.helpers.call_forms import call_form
from tests.helpers.hostile import Hostile
from tests.helpers.runs import FINISH, SCRATCHPAD, Ran, run_agent

ROOT: Final = Path(__file__).parents[2]
SHARDS: Final = 4
TURNS_OF_A_RUN: Final = 100
CHECKED_SHARE: Final = 10  # one program in so many is meant for the compilers
CONTROL_SHARE: Final = 10  # so many hostile ones, then one that is not

IMPORTS: Final = f'import {{ {", ".join(family.name for family in FAMILIES)} }} from "gg";'
CALLS: Final = [operation.spelling for operation in OPERATIONS.values()]
FORMS: Final = [call_form(operation) for operation in OPERATIONS.values()]
# Shows the model whatever came back, as far as the program has left it the means.
TELLING: Final = """\
views.openText("seen", seen.map((found) => {
  try {
    const inner = found && found.stack ? found.message + " " + found.stack : JSON.stringify(found);
    return String(found).slice(0, 900) + " " + String(inner).slice(0, 900);
  } catch {
    return "?";
  }
}).join("\\n").slice(0, 60_000));
"""
CONTROL: Final = """\
import { views } from "gg";
views.openText("control", [1, 2].map(String).join() + typeof (globalThis as any).leaked);
"""
CONTROL_VIEW: Final = "View: control\n----\n1,2undefined"
SANDBOX: Final = {"guestSecs": 0.5, "memoryMiB": 32}

ENVIRONMENT: Final = {"GG_FUZZ_PLAIN": "canary-of-the-environment", "GG_FUZZ_TOKEN": "canary-of-the-secrets"}
OTHERS_MEMORY: Final = "canary-of-another-agent"
OUTSIDE: Final = "canary-of-a-file-outside"
HEADED: Final = re.compile(
    r"(?:Compiler error|Runtime error|Notice|Task|Summary|Memories|(?:View|File|Documentation): .+)\n----"
)
# Under a heading of gg's own, a line of a guest's stands behind a gutter.
ERROR_LINES: Final = re.compile(r"(?:  \| |    at |Last call: |\(\d[\d,]* more ).*", re.DOTALL)


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    """A directory with a file, a way out of it, and a pipe."""
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "inside.txt").write_text(OUTSIDE)
    folder = tmp_path / "workspace"
    (folder / "folder").mkdir(parents=True)
    (folder / "notes.txt").write_text("a note\n")
    (folder / "link").symlink_to(outside)
    (folder / "outside.txt").symlink_to(outside / "inside.txt")
    os.mkfifo(folder / "fifo")
    return folder


@pytest.mark.parametrize("shard", [0, *(pytest.param(n, marks=pytest.mark.slow) for n in range(1, SHARDS))])
def test_hostile_programs_learn_nothing_and_break_nothing(
    shard: int,
    fuzz_seed: int,
    fuzz_examples: int,
    workspace: Path,
    compiler: Compiler,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name, value in ENVIRONMENT.items():
        monkeypatch.setenv(name, value)
    run_another_agent(tmp_path / "another", compiler)
    grammar = grammar_of(random.Random(f"{fuzz_seed}/{shard}"))
    programs = [failing_if_ending(grammar.program()) for _ in range(fuzz_examples // 2 // SHARDS)]

    for number, start in enumerate(range(0, len(programs), TURNS_OF_A_RUN)):
        out = tmp_path / f"run-{number}"
        ran = run_hostile(programs[start : start + TURNS_OF_A_RUN], workspace, compiler, out)
        assert_told_in_form(ran)
        recorded = (out / "events.ndjson").read_text("ascii")
        assert found_in(recorded, kept_back(workspace, out)) == []


@pytest.mark.slow
def test_compilers_tell_nothing_of_the_host(
    fuzz_seed: int, fuzz_examples: int, compiler: Compiler, tmp_path: Path
) -> None:
    run_another_agent(tmp_path / "another", compiler)
    grammar = grammar_of(random.Random(fuzz_seed))
    crashed = []
    for _ in range(fuzz_examples // CHECKED_SHARE):
        source = grammar.program(for_compilers=True)
        try:
            compiler.compile(unit(source))
        except CompileRejected as rejected:
            told = render_diagnostics(rejected.diagnostics)
            assert found_in(told, kept_back(tmp_path, tmp_path)) == [], source
        except CompilerBroken as broken:
            crashed.append(broken.compiler)

    # It panics over some programs, on each process that it is tried on; esbuild does over none.
    assert set(crashed) <= {"TypeScript"}
    assert compiler.compile(unit(CONTROL)).js


def unit(source: str) -> Unit:
    return Unit(kind=UnitKind.PROGRAM, source=source, declarations=DECLARATIONS)


def grammar_of(chance: random.Random) -> Hostile:
    return Hostile(chance, start=IMPORTS, calls=CALLS, forms=FORMS, end=TELLING)


def run_another_agent(out: Path, compiler: Compiler) -> None:
    """One whose memory, module and script have gone through the same compilers."""
    note = {
        "name": "secret-plan",
        "description": OTHERS_MEMORY,
        "body": OTHERS_MEMORY,
        "code": f'/** {OTHERS_MEMORY} */\nexport const plan = "{OTHERS_MEMORY}";',
        "onUse": f'views.openText("plan", "{OTHERS_MEMORY}");',
    }
    write = f'import {{ memories }} from "gg";\nmemories.writeMemory({json.dumps(note)});\n'
    ran = run_agent(out, [write, FINISH], compiler=compiler, memories=SCRATCHPAD)
    assert OTHERS_MEMORY in ran.told(1)[-1]


def failing_if_ending(program: str) -> str:
    """A program that may end the session has to fail, so that the next one runs."""
    return f"{program}\nthrow 0;" if "session.finish" in program else program


def run_hostile(programs: list[str], workspace: Path, compiler: Compiler, out: Path) -> Ran:
    """Runs the programs in one run, in between one that has to be as if they had not been."""
    replies: list[str] = []
    for start in range(0, len(programs), CONTROL_SHARE):
        replies += [*programs[start : start + CONTROL_SHARE], CONTROL]
    ran = run_agent(
        out,
        [*replies, FINISH],
        compiler=compiler,
        memories=SCRATCHPAD,
        files={"params": {"dir": str(workspace), "write": True}},
        others={"program-library": {}, "agent-managed-context": {}},
        sandbox=SANDBOX,
        code_mode={"typecheck": "off", "healing": {"strip-fences": False}},
    )
    assert ran.of(Defect) == []
    assert (ran.result.status, len(ran.of(TurnOutcome))) == ("completed", len(replies) + 1)
    for number, reply in enumerate(replies):
        if reply == CONTROL:
            assert ran.told(number + 1)[0] == CONTROL_VIEW, replies[number - 1]
    return ran


def assert_told_in_form(ran: Ran) -> None:
    """Whatever a program showed or threw, each message begins with a heading of gg's."""
    for event in ran.of(Prompt):
        for message in event.new_messages:
            if message.role == "user":
                assert HEADED.match(message.text), message.text
            if message.text.startswith("Runtime error\n"):
                _, _, _, *further = message.text.split("\n")
                assert [line for line in further if not ERROR_LINES.fullmatch(line)] == []


def kept_back(workspace: Path, record: Path) -> set[str]:
    """What no text that comes back may hold."""
    return {
        *ENVIRONMENT.values(),
        "[masked:",  # a secret that came as far as the record
        OTHERS_MEMORY,
        OUTSIDE,
        str(workspace),
        str(record),
        str(ROOT),
        sys.prefix,
        sys.base_prefix,
        f"{tempfile.gettempdir()}/gg-",
        "node_modules",
        "site-packages",
    }


def found_in(text: str, needles: set[str]) -> list[str]:
    return [needle for needle in needles if needle in text]
