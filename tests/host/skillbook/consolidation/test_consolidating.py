"""A pass over a book in its file: what is asked, what is carried out, what is told."""

import json
from collections.abc import Callable, Iterable
from decimal import Decimal
from pathlib import Path
from typing import Any

import anyio
import pytest

from host.core.messages import Usage
from host.skillbook import (
    Answer,
    Answered,
    BookFile,
    Ceilings,
    Decision,
    Delete,
    Keep,
    Lexical,
    Merge,
    Question,
    Report,
    Rewrite,
    ScriptedDecider,
    Search,
    Skill,
    Skillbook,
    Stopped,
    Unanswered,
    consolidate,
    embedding_text,
    four_decimals,
)
from tests.helpers.skillbooks import own, skill, source

LOCK = "the lock of the file is held by another process"
ORDER = "an order was cancelled after the parcel had left"
LEXICAL = Lexical()


class Asking:
    """Decides by a function, and keeps the questions."""

    def __init__(self, answer: Callable[[Question], Answer]) -> None:
        self._answer = answer
        self.questions: list[Question] = []
        self.unused: tuple[Decision, ...] = ()

    async def decide(self, question: Question) -> Answer:
        self.questions.append(question)
        return self._answer(question)


def merging(question: Question) -> Answer:
    first, *others = question.skill_ids
    merge = Merge(source_ids=tuple(others), keep_id=first, merged_content="wait for it", reasoning="the same")
    return Answered(decisions=(merge,))


def keeping(question: Question) -> Answer:
    return Answered(decisions=(Keep(skill_ids=question.skill_ids, reasoning="batch against real time"),))


def written(tmp_path: Path, *skills: Skill) -> BookFile:
    file = BookFile(tmp_path / "book.json")
    file.apply(lambda book: [book.put(each) for each in skills])
    return file


def run(
    file: BookFile,
    decider: Asking | ScriptedDecider,
    *,
    ceilings: Ceilings | None = None,
    dry_run: bool = False,
    **search: Any,  # noqa: ANN401 - of many types
) -> Report:
    searched = Search(measure=LEXICAL, **search)

    async def main() -> Report:
        return await consolidate(file, searched, decider, ceilings=ceilings or Ceilings(), dry_run=dry_run)

    return anyio.run(main)


def book_of(file: BookFile) -> Skillbook:
    return file.read().skillbook


def told(report: Report) -> list[tuple[str, bool, str]]:
    return [(each.decision.type, each.done.ok, each.done.did or each.done.why) for each in report.results]


def test_a_merge_unites_counters_and_sources_and_the_old_id_resolves(tmp_path: Path) -> None:
    file = written(
        tmp_path,
        skill("a", LOCK, helpful_count=3, occurrences=(source("r1#1"),)),
        skill("b", LOCK, helpful_count=2, occurrences=(source("r2#4"),)),
    )
    report = run(file, Asking(merging))
    book = book_of(file)
    kept = own(book, "a")

    assert (report.outcome, report.why, report.asked) == ("done", (), 1)
    assert told(report) == [("MERGE", True, "merged b into a")]
    assert (kept.helpful_count, {each.trace_id for each in kept.occurrences}) == (5, {"r1#1", "r2#4"})
    assert book.get_skill("b") == kept
    assert own(book, "b").occurrences[-1].learning_text == "the same"


def test_an_answer_may_keep_apart_what_it_has_said_otherwise(tmp_path: Path) -> None:
    file = written(
        tmp_path,
        skill("a", LOCK, insight="wait for it, then try once more"),
        skill("b", LOCK, insight="wait for it and try again"),
        skill("c", LOCK, insight="wait for it, then give up"),
    )
    keep = Keep(skill_ids=("a", "c"), reasoning="one tries again")
    merge = Merge(
        source_ids=("b",), keep_id="a", merged_content="wait for it, then try again", reasoning="one"
    )
    decider = Asking(lambda _: Answered(decisions=(keep, merge)))

    report = run(file, decider)
    assert (report.outcome, [result.done.ok for result in report.results]) == ("done", [True, True])
    assert [result.decision.type for result in report.results] == ["MERGE", "KEEP"]
    book = file.read().skillbook
    now = LEXICAL.similarity(*(embedding_text(own(book, id_)) for id_ in ("a", "c")))
    assert book.decisions[frozenset("ac")].similarity == now
    assert run(file, decider).asked == 0


