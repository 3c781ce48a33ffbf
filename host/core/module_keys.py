"""The names under which an agent's programs import the code of its memories and skills.

A key is the name of what carries the code in camel case, told apart by a number where another took it
first. It belongs to that carrier for the agent's life, through unloading, deletion and re-creation, so that
an import never comes to mean something else.
"""

import re
from dataclasses import dataclass
from typing import Final, Literal

from host.core.reserved_words import RESERVED_WORDS

MAX_CODE_CHARS: Final = 32_768
"""Of each code half, untrimmed. It protects the compilers, so no setting lifts it."""

_SEPARATORS: Final = re.compile("[-_.]+")

Origin = Literal["memory", "skill"]

# `gg` names the SDK.
_TAKEN_WORDS: Final = RESERVED_WORDS | {"gg", "undefined"}


@dataclass(frozen=True)
class Carrier:
    """What carries code: a memory or a skill, which may have the same name."""

    origin: Origin
    name: str

    @property
    def told(self) -> str:
        """As notices name it."""
        return f"`{self.name}`" if self.origin == "memory" else f"the skill `{self.name}`"


class KeyTable:
    """The keys of one agent. `propose` takes nothing: a module that fails to load uses up no key."""

    def __init__(self) -> None:
        self._key_by_carrier: Final[dict[Carrier, str]] = {}
        self._taken: Final[set[str]] = set()

    def propose(self, carrier: Carrier) -> str:
        """The key that it has, or would get now."""
        if (held := self._key_by_carrier.get(carrier)) is not None:
            return held
        wanted = key = _camel_case(carrier)
        suffix = 1
        while key in self._taken:
            suffix += 1
            key = f"{wanted}{suffix}"
        return key

    def commit(self, carrier: Carrier, key: str) -> None:
        """Gives it the key that was proposed for it; once given, it stays."""
        if self.propose(carrier) != key:
            raise ValueError(
                f"the key {key!r} is not the one proposed for {carrier.name!r}: {self.propose(carrier)!r}"
            )
        self._key_by_carrier[carrier] = key
        self._taken.add(key)

    def take(self, carrier: Carrier) -> str:
        """The key that it has from now on."""
        key = self.propose(carrier)
        self.commit(carrier, key)
        return key

    def key_of(self, carrier: Carrier) -> str | None:
        """The key that it has, if it ever had one."""
        return self._key_by_carrier.get(carrier)


def _camel_case(carrier: Carrier) -> str:
    """A name as an identifier: `csv-tools` is `csvTools`, `CSV-Tools` too; `2fa` is `_2fa`."""
    words = [word for word in _SEPARATORS.split(carrier.name) if word]
    if not words:
        return carrier.origin
    first, *later = words
    lowered = first.lower() if first.isupper() else first[0].lower() + first[1:]
    key = lowered + "".join(word[0].upper() + word[1:] for word in later)
    return f"_{key}" if key[0].isdigit() or key in _TAKEN_WORDS else key
