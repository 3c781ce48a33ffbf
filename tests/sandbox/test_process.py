"""Confined children: what they have, what they lost, and how they end."""

import json
import os
import resource
import select
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

import pytest

from sandbox.process import Child, ResourceLimits, SpawnFailed, spawn

ROOT: Final = str(Path(__file__).parents[2])
LIMITS: Final = ResourceLimits(data_bytes=512 * 2**20, cpu_s=20)

REPORT = """
import json, os, resource
status = dict(line.split(":", 1) for line in open("/proc/self/status"))
print(json.dumps({
    "environment": {k: v for k, v in os.environ.items() if k != "LC_CTYPE"},
    "descriptors": sorted(int(d) for d in os.listdir("/proc/self/fd"))[:3],
    "count": len(os.listdir("/proc/self/fd")) - 1,
    "no_new_privs": status["NoNewPrivs"].strip(),
    "cwd_is_empty": os.listdir(".") == [],
    "cpu": resource.getrlimit(resource.RLIMIT_CPU),
    "core": resource.getrlimit(resource.RLIMIT_CORE),
    "data": resource.getrlimit(resource.RLIMIT_DATA),
    "session": os.getsid(0) == os.getpid(),
}))
"""


FLOOD = """
import os
try:
    while True:
        os.write(2, b"x" * 4096)
except OSError as error:
    os.write(1, str(error.errno).encode())
"""


def python(source: str, *, limits: ResourceLimits = LIMITS) -> Child:
    return spawn([sys.executable, "-I", "-S", "-c", source], rlimits=limits)


def read_all(child: Child) -> bytes:
    chunks = []
    while chunk := os.read(child.stdout_fd, 65_536):
        chunks.append(chunk)
    return b"".join(chunks)


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_a_child_has_three_descriptors_no_environment_and_its_limits() -> None:
    leaked = os.dup(0)
    os.set_inheritable(leaked, True)
    child = python(REPORT)
    try:
        report = json.loads(read_all(child))
    finally:
        child.close()
        os.close(leaked)

    assert report == {
        "environment": {},
        "descriptors": [0, 1, 2],
        "count": 3,
        "no_new_privs": "1",
        "cwd_is_empty": True,
        "cpu": [20, 20],
        "core": [0, 0],
        "data": [512 * 2**20, 512 * 2**20],
        "session": True,
    }


def test_pipes_carry_bytes_and_the_exit_status_is_the_childs() -> None:
    child = python(
        "import sys; sys.stdout.write(sys.stdin.readline().upper()); sys.stdout.flush(); sys.exit(3)"
    )
    os.write(child.stdin_fd, b"hello\n")

    assert (read_all(child), child.wait(), child.alive, child.close()) == (b"HELLO\n", 3, False, 3)


def test_close_kills_a_running_child_and_removes_its_directory() -> None:
    child = python("import os, time; print(os.getcwd(), flush=True); time.sleep(600)")
    directory = Path(os.read(child.stdout_fd, 4096).decode().strip())
    assert (child.alive, directory.is_dir()) == (True, True)

    assert child.close() == -9
    assert (child.alive, directory.exists(), child.close()) == (False, False, -9)


def test_only_the_end_of_stderr_is_kept_and_it_outlives_the_child() -> None:
    child = python("import sys\nfor n in range(100_000): print(n, file=sys.stderr)")
    child.wait()
    child.close()

    assert child.stderr_tail().endswith("99998\n99999\n")
    assert (child.stderr_tail()[0], len(child.stderr_tail())) == ("…", 8193)


def test_a_flood_of_stderr_ends_at_the_limit_of_the_file() -> None:
    child = python(FLOOD, limits=ResourceLimits(file_size_bytes=64 * 2**10))

    assert (read_all(child), child.close()) == (b"27", 0)


