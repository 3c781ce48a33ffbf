"""Compiles and type-checks what is found, as a run would: what `gg check` prints."""

import re
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Final

from host.app.check.finding import find_targets
from host.app.check.settings import CheckSettings
from host.app.check.sources import SourceFault, SourceReader
from host.app.check.targets import CheckKind, HeldMemory, Target
from host.core.module_keys import MAX_CODE_CHARS
from host.skills import Fault, Prose, parse_prose
from host.turn import heal
from runtime_js import (
    Compiler,
    CompilerBroken,
    CompileRejected,
    Diagnostic,
    ModuleSource,
    SourceText,
    Unit,
    UnitKind,
)

PROCESSES: Final = 2

_NO_TOOL: Final = re.compile(r'^Module "gg:tools" has no |does not exist on type .*import\("gg:tools"\)')
_TOOLS_REMEDY: Final = "The tools of an agent are there with --config CONFIG."
_HALF_NAMES: Final = {UnitKind.MODULE: "code", UnitKind.ON_USE: "onUse"}


@dataclass(frozen=True, kw_only=True)
class Checked:
    """A text and what the compilers say of it.

    `name` is the file as it was named, or as a model reads it. `healing` are the repairs of a reply: places
    are in what was left of it.
    """

    name: str
    kind: CheckKind
    errors: tuple[Diagnostic, ...] = ()
    warnings: tuple[Diagnostic, ...] = ()
    healing: tuple[str, ...] = ()
    memory: HeldMemory | None = None


def check_paths(
    paths: Sequence[Path],
    *,
    kind: UnitKind | None = None,
    settings: CheckSettings | None = None,
    compiler: Compiler | None = None,
) -> Iterator[Checked]:
    """Checks what is at the paths against the SDK as it is now, in order; a `kind` says what files are,
    `settings` whose all of it is.

    Raises `CheckRefused` for a path that cannot be checked, `RecordError` for a record that cannot be read,
    `ToolchainError` without compilers.
    """
    reader = SourceReader()
    found = find_targets(paths, reader, kind=kind, settings=settings)
    yield from check_targets(found.targets, reader, compiler=compiler)


def check_targets(
    targets: Iterable[Target], reader: SourceReader, *, compiler: Compiler | None = None
) -> Iterator[Checked]:
    """The outcome of each target, in order. What several would tell of one place, only the first tells."""
    with ExitStack() as stack:
        compiler = compiler or stack.enter_context(Compiler(processes=PROCESSES))
        yield from told_once(Checker(compiler).check(targets, reader))


class Checker:
    """Checks again and again, and compiles only what changed or depends on what did."""

    def __init__(self, compiler: Compiler) -> None:
        self._compiler: Final = compiler
        self._known: dict[object, tuple[_Basis, Checked]] = {}

    def check(self, targets: Iterable[Target], reader: SourceReader) -> Iterator[Checked]:
        """The outcome of each, in order: the same object as before where nothing changed."""
        targets = tuple(targets)
        found: dict[object, tuple[_Basis, Checked]] = {}
        threads = ThreadPoolExecutor(PROCESSES)
        try:
            for target, outcome in zip(
                targets, threads.map(partial(self._check, reader), targets), strict=True
            ):
                found[target.identity] = outcome
                yield outcome[1]
            self._known = found
        finally:
            threads.shutdown(cancel_futures=True)

    def _check(self, reader: SourceReader, target: Target) -> tuple["_Basis", Checked]:
        """What the outcome depends on, and the outcome."""
        known, outcome = self._known.get(target.identity, (None, None))
        clean = Checked(name=target.name, kind=target.kind, memory=target.memory)
        if target.kind == "skill":
            told = _read_prose(target, reader)
            return told, outcome if outcome and known == told else replace(clean, errors=told)
        try:
            text, healing = _text(target, reader)
        except SourceFault as fault:
            basis = f"{fault.line}:{fault.column}: {fault}"
            return basis, outcome if outcome and known == basis else _failed(clean, fault)
        unit = _unit(target, text, reader)
        if outcome and known == unit:
            return unit, outcome
        return unit, self._compiled(target, unit, replace(clean, healing=healing))

    def _compiled(self, target: Target, unit: Unit, clean: Checked) -> Checked:
        if target.is_draft and len(unit.source) > MAX_CODE_CHARS:
            figure = f"{len(unit.source):,} characters, limit {MAX_CODE_CHARS:,}"
            return _failed(clean, SourceFault(f"{_HALF_NAMES[unit.kind]}: {figure}."))
        try:
            compiled = self._compiler.compile(unit)
        except CompileRejected as rejected:
            return replace(clean, errors=_placed(rejected.diagnostics, unit, target))
        except CompilerBroken as broken:  # gg's fault, which for a run would be its end; others go on
            return _failed(clean, SourceFault(f"gg could not check this: {broken}"))
        return replace(clean, warnings=_placed(compiled.warnings, unit, target))


