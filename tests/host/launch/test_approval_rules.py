"""Rules of approval: what they have to be about."""

from pathlib import Path
from typing import Any, Final

import pytest

from host.core.errors import LaunchRefused
from host.launch import validate
from tests.host.launch.documents import broken

PLACE: Final = ("agents", 0, "capabilities", 1)
SERVERS: Final = {"git": {"command": ["mcp-server-git"]}, "drive": {"command": ["mcp-server-drive"]}}
FUNCTIONS: Final = ["host.core.text:shortened"]
NEEDS: Final = 'its name needs a namespace and a tool, such as "git.*"'

WRONG = [
    ("status", NEEDS, ()),
    ("git.", NEEDS, ()),
    (".status", NEEDS, ()),
    ("*", NEEDS, ()),
    ("gti.*", 'its name begins with no namespace of tools; did you mean "git"?', ("local", "git", "drive")),
    (
        "Git.push",
        'its name begins with no namespace of tools; did you mean "git"?',
        ("local", "git", "drive"),
    ),
    ("x*.push", "its name begins with no namespace of tools", ("local", "git", "drive")),
    ("shell.shell", "its name begins with no namespace of tools", ("local", "git", "drive")),
]


def tools(**params: Any) -> dict[str, object]:  # noqa: ANN401
    return broken(PLACE, {"id": "tools", "params": params})


@pytest.mark.parametrize(("pattern", "message", "known"), WRONG)
def test_a_pattern_that_is_about_no_tools_refuses_the_launch(
    pattern: str, message: str, known: tuple[str, ...], tmp_path: Path
) -> None:
    with pytest.raises(LaunchRefused) as refused:
        validate(tools(python=FUNCTIONS, mcp=SERVERS, approval={pattern: "ask"}), base=tmp_path)

    (defect,) = refused.value.defects
    assert (defect.message, defect.known, defect.found) == (message, known, pattern)


RIGHT = ["git.*", "git.push", "git.a.b", "local.shortened", "*.push", "d*.read", "*.*"]


@pytest.mark.parametrize("pattern", RIGHT)
def test_a_pattern_names_a_namespace_or_several(pattern: str, tmp_path: Path) -> None:
    plan = validate(tools(python=FUNCTIONS, mcp=SERVERS, approval={pattern: "deny"}), base=tmp_path)

    assert plan.root_agent.tools is not None
    assert plan.root_agent.tools.approval == {pattern: "deny"}


def test_without_functions_there_is_no_namespace_of_them(tmp_path: Path) -> None:
    with pytest.raises(LaunchRefused) as refused:
        validate(tools(mcp=SERVERS, approval={"local.*": "ask"}), base=tmp_path)

    assert [defect.known for defect in refused.value.defects] == [("git", "drive")]


def test_without_tools_there_is_no_rule_for_one(tmp_path: Path) -> None:
    with pytest.raises(LaunchRefused) as refused:
        validate(tools(approval={"*.*": "ask"}), base=tmp_path)

    told = [(defect.message, defect.known) for defect in refused.value.defects]
    assert told == [("its name begins with no namespace of tools", ())]


def test_a_rule_that_is_none_is_told_beside_a_pattern_that_is_wrong(tmp_path: Path) -> None:
    with pytest.raises(LaunchRefused) as refused:
        validate(tools(mcp=SERVERS, approval={"gti.*": "aks"}), base=tmp_path)

    assert [defect.message for defect in refused.value.defects] == [
        'unknown approval; did you mean "ask"?',
        'its name begins with no namespace of tools; did you mean "git"?',
    ]
