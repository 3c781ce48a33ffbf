"""The program library: what an agent ran before, and programs that run after the reply's."""

from pathlib import Path

import pytest

from host.events import CodeExecution, Notice, OperatorLog, TurnOutcome
from runtime_js import Compiler
from tests.helpers.runs import FINISH, run_agent

IMPORT = 'import { programs, session, views } from "gg";\n'
LIBRARY = {"program-library": {}}


def rerunning(source: str, *, after: str = "") -> str:
    return f"{IMPORT}programs.rerun({source!r});\n{after}"


def test_an_agent_reads_its_earlier_programs(tmp_path: Path, compiler: Compiler) -> None:
    first = "const a = 1;\n"
    looks = IMPORT + (
        "const told = programs.history().map((p) => [p.turn, p.lines, p.chars, p.ok, p.error ?? null]);\n"
        'views.openText("told", JSON.stringify(told));\n'
        'views.openText("same", String(programs.history()[0].source() === programs.get(1)));\n'
        'views.openText("last", programs.get());\n'
        "let code = '';\ntry { programs.get(9); } catch (error) { code = String(error); }\n"
        'views.openText("code", code);\n'
    )
    ran = run_agent(
        tmp_path / "r", [first, "const b: number = '';\n", looks, FINISH], compiler=compiler, others=LIBRARY
    )

    rejected = "program.ts:1:7: error TS2322: Type 'string' is not assignable to type 'number'."
    assert ran.told(3) == [
        f'View: told\n----\n[[1,1,12,true,null],[2,1,21,false,"{rejected}"]]',
        "View: same\n----\ntrue",
        "View: last\n----\nconst b: number = '';",
        "View: code\n----\nApiError: There is no program of turn 9; there are those of turns 1 to 2.",
    ]


def test_a_registered_program_runs_after_the_reply_in_the_same_turn(
    tmp_path: Path, compiler: Compiler
) -> None:
    again = 'import { views } from "gg";\nviews.openText("b", "2");\n'
    ran = run_agent(
        tmp_path / "r",
        [rerunning(again, after='views.openText("a", "1");\n'), FINISH],
        compiler=compiler,
        others=LIBRARY,
    )

    assert ran.told(1) == ["View: a\n----\n1", "View: b\n----\n2"]
    executions = [(e.turn, e.rerun, e.source_path, e.ok) for e in ran.of(CodeExecution)]
    assert executions == [
        (1, 0, "programs/root/0001.ts", True),
        (1, 1, "programs/root/0001.rerun-1.ts", True),
        (2, 0, "programs/root/0002.ts", True),
    ]
    assert (ran.result.record / "programs/root/0001.rerun-1.ts").read_text() == again


FAILED_AFTERWARDS = (
    "The program registered with programs.rerun did not run: the one that registered it failed."
)
NOT_THE_REPLY = "The error is one of the program registered with programs.rerun, not of the reply."
ENDS = 'import { session } from "gg";\nsession.finish("from the second");\n'


@pytest.mark.parametrize(
    ("reply", "outcome", "error_type", "notices"),
    [
        (rerunning("views;", after="throw new Error('x');"), "error", "program_throw", [FAILED_AFTERWARDS]),
        (rerunning("const a: number = '';"), "error", "transpile_compile", [NOT_THE_REPLY]),
        (rerunning("throw new Error('x');"), "error", "program_throw", [NOT_THE_REPLY]),
        (rerunning(ENDS), "finished", None, []),
        (rerunning(f"{ENDS}throw new Error('x');"), "error", "program_throw", [NOT_THE_REPLY]),
        (rerunning("throw new Error('x');", after="session.finish('from the first');"), "finished", None, []),
    ],
)
def test_the_last_program_that_ran_is_judged(
    reply: str,
    outcome: str,
    error_type: str | None,
    notices: list[str],
    tmp_path: Path,
    compiler: Compiler,
) -> None:
    ran = run_agent(tmp_path / "r", [reply, FINISH], compiler=compiler, others=LIBRARY)

    first = ran.of(TurnOutcome)[0]
    assert (first.outcome, first.error_type) == (outcome, error_type)
    assert [notice.text for notice in ran.of(Notice)] == notices


def test_a_program_that_an_ending_left_unrun_is_told_to_the_operator(
    tmp_path: Path, compiler: Compiler
) -> None:
    ran = run_agent(
        tmp_path / "r", [rerunning("let a;", after="session.finish('x');")], compiler=compiler, others=LIBRARY
    )

    assert [log.text for log in ran.of(OperatorLog)] == [
        "a program registered with programs.rerun did not run, since the session was ended"
    ]


def test_four_programs_run_in_one_turn_at_most(tmp_path: Path, compiler: Compiler) -> None:
    counting = (
        'import { programs, views } from "gg";\n'
        'const count = views.current().length + 1;\nviews.openText(`run ${count}`, "");\n'
    )
    forever = f"{counting}programs.rerun(programs.get());\n"
    ran = run_agent(tmp_path / "r", [forever, forever, FINISH], compiler=compiler, others=LIBRARY)

    # In the first turn the library is empty, and asking it for the latest program fails.
    assert [execution.rerun for execution in ran.of(CodeExecution)] == [0, 0, 1, 2, 3, 0]
    assert [notice.text for notice in ran.of(Notice)] == [
        "The program registered with programs.rerun did not run: 4 programs ran in this turn, and no more do."
    ]
    assert ran.told(2)[:4] == [f"View: run {count}\n----" for count in (2, 3, 4, 5)]


def test_without_the_capability_nothing_of_it_is_there(tmp_path: Path, compiler: Compiler) -> None:
    ran = run_agent(tmp_path / "r", [f"{IMPORT}programs.history();\n", FINISH], compiler=compiler)

    assert [(o.outcome, o.error_type) for o in ran.of(TurnOutcome)] == [
        ("error", "program_unknown_name"),
        ("finished", None),
    ]
