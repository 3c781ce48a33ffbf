"""The modules of one bundle, all of them in memory, and the answers to what esbuild asks about them.

Each text has a name under which esbuild knows it, `namespace:path`; the unit itself is esbuild's standard
input. Names of guest texts end in `.mts`, which makes them ECMAScript modules whatever they contain:
otherwise a `return` or a `require` at the top would turn one into CommonJS.
"""

import re
from collections.abc import Iterator
from typing import Final

from runtime_js.guest_sdk import FRONT, GuestSdk, exported_names
from runtime_js.places import SourceText
from runtime_js.specifiers import NO_ATTRIBUTES, NO_REQUIRE, Importables, Target
from runtime_js.units import ModuleSource, Unit, UnitKind
from runtime_js.wire import Value, WireError, field

__all__ = ["PLUGIN", "PLUGIN_NAME", "VirtualModules"]

# esbuild obeys the last such comment of a text. This one leads nowhere, so that none of the guest's forges a
# place or reads a file.
_TAIL: Final = "\n//# sourceMappingURL=x:y"

_SDK: Final = "gg"
_LIBRARY: Final = "lib"
_GLOBALS: Final = "gg-globals"
_SUFFIX: Final = ".mts"
_CALLBACK: Final = 0

_DECLARED: Final = re.compile(r'^declare module "gg:(\w+)"', re.MULTILINE)

PLUGIN_NAME: Final = "gg"
PLUGIN: Final[Value] = {
    "name": PLUGIN_NAME,
    "onStart": False,
    "onEnd": False,
    "onResolve": [{"id": _CALLBACK, "filter": ".*", "namespace": ""}],
    "onLoad": [{"id": _CALLBACK, "filter": ".*", "namespace": ""}],
}


