"""gg in the comparison: what its sandbox takes, and the same with the compilers before it."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from host.app.bench.peers.base import Report, Runner
from host.app.bench.peers.programs import lookup
from host.operations import FAMILIES, render_declarations
from runtime_js import Compiler, Unit, UnitKind, guest_globals
from sandbox import Answerer, Call, Ended, GuestProgram, SandboxPool

# What the prelude leaves for the SDK; a program without the SDK takes it.
_RAW: Final = """\
const { host } = globalThis[Symbol.for("gg.handle")]();
const lookup = (number) => JSON.parse(host("lookup", JSON.stringify([number]), "")).ok;
const report = (text) => JSON.parse(host("report", JSON.stringify([text]), "")).ok;
"""
_TYPED: Final = """\
import { memories, session } from "gg";
const lookup = (number: number): number => Number(memories.readMemory(String(number)));
const report = (text: string): void => session.finish(text);
"""


@contextmanager
def open_sandbox(report: Report) -> Iterator[Runner]:
    """A pool of workers; each program runs in a fresh engine of a warm one."""
    with SandboxPool(globals=guest_globals(), size=1) as pool:
        yield lambda program: _run(pool, _RAW + program, _answerer(report))


@contextmanager
def open_compiled(report: Report) -> Iterator[Runner]:
    """The same behind both compilers; the calls are those of the SDK, their answers come from here."""
    declarations = render_declarations(FAMILIES)
    with Compiler(processes=1) as compiler, SandboxPool(globals=guest_globals(), size=1) as pool:

        def run(program: str) -> None:
            unit = Unit(kind=UnitKind.PROGRAM, source=_TYPED + program, declarations=declarations)
            _run(pool, compiler.compile(unit).js, _answerer(report))

        yield run


def _run(pool: SandboxPool, js: str, answer: Answerer) -> None:
    outcome = pool.run(GuestProgram(js=js, seed=1), answer)
    if not isinstance(outcome, Ended):
        raise RuntimeError(f"the benchmark's program did not end: {outcome}")


def _answerer(report: Report) -> Answerer:
    def answer(call: Call) -> str:
        (argument,) = json.loads(call.arguments)
        match call.operation:
            case "lookup":
                return json.dumps({"ok": lookup(argument)})
            case "memories.read_memory":
                return json.dumps({"ok": str(lookup(int(argument)))})
            case _:
                report(argument)
                return '{"ok":null}'

    return answer
