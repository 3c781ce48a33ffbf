"""What the tools of a configuration need: functions that can be tools, servers that can be reached."""

import sys
from pathlib import Path
from typing import Any

import pytest

from host.core.errors import LaunchRefused
from host.launch import ScriptedModel, ServerPlan, ToolsPlan, validate
from host.launch.tool_names import name_problem
from host.tools import NameProblem

MODEL = ScriptedModel(replies=["x"])


def typed(count: int, *, name: str = "") -> str:
    return name * count


async def also_typed() -> None: ...


def untyped(count) -> int:  # type: ignore[no-untyped-def]  # noqa: ANN001
    return int(count)


def document(*params: dict[str, Any]) -> dict[str, Any]:
    agents = [
        {"id": f"a{place}", "model": MODEL, "capabilities": [{"id": "tools", "params": each}]}
        for place, each in enumerate(params)
    ]
    return {"task": "Do it.", "agents": agents}


def plan(tmp_path: Path, *params: dict[str, Any]) -> ToolsPlan:
    tools = validate(document(*params), base=tmp_path).agents[0].tools
    assert tools is not None
    return tools


def defects(tmp_path: Path, *params: dict[str, Any]) -> dict[str, str]:
    with pytest.raises(LaunchRefused) as refused:
        validate(document(*params), base=tmp_path)
    return {
        defect.place.replace("agents[0].capabilities[0].params.", ""): defect.message
        for defect in refused.value.defects
    }


def test_functions_are_given_by_name_as_they_are_or_with_another_name(tmp_path: Path) -> None:
    (tmp_path / "beside.py").write_text("def double(n: int) -> int:\n    return 2 * n\n")
    written = ["beside:double", typed, {"function": also_typed, "name": "pause", "timeoutSecs": 2}]
    found = plan(tmp_path, {"python": written}).functions

    assert [(each.function.__name__, each.name, each.timeout_s) for each in found] == [
        ("double", None, 60.0),
        ("typed", None, 60.0),
        ("also_typed", "pause", 2.0),
    ]


def test_servers_are_commands_or_urls(tmp_path: Path) -> None:
    servers = {
        "git": {"command": ["mcp-server-git", "--verbose"], "env": ["TOKEN"], "only": ["git_log"]},
        "pages": {"url": "https://example.org/mcp", "headersFrom": {"Authorization": "PAGES_TOKEN"}},
    }
    git, pages = plan(tmp_path, {"mcp": servers}).servers

    assert git == ServerPlan(
        name="git",
        command=("mcp-server-git", "--verbose"),
        url=None,
        cwd=tmp_path.resolve(),
        env=("TOKEN",),
        headers_from={},
        only=("git_log",),
        rename={},
        timeout_s=60.0,
        start_s=30.0,
    )
    assert (pages.url, pages.headers_from) == ("https://example.org/mcp", {"Authorization": "PAGES_TOKEN"})


WRONG: list[tuple[dict[str, Any], dict[str, str]]] = [
    (
        {"python": ["nothing"]},
        {"python[0]": 'needs a Python function as "module:function"'},
    ),
    (
        {"python": ["no_such_module_at_all:run"]},
        {
            "python[0]": "no_such_module_at_all cannot be imported: ModuleNotFoundError:"
            " No module named 'no_such_module_at_all'; it is neither in {base} nor installed beside gg"
        },
    ),
    (
        {"mcp": {"git": {"command": ["a"], "url": "https://b"}}},
        {"mcp.git": 'needs either "command": ["mcp-server-git"] or "url": "https://…"'},
    ),
    (
        {"mcp": {"git": {}}},
        {"mcp.git": 'needs either "command": ["mcp-server-git"] or "url": "https://…"'},
    ),
    (
        {"mcp": {"git": {"command": []}}},
        {"mcp.git.command": "needs a program and its arguments"},
    ),
    (
        {"mcp": {"git": {"command": "python server.py"}}},
        {"mcp.git.command": 'needs a list such as ["python", "server.py"]'},
    ),
    (
        {"mcp": {"git": {"url": "mcp-server-git"}}},
        {"mcp.git.url": "needs an address such as https://…"},
    ),
    (
        {"mcp": {"git": {"url": "https://reader:pass-of-mine@example.org/mcp"}}},
        {
            "mcp.git.url": "has a user or a password in it, which would stand in the record; name the"
            " variable that holds the value of Authorization in `headersFrom`"
        },
    ),
    (
        {"mcp": {"git": {"url": "https://a", "env": ["A"], "cwd": "."}}},
        {
            "mcp.git.env": "a server with a url takes none; leave it out",
            "mcp.git.cwd": "a server with a url takes none; leave it out",
        },
    ),
    (
        {"mcp": {"git": {"command": ["a"], "token": "secret"}}},
        {"mcp.git.token": "unknown key"},
    ),
]


@pytest.mark.parametrize(("params", "expected"), WRONG)
def test_what_is_wrong_is_told(tmp_path: Path, params: dict[str, Any], expected: dict[str, str]) -> None:
    told = {place: message.replace("{base}", str(tmp_path)) for place, message in expected.items()}
    assert defects(tmp_path, params) == told


