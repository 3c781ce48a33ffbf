"""The guest texts of one unit, and what each of them may import.

Each text has a name under which esbuild knows it: the unit itself is its standard input, a module is
`lib:<key>.mts`. Names end in `.mts`, which makes a text an ECMAScript module whatever it contains:
otherwise a `return` or a `require` at its top would turn it into CommonJS.
"""

import re
from collections.abc import Iterator
from functools import cached_property
from typing import Final

from runtime_js.guest_sdk import TOOLS, GuestSdk, exported_names
from runtime_js.module_graph import reachable
from runtime_js.places import SourceText
from runtime_js.specifiers import Importables, Target, near_importable, whereabouts
from runtime_js.units import ModuleSource, Unit, UnitKind

__all__ = ["LIBRARY", "SUFFIX", "UnitTexts"]

LIBRARY: Final = "lib"
SUFFIX: Final = ".mts"

_DECLARED: Final = re.compile(r'^declare module "(gg(?::\w+)?)"', re.MULTILINE)
_EXPORTED: Final = re.compile(
    r"^\s*export (?:(?:declare|async|abstract) )*"
    r"(?:function|class|const|let|enum|interface|type)\*? ([\w$]+)",
    re.MULTILINE,
)


class UnitTexts:
    """Texts by esbuild's name for them, the unit's first."""

    def __init__(self, unit: Unit, sdk: GuestSdk) -> None:
        self._unit: Final = unit
        self._sdk: Final = sdk
        self.modules: Final = {module.key: module for module in unit.modules}
        if unit.kind is UnitKind.MODULE:
            # Whatever imports this module gets the text that is being compiled.
            self.modules[unit.key] = ModuleSource(unit.key, unit.source)
        self.unit_name: Final = unit.file_name.removesuffix(".ts") + SUFFIX

    @cached_property
    def sources(self) -> dict[str, SourceText]:
        return {self.unit_name: SourceText(self._unit.file_name, self._unit.source)} | {
            f"{LIBRARY}:{key}{SUFFIX}": SourceText(module.file_name, module.source)
            for key, module in self.modules.items()
        }

    @property
    def injected(self) -> tuple[str, ...]:
        """The names of `gg` that an onUse script has without importing them, as far as it names them."""
        return self._sdk.globals_of(self._unit.source) if self._unit.kind is UnitKind.ON_USE else ()

    def name_of(self, file: str) -> str:
        """The name of the text that is called `file` in diagnostics."""
        return next(name for name, source in self.sources.items() if source.file == file)

    def importables(self, name: str) -> Importables:
        """What the text of that name may import."""
        own_key = name.removeprefix(f"{LIBRARY}:").removesuffix(SUFFIX)
        is_on_use = False
        if name == self.unit_name:
            own_key = self._unit.key if self._unit.kind is UnitKind.MODULE else ""
            is_on_use = self._unit.kind is UnitKind.ON_USE
        keys = tuple(
            key for key in self.modules if key != own_key and (not is_on_use or key == self._unit.key)
        )
        return Importables(families=self._sdk.families, keys=keys, own_key=own_key, is_on_use=is_on_use)

    def target(self, name: str) -> Target | None:
        """What a module is imported as that has this name, which may be one of the SDK."""
        match name.partition(":"):
            case ("gg", _, specifier):
                return self.importables(self.unit_name).find(specifier)
            case ("lib", _, path):
                return Target("module", path.removesuffix(SUFFIX))
        return None

    def exports(self, target: Target) -> tuple[str, ...]:
        """The names of the values a target exports, as far as they can be told without a parser.

        Of the SDK those that the unit's declarations have: a call that is not declared does not exist for it.
        """
        if target.kind == "module":
            return exported_names(self.modules[target.name].source)
        if target.specifier == TOOLS:
            return self._namespaces
        names, declared = self._sdk.exports[target.specifier], self._declared.get(target.specifier)
        return names if declared is None else tuple(name for name in names if name in declared)

    def whereabouts(self, name: str, importer: str) -> str:
        """A sentence on where the text `importer` can import a name from, be it a type's; or empty."""
        importables = self.importables(importer)
        found = [importables.find(specifier) for specifier in self._exporters.get(name, ())]
        return whereabouts(name, [target for target in found if target], is_key=name in importables.keys)

    def near_importable(self, name: str, importer: str) -> str:
        """A sentence on what `importer` can import that is called nearly so; or empty."""
        names = [*self._sdk.exports["gg"], *self._namespaces, *self.importables(importer).keys]
        return near_importable(name, names)

    @property
    def _namespaces(self) -> tuple[str, ...]:
        """What `gg:tools` exports."""
        return tuple(namespace.name for namespace in self._unit.tools)

    @cached_property
    def _declared(self) -> dict[str, list[str]]:
        """The names that the declarations export, by specifier; empty where the unit has no declarations.

        Of `gg:tools` the namespaces alone: what stands within them is not exported.
        """
        pieces = _DECLARED.split(self._unit.declarations)[1:]
        exports = {
            specifier: _EXPORTED.findall(text)
            for specifier, text in zip(pieces[::2], pieces[1::2], strict=True)
        }
        if "gg" in exports:
            exports["gg"] += self._sdk.families
        return {**exports, TOOLS: list(self._namespaces)}

    @cached_property
    def _exporters(self) -> dict[str, list[str]]:
        """The specifiers of what exports a name, by name, as far as it can be told without a parser."""
        exports = {"gg": [*self._sdk.families], **self._declared}
        for key, module in self.modules.items():
            exports[key] = [*_EXPORTED.findall(module.source), *exported_names(module.source)]
        found: dict[str, list[str]] = {}
        for specifier, names in exports.items():
            for name in dict.fromkeys(names):
                found.setdefault(name, []).append(specifier)
        return found

    def reachable(self) -> Iterator[str]:
        """The sources of the unit and of at least all modules that it imports, directly or not."""
        yield self._unit.source
        yield from (module.source for module in reachable(self._unit.source, self.modules.values()))