def test_a_pair_that_was_kept_apart_is_not_offered_after_a_restart(tmp_path: Path) -> None:
    file = written(tmp_path, skill("a", LOCK), skill("b", f"{LOCK} again"))
    assert told(run(file, Asking(keeping))) == [("KEEP", True, "a and b are kept apart")]

    again = Asking(merging)
    report = run(BookFile(file.path), again)

    assert again.questions == []
    assert (report.outcome, report.asked, report.settled_before) == ("done", 0, 1)


@pytest.mark.parametrize("side", ["a", "b"])
def test_an_edit_of_either_text_offers_the_pair_again(tmp_path: Path, side: str) -> None:
    file = written(tmp_path, skill("a", LOCK), skill("b", LOCK))
    run(file, Asking(keeping))
    file.apply(lambda book: book.update_skill(side, issue=f"{LOCK} now"))

    again = Asking(keeping)
    report = run(file, again)

    assert [question.skill_ids for question in again.questions] == [("a", "b")]
    assert [str(why) for why in again.questions[0].reopened] == [
        f"the text of `{side}` changed since the two were kept apart"
    ]
    assert report.to_json()["reopened"] == [
        {
            "skill_ids": ["a", "b"],
            "changed": [side],
            "why": f"the text of `{side}` changed since the two were kept apart",
        }
    ]
    assert run(file, Asking(merging)).asked == 0


def drifted(tmp_path: Path, by: int) -> BookFile:
    """A pair that was kept apart when it was less similar, by so many ten-thousandths, as keywords count."""
    file = written(tmp_path, skill("a", LOCK), skill("b", LOCK, insight="wait for the lock of it"))
    run(file, Asking(keeping))
    payload = json.loads(file.path.read_text(encoding="utf-8"))
    decision = payload["similarity_decisions"]["a,b"]
    decision["similarity_at_decision"] = round(decision["similarity_at_decision"] - by / 10_000, 4)
    file.path.write_text(json.dumps(payload), encoding="utf-8")
    return file


def test_a_pair_that_drifted_by_six_hundredths_is_offered_with_both_figures(tmp_path: Path) -> None:
    file = drifted(tmp_path, 600)
    again = Asking(keeping)
    report = run(file, again)
    now = again.questions[0].pairs[0].similarity

    assert [str(why) for why in report.reopened] == [
        f"similarity rose from {four_decimals(now - 600)} to {four_decimals(now)}"
    ]
    assert report.to_json()["reopened"][0]["was"] == (now - 600) / 10_000
    assert report.to_json()["reopened"][0]["now"] == now / 10_000


def test_a_pair_that_drifted_by_five_hundredths_is_not(tmp_path: Path) -> None:
    report = run(drifted(tmp_path, 500), Asking(keeping))

    assert (report.asked, report.settled_before, report.reopened) == (0, 1, ())


def test_fifty_skills_that_say_the_same_become_one(tmp_path: Path) -> None:
    file = written(tmp_path, *(skill(f"s{n:02}", LOCK, helpful_count=1) for n in range(50)))
    asking = Asking(merging)
    report = run(file, asking)

    assert [len(question.skills) for question in asking.questions] == [20, 20, 10, 3]
    assert [each.id for each in book_of(file).skills()] == ["s00"]
    assert own(book_of(file), "s00").helpful_count == 50
    assert (report.outcome, report.left, report.unsettled) == ("done", (), ())


def test_a_decision_about_a_text_that_changed_since_is_refused(tmp_path: Path) -> None:
    file = written(tmp_path, skill("a", LOCK), skill("b", LOCK))

    def late(question: Question) -> Answer:
        file.apply(lambda book: book.update_skill("b", insight="ask who holds it"))
        return merging(question)

    report = run(file, Asking(late))

    assert told(report) == [("MERGE", False, "what `b` says changed since the question; ask again")]
    assert report.outcome == "could_not"
    assert report.why == ("MERGE of `a` and `b`: what `b` says changed since the question; ask again",)
    assert {each.id for each in book_of(file).skills()} == {"a", "b"}


