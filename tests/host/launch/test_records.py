"""The capability `records` at the launch: what it comes to, and everything that is wrong with one."""

from pathlib import Path
from typing import Any

import pytest

from host.core.errors import LaunchRefused
from host.launch import LaunchPlan, PromotionPlan, RecordsPlan, summarize, validate
from tests.helpers.runs import SCRATCHPAD

MEMORIES = {"id": "memories", **SCRATCHPAD}
NO_EXTRA = (
    "needs the extra `embeddings`, whose package wordllama is not installed: pip install 'gg[embeddings]';"
    " or write false, and records are searched by their words alone"
)


def launch(params: object, *others: dict[str, Any], enabled: bool = True) -> LaunchPlan:
    capabilities = [*others, {"id": "records", "enabled": enabled, "params": params}]
    document = {
        "task": "Do it.",
        "model": {"provider": "scripted", "replies": ["export {}"]},
        "agents": [{"id": "root", "capabilities": capabilities}],
    }
    return validate(document, base=Path.cwd())


def planned(params: object, *others: dict[str, Any]) -> RecordsPlan | None:
    return launch(params, *others).root_agent.records


def defects(params: object, *others: dict[str, Any], enabled: bool = True) -> list[tuple[str, str]]:
    with pytest.raises(LaunchRefused) as raised:
        launch(params, *others, enabled=enabled)
    whole = f"agents[0].capabilities[{len(others)}].params"
    return [(defect.place.removeprefix(whole), defect.message) for defect in raised.value.defects]


def test_what_is_not_written_is_searched_and_shown_and_nothing_is_promoted() -> None:
    plan = launch({})

    assert plan.root_agent.records == RecordsPlan(
        top_k=5, has_section=True, max_section_chars=4096, promotions=()
    )
    assert summarize(plan) == ("run can be run: root root (scripted; responses_as_code; records); no limits",)


def test_what_is_written_is_in_the_plan() -> None:
    promote = [{"slugs": ["how-*", "why"], "kind": "lesson"}, {"slugs": ["*"]}]
    params = {"topK": 100, "section": False, "maxLenSection": 0, "hybrid": False, "promote": promote}

    assert planned(params, MEMORIES) == RecordsPlan(
        top_k=100,
        has_section=False,
        max_section_chars=None,
        promotions=(
            PromotionPlan(slugs=("how-*", "why"), kind="lesson"),
            PromotionPlan(slugs=("*",), kind="note"),
        ),
    )


def test_one_that_is_off_is_none_and_its_values_are_checked_all_the_same() -> None:
    assert launch({"hybrid": True, "promote": [{"slugs": ["*"]}]}, enabled=False).root_agent.records is None
    assert defects({"topK": 0}, enabled=False) == [(".topK", "needs a whole number from 1 to 100")]


WRONG = [
    ({"topK": 101}, [(".topK", "needs a whole number from 1 to 100")]),
    ({"topK": True}, [(".topK", "needs a whole number from 1 to 100")]),
    ({"maxLenSection": -1}, [(".maxLenSection", "needs a whole number, 0 or more; 0 lifts the limit")]),
    ({"section": "yes"}, [(".section", "needs true or false")]),
    ({"hybrid": "x"}, [(".hybrid", "needs true or false")]),
    ({"promote": [{}]}, [(".promote[0].slugs", "required")]),
    ({"promote": [{"slugs": []}]}, [(".promote[0].slugs", "needs at least one entry")]),
    ({"promote": [{"slugs": [" "]}]}, [(".promote[0].slugs[0]", "needs text that is not empty")]),
    ({"promote": [{"slugs": ["*"], "kind": "rule"}]}, [(".promote[0].kind", "unknown kind of record")]),
    ({"promote": "*"}, [(".promote", "needs a list")]),
    ({"top_k": 5}, [(".top_k", 'unknown key; did you mean "topK"?')]),
    (
        {"promote": [{"slugs": "*"}], "section": 1, "topK": 0, "hybrid": "on"},
        [
            (".promote[0].slugs", "needs a list"),
            (".section", "needs true or false"),
            (".topK", "needs a whole number from 1 to 100"),
            (".hybrid", "needs true or false"),
        ],
    ),
]


@pytest.mark.parametrize(("params", "expected"), WRONG)
def test_everything_wrong_is_a_defect_in_the_order_of_the_document(
    params: dict[str, Any], expected: list[tuple[str, str]]
) -> None:
    assert defects(params, MEMORIES) == expected


def test_an_agent_without_memories_has_none_to_promote() -> None:
    message = "promotes memories, and this agent has no capability `memories`"

    assert defects({"promote": [{"slugs": ["*"]}]}) == [(".promote", message)]


def test_memories_that_an_arm_switches_off_keep_no_run_from_its_start() -> None:
    assert planned({"promote": [{"slugs": ["*"]}]}, {**MEMORIES, "enabled": False}) is not None


MATCHES = [("*", "any", True), ("how-*", "how-to", True), ("how-*", "show-to", False), ("why", "whys", False)]


@pytest.mark.parametrize(("pattern", "slug", "takes"), MATCHES)
def test_a_pattern_stands_for_slugs(pattern: str, slug: str, takes: bool) -> None:
    assert PromotionPlan(slugs=("never", pattern), kind="note").takes(slug) is takes


@pytest.fixture
def installed(monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """The packages that are there, which the test may take from."""
    packages = {"numpy", "tokenizers", "wordllama"}
    monkeypatch.setattr("host.launch.embeddings.find_spec", lambda name: name if name in packages else None)
    return packages


def test_hybrid_searches_are_in_the_plan_where_the_extra_is_there(installed: set[str]) -> None:
    assert planned({"hybrid": True}) == RecordsPlan(is_hybrid=True)
    assert planned({"hybrid": False}) == RecordsPlan()


def test_hybrid_searches_without_the_extra_are_refused_with_its_name(installed: set[str]) -> None:
    installed.remove("wordllama")

    assert defects({"hybrid": True}) == [(".hybrid", NO_EXTRA)]
    assert planned({"hybrid": False}) == RecordsPlan()
