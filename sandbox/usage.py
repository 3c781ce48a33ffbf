"""What a child process uses, read by the parent: a worker's own word would be worth nothing."""

import os
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Final

__all__ = ["Usage", "read_peak_bytes", "read_usage"]

# Fields of /proc/<pid>/stat after the name in parentheses, which may hold anything.
_USER_TICKS: Final = 11
_SYSTEM_TICKS: Final = 12
_RESIDENT_PAGES: Final = 21
_PEAK: Final = b"\nVmHWM:"  # in KiB


@dataclass(frozen=True)
class Usage:
    resident_bytes: int
    cpu_s: float


def read_usage(pid: int) -> Usage | None:
    """Resident memory and processor time of a process; None once it has ended, or elsewhere than on Linux."""
    if sys.platform != "linux":
        return None
    try:
        text = Path(f"/proc/{pid}/stat").read_bytes()
    except (FileNotFoundError, ProcessLookupError):
        return None
    fields = text[text.rindex(b")") + 2 :].split()
    ticks = int(fields[_USER_TICKS]) + int(fields[_SYSTEM_TICKS])
    return Usage(
        resident_bytes=int(fields[_RESIDENT_PAGES]) * os.sysconf("SC_PAGE_SIZE"),
        cpu_s=ticks / os.sysconf("SC_CLK_TCK"),
    )


def read_peak_bytes(pid: int) -> int | None:
    """The most that was ever resident of a process; None once it has ended, or elsewhere than on Linux."""
    if sys.platform != "linux":
        return None
    try:
        status = Path(f"/proc/{pid}/status").read_bytes()
    except (FileNotFoundError, ProcessLookupError):
        return None
    _, there, after = status.partition(_PEAK)  # a process that has ended and waits to be reaped has none
    return int(after.split(maxsplit=1)[0]) * 2**10 if there else None