def test_a_password_that_was_written_is_not_shown_again(tmp_path: Path) -> None:
    url = "https://reader:pass-of-mine@example.org/mcp?key=word-of-mine"
    with pytest.raises(LaunchRefused) as refused:
        validate(document({"mcp": {"git": {"url": url}}}), base=tmp_path)

    assert '"https://example.org/mcp"' in str(refused.value)
    assert "of-mine" not in str(refused.value)


def test_a_function_without_types_is_no_tool(tmp_path: Path) -> None:
    (message,) = defects(tmp_path, {"python": [untyped]}).values()

    assert "count" in message
    assert "type" in message


def test_a_server_of_two_agents_is_one(tmp_path: Path) -> None:
    one, other = {"mcp": {"git": {"command": ["a"]}}}, {"mcp": {"git": {"command": ["b"]}}}

    assert plan(tmp_path, one, one).servers == plan(tmp_path, one).servers
    assert defects(tmp_path, one, other) == {
        "agents[1].capabilities[0].params.mcp.git": "another agent has another server of that name;"
        " call one of them otherwise"
    }


def delete(n: int) -> int:
    return n


def get_user(name: str) -> str:
    return name


def getUser(name: str) -> str:
    return name


BAD_NAMES: list[tuple[dict[str, Any], dict[str, str]]] = [
    (
        {"python": [typed, delete]},
        {
            "python[1]": "programs would call it `delete`, a reserved word. Give the function another name,"
            ' as in "name": "deleteTool".'
        },
    ),
    (
        {"python": [get_user, typed, getUser]},
        {
            "python[2]": "`get_user` and `getUser` would both be called `getUser`. Give the function another"
            ' name, as in "name": "getUserTool".'
        },
    ),
    (
        {"mcp": {"console": {"command": ["a"]}, "git": {"command": ["b"], "only": ["git_log"]}}},
        {
            "mcp.console": "`console` would hide a global of programs. Give the server another name: letters,"
            " digits and `_`, no digit first."
        },
    ),
    (
        {"mcp": {"records": {"command": ["a"]}, "skillbook": {"command": ["b"]}}},
        {
            f"mcp.{name}": f"`{name}` would hide a name of the SDK. Give the server another name: letters,"
            " digits and `_`, no digit first."
            for name in ("records", "skillbook")
        },
    ),
    (
        {"python": [typed], "mcp": {"local": {"command": ["a"]}}},
        {"mcp.local": "two sources of tools have the namespace `local`. Give the server another name."},
    ),
    (
        {"python": [typed], "approval": {"local.typd": "ask", "local.t*": "deny"}},
        {'approval["local.typd"]': "fits no tool; did you mean local.typed?"},
    ),
    (
        {"python": [delete, "nothing"], "approval": {"local.nothing": "ask"}},  # which it may be about
        {
            "python[0]": "programs would call it `delete`, a reserved word. Give the function another name,"
            ' as in "name": "deleteTool".',
            "python[1]": 'needs a Python function as "module:function"',
        },
    ),
]


@pytest.mark.parametrize(("params", "expected"), BAD_NAMES)
def test_names_that_programs_cannot_use_are_told_before_a_server_is_started(
    tmp_path: Path, params: dict[str, Any], expected: dict[str, str]
) -> None:
    assert defects(tmp_path, params) == expected


def test_variables_that_servers_get_have_to_be_there(tmp_path: Path) -> None:
    servers = {
        "git": {"command": ["a"], "env": ["THERE", "MISSING"]},
        "pages": {"url": "https://example.org/mcp", "headersFrom": {"Authorization": "PAGES_TOKEN"}},
    }
    off = {"id": "tools", "enabled": False, "params": {"mcp": servers}}
    written = document({"mcp": servers})

    with pytest.raises(LaunchRefused) as refused:
        validate(written, base=tmp_path, environ={"THERE": ""})
    assert [(each.place.rpartition("mcp.")[2], each.message) for each in refused.value.defects] == [
        ("git.env[1]", "set the environment variable MISSING, which is not there"),
        ("pages.headersFrom.Authorization", "set the environment variable PAGES_TOKEN, which is not there"),
    ]
    validate(written, base=tmp_path, environ={"THERE": "", "MISSING": "", "PAGES_TOKEN": "t"})
    written["agents"][0]["capabilities"] = [off]
    validate(written, base=tmp_path, environ={})


def test_servers_need_the_extra(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "mcp", None)
    servers = {"git": {"command": ["a"]}}

    assert defects(tmp_path, {"mcp": servers}) == {
        "mcp": "MCP servers need the package mcp, which is not installed: pip install 'gg[mcp]'"
    }
    assert plan(tmp_path, {"python": [typed]}).servers == ()


@pytest.mark.parametrize(
    ("remedy", "message"),
    [("Did you mean `b`?", "No `a`. Did you mean `b`?"), ("Leave it out", "No `a`. Leave it out.")],
)
def test_a_remedy_ends_as_a_sentence_does(remedy: str, message: str) -> None:
    problem = NameProblem(namespace="git", tool="a", reason="No `a`", remedy=remedy)

    assert name_problem(problem, ("params",)).message == message
