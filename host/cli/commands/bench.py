"""`gg bench`: gg's own figures, with the machine and the versions they were measured on."""

import sys
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from itertools import groupby
from typing import Final

import click

from host.app import (
    FIGURE_BENCHES,
    Comparison,
    Figure,
    LimitProof,
    compare_peers,
    judge_learning,
    judge_retrieval,
    measure,
    peer_notes,
    prove_limits,
    this_machine,
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
from host.cli.learning_lines import learning_lines
from host.cli.lines import Line, Span, line
from host.cli.options import examples, json_option, quiet_option
from host.cli.output import Output
from host.cli.retrieval_lines import retrieval_lines

_LIMITS: Final = "limits"
_RECORDS: Final = "records"
_RETRIEVAL: Final = "retrieval"
_SKILLBOOK: Final = "skillbook"
_MAX_RECORDS: Final = 10_000_000


@click.command(
    short_help="Measure on this machine.", epilog=examples("gg bench sandbox", "gg bench limits --json")
)
@click.argument("name", type=click.Choice([*FIGURE_BENCHES, _LIMITS, _RETRIEVAL, _SKILLBOOK]))
@click.option("--peers", is_flag=True, help="With sandbox: compare it with other sandboxes, in one run.")
@click.option(
    "--records",
    type=click.IntRange(1, _MAX_RECORDS),
    multiple=True,
    metavar="N",
    help="With records: how many, in place of 10,000, 100,000 and 1,000,000; may be repeated.",
)
@click.option(
    "--model",
    metavar="MODEL",
    help="With skillbook: a model, such as openai:NAME, in place of scripted agents; its replies cost money.",
)
@click.option("--quick", is_flag=True, help="A small form in a few seconds; its figures say little.")
@json_option
@quiet_option
def bench(
    name: str,
    peers: bool,
    records: tuple[int, ...],
    model: str | None,
    quick: bool,
    as_json: bool,
    quiet: bool,
) -> int:
    """Measure on this machine, best one that does nothing else. Each figure stands beside its goal.

    \b
    sandbox    calls, engines, workers; with --peers beside other sandboxes
    compile    programs bundled and type-checked, whole turns
    sessions   500 sessions at once in one process
    context    50,000 files searched for a packet, a re-ranker beside the order of the files
    turns      1,000 turns of one run, and a store of 10,000 memories
    limits     hostile programs: what ended each, and how far beyond its ceilings it went
    records    the record store with up to a million records, beside a plain scan and FTS5
    retrieval  judged questions put to the record store, beside a plain scan and FTS5
    skillbook  tasks solved before and after something was learned, and with a wrong skill

    Exits with 1 if a hostile program ended otherwise than expected, or if the record store served what it
    must not.
    """
    if peers and name != "sandbox":
        raise click.UsageError(f"--peers belongs to sandbox; gg bench {name} has no peers to compare")
    if records and name != _RECORDS:
        raise click.UsageError(f"--records belongs to records; gg bench {name} has none to count")
    if model is not None and name != _SKILLBOOK:
        raise click.UsageError(f"--model belongs to skillbook; gg bench {name} asks no model")
    chosen = [*["--peers"] * peers, *[f"--records {count}" for count in records]]
    chosen += [*([] if model is None else [f"--model {model}"]), *["--quick"] * quick]
    command = " ".join([f"gg bench {name}", *chosen])
    printer = _Printer(command, Output(quiet=quiet), quick=quick, as_json=as_json)
    if peers:
        return printer.peers()
    if name == _RETRIEVAL:
        return printer.retrieval()
    if name == _SKILLBOOK:
        return printer.skillbook(model)
    return printer.limits() if name == _LIMITS else printer.figures(name, records)


class _Printer:
    """Prints one benchmark as it goes, or collects it for one JSON object."""

    def __init__(self, command: str, output: Output, *, quick: bool, as_json: bool) -> None:
        self._command: Final = command
        self._output: Final = output
        self._quick: Final = quick
        self._as_json: Final = as_json
        self._machine: Final = this_machine()
        self._show(machine_lines(command, self._machine))

    def figures(self, name: str, sizes: Sequence[int]) -> int:
        figures: list[Figure] = []
        with self._output.waiting("measuring"):
            for figure in measure(name, self._tell, quick=self._quick, sizes=sizes):
                figures.append(figure)
                self._show([figure_line(figure)])
        self._json(figures=[asdict(figure) for figure in figures])
        return 0

    def limits(self) -> int:
        proofs: list[LimitProof] = []
        with self._output.waiting("measuring"):
            for proof in prove_limits(self._output.doing, quick=self._quick):  # its line is progress enough
                self._show([proof_line(proof)] if proofs else [proof_heading(proof), proof_line(proof)])
                proofs.append(proof)
        verdict = verdict_of(proofs)
        self._show(verdict_lines(verdict))
        self._json(proofs=[asdict(proof) for proof in proofs], verdict=asdict(verdict))
        return 1 if verdict.differing else 0

    def retrieval(self) -> int:
        with self._output.waiting("measuring"):
            report = judge_retrieval(self._tell, quick=self._quick)
        self._show(retrieval_lines(report))
        self._json(retrieval=asdict(report))
        return 0 if report.is_clean else 1

    def skillbook(self, model: str | None) -> int:
        with self._output.waiting("learning"):
            report = judge_learning(self._tell, quick=self._quick, model=model)
        self._show(learning_lines(report, self._output.width))
        self._json(learning=asdict(report))
        return 0

    def peers(self) -> int:
        notes = peer_notes()
        self._show(note_lines(notes))
        comparisons: list[Comparison] = []
        with self._output.waiting("measuring"):
            for _, rows in groupby(compare_peers(self._tell, quick=self._quick), key=lambda row: row.work):
                of_work = list(rows)
                comparisons += of_work
                self._show(comparison_lines(of_work))
        self._json(peers=[asdict(note) for note in notes], comparisons=[asdict(row) for row in comparisons])
        return 0

    def _tell(self, what: str) -> None:
        self._output.doing(what)
        if not sys.stderr.isatty():
            self._output.progress([line(Span(what, "dim"))])

    def _show(self, lines: Iterable[Line]) -> None:
        if not self._as_json:
            self._output.data_lines(lines)

    def _json(self, **found: object) -> None:
        if self._as_json:
            self._output.json({"command": self._command, "machine": asdict(self._machine), **found})