def told_once(checked: Iterable[Checked]) -> Iterator[Checked]:
    """The same, but that what was told of a file is not told again with another that imports it.

    Each memory of a record keeps what keeps it from compiling, wherever that stands; but not twice.
    """
    told: set[tuple[object, Diagnostic]] = set()
    for each in checked:
        whose = each.memory
        errors = tuple(found for found in each.errors if (whose, found) not in told)
        warnings = tuple(found for found in each.warnings if (whose, found) not in told)
        told.update((whose, found) for found in (*errors, *warnings))
        yield replace(each, errors=errors, warnings=warnings)


_Basis = Unit | str | tuple[Diagnostic, ...]


def _read_prose(target: Target, reader: SourceReader) -> tuple[Diagnostic, ...]:
    """What is wrong with the prose of a skill, and with where it stands."""
    try:
        text = reader.text(target.source) if isinstance(target.source, Path) else ""
    except SourceFault as fault:
        return (_diagnostic(target, fault),)
    prose = parse_prose(text, file=Path(target.name), name=target.skill) if target.skill else Prose()
    source = SourceText(target.name, text)
    return (
        *(_diagnostic(target, fault) for fault in target.faults),
        *(replace(_diagnostic(target, fault), source_line=source.line(fault.line)) for fault in prose.faults),
    )


def _diagnostic(target: Target, fault: Fault | SourceFault) -> Diagnostic:
    return Diagnostic(file=target.name, line=fault.line, column=fault.column, message=fault.message)


def _text(target: Target, reader: SourceReader) -> tuple[str, tuple[str, ...]]:
    match target.source:
        case SourceFault():
            raise target.source
        case Path():
            text = reader.text(target.source)
        case str():
            text = target.source
    if not target.is_reply:
        return text, ()
    healed = heal(text, target.settings.healing)
    return healed.text, healed.strategies


def _unit(target: Target, text: str, reader: SourceReader) -> Unit:
    assert isinstance(target.kind, UnitKind), "prose is not compiled"
    return Unit(
        kind=target.kind,
        source=text,
        key=target.key,
        modules=tuple(_modules(target, reader)),
        tools=target.settings.tools,
        declarations=target.settings.declarations,
        typecheck=target.settings.typecheck,
    )


def _modules(target: Target, reader: SourceReader) -> Iterator[ModuleSource]:
    """Those that can be read: what is wrong with another is told of that one."""
    for module in target.modules:
        try:
            text = module.source if isinstance(module.source, str) else reader.text(module.source)
        except SourceFault:
            continue
        yield ModuleSource(module.key, text)


def _placed(diagnostics: tuple[Diagnostic, ...], unit: Unit, target: Target) -> tuple[Diagnostic, ...]:
    """Under the names that the operator knows, and with the source lines that only a model must not see."""
    names = {f"{module.key}.ts": module.name for module in target.modules} | {unit.file_name: target.name}
    own = SourceText(unit.file_name, unit.source)
    return tuple(
        replace(
            found,
            file=names.get(found.file, found.file),
            message=found.message if target.settings.knows_tools else _with_way_to_tools(found.message),
            source_line=own.line(found.line) if found.file == own.file else found.source_line,
        )
        for found in diagnostics
    )


def _with_way_to_tools(message: str) -> str:
    return f"{message} {_TOOLS_REMEDY}" if _NO_TOOL.search(message) else message


def _failed(clean: Checked, fault: SourceFault) -> Checked:
    error = Diagnostic(file=clean.name, line=fault.line, column=fault.column, message=fault.message)
    return replace(clean, errors=(error,))
