"""`gg bench`: gg's own figures, with the machine and the versions they were measured on."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict
from typing import Final

import click

from host.app import Figure, Machine, compile_figures, sandbox_figures, this_machine
from host.cli.lines import Line, Span, Style, line
from host.cli.options import json_option, quiet_option
from host.cli.output import Output

_BENCHES: Final[Mapping[str, Callable[[], Iterator[Figure]]]] = {
    "sandbox": sandbox_figures,
    "compile": compile_figures,
}


@click.command(short_help="Measure on this machine.")
@click.argument("name", type=click.Choice(list(_BENCHES)))
@json_option
@quiet_option
def bench(name: str, as_json: bool, quiet: bool) -> None:
    """Measure on this machine: `sandbox` (calls, engines, workers) or `compile` (programs, turns).

    Each figure stands beside its goal. Run it on a machine that does nothing else.
    """
    output = Output(quiet=quiet)
    machine = this_machine()
    if not as_json:
        output.data_lines(machine_lines(name, machine))
    figures: list[Figure] = []
    with output.waiting("measuring"):
        for figure in _BENCHES[name]():
            figures.append(figure)
            if not as_json:
                output.data_lines([figure_line(figure)])
    if as_json:
        output.json({"bench": name, "machine": asdict(machine), "figures": [asdict(f) for f in figures]})


def machine_lines(name: str, machine: Machine) -> Iterator[Line]:
    """The command, the machine and the versions."""
    yield line(Span(f"gg bench {name}", "strong"))
    yield line(f"{machine.processor}, {machine.cores} cores, {machine.system}")
    yield line(", ".join(f"{part} {number}" for part, number in machine.versions.items()))
    yield Line()


def figure_line(figure: Figure) -> Line:
    """`one call to the host and back     18.2 µs   goal 25 µs   how it was measured`."""
    style: Style = "good" if figure.value <= figure.goal else "warn"
    value = Span(f"{figure.value:9.3g} {figure.unit:<3}", style)
    goal = f"  goal {figure.goal:g} {figure.unit}".ljust(18)
    return line(Span(figure.name.ljust(34)), value, goal, Span(figure.how, "dim"))
