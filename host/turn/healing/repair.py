"""The repairs in their order, until none finds anything more. They delete, nothing else."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from host.core.healing import (
    DEFAULT_HEALING,
    DROP_DOUBLED_RESPONSE,
    STRIP_FENCES,
    STRIP_PROSE,
    HealingSettings,
)
from host.turn.healing.doubled import drop_doubled
from host.turn.healing.fences import strip_fences
from host.turn.healing.prose import strip_prose

PASSES: Final = 4
_REPAIRS: Final[tuple[tuple[str, Callable[[str], str | None]], ...]] = (
    (STRIP_FENCES, strip_fences),
    (STRIP_PROSE, strip_prose),
    (DROP_DOUBLED_RESPONSE, drop_doubled),
)
_START: Final = re.compile("\ufeff*(?:(?:[^\\S\n]|\ufeff)*\n)*\ufeff*")


@dataclass(frozen=True)
class Healed:
    """The program to compile, and the ids of the repairs that were made to get it, in order.

    `did_not_converge` says that the last pass still found something: then nothing is repaired.
    """

    text: str
    strategies: tuple[str, ...] = ()
    did_not_converge: bool = False


def heal(reply: str, settings: HealingSettings = DEFAULT_HEALING) -> Healed:
    """The reply as a program. What is unclear stays as it is, for the compiler to answer.

    A byte order mark at the start and white space at the end go without being counted as a repair.
    """
    # What is not repaired keeps its first lines, blank or not, so that a line told is the line of the reply.
    untouched = reply.lstrip("\ufeff").rstrip()
    repairs = [(id_, repair) for id_, repair in _REPAIRS if id_ in settings.enabled]
    text, applied = _without_margins(reply), dict[str, None]()
    for _ in range(PASSES):
        before = text
        for id_, repair in repairs:
            repaired = repair(text)
            if repaired is not None:
                text = _without_margins(repaired)
                applied[id_] = None
        if text == before:
            return Healed(text=text if applied else untouched, strategies=tuple(applied))
    return Healed(text=untouched, did_not_converge=True)


def _without_margins(text: str) -> str:
    return _START.sub("", text, count=1).rstrip()
