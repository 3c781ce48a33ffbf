"""What compiling and a whole turn cost."""

from collections.abc import Iterator

from host.app.bench.figures import Figure, Tell, middle, percentile
from host.app.bench.sessions import events_of
from host.events import TurnTiming
from host.operations import FAMILIES, render_declarations
from runtime_js import Compiled, Compiler, ModuleSource, Unit, UnitKind

_PROGRAMS = 120  # and two turns for three of them
_FIRST = 20  # the compilers and the file system's cache settle
_BYTES = 2048
_MODULE = ModuleSource(
    "csvTools", "export function cells(row: string): string[] { return row.split(';'); }\n"
)
_ROW = 'const row{n}: string[] = cells("{n};{salt};x").map((cell) => cell.trim());\n'


def compile_figures(tell: Tell, *, programs: int = _PROGRAMS) -> Iterator[Figure]:
    """Measures in turn; some ten seconds."""
    tell(f"{_FIRST + programs} programs are compiled")
    compiled = _compiled(programs)
    bundle, check = [one.bundle_s * 1e3 for one in compiled], [one.check_s * 1e3 for one in compiled]
    how = f"2 KB, gg and one module imported, uncached, of {len(compiled)}"
    yield Figure(name="bundle a program", value=middle(bundle), unit="ms", goal=3, how=f"{how}, median")
    yield Figure(name="type-check it", value=middle(check), unit="ms", goal=6, how=f"{how}, median")
    p95 = percentile(check, 0.95)
    yield Figure(
        name="type-check it, 95 of 100", value=p95, unit="ms", goal=30, how=f"{how}, 95th percentile"
    )
    turns = programs * 2 // 3
    tell(f"{_FIRST + turns} turns are run")
    yield _turn(turns)


def _compiled(programs: int) -> list[Compiled]:
    declarations = render_declarations(FAMILIES)
    with Compiler(processes=1) as compiler:
        units = (
            Unit(
                kind=UnitKind.PROGRAM,
                source=_program('import { cells } from "csvTools";\n', salt),
                modules=(_MODULE,),
                declarations=declarations,
            )
            for salt in range(_FIRST + programs)
        )
        return [compiler.compile(unit) for unit in units][_FIRST:]


def _turn(turns: int) -> Figure:
    local = "const cells = (row: string): string[] => row.split(';');\n"
    calls = "for (let i = 0; i < 20; i++) views.current();\n"
    programs = [_program(local, salt, calls) for salt in range(_FIRST + turns)]
    timings = [e.event for e in events_of(programs) if isinstance(e.event, TurnTiming)][_FIRST:]
    value = middle(timing.prompt_ms + timing.response_ms for timing in timings)
    how = f"2 KB program, 20 SDK calls, type check on, recorded, median of {len(timings)}"
    return Figure(name="a whole turn less the model", value=value, unit="ms", goal=15, how=how)


def _program(start: str, salt: int, end: str = "") -> str:
    """A program of about 2 KB that no cache has seen."""
    program = f'import {{ views }} from "gg";\n{start}'
    number = 0
    while len(program) < _BYTES - 120:
        program += _ROW.format(n=number, salt=salt)
        number += 1
    return f'{program}{end}views.openText("rows", row0.join(" "));\n'
