"""Replaces the one place where a text stands in a file, to the byte."""

import re
from typing import Final

from host.core.text import format_over, has_lone_surrogate, join_words
from host.operations.workspace.attempt import Attempt
from host.operations.workspace.file_lines import MAX_READ_BYTES

_SHOWN_PLACES: Final = 5
_HINT_BYTES: Final = 2**20
_SPACE: Final = re.compile(r"\s+")


def check_edit(old: str, new: str, attempt: Attempt) -> None:
    """Refuses, as `invalid-argument`, what could change no text or cannot stand in one."""
    if not old:
        raise attempt.refusal("invalid-argument", "oldString is empty; give the text to replace", "empty_old")
    if old == new:
        raise attempt.refusal("invalid-argument", "newString is oldString, so nothing would change", "same")
    for name, text in (("oldString", old), ("newString", new)):
        if has_lone_surrogate(text):
            raise attempt.refusal("invalid-argument", f"{name} holds a lone surrogate", "lone_surrogate")


def check_size(size_bytes: int, attempt: Attempt) -> None:
    """Refuses, as `limit-exceeded`, a file that could not be read at once."""
    if size_bytes > MAX_READ_BYTES:
        figures = format_over(size_bytes, MAX_READ_BYTES)
        raise attempt.refusal("limit-exceeded", f"the file has {figures}", "too_large")


def replace_once(data: bytes, old: str, new: str, attempt: Attempt) -> bytes:
    """The file with `new` in the one place of `old`. Places that overlap are several.

    Refuses `not-found`, `conflict`, `limit-exceeded`, and as `invalid-argument` what is no UTF-8.
    """
    text = _decode(data, attempt)
    wanted = old.encode("utf-8")
    places = _first_places(data, wanted)
    if not places:
        near = _near(text, old) if len(data) <= _HINT_BYTES else ""
        raise attempt.refusal("not-found", f"oldString does not occur in it{near}", "no_match")
    if len(places) > 1:
        raise attempt.refusal("conflict", _several(data, wanted, places), "several_matches")
    edited = data[: places[0]] + new.encode("utf-8") + data[places[0] + len(wanted) :]
    check_size(len(edited), attempt)
    return edited


def _decode(data: bytes, attempt: Attempt) -> str:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as err:
        reason = f"it is no UTF-8 text, byte {err.start} is 0x{data[err.start]:02x}"
        raise attempt.refusal("invalid-argument", reason, "not_text") from None


def _first_places(data: bytes, wanted: bytes) -> list[int]:
    """Where it occurs, up to one place more than is shown."""
    places: list[int] = []
    at = data.find(wanted)
    while at >= 0 and len(places) <= _SHOWN_PLACES:
        places.append(at)
        at = data.find(wanted, at + 1)
    return places


def _several(data: bytes, wanted: bytes, places: list[int]) -> str:
    apart = data.count(wanted)  # less than all where a place begins within another
    least = "at least " if len(places) > max(apart, _SHOWN_PLACES) else ""
    count = f"{least}{max(apart, len(places)):,} times"
    lines = list(dict.fromkeys(data.count(b"\n", 0, place) + 1 for place in places[:_SHOWN_PLACES]))
    first = "first " if len(places) > _SHOWN_PLACES else ""
    where = f"{first}in line{'' if len(lines) == 1 else 's'} {join_words(map(str, lines))}"
    return f"oldString occurs {count}, {where}; give more of the text around the one to replace"


def _near(text: str, old: str) -> str:
    """Says that the text would be found but for its line ends, or but for its white space."""
    plain, plain_old = text.replace("\r\n", "\n"), old.replace("\r\n", "\n")
    if (at := plain.find(plain_old)) >= 0:
        ends = r"\r\n" if "\r\n" in text else r"\n"
        line = plain.count("\n", 0, at) + 1
        return f"; it does with line ends as the file has them, {ends}, in line {line}"
    words = _SPACE.sub(" ", old).strip()
    at = _SPACE.sub(" ", text).find(words) if words else -1
    return "" if at < 0 else f"; it does with other white space, in line {_line_of(text, at)}"


def _line_of(text: str, squeezed: int) -> int:
    """The line of a text in which so many characters are passed, a run of white space counted as one."""
    line, passed, in_space = 1, 0, False
    for character in text:
        is_space = character.isspace()
        if not (is_space and in_space):
            if passed == squeezed:
                break
            passed += 1
        in_space = is_space
        line += character == "\n"
    return line
