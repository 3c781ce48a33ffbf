"""`gg validate`: what would run, or every defect; nothing is run."""

import json
from pathlib import Path

import pytest

from tests.host.cli.processes import gg
from tests.host.launch.documents import VALID, written


def test_what_would_run_is_said_on_one_line(tmp_path: Path) -> None:
    (tmp_path / "run.toml").write_text(written(VALID, ".toml"))

    ran = gg("validate", ".", cwd=tmp_path)

    assert (ran.returncode, ran.stderr) == (0, "")
    assert ran.stdout == (
        "quickstart can be run: root analyst (scripted; responses_as_code; memories scratchpad);"
        " limits maxTurns 20, maxRuntimeSecs 600, maxConsecutiveErrors 5\n"
    )
    assert [path.name for path in tmp_path.iterdir()] == ["run.toml"]


def test_that_it_can_be_run_as_json(tmp_path: Path) -> None:
    (tmp_path / "x.yml").write_text(written(VALID, ".yml"))

    ran = gg("validate", "x.yml", "--json", cwd=tmp_path)

    assert (ran.returncode, json.loads(ran.stdout), ran.stderr) == (0, {"ok": True, "defects": []}, "")


def test_quietly_only_the_exit_code_says_that_it_can_be_run(tmp_path: Path) -> None:
    (tmp_path / "run.json").write_text(json.dumps(VALID))

    ran = gg("validate", "run.json", "--quiet", cwd=tmp_path)

    assert (ran.returncode, ran.stdout, ran.stderr) == (0, "", "")


BROKEN = "task: t\nmodel: {provider: scripted, replies: [x]}\nseed: -1\nagents:\n  - {id: a, codemode: 017}\n"
TOLD = (
    "gg: the configuration cannot be run: 3 defects\n"
    f"run.yaml:3: seed: needs a whole number from 0 to {2**63 - 1}\n"
    "    found  -1\n"
    "run.yaml:5: agents[0].codemode: a number with a leading 0; leave the 0 out, or set the value in quotes\n"
    "    agent  a\n"
    "    found  017\n"
    'run.yaml:5: agents[0].codemode: unknown key; did you mean "codeMode"?\n'
    "    agent  a\n"
    "    found  017\n"
    "    known  id, execution, codeMode, prompt, model, roster, capabilities\n"
)


@pytest.mark.slow
@pytest.mark.parametrize("command", [("validate", "--quiet"), ("run",)])
def test_every_defect_is_told_as_a_run_would(command: tuple[str, ...], tmp_path: Path) -> None:
    (tmp_path / "run.yaml").write_text(BROKEN)

    ran = gg(*command, ".", cwd=tmp_path)

    assert (ran.returncode, ran.stdout, ran.stderr) == (1, "", TOLD)


@pytest.mark.slow
def test_defects_as_json(tmp_path: Path) -> None:
    (tmp_path / "run.yaml").write_text(
        BROKEN.replace("017", "{typecheck: 5}").replace("codemode", "codeMode")
    )

    ran = gg("validate", "run.yaml", "--json", cwd=tmp_path)

    assert (ran.returncode, ran.stderr) == (1, "")
    assert json.loads(ran.stdout) == {
        "ok": False,
        "defects": [
            {
                "agent": None,
                "place": "seed",
                "message": f"needs a whole number from 0 to {2**63 - 1}",
                "found": -1,
                "known": [],
                "line": 3,
            },
            {
                "agent": "a",
                "place": "agents[0].codeMode.typecheck",
                "message": "unknown type check level",
                "found": 5,
                "known": ["error", "warn", "off"],
                "line": 5,
            },
        ],
    }


def test_a_text_of_no_format_as_json(tmp_path: Path) -> None:
    (tmp_path / "run.toml").write_text("task = 't'\nseed = 1\nseed = 2\n")

    ran = gg("validate", "run.toml", "--json", cwd=tmp_path)

    assert (ran.returncode, ran.stderr) == (1, "")
    assert json.loads(ran.stdout) == {
        "ok": False,
        "defects": [
            {
                "agent": None,
                "place": "run.toml:3:9",
                "message": "no TOML: a key or a table that is written already; keep one",
                "found": "seed = 2",
                "known": [],
                "line": 3,
            }
        ],
    }


WRONG_USES = [
    (("nowhere", "--json"), "gg: nowhere does not exist; name a configuration, or the folder of one\n"),
    ((".",), "gg: . holds run.json and run.yml; keep one, or name the file\n"),
]


@pytest.mark.slow
@pytest.mark.parametrize(("arguments", "told"), WRONG_USES)
def test_wrong_use_is_one_line_that_names_the_remedy(
    arguments: tuple[str, ...], told: str, tmp_path: Path
) -> None:
    for name in ("run.json", "run.yml"):
        (tmp_path / name).touch()

    ran = gg("validate", *arguments, cwd=tmp_path)

    assert (ran.returncode, ran.stdout, ran.stderr) == (2, "", told)
