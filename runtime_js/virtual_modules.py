"""The modules of one bundle, all of them in memory, and the answers to what esbuild asks about them."""

from collections.abc import Callable
from typing import Final

from runtime_js.guest_sdk import FRONT, TOOLS_TABLE, GuestSdk
from runtime_js.specifiers import NO_ATTRIBUTES, NO_REQUIRE
from runtime_js.unit_texts import LIBRARY, SUFFIX, UnitTexts
from runtime_js.units import Unit
from runtime_js.wire import Value, WireError, field

__all__ = ["PLUGIN", "PLUGIN_NAME", "SdkModules", "VirtualModules", "is_sdk"]

# esbuild obeys the last such comment of a text. This one leads nowhere, so that none of the guest's forges a
# place or reads a file.
_TAIL: Final = "\n//# sourceMappingURL=x:y"

_SDK: Final = "gg"
_GLOBALS: Final = "gg-globals"
_CALLBACK: Final = 0

_MAX_REFUSALS: Final = 100

PLUGIN_NAME: Final = "gg"
PLUGIN: Final[Value] = {
    "name": PLUGIN_NAME,
    "onStart": False,
    "onEnd": False,
    "onResolve": [{"id": _CALLBACK, "filter": ".*", "namespace": ""}],
    "onLoad": [{"id": _CALLBACK, "filter": ".*", "namespace": ""}],
}


def is_sdk(name: str) -> bool:
    """Whether esbuild's name of a text is one of gg's own."""
    return name.startswith((f"{_SDK}:", f"{_GLOBALS}:"))


class SdkModules:
    """The SDK itself, with some of the families."""

    def __init__(self, sdk: GuestSdk, families: frozenset[str]) -> None:
        self._sdk: Final = sdk
        self.contents: Final = sdk.front(families).encode()

    def answer(self, question: Value) -> Value:
        """Answers one callback of esbuild's."""
        return _reply(question, self._resolve, lambda _, path: self._sdk.source(path))

    def _resolve(self, question: Value) -> dict[str, Value]:
        importer = field(question, "importer", str) if field(question, "namespace", str) == _SDK else FRONT
        path = self._sdk.resolve(importer, field(question, "path", str))
        return _refused(f"not a file of the SDK, for {importer}") if path is None else _found(_SDK, path)


class VirtualModules:
    """What one unit is bundled from: its texts, and stubs in place of the SDK.

    `families` are those that the texts can reach.
    """

    def __init__(self, unit: Unit, texts: UnitTexts, sdk: GuestSdk, families: frozenset[str] | None) -> None:
        self._texts: Final = texts
        self._sdk: Final = sdk
        self._tools: Final = unit.tools if families and "tools" in families else None
        self.contents: Final = (unit.source + _TAIL).encode()
        self._refusals = 0
        inject = (f"--inject:{_GLOBALS}",) if texts.injected else ()
        self.flags: Final = (f"--sourcefile={texts.unit_name}", *inject)

    def answer(self, question: Value) -> Value:
        """Answers one callback of esbuild's."""
        return _reply(question, self._resolve, self._load)

    def _resolve(self, question: Value) -> dict[str, Value]:
        specifier = field(question, "path", str)
        namespace = field(question, "namespace", str)
        importer = field(question, "importer", str)
        kind = field(question, "kind", str)
        if kind == "entry-point":
            return _found(_GLOBALS, _GLOBALS)
        if namespace == _SDK:
            return _found(_SDK, TOOLS_TABLE)  # by a stub: nothing else of gg's imports anything
        if kind.startswith("require"):
            return self._refused(lambda: NO_REQUIRE)
        if field(question, "with", dict):
            return self._refused(lambda: NO_ATTRIBUTES)
        importables = self._texts.importables(f"{namespace}:{importer}" if namespace else importer)
        target = importables.find(specifier)
        if target is None:
            return self._refused(lambda: importables.refusal(specifier))
        if target.kind == "module":
            return _found(LIBRARY, target.name + SUFFIX)
        return _found(_SDK, target.specifier)

    def _refused(self, text: Callable[[], str]) -> dict[str, Value]:
        """An error, but only so many of them: each carries the line it stands on back to us."""
        self._refusals += 1
        return {"external": True} if self._refusals > _MAX_REFUSALS else _refused(text())

    def _load(self, namespace: str, path: str) -> str:
        if namespace == _GLOBALS:
            return f'export {{ {", ".join(self._texts.injected)} }} from "gg";'
        if namespace == LIBRARY:
            return self._texts.modules[path.removesuffix(SUFFIX)].source + _TAIL
        return self._sdk.stub(path, self._tools)


def _reply(
    question: Value, resolve: Callable[[Value], dict[str, Value]], load: Callable[[str, str], str]
) -> Value:
    match field(question, "command", str):
        case "on-start":
            return {"errors": [], "warnings": []}
        case "on-resolve":
            return {"id": _CALLBACK, **resolve(question)}
        case "on-load":
            text = load(field(question, "namespace", str), field(question, "path", str))
            return {"id": _CALLBACK, "contents": text.encode(), "loader": "ts"}
        case command:
            raise WireError(f"unknown command {command!r:.40}")


def _found(namespace: str, path: str) -> dict[str, Value]:
    return {"namespace": namespace, "path": path}


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
