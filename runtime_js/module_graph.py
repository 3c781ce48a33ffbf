"""Which loaded modules a text leads to, told without parsing it.

Both answers are closures: a module that is found is searched in turn. Neither decides what may be imported;
the bundler does, which parses.
"""

import re
from collections.abc import Callable, Iterable
from typing import Final

from runtime_js.units import ModuleSource

__all__ = ["imported", "reachable"]

_IMPORT: Final = re.compile(r"""\b(?:from|import)\s*\(?\s*["'](?:lib:)?([^"'\\\n]+)["']""")

Finder = Callable[[str, Iterable[str]], Iterable[str]]


def reachable(source: str, modules: Iterable[ModuleSource]) -> tuple[ModuleSource, ...]:
    """At least all modules that `source` imports, by key; some that it does not may be among them."""
    return tuple(sorted(_closure(source, modules, _mentions), key=lambda module: module.key))


def imported(source: str, modules: Iterable[ModuleSource]) -> tuple[ModuleSource, ...]:
    """The modules that `source` imports in an ordinary way, in the order in which they are met."""
    return tuple(_closure(source, modules, _imports))


def _closure(source: str, modules: Iterable[ModuleSource], find: Finder) -> list[ModuleSource]:
    rest = {module.key: module for module in modules}
    found: list[ModuleSource] = []
    texts = [source]
    while texts:
        for key in find(texts.pop(), tuple(rest)):
            found.append(rest.pop(key))
            texts.append(found[-1].source)
    return found


def _mentions(text: str, keys: Iterable[str]) -> Iterable[str]:
    # An escape may spell any key.
    any_key = r"\u" in text or r"\x" in text
    return [key for key in keys if any_key or key in text]


def _imports(text: str, keys: Iterable[str]) -> Iterable[str]:
    specifiers = dict.fromkeys(_IMPORT.findall(text))
    return [specifier for specifier in specifiers if specifier in keys]
