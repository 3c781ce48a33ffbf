"""What is checked as an agent's of a configuration: its tools, its calls, its level and its healing."""

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from host.app import Checked, CheckRefused, check_paths, configured
from host.core.errors import LaunchRefused
from host.tools import ServersFailed
from runtime_js import Compiler
from tests.helpers.mcp_servers import good_spec
from tests.helpers.runs import FINISH, SCRATCHPAD, run_agent

GREETS = (
    'import { local } from "gg:tools";\nexport const greeting: string = await local.greet({ name: "Ada" });\n'
)
SKILL = "---\ndescription: How one greets.\n---\nFriendly.\n"
MEMORIES: dict[str, Any] = {"id": "memories", **SCRATCHPAD}
READ_ONLY = {**MEMORIES, "params": {**MEMORIES["params"], "scope": "read-only"}}
GREETER = {"id": "tools", "params": {"python": [f"{__name__}:greet"]}}


def greet(name: str) -> str:
    """Greets."""
    return f"Good morning, {name}."


@pytest.fixture(scope="module")
def compiler() -> Iterator[Compiler]:
    with Compiler() as compiler:
        yield compiler


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def write(*agents: dict[str, Any], **more: object) -> Path:
    path = Path("run.json")
    path.write_text(json.dumps({"task": "x", "model": "mistral:m", "agents": agents, **more}))
    return path


def check(compiler: Compiler, config: Path, *paths: str, agent: str | None = None) -> list[Checked]:
    with configured(config, agent=agent, tell=lambda line: None) as settings:
        return list(check_paths([Path(path) for path in paths], settings=settings, compiler=compiler))


def messages(checked: list[Checked]) -> list[str]:
    return [found.message for each in checked for found in (*each.errors, *each.warnings)]


def test_programs_and_skills_have_the_tools_of_their_agent(compiler: Compiler) -> None:
    config = write({"id": "root", "capabilities": [GREETER]}, {"id": "other"})
    Path("program.ts").write_text(GREETS.replace("export ", "").replace("name:", "nam:"))
    Path("greeting").mkdir()
    Path("greeting/skill.md").write_text(SKILL)
    Path("greeting/skill.ts").write_text(GREETS)

    checked = check(compiler, config, "program.ts", "greeting")

    assert [(each.name, len(each.errors)) for each in checked] == [
        ("program.ts", 1),
        ("greeting/skill.md", 0),
        ("greeting/skill.ts", 0),
    ]
    assert messages(checked)[0].startswith("Object literal may only specify known properties, but 'nam' does")
    unknown = messages(check(compiler, config, "greeting", agent="other"))
    assert [message.startswith('Module "gg:tools" has no export "local".') for message in unknown] == [True]
    assert "--config" not in unknown[0]


def test_the_memories_of_a_record_are_checked_as_another_agents(compiler: Compiler) -> None:
    code = 'import { local } from "gg:tools";\nexport const { greet } = local;\n'
    memory = {"name": "greeter", "description": "d", "body": "b", "code": code}
    ran = run_agent(
        Path("record").absolute(),
        [f'import {{ memories }} from "gg";\nmemories.writeMemory({json.dumps(memory)});\n', FINISH],
        compiler=compiler,
        memories=SCRATCHPAD,
        others={"tools": {"params": {"python": [f"{__name__}:greet"]}}},
    )
    assert ran.result.status == "completed"

    as_recorded = list(check_paths([Path("record")], compiler=compiler))
    as_of_now = check(compiler, write({"id": "root"}), "record")

    assert [(each.name, len(each.errors)) for each in as_recorded] == [("greeter.ts", 0)]
    assert [(each.name, len(each.errors)) for each in as_of_now] == [("greeter.ts", 1)]


WRITES = 'import { memories } from "gg";\nmemories.writeMemory;\nmemories.updateMemory;\n'
WRITE, UPDATE = ("Property 'writeMemory' does not exist", "Property 'updateMemory' does not exist")
READER = {"id": "reader", "capabilities": [READ_ONLY]}
LEAD = {"id": "lead", "roster": [{"agent": "reader", "as": "subagent"}]}
ACCESS = [
    pytest.param([{**LEAD, "capabilities": [MEMORIES]}, READER], {}, [WRITE, UPDATE], id="to read"),
    pytest.param([{**LEAD, "capabilities": [MEMORIES]}, READER], {"root": "reader"}, [], id="the root"),
    pytest.param([LEAD, READER], {}, [], id="nobody's memories to read"),
    pytest.param(
        [{"id": "reader", "capabilities": [{**MEMORIES, "features": {"reviseMemories": False}}]}],
        {},
        [UPDATE],
        id="append-only",
    ),
]


