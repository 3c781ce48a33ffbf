"""Small files that are on the disk when a call says so."""

import os
from pathlib import Path


def write_all(fd: int, content: bytes) -> None:
    """A full disk may take a part and say so with the next write only. Raises `OSError`."""
    left = memoryview(content)
    while left:
        left = left[os.write(fd, left) :]


def sync_folder(folder: Path) -> None:
    """Names that were given or taken in it are on the disk."""
    fd = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)
