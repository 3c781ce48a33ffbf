"""Tools of a server in whole runs: from programs and from replies that call them."""

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, Literal

import pytest

from host.app import Session
from host.core.errors import LaunchRefused
from host.events import ApiCall, CodeExecution, TurnOutcome
from host.launch import ScriptedModel, validate
from runtime_js import Compiler
from tests.helpers.mcp_servers import good
from tests.helpers.mcp_servers.web import serving
from tests.helpers.runs import FINISH, FINISHES, Ran, calls, run_agent

Execution = Literal["responses_as_code", "tool_calling"]
CODE: Final = "responses_as_code"
NATIVE: Final = "tool_calling"


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with serving(good.server.streamable_http_app(stateless_http=True)) as url:
        yield url


@pytest.fixture
def tools(url: str) -> dict[str, Any]:
    return {"tools": {"params": {"mcp": {"good": {"url": url}}}}}


def run_programs(out: Path, compiler: Compiler, tools: dict[str, Any], *programs: str) -> Ran:
    return run_agent(out, [*programs, FINISH], compiler=compiler, others=tools)


def test_a_program_gets_what_a_tool_gives(tmp_path: Path, compiler: Compiler, tools: dict[str, Any]) -> None:
    ran = run_programs(
        tmp_path / "run",
        compiler,
        tools,
        'import { good } from "gg:tools";\nimport { views } from "gg";\n'
        "const sums = await Promise.all([good.add({ a: 1, b: 2 }), good.add({ a: 2 ** 53 - 1 })]);\n"
        'views.openText("sums", sums.map((sum) => sum.total).join(" "));\n',
    )

    assert ran.told(1) == ["View: sums\n----\n3 9007199254740991"]
    assert ran.result.status == "completed"


def test_calls_that_wait_for_one_another_run_side_by_side(
    tmp_path: Path, compiler: Compiler, tools: dict[str, Any]
) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    ran = run_programs(
        tmp_path / "run",
        compiler,
        tools,
        'import { good } from "gg:tools";\nimport { views } from "gg";\n'
        f"const pipe = {json.dumps(str(pipe))};\n"
        'const met = await Promise.all(["r", "w"].map((mode) => good.meet({ pipe, mode })));\n'
        'views.openText("met", met.join(", "));\n',
    )

    assert ran.told(1) == ["View: met\n----\nopened to r, opened to w"]


def test_many_calls_at_once_all_end(tmp_path: Path, compiler: Compiler, tools: dict[str, Any]) -> None:
    ran = run_programs(
        tmp_path / "run",
        compiler,
        tools,
        'import { good } from "gg:tools";\nimport { views } from "gg";\n'
        "const sums = await Promise.all(Array.from({ length: 60 }, (_, n) => good.add({ a: n, b: 1 })));\n"
        'views.openText("sums", `${sums.length} ${sums[59]!.total}`);\n',
    )

    assert ran.told(1) == ["View: sums\n----\n60 60"]


def test_a_failing_call_can_be_caught_and_the_others_go_on(
    tmp_path: Path, compiler: Compiler, tools: dict[str, Any]
) -> None:
    ran = run_programs(
        tmp_path / "run",
        compiler,
        tools,
        'import { good } from "gg:tools";\nimport { ApiError, views } from "gg";\n'
        'const failing = good.fail({ text: "no such thing" });\n'
        "const ended = await Promise.allSettled([failing, good.add({ a: 1 })]);\n"
        "const told = ended.map((one) => {\n"
        '  if (one.status === "fulfilled") return JSON.stringify(one.value);\n'
        "  const { operation, code, message } = one.reason as ApiError;\n"
        "  return `${operation} ${code} ${message}`;\n"
        "});\n"
        'views.openText("ended", told.join("\\n"));\n',
    )

    (text,) = ran.told(1)
    assert text.startswith("View: ended\n----\ngood.fail io-error ")
    assert "no such thing" in text
    assert text.endswith('\n{"total":1,"parts":[1,0]}')


