"""What a child process gives up, done by the child itself right after it was started.

Runs in the child: standard library only, no dataclasses, nothing of the parent's half. Limits and the
parent-death signal are inherited by whatever the child executes; the system-call filter is in
`sandbox.seccomp`.
"""

from __future__ import annotations

import ctypes
import os
import resource
import sys

TYPE_CHECKING = False  # what only annotations name takes long to import
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Final

__all__ = [
    "RLIMITS",
    "ConfineError",
    "apply_rlimits",
    "close_descriptors",
    "die_with_parent",
    "forbid_new_privileges",
    "prctl",
]

# Names a parent may use for a limit, and what each sets. Core files are always off.
RLIMITS: Final[Mapping[str, int]] = {
    "address_space_bytes": resource.RLIMIT_AS,
    "data_bytes": resource.RLIMIT_DATA,
    "stack_bytes": resource.RLIMIT_STACK,
    "cpu_s": resource.RLIMIT_CPU,
    "open_files": resource.RLIMIT_NOFILE,
    "processes": resource.RLIMIT_NPROC,
    "file_size_bytes": resource.RLIMIT_FSIZE,
}

PR_SET_PDEATHSIG: Final = 1
PR_SET_NO_NEW_PRIVS: Final = 38

_SIGKILL: Final = 9  # the module `signal` is slow to import

_FIRST_OWN_DESCRIPTOR: Final = 3


class ConfineError(OSError):
    """A step of the confinement failed; the message names it."""


def die_with_parent(parent: int) -> None:
    """Asks the kernel to kill this process when the thread that started it ends; checks it still runs.

    `parent` is the pid the parent says it has. Elsewhere than on Linux a child ends when its input does.
    """
    if sys.platform == "linux":
        prctl(PR_SET_PDEATHSIG, _SIGKILL, doing="ask for the parent-death signal")
    if os.getppid() != parent:
        # The parent died before the request could hold: nobody would kill this process.
        os._exit(1)


def forbid_new_privileges() -> None:
    """No set-user-id program gains anything from here on. Linux only; elsewhere it does nothing."""
    if sys.platform == "linux":
        prctl(PR_SET_NO_NEW_PRIVS, 1, doing="set no_new_privs")


def apply_rlimits(limits: Mapping[str, int]) -> None:
    """Sets soft and hard limits by the names in `RLIMITS`, never above the hard limit in force."""
    for name, wanted in (*limits.items(), (None, 0)):
        which = resource.RLIMIT_CORE if name is None else RLIMITS[name]
        _, ceiling = resource.getrlimit(which)
        value = wanted if ceiling == resource.RLIM_INFINITY else min(wanted, ceiling)
        resource.setrlimit(which, (value, value))


def close_descriptors() -> None:
    """Closes every descriptor but 0, 1 and 2."""
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    os.closerange(_FIRST_OWN_DESCRIPTOR, 65_536 if soft == resource.RLIM_INFINITY else soft)


def prctl(option: int, value: int, third: int = 0, *, doing: str) -> None:
    """`prctl(2)`; raises `ConfineError` naming `doing` when the kernel refuses."""
    # c_ulong: prctl is variadic, and a bare int would leave the upper half of the register undefined.
    if (
        _LIBC.prctl(
            option, ctypes.c_ulong(value), ctypes.c_ulong(third), ctypes.c_ulong(0), ctypes.c_ulong(0)
        )
        != 0
    ):
        code = ctypes.get_errno()
        raise ConfineError(code, f"cannot {doing}: {os.strerror(code)}")


_LIBC: Final = ctypes.CDLL(None, use_errno=True)