def test_no_more_than_so_many_questions_the_most_similar_first(tmp_path: Path) -> None:
    file = written(
        tmp_path,
        skill("a", LOCK),
        skill("b", f"{LOCK}, it seems"),
        skill("x", ORDER, insight="offer a return"),
        skill("y", ORDER, insight="offer a return"),
    )
    asking = Asking(merging)
    report = run(file, asking, ceilings=Ceilings(max_questions=1))

    assert [question.skill_ids for question in asking.questions] == [("x", "y")]
    assert (report.outcome, report.why) == ("stopped_by_ceiling", ("the ceiling of 1 question is reached",))
    assert [(pair.first_id, pair.second_id) for pair in report.left] == [("a", "b")]
    assert report.to_json()["left"][0]["skill_ids"] == ["a", "b"]


def test_a_sum_of_dollars_ends_the_pass_and_is_told(tmp_path: Path) -> None:
    file = written(tmp_path, skill("a", LOCK), skill("b", LOCK), skill("x", ORDER), skill("y", ORDER))

    def costly(question: Question) -> Answer:
        usage = Usage(input_tokens=900, output_tokens=50, cost=Decimal("0.02"))
        return Answered(decisions=(Keep(skill_ids=question.skill_ids, reasoning="no"),), usage=usage)

    report = run(file, Asking(costly), ceilings=Ceilings(max_cost=Decimal("0.01")))

    assert (report.asked, report.outcome) == (1, "stopped_by_ceiling")
    assert report.why == ("the ceiling of 0.01 US dollars is reached",)
    assert report.to_json()["usage"] == {"input_tokens": 900, "output_tokens": 50, "cost": 0.02}


def test_a_book_without_similar_skills_is_done_and_says_what_was_compared(tmp_path: Path) -> None:
    report = run(written(tmp_path, skill("a", LOCK), skill("b", ORDER, insight="no")), Asking(merging))

    assert (report.outcome, report.why, report.compared, report.asked) == ("done", (), 2, 0)


def test_skills_that_the_measure_has_no_word_of_are_no_silent_success(tmp_path: Path) -> None:
    blank = {"insight": "!!", "keywords": ("-",)}
    report = run(written(tmp_path, skill("a", "...", **blank), skill("b", "???", **blank)), Asking(merging))

    assert (report.outcome, report.unread) == ("could_not", ("a", "b"))
    assert report.why == ("the measure has no word of what 2 skills say; choose another one",)


def test_a_question_without_an_answer_is_told_and_the_next_one_asked(tmp_path: Path) -> None:
    file = written(tmp_path, skill("a", LOCK), skill("b", LOCK), skill("x", ORDER), skill("y", ORDER))
    asking = Asking(lambda q: Unanswered(why="no JSON came") if "a" in q.skill_ids else merging(q))
    report = run(file, asking)

    assert (report.asked, report.outcome) == (2, "could_not")
    assert report.why == ("no answer about `a` and `b`: no JSON came",)
    assert own(book_of(file), "y").merged_into == "x"


def test_a_decider_that_stops_leaves_the_rest(tmp_path: Path) -> None:
    file = written(tmp_path, skill("a", LOCK), skill("b", LOCK), skill("x", ORDER), skill("y", ORDER))
    report = run(file, Asking(lambda question: Stopped(why="the model cannot be reached")))

    assert (report.outcome, report.why) == ("could_not", ("the model cannot be reached",))
    assert (report.asked, len(report.left)) == (0, 2)


def test_a_dry_run_asks_shows_the_difference_and_saves_nothing(tmp_path: Path) -> None:
    file = written(tmp_path, skill("a", LOCK, helpful_count=3), skill("b", LOCK, helpful_count=2))
    before = file.path.read_bytes()
    report = run(file, Asking(merging), dry_run=True)
    lines = report.diff.split("\n")

    assert file.path.read_bytes() == before
    assert (report.is_dry_run, told(report)) == (True, [("MERGE", True, "merged b into a")])
    assert [line for line in lines if line.startswith(("---", "+++"))] == [
        "--- skills/a",
        "+++ skills/a",
        "--- skills/b",
        "+++ skills/b",
    ]
    assert '-  "helpful_count": 3,' in lines
    assert '+  "helpful_count": 5,' in lines
    assert '+  "merged_into": "a",' in [line.rstrip() for line in lines] or '+  "merged_into": "a"' in lines


