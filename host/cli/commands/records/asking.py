"""What takes away or decides needs a person: one at a terminal, or the word of one in the environment."""

import sys
import termios
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final

from host.app import SENSITIVE_VARIABLE, environment
from host.cli.commands.records.identifiers import is_whole_id
from host.cli.found_lines import record_lines
from host.cli.kept_lines import preview_lines
from host.cli.lines import Line, Span, line
from host.cli.output import Output
from host.core.clock import SystemClock
from host.core.errors import HostError
from host.records import SENSITIVE, Refused, Store, invoke

_YES: Final = frozenset({"y", "yes"})


@dataclass(frozen=True, kw_only=True)
class Asked:
    """An operation that waits for a person's word. `args` are as `invoke` takes them."""

    op: str
    store: Store
    args: object


def ask_person(asked: Asked, output: Output, *, yes: bool) -> object:
    """The arguments with which it may be done: what goes is what was shown, whatever is put meanwhile. Raises
    `Refused` where nobody can say so, `NotConfirmed` where somebody says no.

    What would be refused anyway is not asked about.
    """
    args = asked.args
    if not may_decide(asked.op, output, yes=yes):
        return args
    if asked.op == "forget":
        lines, args = _to_go(asked, output)
    elif asked.op == "approve":
        lines = _to_be_approved(asked)
    else:
        lines = [line("The text can be kept again from then on, by whoever puts it.")]
    if lines is not None:
        confirm(lines, output)
    return args


def may_decide(what: str, output: Output, *, yes: bool) -> bool:
    """Whether a person is to be asked. Raises `Refused` where there is none, and none has allowed it."""
    is_there = sys.stdin is not None and sys.stdin.isatty()
    if not is_there and environment().get(SENSITIVE_VARIABLE) != "1":
        raise Refused.of(
            SENSITIVE,
            f"{what} takes a person's word, and stdin is no terminal; run it on one, or with"
            f" {SENSITIVE_VARIABLE}=1 in the environment",
        )
    if not is_there or yes:
        return False
    if not sys.stderr.isatty():
        raise Refused.of(
            SENSITIVE, f"{what} asks first, and stderr, where it would, is no terminal; say --yes"
        )
    return True


def confirm(lines: list[Line], output: Output) -> None:
    """Shows what it is about and asks. Raises `NotConfirmed` for anything but a yes."""
    with suppress(termios.error):  # what was typed before the question answers nothing
        termios.tcflush(sys.stdin.fileno(), termios.TCIFLUSH)
    output.problem([*lines, line(Span("yes or no? ", "strong"))])
    if sys.stdin.readline().strip().casefold() not in _YES:
        raise NotConfirmed("it was not confirmed; nothing was changed")


class NotConfirmed(HostError):
    """A person has said no."""


def _to_go(asked: Asked, output: Output) -> tuple[list[Line] | None, object]:
    """What is shown, and the arguments that name that and nothing else."""
    args = asked.args
    if not isinstance(args, dict):
        return None, args
    preview = invoke(asked.store, "forget", {**args, "preview": True})
    if preview.is_refusal:
        return None, args
    answer: dict[str, Any] = preview.to_json()
    lines = [
        line(Span("To be removed for good:", "warn")),
        *preview_lines(answer, width=output.width_of_progress),
    ]
    ids = [each["id"] for each in answer["would_remove"]]
    is_all = len(ids) == answer["count"] and all(map(is_whole_id, ids))
    return lines, {**args, "record_ids": ids} if is_all and not args.get("record_ids") else args


def _to_be_approved(asked: Asked) -> list[Line] | None:
    ids = asked.args.get("record_ids") if isinstance(asked.args, dict) else None
    found = invoke(asked.store, "recall", {"record_ids": ids, "proposed": True, "limit": 100})
    value = found.to_json()
    lists = [] if found.is_refusal else [value[name] for name in ("records", "stale", "superseded")]
    records = [record for each in lists if isinstance(each, list) for record in each]
    if not records:
        return None
    return [line(Span("To be served as approved from then on:", "warn")), *_shown(records)]


def _shown(records: list[dict[str, object]]) -> Iterator[Line]:
    for record in records:
        yield Line()
        yield from record_lines(record, now=SystemClock().now())
