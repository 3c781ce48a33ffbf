"""The capability `skillbook` at the launch: what it comes to, and everything that is wrong with one."""

from pathlib import Path
from typing import Any

import pytest

from host.core.errors import LaunchRefused
from host.launch import BOOK_FILE, LaunchPlan, SkillbookPlan, summarize, validate
from tests.helpers.skills import write_skill

KEEPER = {"id": "keeper"}


def launch(
    params: object, *others: dict[str, Any], base: Path | None = None, enabled: bool = True
) -> LaunchPlan:
    capabilities = [{"id": "skillbook", "enabled": enabled, "params": params}]
    document = {
        "task": "Do it.",
        "model": {"provider": "scripted", "replies": ["export {}"]},
        "agents": [{"id": "root", "capabilities": capabilities}, *others],
    }
    return validate(document, base=base or Path.cwd())


def defects(
    params: object, *others: dict[str, Any], base: Path | None = None, enabled: bool = True
) -> list[tuple[str, str]]:
    with pytest.raises(LaunchRefused) as raised:
        launch(params, *others, base=base, enabled=enabled)
    whole = "agents[0].capabilities[0].params"
    return [(defect.place.removeprefix(whole), defect.message) for defect in raised.value.defects]


def test_what_is_not_written_is_the_book_of_the_current_directory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)

    plan = launch({}, base=tmp_path / "elsewhere")

    assert plan.root_agent.skillbook == SkillbookPlan(
        book=tmp_path / BOOK_FILE, top_k=5, max_section_chars=4096, scope=None, reflector=None
    )
    assert (tmp_path / ".gg" / "skillbook.json") == tmp_path / BOOK_FILE
    assert summarize(plan) == (
        "run can be run: root root (scripted; responses_as_code; skillbook); no limits",
    )


def test_what_is_written_is_in_the_plan_and_the_book_beside_the_configuration(tmp_path: Path) -> None:
    params = {"book": "books/b.json", "topK": 2, "maxLenSection": 0, "scope": "shop", "reflector": "keeper"}

    assert launch(params, KEEPER, base=tmp_path).root_agent.skillbook == SkillbookPlan(
        book=tmp_path / "books" / "b.json",
        top_k=2,
        max_section_chars=None,
        scope="shop",
        reflector="keeper",
    )


def test_one_that_is_off_is_none_and_its_values_are_checked_all_the_same() -> None:
    assert launch({"reflector": "nobody"}, enabled=False).root_agent.skillbook is None
    assert defects({"topK": 0}, enabled=False) == [(".topK", "needs a whole number from 1 to 100")]


WRONG = [
    ({"topK": 101}, [(".topK", "needs a whole number from 1 to 100")]),
    ({"maxLenSection": -1}, [(".maxLenSection", "needs a whole number, 0 or more; 0 lifts the limit")]),
    ({"book": " "}, [(".book", "needs text that is not empty")]),
    ({"book": "."}, [(".book", "is a directory; name a JSON file")]),
    ({"book": "a\0b"}, [(".book", "holds a NUL character, which no path has")]),
    ({"book": "\ud83d.json"}, [(".book", "holds half of a surrogate pair, which is no character")]),
    ({"book": "x" * 300}, [(".book", "names no file: file name too long")]),
    ({"scope": 1}, [(".scope", "needs text that is not empty")]),
    ({"scope": "*"}, [(".scope", "stands for skills of all scopes; name one, or leave it out")]),
    ({"reflector": "keper"}, [(".reflector", 'names no agent; did you mean "keeper"?')]),
    ({"reflector": "root"}, [(".reflector", "is the agent itself; name another one")]),
    ({"top_k": 5}, [(".top_k", 'unknown key; did you mean "topK"?')]),
    (
        {"topK": "5", "maxLenSection": "x", "book": "", "scope": "", "reflector": "no"},
        [
            (".topK", "needs a whole number from 1 to 100"),
            (".maxLenSection", "needs a whole number, 0 or more; 0 lifts the limit"),
            (".book", "needs text that is not empty"),
            (".scope", "needs text that is not empty"),
            (".reflector", "names no agent"),
        ],
    ),
]


@pytest.mark.parametrize(("params", "expected"), WRONG)
def test_everything_wrong_is_a_defect_in_the_order_of_the_document(
    params: dict[str, Any], expected: list[tuple[str, str]]
) -> None:
    assert defects(params, KEEPER) == expected


def test_the_root_reflects_on_nobody() -> None:
    other = {"id": "other", "capabilities": [{"id": "skillbook", "params": {"reflector": "root"}}]}
    with pytest.raises(LaunchRefused) as raised:
        launch({}, other, enabled=False)

    assert [(defect.place, defect.message) for defect in raised.value.defects] == [
        (
            "agents[1].capabilities[0].params.reflector",
            "is the root, which has the task; name another agent",
        )
    ]


def test_a_reflector_has_no_book_of_its_own() -> None:
    own = {"id": "skillbook"}
    message = (
        "has the capability `skillbook` itself, and is given the book of whom it reflects on; switch it off"
    )

    assert defects({"reflector": "keeper"}, {**KEEPER, "capabilities": [own]}) == [(".reflector", message)]
    off = {**KEEPER, "capabilities": [{**own, "enabled": False}]}
    assert launch({"reflector": "keeper"}, off).agent("keeper").skillbook is None


def test_a_reflector_that_calls_tools_has_one_tool_of_a_name(tmp_path: Path) -> None:
    write_skill(tmp_path / "skills", "letters")
    skills = {"id": "skills", "params": {"dir": "skills"}}
    params = {"reflector": "keeper"}
    calling = {**KEEPER, "execution": "tool_calling", "capabilities": [skills]}

    [(place, message)] = defects(params, calling, base=tmp_path)
    assert (place, message.partition(",")[0]) == (
        ".reflector",
        "calls tools and has the capability `skills`",
    )
    assert launch(params, {**KEEPER, "capabilities": [skills]}, base=tmp_path).agent("keeper").skills


FILES = [
    ({"dir": "work", "write": True}, "work/b.json", True),
    ({"dir": "work", "write": True}, "work/below/b.json", True),
    ({"dir": ".", "write": True}, "work/../b.json", True),
    ({"dir": "work", "write": True}, "b.json", False),
    ({"dir": "work", "write": True}, "work/.gg/b.json", False),
    ({"dir": "work", "write": True, "copy": True}, "work/b.json", False),
    ({"dir": "work"}, "work/b.json", False),
]


@pytest.mark.parametrize(("params", "book", "is_refused"), FILES)
def test_a_book_that_programs_may_write_is_refused(
    tmp_path: Path, params: dict[str, Any], book: str, is_refused: bool
) -> None:
    (tmp_path / "work").mkdir()
    worker = {"id": "worker", "capabilities": [{"id": "files", "params": params}]}
    directory = (tmp_path / params["dir"]).resolve()

    if is_refused:
        message = f"lies in {directory}, which agent worker may write; name one elsewhere"
        assert defects({"book": book}, worker, base=tmp_path) == [(".book", message)]
    else:
        assert launch({"book": book}, worker, base=tmp_path).root_agent.skillbook


def test_a_folder_of_half_a_character_is_told_and_no_book_lies_in_it() -> None:
    folder = {"id": "files", "params": {"dir": "\ud83d", "write": True}}
    worker = {"id": "worker", "capabilities": [folder]}

    with pytest.raises(LaunchRefused, match="half of a surrogate pair"):
        launch({"book": "b.json"}, worker)
