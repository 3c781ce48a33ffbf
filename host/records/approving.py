"""Approve: records a person's approval of proposed lessons, as a claim.

Names that are an agent's, a model's or a tool's are refused, however they are spelled. That shows no person
to be one: it only keeps the plainest self-approvals out.
"""

import re
import sqlite3
from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from host.core.envelope import Envelope, Refused
from host.core.look_alikes import fold
from host.core.text import counted, quoted
from host.records import arguments, codes
from host.records.answers import warning_card
from host.records.journal import Change
from host.records.look import Look
from host.records.model import Approval, Record
from host.records.naming import named
from host.records.putting import Limits, rewrite

ROLES: Final = frozenset({"agent", "assistant", "model", "system", "tool"})
"""What is no person; also before a colon, as in `agent:run-1`, and with a number."""

_FAMILIES: Final = """
    anthropic chatglm chatgpt claude codestral codex cohere copilot dall-e deepseek devstral doubao gemini
    gemma glm gpt granite grok haiku hunyuan kimi llama llm magistral minimax ministral mistral mixtral
    nemotron openai opus perplexity pixtral qwen qwq smollm sonnet starcoder vicuna wizardlm xai
"""
MODEL_FAMILIES: Final = frozenset(_FAMILIES.split())
"""What models are called. A reviewer's name has none of it as a word, digits aside: `GPT4`, `qwen2.5`."""

# What stands for another letter in some typefaces, as in `CIaude`, beside what `fold` knows of.
_DRAWN_ALIKE: Final = str.maketrans("i1|0", "lllo")


def _any_of(words: Iterable[str]) -> re.Pattern[str]:
    return re.compile(rf"(?<![^\W\d_])(?:{'|'.join(sorted(words))})(?![^\W\d_])")


_FAMILY: Final = _any_of(MODEL_FAMILIES)
_FAMILY_DRAWN: Final = _any_of(family.translate(_DRAWN_ALIKE) for family in MODEL_FAMILIES)
_ROLES_DRAWN: Final = ROLES.union(role.translate(_DRAWN_ALIKE) for role in ROLES)
_BETWEEN_PARTS: Final = re.compile(r"[:/\\#@|=_]")
_NUMBER: Final = " -.0123456789"


def approve(
    change: Change, look: Look, record_ids: tuple[str, ...], limits: Limits, *, reviewer: str, reason: str
) -> Envelope:
    """Approves all of the lessons, or raises `Refused` and approves none."""
    refuse_reviewer(reviewer, writers=writers_of(change.connection))
    for lesson in map(look.with_id, record_ids):
        if lesson is not None and lesson.kind == "lesson":
            refuse_author(reviewer, lesson)
    for record_id in record_ids:
        named(look, record_id)
    lessons = [_proposal(look, record_id) for record_id in record_ids]
    approval = Approval(reviewer=reviewer, at=look.now, reason=reason)
    approved = [replace(lesson, status="approved", approval=approval) for lesson in lessons]
    for before, after in zip(lessons, approved, strict=True):
        rewrite(change, before, after, "approve", limits)
    return _envelope(approved)


def refuse_reviewer(reviewer: str, *, writers: Iterable[str]) -> None:
    """Raises `Refused` for a name that no approval is recorded under."""
    why = why_no_reviewer(reviewer, writers=writers)
    if why is not None:
        raise Refused.of(codes.REVIEWER, why)


def refuse_author(reviewer: str, lesson: Record) -> None:
    """Raises `Refused` for who wrote the lesson."""
    if _drawn(lesson.written_by) == _drawn(reviewer):
        raise Refused.of(
            codes.REVIEWER,
            f"{quoted(reviewer)} wrote lesson {lesson.id}, and nobody approves their own; let another person"
            " read it",
        )


def why_no_reviewer(reviewer: str, *, writers: Iterable[str]) -> str | None:
    """Why a name is none that an approval may be recorded under; `None` where it may be one.

    Args:
        writers: names that records were written under.
    """
    name, drawn = fold(reviewer), _drawn(reviewer)
    if not name:
        return "reviewer is blank; give the name of the person who read the lesson"
    if _has_role(name) or _has_role(drawn):
        return f"reviewer {quoted(reviewer)} is an agent's, a model's or a tool's name; give a person's"
    if family := _FAMILY.search(name) or _FAMILY_DRAWN.search(drawn):
        return (
            f"reviewer {quoted(reviewer)} holds the name of a model, {family[0]}; give a person's name, and"
            " write one who is called so in another way, such as by initials"
        )
    for writer in writers:
        role, colon, rest = _drawn(writer).partition(":")
        if colon and role.strip() in _ROLES_DRAWN and rest.strip() == drawn:
            return f"reviewer {quoted(reviewer)} is who wrote here as {quoted(writer)}; give a person's name"
    return None


def _has_role(name: str) -> bool:
    """Whether a part of the name is a role, be it with a number: `agent:run-1`, `team/agent`, `Agent 7`."""
    return any(part.strip(_NUMBER) in _ROLES_DRAWN for part in _BETWEEN_PARTS.split(name))


def _drawn(name: str) -> str:
    return fold(name).translate(_DRAWN_ALIKE)


def writers_of(connection: sqlite3.Connection) -> list[str]:
    """Every writer once, of which only some have a role; their look-alikes are for the policy to see."""
    rows = connection.execute("SELECT DISTINCT written_by FROM records WHERE typeof(written_by) = 'text'")
    return [row[0] for row in rows]


def _proposal(look: Look, record_id: str) -> Record:
    lesson = named(look, record_id)
    if lesson.status != "proposed":
        what = "is a note" if lesson.kind == "note" else "is approved already"
        raise Refused.of(codes.NOT_A_PROPOSAL, f"record {record_id} {what}; nothing was approved")
    return lesson


def _envelope(approved: list[Record]) -> Envelope:
    return Envelope(
        code=codes.APPROVED,
        message=f"The approval of {counted(len(approved), 'lesson')} is recorded, as a claim.",
        warning_card=warning_card(records=approved),
        fields={"records": [lesson.to_json() for lesson in approved]},
    )


def lesson_ids(value: object) -> tuple[str, ...]:
    """One id or several. Raises `Refused` where there is none."""
    found = arguments.record_ids(value)
    if not found or "" in found:
        raise arguments.refused_input("record_ids names no record; give the ids of the lessons")
    return found
