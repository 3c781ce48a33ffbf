"""What the scripted agents of the suite do: how a solver uses the skills that its window has, and how a
reflector judges them by how the run went.
"""

import json
import re
from collections.abc import Callable, Sequence
from typing import Any, Final

from host.app.bench.skillbook.suite import SuiteTask
from host.core.messages import Message, Reply, ToolCall

SOLVER: Final = "solver"
REFLECTOR: Final = "reflector"

Policy = Callable[[tuple[Message, ...], str], str | Reply]

_INJECTED: Final = re.compile(r'skill "([^"]+)" that the run began with')


def policy_of(task: SuiteTask) -> Policy:
    """What the agents of one run of a task do."""
    reflecting = _Reflecting(task)
    said: list[str] = []

    def reply(messages: tuple[Message, ...], agent_id: str) -> str | Reply:
        if agent_id == REFLECTOR:
            return reflecting.reply(messages)
        programs = task.with_skill if _is_advised(task, messages) else task.without_skill
        said.append(programs[min(len(said), len(programs) - 1)])
        return said[-1]

    return reply


def _is_advised(task: SuiteTask, messages: Sequence[Message]) -> bool:
    """Whether a skill in the window has the words that the task's other programs follow."""
    skills = (message.text for message in messages if message.text.startswith("Skillbook\n"))
    return task.cue is not None and any(task.cue in text for text in skills)


class _Reflecting:
    """Judges by the outcome: a run that went through says that its skills helped, one that did not that they
    harmed, one that failed on the way neither. A skill is removed where this run and an earlier one that it
    harmed show the same, never for its counter. What delayed a run without advice becomes a skill.
    """

    def __init__(self, task: SuiteTask) -> None:
        self._task: Final = task
        self._turn = 0
        self._injected: tuple[str, ...] = ()
        self._account = ""

    def reply(self, messages: tuple[Message, ...]) -> Reply:
        self._turn += 1
        if self._turn == 1:
            self._account = "\n".join(message.text for message in messages if message.role == "user")
            self._injected = tuple(dict.fromkeys(_INJECTED.findall(self._account)))
            return _calls(*self._looks())
        if self._turn == 2:
            answers = [json.loads(message.text) for message in messages if message.role == "tool"]
            if changes := list(self._changes(answers)):
                return _calls(*changes)
        return _calls(("finish", {"summary": "The book is kept."}))

    def _looks(self) -> list[tuple[str, dict[str, Any]]]:
        """The first reply: a tag for each skill, and what the book has on it."""
        status, failed = self._outcome()
        delta = -1 if status != "completed" else 0 if failed else 1
        looks: list[tuple[str, dict[str, Any]]] = []
        for skill_id in self._injected:
            looks += [
                ("read_skill", {"skill_id": skill_id}),
                ("tag_skill", {"skill_id": skill_id, "delta": delta}),
            ]
        lesson = self._task.lesson
        query = lesson.issue if lesson else self._task.task
        return [*looks, ("search_skills", {"query": query, "top_k": 3})]

    def _changes(self, answers: Sequence[dict[str, Any]]) -> list[tuple[str, dict[str, Any]]]:
        changes: list[tuple[str, dict[str, Any]]] = []
        status, failed = self._outcome()
        for answer in answers:
            harmed = [each for each in answer.get("sources") or () if each.get("operation") == "TAG"]
            if "skill" in answer and status != "completed" and harmed:
                reason = (
                    f"No program that follows it compiles: {self._quoted('does not exist')}."
                    f" It misled {harmed[-1]['source']} in the same way."
                )
                changes.append(("remove_skill", {"skill_id": answer["skill"]["skill_id"], "reason": reason}))
        lesson = self._task.lesson
        if lesson is None or not failed or self._injected:
            return changes
        known = [skill for answer in answers for skill in answer.get("skills") or ()]
        if any(skill["insight"] == lesson.insight for skill in known):
            return changes
        added = {
            "section": lesson.section,
            "issue": lesson.issue,
            "insight": lesson.insight,
            "keywords": list(lesson.keywords),
            "evidence": self._quoted(lesson.evidence),
        }
        return [*changes, ("add_skill", added)]

    def _outcome(self) -> tuple[str, bool]:
        """How the run ended, and whether any of its turns failed."""
        found = re.search(r"The run ended as (\w+)", self._account)
        assert found, "an account begins with how the run ended"
        return found[1], " failed" in self._account[found.start() : self._account.index("\n", found.start())]

    def _quoted(self, words: str) -> str:
        """The line of the account that holds some words, or these where none does."""
        lines = (line.strip() for line in self._account.splitlines())
        return next((line for line in lines if words in line), words)


def _calls(*calls: tuple[str, dict[str, Any]]) -> Reply:
    return Reply(
        tool_calls=tuple(
            ToolCall(id=f"call-{number}", name=name, arguments=json.dumps(arguments))
            for number, (name, arguments) in enumerate(calls, start=1)
        )
    )
