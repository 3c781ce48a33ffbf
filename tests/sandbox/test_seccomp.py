"""What a confined process can no longer do, tried from inside by its own system calls."""

import json
import os
import sys
from pathlib import Path
from typing import Final

import pytest

from sandbox import confinement_report
from sandbox.process import Child, ResourceLimits, spawn

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the filter is Linux's")

ROOT: Final = str(Path(__file__).parents[2])

# Runs in the child: confines itself as a worker does, then tries. `os` reports EPERM as PermissionError.
CONFINED: Final = f"""
import ctypes, json, mmap, os, signal, socket, struct, sys, threading
sys.path.insert(0, {ROOT!r})
from sandbox.confine import forbid_new_privileges
from sandbox.seccomp import load_filter
libc = ctypes.CDLL(None, use_errno=True)
code = mmap.mmap(-1, 4096)
forbid_new_privileges()
load_filter()

def attempt(act):
    try:
        return repr(act())[:40]
    except OSError as error:
        return error.errno
    except RuntimeError as error:
        return str(error)

def call(number, *arguments):
    result = libc.syscall(number, *arguments)
    return ctypes.get_errno() if result == -1 else "allowed"
"""

TRIES: Final[dict[str, str]] = {
    "open": "open('/etc/passwd')",
    "open_own_memory": "open('/proc/self/mem', 'rb')",
    "create": "open('/tmp/gg-escaped', 'w')",
    "list": "os.listdir('/')",
    "stat": "os.stat('/etc/passwd')",
    "getcwd": "os.getcwd()",
    "socket": "socket.socket(socket.AF_INET)",
    "unix_socket": "socket.socket(socket.AF_UNIX)",
    "fork": "os.fork()",
    "thread": "threading.Thread(target=print).start()",
    "exec": "os.execv('/bin/true', ['true'])",
    "kill_parent": "os.kill(os.getppid(), 0)",
    "kill_self": "os.kill(os.getpid(), signal.SIGTERM)",
    "pipe": "os.pipe()",
    "dup": "os.dup(1)",
    "memfd": "os.memfd_create('x')",
    "read_stderr": "os.read(2, 1)",
    "read_stdout": "os.read(1, 1)",
    "write_stdin": "os.write(0, b'x')",
    "unlink": "os.unlink('/tmp/gg-none')",
    "setuid": "os.setuid(0)",
    "nice": "os.nice(1)",
    "executable_memory": "mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_EXEC)",
}
ALLOWED: Final[dict[str, str]] = {
    "memory": "len(bytearray(10_000_000))",
    "random": "len(os.urandom(8))",
    "stderr": "os.write(2, b'x')",
}


def report(source: str) -> dict[str, object]:
    child = python(source)
    chunks = []
    while chunk := os.read(child.stdout_fd, 65_536):
        chunks.append(chunk)
    assert child.close() == 0, child.stderr_tail()
    found: dict[str, object] = json.loads(b"".join(chunks))
    return found


def python(source: str) -> Child:
    return spawn([sys.executable, "-I", "-c", source], rlimits=ResourceLimits())


def test_what_is_refused_and_what_is_left() -> None:
    tries = {**TRIES, **ALLOWED}
    body = ", ".join(f"{name!r}: attempt(lambda: {act})" for name, act in tries.items())

    found = report(f"{CONFINED}\nos.write(1, json.dumps({{{body}}}).encode())")

    expected: dict[str, object] = dict.fromkeys(TRIES, 1)  # EPERM
    expected["thread"] = "can't start new thread"
    expected["memory"], expected["random"], expected["stderr"] = "10000000", "8", "1"
    assert found == expected


@pytest.mark.skipif(os.uname().machine != "x86_64", reason="numbers of x86-64")
def test_memory_is_not_made_executable_and_odd_calls_are_refused() -> None:
    body = """
address = ctypes.addressof(ctypes.c_char.from_buffer(code))
os.write(1, json.dumps({
    "mprotect": call(10, ctypes.c_void_p(address), 4096, 7),
    "ptrace": call(101, 0, 0, 0, 0),
    "io_uring_setup": call(425, 1, 0),
    "clone3": call(435, 0, 0),
    "process_vm_readv": call(310, 1, 0, 0, 0, 0, 0),
    "openat2": call(437, -100, 0, 0, 0),
    "unknown": call(100_000),
}).encode())
"""

    found = report(CONFINED + body)

    assert set(found.values()) == {1}


@pytest.mark.skipif(os.uname().machine != "x86_64", reason="x32 exists on x86-64 only")
def test_a_call_of_another_architecture_kills() -> None:
    child = python(f"{CONFINED}\ncall(0x40000000 + 39)\nos.write(1, b'alive')")
    try:
        assert (os.read(child.stdout_fd, 10), child.wait()) == (b"", -31)  # SIGSYS
    finally:
        child.close()


def test_the_report_says_what_this_machine_gives() -> None:
    found = confinement_report()

    assert (found.platform, found.seccomp, found.no_new_privs, found.rlimits, found.reason) == (
        "linux",
        True,
        True,
        True,
        "",
    )
