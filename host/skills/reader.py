"""The skills of one agent, and which of them it has read."""

from collections.abc import Iterable
from typing import Final

from host.core.errors import Refusal
from host.core.text import join_words, nearest, quoted
from host.skills.model import Skill

_SHOWN_NAMES: Final = 20


class AgentSkills:
    """What was read stays in the agent's window, so what it has read travels with that window.

    `read` names those that were read in the window that the agent goes on with.
    """

    def __init__(self, skills: Iterable[Skill], read: Iterable[str] = ()) -> None:
        self._by_name: Final = {skill.name: skill for skill in skills}
        self._read: Final = dict.fromkeys(name for name in read if name in self._by_name)

    @property
    def all(self) -> tuple[Skill, ...]:
        """In the order of their names."""
        return tuple(self._by_name.values())

    @property
    def read(self) -> tuple[Skill, ...]:
        """Those that were read, in the order in which they were first."""
        return tuple(self._by_name[name] for name in self._read)

    def find(self, name: str) -> Skill:
        """Raises `Refusal` `not-found`, which names those that there are, the nearest first."""
        skill = self._by_name.get(name.strip())
        if skill is None:
            raise Refusal(
                "not-found", f"There is no skill {quoted(name)}.{self._hint(name)}", kind="no_skill"
            )
        return skill

    def note_read(self, skill: Skill) -> bool:
        """Notes that it was read; whether that was the first time."""
        is_first = skill.name not in self._read
        self._read[skill.name] = None
        return is_first

    def _hint(self, name: str) -> str:
        names = list(dict.fromkeys((*nearest(name, self._by_name), *self._by_name)))
        if not names:
            return ""
        more = len(names) - _SHOWN_NAMES
        shown = [*names[:_SHOWN_NAMES], *([f"{more:,} more"] if more > 0 else [])]
        return f" The skills there are: {join_words(shown)}."
