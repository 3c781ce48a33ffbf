"""Figures as values, and where they were measured."""

import os
import platform
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from importlib.metadata import version
from math import ceil
from pathlib import Path
from statistics import median

from host.app.version import VERSION
from runtime_js import find_toolchain

Tell = Callable[[str], None]
"""Hears what is measured now, for whoever waits."""


@dataclass(frozen=True, kw_only=True)
class Figure:
    """One measured figure.

    `goal` is in the same unit, `None` for a figure that has none: the most that it should be, or with
    `at_least` the least.
    """

    name: str
    value: float
    unit: str
    goal: float | None = None
    at_least: bool = False
    how: str

    @property
    def reached(self) -> bool:
        """Whether the goal is reached; a figure without one reaches it."""
        if self.goal is None:
            return True
        return self.value >= self.goal if self.at_least else self.value <= self.goal


@dataclass(frozen=True, kw_only=True)
class Machine:
    """What the figures were measured on."""

    processor: str
    cores: int
    system: str
    versions: dict[str, str]


def this_machine() -> Machine:
    """The machine and the versions of what is measured."""
    toolchain = find_toolchain()
    return Machine(
        processor=_processor(),
        cores=cores(),
        system=f"{platform.system()} {platform.release()} {platform.machine()}",
        versions={
            "gg": VERSION,
            "Python": platform.python_version(),
            "quickjs-ng": version("quickjs-ng"),
            "esbuild": toolchain.esbuild_version,
            "TypeScript": toolchain.typescript_version,
        },
    )


def cores() -> int:
    """How many this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def middle(samples: Iterable[float]) -> float:
    """The median."""
    return median(samples)


def percentile(samples: Iterable[float], share: float) -> float:
    """The smallest sample that at least `share` of all do not exceed."""
    ordered = sorted(samples)
    return ordered[max(0, ceil(share * len(ordered)) - 1)]


def _processor() -> str:
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        for row in cpuinfo.read_text(errors="replace").splitlines():
            if row.startswith("model name"):
                return row.partition(":")[2].strip()
    return platform.processor() or platform.machine()
