"""`gg skillbook consolidate` with a script, and with a model that answers on loopback."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import pytest

from host.skillbook import BookFile
from tests.helpers.model_server import Said, fault, model_server
from tests.helpers.skillbooks import skill
from tests.host.cli.skillbook.books import BOOK, answer, held, skillbook, written
from tests.host.providers.models.vendors import COMPATIBLE

GOLDEN = Path(__file__).parent / "golden"
SAME: Final = "An export of many rows runs out of time."
MERGE: Final = {
    "type": "MERGE",
    "source_ids": ["b"],
    "keep_id": "a",
    "merged_content": "Write it in parts, and count them.",
    "reasoning": "They say the same.",
}
KEEP: Final = {"type": "KEEP", "skill_ids": ["a", "b"], "reasoning": "One is for large ones."}


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def alike() -> Path:
    """A book with two skills that are alike, and one that is like none."""
    return written(
        skill("a", SAME, insight="Write it in parts.", helpful_count=3),
        skill("b", SAME, insight="Write the export in parts.", helpful_count=2),
        skill("c", "The tests need a display.", insight="Start a virtual one."),
    )


def script(*decisions: dict[str, Any]) -> str:
    Path("script.json").write_text(json.dumps({"decisions": decisions}))
    return "script.json"


def test_a_dry_run_shows_the_diff_and_changes_nothing(golden: Callable[[Path, str], None]) -> None:
    before = alike().read_text()
    ran = skillbook("consolidate", "--script", script(MERGE), "--dry-run")

    assert (ran.code, BOOK.read_text()) == (0, before)
    settled = [row for row in ran.out.splitlines() if "updated_at" not in row]
    golden(GOLDEN / "dry_run.txt", "\n".join(settled) + f"\n--\n{ran.err}")


def test_a_merge_is_carried_out(golden: Callable[[Path, str], None]) -> None:
    alike()
    ran = skillbook("consolidate", "--script", script(MERGE))
    kept = held()

    assert ran.code == 0
    golden(GOLDEN / "merged.txt", f"{ran.out}--\n{ran.err}")
    assert (kept["a"].helpful_count, kept["a"].insight) == (5, MERGE["merged_content"])
    assert (kept["b"].active, kept["b"].merged_into) == (False, "a")


def test_what_is_kept_apart_is_not_asked_again_until_a_text_changes() -> None:
    alike()
    first = answer("consolidate", "--script", script(KEEP))
    again = answer("consolidate", "--script", script(KEEP), code=1)
    BookFile(BOOK).apply(lambda book: book.update_skill("a", insight="Write it in parts of 1,000."))
    changed = answer("consolidate", "--script", script(KEEP))

    assert (first["outcome"], first["asked"], first["settled_before"]) == ("done", 1, 0)
    assert (again["asked"], again["settled_before"]) == (0, 1)
    assert again["why"] == ["KEEP of `a` and `b`: no question was about these skills"]
    assert (changed["asked"], changed["reopened"][0]["changed"]) == (1, ["a"])


def test_nothing_to_do_says_so() -> None:
    written(skill("a"), skill("b", "The tests need a display.", insight="Start one."))
    with model_server() as server:
        ran = skillbook("consolidate", "--model", COMPATIBLE.name, "--base-url", server.url("/v1"))

    assert (ran.code, server.asked) == (0, [])
    assert ran.out == "compared     2 skills by lexical/1, from 0.4200 on\nasked        0 questions\n"
    assert ran.err == "skills no two skills are similar that nothing keeps apart\n"


def test_a_question_without_an_answer_exits_with_1() -> None:
    alike()
    ran = skillbook("consolidate", "--script", script({**KEEP, "skill_ids": ["a", "c"]}))

    assert ran.code == 1
    assert "open         a and b: the script has no decision about these skills\n" in ran.out
    assert "refused      KEEP of a and c: no question was about these skills\n" in ran.out
    assert "gg: no answer about `a` and `b`: the script has no decision about these skills\n" in ran.err


def test_a_ceiling_exits_with_3_and_says_what_is_left() -> None:
    written(
        *(skill(f"{name}{number}", text) for name, text in (("a", SAME), ("b", "x y z")) for number in "12")
    )
    decided = script({**KEEP, "skill_ids": ["a1", "a2"]}, {**KEEP, "skill_ids": ["b1", "b2"]})
    ran = skillbook("consolidate", "--script", decided, "--max-questions", "1")

    assert ran.code == 3
    assert "not asked    b1 and b2, 1.0000\n" in ran.out
    assert ran.err.endswith("gg: the ceiling of 1 question is reached\n")


def test_the_threshold_says_from_where_on() -> None:
    alike()
    value = answer("consolidate", "--script", script(KEEP), "--threshold", "0.99", code=1)

    assert (value["threshold"], value["asked"]) == (0.99, 0)


def test_a_model_decides_and_what_it_cost_is_told() -> None:
    alike()
    reply = json.dumps({"decisions": [MERGE]})
    with model_server(COMPATIBLE.speaks(Said(text=reply))) as server:
        ran = skillbook("consolidate", "--model", COMPATIBLE.name, "--base-url", server.url("/v1"))
        [asked] = server.asked

    assert (ran.code, held()["b"].merged_into) == (0, "a")
    assert "tokens       100 in, 20 out" in ran.out
    assert SAME in json.dumps(asked.body)


def test_a_model_that_cannot_be_reached_is_no_silent_nothing() -> None:
    alike()
    with model_server(fault(401, "no such key")) as server:
        ran = skillbook("consolidate", "--model", COMPATIBLE.name, "--base-url", server.url("/v1"))

    assert (ran.code, held()["b"].merged_into) == (1, None)
    assert "gg: the model gave no reply: " in ran.err
    assert "not asked    a and b, " in ran.out


def test_without_its_extra_embeddings_say_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("host.launch.embeddings.find_spec", lambda name: None)
    alike()
    ran = skillbook("consolidate", "--measure", "embeddings", "--script", script(KEEP))

    assert (ran.code, ran.out) == (1, "")
    assert ran.err.endswith("numpy is not installed: pip install 'gg[embeddings]'\n")


def test_there_is_nothing_to_consolidate_without_a_book(here: Path) -> None:
    ran = skillbook("consolidate", "--script", script(KEEP))

    assert (ran.code, ran.out) == (1, "")
    assert ran.err.startswith("gg: there is no skillbook at `.gg/skillbook.json`;")


WRONG = [
    ((), "it asks on a terminal, and stdin or stderr is none; say who decides, with --model or --script."),
    (("--decide", "model"), "--decide model needs --model NAME, such as openai:gpt-5."),
    (("--decide", "script"), "--decide script needs --script FILE."),
    (("--decide", "ask", "--model", "a:b"), "--model is for --decide model; leave it out."),
    (("--script", "x", "--model", "a:b"), "--script is for --decide script; leave it out."),
    (("--base-url", "http://x"), "--base-url is for --decide model; leave it out."),
    (("--script", "none.json"), "--script `none.json` cannot be read: no such file or directory."),
    (("--script", "bad.json"), "--script `bad.json` holds no decisions: decision 1: its type is `X`,"),
    (("--threshold", "1.1"), "--threshold: `1.1` is no number from 0 to 1."),
    (("--threshold", "nan"), "--threshold: `nan` is no number from 0 to 1."),
    (("--max-cost", "-1"), "--max-cost: `-1` is no number from 0."),
    (("--measure", "cosine"), "--measure: `cosine` is none of lexical or embeddings."),
    (
        ("--script", "good.json", "--threshold", "0.1"),
        "--threshold: a least similarity of 0.1000 is below 0.3500, from where on lexical/1 finds pairs.",
    ),
]


@pytest.mark.parametrize(("arguments", "told"), WRONG)
def test_wrong_use_is_told_in_one_line(arguments: tuple[str, ...], told: str, here: Path) -> None:
    alike()
    (here / "bad.json").write_text('{"decisions": [{"type": "X"}]}')
    (here / "good.json").write_text(json.dumps({"decisions": [KEEP]}))
    ran = skillbook("consolidate", *arguments)

    assert (ran.code, ran.out, len(ran.err.splitlines())) == (2, "", 1)
    assert ran.err.startswith(f"gg skillbook consolidate: {told}")


@pytest.mark.parametrize(
    ("name", "told"), [("human", "human is no model of a vendor;"), ("nobody:x", "model.provider: ")]
)
def test_a_model_that_cannot_be_asked_is_refused(name: str, told: str) -> None:
    alike()
    ran = skillbook("consolidate", "--model", name)

    assert (ran.code, ran.out) == (1, "")
    assert told in ran.err
