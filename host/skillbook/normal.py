"""The normal forms of what a skill is made of, and what is wrong with one that has them."""

from collections.abc import Iterable, Sequence

from host.core.text import has_lone_surrogate, join_words, quoted
from host.skillbook.model import SECTIONS, Occurrence, Skill


def keywords_of(keywords: Iterable[str]) -> tuple[str, ...]:
    """Lower case, `_` for white space, each once; blank ones are left out."""
    normal = ("_".join(keyword.lower().split()) for keyword in keywords)
    return tuple(dict.fromkeys(keyword for keyword in normal if keyword))


def text_of(text: str | None) -> str | None:
    """The text without white space around it, `None` where nothing is left."""
    return (text or "").strip() or None


def sources_of(source: Occurrence | Iterable[Occurrence] | None) -> tuple[Occurrence, ...]:
    """One source, several or none, as a tuple."""
    if source is None:
        return ()
    return (source,) if isinstance(source, Occurrence) else tuple(source)


def united(existing: Sequence[Occurrence], more: Iterable[Occurrence]) -> tuple[Occurrence, ...]:
    """Both, equal ones once."""
    found = list(existing)
    like: dict[tuple[str | None, ...], list[Occurrence]] = {}  # merges bring thousands together
    for source in found:
        like.setdefault(_told(source), []).append(source)
    for source in more:
        alike = like.setdefault(_told(source), [])
        if source not in alike:
            alike.append(source)
            found.append(source)
    return tuple(found)


def _told(source: Occurrence) -> tuple[str | None, ...]:
    return source.trace_uid, source.relation, source.operation_type, source.learning_text


def why_unsound(skill: Skill) -> str | None:
    """What is wrong with a skill that is to be kept, and how to mend it."""
    if skill.section not in SECTIONS:
        return f"section {quoted(skill.section)} is none of {join_words(SECTIONS)}"
    if not skill.issue:
        return "the issue is empty; say what the situation is"
    if skill.section == "context" and skill.insight is None:
        return "the insight is empty; say what to do about it"
    if not skill.keywords:
        return "there are no keywords; give one or more"
    if any(map(has_lone_surrogate, (skill.issue, skill.insight or "", *skill.keywords, skill.scope or ""))):
        return "a text of it holds a lone surrogate, which is half a character; take it out"
    return None


def why_no_id(skill_id: str) -> str | None:
    """What is wrong with an id that a skill is to have."""
    if "," in skill_id:
        return f"the id {quoted(skill_id)} holds a comma, by which a file joins two ids; leave it out"
    if not skill_id or skill_id != skill_id.strip() or has_lone_surrogate(skill_id):
        return f"the id {quoted(skill_id)} is empty, has white space around it or half a character in it"
    return None
