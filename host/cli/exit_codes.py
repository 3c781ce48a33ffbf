"""The exit codes of `gg`."""

from collections.abc import Mapping
from typing import Final

DONE: Final = 0
FAILED: Final = 1
WRONG_USE: Final = 2
CEILING: Final = 3
INTERRUPTED: Final = 130  # the shell's own figure for a process that ended by Ctrl-C
CLOSED_PIPE: Final = 141  # and for one that ended by SIGPIPE

EXIT_CODES: Final[Mapping[int, str]] = {
    DONE: "Done. A run that was completed or canceled.",
    FAILED: "Refused, or failed: a launch, a record, a provider, a defect. `gg check` found an error.",
    WRONG_USE: "Wrong use; one line names the remedy.",
    CEILING: "A limit ended the run.",
    INTERRUPTED: "Ctrl-C twice, or in a command that is no run.",
    CLOSED_PIPE: "Whoever read the output has closed it, as `head` does.",
}
