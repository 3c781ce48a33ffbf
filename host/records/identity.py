"""A record's id: what its writer said, hashed. Two texts that differ in form alone have one."""

import hashlib
import json

from host.core.unicode_text import nfc
from host.records.model import Passage


def canonical(text: str) -> str:
    """The text composed and without white space around it."""
    return nfc(text).strip()


def record_id(*, kind: str, text: str, source: str | None, written_by: str, passage: Passage | None) -> str:
    """SHA-256, in 64 hexadecimal digits, of what the record says, from whom and where from.

    Tags, moments and an approval are outside of it.
    """
    said = {
        "kind": kind,
        "text": canonical(text),
        "source": None if source is None else canonical(source),
        "written_by": canonical(written_by),
        "passage": None if passage is None else _passage(passage),
    }
    return hashlib.sha256(json_bytes(said)).hexdigest()


def json_bytes(value: object) -> bytes:
    """JSON in UTF-8 with sorted keys and without spaces: one form for one value."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def _passage(passage: Passage) -> dict[str, object]:
    provenance = {canonical(key): canonical(value) for key, value in passage.provenance.items()}
    return {"text": canonical(passage.text), "provenance": provenance}
