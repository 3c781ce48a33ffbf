"""`gg run` in a process of its own, watched and killed at a moment that a test draws.

Children of a host have sessions of their own. They are told by their parent's id, which a worker is started
with, and by the folder that a compiler stands in.
"""

import os
import random
import select
import subprocess
import sys
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Final, Self

import psutil
import pytest

GG: Final = Path(sys.executable).with_name("gg")

_TURN: Final = b"\nTurn "
_HANGS_S: Final = 120.0  # no run of a test takes so long, on any machine
_START_SHARE: Final = 0.15


@dataclass(frozen=True, kw_only=True)
class Pace:
    """How long an undisturbed run took on this machine, seconds."""

    start_s: float  # until its first turn began
    turn_s: float


@dataclass(frozen=True, kw_only=True)
class Moment:
    """A moment in a run: a share of its start, or of the time around a turn that has begun."""

    turn: int  # 0 is the start
    share: float

    def delay_s(self, pace: Pace) -> float:
        """How long after the beginning of the turn."""
        return self.share * (pace.turn_s if self.turn else pace.start_s)


def draw_moment(chance: random.Random, *, turns: int) -> Moment:
    """The start of the process has its share, and so has the time after the last turn."""
    if chance.random() < _START_SHARE:
        return Moment(turn=0, share=chance.random())
    turn = chance.randint(1, turns)
    return Moment(turn=turn, share=chance.uniform(0, 4 if turn == turns else 2))


def parametrize_moments(metafunc: pytest.Metafunc, *, of: str, turns: int, count: int, quick: int) -> None:
    """Gives a test that takes a `moment` those drawn from `--fuzz-seed`; all but the first `quick` are slow.

    `of` keeps the moments of one test apart from those of another.
    """
    if "moment" not in metafunc.fixturenames:
        return
    seed = metafunc.config.getoption("--fuzz-seed")
    drawn = [draw_moment(random.Random(f"{seed}/{of}{n}"), turns=turns) for n in range(count)]
    metafunc.parametrize(
        "moment",
        [
            pytest.param(
                moment,
                marks=[pytest.mark.slow] if n >= quick else [],
                id=f"seed-{seed}-number-{n}-turn-{moment.turn}",
            )
            for n, moment in enumerate(drawn)
        ],
    )


class Host:
    """One `gg run`. A context manager: nothing of it is left, however the block ends."""

    def __init__(self, configuration: Path, record: Path, *, scratch: Path) -> None:
        """`scratch` is where it finds a place for temporary files."""
        self._scratch: Final = scratch
        self._process: Final = subprocess.Popen(
            [GG, "run", configuration, "--out", record],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env={**os.environ, "TMPDIR": str(scratch), "NO_COLOR": "1"},
            start_new_session=True,
        )
        assert self._process.stdout is not None
        self._output: Final = self._process.stdout
        self._shown = b""
        self._ended = False

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def shown(self) -> str:
        """What it has printed, as far as it was read."""
        return self._shown.decode()

    @property
    def is_running(self) -> bool:
        """Whether its output is open, as far as it was read."""
        return not self._ended

    @property
    def turns_begun(self) -> int:
        """Turns it has shown the beginning of: those before them have ended, and are in the record."""
        return self._shown.count(_TURN)

    def watch(self, *, until_turn: int | None = None, for_s: float = _HANGS_S) -> None:
        """Reads what it prints until a turn begins, the time is over, or it ends."""
        end = time.monotonic() + for_s
        while not self._ended and (until_turn is None or self.turns_begun < until_turn):
            left_s = end - time.monotonic()
            if left_s <= 0 or not select.select([self._output], [], [], left_s)[0]:
                assert for_s < _HANGS_S, f"gg run hangs:\n{self.shown}"
                return
            data = os.read(self._output.fileno(), 65_536)
            self._shown += data
            self._ended = not data

    def watch_until(self, moment: Moment, pace: Pace) -> None:
        """Reads what it prints until the moment has come, or it ends."""
        self.watch(until_turn=moment.turn)
        self.watch(for_s=moment.delay_s(pace))

    def children(self) -> list[psutil.Process]:
        """Its workers and compilers, also when it is gone."""
        return [process for process in psutil.process_iter() if self._is_own(process)]

    def kill(self) -> None:
        """kill -9; harmless when it has ended."""
        self._process.kill()
        self._process.wait()

    def wait(self) -> int:
        """Reads to the end of its output; its exit code."""
        self.watch()
        return self._process.wait(_HANGS_S)

    def orphans(self) -> list[psutil.Process]:
        """Children that are still there a while after its end."""
        return psutil.wait_procs(self.children(), timeout=10)[1]

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.kill()
        self._output.close()

    def _is_own(self, process: psutil.Process) -> bool:
        with suppress(psutil.Error):  # it ended while it was looked at
            is_launched = f'"parent": {self.pid},' in " ".join(process.cmdline())
            return is_launched or Path(process.cwd()).is_relative_to(self._scratch)
        return False


def kind_of(child: psutil.Process) -> str:
    """`worker`, `esbuild` or `tsc`; `launcher` for what is not yet a compiler."""
    command = " ".join(child.cmdline())
    if "launch.py" in command:
        return "worker" if '"worker": ' in command else "launcher"
    return child.name()


def measure(configuration: Path, record: Path, *, scratch: Path, turns: int) -> Pace:
    """Runs to the end, and tells how long that took."""
    with Host(configuration, record, scratch=scratch) as host:
        began = time.monotonic()
        host.watch(until_turn=1)
        first = time.monotonic()
        assert host.wait() == 0, host.shown
        return Pace(start_s=first - began, turn_s=(time.monotonic() - first) / turns)
