"""A skillbook for callers from outside, under the names and the fields of ACE's server.

No model answers here: a question is answered with the skills that share words with it. What a caller says of
them is kept as their sources, and counted where a right answer is given to compare with. No skill is added.
"""

import re
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final, TypeVar

from host.app.served.skill_permissions import DISABLED, FAILED, INVALID, Permissions, SkillsRefused
from host.app.served.skill_requests import UnfitRequest, checked
from host.core.clock import Clock
from host.core.envelope import Refused
from host.core.text import counted, join_words, quoted, shortened
from host.skillbook import (
    SECTIONS,
    BookFile,
    Occurrence,
    Skill,
    Skillbook,
    search_skills,
    section_of_skills,
    state_of,
)

T = TypeVar("T")
Answer = dict[str, Any]

MAX_OWN_BOOKS: Final = 16
"""Sessions that hold a book which they have loaded."""
_MAX_SESSIONS: Final = 256
_KEPT_CHARS: Final = 2_000
_FOR_CLIENTS: Final = frozenset({"active", "removed", "merged"})

_NO_MODEL: Final = "No model answered: this server has none."
_NO_SKILL: Final = "No skill shares words with the question."


@dataclass(eq=False)
class _Session:
    """What is known of a session: the book that it has loaded, what was served to it last, and how much of
    it was kept.
    """

    id: str
    own: Skillbook | None = None
    served: tuple[str, ...] = ()
    notes: int = 0


