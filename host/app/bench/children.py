"""The child processes of this one, and what it and they have used, read from the system."""

import os
import resource
from contextlib import suppress
from pathlib import Path

from sandbox import read_usage


def child_pids() -> list[int]:
    """Workers and compilers that live now. Linux only."""
    pids: list[int] = []
    for task in Path(f"/proc/{os.getpid()}/task").iterdir():
        with suppress(FileNotFoundError):  # a thread that has ended since
            pids += map(int, (task / "children").read_text().split())
    return pids


def cpu_used_s() -> float:
    """Processor time of this process, of the children that have ended and of those that live."""
    spent = (resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN))
    living = (usage.cpu_s for usage in map(read_usage, child_pids()) if usage is not None)
    return sum(usage.ru_utime + usage.ru_stime for usage in spent) + sum(living)


def machine_idle_s() -> float:
    """Time that the processors of the machine had nothing to do, summed over them."""
    fields = Path("/proc/stat").read_text().split("\n", 1)[0].split()
    idle, waiting_for_disk = int(fields[4]), int(fields[5])
    return (idle + waiting_for_disk) / os.sysconf("SC_CLK_TCK")


def open_files() -> int:
    """Descriptors that this process has open."""
    return len(os.listdir("/proc/self/fd"))


def allow_open_files() -> tuple[int, int]:
    """Raises this process's limit of open files as far as the system lets it: the limit before and now."""
    before, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    return before, most
