"""How a run can end, with the exit code of each."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from host.events import Status


@dataclass(frozen=True)
class RunEnd:
    """`when` says what ends a run so; `exit_code` is that of `gg run`."""

    exit_code: int
    when: str


STATUSES: Final[Mapping[Status, RunEnd]] = {
    "completed": RunEnd(0, "The root declared its ending, and nothing failed that would have revoked it."),
    "canceled": RunEnd(0, "Ctrl-C or SIGTERM at a turn boundary, or the person who answered has left."),
    "exhausted": RunEnd(3, "The root took `maxTurns` turns."),
    "timed_out": RunEnd(3, "The run took `maxRuntimeSecs`."),
    "limit_exceeded": RunEnd(3, "Another limit was reached, such as `maxConsecutiveErrors`."),
    "model_error": RunEnd(1, "No usable reply could be had from the model's provider."),
    "auth_error": RunEnd(1, "The provider refused the credentials."),
    "compaction_failed": RunEnd(1, "The window had to be compacted and could not be."),
    "internal_error": RunEnd(1, "A defect: a fault of gg's own, in any agent of the run."),
}
EXIT_CODES: Final[Mapping[Status, int]] = {status: end.exit_code for status, end in STATUSES.items()}
