"""`gg bench`: how figures are printed, and that they are measured."""

import json
from pathlib import Path

import pytest

from host.app import Figure, Machine
from host.app.bench.figures import percentile
from host.cli.commands.bench import figure_line, machine_lines
from host.cli.lines import to_text
from tests.host.cli.processes import gg

MACHINE = Machine(
    processor="AMD EPYC", cores=2, system="Linux 6 x86_64", versions={"gg": "0.1.0", "esbuild": "0.28.2"}
)
FIGURE = Figure(name="one call to the host and back", value=18.234, unit="µs", goal=25, how="median of 7")
NAMES = {
    "sandbox": [
        "cold start of the first worker",
        "one call to the host and back",
        "fresh engine with the prelude",
        "idle worker",
        "one SDK call through the bracket",
    ],
    "compile": [
        "bundle a program",
        "type-check it",
        "type-check it, 95 of 100",
        "a whole turn less the model",
    ],
}


def test_a_figure_stands_beside_its_goal_and_how_it_was_measured() -> None:
    assert to_text([*machine_lines("sandbox", MACHINE), figure_line(FIGURE)]) == (
        "gg bench sandbox\n"
        "AMD EPYC, 2 cores, Linux 6 x86_64\n"
        "gg 0.1.0, esbuild 0.28.2\n"
        "\n"
        "one call to the host and back          18.2 µs   goal 25 µs      median of 7\n"
    )


@pytest.mark.parametrize(("share", "value"), [(0.5, 50), (0.95, 95), (0.951, 96), (1.0, 100), (0.0, 1)])
def test_a_percentile_is_a_sample(share: float, value: float) -> None:
    assert percentile(range(100, 0, -1), share) == value


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_every_figure_is_measured(name: str, tmp_path: Path) -> None:
    ran = gg("bench", name, "--json", "--quiet", cwd=tmp_path)

    assert (ran.returncode, ran.stderr) == (0, "")
    figures = json.loads(ran.stdout)["figures"]
    assert [figure["name"] for figure in figures] == NAMES[name]
    assert all(figure["value"] > 0 for figure in figures)