def test_a_program_that_cannot_be_executed_says_so_on_stderr() -> None:
    child = spawn(["/nonexistent/compiler"], rlimits=LIMITS)

    assert child.wait() == 127
    child.close()
    assert child.stderr_tail() == "cannot execute /nonexistent/compiler: No such file or directory\n"


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
@pytest.mark.parametrize("room", range(7))
def test_without_descriptors_left_no_child_is_started_and_nothing_is_left(
    room: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    python("").close()  # what is made once in a process is there
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    before = descriptors()

    with room_for(room) as most, pytest.raises(SpawnFailed) as caught:
        python("")

    assert caught.value.reason == (
        f"{sys.executable}: Too many open files; this process may have {most}, and `ulimit -n` raises that"
    )
    assert (descriptors(), list(tmp_path.iterdir())) == (before, [])


def descriptors() -> list[int]:
    found = []
    for name in os.listdir("/proc/self/fd"):
        with suppress(OSError):  # that of the listing itself
            os.fstat(int(name))
            found.append(int(name))
    return sorted(found)


@contextmanager
def room_for(count: int) -> Iterator[int]:
    """Within the block this process can open `count` more descriptors; gives the limit that there is then."""
    taken = set(descriptors())
    free = [number for number in range(max(taken) + count + 2) if number not in taken]
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (free[count], before[1]))
    try:
        yield free[count]
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, before)


def test_wait_with_a_timeout_leaves_the_child_running() -> None:
    child = python("import time; time.sleep(600)")
    with pytest.raises(TimeoutError):
        child.wait(0.01)

    assert (child.alive, child.close()) == (True, -9)


HOST = """
import sys
from sandbox.process import ResourceLimits, spawn
child = spawn([sys.executable, "-I", "-S", "-c", "while True: pass"], rlimits=ResourceLimits())
print(child.pid, flush=True)
sys.stdin.read()
"""


@pytest.mark.skipif(sys.platform != "linux", reason="the parent-death signal is Linux's")
def test_a_spinning_child_dies_with_a_killed_host() -> None:
    host = python(f"import sys; sys.path[:0] = [{ROOT!r}]\n{HOST}")
    pid = int(os.read(host.stdout_fd, 64))
    pidfd = os.pidfd_open(pid)

    host.close()

    # A pidfd becomes readable when its process ends: no polling, and no pid that was given to another.
    with os.fdopen(pidfd, "rb"):
        assert select.select([pidfd], [], [], 10)[0] == [pidfd]


ABANDONING: Final = """
import os, sys
from sandbox.process import ResourceLimits, spawn
child = spawn([sys.executable, "-I", "-S", "-c", "import os; print(os.getcwd(), flush=True); input()"],
              rlimits=ResourceLimits())
print(os.read(child.stdout_fd, 4096).decode().strip(), flush=True)
"""


def abandoned(end: str) -> Path:
    """The directory of a child whose host ends without closing it."""
    host = python(f"import sys; sys.path[:0] = [{ROOT!r}]\n{ABANDONING}\n{end}")
    directory = Path(read_all(host).decode().strip())
    host.close()
    return directory


def test_a_host_that_ends_takes_its_childrens_directories_along() -> None:
    assert not abandoned("").exists()


def test_the_next_host_clears_up_after_one_that_was_killed() -> None:
    killed = abandoned("os.kill(os.getpid(), 9)")
    assert killed.is_dir()

    abandoned("")

    assert not killed.exists()


def test_a_directory_that_is_named_by_a_date_is_none_of_gg(tmp_path: Path) -> None:
    (tmp_path / "gg-20261130120000-notes").mkdir()

    host = python(
        f"import sys, tempfile; sys.path[:0] = [{ROOT!r}]; tempfile.tempdir = {str(tmp_path)!r}\n"
        "from sandbox.scratch import make_directory\n"
        "print(make_directory().is_dir())"
    )
    try:
        made = read_all(host)
    finally:
        host.close()

    assert made == b"True\n"
    assert [path.name for path in tmp_path.iterdir()] == ["gg-20261130120000-notes"]