class VirtualModules:
    """What one unit is bundled from. `texts` are the guest's by esbuild's name for them."""

    def __init__(self, unit: Unit, sdk: GuestSdk) -> None:
        self._unit: Final = unit
        self._sdk: Final = sdk
        self._modules: Final = {module.key: module for module in unit.modules}
        if unit.kind is UnitKind.MODULE:
            # Whatever imports this module gets the text that is being compiled.
            self._modules[unit.key] = ModuleSource(unit.key, unit.source)
        self._families: Final = sdk.imported_families(self._reachable())
        self._globals: Final = sdk.globals_of(unit.source) if unit.kind is UnitKind.ON_USE else ()
        self._unit_name: Final = unit.file_name.removesuffix(".ts") + _SUFFIX
        self.texts: Final = {self._unit_name: SourceText(unit.file_name, unit.source)} | {
            f"{_LIBRARY}:{key}{_SUFFIX}": SourceText(module.file_name, module.source)
            for key, module in self._modules.items()
        }

    @property
    def flags(self) -> list[str]:
        """What this bundle adds to esbuild's flags."""
        inject = [f"--inject:{_GLOBALS}"] if self._globals else []
        return [f"--sourcefile={self._unit_name}", *inject]

    @property
    def contents(self) -> bytes:
        """The unit as esbuild gets it."""
        return (self._unit.source + _TAIL).encode()

    def is_sdk(self, name: str) -> bool:
        """Whether esbuild's name of a text is one of gg's own."""
        return name.startswith((f"{_SDK}:", f"{_GLOBALS}:"))

    def name_of(self, file: str) -> str:
        """esbuild's name of the guest's text that is called `file` in diagnostics."""
        return next(name for name, source in self.texts.items() if source.file == file)

    def importables(self, name: str) -> Importables:
        """What the text of that name may import."""
        own_key = re.sub(rf"^{_LIBRARY}:|{re.escape(_SUFFIX)}$", "", name)
        is_on_use = False
        if name == self._unit_name:
            own_key = self._unit.key if self._unit.kind is UnitKind.MODULE else ""
            is_on_use = self._unit.kind is UnitKind.ON_USE
        keys = tuple(
            key for key in self._modules if key != own_key and (not is_on_use or key == self._unit.key)
        )
        return Importables(families=self._sdk.families, keys=keys, own_key=own_key, is_on_use=is_on_use)

    def exports(self, target: Target) -> tuple[str, ...]:
        """The names of the values a target exports, as far as they can be told without a parser."""
        if target.kind == "module":
            return exported_names(self._modules[target.name].source)
        return self._sdk.exports(FRONT if target.kind == "gg" else f"sdk/{target.name}")

    def target(self, name: str) -> Target | None:
        """What esbuild's name of a text stands for; None for one that no specifier leads to."""
        match name.partition(":"):
            case ("gg", _, path):
                family = path.removeprefix("sdk/")
                found = Target("gg", "gg") if path == FRONT else Target("family", family)
                return found if path == FRONT or family in self._sdk.families else None
            case ("lib", _, path):
                return Target("module", path.removesuffix(_SUFFIX))
        return None

    def families_with(self, export: str) -> tuple[Target, ...]:
        """The families that export a name, as a value or as a type."""
        declared = _DECLARED.split(self._unit.declarations)[1:]
        pattern = re.compile(rf"^\s*export (?:declare )?\w+ {re.escape(export)}\b", re.MULTILINE)
        names = [
            name for name, text in zip(declared[::2], declared[1::2], strict=True) if pattern.search(text)
        ]
        return tuple(Target("family", family) for family in self._sdk.families if family in names)

    def answer(self, question: Value) -> Value:
        """Answers one callback of esbuild's."""
        match field(question, "command", str):
            case "on-start":
                return {"errors": [], "warnings": []}
            case "on-resolve":
                return {"id": _CALLBACK, **self._resolve(question)}
            case "on-load":
                return {"id": _CALLBACK, **self._load(question)}
            case command:
                raise WireError(f"unknown command {command!r:.40}")

    def _resolve(self, question: Value) -> dict[str, Value]:
        specifier = field(question, "path", str)
        namespace = field(question, "namespace", str)
        importer = field(question, "importer", str)
        kind = field(question, "kind", str)
        if kind == "entry-point":
            return {"namespace": _GLOBALS, "path": _GLOBALS}
        if namespace == _SDK and (path := self._sdk.resolve(importer, specifier)):
            return {"namespace": _SDK, "path": path}
        if kind.startswith("require"):
            return _refused(NO_REQUIRE)
        if field(question, "with", dict):
            return _refused(NO_ATTRIBUTES)
        importables = self.importables(f"{namespace}:{importer}" if namespace else importer)
        target = importables.find(specifier)
        if target is None:
            return _refused(importables.refusal(specifier))
        if target.kind == "module":
            return {"namespace": _LIBRARY, "path": f"{target.name}{_SUFFIX}"}
        return {"namespace": _SDK, "path": FRONT if target.kind == "gg" else f"sdk/{target.name}"}

    def _load(self, question: Value) -> dict[str, Value]:
        path = field(question, "path", str)
        match field(question, "namespace", str):
            case "gg" if path == FRONT:
                text = self._sdk.front(self._families)
            case "gg":
                text = self._sdk.source(path)
            case "lib":
                text = self._modules[path.removesuffix(_SUFFIX)].source + _TAIL
            case "gg-globals":
                text = f'export {{ {", ".join(self._globals)} }} from "gg";'
            case namespace:
                raise WireError(f"unknown namespace {namespace!r:.40}")
        return {"contents": text.encode(), "loader": "ts"}

    def _reachable(self) -> Iterator[str]:
        """The unit and the modules it may import, directly or not: those whose key occurs in one that is."""
        found = [self._unit.source]
        rest = dict(self._modules)
        for source in found:
            yield source
            is_escaped = "\\u" in source or "\\x" in source
            named = [key for key in rest if is_escaped or key in source]
            found += (rest.pop(key).source for key in named)
        if self._unit.kind is UnitKind.ON_USE:
            yield f'import {{ {", ".join(self._sdk.globals_of(self._unit.source))} }} from "gg";'


def _refused(text: str) -> dict[str, Value]:
    """An answer that makes the import an error with this text, located by esbuild."""
    error: Value = {
        "id": "",
        "pluginName": PLUGIN_NAME,
        "text": text,
        "location": None,
        "notes": [],
        "detail": -1,
    }
    return {"errors": [error]}
