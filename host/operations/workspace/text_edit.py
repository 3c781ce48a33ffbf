"""Replaces the one place where a text stands in a file, to the byte."""

from host.core.replacement import NotOnce, replace_once
from host.core.text import format_over, has_lone_surrogate
from host.operations.workspace.attempt import Attempt
from host.operations.workspace.file_lines import MAX_READ_BYTES


def check_edit(old: str, new: str, attempt: Attempt) -> None:
    """Refuses, as `invalid-argument`, what could change no text or cannot stand in one."""
    if not old:
        raise attempt.refusal("invalid-argument", "the text to replace is empty", "empty_old")
    if old == new:
        reason = "the new text is the text to replace, so nothing would change"
        raise attempt.refusal("invalid-argument", reason, "same")
    for name, text in (("the text to replace", old), ("the new text", new)):
        if has_lone_surrogate(text):
            raise attempt.refusal("invalid-argument", f"{name} holds a lone surrogate", "lone_surrogate")


def check_size(size_bytes: int, attempt: Attempt) -> None:
    """Refuses, as `limit-exceeded`, a file that could not be read at once."""
    if size_bytes > MAX_READ_BYTES:
        figures = format_over(size_bytes, MAX_READ_BYTES)
        raise attempt.refusal("limit-exceeded", f"the file has {figures}", "too_large")


def edit_data(data: bytes, old: str, new: str, attempt: Attempt) -> bytes:
    """The file with `new` in the one place of `old`.

    Refuses `not-found`, `conflict`, `limit-exceeded`, and as `invalid-argument` what is no UTF-8.
    """
    edited = replace_once(_decode(data, attempt), old, new)
    if isinstance(edited, NotOnce):
        told = f"the text to replace {edited.told}"
        if edited.places:
            more = "; give more of the text around the one to replace"
            raise attempt.refusal("conflict", told + more, "several_matches")
        raise attempt.refusal("not-found", told, "no_match")
    encoded = edited.encode("utf-8")
    check_size(len(encoded), attempt)
    return encoded


def _decode(data: bytes, attempt: Attempt) -> str:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as err:
        reason = f"it is no UTF-8 text, byte {err.start} is 0x{data[err.start]:02x}"
        raise attempt.refusal("invalid-argument", reason, "not_text") from None
