"""What a test asks the system about this process."""

import os


def resident_bytes() -> int:
    """Memory that this process has in use."""
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
