"""Feeds damaged frames to workers; run by `test_fuzz_frames.py` as `python -I -S`, as workers are.

Reads its task as JSON from stdin and prints a report: how often each exit status was met, and every stream
that a worker met in a way that it has no status for.
"""

import fcntl
import json
import os
import random
import signal
import sys
import types
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any, BinaryIO, Final, NoReturn

HERE: Final = Path(__file__).parent
PIPE_BYTES: Final = 2**20
HANGS_S: Final = 60  # no stream takes a worker so long, on any machine
STATUSES: Final = (0, 70, 71)  # the end of its input, a defect, no memory left

# As `launch.py` does it: beside the package's front door, which is for hosts.
_PACKAGE = types.ModuleType("sandbox")
_PACKAGE.__path__ = [str(HERE.parents[1] / "sandbox")]
sys.modules["sandbox"] = _PACKAGE
sys.path.append(str(HERE))

from mutated import LENGTH_BYTES, framed, mutated  # type: ignore[import-not-found]  # noqa: E402

from sandbox.errors import WorkerBrokeProtocol  # noqa: E402
from sandbox.frames import Logged, decode  # noqa: E402

PROGRAMS: Final = (
    b"1",
    b"throw new Error('x')",
    b"console.log(URL, [1], {})",
    b"globalThis[Symbol.for('gg.handle')]().host('a.b', '[1]', 'stack')",
    b"globalThis[Symbol.for('gg.handle')]().start('a.b', '[1]', 'stack')",
    b"const { start, onComplete } = globalThis[Symbol.for('gg.handle')](); let n = 0;"
    b"onComplete((...found) => { console.log(found); if (n++ < 9) start('a.b', '[1]', ''); });"
    b"start('a.b', '[]', '')",
    b"await Promise.reject(null)",
    "'é\U0001f600'".encode(),
    b"1" * 1_000,
)
ANSWERS: Final = (b'{"ok":1}', b'{"error":{"code":"x","operation":"y","message":"z"}}', b"1", b'1\n{"ok":1}')


def main() -> None:
    task = json.load(sys.stdin)
    sys.path.append(task["engine_directory"])
    from sandbox.worker import serve  # needs the path, and only workers need it

    chance = random.Random(task["seed"])
    ends: Counter[str] = Counter()
    strange = []
    for _ in range(task["streams"]):
        frames = _frames(task, chance)
        status, fault = _served(serve, frames)
        ends[str(status)] += 1
        if status not in STATUSES or fault:
            strange.append({"frames": [f.hex() for f in frames], "status": status, "fault": fault})
    json.dump({"ends": ends, "strange": strange[:3]}, sys.stdout)


def _frames(task: dict[str, Any], chance: random.Random) -> list[bytes]:
    """The frames of one stream, some of them damaged, the first more seldom."""
    head = {
        "type": "configure",
        "memory_bytes": 16 * 2**20,
        "stack_bytes": 256 * 2**10,
        "value_bytes": 100_000,
        "log_line_bytes": 2_048,
        "lazy": task["lazy"],
    }
    frames = [framed(head, task["prelude"].encode())]
    while len(frames) < task["frames"]:
        if chance.random() < 0.8:
            run = {"type": "run", "seed": chance.randrange(2**64), "look": chance.random() < 0.5}
            frames.append(framed(run, chance.choice(PROGRAMS)))
        else:
            answer = chance.choice(ANSWERS)
            frames.append(len(answer).to_bytes(LENGTH_BYTES) + answer)
    damage = [0.1, *[0.2] * (len(frames) - 1)]
    return [
        mutated(frame, chance) if chance.random() < share else frame
        for frame, share in zip(frames, damage, strict=True)
    ]


def _served(serve: Callable[[Any], NoReturn], frames: list[bytes]) -> tuple[int, str]:
    """How a worker ends that gets these frames and no more; a signal is a negative number.

    The other text is what is wrong with what it said.
    """
    read_fd, write_fd = _pipe()
    output_fd, child_fd = _pipe()
    if (pid := os.fork()) == 0:
        _become_worker(serve, read_fd, child_fd)
    os.close(read_fd)
    os.close(child_fd)
    fault = ""
    with os.fdopen(output_fd, "rb") as output, os.fdopen(write_fd, "wb", buffering=0) as worker:
        for frame in frames:
            worker.write(frame)
            if not _is_one(frame):
                break  # it may wait for the rest, or for the rest of what it takes for another
            is_alive, fault = _answer(output)
            if fault or not is_alive:
                break
        worker.close()
        output.read()
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), fault


def _is_one(frame: bytes) -> bool:
    return len(frame) == LENGTH_BYTES + int.from_bytes(frame[:LENGTH_BYTES])


def _pipe() -> tuple[int, int]:
    read_fd, write_fd = os.pipe()
    fcntl.fcntl(write_fd, fcntl.F_SETPIPE_SZ, PIPE_BYTES)
    return read_fd, write_fd


def _become_worker(serve: Callable[[Any], NoReturn], input_fd: int, output_fd: int) -> NoReturn:
    signal.alarm(HANGS_S)
    os.dup2(input_fd, 0)
    os.dup2(output_fd, 1)
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
    os.closerange(3, 64)
    rlimits = {"cpu_s": HANGS_S, "open_files": 3, "processes": 0, "file_size_bytes": 65_536}
    serve({"worker": {"rlimits": rlimits, "memory_bytes": 80 * 2**20}})


def _answer(output: BinaryIO) -> tuple[bool, str]:
    """Reads up to the message that ends a worker's turn: whether there is one, and what is wrong with it."""
    while head := output.read(LENGTH_BYTES):
        try:
            message = decode(output.read(int.from_bytes(head)))
        except WorkerBrokeProtocol as broken:
            return True, str(broken)
        if not isinstance(message, Logged):
            return True, ""
    return False, ""


main()
