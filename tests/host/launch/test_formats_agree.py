"""One document, three formats: the same plan, or the same defects."""

import copy
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from host.core.errors import Defect, LaunchRefused
from host.core.text import has_lone_surrogate
from host.launch import ConfigurationNotFound, LaunchPlan, load
from host.launch.capabilities import CAPABILITY_IDS, LIMIT_KEYS, SCOPES, STRATEGIES
from tests.host.launch.documents import SUFFIXES, VALID, broken, changed, written
from tests.host.launch.teams import TEAM
from tests.host.launch.test_checking import WRONG_VALUES

Told = list[tuple[str | None, str, str, object, tuple[str, ...]]]

VALID_DOCUMENTS = [
    VALID,
    {"task": "t", "model": {"provider": "scripted", "replies": ["x"]}, "agents": [{"id": "no"}]},
    broken(("task",), 'two\nlines, "quotes" \\ and 😀\u2028\x7f end '),
    broken(
        ("model", "replies"), ["", " \t\n", "# no comment", "- no list", "true", "0o17", "1e3", "~", "\x00"]
    ),
    broken(("limits",), {"maxErrorRate": 0.25, "errorRateWindow": 4, "maxRuntimeSecs": 1e-5}),
    broken(("seed",), 2**63 - 1),
    broken(("agents", 0, "prompt"), "2026-11-30"),
    changed(lambda document: document["agents"][0].pop("capabilities")),
]


def put(document: object, folder: Path, suffix: str) -> Path:
    file = folder / f"run{suffix}"
    file.write_text(written(document, suffix), encoding="utf-8", newline="")
    return file


def outcome(file: Path) -> LaunchPlan | Told:
    """The plan, or what is told of each defect less the line."""
    try:
        return load(file)
    except LaunchRefused as refused:
        return [_told(defect) for defect in refused.defects]


def _told(defect: Defect) -> tuple[str | None, str, str, object, tuple[str, ...]]:
    return defect.agent, defect.place, defect.message, defect.found, defect.known


@pytest.mark.parametrize("document", VALID_DOCUMENTS)
def test_a_document_gives_one_plan_in_every_format(document: dict[str, Any], tmp_path: Path) -> None:
    plans = [load(put(document, tmp_path, suffix)) for suffix in SUFFIXES]

    assert plans == [plans[0]] * len(SUFFIXES)
    assert {plan.config_sha256 for plan in plans} == {plans[0].config_sha256}
    assert plans[0].document == document


def _is_written_in_all(value: object) -> bool:
    """TOML has no null, and only JSON can write half of a character."""
    if isinstance(value, str):
        return not has_lone_surrogate(value)
    return json.dumps(value) not in ("null", "Infinity")


@pytest.mark.parametrize(
    ("place", "value"),
    [(place, value) for place, value, *_ in WRONG_VALUES if _is_written_in_all(value)],
)
def test_a_wrong_value_is_the_same_defect_in_every_format(
    place: tuple[str | int, ...], value: object, tmp_path: Path
) -> None:
    outcomes = [outcome(put(broken(place, value), tmp_path, suffix)) for suffix in SUFFIXES]

    assert isinstance(outcomes[0], list)
    assert outcomes == [outcomes[0]] * len(SUFFIXES)


LIFTABLE = "needs a whole number, 0 or more; 0 lifts the limit"
# what stands in the file in every format, what is said of it, what is found there
NO_COUNTS: list[tuple[str, str, object]] = [
    ("true", LIFTABLE, True),
    ("64.0", LIFTABLE, 64.0),
    ('"64"', LIFTABLE, "64"),
    ("-1", LIFTABLE, -1),
    ("[]", LIFTABLE, []),
    ("1e400", "not a finite number", "1e400"),
    ("9007199254740993", "needs at most 9007199254740992; 0 lifts the limit", 2**53 + 1),
]


@pytest.mark.parametrize("key", LIMIT_KEYS)
@pytest.mark.parametrize(("text", "message", "found"), NO_COUNTS)
def test_what_is_no_whole_count_is_refused_in_every_limit(
    key: str, text: str, message: str, found: object, tmp_path: Path
) -> None:
    params = ("agents", 0, "capabilities", 0, "params")
    for suffix in SUFFIXES:
        file = put(broken((*params, key), "HERE"), tmp_path, suffix)
        file.write_text(file.read_text().replace('"HERE"', text))

        place = f"agents[0].capabilities[0].params.{key}"
        assert outcome(file) == [("analyst", place, message, found, ())]


@pytest.mark.parametrize("suffix", [".json", ".yaml"])
def test_a_limit_that_is_null_is_missing(suffix: str, tmp_path: Path) -> None:
    params = dict.fromkeys(VALID["agents"][0]["capabilities"][0]["params"])

    told = outcome(put(broken(("agents", 0, "capabilities", 0, "params"), params), tmp_path, suffix))

    assert isinstance(told, list)
    assert [place for _, place, *_ in told] == [f"agents[0].capabilities[0].params.{key}" for key in params]


