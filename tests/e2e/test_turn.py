"""What a turn tells the model, with the real compilers, the real engine in its worker and a real record."""

from pathlib import Path

import pytest

from host.events import ApiCall, CodeExecution, OperatorLog, SessionSummary, TurnOutcome
from host.events import View as ViewEvent
from runtime_js import Compiler
from tests.helpers.runs import FINISH, run_agent

NOTHING_SHOWN = (
    "Notice\n----\nThe program ran and opened no view. A view is the only way to see a value or a file;"
    " console output cannot be read."
)
NOT_GRANTED = (
    "Runtime error\n----\nApiError: memories.createMemory (unavailable):"
    " memories.createMemory is not available to this agent.\n    at program.ts:2:10"
)

# One program each, and what the model reads next.
TOLD = [
    pytest.param(
        'import { views } from "gg";\nviews.openText("a", "1");\nviews.openText("b", "2");',
        ["View: a\n----\n1", "View: b\n----\n2"],
        id="views in the order of opening",
    ),
    pytest.param(
        'import { views } from "gg";\nviews.openText("a", "1");\nviews.openText("b", "2");\n'
        'views.openText("a", "3");',
        ["View: a\n----\n3", "View: b\n----\n2"],
        id="a label opened twice is replaced in place",
    ),
    pytest.param(
        'import { views } from "gg";\nviews.openText("a", "1");\nviews.close("a");\n',
        [NOTHING_SHOWN],
        id="opened and closed",
    ),
    pytest.param(
        'import { views } from "gg";\nviews.openText("a", "1");\nthrow new TypeError("no");\n',
        ["View: a\n----\n1", "Runtime error\n----\nTypeError: no\n    at program.ts:3:11"],
        id="views before a throw remain",
    ),
    pytest.param(
        "const a = 1;\n\nthrow new Error(`line ${a + 2}`);\n",
        ["Runtime error\n----\nError: line 3\n    at program.ts:3:29"],
        id="an error thrown on line 3 is located on line 3",
    ),
    pytest.param(
        '\n\nthrow new Error("x");\n',
        ["Runtime error\n----\nError: x\n    at program.ts:3:11"],
        id="blank lines at the start count",
    ),
    pytest.param(
        'import { memories } from "gg";\nmemories.writeMemry({});\n',
        [
            "Compiler error\n----\n"
            "program.ts:2:10: error TS2551: Property 'writeMemry' does not exist on type"
            " 'typeof import(\"gg:memories\")'. Did you mean 'writeMemory'?\n"
            "  2 | memories.writeMemry({});\n"
            "    |          ^"
        ],
        id="a misspelt call",
    ),
    pytest.param(
        'import { memories } from "gg";\nmemories.createMemory({ name: "a", description: "b", body: "" });\n',
        [NOT_GRANTED],
        id="a call that was not granted",
    ),
    pytest.param(
        'throw "text";\n', ["Runtime error\n----\nUncaught value: text"], id="a thrown string has no place"
    ),
    pytest.param(
        "await new Promise(() => {});\n",
        ["Runtime error\n----\nThe program waits on a promise that can never settle."],
        id="a promise that never settles",
    ),
    pytest.param(
        '(async () => {\n  throw new RangeError("late");\n})();\n',
        ["Runtime error\n----\nRangeError: late\n    at program.ts:2:13\n    at program.ts:3:1"],
        id="an unhandled rejection of an async function",
    ),
]


@pytest.mark.parametrize(("program", "told"), TOLD)
def test_what_the_model_reads_after_a_program(
    program: str, told: list[str], tmp_path: Path, compiler: Compiler
) -> None:
    ran = run_agent(tmp_path / "record", [program, FINISH], compiler=compiler)

    assert ran.told(1) == told
    assert ran.result.status == "completed"


def test_a_view_of_an_earlier_turn_stays_and_its_successor_goes_to_the_end(
    tmp_path: Path, compiler: Compiler
) -> None:
    opening = 'import { views } from "gg";\nviews.openText("a", "{}");\n'
    ran = run_agent(
        tmp_path / "record",
        [opening.replace("{}", "1"), opening.replace("{}", "2"), FINISH],
        compiler=compiler,
    )

    assert [m.text for m in ran.prompts[2] if m.text.startswith("View:")] == [
        "View: a\n----\n1",
        "View: a\n----\n2",
    ]
    assert ran.prompts[2][: len(ran.prompts[1])] == ran.prompts[1]
    assert [view.action for view in ran.of(ViewEvent)] == ["opened", "replaced"]


