"""The code of one agent's memories and skills: compiled, loaded, documented, and queued for its use.

Both halves are compiled before anything is loaded, and a key is taken only by a module that compiled. What is
loaded is importable from the agent's next program on.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Final, Literal

from host.context import Window, docs_view
from host.core.errors import HostDefect, Refusal
from host.core.module_keys import Carrier, KeyTable, Origin
from host.core.text import quoted
from host.events import CompileDiagnostic, CompileOrigin, Event
from host.operations import Page, PreparedHalves, view_event
from host.turn.module_pages import module_pages, title_of
from host.turn.told_diagnostics import told_diagnostics
from runtime_js import (
    BRACKET_LIMIT,
    Compiled,
    Compiler,
    CompilerBroken,
    CompileRejected,
    Diagnostic,
    ExportDoc,
    ModuleSource,
    ToolNamespace,
    TypeCheck,
    Unit,
    UnitKind,
    bracket_depth,
)

MAX_USES_PER_TURN: Final = 32
MAX_RECORDED_DIAGNOSTICS: Final = 100

Severity = Literal["error", "warning"]


@dataclass(frozen=True, kw_only=True)
class Use:
    """One use of a memory or skill whose onUse script is due."""

    carrier: Carrier
    key: str
    script: Compiled
    source: str


@dataclass(frozen=True, kw_only=True)
class Prepared:
    """Both halves of a memory or skill, compiled. A half that is `None` is absent or does not compile.

    `code` is the source of the module, whether or not it compiles.
    """

    carrier: Carrier
    key: str
    code: str | None = None
    module: ModuleSource | None = None
    exports: tuple[ExportDoc, ...] = ()
    script: Compiled | None = None
    script_source: str = ""
    problems: str = ""


@dataclass(frozen=True)
class _Loaded:
    carrier: Carrier
    module: ModuleSource
    others: tuple[ModuleSource, ...]  # that it was compiled beside
    exports: tuple[ExportDoc, ...]
    pages: tuple[Page, ...]


class AgentCode:
    """What one agent instance has loaded.

    `turn` tells the current turn; `defect_of` makes a defect of a broken compiler, whose input it keeps.
    `tools` are what its texts can import from `gg:tools`.
    """

    def __init__(
        self,
        *,
        compiler: Compiler,
        declarations: str,
        typecheck: TypeCheck,
        window: Window,
        emit: Callable[[Event], None],
        turn: Callable[[], int],
        defect_of: Callable[[CompilerBroken], HostDefect],
        tools: tuple[ToolNamespace, ...] = (),
    ) -> None:
        self._tools: Final = tools
        self._compiler: Final = compiler
        self._declarations: Final = declarations
        self._typecheck: Final[TypeCheck] = typecheck
        self._window: Final = window
        self._emit: Final = emit
        self._turn: Final = turn
        self._defect_of: Final = defect_of
        self._keys: Final = KeyTable()
        self._loaded: Final[dict[str, _Loaded]] = {}
        self._due: list[Use] = []
        self._problems: Final[dict[Carrier, str]] = {}
        self._uses_this_turn = 0

    @property
    def modules(self) -> tuple[ModuleSource, ...]:
        """What a program can import, in the order of the keys."""
        return tuple(self._loaded[key].module for key in sorted(self._loaded))

    def pages(self) -> tuple[Page, ...]:
        """The documentation of what is loaded, in the order of the keys."""
        return tuple(page for key in sorted(self._loaded) for page in self._loaded[key].pages)

    def loaded(self) -> Mapping[str, Origin]:
        """What carries each module, by the title of its pages."""
        return {title_of(key): loaded.carrier.origin for key, loaded in self._loaded.items()}

    def program_unit(self, source: str) -> Unit:
        """A program of this agent, as the compilers take it."""
        return Unit(
            kind=UnitKind.PROGRAM,
            source=source,
            modules=self.modules,
            declarations=self._declarations,
            tools=self._tools,
            typecheck=self._typecheck,
        )

    def take_due(self) -> tuple[Use, ...]:
        """The scripts that are due now; those that they queue in turn are due at the end of the next turn."""
        due, self._due = self._due, []
        self._uses_this_turn = 0
        return tuple(due)

    def take_problems(self) -> tuple[tuple[str, str], ...]:
        """The notices of what did not compile since they were taken last."""
        told = tuple(
            ("code_does_not_compile", f"Code of {carrier.told} does not compile, and was not loaded:\n{text}")
            for carrier, text in self._problems.items()
        )
        self._problems.clear()
        return told

    def load_all(self, modules: Iterable[tuple[Carrier, str]]) -> None:
        """Loads modules that were loaded together before, in whichever order they import one another.

        The agent is told of those that do not compile any more. Raises `HostDefect` as `prepare` does.
        """
        due = dict(modules)
        while due:
            prepared = [self.prepare(carrier, source, None) for carrier, source in due.items()]
            for found in prepared:
                self.load(found)
            left = {found.carrier: due[found.carrier] for found in prepared if found.module is None}
            if len(left) == len(due):
                for found in prepared:
                    self.tell_problems(found)
                return
            due = left

    # What the operations ask for (`CodeHalves`)

    def refuse_over_use_limit(self, on_use: str | None) -> None:
        if on_use and on_use.strip() and self._uses_this_turn >= MAX_USES_PER_TURN:
            raise Refusal(
                "limit-exceeded",
                f"This would be use {MAX_USES_PER_TURN + 1} of a memory or skill with an onUse in one turn,"
                f" limit {MAX_USES_PER_TURN}; go on in a later turn.",
                kind="uses_per_turn",
            )

    def refuse_deep_nesting(self, name: str, code: str | None, on_use: str | None) -> None:
        for half, source in (("code", code), ("onUse", on_use)):
            if source is not None:
                _refuse_deep_nesting(name, half, source)

    def prepare(self, carrier: Carrier, code: str | None, on_use: str | None) -> Prepared:
        if not (code or on_use):
            return Prepared(carrier=carrier, key="")
        key = self._keys.propose(carrier)
        problems: list[Diagnostic] = []
        module = ModuleSource(key, code) if code else None
        exports: tuple[ExportDoc, ...] = ()
        others = self._others(key)
        if module is not None:
            found = self._compile(UnitKind.MODULE, key, module.source, others, problems)
            module = module if found else None
            if module is not None:
                exports = self._describe(module, others)
        script = None
        if on_use:
            # A script imports its own module alone, which may lead to others.
            modules = (module, *others) if module else ()
            script = self._compile(UnitKind.ON_USE, key, on_use, modules, problems)
        return Prepared(
            carrier=carrier,
            key=key,
            code=code,
            module=module,
            exports=exports,
            script=script,
            script_source=on_use or "",
            problems=told_diagnostics(problems) if problems else "",
        )

    def is_loaded(self, carrier: Carrier) -> bool:
        return self._keys.key_of(carrier) in self._loaded

    def tell_problems(self, prepared: PreparedHalves) -> None:
        assert isinstance(prepared, Prepared), "only what was prepared here can be told"
        if prepared.problems:
            self._problems[prepared.carrier] = prepared.problems

    def load(self, prepared: PreparedHalves) -> None:
        assert isinstance(prepared, Prepared), "only what was prepared here can be loaded"
        if prepared.module is not None:
            self._keys.commit(prepared.carrier, prepared.key)
            self._load_module(prepared.carrier, prepared.module, prepared.exports)
        elif prepared.code and self._is_another(prepared.key, prepared.code):
            self.unload(prepared.carrier)  # what is loaded is of code that it has no more
        if prepared.script is not None:
            self._keys.commit(prepared.carrier, prepared.key)
            self._uses_this_turn += 1
            self._due.append(
                Use(
                    carrier=prepared.carrier,
                    key=prepared.key,
                    script=prepared.script,
                    source=prepared.script_source,
                )
            )

    def unload(self, carrier: Carrier) -> None:
        key = self._keys.key_of(carrier)
        loaded = self._loaded.pop(key, None) if key is not None else None
        if loaded is not None:
            self._window.drop_docs(frozenset(page.key for page in loaded.pages))

    # Below

    def _is_another(self, key: str, code: str) -> bool:
        loaded = self._loaded.get(key)
        return loaded is not None and loaded.module.source != code

    def _load_module(self, carrier: Carrier, module: ModuleSource, exports: tuple[ExportDoc, ...]) -> None:
        pages = module_pages(carrier, module.key, exports)
        keys = {page.key for page in pages}
        before = self._loaded.get(module.key)
        if before is not None:
            self._window.drop_docs(frozenset(page.key for page in before.pages if page.key not in keys))
        self._loaded[module.key] = _Loaded(carrier, module, self._others(module.key), exports, pages)
        callable_names = {export.name for export in exports if export.kind in ("function", "class")}
        _, *export_pages = pages
        due = {page.key for page in export_pages if page.name in callable_names}
        for page in pages:
            if page.key in due or self._window.shows_docs(page.key):
                self._open_page(page)

    def _open_page(self, page: Page) -> None:
        view = docs_view(page.key, page.text)
        action = self._window.open(view)
        if action != "unchanged":
            self._emit(view_event(view, action, turn=self._turn(), origin="host"))

    def _compile(
        self,
        kind: UnitKind,
        key: str,
        source: str,
        modules: tuple[ModuleSource, ...],
        problems: list[Diagnostic],
    ) -> Compiled | None:
        unit = Unit(
            kind=kind,
            key=key,
            source=source,
            modules=modules,
            declarations=self._declarations,
            tools=self._tools,
            typecheck=self._typecheck,
        )
        try:
            compiled = self._compiler.compile(unit)
        except CompileRejected as rejected:
            problems += rejected.diagnostics
            self._report(rejected.diagnostics, "error", kind)
            return None
        except CompilerBroken as broken:
            raise self._defect_of(broken) from broken
        self._report(compiled.warnings, "warning", kind)
        return compiled

    def _report(self, diagnostics: tuple[Diagnostic, ...], severity: Severity, kind: UnitKind) -> None:
        origin: CompileOrigin = "module" if kind is UnitKind.MODULE else "onUse"
        emit_diagnostics(self._emit, diagnostics, turn=self._turn(), severity=severity, origin=origin)

    def _others(self, key: str) -> tuple[ModuleSource, ...]:
        """What is loaded beside the module of a key."""
        return tuple(other for other in self.modules if other.key != key)

    def _describe(self, module: ModuleSource, others: tuple[ModuleSource, ...]) -> tuple[ExportDoc, ...]:
        known = self._loaded.get(module.key)
        if known is not None and (known.module, known.others) == (module, others):
            return known.exports  # as each further read has it
        try:
            return self._compiler.describe(module, modules=others, declarations=self._declarations)
        except CompilerBroken as broken:
            raise self._defect_of(broken) from broken


def emit_diagnostics(
    emit: Callable[[Event], None],
    diagnostics: tuple[Diagnostic, ...],
    *,
    turn: int,
    severity: Severity,
    origin: CompileOrigin,
) -> None:
    """Emits one event for each of the first `MAX_RECORDED_DIAGNOSTICS`.

    A megabyte of nonsense has tens of thousands; the error that is told, which is recorded as well, counts
    those that it does not show.
    """
    for found in diagnostics[:MAX_RECORDED_DIAGNOSTICS]:
        emit(
            CompileDiagnostic(
                turn=turn,
                file=found.file,
                line=found.line,
                column=found.column,
                code=found.code,
                message=found.message,
                severity=severity,
                origin=origin,
            )
        )


def _refuse_deep_nesting(name: str, half: str, source: str) -> None:
    depth, place = bracket_depth(source)
    if depth > BRACKET_LIMIT:
        raise Refusal(
            "limit-exceeded",
            f"The {half} of {quoted(name)} nests brackets {depth} of {BRACKET_LIMIT} deep"
            f" at line {place.line}, column {place.column}; take parts of it into functions of their own.",
            kind="nesting",
        )