@pytest.mark.parametrize(("suffix", "text"), [(".json", "NaN"), (".yaml", ".nan"), (".toml", "nan")])
def test_what_is_no_number_is_refused_in_the_words_of_its_file(
    suffix: str, text: str, tmp_path: Path
) -> None:
    file = put(broken(("seed",), "HERE"), tmp_path, suffix)
    file.write_text(file.read_text().replace('"HERE"', text))

    assert outcome(file) == [(None, "seed", "not a finite number", text, ())]


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_a_hint_for_editors_is_no_part_of_the_configuration(suffix: str, tmp_path: Path) -> None:
    plain = load(put(VALID, tmp_path, suffix))
    hinted = load(put({"$schema": "../docs/run-config.schema.json", **VALID}, tmp_path, suffix))

    assert (hinted, hinted.config_sha256) == (plain, plain.config_sha256)


def test_defects_are_told_in_the_order_of_the_file(tmp_path: Path) -> None:
    document = {"seed": -1, "agents": [{"codeMode": {"x": 1}, "id": ""}], "name": "", "task": 5}

    for suffix in SUFFIXES:
        told = outcome(put(document, tmp_path, suffix))
        assert isinstance(told, list)
        assert [place for _, place, *_ in told] == [
            "seed",
            "agents[0].codeMode.x",
            "agents[0].id",
            "agents[0].model",
            "name",
            "task",
        ]


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_a_defect_is_told_with_its_line(suffix: str, tmp_path: Path) -> None:
    text = {
        ".json": '{\n"task": "t",\n"limits": {\n"maxTurns": 0},\n"agents": [\n{}]}',
        ".toml": 'task = "t"\n\n[limits]\nmaxTurns = 0\n\n[[agents]]\n',
    }.get(suffix, "task: t\n# c\nlimits:\n  maxTurns: 0\nagents:\n  - {}\n")
    file = tmp_path / f"run{suffix}"
    file.write_text(text)

    with pytest.raises(LaunchRefused) as exc_info:
        load(file)

    assert [(defect.place, defect.file, defect.line) for defect in exc_info.value.defects] == [
        ("limits.maxTurns", str(file), 4),
        ("agents[0].id", str(file), 6),
        ("agents[0].model", str(file), 6),
    ]


KEYS = [
    *("task", "root", "name", "model", "provider", "replies", "limits", "maxTurns", "maxErrorRate"),
    *("errorRateWindow", "maxRuntimeSecs", "sandbox", "guestSecs", "memoryMiB", "confine", "seed", "agents"),
    *("id", "execution", "codeMode", "typecheck", "healing", "strip-fences", "prompt", "capabilities"),
    *(
        "features",
        "reviseMemories",
        "contextWindow",
        "counter",
        "enabled",
        "implementation",
        "params",
        "scope",
        "dir",
        "write",
        "copy",
        "threshold",
        "maxParallel",
        "roster",
        "agent",
        "as",
        "states",
        "to",
        "transfer",
        "board",
        "$schema",
        "<<",
        *LIMIT_KEYS,
    ),
]
WORDS = [
    *CAPABILITY_IDS,
    *STRATEGIES,
    *SCOPES,
    "scripted",
    "subagent",
    "a",
    ".",
    "nowhere:x",
    "replies",
    "x:",
    "- x",
    "~",
]
TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
VALUES = st.recursive(
    st.one_of(
        st.booleans(),
        st.integers(),
        st.floats(allow_nan=False, allow_infinity=False),
        TEXTS,
        st.sampled_from(WORDS),
    ),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.dictionaries(st.one_of(st.sampled_from(KEYS), TEXTS), inner, max_size=5),
    ),
    max_leaves=12,
)


@st.composite
def documents(draw: st.DrawFn) -> dict[str, Any]:
    """Any object, or a valid document with anything in some places."""
    if draw(st.booleans()):
        return draw(st.dictionaries(st.one_of(st.sampled_from(KEYS), TEXTS), VALUES, min_size=1, max_size=6))
    document = copy.deepcopy(draw(st.sampled_from([VALID, TEAM])))
    for _ in range(draw(st.integers(1, 3))):
        at: Any = document
        while True:
            step = draw(st.sampled_from([*at]) if isinstance(at, dict) else st.integers(0, len(at) - 1))
            if not isinstance(at[step], dict | list) or not at[step] or draw(st.booleans()):
                at[step] = draw(VALUES)
                break
            at = at[step]
    return document


@pytest.mark.slow
@settings(deadline=None, max_examples=150)
@given(document=documents())
def test_any_document_is_planned_or_refused_alike_in_every_format(
    document: dict[str, Any], tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("any")

    outcomes = [outcome(put(document, folder, suffix)) for suffix in (".json", ".yaml", ".toml")]

    assert outcomes[1] == outcomes[0]
    assert outcomes[2] == outcomes[0]


MARKS = ["{", "}", "[", "]", ":", ": ", ",", '"', "'", "\n", "\n  ", "\t", "- ", "=", "&a", "*a", "!!x ", "|"]


@pytest.mark.slow
@settings(deadline=None, max_examples=300)
@given(
    suffix=st.sampled_from(SUFFIXES),
    pieces=st.lists(
        st.one_of(st.sampled_from([*MARKS, "---", "#", "1", "\\", "task", "[["]), TEXTS), max_size=20
    ),
)
def test_any_text_is_planned_or_refused(
    suffix: str, pieces: list[str], tmp_path_factory: pytest.TempPathFactory
) -> None:
    file = tmp_path_factory.mktemp("any") / f"run{suffix}"
    file.write_bytes("".join(pieces).encode())

    with pytest.raises((LaunchRefused, ConfigurationNotFound)):
        load(file)
