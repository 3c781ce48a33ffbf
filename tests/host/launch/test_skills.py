"""The capability `skills` at the launch: its folder is read once, and everything wrong in it refuses."""

from pathlib import Path
from typing import Any

import pytest

from host.core.errors import LaunchRefused
from host.launch import LaunchPlan, summarize, validate
from host.skills import Skill
from tests.helpers.skills import PARSE, prose, write_skill


def document(*dirs: str, enabled: bool = True) -> dict[str, Any]:
    """A run with an agent for each of these folders."""
    capabilities = [[{"id": "skills", "enabled": enabled, "params": {"dir": each}}] for each in dirs]
    return {
        "task": "Do it.",
        "root": "a0",
        "model": {"provider": "scripted", "replies": ["export {}"]},
        "agents": [{"id": f"a{n}", "capabilities": each} for n, each in enumerate(capabilities)],
    }


def launch(base: Path, *dirs: str, enabled: bool = True) -> LaunchPlan:
    return validate(document(*dirs, enabled=enabled), base=base)


def defects(base: Path, *dirs: str, enabled: bool = True) -> list[tuple[str, str]]:
    with pytest.raises(LaunchRefused) as raised:
        launch(base, *dirs, enabled=enabled)
    return [(defect.place, defect.message) for defect in raised.value.defects]


def test_the_plan_has_the_skills_as_they_were(tmp_path: Path) -> None:
    write_skill(tmp_path / "skills", "csv", code=PARSE)
    (tmp_path / "skills" / "broken.md").write_text(prose())

    plan = launch(tmp_path, "skills")
    write_skill(tmp_path / "skills", "later")

    held = plan.root_agent.skills
    assert held is not None
    assert held.directory == tmp_path / "skills"
    assert held.skills == (
        Skill(name="broken", description="What it is about.", body="How it is done."),
        Skill(name="csv", description="About csv.", body="How it is done.", code=PARSE),
    )
    assert summarize(plan) == ("run can be run: root a0 (scripted; responses_as_code; 2 skills); no limits",)


def test_code_that_does_not_compile_keeps_no_run_from_its_start(tmp_path: Path) -> None:
    write_skill(tmp_path / "skills", "csv", code="const = 5;", on_use="nonsense(")

    assert launch(tmp_path, "skills").root_agent.skills is not None


@pytest.mark.parametrize("enabled", [True, False])
def test_every_fault_of_every_folder_is_a_defect_on_or_off(tmp_path: Path, enabled: bool) -> None:
    write_skill(tmp_path / "one", "two words")
    (tmp_path / "one" / "csv.md").write_text("---\nname: xls\n---\n")
    write_skill(tmp_path / "two", "csv", on_use="x" * 32_769)

    places = ["agents[0].capabilities[0].params.dir"] * 4 + ["agents[1].capabilities[0].params.dir"]
    found = defects(tmp_path, "one", "two", enabled=enabled)
    assert [place for place, _ in found] == places
    assert [message.removeprefix(f"{tmp_path}/") for _, message in found] == [
        "one/csv.md:2:1: needs a key description: one line on what the skill is about",
        "one/csv.md:2:7: the name is `xls`, and the skill is called `csv` by its file or folder; make them"
        " the same, or leave name out",
        "one/csv.md:4:1: there is no prose below the front matter; say what an agent has to know",
        "one/two words/skill.md:1:1: a skill cannot be called `two words`; its name has 1 to 64 of letters,"
        " digits, -, _ and .",
        "two/csv/on-use.ts:1:1: code: 32,769 characters, limit 32,768",
    ]


def test_a_folder_that_is_not_there_is_one_defect(tmp_path: Path) -> None:
    assert defects(tmp_path, "nowhere") == [
        ("agents[0].capabilities[0].params.dir", f"{tmp_path}/nowhere does not exist")
    ]


def test_an_enabled_capability_needs_its_folder(tmp_path: Path) -> None:
    written = document("x")
    written["agents"][0]["capabilities"][0]["params"] = {}

    with pytest.raises(LaunchRefused) as raised:
        validate(written, base=tmp_path)

    (defect,) = raised.value.defects
    assert defect.message == "required: the directory of the skills"
