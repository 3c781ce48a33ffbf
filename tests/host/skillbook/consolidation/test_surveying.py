"""How often a pass compares the skills with each other, which is what takes its time."""

from collections.abc import Iterator, Sequence
from itertools import combinations
from pathlib import Path

import anyio
import pytest

from host.skillbook import (
    Answer,
    Answered,
    BookFile,
    Decision,
    Keep,
    Lexical,
    Merge,
    Question,
    Report,
    Search,
    consolidate,
)
from tests.helpers.skillbooks import skill

IDS = [f"s{n:02}" for n in range(50)]


class Counting(Lexical):
    """Counts how often it compared."""

    looks = 0

    def pairs(self, texts: Sequence[str], least: int) -> Iterator[tuple[int, int, int]]:
        self.looks += 1
        return super().pairs(texts, least)


class Merging:
    """Has the first skill of each question say `content`, and keeps skills apart where that is `None`."""

    unused: tuple[Decision, ...] = ()

    def __init__(self, content: str | None) -> None:
        self._content = content

    async def decide(self, question: Question) -> Answer:
        first, *others = question.skill_ids
        if self._content is None:
            return Answered(decisions=(Keep(skill_ids=question.skill_ids, reasoning="no"),))
        merge = Merge(
            source_ids=tuple(others), keep_id=first, merged_content=self._content, reasoning="the same"
        )
        return Answered(decisions=(merge,))


def run(tmp_path: Path, content: str | None) -> tuple[BookFile, Report, int]:
    """A pass over fifty skills that say the same, more than one question is about."""
    file = BookFile(tmp_path / "book.json")
    file.apply(lambda book: [book.put(skill(id_)) for id_ in IDS])
    measure = Counting()

    async def main() -> Report:
        return await consolidate(file, Search(measure=measure), Merging(content))

    return file, anyio.run(main), measure.looks


def test_pairs_that_are_kept_apart_are_compared_once(tmp_path: Path) -> None:
    file, report, looks = run(tmp_path, None)

    assert set(file.read().skillbook.decisions) == set(map(frozenset, combinations(IDS, 2)))
    assert (report.outcome, report.left, looks) == ("done", (), 1)


@pytest.mark.parametrize(("content", "compared"), [("wait for it", 1), ("wait, then go on", 2)])
def test_skills_are_compared_again_where_they_say_something_else(
    tmp_path: Path, content: str, compared: int
) -> None:
    file, report, looks = run(tmp_path, content)

    assert [each.id for each in file.read().skillbook.skills()] == ["s00"]
    assert (report.outcome, report.asked, report.left, looks) == ("done", 4, (), compared)
