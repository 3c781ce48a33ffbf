"""What the system tells of a process: memory, its peak, processor time; nothing of one that is gone."""

import os
import sys

import pytest

from sandbox import read_peak_bytes, read_usage
from sandbox.process import ResourceLimits, spawn

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")

LIMITS = ResourceLimits(data_bytes=2**30, cpu_s=20)
GROWN = (
    "import os\nblock = bytearray(os.urandom(1)) * (40 * 2**20)\ndel block\nprint('x', flush=True)\ninput()\n"
)


def test_a_peak_outlasts_the_memory_that_made_it() -> None:
    child = spawn([sys.executable, "-c", GROWN], rlimits=LIMITS)
    os.read(child.stdout_fd, 1)
    usage, peak = read_usage(child.pid), read_peak_bytes(child.pid)
    child.close()

    assert usage is not None
    assert peak is not None
    assert peak - usage.resident_bytes > 30 * 2**20


def test_a_process_that_has_ended_has_none() -> None:
    child = spawn([sys.executable, "-c", ""], rlimits=LIMITS)
    child.wait()
    child.close()

    assert (read_usage(child.pid), read_peak_bytes(child.pid)) == (None, None)