@pytest.mark.parametrize(("agents", "more", "missing"), ACCESS)
def test_an_agent_has_the_calls_that_a_run_declares_to_it(
    agents: list[dict[str, Any]], more: dict[str, str], missing: list[str], compiler: Compiler
) -> None:
    Path("a.ts").write_text(WRITES)

    told = messages(check(compiler, write(*agents, **more), "a.ts", agent="reader"))

    assert [message.split(" on type")[0] for message in told] == missing


REPLY = "```ts\nconst a: string = 1;\n```\n"
MODES = [
    pytest.param({}, (1, 0, ("strip-fences",)), id="as by default"),
    pytest.param({"typecheck": "warn"}, (0, 1, ("strip-fences",)), id="warn"),
    pytest.param({"typecheck": "off"}, (0, 0, ("strip-fences",)), id="off"),
    pytest.param({"healing": {"strip-fences": False}}, (1, 0, ()), id="not healed"),
    pytest.param({"delivery": "tool"}, (1, 0, ()), id="submitted"),
]


@pytest.mark.parametrize(("code_mode", "expected"), MODES)
def test_a_reply_is_checked_at_the_level_and_with_the_healing_of_its_agent(
    code_mode: dict[str, Any], expected: tuple[int, int, tuple[str, ...]], compiler: Compiler
) -> None:
    Path("reply.md").write_text(REPLY)

    (checked,) = check(compiler, write({"id": "root", "codeMode": code_mode}), "reply.md")

    assert (len(checked.errors), len(checked.warnings), checked.healing) == expected


def test_the_servers_of_the_agent_alone_run_until_the_check_is_over(compiler: Compiler) -> None:
    command = ["sh", "-c", 'echo $$ >> pids; echo ready >&2; exec "$@"', "sh", *(good_spec().command or ())]
    good = {"id": "tools", "params": {"mcp": {"good": {"command": command}}}}
    broken = {"id": "tools", "params": {"mcp": {"broken": {"command": ["false"]}}}}
    config = write({"id": "root", "capabilities": [good]}, {"id": "other", "capabilities": [broken]})
    Path("a.ts").write_text(
        'import { good } from "gg:tools";\nconst n: string = (await good.add({ a: 1 })).total;\n'
    )
    told: list[str] = []

    with configured(config, tell=told.append) as settings:
        (checked,) = check_paths([Path("a.ts")], settings=settings, compiler=compiler)
        (pid,) = map(int, Path("pids").read_text().split())
        os.kill(pid, 0)  # it is there

    assert messages([checked]) == ["Type 'number' is not assignable to type 'string'."]
    assert "good: ready" in told
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)
    with pytest.raises(ServersFailed, match="`broken`"):
        check(compiler, config, "a.ts", agent="other")


REFUSED = [
    pytest.param("nobody", "--agent: run.json has no agent `nobody`; name `root` or `caller`", id="unknown"),
    pytest.param(
        "caller",
        "agent `caller` of run.json calls tools and writes no programs; name `root` with --agent",
        id="no programs",
    ),
]


@pytest.mark.parametrize(("agent", "message"), REFUSED)
def test_an_agent_that_cannot_be_taken_is_refused(agent: str, message: str, compiler: Compiler) -> None:
    config = write({"id": "root"}, {"id": "caller", "execution": "tool_calling"})

    with pytest.raises(CheckRefused) as caught:
        check(compiler, config, "a.ts", agent=agent)

    assert str(caught.value) == message


def test_a_configuration_of_no_programs_is_refused(compiler: Compiler) -> None:
    with pytest.raises(CheckRefused, match=r"writes no programs; leave --config out$"):
        check(compiler, write({"id": "caller", "execution": "tool_calling"}), "a.ts")


def test_every_defect_of_the_configuration_is_told_but_that_no_model_can_be_asked(compiler: Compiler) -> None:
    server = {"url": "https://example.org/mcp", "headersFrom": {"X": "A_VARIABLE_THAT_IS_NOT_SET"}}
    tools = {"id": "tools", "params": {"python": [f"{__name__}:gret"], "mcp": {"far": server}}}

    with pytest.raises(LaunchRefused) as caught:
        check(compiler, write({"id": "root", "capabilities": [tools]}), "a.ts")

    params = "agents[0].capabilities[0].params"
    assert [defect.place for defect in caught.value.defects] == [
        f"{params}.python[0]",
        f"{params}.mcp.far.headersFrom.X",
    ]