def test_a_result_of_half_a_megabyte_reaches_the_program_whole(
    tmp_path: Path, compiler: Compiler, tools: dict[str, Any]
) -> None:
    ran = run_programs(
        tmp_path / "run",
        compiler,
        tools,
        'import { good } from "gg:tools";\nimport { views } from "gg";\n'
        'const text = await good.repeat({ text: "é\\u0000", times: 250_000 });\n'
        'views.openText("length", `${text.length} ${text.endsWith("é\\u0000")}`);\n'
        'try { views.openText("whole", text); }\n'
        'catch (error) { views.openText("refused", (error as Error).message); }\n',
    )

    length, refused = ran.told(1)
    assert length == "View: length\n----\n500000 true"
    assert refused.startswith("View: refused\n----\nThe body of view `whole` has 750,000 of 65,536 bytes")


def test_a_reply_is_answered_with_as_much_as_a_prompt_should_hold(
    tmp_path: Path, tools: dict[str, Any]
) -> None:
    ran = run_agent(
        tmp_path / "run",
        [calls(("good__repeat", {"text": "ab", "times": 250_000})), FINISHES],
        execution="tool_calling",
        others=tools,
    )

    (answer,) = ran.answers(1)
    assert answer.startswith('"abab')
    assert answer.endswith("\n… 65,536 of 500,002 bytes are shown; the call gave them all.")


@pytest.mark.parametrize("execution", [CODE, NATIVE])
def test_pictures_are_shown(
    tmp_path: Path, compiler: Compiler, tools: dict[str, Any], execution: Execution
) -> None:
    program = 'import { good } from "gg:tools";\nconsole.log(await good.picture());\n'
    ran = run_agent(
        tmp_path / "run",
        [program, FINISH] if execution == CODE else [calls(("good__picture", {})), FINISHES],
        compiler=compiler,
        execution=execution,
        others=tools,
    )

    shown = [message for message in ran.prompts[1] if message.images]
    assert [message.text for message in shown] == ["File: good.picture 1\n----", "File: good.picture 2\n----"]
    assert {image.data for message in shown for image in message.images} == {good.PICTURE}


def test_a_call_that_is_not_awaited_is_completed_before_the_program_ends(
    tmp_path: Path, compiler: Compiler, tools: dict[str, Any]
) -> None:
    ran = run_programs(
        tmp_path / "run",
        compiler,
        tools,
        'import { good } from "gg:tools";\nimport { views } from "gg";\n'
        'void good.add({ a: 1 }).then((sum) => views.openText("later", `${sum.total}`));\n',
    )

    assert ran.told(1) == ["View: later\n----\n1"]


def test_a_failure_that_nobody_handles_is_an_error_and_revokes_an_ending(
    tmp_path: Path, compiler: Compiler, tools: dict[str, Any]
) -> None:
    ran = run_programs(
        tmp_path / "run",
        compiler,
        tools,
        'import { good } from "gg:tools";\nimport { session } from "gg";\n'
        'void good.fail({ text: "not that" });\n'
        'session.finish("done");\n',
    )

    (error,) = ran.told(1)
    assert error.startswith("Runtime error\n----\nApiError: good.fail (io-error): ")
    assert "\n    at program.ts:3:11" in error
    assert [outcome.error_type for outcome in ran.of(TurnOutcome)] == ["program_api_error", None]


@pytest.mark.parametrize("execution", [CODE, NATIVE])
def test_both_ways_leave_the_same_on_the_record(
    tmp_path: Path, compiler: Compiler, tools: dict[str, Any], execution: Execution
) -> None:
    program = (
        'import { good } from "gg:tools";\n'
        "await good.add({ a: 1 });\n"
        'await good.add({ a: "1", c: 2 } as never).catch(() => 0);\n'
    )
    made = calls(("good__add", {"a": 1}), ("good__add", {"a": "1", "c": 2}))
    ran = run_agent(
        tmp_path / "run",
        [program, FINISH] if execution == CODE else [made, FINISHES],
        compiler=compiler,
        execution=execution,
        others=tools,
    )

    recorded = [(call.operation, call.ok, call.code) for call in ran.of(ApiCall)][:2]
    assert recorded == [("tools.good.add", True, None), ("tools.good.add", False, "invalid-argument")]


