"""The TypeScript that guest programs import: which families it has, and what a bundle takes of it.

`gg` re-exports every family, and a bundle of two of them would still have esbuild ask for all. So a bundle is
given a `gg` with the families that its sources import by name, all of them if a source uses it otherwise.
"""

import hashlib
import posixpath
import re
from collections.abc import Iterable, Mapping
from functools import cache
from importlib.resources import files
from typing import Final

__all__ = ["FRONT", "GuestSdk", "exported_names", "load_sdk"]

FRONT: Final = "sdk/gg"  # re-exports all families

_FAMILY_EXPORT: Final = re.compile(r'^export \* as (\w+) from "\./(\w+)";?[ \t]*$', re.MULTILINE)
_DECLARATION: Final = re.compile(
    r"^export (?:async )?(?:function|class|const|let|enum)\*? (\w+)", re.MULTILINE
)
_EXPORT_LIST: Final = re.compile(r"^export \{([^}]*)\}", re.MULTILINE)
_NAMES_GG: Final = re.compile(r"""["'`]gg["'`]""")
_IMPORTS_NAMES: Final = re.compile(
    r"""\b(?:import|export)\s*(?:type\s*)?\{([^{}"'`\\/]*)\}\s*from\s*["']gg["']"""
)
_WORD: Final = re.compile(r"\w+")


class GuestSdk:
    """The SDK's sources by path without suffix: `sdk/gg`, `sdk/core`, `sdk/<family>`, what they import."""

    def __init__(self, sources: Mapping[str, str]) -> None:
        self._sources: Final = dict(sources)
        self.families: Final = tuple(sorted(name for name, _ in _FAMILY_EXPORT.findall(sources[FRONT])))
        self.digest: Final = hashlib.sha256(repr(sorted(sources.items())).encode()).hexdigest()

    def resolve(self, importer: str, specifier: str) -> str | None:
        """The path a relative import in one SDK file leads to; None if there is no such file."""
        path = posixpath.normpath(posixpath.join(posixpath.dirname(importer), specifier))
        return path if specifier.startswith(".") and path in self._sources else None

    def source(self, path: str) -> str:
        return self._sources[path]

    def exports(self, path: str) -> tuple[str, ...]:
        """The names of the values that a file exports, sorted."""
        return exported_names(self._sources[path])

    def front(self, families: frozenset[str]) -> str:
        """The source of `gg` with only these families in it."""
        return _FAMILY_EXPORT.sub(
            lambda match: match[0] if match[1] in families else "", self._sources[FRONT]
        )

    def globals_of(self, source: str) -> tuple[str, ...]:
        """What `gg` exports and `source` names, anywhere; all of it where a name may be escaped."""
        exported = self.exports(FRONT)
        if "\\u" in source:
            return exported
        words = frozenset(_WORD.findall(source))
        return tuple(name for name in exported if name in words)

    def imported_families(self, sources: Iterable[str]) -> frozenset[str]:
        """The families that these sources can reach through `gg`; all of them where that cannot be told."""
        everything = frozenset(self.families)
        names: set[str] = set()
        for source in sources:
            lists = _IMPORTS_NAMES.findall(source)
            if "\\" in source or len(lists) != len(_NAMES_GG.findall(source)):
                return everything
            names.update(_WORD.findall(" ".join(lists)))
        return everything.intersection(names)


def exported_names(source: str) -> tuple[str, ...]:
    """The names of the values that a module exports, sorted; those written in an unusual way are missing."""
    listed = (name for names in _EXPORT_LIST.findall(source) for name in names.split(","))
    names = {name.split()[-1] for name in listed if name.strip()}
    families = {family for family, _ in _FAMILY_EXPORT.findall(source)}
    return tuple(sorted(names.union(_DECLARATION.findall(source), families)))


@cache
def load_sdk() -> GuestSdk:
    """The SDK that stands in this package."""
    package = files("runtime_js")
    return GuestSdk(
        {
            f"{folder}/{path.name.removesuffix('.ts')}": path.read_text(encoding="utf-8")
            for folder in ("sdk", "prelude")
            for path in (package / folder).iterdir()
            if path.name.endswith(".ts") and not path.name.endswith(".d.ts")
        }
    )
