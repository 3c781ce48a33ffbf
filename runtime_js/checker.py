"""The type checker: one TypeScript language server, kept warm, that reads what it is sent and nothing else.

Every text is a document in memory (`checker_project`). On Linux the process is also left without a
descriptor to open a file with, once it runs. A process serves one call at a time; whoever owns it replaces it
when it is worn out, and loses nothing when it dies: the next one is sent everything again.
"""

import os
import resource
import sys
from collections import OrderedDict
from collections.abc import Mapping
from itertools import chain
from pathlib import Path
from typing import Final

from runtime_js.channel import Channel
from runtime_js.checker_project import Documents, Folder, library_documents, module_path, uri
from runtime_js.checker_report import Names, mend_report, read_report
from runtime_js.errors import CompilerLost
from runtime_js.export_docs import ExportReader
from runtime_js.lsp import LanguageClient, LspError
from runtime_js.module_graph import imported, reachable
from runtime_js.places import SourceText
from runtime_js.toolchain import Toolchain
from runtime_js.units import PROGRAM_FILE, Diagnostic, ExportDoc, ModuleSource, Unit, UnitKind
from sandbox import read_usage
from sandbox.process import ResourceLimits, SpawnFailed, spawn

__all__ = ["DeclarationsBroken", "TypeChecker"]

FOLDERS: Final = 8  # kept at once; the one unused for longest is closed
CHECKS: Final = 2_000
RESIDENT_BYTES: Final = 256 * 2**20

_OPEN_FILES: Final = 64  # until it has started; descriptors of its runtime stay open
_CLIENT: Final[Mapping[str, object]] = {
    "workspace": {"configuration": True},
    "textDocument": {
        "diagnostic": {"relatedInformation": True},
        "hover": {"contentFormat": ["markdown"]},
    },
}
_SETTINGS: Final[Mapping[str, object]] = {
    "js/ts": {
        # Otherwise it runs npm to fetch type packages.
        "tsserver": {"automaticTypeAcquisition": {"enabled": False}},
        "suggest": {"autoImports": False},
        "unstable": {"disableAutomaticTypeAcquisition": True, "maximumHoverLength": 1_500},
    }
}
_FIRST: Final = "export const first = [1].map((item) => `${item}`);\nawait Promise.resolve(first);\n"


class DeclarationsBroken(CompilerLost):
    """gg's own declarations or library have a type error: no unit can be checked with them, by no process.

    The message is the first error, with its place.
    """