def test_what_is_found_can_be_called(tmp_path: Path, compiler: Compiler, tools: dict[str, Any]) -> None:
    ran = run_programs(
        tmp_path / "run",
        compiler,
        tools,
        'import { docs, views } from "gg";\nimport { good } from "gg:tools";\n'
        'docs.search("adds two numbers");\n'
        "views.openDocsView(good.add);\nviews.openDocsView(good);\n",
    )

    found, page, module = ran.told(1)
    assert "good.add" in found
    assert page.startswith("Documentation: good.add\n----\nadd(args: AddArgs): Promise<")
    assert 'import { good } from "gg:tools"' in page
    assert module.startswith("Documentation: good\n----\n")


def test_a_name_that_no_namespace_has_is_a_located_error(
    tmp_path: Path, compiler: Compiler, tools: dict[str, Any]
) -> None:
    ran = run_programs(
        tmp_path / "run", compiler, tools, 'import { god } from "gg:tools";\nawait god.add({ a: 1 });\n'
    )

    (error,) = ran.told(1)
    assert error.startswith("Compiler error\n----\nprogram.ts:1:10: error")
    assert "good" in error


def test_arguments_are_type_checked(tmp_path: Path, compiler: Compiler, tools: dict[str, Any]) -> None:
    ran = run_programs(
        tmp_path / "run",
        compiler,
        tools,
        'import { good } from "gg:tools";\nconst sum = await good.add({ a: "1" });\nconsole.log(sum.totl);\n',
    )

    (error,) = ran.told(1)
    assert "program.ts:2:30: error TS2322" in error
    assert "Did you mean 'total'?" in error


def test_without_tools_the_module_is_there_and_empty(tmp_path: Path, compiler: Compiler) -> None:
    ran = run_agent(
        tmp_path / "run",
        ['import * as tools from "gg:tools";\nconsole.log(Object.keys(tools).length);\n', FINISH],
        compiler=compiler,
    )

    assert [execution.ok for execution in ran.of(CodeExecution)] == [True, True]


REFUSED: list[tuple[str, dict[str, Any], str]] = [
    ("console", {}, "console"),
    ("memories", {}, "memories"),
    ("good", {"rename": {"add": "class"}}, "class"),
    ("good", {"rename": {"add": "then"}}, "then"),
    ("good", {"rename": {"add": "fail"}}, "fail"),
    ("good", {"only": ["ad"]}, "add"),
]


@pytest.mark.parametrize(("name", "more", "told"), REFUSED)
def test_names_that_cannot_be_used_refuse_the_launch(
    tmp_path: Path, url: str, name: str, more: dict[str, Any], told: str
) -> None:
    tools = {"id": "tools", "params": {"mcp": {name: {"url": url, **more}}}}
    model = ScriptedModel(replies=[FINISH])
    document = {"task": "Do it.", "agents": [{"id": "root", "model": model, "capabilities": [tools]}]}
    with pytest.raises(LaunchRefused) as refused:
        Session.create(validate(document, base=tmp_path), out=tmp_path / "run")

    assert f"agents[0].capabilities[0].params.mcp.{name}" in str(refused.value)
    assert told in str(refused.value)
    assert not (tmp_path / "run").exists()


def test_a_pattern_that_fits_no_tool_refuses_the_launch(tmp_path: Path, url: str) -> None:
    params = {"mcp": {"good": {"url": url}}, "approval": {"good.ad": "deny", "good.*": "ask"}}
    model = ScriptedModel(replies=[FINISH])
    capability = {"id": "tools", "params": params}
    document = {"task": "Do it.", "agents": [{"id": "root", "model": model, "capabilities": [capability]}]}
    with pytest.raises(LaunchRefused) as refused:
        Session.create(validate(document, base=tmp_path), out=tmp_path / "run")

    assert 'approval["good.ad"]: fits no tool; did you mean good.add?' in str(refused.value)
