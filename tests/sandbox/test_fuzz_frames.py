"""Hostile frames at both ends of a worker's pipe: no end crashes, hangs or grows.

How many are tried says `--fuzz-examples`, what they are drawn from `--fuzz-seed`. Besides a mutator of its
own there is Hypothesis, and atheris where it is installed.
"""

import fcntl
import importlib.util
import json
import os
import random
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import hypothesis
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from runtime_js.globals import guest_globals
from sandbox import Background, GuestGlobals, GuestProgram, Limits, WorkerBrokeProtocol, WorkerCrashed
from sandbox.checkout import Exchange
from sandbox.frames import Message, decode, max_body_bytes
from sandbox.handle import WorkerHandle
from sandbox.pipe import PastDeadline, Pipe, WorkerGone
from sandbox.process import ResourceLimits, spawn
from sandbox.protocol import LENGTH_BYTES, frame
from tests.helpers.processes import resident_bytes
from tests.sandbox.mutated import FROM_WORKERS, mutated
from tests.sandbox.test_checkout import START
from tests.sandbox.test_frames import NEAR

HERE: Final = Path(__file__).parent
ROOT: Final = HERE.parents[1]
MAX_BODY: Final = max_body_bytes(100_000)
PIPE_BYTES: Final = 2**20
HOST_GROWTH_BYTES: Final = 64 * 2**20
LIMITS: Final = Limits(guest_s=0.2, value_bytes=100_000)
EVERYTHING: Final = Background(may=lambda operation: True)
OVER_CEILING_S: Final = 1.0
# What one example costs, in frames that are only read.
STREAM_SHARE: Final = 50
NEAR_SHARE: Final = 5
GUIDED_RUNS: Final = 10  # for each of the others
FRAMES_OF_A_STREAM: Final = 8


@contextmanager
def pipe() -> Iterator[tuple[int, Pipe]]:
    """The worker's end for writing, and the host's. The host writes nowhere."""
    read_fd, write_fd = os.pipe()
    null = os.open(os.devnull, os.O_WRONLY)
    fcntl.fcntl(write_fd, fcntl.F_SETPIPE_SZ, PIPE_BYTES)
    with os.fdopen(read_fd, "rb"), os.fdopen(null, "wb"), os.fdopen(write_fd, "wb"):
        yield write_fd, Pipe(write_fd=null, read_fd=read_fd, max_body=MAX_BODY, on_tick=lambda: None)


def test_the_hosts_reader(fuzz_seed: int, fuzz_examples: int) -> None:
    chance = random.Random(fuzz_seed)
    met: Counter[str] = Counter()
    before = resident_bytes()
    for _ in range(fuzz_examples):
        with pipe() as (write_fd, host):
            os.write(write_fd, mutated(chance.choice(FROM_WORKERS), chance))
            met[read_one(host)] += 1

    assert sum(met.values()) == fuzz_examples
    assert met["message"] > 0
    assert met["broken"] > 0
    assert resident_bytes() - before < HOST_GROWTH_BYTES


def read_one(host: Pipe) -> str:
    """What becomes of the first frame; whatever is not named here fails the test."""
    try:
        found = decode(host.receive(deadline=time.monotonic() + 0.001))
    except WorkerBrokeProtocol:
        return "broken"
    except PastDeadline:
        return "late"
    except WorkerGone:
        return "gone"
    assert isinstance(found, Message)
    return "message"


@pytest.mark.slow
def test_near_messages(fuzz_seed: int, fuzz_examples: int) -> None:
    @hypothesis.seed(fuzz_seed)
    @settings(max_examples=max(100, fuzz_examples // NEAR_SHARE))
    @given(NEAR, st.none() | st.binary(max_size=50))
    def decodes_or_breaks(head: dict[str, Any], value: bytes | None) -> None:
        try:
            decode(frame(json.dumps(head).encode(), value)[LENGTH_BYTES:])
        except WorkerBrokeProtocol:
            return

    decodes_or_breaks()


@pytest.mark.skipif(importlib.util.find_spec("atheris") is None, reason="atheris is not installed")
@pytest.mark.slow
def test_frames_that_reach_ever_more_code(fuzz_seed: int, fuzz_examples: int, tmp_path: Path) -> None:
    corpus = tmp_path / "corpus"
    corpus.mkdir()
    for number, sample in enumerate(FROM_WORKERS):
        (corpus / str(number)).write_bytes(sample[LENGTH_BYTES:])

    found = subprocess.run(
        [
            sys.executable,
            HERE / "guided_frames.py",
            f"-atheris_runs={fuzz_examples * GUIDED_RUNS}",
            f"-seed={fuzz_seed}",
            "-timeout=10",
            f"-artifact_prefix={tmp_path}/",
            corpus,
        ],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )

    assert found.returncode == 0, found.stderr


@dataclass(frozen=True)
class Lie:
    """What a lying worker writes once it is asked to run a program, and whether it stays on afterwards."""

    stream: bytes
    stays: bool


def test_a_worker_that_lies_at_random(fuzz_seed: int, fuzz_examples: int) -> None:
    chance = random.Random(fuzz_seed)
    for _ in range(max(1, fuzz_examples // STREAM_SHARE)):
        frames = [mutated(chance.choice(FROM_WORKERS), chance) for _ in range(chance.randint(1, 9))]
        lie = Lie(b"".join(frames)[:30_000], stays=chance.random() < 0.5)
        assert used_s(lie) <= LIMITS.guest_s + OVER_CEILING_S, lie


def used_s(lie: Lie) -> float:
    """The guest time of an exchange with a worker that lies."""
    source = f"{START}\nstart()\nos.write(1, {lie.stream!r})\n{'forever()' if lie.stays else ''}"
    child = spawn([sys.executable, "-I", "-S", "-c", source], rlimits=ResourceLimits())
    worker = WorkerHandle(child, GuestGlobals(prelude="", lazy={}), LIMITS)
    try:
        worker.ensure_ready("required")
        exchange = Exchange(worker, LIMITS, lambda call: '{"ok": null}', background=EVERYTHING)
        return exchange.run(GuestProgram(js="", seed=1)).stats.guest_s
    except (WorkerBrokeProtocol, WorkerCrashed):
        return 0.0
    finally:
        worker.close()


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere a worker's memory has no limit")
def test_the_workers_reader(fuzz_seed: int, fuzz_examples: int) -> None:
    globals_ = guest_globals()
    task = {
        "seed": fuzz_seed,
        "streams": max(1, fuzz_examples // FRAMES_OF_A_STREAM),
        "frames": FRAMES_OF_A_STREAM,
        "engine_directory": engine_directory(),
        "prelude": globals_.prelude,
        "lazy": dict(globals_.lazy),
    }

    done = subprocess.run(
        [sys.executable, "-I", "-S", HERE / "worker_reader.py"],
        input=json.dumps(task),
        capture_output=True,
        text=True,
        check=True,
    )

    # A worker ends with its input, gives up with a status of its own, or has no memory left: nothing else.
    report = json.loads(done.stdout)
    assert report["strange"] == []
    assert sum(report["ends"].values()) == task["streams"]
    assert set(report["ends"]) <= {"0", "70", "71"}
    assert report["ends"]["0"] > 0


def engine_directory() -> str:
    found = importlib.util.find_spec("_quickjs")
    assert found is not None
    assert found.origin is not None
    return os.path.dirname(found.origin)
