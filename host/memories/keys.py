"""The names under which an agent's programs import the code of its memories.

A key is the memory's name in camel case, told apart by a number where another name took it first. It belongs
to that name for the agent's life, through unloading, deletion and re-creation, so that an import never comes
to mean something else.
"""

import re
from typing import Final

_SEPARATORS: Final = re.compile("[-_.]+")
_FALLBACK: Final = "memory"

# What strict-mode code cannot bind, and `gg`, which names the SDK.
_TAKEN_WORDS: Final = re.compile(
    """(
    arguments|await|break|case|catch|class|const|continue|debugger|default|delete|do|else|enum|eval|export|
    extends|false|finally|for|function|gg|if|implements|import|in|instanceof|interface|let|new|null|package|
    private|protected|public|return|static|super|switch|this|throw|true|try|typeof|undefined|var|void|while|
    with|yield
    )""",
    re.VERBOSE,
)


class KeyTable:
    """The keys of one agent. `propose` takes nothing: a module that fails to load uses up no key."""

    def __init__(self) -> None:
        self._key_by_name: Final[dict[str, str]] = {}
        self._taken: Final[set[str]] = set()

    def propose(self, name: str) -> str:
        """The key that the memory has, or would get now."""
        if (held := self._key_by_name.get(name)) is not None:
            return held
        wanted = key = camel_case(name)
        suffix = 1
        while key in self._taken:
            suffix += 1
            key = f"{wanted}{suffix}"
        return key

    def commit(self, name: str, key: str) -> None:
        """Gives the memory the key that was proposed for it; once given, it stays."""
        if self.propose(name) != key:
            raise ValueError(f"the key {key!r} is not the one proposed for {name!r}: {self.propose(name)!r}")
        self._key_by_name[name] = key
        self._taken.add(key)

    def key_of(self, name: str) -> str | None:
        """The key that the memory has, if it ever had one."""
        return self._key_by_name.get(name)


def camel_case(name: str) -> str:
    """A memory's name as an identifier: `csv-tools` is `csvTools`, `CSV-Tools` too; `2fa` is `_2fa`."""
    words = [word for word in _SEPARATORS.split(name) if word]
    if not words:
        return _FALLBACK
    first, *later = words
    lowered = first.lower() if first.isupper() else first[0].lower() + first[1:]
    key = lowered + "".join(word[0].upper() + word[1:] for word in later)
    return f"_{key}" if key[0].isdigit() or _TAKEN_WORDS.fullmatch(key) else key
