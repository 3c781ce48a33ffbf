"""Skillbooks for tests: books with given skills, at one moment."""

from typing import Any

from host.skillbook import Occurrence, Skill, Skillbook
from host.testing.clock import FakeClock

START = "2026-01-01T00:00:00.000000Z"


def skill(id_: str, issue: str = "the lock is held", **fields: Any) -> Skill:  # noqa: ANN401 - of many types
    given = {"insight": "wait for it", "keywords": ("lock",), "created_at": START, "updated_at": START}
    return Skill(id=id_, **{"section": "context", "issue": issue, **given, **fields})


def book_of(*skills: Skill) -> Skillbook:
    return Skillbook(skills, clock=FakeClock())


def source(id_: str, learning_text: str | None = None) -> Occurrence:
    return Occurrence(
        trace_uid=f"gg:{id_}", source_system="gg", trace_id=id_, learning_text=learning_text, relation="run"
    )


def own(book: Skillbook, id_: str) -> Skill:
    """The skill under exactly this id, which is there."""
    found = book.own(id_)
    assert found is not None
    return found
