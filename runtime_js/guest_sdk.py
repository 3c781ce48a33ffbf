"""The TypeScript that guest programs import, and what of it a bundle needs.

The SDK itself is bundled apart and stands on a bundle's first line, as an object of its families. What guest
texts import under `gg` and `gg:<family>` are stubs that take their exports from that object: so every import
gives the same instances, a bundle takes no longer for a large SDK, and every frame on line 1 is gg's own.

The family of tools differs from unit to unit: a stub of its own has the SDK make it, which those of `gg` and
`gg:tools` import.
"""

import hashlib
import json
import posixpath
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache, cached_property
from importlib.resources import files
from typing import Final

from runtime_js.units import ToolNamespace

__all__ = ["FRONT", "SDK_OBJECT", "TOOLS", "TOOLS_TABLE", "GuestSdk", "exported_names", "load_sdk"]

FRONT: Final = "sdk/gg"  # re-exports all families
SDK_OBJECT: Final = "gg$sdk"
TOOLS: Final = "gg:tools"
TOOLS_TABLE: Final = "gg:tools table"  # what only stubs import

_FAMILY_EXPORT: Final = re.compile(r'^export \* as (\w+) from "\./(\w+)";?[ \t]*$', re.MULTILINE)
_DECLARATION: Final = re.compile(
    r"^export (?:async )?(?:function|class|const|let|enum)\*? (\w+)", re.MULTILINE
)
_EXPORT_LIST: Final = re.compile(r"^export \{([^}]*)\}", re.MULTILINE)

_NAMES_GG: Final = re.compile(r"""["'`]gg["'`]""")
_NAMES_FAMILY: Final = re.compile(r"""["'`]gg:(\w*)["'`]""")
_IMPORTS_NAMES: Final = re.compile(
    r"""\b(?:import|export)\s*(?:type\s*)?\{([^{}"'`\\/]*)\}\s*from\s*["']gg["']"""
)
# Escapes that a specifier or a name may be spelled with; not those for white space and quotes.
_ESCAPE: Final = re.compile(r"\\(?![nrtbfv0\\\"'`$/])")
_WORD: Final = re.compile(r"\w+")


class GuestSdk:
    """The SDK's sources by path without suffix: `sdk/gg`, `sdk/core`, `sdk/<family>`, what they import."""

    def __init__(self, sources: Mapping[str, str]) -> None:
        self._sources: Final = dict(sources)
        self.families: Final = tuple(sorted(name for name, _ in _FAMILY_EXPORT.findall(sources[FRONT])))
        self.digest: Final = hashlib.sha256(repr(sorted(sources.items())).encode()).hexdigest()

    @cached_property
    def exports(self) -> Mapping[str, tuple[str, ...]]:
        """The names of the values that `gg` and each `gg:<family>` exports, sorted; none for `gg:tools`."""
        families = {
            f"gg:{family}": exported_names(self._sources[f"sdk/{family}"]) for family in self.families
        }
        return {"gg": exported_names(self._sources[FRONT]), **families, TOOLS: ()}

    def resolve(self, importer: str, specifier: str) -> str | None:
        """The path a relative import in one SDK file leads to; None if there is no such file."""
        path = posixpath.normpath(posixpath.join(posixpath.dirname(importer), specifier))
        return path if specifier.startswith(".") and path in self._sources else None

    def source(self, path: str) -> str:
        return self._sources[path]

    def front(self, families: frozenset[str]) -> str:
        """The source of `sdk/gg` with only these families in it."""
        return _FAMILY_EXPORT.sub(
            lambda match: match[0] if match[1] in families else "", self._sources[FRONT]
        )

    def stub(self, specifier: str, tools: Sequence[ToolNamespace] | None = None) -> str:
        """The module that guest texts get for `gg` or `gg:<family>`, or the one behind its tools.

        `tools` is None where nobody uses them: to make all of them would take longer than most programs do.
        """
        if specifier == TOOLS_TABLE:
            table = json.dumps([[namespace.name, namespace.members] for namespace in tools or ()])
            return f"export const tools = {SDK_OBJECT}.tools.namespaces({table});\n"
        if specifier == TOOLS:
            exports = [f"export const {one.name} = gg$tools.{one.name};\n" for one in tools or ()]
            # An export even where there is none: otherwise it could be a script, which exports anything.
            return "".join(
                [f'import {{ tools as gg$tools }} from "{TOOLS_TABLE}";\nexport {{}};\n', *exports]
            )
        owner = ".".join((SDK_OBJECT, *specifier.split(":")[1:]))
        exports = [f"export const {name} = {owner}.{name};\n" for name in self.exports[specifier]]
        if specifier == "gg" and tools is not None:
            exports.remove(f"export const tools = {SDK_OBJECT}.tools;\n")
            exports.append(f'export {{ tools }} from "{TOOLS_TABLE}";\n')
        return "".join(exports)

    def globals_of(self, source: str) -> tuple[str, ...]:
        """What `gg` exports and `source` names, anywhere; all of it where a name may be escaped."""
        words = frozenset(_WORD.findall(source))
        return tuple(name for name in self.exports["gg"] if name in words or "\\u" in source)

    def needed_by(self, sources: Iterable[str]) -> frozenset[str] | None:
        """The families that these sources can reach; None if they do not reach the SDK at all.

        All families, where it cannot be told from the text which.
        """
        everything = frozenset(self.families)
        needed: frozenset[str] | None = None
        for source in sources:
            lists = _IMPORTS_NAMES.findall(source)
            families = _NAMES_FAMILY.findall(source)
            if _ESCAPE.search(source) or len(lists) != len(_NAMES_GG.findall(source)):
                return everything
            if lists or families:
                words = _WORD.findall(" ".join((*lists, *families)))
                needed = (needed or frozenset()) | everything.intersection(words)
        return needed


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
