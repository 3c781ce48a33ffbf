"""The session family: the one way to end."""

from pydantic import Field

from host.core.errors import Refusal
from host.core.refusals import refuse_lone_surrogate
from host.operations.model import Arguments, Family, Native, Operation
from host.operations.services import Caller


class FinishArguments(Arguments):
    summary: str = Field(description="What was achieved, for whoever gave the task.")


def _finish(caller: Caller, arguments: FinishArguments) -> None:
    refuse_lone_surrogate(arguments.summary, "The summary")
    summary = arguments.summary.strip()
    if not summary:
        raise Refusal(
            "invalid-argument", "The summary is empty; say what was achieved.", kind="empty_summary"
        )
    caller.endings.declare("finish", summary)


FAMILY = Family(
    "session",
    "Ends the session.",
    (
        Operation(
            id="session.finish",
            summary=(
                "Ends the session when this program has run to its end; a failure after the call revokes it. "
                "The latest call counts."
            ),
            arguments=FinishArguments,
            run=_finish,
            failures=(("invalid-argument", "the summary is empty or holds a lone surrogate"),),
            in_on_use=False,
            native=Native(
                "finish",
                summary=(
                    "Ends the session when the calls of this reply are carried out; one that fails revokes"
                    " it. The latest call counts."
                ),
            ),
            example='session.finish("500 rows cleaned; 3 had no price.");',
        ),
    ),
)
