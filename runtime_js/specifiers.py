"""Which names a guest may import, and the sentence that answers every other one.

A specifier either names something that is there or gets sentences with what was asked for, what it would be
elsewhere, the nearest names, and all that exists.
"""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Final, Literal

__all__ = [
    "COMPUTED_IMPORT",
    "NO_ATTRIBUTES",
    "NO_EXPORTS",
    "NO_IMPORT_META",
    "NO_MODULE",
    "NO_REQUIRE",
    "Importables",
    "Target",
    "all_exports",
    "missing_export",
    "near",
    "near_importable",
    "whereabouts",
]

NO_REQUIRE: Final = "require does not exist here; write import … from."
NO_MODULE: Final = "module does not exist here; write export."
NO_EXPORTS: Final = "exports does not exist here; write export."
NO_IMPORT_META: Final = "import.meta does not exist here."
COMPUTED_IMPORT: Final = "import() takes one specifier in quotes."
NO_ATTRIBUTES: Final = "An import here takes no attributes: whatever can be imported is TypeScript."

_SHOWN_CHARS: Final = 80
_SHOWN_NAMES: Final = 40
_SHORT_CHARS: Final = 3
_LIB: Final = "lib:"
_GG: Final = "gg:"
_TOOLS: Final = "gg:tools"

_PATH: Final = re.compile(r"\.{0,2}[/\\]|\.{1,2}$|~|[A-Za-z]:[/\\]|file:", re.IGNORECASE)
_URL: Final = re.compile(r"(?:https?|wss?|data|blob|ftp|jsr|npm):|//", re.IGNORECASE)
_NODE: Final = re.compile(
    r"(?:node|bun|deno):|(?:assert|async_hooks|buffer|child_process|cluster|crypto|dns|events|fs|http|http2|https"
    r"|inspector|module|net|os|path|perf_hooks|process|querystring|readline|stream|string_decoder|timers|tls|tty"
    r"|url|util|v8|vm|worker_threads|zlib)(?:/\w+)?$"
)
_PREFIX: Final = re.compile(r"[\w+.-]+:")


@dataclass(frozen=True)
class Target:
    """What a specifier leads to: all of `gg`, one family of it, or a loaded module."""

    kind: Literal["gg", "family", "module"]
    name: str

    @property
    def specifier(self) -> str:
        return f"{_GG}{self.name}" if self.kind == "family" else self.name


@dataclass(frozen=True, kw_only=True)
class Importables:
    """All that one text may import. `own_key` is the key of the module that it is, or empty."""

    families: tuple[str, ...]
    keys: tuple[str, ...]
    own_key: str = ""
    is_on_use: bool = False

    def find(self, specifier: str) -> Target | None:
        if specifier == "gg":
            return Target("gg", "gg")
        if specifier.startswith(_GG):
            family = specifier.removeprefix(_GG)
            return Target("family", family) if family in self.families else None
        key = specifier.removeprefix(_LIB)
        return Target("module", key) if key in self.keys else None

    def refusal(self, specifier: str) -> str:
        """The sentences for a specifier that leads nowhere."""
        known = [*(f"gg:{family}" for family in self.families), "gg", *self.keys]
        nearest = near(specifier, known, others={family: f"gg:{family}" for family in self.families})
        hint = _did_you_mean(nearest)
        return f"Cannot import {_shown(specifier)}: {self._reason(specifier)}.{hint} {self.all()}"

    def all(self) -> str:
        """A sentence that lists what exists."""
        families = ", ".join(self.families[:_SHOWN_NAMES])
        modules = ", ".join(_shown(key) for key in sorted(self.keys)[:_SHOWN_NAMES])
        more = len(self.keys) - _SHOWN_NAMES
        if more > 0:
            modules += f" and {more} more"
        if not modules:
            return f'Importable are "gg" and "gg:<family>" ({families}); no module is loaded.'
        loaded = f"the loaded module{'' if len(self.keys) == 1 else 's'}"
        whose = "its own module" if self.is_on_use else loaded
        return f'Importable are "gg", "gg:<family>" ({families}) and {whose} {modules}.'

    def _reason(self, specifier: str) -> str:
        if specifier.removeprefix(_LIB) == self.own_key and self.own_key:
            return "that is this module itself"
        if _PATH.match(specifier):
            return "there are no files to import"
        if _URL.match(specifier):
            return "nothing is fetched"
        if _NODE.match(specifier):
            return "there is no Node.js here"
        if specifier.startswith(_GG):
            return "there is no such family"
        if _PREFIX.match(specifier) and not specifier.startswith(_LIB):
            return "there is no such prefix"
        return (
            "no module of that key may be imported here"
            if self.is_on_use
            else "no module of that key is loaded"
        )


def missing_export(target: Target, name: str, exports: Sequence[str], elsewhere: str = "") -> str:
    """The sentences for a name that `target` does not export; `elsewhere` says where it is."""
    hint = elsewhere or _did_you_mean(near(name, exports))
    what = "default export" if name == "default" else f"export {_shown(name)}"
    return f"Module {_shown(target.specifier)} has no {what}.{hint}{all_exports(target, exports)}"


def all_exports(target: Target, exports: Sequence[str]) -> str:
    """A sentence that lists what a module exports, to follow another."""
    if not exports and target.specifier == _TOOLS:
        return " It exports nothing: a configuration gives an agent its tools, and none are known here."
    return f" It exports {', '.join(exports[:_SHOWN_NAMES]) if exports else 'nothing'}."


def whereabouts(name: str, exporters: Sequence[Target], *, is_key: bool) -> str:
    """A sentence on where a name can be imported from, to follow another; empty where there is no place."""
    if exporters:
        return f" It is in {_any_of([target.specifier for target in exporters])}."
    return f" It is the module {_shown(name)}." if is_key else ""


def near_importable(name: str, known: Sequence[str]) -> str:
    """A sentence on the modules and families that a name may have meant, to follow another; or empty."""
    return _did_you_mean(near(name, known))


def near(name: str, known: Sequence[str], others: dict[str, str] | None = None) -> tuple[str, ...]:
    """The names most like `name`, nearest first; `others` are known by another spelling."""
    spellings = {_plain(spelling): spelling for spelling in known}
    spellings |= {_plain(spelling): meant for spelling, meant in (others or {}).items()}
    asked = _plain(name)[:_SHOWN_CHARS]
    # Of three letters, two in their order are near.
    cutoff = 0.7 if len(asked) > _SHORT_CHARS else 0.66
    found = get_close_matches(asked, spellings, n=3, cutoff=cutoff)
    return tuple(dict.fromkeys(spellings[spelling] for spelling in found))


def _plain(name: str) -> str:
    return re.sub(r"[-_.]", "", name.removeprefix(_LIB)).lower()


def _did_you_mean(names: Sequence[str]) -> str:
    return f" Did you mean {_any_of(names)}?" if names else ""


def _any_of(names: Sequence[str]) -> str:
    return " or ".join(_shown(name) for name in names)


def _shown(name: str) -> str:
    """A name in quotes, on one line, not too long."""
    text = name if len(name) <= _SHOWN_CHARS else name[:_SHOWN_CHARS] + "…"
    return json.dumps(text, ensure_ascii=not text.isprintable())
