"""What the type checker reads: documents in memory, one folder of them for each set of declarations.

The folders are below a device, where no file can exist: nothing of the host takes part in a check, and no
specifier a program writes leads out of memory to a file that is read. Files of modules are named by the key's
hexadecimal form, so that keys that differ in case only stay apart on every file system.

A folder's root files are the library, `gg.d.ts`, the unit and the modules it may import; a module out of its
reach stays out, because what it declares globally would hold for the unit. `tsconfig.json` is a root file as
well: a document of no project would get one of its own, with TypeScript's library for browsers.
"""

import json
import re
from collections.abc import Collection, Mapping
from typing import Final

from runtime_js.lsp import LanguageClient
from runtime_js.units import ModuleSource

__all__ = ["Documents", "Folder", "library_documents", "module_path", "uri"]

ROOT: Final = "/dev/null/gg"
LIBRARY_FOLDER: Final = f"{ROOT}/0"
UNIT_NAME: Final = "unit.ts"

COMPILER_OPTIONS: Final[Mapping[str, object]] = {
    "strict": True,
    "target": "esnext",
    "module": "esnext",
    "moduleResolution": "bundler",
    "moduleDetection": "force",
    "noEmit": True,
    # Nothing is read but the root files; what a specifier could name on the host stays unread.
    "noResolve": True,
    "noLib": True,
    "types": [],
    "preserveSymlinks": True,
    "disableSolutionSearching": True,
    # tsconfig.json among the root files needs the first; without the others an import of a file that exists
    # on the host would be answered differently from one that does not.
    "resolveJsonModule": True,
    "jsx": "preserve",
    "allowArbitraryExtensions": True,
}

_FAMILY: Final = re.compile(r'^declare module "gg:([A-Za-z_$][\w$]*)"', re.MULTILINE)


class Folder:
    """One folder of documents. `number` is from 1; `with_families` puts every SDK family in global scope."""

    def __init__(self, number: int, *, declarations: str, with_families: bool) -> None:
        self.path: Final = f"{ROOT}/{number}"
        self.unit: Final = f"{self.path}/{UNIT_NAME}"
        self.declarations: Final = f"{self.path}/gg.d.ts"
        self._fixed: Final = {self.declarations: declarations}
        if with_families:
            self._fixed[f"{self.path}/families.d.ts"] = _families(declarations)

    @property
    def own_files(self) -> tuple[str, ...]:
        """Paths of what gg itself puts there, an error in which is gg's."""
        return tuple(self._fixed)

    def documents(
        self, source: str, modules: Collection[ModuleSource], *, unit_key: str = ""
    ) -> dict[str, str]:
        """Path to text of all of the folder for one check, the configuration first.

        `unit_key` is the key by which `modules` import the unit, where it is a module itself.
        """
        files = {module_path(self, module.key): module.source for module in modules}
        found = {module.key: module_path(self, module.key) for module in modules}
        if unit_key and any(unit_key in module.source for module in modules):
            found[unit_key] = self.unit
        paths = {specifier: [path] for key, path in found.items() for specifier in (key, f"lib:{key}")}
        roots = [f"{LIBRARY_FOLDER}/lib.d.ts", *self._fixed, *files, self.unit]
        return {**_configuration(self.path, roots, paths), **self._fixed, **files, self.unit: source}


def library_documents(library: str) -> dict[str, str]:
    """Path to text of the folder that holds the library, shared by all others."""
    path = f"{LIBRARY_FOLDER}/lib.d.ts"
    return {**_configuration(LIBRARY_FOLDER, [path], {}), path: library}


def module_path(folder: Folder, key: str) -> str:
    return f"{folder.path}/m{key.encode().hex()}.ts"


class Documents:
    """What a server holds open; only what changed is sent to it."""

    def __init__(self, client: LanguageClient) -> None:
        self._client: Final = client
        self._open: Final[dict[str, str]] = {}
        self._version = 0

    def update(self, folder: str, wanted: Mapping[str, str]) -> None:
        """Makes the documents below `folder` those of `wanted`, path to text, in its order."""
        for path, text in wanted.items():
            if path not in self._open:
                document = {"uri": uri(path), "languageId": _language(path), "version": 0, "text": text}
                self._client.notify("textDocument/didOpen", {"textDocument": document})
            elif self._open[path] != text:
                self._version += 1
                change = {"uri": uri(path), "version": self._version}
                self._client.notify(
                    "textDocument/didChange", {"textDocument": change, "contentChanges": [{"text": text}]}
                )
            self._open[path] = text
        for path in [path for path in self._open if path.startswith(f"{folder}/") and path not in wanted]:
            self._client.notify("textDocument/didClose", {"textDocument": {"uri": uri(path)}})
            del self._open[path]


def uri(path: str) -> str:
    return f"file://{path}"


def _configuration(folder: str, roots: list[str], paths: Mapping[str, list[str]]) -> dict[str, str]:
    path = f"{folder}/tsconfig.json"
    options = {**COMPILER_OPTIONS, "paths": paths}
    return {path: json.dumps({"compilerOptions": options, "files": [path, *roots]})}


def _families(declarations: str) -> str:
    names = sorted(set(_FAMILY.findall(declarations)))
    return "".join(f'declare const {name}: typeof import("gg:{name}");\n' for name in names)


def _language(path: str) -> str:
    return "json" if path.endswith(".json") else "typescript"
