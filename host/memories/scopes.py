"""Which store an agent binds, and with which access: by its scope and by how it was started."""

from collections.abc import Mapping
from typing import Final, Literal, NamedTuple, get_args

from host.events import ModuleOrigin, StartKind
from host.memories.holder import Access

Scope = Literal["isolated", "shared", "inherited", "read-only"]
"""The scope that a configuration declares."""


class Binding(NamedTuple):
    """What is bound: a new store, that of the profile, the one that the agent is offered, or a copy of it.

    Where nothing is offered the agent gets a new store, which it may write whatever stands here.
    """

    source: Literal["new", "profile", "offered", "copy"]
    access: Access = "write"


_NEW: Final = Binding("new")
_PROFILE: Final = Binding("profile")
_OFFERED: Final = Binding("offered")
_OFFERED_TO_READ: Final = Binding("offered", "read")
_TOP_LEVEL: Final = (_NEW, _PROFILE, _NEW, _NEW)

_SCOPES: Final[tuple[Scope, ...]] = get_args(Scope)
_ROWS: Final[Mapping[StartKind, tuple[Binding, ...]]] = {
    "root": _TOP_LEVEL,
    "implementer": _TOP_LEVEL,
    "subagent": (_NEW, _PROFILE, _OFFERED, _OFFERED_TO_READ),
    "reviewer": _TOP_LEVEL,
    "merge": _TOP_LEVEL,
    "reflector": _TOP_LEVEL,
    "fork": (Binding("copy"), _OFFERED, _OFFERED, _OFFERED_TO_READ),
    "successor": (_OFFERED, _PROFILE, _OFFERED, _OFFERED_TO_READ),
}

ORIGINS: Final[Mapping[StartKind, ModuleOrigin]] = {
    "subagent": "inherited",
    "fork": "forked",
    "successor": "transferred",
}
"""How an agent came by the store that it was offered."""


def binding_of(kind: StartKind, scope: str) -> Binding:
    """The entry of the table for a checked scope."""
    return next(cell for column, cell in zip(_SCOPES, _ROWS[kind], strict=True) if column == scope)
