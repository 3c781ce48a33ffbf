"""kill -9 of a worker or a compiler at any moment of a run.

A compiler is replaced, and nobody is told; a worker that is killed while it runs a program is a defect of
gg's own, and ends the run. Either way the host says how it ended, its record is whole, and nothing outlives
it. The moments are drawn from `--fuzz-seed`.
"""

import json
import random
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import psutil
import pytest

from host.events import RecordReader, RunView
from tests.helpers.hosts import Host, Moment, Pace, draw_moment, kind_of, measure

TURNS: Final = 12
KILLS: Final = 90
QUICK_KILLS: Final = 3  # without --run-slow
STORMS: Final = 4
KINDS: Final = ("worker", "esbuild", "tsc")
# Computes for a few milliseconds, so that its worker is met at work.
PROGRAM: Final = """\
import { views } from "gg";
let sum = 0;
for (let i = 0; i < 100_000; i++) sum += i % {n};
views.openText("turn {n}", String(sum));
"""


@dataclass(frozen=True)
class Kill:
    """Who is killed, and when."""

    kind: str
    moment: Moment


@pytest.fixture(scope="module")
def configuration(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("killed")
    replies = [PROGRAM.replace("{n}", str(n)) for n in range(1, TURNS)]
    document = {
        "task": "Count.",
        "root": "root",
        "limits": {"maxTurns": TURNS},
        "model": {
            "provider": "scripted",
            "replies": [*replies, 'import { session } from "gg";\nsession.finish("all done");\n'],
        },
        "agents": [{"id": "root"}],
    }
    (folder / "run.json").write_text(json.dumps(document))
    return folder


@pytest.fixture(scope="module")
def pace(configuration: Path, tmp_path_factory: pytest.TempPathFactory) -> Pace:
    folder = tmp_path_factory.mktemp("undisturbed")
    return measure(configuration, folder / "record", scratch=folder, turns=TURNS)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    seed = metafunc.config.getoption("--fuzz-seed")
    if "kill" in metafunc.fixturenames:
        chances = [random.Random(f"{seed}/{n}") for n in range(KILLS)]
        kills = [
            Kill(KINDS[n % len(KINDS)], draw_moment(chance, turns=TURNS)) for n, chance in enumerate(chances)
        ]
        metafunc.parametrize(
            "kill",
            [
                pytest.param(
                    kill,
                    marks=[pytest.mark.slow] if n >= QUICK_KILLS else [],
                    id=f"seed-{seed}-number-{n}-{kill.kind}-turn-{kill.moment.turn}",
                )
                for n, kill in enumerate(kills)
            ],
        )
    if "storm" in metafunc.fixturenames:
        metafunc.parametrize("storm", [f"seed-{seed}-number-{n}" for n in range(STORMS)])


@pytest.mark.slow
def test_a_child_killed_at_a_random_moment(
    kill: Kill, configuration: Path, pace: Pace, tmp_path: Path
) -> None:
    record = tmp_path / "record"
    with Host(configuration, record, scratch=tmp_path) as host:
        host.watch_until(kill.moment, pace)
        killed = kill_one(host, kill.kind)
        code = host.wait()
        assert host.orphans() == []

    if not killed or kill.kind != "worker":
        assert (code, "all done" in host.shown) == (0, True), host.shown
        assert_completed(RecordReader(record).view())
    elif not record.exists():
        assert (code, host.turns_begun) == (1, 0), host.shown
        assert "gg: cannot start a worker: it ended with signal 9" in host.shown
    else:
        assert_completed_or_defect(RecordReader(record).view(), code, kind="sandbox")


@pytest.mark.slow
def test_compilers_killed_again_and_again(
    storm: str, configuration: Path, pace: Pace, tmp_path: Path
) -> None:
    chance = random.Random(storm)
    record = tmp_path / "record"
    with Host(configuration, record, scratch=tmp_path) as host:
        host.watch(until_turn=1)
        while host.is_running:
            kill_one(host, chance.choice(("esbuild", "tsc")))
            host.watch(for_s=chance.uniform(0, 2 * pace.turn_s))
        code = host.wait()
        assert host.orphans() == []

    assert_completed_or_defect(RecordReader(record).view(), code, kind="compiler")


def kill_one(host: Host, kind: str) -> bool:
    """Kills a child of that kind if there is one."""
    for child in host.children():
        with suppress(psutil.NoSuchProcess):
            if kind_of(child) == kind:
                child.kill()
                return True
    return False


def assert_completed(view: RunView) -> None:
    assert view.summary is not None
    assert (view.summary.status, view.summary.exit_code, view.defects) == ("completed", 0, ())
    assert [turn.outcome and turn.outcome.outcome for turn in view.turns] == [
        *["progressed"] * (TURNS - 1),
        "finished",
    ]


def assert_completed_or_defect(view: RunView, code: int, *, kind: str) -> None:
    """A defect ends the run with the turn that met it, and the model is told nothing of it."""
    if not view.defects:
        assert code == 0
        assert_completed(view)
        return
    assert view.summary is not None
    assert (code, view.summary.status, view.summary.errors) == (1, "internal_error", 0)
    assert {defect.kind for defect in view.defects} == {kind}
    *before, last = view.turns
    assert {turn.outcome and turn.outcome.outcome for turn in before} <= {"progressed"}
    assert last.outcome is not None
    assert (last.outcome.outcome, last.outcome.error) == ("fatal", None)
    assert [(done.outcome, done.error) for done in last.executions] == [("defect", None)]