def test_a_dry_run_of_a_decision_shows_the_decision(tmp_path: Path) -> None:
    file = written(tmp_path, skill("a", LOCK), skill("b", LOCK))

    assert "+++ similarity_decisions/a,b" in run(file, Asking(keeping), dry_run=True).diff


SCRIPTS: list[Any] = [
    pytest.param(
        [Keep(skill_ids=("a", "zzz"), reasoning="no")],
        "KEEP of `a` and `zzz`: there is no skill `zzz`",
        id="an unknown id",
    ),
    pytest.param(
        [Keep(skill_ids=("zzz", "yyy"), reasoning="no")],
        "KEEP of `zzz` and `yyy`: there is no skill `zzz` or `yyy`",
        id="two unknown ids",
    ),
    pytest.param(
        [Delete(skill_id="c", reasoning="no")],
        "DELETE of `c`: no question was about these skills",
        id="not alike",
    ),
]


@pytest.mark.parametrize(("script", "why"), SCRIPTS)
def test_a_script_about_what_was_not_asked_is_refused(
    tmp_path: Path, script: list[Decision], why: str
) -> None:
    file = written(tmp_path, skill("a", LOCK), skill("b", LOCK), skill("c", ORDER, insight="no"))
    report = run(file, ScriptedDecider([Keep(skill_ids=("a", "b"), reasoning="two locks"), *script]))

    assert (report.outcome, report.why) == ("could_not", (why,))
    assert frozenset({"a", "b"}) in book_of(file).decisions


def test_a_script_deletes_and_rewrites(tmp_path: Path) -> None:
    file = written(tmp_path, skill("a", LOCK), skill("b", LOCK), skill("c", LOCK))
    script: Iterable[Decision] = [
        Delete(skill_id="b", reasoning="says nothing more"),
        Rewrite(skill_id="c", new_content="ask who holds it", reasoning="another remedy"),
    ]
    report = run(file, ScriptedDecider(script))
    book = book_of(file)

    assert (report.outcome, report.unsettled) == ("done", ())
    assert (own(book, "b").active, own(book, "c").insight) == (False, "ask who holds it")


def test_a_decision_to_keep_a_merged_skill_apart_ends_and_is_told(tmp_path: Path) -> None:
    file = written(tmp_path, skill("a", LOCK), skill("b", LOCK), skill("c", f"{LOCK} again"))
    run(file, ScriptedDecider([Keep(skill_ids=("a", "b", "c"), reasoning="three locks")]))
    gone = skill("b", LOCK, merged_into="a", active=False)
    file.apply(lambda book: book.put(gone))
    report = run(file, Asking(merging))

    assert sorted(str(each) for each in report.ended) == [
        "`b` was merged into `a`, so nothing keeps it apart from `a`",
        "`b` was merged into `a`, so nothing keeps it apart from `c`",
    ]
    assert set(book_of(file).decisions) == {frozenset({"a", "c"})}


def test_inactive_skills_and_those_of_other_scopes_are_not_compared(tmp_path: Path) -> None:
    file = written(
        tmp_path,
        skill("a", LOCK),
        skill("b", LOCK, active=False),
        skill("c", LOCK, active=False, review="pending"),
        skill("d", LOCK, scope="tau"),
        skill("e", LOCK, section="harness"),
    )

    assert run(file, Asking(keeping), scope=None).compared == 2
    assert run(file, Asking(keeping), scope=None).asked == 0
    assert run(file, Asking(keeping), scope="tau").asked == 1
    assert run(file, Asking(keeping), scope=None, across_sections=True).asked == 1


def test_a_threshold_that_the_measure_refuses(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"a least similarity of 0\.0100 is below 0\.3500"):
        run(written(tmp_path, skill("a", LOCK), skill("b", LOCK)), Asking(merging), threshold=100)
