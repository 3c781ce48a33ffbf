"""Start-up of a child process: what it gives up before it becomes a compiler.

Runs in the child: standard library only.
"""

import json
import os
import sys

from sandbox.confine import apply_rlimits, close_descriptors, die_with_parent, forbid_new_privileges

__all__ = ["main"]

_CANNOT_EXECUTE = 127  # as a shell says it


def main(spec_text: str) -> None:
    """Confines this process as `spec_text` says, then becomes its `argv`."""
    spec = json.loads(spec_text)
    die_with_parent(spec["parent"])
    forbid_new_privileges()
    close_descriptors()
    apply_rlimits(spec["rlimits"])
    argv = spec["argv"]
    try:
        os.execve(argv[0], argv, spec["env"])
    except OSError as error:
        print(f"cannot execute {argv[0]}: {error.strerror}", file=sys.stderr)  # noqa: T201 - the parent reads it
        sys.exit(_CANNOT_EXECUTE)
