"""The JSON Schema that editors use: it takes what gg takes, and refuses what is of the wrong shape."""

import copy
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from docs.build import whole_files
from host.core.text import has_lone_surrogate
from host.launch import config_schema
from host.launch.formats import parse_json, parse_toml, parse_yaml
from tests.helpers.markdown import Block, blocks
from tests.host.launch.documents import SUFFIXES, VALID, broken, written
from tests.host.launch.teams import TEAM, put
from tests.host.launch.test_checking import MISSING, OFF, WRONG_VALUES
from tests.host.launch.test_formats_agree import VALID_DOCUMENTS
from tests.host.launch.test_teams import NAMES_NOTHING
from tests.host.launch.test_teams import WRONG_VALUES as WRONG_IN_TEAMS

ROOT = Path(__file__).parents[3]
SCHEMA = Draft202012Validator(config_schema())
PARSERS = {".json": parse_json, ".yaml": parse_yaml, ".yml": parse_yaml, ".toml": parse_toml}
FIXTURES = sorted(path for path in (ROOT / "fixtures").rglob("run.*") if path.suffix in PARSERS)
EXAMPLES = [
    block
    for page in (ROOT / "docs" / "settings.md", ROOT / "docs" / "tutorial.md")
    for block in blocks(page)
    if Path(block.file).suffix in PARSERS and block.file != "slips.yaml"
]

# What a schema does not say: rules over two places, which characters, and that `20.0` is no whole number.
BEYOND_A_SCHEMA = {
    ("root", "nobody"),
    ("maxTurns", 20.0),
    ("memoryMiB", 256.0),
    ("contextWindow", 128_000.0),
    ("maxParallel", 16.0),
    ("maxCount", 64.0),
    ("maxRuntimeSecs", float("inf")),
}


def test_the_schema_is_one() -> None:
    Draft202012Validator.check_schema(config_schema())
    assert json.loads(whole_files()["docs/run-config.schema.json"]) == config_schema()


@pytest.mark.parametrize("path", FIXTURES, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_fixture_fits(path: Path) -> None:
    assert _misfits(PARSERS[path.suffix](path.read_text(encoding="utf-8")).value) == []


@pytest.mark.parametrize("block", EXAMPLES, ids=lambda block: block.file)
def test_an_example_of_the_docs_fits(block: Block) -> None:
    assert _misfits(PARSERS[Path(block.file).suffix](block.text).value) == []


@pytest.mark.parametrize("suffix", SUFFIXES)
@pytest.mark.parametrize("document", [*VALID_DOCUMENTS, TEAM])
def test_a_document_that_is_planned_fits_in_every_format(document: dict[str, Any], suffix: str) -> None:
    assert _misfits(PARSERS[suffix](written(document, suffix)).value) == []


def test_a_hint_for_editors_fits() -> None:
    assert _misfits({"$schema": "run-config.schema.json", **VALID}) == []
    assert _misfits({"$schema": 5, **VALID}) != []


def _is_of_shape(place: tuple[str | int, ...], value: object) -> bool:
    if isinstance(value, str) and has_lone_surrogate(value):
        return False
    return not isinstance(place[-1], str) or not any(
        place[-1] == key and value == beyond and type(value) is type(beyond)
        for key, beyond in BEYOND_A_SCHEMA
    )


@pytest.mark.parametrize(
    ("place", "value"), [(place, value) for place, value, *_ in WRONG_VALUES if _is_of_shape(place, value)]
)
def test_a_wrong_shape_does_not_fit(place: tuple[str | int, ...], value: object) -> None:
    assert _misfits(broken(place, value)) != []


@pytest.mark.parametrize(
    ("place", "value"),
    [(place, value) for place, value, message, _ in WRONG_IN_TEAMS if not message.startswith(NAMES_NOTHING)],
)
def test_a_wrong_shape_in_a_document_of_several_agents_does_not_fit(
    place: tuple[str | int, ...], value: object
) -> None:
    assert _misfits(put(place, value)) != []


@pytest.mark.parametrize(
    ("parent", "key"), [(parent, key) for parent, key, *_ in MISSING if (parent, key) != ((), "model")]
)
def test_a_key_that_has_to_be_written_is_missed(parent: tuple[str | int, ...], key: str) -> None:
    document: Any = copy.deepcopy(VALID)
    holder = document
    for step in parent:
        holder = holder[step]
    del holder[key]

    assert _misfits(document) != []


@pytest.mark.parametrize(
    ("parent", "written"),
    [
        (("limits",), {"maxErrorRate": 0.5}),
        (("limits",), {"errorRateWindow": 5}),
        (("agents", 0, "capabilities", 0), {"id": "memories"}),
        (("agents", 0, "capabilities", 0), {"id": "files"}),
        (("agents", 0, "capabilities", 0), {"id": "compaction"}),
        (("agents", 0, "capabilities", 0), {"id": "compaction", "implementation": None}),
        (("agents", 0, "capabilities", 0), {"id": "files", "enabled": True, "params": {"write": True}}),
    ],
)
def test_what_comes_together_is_asked_for(parent: tuple[str | int, ...], written: dict[str, Any]) -> None:
    assert _misfits(broken(parent, written)) != []


@pytest.mark.parametrize("capability", OFF)
def test_a_capability_that_is_off_fits(capability: dict[str, Any]) -> None:
    assert _misfits(broken(("agents", 0, "capabilities", 0), capability)) == []


def test_every_key_and_every_object_is_described() -> None:
    undescribed = [place for place, found in _described(config_schema(), "") if not found.get("description")]

    assert undescribed == []


def _described(schema: dict[str, Any], place: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """What an editor shows a description of: the objects, and their keys."""
    for name, model in schema.get("$defs", {}).items():
        yield name, model
        yield from _described(model, name)
    for key, found in schema.get("properties", {}).items():
        yield f"{place}.{key}", found
    for choice in schema.get("anyOf", []):
        yield from _described(choice, place)


def _misfits(document: object) -> list[str]:
    return [error.message for error in SCHEMA.iter_errors(document)]
