"""What a call about a memory is refused for, in the order in which it is told.

The texts of the call come first, then what the store holds under the name, then the limits; the first that
fails is the answer. Nothing is changed here, so a check runs before the compilers and again at the commit.
"""

import re
from collections.abc import Iterable, Mapping
from typing import Final

from host.core.module_keys import MAX_CODE_CHARS
from host.core.replacement import NotOnce, replace_once
from host.core.text import nearest, place_of_control
from host.memories.attempt import Attempt
from host.memories.contents import Contents
from host.memories.limits import MAX_KEYWORDS, MAX_NAME_CHARS, Caps, breached
from host.memories.model import Edit, Figures, Memory, MemoryDraft
from host.memories.refusals import Kind, MemoryRefusal
from host.memories.search import usable

_SURROGATE: Final = re.compile("[\ud800-\udfff]")
_NOT_IN_NAMES: Final = re.compile(r"[^A-Za-z0-9\-_.]")
_NEIGHBOURS: Final = 50


def check_new(attempt: Attempt, draft: MemoryDraft, contents: Contents, caps: Caps) -> None:
    """Raises the `MemoryRefusal` of a call that makes a memory, if it has one."""
    _check_texts(attempt, draft)
    if len(draft.name) > MAX_NAME_CHARS:
        raise attempt.long_name()
    if wrong := _NOT_IN_NAMES.search(draft.name):
        raise attempt.invalid_name(wrong.start() + 1)
    _check_line(attempt, draft.description)
    if (there := contents.find(draft.name)) is not None:
        raise attempt.duplicate(there.revision)
    _check_limits(attempt, draft, None, contents.figures, caps)


def check_update(
    attempt: Attempt, draft: MemoryDraft, expected_revision: int | None, contents: Contents, caps: Caps
) -> None:
    """Raises the `MemoryRefusal` of a call that replaces a memory, if it has one."""
    _check_texts(attempt, draft)
    _check_line(attempt, draft.description)
    before = check_there(attempt, expected_revision, contents)
    _check_limits(attempt, draft, before, contents.figures, caps)


def check_edit(
    attempt: Attempt, edit: Edit, expected_revision: int | None, contents: Contents, caps: Caps
) -> MemoryDraft:
    """The memory as the edit would leave it; raises the `MemoryRefusal` of the call, if it has one."""
    _check_surrogates(attempt, "search", edit.search)
    _check_surrogates(attempt, "replace", edit.replace)
    if not attempt.name:
        raise attempt.empty_name()
    if not edit.search:
        raise attempt.empty_search()
    if edit.search == edit.replace:
        raise attempt.edits_nothing()
    before = check_there(attempt, expected_revision, contents)
    body = replace_once(before.body, edit.search, edit.replace)
    if isinstance(body, NotOnce):
        raise attempt.not_once(body)
    after = before.draft(body=body.strip())
    if not after.body:
        raise attempt.would_empty()
    if after.body == before.body:
        raise attempt.edits_nothing()
    if cap := breached(len(after.body), caps.max_len_per_memory, before.chars):
        raise attempt.long_edit(len(after.body), cap)
    return after


def check_keywords(attempt: Attempt, keywords: Iterable[str]) -> Mapping[str, str]:
    """The keywords as they are looked for, each with how it was given; raises the `MemoryRefusal` of those
    that cannot be.
    """
    given = tuple(keywords)
    for number, keyword in enumerate(given, 1):
        _check_surrogates(attempt, f"keyword {number}", keyword)
    wanted = usable(given)
    if not wanted:
        raise attempt.no_keywords()
    if len(wanted) > MAX_KEYWORDS:
        raise attempt.too_many_keywords(len(wanted), MAX_KEYWORDS)
    return wanted


def check_there(attempt: Attempt, expected_revision: int | None, contents: Contents) -> Memory:
    """The memory that a call names; raises the `MemoryRefusal` of a name that does not serve."""
    if not attempt.name:
        raise attempt.empty_name()
    memory = contents.find(attempt.name)
    if memory is None:
        raise _not_found(attempt, contents)
    if expected_revision is not None and expected_revision != memory.revision:
        raise attempt.stale(expected_revision, memory.revision)
    return memory


def _not_found(attempt: Attempt, contents: Contents) -> MemoryRefusal:
    """Names the nearest of the names that stand next to the one asked for, so a large store costs no more."""
    if len(attempt.name) > MAX_NAME_CHARS:
        return attempt.not_found(None)
    near = nearest(attempt.name, contents.names_around(attempt.name, _NEIGHBOURS), count=1)
    return attempt.not_found(near[0] if near else None)


def _check_texts(attempt: Attempt, draft: MemoryDraft) -> None:
    texts = (
        ("name", draft.name),
        ("description", draft.description),
        ("body", draft.body),
        ("code", draft.code or ""),
        ("on_use", draft.on_use or ""),
    )
    for field, text in texts:
        _check_surrogates(attempt, field, text)
    if not draft.name:
        raise attempt.empty_name()
    if not draft.description and attempt.strategy.describes:
        raise attempt.empty_description()
    if not draft.body:
        raise attempt.empty_body()


def _check_surrogates(attempt: Attempt, field: str, text: str) -> None:
    if lone := _SURROGATE.search(text):
        raise attempt.lone_surrogate(field, lone.start() + 1, ord(lone[0]))


def _check_line(attempt: Attempt, description: str) -> None:
    """A line break, or what turns the direction of a text, would let one description pose as two entries of
    the index.
    """
    if (place := place_of_control(description)) is not None:
        raise attempt.broken_description(place + 1, description[place])


def _check_limits(
    attempt: Attempt, draft: MemoryDraft, before: Memory | None, figures: Figures, caps: Caps
) -> None:
    _check_lengths(attempt, draft, before, caps)
    after = (figures.minus(before) if before else figures).plus(draft.stored(revision=0))
    if before is None and (cap := breached(after.count, caps.max_count, figures.count)):
        raise attempt.too_many(after.count, cap)
    if cap := breached(after.total_chars, caps.max_total_len, figures.total_chars):
        raise attempt.too_much(after.total_chars, cap, spare=len(draft.body) - 1)
    if cap := breached(after.index_chars, caps.max_len_index, figures.index_chars):
        raise attempt.long_index(after.index_chars, cap, spare=len(draft.description) - 1)


def _check_lengths(attempt: Attempt, draft: MemoryDraft, before: Memory | None, caps: Caps) -> None:
    old = before or MemoryDraft(name="", description="", body="")
    lengths = (
        (Kind.DESCRIPTION_CAP, "description", draft.description, old.description, caps.max_len_description),
        (Kind.CODE_CAP, "code", draft.code, old.code, MAX_CODE_CHARS),
        (Kind.CODE_CAP, "on_use", draft.on_use, old.on_use, MAX_CODE_CHARS),
        (Kind.BODY_CAP, "body", draft.body, old.body, caps.max_len_per_memory),
    )
    for kind, field, text, old_text, limit in lengths:
        if cap := breached(len(text or ""), limit, len(old_text or "")):
            raise attempt.too_long(kind, field, len(text or ""), cap)
