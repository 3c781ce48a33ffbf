"""The session family: the one way to end, for those that work and for those that review."""

from typing import Final

from pydantic import Field

from host.core.errors import Refusal
from host.operations.families.texts import MAX_TEXT_BYTES, check_text
from host.operations.model import Arguments, Family, Native, NoArguments, Operation
from host.operations.services import Caller

MAX_ITEMS: Final = 100


class FinishArguments(Arguments):
    summary: str = Field(description="What was achieved, for whoever gave the task.")


class ChangesArguments(Arguments):
    items: list[str] = Field(
        description=f"What has to be changed, a text for each change; {MAX_ITEMS} at most."
    )


def _finish(caller: Caller, arguments: FinishArguments) -> None:
    summary = arguments.summary.strip()
    check_text(summary, "The summary", wanted="say what was achieved")
    caller.endings.declare("finish", summary)


def _approve(caller: Caller, _: NoArguments) -> None:
    caller.endings.declare("approve")


def _request_changes(caller: Caller, arguments: ChangesArguments) -> None:
    items = tuple(item.strip() for item in arguments.items)
    if not items:
        raise Refusal("invalid-argument", "There is no item; say what has to be changed.", kind="no_items")
    if len(items) > MAX_ITEMS:
        raise Refusal(
            "limit-exceeded",
            f"There are {len(items):,} of {MAX_ITEMS} items; put several changes into one.",
            kind="items_cap",
        )
    for number, item in enumerate(items, start=1):
        check_text(item, f"Item {number}", wanted="say what has to be changed, or leave it out")
    check_text("\n".join(items), "The list of items", wanted="say what has to be changed")
    caller.endings.declare("request_changes", items=items)


_WHEN: Final = (
    "when this program has run to its end; a failure after the call revokes it. The latest call counts."
)
_WHEN_NATIVE: Final = (
    "when the calls of this reply are carried out; one that fails revokes it. The latest call counts."
)
_APPROVES: Final = "Ends the session with the verdict that the work is good as it is,"
_REQUESTS: Final = "Ends the session with the verdict that the work has to be changed, and says how,"

FAMILY = Family(
    "session",
    "Ends the session.",
    (
        Operation(
            id="session.finish",
            summary=f"Ends the session {_WHEN}",
            arguments=FinishArguments,
            run=_finish,
            failures=(
                ("invalid-argument", "the summary is empty or holds a lone surrogate"),
                ("limit-exceeded", f"the summary is over {MAX_TEXT_BYTES:,} bytes"),
            ),
            role="worker",
            in_on_use=False,
            native=Native("finish", summary=f"Ends the session {_WHEN_NATIVE}"),
            example='session.finish("500 rows cleaned; 3 had no price.");',
        ),
        Operation(
            id="session.approve",
            summary=f"{_APPROVES} {_WHEN}",
            arguments=NoArguments,
            run=_approve,
            role="reviewer",
            in_on_use=False,
            native=Native("approve", summary=f"{_APPROVES} {_WHEN_NATIVE}"),
            example="session.approve();",
        ),
        Operation(
            id="session.request_changes",
            summary=f"{_REQUESTS} {_WHEN}",
            arguments=ChangesArguments,
            run=_request_changes,
            failures=(
                ("invalid-argument", "there is no item, or one is empty or holds a lone surrogate"),
                (
                    "limit-exceeded",
                    f"there are over {MAX_ITEMS} items, or over {MAX_TEXT_BYTES:,} bytes of them",
                ),
            ),
            role="reviewer",
            in_on_use=False,
            native=Native("request_changes", summary=f"{_REQUESTS} {_WHEN_NATIVE}"),
            example='session.requestChanges(["Row 3 has no price.", "Say where the rows come from."]);',
        ),
    ),
)
