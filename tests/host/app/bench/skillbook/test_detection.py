from collections import Counter

from host.app.bench.skillbook import detection_figures
from host.app.bench.skillbook.detection import book


def test_figures_of_small_books() -> None:
    told: list[str] = []
    figures = list(detection_figures(told.append, sizes=(60, 120)))

    assert [figure.name for figure in figures] == [
        "lexical: 60 skills",
        "lexical: 120 skills",
        "lexical: 120, made-up words",
    ]
    assert told == [
        "lexical/1: 60 skills",
        "lexical/1: 120 skills",
        "lexical/1: 120, made-up words",
    ]
    assert all(figure.reached for figure in figures)
    assert figures[1].how.endswith(" pairs found, of 7,140")


def test_a_book_has_fifty_skills_that_say_the_same() -> None:
    skills = book(["lock", "file", "order", "wait"], 200)

    assert len({skill.id for skill in skills}) == 200
    assert Counter(skill.text for skill in skills).most_common(1)[0][1] == 51
    assert skills == book(["lock", "file", "order", "wait"], 200)
