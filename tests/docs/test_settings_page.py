"""`docs/settings.md` against the code: limits, secrets, variables, and every key there is."""

import ast
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from pydantic import BaseModel

from docs.render_settings import render_keys, render_limits
from host.app.record_home import RECORD_VARIABLES
from host.core.scrubbing import secrets_from
from host.launch.capabilities import CAPABILITY_IDS
from host.launch.models import LimitSettings, RunSettings
from host.mcp.tokens import VARIABLE as TOKEN_VARIABLE
from tests.host.cli.processes import GG, environment

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "settings.md").read_text(encoding="utf-8")
SECRETS = PAGE[PAGE.index("A variable holds one by its name") : PAGE.index("## Keys")]
WORDS, ENDS = (re.findall(r"`(\w+)`", part) for part in SECRETS.split("or a word that ends with"))


def test_every_limit_has_a_row() -> None:
    limits = {field.alias for field in LimitSettings.model_fields.values()}
    rows = set(re.findall(r"^\| `(\w+)` \|", render_limits(), re.MULTILINE))

    assert limits - rows == {"errorRateWindow"}
    assert rows <= limits


def test_every_key_has_a_row_that_describes_it() -> None:
    rows = [line.strip("| ").split(" | ") for line in render_keys().splitlines()[2:]]
    keys = [row[0].strip("`") for row in rows if not row[0].startswith("**")]
    last_steps = {re.split(r"[.\s]", key.removesuffix("[]"))[-1] for key in keys}
    models = list(_models(RunSettings))

    assert len(keys) == len(set(keys))
    assert {step for model in models for step in _aliases(model)} - {"id"} <= last_steps
    assert [row for row in rows if len(row[-1]) < 10] == []
    assert [row[0] for row in rows if row[0].startswith("**")] == [f"**`{name}`**" for name in CAPABILITY_IDS]


def _models(model: type[BaseModel]) -> Iterator[type[BaseModel]]:
    yield model
    for field in model.model_fields.values():
        for found in _models_in(field.annotation):
            yield from _models(found)


def _models_in(annotation: object) -> Iterator[type[BaseModel]]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield annotation
    for inner in getattr(annotation, "__args__", ()):
        yield from _models_in(inner)


def _aliases(model: type[BaseModel]) -> set[str]:
    return {field.alias or name for name, field in model.model_fields.items()}


@pytest.mark.parametrize(
    "name",
    [*(f"MY_{word}" for word in WORDS), *(f"my_{word}_2" for word in WORDS), *(f"MY{e}" for e in ENDS)],
)
def test_a_variable_that_the_page_calls_secret_is_one(name: str) -> None:
    assert secrets_from({name: "123456"}) == {name: "123456"}


@pytest.mark.parametrize(
    ("name", "value"), [("PWD", "123456"), ("MONKEY", "123456"), ("PATH", "123456"), ("MY_KEY", "12345")]
)
def test_another_variable_is_none(name: str, value: str) -> None:
    assert secrets_from({name: value}) == {}


def test_the_words_are_those_of_the_page() -> None:
    assert (len(WORDS), len(ENDS)) == (9, 9)


# variables of gg's environment, and whether a refusal to a pipe is coloured by them
COLOURS = [
    ({}, False),
    ({"FORCE_COLOR": "1"}, True),
    ({"FORCE_COLOR": "1", "NO_COLOR": "1"}, False),
    ({"FORCE_COLOR": "1", "TERM": "dumb"}, False),
    ({"FORCE_COLOR": "1", "TERM": "unknown"}, False),
]


@pytest.mark.slow
@pytest.mark.parametrize(("variables", "is_coloured"), COLOURS)
def test_the_variables_of_colour_do_what_the_page_says(
    variables: dict[str, str], is_coloured: bool, tmp_path: Path
) -> None:
    ran = subprocess.run(
        [str(GG), "validate", "nowhere"],
        cwd=tmp_path,
        env={**environment(), "TERM": "xterm", **variables},
        capture_output=True,
        timeout=60,
        check=False,
    )

    assert (b"\x1b[" in ran.stderr) is is_coloured
    assert set(variables) <= set(_variables())


@pytest.mark.slow
def test_a_variable_that_the_code_names_is_on_the_page() -> None:
    named = {name for path in (ROOT / "host").rglob("*.py") for name in _named(path)}

    assert named <= set(_variables())


def test_the_variables_of_the_record_store_are_on_the_page() -> None:
    assert {*RECORD_VARIABLES, TOKEN_VARIABLE} <= set(_variables())


def _variables() -> list[str]:
    return re.findall(r"^\| `([A-Z0-9_]+)` \|", PAGE, re.MULTILINE)


def _named(path: Path) -> Iterator[str]:
    """Variables that a module reads by their name: `environ["X"]`, `environ.get("X")`."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        source = ast.unparse(node) if isinstance(node, ast.Call | ast.Subscript) else ""
        found = re.match(r"os\.environ(?:\.get\(|\[)'(\w+)'", source)
        if found:
            yield found[1]
