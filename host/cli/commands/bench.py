"""`gg bench`: gg's own figures, with the machine and the versions they were measured on."""

import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict
from itertools import groupby
from typing import Final

import click

from host.app import (
    Comparison,
    Figure,
    LimitProof,
    Machine,
    Tell,
    compare,
    compile_figures,
    limit_proofs,
    peer_notes,
    sandbox_figures,
    session_figures,
    this_machine,
    turn_figures,
    verdict_of,
)
from host.cli.bench_lines import (
    comparison_lines,
    figure_line,
    machine_lines,
    note_lines,
    proof_heading,
    proof_line,
    verdict_lines,
)
from host.cli.lines import Line, Span, line
from host.cli.options import examples, json_option, quiet_option
from host.cli.output import Output

_FIGURES: Final[Mapping[str, Callable[[Tell], Iterator[Figure]]]] = {
    "sandbox": sandbox_figures,
    "compile": compile_figures,
    "sessions": session_figures,
    "turns": turn_figures,
}
_LIMITS: Final = "limits"


@click.command(
    short_help="Measure on this machine.",
    epilog=examples("gg bench sandbox", "gg bench limits --json"),
)
@click.argument("name", type=click.Choice([*_FIGURES, _LIMITS]))
@click.option("--peers", is_flag=True, help="Compare the sandbox with other sandboxes, in one run.")
@json_option
@quiet_option
def bench(name: str, peers: bool, as_json: bool, quiet: bool) -> int:
    """Measure on this machine, best one that does nothing else. Each figure stands beside its goal.

    \b
    sandbox    calls, engines, workers; with --peers beside other sandboxes
    compile    programs bundled and type-checked, whole turns
    sessions   500 sessions at once in one process
    turns      1,000 turns of one run, and a store of 10,000 memories
    limits     hostile programs: what ended each, and how far beyond its ceilings it went

    Exits with 1 if a hostile program ended otherwise than expected.
    """
    if peers and name != "sandbox":
        raise click.UsageError(f"--peers belongs to sandbox; gg bench {name} has no peers to compare")
    printer = _Printer(f"{name} --peers" if peers else name, Output(quiet=quiet), as_json=as_json)
    if peers:
        return printer.peers()
    return printer.limits() if name == _LIMITS else printer.figures(_FIGURES[name])


class _Printer:
    """Prints one benchmark as it goes, or collects it for one JSON object."""

    def __init__(self, name: str, output: Output, *, as_json: bool) -> None:
        self._name: Final = name
        self._output: Final = output
        self._as_json: Final = as_json
        self._machine: Final[Machine] = this_machine()
        self._show(machine_lines(f"gg bench {name}", self._machine))

    def figures(self, measure: Callable[[Tell], Iterator[Figure]]) -> int:
        figures: list[Figure] = []
        with self._output.waiting("measuring"):
            for figure in measure(self._tell):
                figures.append(figure)
                self._show([figure_line(figure)])
        self._json(figures=[asdict(figure) for figure in figures])
        return 0

    def limits(self) -> int:
        proofs: list[LimitProof] = []
        with self._output.waiting("measuring"):
            for proof in limit_proofs(self._output.doing):  # a line each is progress enough
                self._show([proof_line(proof)] if proofs else [proof_heading(proof), proof_line(proof)])
                proofs.append(proof)
        verdict = verdict_of(proofs)
        self._show(verdict_lines(verdict))
        self._json(proofs=[asdict(proof) for proof in proofs], verdict=asdict(verdict))
        return 1 if verdict.differing else 0

    def peers(self) -> int:
        notes = peer_notes()
        self._show(note_lines(notes))
        comparisons: list[Comparison] = []
        with self._output.waiting("measuring"):
            for _, rows in groupby(compare(self._tell), key=lambda row: row.work):
                of_work = list(rows)
                comparisons += of_work
                self._show(comparison_lines(of_work))
        self._json(peers=[asdict(note) for note in notes], comparisons=[asdict(row) for row in comparisons])
        return 0

    def _tell(self, what: str) -> None:
        self._output.doing(what)
        if not sys.stderr.isatty():
            self._output.progress([line(Span(what, "dim"))])

    def _show(self, lines: Iterator[Line] | list[Line]) -> None:
        if not self._as_json:
            self._output.data_lines(lines)

    def _json(self, **found: object) -> None:
        if self._as_json:
            self._output.json({"bench": self._name, "machine": asdict(self._machine), **found})
