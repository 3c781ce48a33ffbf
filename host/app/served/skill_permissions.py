"""Which tools of a skillbook a caller from outside may use, and how one is refused."""

from collections.abc import Callable
from typing import Final

from host.app.record_home import SERVER_VARIABLE
from host.core.text import join_words, quoted

INVALID: Final = "ACE_MCP_VALIDATION_ERROR"
FORBIDDEN: Final = "ACE_MCP_FORBIDDEN_IN_SAFE_MODE"
DISABLED: Final = "ACE_MCP_SAVE_LOAD_DISABLED"
FAILED: Final = "ACE_MCP_INTERNAL_ERROR"

_SENSITIVE: Final = ("ace.learn.feedback", "ace.learn.sample", "ace.skillbook.load", "ace.skillbook.save")
_GROUPS: Final = ("ace", "ace.learn", "ace.skillbook")


class SkillsRefused(Exception):
    """A call that is refused, with a code of ACE's. Nothing was changed."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code: Final = code
        self.message: Final = message


class Permissions:
    """What whoever runs the server allows: `listed` is what `G6_MCP_SENSITIVE` has, in which each tool stands
    by itself or by its group. `tell` is told of a name there that nothing is.
    """

    def __init__(self, listed: str, tell: Callable[[str], None]) -> None:
        names = [
            name for part in listed.split(",") if (name := part.strip()) == "ace" or name.startswith("ace.")
        ]
        for name in names:
            if name not in _SENSITIVE and name not in _GROUPS:
                tell(
                    f"{SERVER_VARIABLE} lists {quoted(name)}, which nothing here is; it takes"
                    f" {join_words((*_SENSITIVE, *_GROUPS), 'or')}"
                )
        groups = tuple(f"{name}." for name in names if name in _GROUPS)
        self._allowed: Final = frozenset(
            tool for tool in _SENSITIVE if tool in names or tool.startswith(groups)
        )

    def check(self, tool: str) -> None:
        """Raises `SkillsRefused` for a sensitive one that is not listed."""
        if tool in _SENSITIVE and tool not in self._allowed:
            raise SkillsRefused(
                FORBIDDEN if tool.startswith("ace.learn") else DISABLED,
                f"{tool} is carried out here only where whoever runs the server has listed it in"
                f" {SERVER_VARIABLE}; ask them",
            )