def test_an_ending_is_revoked_by_a_later_throw(tmp_path: Path, compiler: Compiler) -> None:
    ran = run_agent(
        tmp_path / "record",
        ['import { session } from "gg";\nsession.finish("early");\nthrow new Error("late");\n', FINISH],
        compiler=compiler,
    )

    assert ran.result.ending is not None
    assert ran.result.ending.summary == "done"
    assert [outcome.outcome for outcome in ran.of(TurnOutcome)] == ["error", "finished"]
    assert [execution.finished for execution in ran.of(CodeExecution)] == [True, True]


def test_the_latest_ending_counts(tmp_path: Path, compiler: Compiler) -> None:
    ran = run_agent(
        tmp_path / "record",
        ['import { session } from "gg";\nsession.finish("first");\nsession.finish("second");\n'],
        compiler=compiler,
    )

    assert ran.result.ending is not None
    assert ran.result.ending.summary == "second"
    assert [log.text for log in ran.of(OperatorLog)] == [
        "the ending was declared again; the latest counts: second"
    ]


def test_an_empty_summary_is_refused(tmp_path: Path, compiler: Compiler) -> None:
    ran = run_agent(
        tmp_path / "record",
        ['import { session } from "gg";\nsession.finish("  ");\n', FINISH],
        compiler=compiler,
    )

    assert ran.told(1) == [
        "Runtime error\n----\nApiError: session.finish (invalid-argument):"
        " The summary is empty; say what was achieved.\n    at program.ts:2:9"
    ]


def test_effects_of_calls_before_a_failure_persist(tmp_path: Path, compiler: Compiler) -> None:
    workspace = tmp_path / "workspace"
    workspace.mkdir()
    ran = run_agent(
        tmp_path / "record",
        ['import { files } from "gg";\nfiles.writeFile("a.txt", "kept");\nnull!.x;\n', FINISH],
        compiler=compiler,
        files={"params": {"dir": str(workspace), "write": True}},
        code_mode={"typecheck": "off"},
    )

    assert (workspace / "a.txt").read_text() == "kept"
    assert ran.told(1)[0].startswith("Runtime error\n----\nTypeError: ")


def test_a_model_is_told_whether_types_reject_its_program(tmp_path: Path, compiler: Compiler) -> None:
    told = {}
    for typecheck in ("error", "warn", "off"):
        ran = run_agent(tmp_path / typecheck, [FINISH], compiler=compiler, code_mode={"typecheck": typecheck})
        told[typecheck] = "checked by the TypeScript compiler" in ran.prompts[0][0].text

    assert told == {"error": True, "warn": False, "off": False}


def test_a_call_whose_arguments_cannot_be_encoded_is_recorded_and_refused_after_its_grant(
    tmp_path: Path, compiler: Compiler
) -> None:
    program = """\
import { memories, views, type ApiError } from "gg";
const told: string[] = [];
for (const call of [() => views.openText("a", 1n as any), () => memories.createMemory(new Map() as any)]) {
  try {
    call();
  } catch (error) {
    told.push((error as ApiError).operation, (error as ApiError).code);
  }
}
views.openText("told", told.join(" "));
"""
    ran = run_agent(tmp_path / "record", [program, FINISH], compiler=compiler)

    assert ran.told(1) == [
        "View: told\n----\nviews.openText invalid-argument memories.createMemory unavailable"
    ]
    assert [(c.operation, c.code, c.message, c.place) for c in ran.of(ApiCall)][:2] == [
        (
            "views.open_text",
            "invalid-argument",
            "argument 2 is a bigint; pass a number or a string",
            "program.ts:3:33",
        ),
        (
            "memories.create_memory",
            "unavailable",
            "memories.createMemory is not available to this agent.",
            "program.ts:3:91",
        ),
    ]


def test_a_value_over_the_ceiling_is_caught_and_names_its_call(tmp_path: Path, compiler: Compiler) -> None:
    program = """\
import { ApiError, views } from "gg";
try {
  views.openText("a", "x".repeat(9.2 * 2 ** 20));
} catch (error) {
  if (error instanceof ApiError) views.openText("b", `${error.operation} ${error.code} ${error.message}`);
}
"""
    ran = run_agent(tmp_path / "record", [program, FINISH], compiler=compiler)

    assert ran.told(1) == ["View: b\n----\nviews.openText limit-exceeded Value: 9.2 MiB, limit 8 MiB."]


