"""One datum of a model call: what it says, where it came from, and whether it may instruct."""

from collections.abc import Mapping
from dataclasses import KW_ONLY, dataclass, field
from typing import Final, Literal, get_args

Authority = Literal["governance", "user_intent", "task_contract", "operational", "evidence"]
Kind = Literal[
    "instruction", "output_contract", "component", "verification", "evidence", "memory_note", "model_output"
]
Trust = Literal["trusted", "untrusted"]
Freshness = Literal["live", "fresh", "aging", "stale", "unknown"]

AUTHORITIES: Final[tuple[Authority, ...]] = get_args(Authority)
"""Highest first."""
INSTRUCTING: Final = frozenset(AUTHORITIES[:3])
"""The authorities of which a trusted instruction may instruct."""
_CLOSED: Final[Mapping[str, tuple[str, ...]]] = {
    "authority": AUTHORITIES,
    "kind": get_args(Kind),
    "trust": get_args(Trust),
    "freshness_class": get_args(Freshness),
}


@dataclass(frozen=True)
class ContextItem:
    """A datum under a key, with its source. Raises `ValueError` for an unknown authority, kind, trust or
    freshness, naming the known ones.
    """

    key: str
    value: str
    _: KW_ONLY
    source: str
    section: str = "repository"
    authority: Authority = "evidence"
    kind: Kind = "evidence"
    trust: Trust = "untrusted"
    freshness_class: Freshness = "unknown"
    metadata: Mapping[str, object] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name, known in _CLOSED.items():
            value = getattr(self, name)
            if value not in known:
                raise ValueError(f"{name} {value!r} is unknown; known are {', '.join(known)}")

    @property
    def may_instruct(self) -> bool:
        """True of a trusted instruction under one of the authorities of `INSTRUCTING`, of nothing else."""
        return self.trust == "trusted" and self.kind == "instruction" and self.authority in INSTRUCTING
