"""Takes the skills of another book into one, without putting any in the place of what is there."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from typing import Literal

from host.skillbook.embedding_text import text_hash
from host.skillbook.model import Skill
from host.skillbook.skillbook import Skillbook

Became = Literal["added", "replaced", "there", "kept"]


@dataclass(frozen=True, kw_only=True)
class Imported:
    """What became of a skill: `there` where the book has the same, `kept` where it has another one under the
    id, which stays as it is.
    """

    skill_id: str
    became: Became


def import_skills(
    book: Skillbook, other: Skillbook, *, replaces: bool = False, holds_back: bool = False
) -> tuple[Imported, ...]:
    """Takes the skills of `other` over as they stand there, with decisions about them, and with what its file
    had beside them, as far as nothing stands in its place here.

    Args:
        replaces: a skill with other content under an id that is there takes its place.
        holds_back: what was active waits until an operator accepts it.
    """
    with book.lock:
        is_new = not book.by_id
        imported = tuple(_imported(book, other, replaces, holds_back))
        taken = {each.skill_id for each in imported if each.became in ("added", "replaced")}
        _unmerge_from_others(book, taken, {each.skill_id for each in imported if each.became == "kept"})
        book.keep_beside(other.contents.rest, taken, whole=is_new)
        for pair, decision in other.decisions.items():
            if pair not in book.decisions and all(_same_text(book, other, id_) for id_ in pair):
                book.put_decision(pair, decision)
        return imported


def _imported(book: Skillbook, other: Skillbook, replaces: bool, holds_back: bool) -> Iterator[Imported]:
    for given in other.skills(include_invalid=True):
        skill = _held_back(given) if holds_back else given
        there = book.own(skill.id)
        if there is None and skill.id not in book.unread:
            became: Became = "added"
        elif there in (given, skill):
            became = "there"
        else:
            became = "replaced" if replaces and there is not None else "kept"
        if became in ("added", "replaced"):
            book.put(skill)
        yield Imported(skill_id=skill.id, became=became)


def _unmerge_from_others(book: Skillbook, taken: Collection[str], kept: Collection[str]) -> None:
    """A skill that was merged into one that is another here is removed, and does not lead to that."""
    for id_ in taken:
        if book.by_id[id_].merged_into in kept:
            book.put(replace(book.by_id[id_], merged_into=None))


def _held_back(skill: Skill) -> Skill:
    return replace(skill, active=False, review="pending") if skill.is_served else skill


def _same_text(book: Skillbook, other: Skillbook, skill_id: str) -> bool:
    here, there = book.own(skill_id), other.own(skill_id)
    return here is not None and there is not None and text_hash(here) == text_hash(there)
