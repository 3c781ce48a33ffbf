"""Defects as a person and as a program reads them."""

import json
from collections.abc import Sequence
from typing import Final

from host.core.errors import Defect, LaunchRefused
from host.core.text import counted, escape_controls
from host.launch.places import ABSENT, Verbatim

_MAX_FOUND_CHARS: Final = 160


def refusal(defects: tuple[Defect, ...]) -> LaunchRefused:
    """The refusal of a launch; its text has how many defects there are, and all of them."""
    head = f"the configuration cannot be run: {counted(len(defects), 'defect')}"
    return LaunchRefused(defects, f"{head}\n{render_defects(defects)}")


def render_defects(defects: Sequence[Defect]) -> str:
    """A paragraph per defect: where it is and what is wrong, then agent, value found, what is known there,
    and what to write where that is more than one value.
    """
    return "\n".join(line for defect in defects for line in _lines(defect))


def defect_json(defect: Defect) -> dict[str, object]:
    """The defect as `--json` has it; `found` is null where nothing was written, `line` absent in memory,
    `example` where there is none.
    """
    found = None if defect.found is ABSENT else json.loads(_as_json(defect.found))
    told = {
        "agent": defect.agent,
        "place": defect.place,
        "message": defect.message,
        "found": found,
        "known": list(defect.known),
    }
    further = {"line": defect.line, "example": defect.example or None}
    return told | {key: value for key, value in further.items() if value is not None}


def render_found(found: object) -> str:
    """The value as it stands in the document, on one line, cut where it is long."""
    if found is ABSENT:
        return "nothing"
    text = found if isinstance(found, Verbatim) else _as_json(found)
    shown = escape_controls(text.replace("\n", " "))
    return shown if len(shown) <= _MAX_FOUND_CHARS else f"{shown[: _MAX_FOUND_CHARS - 1]}…"


def _as_json(found: object) -> str:
    """A value as JSON; a Python program can give what JSON has not, such as a list that holds itself."""
    try:
        return json.dumps(found, ensure_ascii=False, default=repr)
    except ValueError:
        return json.dumps(f"a value of type {type(found).__name__} that cannot be shown")


def _lines(defect: Defect) -> list[str]:
    where = "" if defect.file is None else f"{defect.file}:{defect.line}: "
    lines = [escape_controls(f"{where}{defect.place}: {defect.message}").replace("\n", " ")]
    if defect.agent is not None:
        lines.append(f"    agent  {escape_controls(defect.agent)}".replace("\n", " "))
    lines.append(f"    found  {render_found(defect.found)}")
    if defect.known:
        lines.append(f"    known  {', '.join(defect.known)}")
    if defect.example:
        lines.append(f"    write  {defect.example}")
    return lines
