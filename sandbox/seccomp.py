"""The system calls a worker has left, as a BPF program loaded through `prctl`.

Runs in the worker, Linux only: standard library only. What is not on the list fails with EPERM. Reading is
allowed from descriptor 0 and writing to 1 and 2, memory can be mapped but never made executable. A call
through another architecture's table (32-bit, x32) kills the process: its numbers mean something else there.
"""

from __future__ import annotations

import ctypes
import errno
import os
import struct

from sandbox.confine import ConfineError, prctl

TYPE_CHECKING = False  # what only annotations name takes long to import
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Final

__all__ = ["load_filter", "program_for"]

PR_SET_SECCOMP: Final = 22
SECCOMP_MODE_FILTER: Final = 2
KILL_PROCESS: Final = 0x8000_0000
ALLOW: Final = 0x7FFF_0000
REFUSE: Final = 0x0005_0000 | errno.EPERM
PROT_EXEC: Final = 4

# Offsets in struct seccomp_data; arguments are 64 bits wide, little endian on both machines.
_NUMBER: Final = 0
_ARCHITECTURE: Final = 4
_ARGUMENTS: Final = 16

_LOAD: Final = 0x20  # BPF_LD | BPF_W | BPF_ABS
_JUMP_EQUAL: Final = 0x15  # BPF_JMP | BPF_JEQ | BPF_K
_JUMP_AT_LEAST: Final = 0x35  # BPF_JMP | BPF_JGE | BPF_K
_JUMP_ANY_BIT: Final = 0x45  # BPF_JMP | BPF_JSET | BPF_K
_RETURN: Final = 0x06  # BPF_RET | BPF_K

_Instruction = tuple[int, int, int, int]  # operation, jump if true, jump if false, operand


class _Machine:
    """One row of numbers for each machine; x86-64 has calls that arm64 never had."""

    def __init__(
        self,
        *,
        audit: int,
        first_foreign: int | None,
        read: int,
        write: int,
        mapping: Sequence[int],
        plain: Sequence[int],
    ) -> None:
        self.audit: Final = audit
        self.first_foreign: Final = first_foreign  # x32 shares the architecture and sets bit 30
        self.read: Final = read
        self.write: Final = write
        self.mapping: Final = mapping  # mmap, mprotect: third argument is the protection
        self.plain: Final = plain


# Plain: poll (arm64: ppoll) munmap mremap madvise brk futex rt_sigaction rt_sigprocmask rt_sigreturn
# sigaltstack clock_gettime clock_getres gettimeofday getrandom restart_syscall sched_yield membarrier rseq
# exit exit_group
_MACHINES: Final = {
    "x86_64": _Machine(
        audit=0xC000_003E,
        first_foreign=0x4000_0000,
        read=0,
        write=1,
        mapping=(9, 10),
        plain=(7, 11, 25, 28, 12, 202, 13, 14, 15, 131, 228, 229, 96, 318, 219, 24, 324, 334, 60, 231),
    ),
    "aarch64": _Machine(
        audit=0xC000_00B7,
        first_foreign=None,
        read=63,
        write=64,
        mapping=(222, 226),
        plain=(
            73,
            215,
            216,
            233,
            214,
            98,
            134,
            135,
            139,
            132,
            113,
            114,
            169,
            278,
            128,
            124,
            283,
            293,
            93,
            94,
        ),
    ),
}


def load_filter() -> None:
    """Loads the filter for this thread, for good. Needs `no_new_privs`; raises `ConfineError`."""
    code = b"".join(struct.pack("=HBBI", *instruction) for instruction in program_for(os.uname().machine))
    instructions = ctypes.create_string_buffer(code, len(code))
    program = _Program(len(code) // 8, ctypes.addressof(instructions))
    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, ctypes.addressof(program), doing="load the system-call filter")


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("filter", ctypes.c_void_p))


def program_for(name: str) -> list[_Instruction]:
    """The filter for the machine that `uname` calls `name`; raises `ConfineError` for one without."""
    machine = _MACHINES.get(name)
    if machine is None:
        raise ConfineError(errno.ENOSYS, f"no system-call filter for {name!r}")
    foreign = machine.first_foreign
    return [
        (_LOAD, 0, 0, _ARCHITECTURE),
        (_JUMP_EQUAL, 1, 0, machine.audit),
        (_RETURN, 0, 0, KILL_PROCESS),
        (_LOAD, 0, 0, _NUMBER),
        *([] if foreign is None else [(_JUMP_AT_LEAST, 0, 1, foreign), (_RETURN, 0, 0, KILL_PROCESS)]),
        # The two that a call costs come first.
        *_when(machine.write, [(_LOAD, 0, 0, _ARGUMENTS), (_JUMP_EQUAL, 1, 0, 1), (_JUMP_EQUAL, 0, 1, 2)]),
        *_when(machine.read, [(_LOAD, 0, 0, _ARGUMENTS), (_JUMP_EQUAL, 0, 1, 0)]),
        *[step for number in machine.mapping for step in _when(number, _NOT_EXECUTABLE)],
        *[step for number in machine.plain for step in _when(number, [])],
        (_RETURN, 0, 0, REFUSE),
    ]


_NOT_EXECUTABLE: Final[list[_Instruction]] = [
    (_LOAD, 0, 0, _ARGUMENTS + 16),
    (_JUMP_ANY_BIT, 1, 0, PROT_EXEC),
]


def _when(number: int, test: list[_Instruction]) -> list[_Instruction]:
    """Allows call `number` where `test` falls through to the next step, refuses it where `test` skips one."""
    verdict: list[_Instruction] = [(_RETURN, 0, 0, ALLOW)]
    if test:
        verdict.append((_RETURN, 0, 0, REFUSE))
    return [(_JUMP_EQUAL, 0, len(test) + len(verdict), number), *test, *verdict]