class TypeChecker:
    """One checker process. A failure of it ends it and raises `CompilerLost`; errors of a unit are returned.

    `timeout_s` holds for each call, and for the start. `memory_bytes` is what the process may allocate.
    """

    def __init__(self, toolchain: Toolchain, *, timeout_s: float, memory_bytes: int) -> None:
        limits = ResourceLimits(data_bytes=memory_bytes, open_files=_OPEN_FILES)
        library = toolchain.guest_library.read_text(encoding="utf-8")
        try:
            child = spawn([str(toolchain.tsc), "--lsp", "--stdio"], rlimits=limits)
        except SpawnFailed as error:
            raise CompilerLost(f"could not be started: {error}", None, "") from error
        self._channel: Final = Channel(child, timeout_s=timeout_s)
        self._client: Final = LanguageClient(self._channel, configuration=_SETTINGS)
        self._documents: Final = Documents(self._client)
        self._folders: Final[OrderedDict[tuple[str, bool], Folder]] = OrderedDict()
        self._folders_made = 0
        self._sound: set[int] = set()
        self.checks_done = 0
        self._start(library)

    @property
    def pid(self) -> int:
        return self._channel.pid

    @property
    def worn_out(self) -> bool:
        """Whether a fresh process would do better: this one has done enough or holds too much memory."""
        usage = read_usage(self.pid)
        return self.checks_done >= CHECKS or (usage is not None and usage.resident_bytes > RESIDENT_BYTES)

    def check(self, unit: Unit) -> tuple[Diagnostic, ...]:
        """The type errors of `unit` and of the loaded modules that it imports, those of the unit first.

        Of more errors than fit into a frame of `lsp.KEPT_BYTES` only the first are returned.
        """
        folder, modules = self._begin(unit)
        names = Names(unit.file_name, (module.key for module in modules))
        source = SourceText(unit.file_name, unit.source)
        found = [*self._errors(folder.unit, source, names, show_source=unit.kind is not UnitKind.ON_USE)]
        found += self._errors_of_modules(folder, unit, modules, names)
        return tuple(found)

    def describe(
        self, module: ModuleSource, *, modules: tuple[ModuleSource, ...], declarations: str
    ) -> tuple[ExportDoc, ...]:
        """What `module` exports, by name. `modules` are those it may import."""
        others = (other for other in modules if other.key != module.key)
        source = f'import "{module.key}";'
        folder, loaded = self._begin(
            Unit(kind=UnitKind.PROGRAM, source=source, modules=(module, *others), declarations=declarations)
        )
        names = Names(PROGRAM_FILE, (other.key for other in loaded))

        def show(text: str) -> None:
            self._documents.update(folder.path, folder.documents(text, loaded))

        def ask(method: str, line: int, column: int, more: Mapping[str, object]) -> object:
            position = {"line": line, "character": column}
            return self._client.request(
                f"textDocument/{method}",
                {"textDocument": {"uri": uri(folder.unit)}, "position": position, **more},
            )

        try:
            return ExportReader(module.key, names, show=show, ask=ask).read()
        except LspError as error:
            raise self._channel.lost(f"broke the protocol: {error}") from error

    def close(self) -> None:
        """Ends the process. Safe to call again."""
        self._channel.close()

    def _start(self, library: str) -> None:
        start = {
            "processId": None,
            "rootUri": None,
            "locale": "en",
            "capabilities": _CLIENT,
            "initializationOptions": {"disablePushDiagnostics": True},
        }
        try:
            self._client.request("initialize", start)
            self._client.notify("initialized", {})
            for path, text in library_documents(library).items():
                self._documents.update(path, {path: text})
            self._refuse(self.check(Unit(kind=UnitKind.PROGRAM, source=_FIRST, declarations="")))
            self.checks_done = 0
            self._forbid_opening_files()
        except BaseException:
            self.close()
            raise

    def _begin(self, unit: Unit) -> tuple[Folder, tuple[ModuleSource, ...]]:
        """Starts a call: the folder it happens in, with all its documents on their way to the server."""
        if not self._channel.is_open:
            raise CompilerLost("was used after its end", None, "")
        self._channel.start_clock()
        self.checks_done += 1
        folder = self._folder(unit.declarations, with_families=unit.kind is UnitKind.ON_USE)
        loaded = _in_reach(unit)
        own_key = unit.key if unit.kind is UnitKind.MODULE else ""
        self._documents.update(folder.path, folder.documents(unit.source, loaded, unit_key=own_key))
        return folder, loaded

    def _folder(self, declarations: str, *, with_families: bool) -> Folder:
        key = (declarations, with_families)
        if key in self._folders:
            self._folders.move_to_end(key)
            return self._folders[key]
        self._folders_made += 1
        folder = Folder(self._folders_made, declarations=declarations, with_families=with_families)
        self._documents.update(folder.path, folder.documents("", ()))
        self._refuse_broken(folder, declarations)
        self._folders[key] = folder
        if len(self._folders) > FOLDERS:
            _, unused = self._folders.popitem(last=False)
            self._documents.update(unused.path, {})
        return folder

    def _refuse_broken(self, folder: Folder, declarations: str) -> None:
        for path in folder.own_files:
            source = SourceText(Path(path).name, declarations if path == folder.declarations else "")
            self._refuse(self._errors(path, source, Names("", ()), show_source=False))

    def _refuse(self, errors: tuple[Diagnostic, ...]) -> None:
        """Ends the process if there are `errors` in what is gg's own."""
        for error in errors:
            self.close()
            place = f"{error.file}:{error.line}:{error.column}"
            raise DeclarationsBroken(f"{place}: {error.code}: {error.message}", None, "")

    def _errors_of_modules(
        self, folder: Folder, unit: Unit, modules: tuple[ModuleSource, ...], names: Names
    ) -> list[Diagnostic]:
        """Modules were checked when they were loaded; one that they import may have changed or gone since."""
        needed = imported(unit.source, modules)
        # The modules of a module may import that one in turn.
        own_text = unit.source if unit.kind is UnitKind.MODULE else ""
        state = hash((unit.declarations, modules, needed, own_text))
        if not needed or state in self._sound:
            return []
        found: list[Diagnostic] = []
        for module in needed:
            source = SourceText(module.file_name, module.source)
            found += self._errors(module_path(folder, module.key), source, names)
        if not found:
            self._sound.add(state)
        return found

    def _errors(
        self, path: str, source: SourceText, names: Names, *, show_source: bool = True
    ) -> tuple[Diagnostic, ...]:
        method = "textDocument/diagnostic"
        report = self._client.request(method, {"textDocument": {"uri": uri(path)}}, mend=mend_report)
        try:
            return read_report(report, source, names, show_source=show_source)
        except LspError as error:
            raise self._channel.lost(f"broke the protocol at {method}: {error}") from error

    def _forbid_opening_files(self) -> None:
        """Lowers the process's limit to the descriptors it has: nothing it reads from now on is a file."""
        if sys.platform != "linux":
            return
        try:
            highest = max(int(name) for name in os.listdir(f"/proc/{self.pid}/fd"))
            resource.prlimit(self.pid, resource.RLIMIT_NOFILE, (highest + 1, highest + 1))
        except OSError as error:
            raise self._channel.lost(f"could not be confined: {error}") from error


def _in_reach(unit: Unit) -> tuple[ModuleSource, ...]:
    """The modules that take part in a check. An onUse script reaches others through its own alone."""
    if unit.kind is not UnitKind.ON_USE:
        return reachable(unit.source, unit.modules)
    own = reachable(unit.source, (module for module in unit.modules if module.key == unit.key))
    beyond = (reachable(module.source, unit.modules) for module in own)
    return tuple(dict.fromkeys((*own, *chain.from_iterable(beyond))))
