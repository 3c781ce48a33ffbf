"""Start-up of a child process: what it gives up before it becomes a compiler or a worker.

Runs in the child: standard library only.
"""

from __future__ import annotations

import os
import sys

from sandbox.confine import apply_rlimits, close_descriptors, die_with_parent, forbid_new_privileges

TYPE_CHECKING = False  # what only annotations name takes long to import
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any, Final, NoReturn

__all__ = ["become", "enter"]

_CANNOT_EXECUTE: Final = 127  # as a shell says it


def enter(parent: int) -> None:
    """What all children do first."""
    die_with_parent(parent)
    forbid_new_privileges()
    close_descriptors()


def become(spec: Mapping[str, Any]) -> NoReturn:
    """Limits this process and replaces it by the program `argv[0]`."""
    apply_rlimits(spec["rlimits"])
    argv = spec["argv"]
    try:
        os.execve(argv[0], argv, spec["env"])
    except OSError as error:
        print(f"cannot execute {argv[0]}: {error.strerror}", file=sys.stderr)  # noqa: T201 - the parent reads it
        sys.exit(_CANNOT_EXECUTE)