def test_console_output_reaches_the_operator_alone(tmp_path: Path, compiler: Compiler) -> None:
    ran = run_agent(
        tmp_path / "record", ['console.log("a", { b: 1 });\nconsole.warn("c");\n', FINISH], compiler=compiler
    )

    assert [(log.level, log.text, log.source) for log in ran.of(OperatorLog)] == [
        ("log", 'a {"b":1}', "program"),
        ("warn", "c", "program"),
    ]
    assert all("a {" not in text for text in ran.told(1))


def test_a_stack_on_the_console_has_the_places_of_the_program(tmp_path: Path, compiler: Compiler) -> None:
    program = """\
import { views } from "gg";
function fail() {
  views.close("");
}
try {
  fail();
} catch (error) {
  console.error(error);
  console.log((error as Error).stack);
}
"""
    ran = run_agent(tmp_path / "record", [program, FINISH], compiler=compiler)

    frames = "    at fail (program.ts:3:9)\n    at program.ts:6:3"
    assert [log.text for log in ran.of(OperatorLog)] == [
        f"ApiError: The selector is empty; name a label or a path.\n{frames}",
        f"{frames}\n",
    ]


# What a run ends with, by its limits: status, exit code, turns taken.
THROW = 'throw new Error("again");\n'
SHOW = 'import { views } from "gg";\nviews.openText("a", "b");\n'
ENDS = [
    pytest.param([FINISH], {}, ("completed", 0, 1), id="completed"),
    pytest.param([SHOW, SHOW, FINISH], {"maxTurns": 2}, ("exhausted", 3, 2), id="turns"),
    pytest.param(
        [THROW, THROW, FINISH], {"maxConsecutiveErrors": 2}, ("limit_exceeded", 3, 2), id="errors in a row"
    ),
    pytest.param(
        [THROW, SHOW, THROW, FINISH],
        {"maxErrorRate": 0.5, "errorRateWindow": 3},
        ("limit_exceeded", 3, 3),
        id="error rate",
    ),
    pytest.param(
        [THROW, SHOW, THROW, FINISH],
        {"maxConsecutiveErrors": 2},
        ("completed", 0, 4),
        id="errors not in a row",
    ),
]


@pytest.mark.parametrize(("replies", "limits", "end"), ENDS)
def test_how_a_run_ends(
    replies: list[str],
    limits: dict[str, float],
    end: tuple[str, int, int],
    tmp_path: Path,
    compiler: Compiler,
) -> None:
    ran = run_agent(tmp_path / "record", replies, compiler=compiler, limits=limits)

    summary = ran.of(SessionSummary)[0]
    assert (ran.result.status, ran.result.exit_code, summary.turns) == end
    assert (summary.status, summary.exit_code) == end[:2]


def test_fences_are_stripped_and_recorded(tmp_path: Path, compiler: Compiler) -> None:
    ran = run_agent(tmp_path / "record", [f"```ts\n{FINISH}```\n"], compiler=compiler)

    assert ran.result.status == "completed"
    assert ran.of(CodeExecution)[0].healing == ("strip-fences",)


@pytest.mark.slow
def test_calls_that_the_sandbox_refuses_are_on_the_record(tmp_path: Path, compiler: Compiler) -> None:
    program = """\
import { views } from "gg";
const large = "x".repeat(9 * 2 ** 20);
try { views.openText("a", large); } catch (error) { views.openText("caught", String(error)); }
const deep: any = [];
let inner = deep;
for (let i = 0; i < 100; i++) { inner.push([]); inner = inner[0]; }
try { views.openText("b", deep); } catch {}
for (;;) views.current();
"""
    ran = run_agent(tmp_path / "record", [program, FINISH], compiler=compiler)

    failed = [(call.operation, call.code, call.message) for call in ran.of(ApiCall) if not call.ok]
    assert failed == [
        ("views.open_text", "limit-exceeded", "Value: 9.0 MiB, limit 8 MiB."),
        ("views.open_text", "invalid-argument", failed[1][2]),
        ("views.current", "limit-exceeded", "SDK calls: 10,001st call, limit 10,000."),
    ]
    assert failed[1][2] is not None
    assert "nested deeper than" in failed[1][2]
    assert ran.told(1)[0] == "View: caught\n----\nApiError: Value: 9.0 MiB, limit 8 MiB."
    assert ran.told(1)[-1] == (
        "Runtime error\n----\nSDK calls: 10,001st call, limit 10,000.\n"
        "Last call: views.current at program.ts:8:16."
    )