class SkillSessions:
    """Thread-safe. Each session begins with the book of the server, and has one of its own once it has loaded
    one, which is kept in memory alone.

    Args:
        book: the server's book.
        root: the folder in which callers may name files; `None` where they may name none.
        scope: whose skills are read, besides those for everywhere.
        listed: what whoever runs the server allows, as `G6_MCP_SENSITIVE` has it.
        tell: is told, in a line, what an operator has to know.
        mask: takes secrets out of what is kept and of what is answered.
    """

    def __init__(
        self,
        book: Path,
        *,
        root: Path | None,
        scope: str | None,
        listed: str,
        tell: Callable[[str], None],
        mask: Callable[[str], str],
        clock: Clock | None = None,
    ) -> None:
        self._file: Final = BookFile(book, clock=clock)
        self._root: Final = None if root is None else root.resolve()
        self._scope: Final = scope
        self._permissions: Final = Permissions(listed, tell)
        self._tell: Final = tell
        self._mask: Final = mask
        self._clock: Final = clock
        self._lock: Final = threading.Lock()
        self._sessions: Final[dict[str, _Session]] = {}
        self._tools: Final[Mapping[str, Callable[[_Session, Answer], Answer]]] = {
            "ace.ask": self._ask,
            "ace.learn.sample": self._learn_sample,
            "ace.learn.feedback": self._learn_feedback,
            "ace.skillbook.get": self._get,
            "ace.skillbook.save": self._save,
            "ace.skillbook.load": self._load,
        }

    def call(self, tool: str, arguments: Mapping[str, Any]) -> Answer:
        """What a tool answers. Blocking. Raises `SkillsRefused`."""
        self._permissions.check(tool)
        try:
            request = checked(tool, arguments)
        except UnfitRequest as error:
            raise SkillsRefused(INVALID, str(error)) from error
        with self._lock:
            session = self._session(request["session_id"])
            try:
                answer = self._tools[tool](session, request)
            except Refused as refused:
                raise SkillsRefused(FAILED, self._without_places(refused.message)) from refused
        return {"session_id": request["session_id"], **answer}

    def _session(self, session_id: str) -> _Session:
        """The one that was used last is at the end; of those without a book of their own the first goes."""
        session = self._sessions.pop(session_id, None) or _Session(session_id)
        self._sessions[session_id] = session
        if len(self._sessions) > _MAX_SESSIONS:
            del self._sessions[next(id_ for id_, each in self._sessions.items() if each.own is None)]
        return session

    # The tools

    def _ask(self, session: _Session, request: Answer) -> Answer:
        book = self._read(session)
        found = section_of_skills(search_skills(book, request["question"], scope=self._scope))
        session.served = tuple(skill.id for skill in found.shown)
        if session.served:
            self._change(session, lambda book: book.mark_used(session.served))
        told = [_NO_MODEL, found.text or _NO_SKILL]
        return {
            "answer": self._mask("\n\n".join(told)),
            "skill_count": len(book.skills(scope=self._scope)),
            "answered_by": None,
            "skills": [self._item(skill) for skill in found.shown],
            "notes": _unused(request, "session_config"),
        }

    def _learn_feedback(self, session: _Session, request: Answer) -> Answer:
        truth = request["ground_truth"]
        is_right = None if truth is None else _holds(request["answer"], truth)
        source = self._source(session, request, "feedback", request["feedback"], is_right)

        noted: list[str] = []
        if session.served:
            noted = self._change(session, partial(self._note_each, session.served, source, is_right))
        count = len(self._read(session).skills(scope=self._scope))
        how = "" if is_right is None else f", which counts as {'helpful' if is_right else 'harmful'}"
        notes = [
            f"it stands among the sources of {join_words(noted)}{how}"
            if noted
            else "no skill was served to this session that the feedback could be about; ask first",
            *([] if truth else ["without a ground_truth nothing is counted"]),
            *_unused(request, "session_config"),
        ]
        return {"learned": bool(noted), **_counts(count, count), "notes": notes}

    def _learn_sample(self, session: _Session, request: Answer) -> Answer:
        processed = 0
        for sample in request["samples"]:
            truth = sample["ground_truth"]
            found = search_skills(self._read(session), sample["question"], scope=self._scope) if truth else []
            if not found:
                continue
            source = self._source(session, sample, "sample", truth, None)
            self._change(session, partial(self._note_each, [hit.skill.id for hit in found], source, None))
            processed += 1
        count = len(self._read(session).skills(scope=self._scope))
        failed = len(request["samples"]) - processed
        kept = counted(processed, "sample")
        notes = [f"{kept} kept, as sources of the skills that share words with the question"]
        if failed:
            notes.append(f"{failed:,} had no ground_truth, or no skill that shares words with the question")
        notes += _unused(request, "session_config", "epochs")
        return {"processed": processed, "failed": failed, **_counts(count, count), "notes": notes}

    def _get(self, session: _Session, request: Answer) -> Answer:
        book = self._read(session)
        listed = [
            skill
            for skill in book.skills(request["include_invalid"], scope=self._scope)
            if state_of(skill) in _FOR_CLIENTS
        ]
        every, active = book.skills(True, scope=self._scope), book.skills(scope=self._scope)
        by_section = {name: sum(skill.section == name for skill in active) for name in SECTIONS}
        return {
            "stats": {
                "sections": sum(map(bool, by_section.values())),
                "skills": len(every),
                "active_skills": len(active),
                "held_back": sum(state_of(skill) == "held back" for skill in every),
                "by_section": by_section,
            },
            "skills": [self._item(skill) for skill in listed[: request["limit"]]],
        }

    def _save(self, session: _Session, request: Answer) -> Answer:
        path, shown = self._under_root(request["path"])
        book = self._read(session)
        book.save_to_file(path)
        return {"path": shown, "saved_skill_count": len(book.skills())}

    def _load(self, session: _Session, request: Answer) -> Answer:
        path, shown = self._under_root(request["path"])
        own_books = sum(each.own is not None for each in self._sessions.values())
        if session.own is None and own_books >= MAX_OWN_BOOKS:
            raise SkillsRefused(
                FAILED, f"{MAX_OWN_BOOKS} sessions hold a book that they have loaded; load it in one of them"
            )
        session.own = Skillbook.load_from_file(path, clock=self._clock)
        session.served = ()
        return {
            "path": shown,
            "skill_count": len(session.own.skills(scope=self._scope)),
            "problems": [self._mask(str(problem)) for problem in session.own.problems],
        }

    # Books

    def _read(self, session: _Session) -> Skillbook:
        return self._file.read().skillbook if session.own is None else session.own

    def _change(self, session: _Session, change: Callable[[Skillbook], T]) -> T:
        return self._file.apply(change) if session.own is None else change(session.own)

    def _note_each(
        self, skill_ids: Sequence[str], source: Occurrence, is_right: bool | None, book: Skillbook
    ) -> list[str]:
        """Puts a source to each skill that runs may see, and counts how it was; gives their ids."""
        found = {skill.id: skill for id_ in skill_ids if (skill := book.get_skill(id_)) is not None}
        noted = [skill for skill in found.values() if skill.is_served]
        for skill in noted:
            if is_right is None:
                book.revise(skill, source)
            else:
                book.tag_skill(skill.id, 1 if is_right else -1, insight_source=source)
        return [skill.id for skill in noted]

    def _source(
        self, session: _Session, said: Answer, relation: str, told: str, is_right: bool | None
    ) -> Occurrence:
        """What a caller has said, as a source, numbered within this server."""
        session.notes += 1
        trace = f"{self._mask(session.id)}#{session.notes}"
        wrong = "the answer does not hold the right one" if is_right is False else None
        return Occurrence(
            trace_uid=f"mcp:{trace}",
            source_system="mcp",
            trace_id=trace,
            relation=relation,
            sample_question=self._kept(said["question"]),
            learning_text=self._kept(told),
            error_identification=wrong,
        )

    def _kept(self, text: str) -> str:
        return shortened(self._mask(text), _KEPT_CHARS)

    def _item(self, skill: Skill) -> Answer:
        return {
            "id": skill.id,
            "content": self._mask(skill.insight or skill.issue),
            "topic": skill.section,
            "helpful": skill.helpful_count,
            "harmful": skill.harmful_count,
            "neutral": skill.neutral_count,
            "used": skill.used_count,
            "issue": self._mask(skill.issue),
            "keywords": list(map(self._mask, skill.keywords)),
            "state": state_of(skill),
        }

    # Places

    def _under_root(self, named: str) -> tuple[Path, str]:
        """The file in the folder for books, and how a caller is told of it. Raises `SkillsRefused`."""
        if self._root is None:
            raise SkillsRefused(
                DISABLED,
                "this server has no folder for books; whoever runs it names one with --skillbook-root",
            )
        try:
            path = (self._root / named).resolve()
        except (OSError, ValueError, RuntimeError) as error:
            raise SkillsRefused(INVALID, f"path {quoted(named)} names no file") from error
        if not path.is_relative_to(self._root) or path == self._root:
            raise SkillsRefused(INVALID, f"path {quoted(named)} is outside of the folder for books")
        return path, str(path.relative_to(self._root))

    def _without_places(self, message: str) -> str:
        """The operator alone is told where files are, which names a home and with it a person."""
        told = message.replace(str(self._file.path), "the skillbook")
        if self._root is not None:
            told = told.replace(f"{self._root}/", "")
        if told != message:
            self._tell(message)
        return told


def _holds(answer: str, truth: str) -> bool:
    """Whether the words of the one stand in the other, whatever their case and the space between them."""
    wanted = re.escape(" ".join(truth.casefold().split()))
    return re.search(rf"(?<!\w){wanted}(?!\w)", " ".join(answer.casefold().split())) is not None


def _counts(before: int, after: int) -> Answer:
    return {
        "skill_count_before": before,
        "skill_count_after": after,
        "new_skill_count": after - before,
    }


def _unused(request: Answer, *names: str) -> list[str]:
    given = [name for name in names if request[name] not in (None, 1)]
    return [f"{join_words(given)} is not used: no model answers or learns here"] if given else []
