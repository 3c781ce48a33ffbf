"""What a confined process can no longer do, tried from inside by its own system calls."""

import json
import os
import struct
import sys
from pathlib import Path
from typing import Final

import pytest

from sandbox import confinement_report
from sandbox.confine import ConfineError
from sandbox.process import Child, ResourceLimits, spawn
from sandbox.seccomp import program_for

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


# Machine, its audit number, call, first and third argument: what the filter says.
ALLOW, EPERM, KILL = 0x7FFF0000, 0x00050001, 0x80000000
X86, ARM = ("x86_64", 0xC000003E), ("aarch64", 0xC00000B7)
VERDICTS: Final = [
    *((*X86, number, 0, 0, ALLOW) for number in (0, 9, 10, 11, 12, 25, 202, 228, 231, 318)),
    *((*ARM, number, 0, 0, ALLOW) for number in (63, 93, 94, 98, 113, 214, 215, 216, 222, 226, 278)),
    *((*X86, number, 0, 0, EPERM) for number in (1, 2, 3, 41, 56, 57, 58, 59, 62, 101, 257, 425, 435)),
    *((*ARM, number, 0, 0, EPERM) for number in (56, 57, 64, 117, 129, 198, 220, 221, 425, 435)),
    *((*X86, 1, fd, 0, ALLOW if fd in (1, 2) else EPERM) for fd in range(5)),
    *((*ARM, 64, fd, 0, ALLOW if fd in (1, 2) else EPERM) for fd in range(5)),
    *((*X86, 0, fd, 0, ALLOW if fd == 0 else EPERM) for fd in range(5)),
    *((*ARM, 63, fd, 0, ALLOW if fd == 0 else EPERM) for fd in range(5)),
    *((*X86, number, 0, protection, EPERM) for number in (9, 10) for protection in (4, 5, 7)),
    *((*ARM, number, 0, protection, EPERM) for number in (222, 226) for protection in (4, 5, 7)),
    *((*X86, number, 0, 3, ALLOW) for number in (9, 10)),
    ("x86_64", 0x40000003, 0, 0, 0, KILL),
    ("x86_64", ARM[1], 0, 0, 0, KILL),
    (*X86, 0x40000000, 0, 0, KILL),
    (*X86, 0xFFFFFFFF, 0, 0, KILL),
    ("aarch64", 0x40000028, 63, 0, 0, KILL),
]


@pytest.mark.parametrize(("machine", "audit", "number", "first", "third", "verdict"), VERDICTS)
def test_verdict_of_the_filter(
    machine: str, audit: int, number: int, first: int, third: int, verdict: int
) -> None:
    data = struct.pack("=IIQ6Q", number, audit, 0, first, 0, third, 0, 0, 0)

    assert run_filter(program_for(machine), data) == verdict


def test_a_machine_without_a_filter_is_said_to_be_one() -> None:
    with pytest.raises(ConfineError, match="no system-call filter for 'riscv64'"):
        program_for("riscv64")


def run_filter(program: list[tuple[int, int, int, int]], data: bytes) -> int:
    """What the kernel does with it: the few instructions the filter uses."""
    loaded, at = 0, 0
    while True:
        operation, if_true, if_false, operand = program[at]
        at += 1
        match operation:
            case 0x20:
                (loaded,) = struct.unpack_from("=I", data, operand)
            case 0x06:
                return operand
            case 0x15:
                at += if_true if loaded == operand else if_false
            case 0x35:
                at += if_true if loaded >= operand else if_false
            case 0x45:
                at += if_true if loaded & operand else if_false
            case _:
                raise AssertionError(f"operation {operation:#x}")
