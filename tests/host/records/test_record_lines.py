"""A record as a line, and what lines of others are taken as."""

import io
import json
from typing import Final

import pytest

from host.records import Refused
from host.records.record_lines import MAX_LINE_BYTES, line_of, numbered, read_lines, record_of
from tests.helpers.records import ABSENT_ID, NOON

SAID: Final[dict[str, object]] = {"text": "a", "written_by": "b"}
APPROVAL: Final = {"reviewer": "Sam", "at": "2026-10-01T00:00:00Z", "reason": "ok"}

BAD: Final[dict[str, tuple[str | bytes, str]]] = {
    "cut off": (
        '{"text": "a", "writ',
        "the line is no JSON: Unterminated string starting at, at character 15; it may be cut off",
    ),
    "two objects": ('{"text": "a"} {"text": "b"}', "Extra data"),
    "no object": ('["a"]', "the line is a list; a record is an object"),
    "a number": ("7", "the line is a number"),
    "NaN": ('{"text": NaN}', "NaN is no number"),
    "nested too deeply": ("[" * 100_000, "nested too deeply"),
    "a number of many digits": ('{"text": ' + "9" * 5_000 + "}", "no JSON"),
    "no UTF-8": (b'{"text": "\xff"}', "no UTF-8, from byte 10 on"),
    "UTF-16": ('{"text": "a"}'.encode("utf-16"), "in UTF-16"),
    "UTF-16, the other way": (b"\xfe\xff\0{\0}", "in UTF-16"),
    "a line without end": (b"{" + b" " * MAX_LINE_BYTES, "longer than 4,194,304 bytes"),
    "a surrogate": ('{"text": "a\\ud800", "written_by": "b"}', "lone surrogate"),
    "a surrogate in a key": ('{"text": "a", "written_by": "b", "\\ud800": 1}', "has no `\\ud800`"),
}
BAD_VALUES: Final[dict[str, tuple[dict[str, object], str]]] = {
    "a weight": ({"weight": 1}, "a record has no `weight`"),
    "a writer of another type": ({"written_by": 1}, "written_by is a number"),
    "another's id": ({"id": ABSENT_ID}, "id is not that of what the line says"),
    "a date without a zone": (
        {"created_at": "2026-10-01T00:00:00"},
        "created_at `2026-10-01T00:00:00` is no moment",
    ),
    "a date of a number": ({"created_at": 5}, "created_at is a number"),
    "an unknown status": ({"status": "current"}, "status is 'current'; of a note it is note"),
    "an approved note": ({"status": "approved", "approval": APPROVAL}, "of a note it is note"),
    "a proposed note": ({"status": "proposed"}, "of a note it is note"),
    "an approval without its status": ({"kind": "lesson", "approval": APPROVAL}, "whose status is proposed"),
    "a status without its approval": ({"kind": "lesson", "status": "approved"}, "approval is missing"),
    "an approval of text": (
        {"kind": "lesson", "status": "approved", "approval": "yes"},
        "approval is a text",
    ),
    "an approval without a reason": (
        {"kind": "lesson", "status": "approved", "approval": {**APPROVAL, "reason": ""}},
        "reason is blank",
    ),
    "an approval with another key": (
        {"kind": "lesson", "status": "approved", "approval": {**APPROVAL, "by": "x"}},
        "approval has no `by`",
    ),
    "superseded by nothing": (
        {"superseded": {"at": APPROVAL["at"], "reason": "a"}},
        "superseded.by is missing",
    ),
    "superseded by text": ({"superseded": ABSENT_ID}, "superseded is a text"),
}


@pytest.mark.parametrize(("line", "why"), BAD.values(), ids=BAD)
def test_what_is_no_record_is_told(line: str | bytes, why: str) -> None:
    with pytest.raises(Refused) as caught:
        record_of(line, NOON)
    assert why in caught.value.message


@pytest.mark.parametrize(("said", "why"), BAD_VALUES.values(), ids=BAD_VALUES)
def test_what_a_record_cannot_be_is_told(said: dict[str, object], why: str) -> None:
    with pytest.raises(Refused) as caught:
        record_of(json.dumps({**SAID, **said}), NOON)
    assert why in caught.value.message


def test_text_and_writer_are_enough() -> None:
    record = record_of('{"text": "a", "written_by": "b"}', NOON)
    assert (record.kind, record.tags, record.created_at, record.status) == ("note", (), NOON, "note")
    nothing = dict.fromkeys(("id", "source", "kind", "tags", "stale_after", "passage", "status", "approval"))
    with pytest.raises(Refused):
        record_of(json.dumps({**SAID, **nothing, "id": 5}), NOON)
    nothing.pop("id")
    assert record_of(json.dumps({**SAID, **nothing, "created_at": None, "superseded": None}), NOON) == record


@pytest.mark.parametrize(
    "line", ['\ufeff{"text": "a", "written_by": "b"}', b'\xef\xbb\xbf{"text":"a","written_by":"b"}\r\n']
)
def test_a_mark_of_the_encoding_and_line_ends_are_passed_over(line: str | bytes) -> None:
    assert record_of(line, NOON).text == "a"


def test_a_record_of_an_answer_is_a_line_as_it_stands() -> None:
    said = {
        **SAID,
        "kind": "lesson",
        "status": "approved",
        "approval": {**APPROVAL, "reviewer_is": "claim"},
        "tags": ["x"],
        "passage": {"text": "p", "provenance": {"page": "3"}},
        "stale_after": "2026-12-01T00:00:00Z",
        "created_at": "2026-01-01T00:00:00Z",
        "superseded": {"by": ABSENT_ID, "at": "2026-10-01T00:00:00Z", "reason": "newer"},
    }
    record = record_of(json.dumps(said), NOON)
    assert record_of(json.dumps({**record.to_json(), "score": 1.5, "score_scale": "bm25"}), NOON) == record
    line = line_of(record)
    assert record_of(line, NOON) == record
    assert line.endswith("}\n")
    assert line.count("\n") == 1
    assert set(json.loads(line)) == {
        *("id", "kind", "text", "source", "written_by", "passage", "tags", "created_at", "stale_after"),
        *("status", "approval", "superseded"),
    }


def test_lines_are_read_no_further_than_is_of_use() -> None:
    long = b"x" * (3 * MAX_LINE_BYTES)
    lines = list(read_lines(io.BytesIO(b"a\n" + long + b"\nb\r\n\nc")))
    assert [len(line) for line in lines] == [2, MAX_LINE_BYTES + 1, 3, 1, 1]
    assert [number for number, _ in numbered(lines)] == [1, 2, 3, 5]
    exact = b"y" * MAX_LINE_BYTES + b"\n"
    assert list(read_lines(io.BytesIO(exact + b"z"))) == [exact, b"z"]


def test_only_line_feeds_end_a_line() -> None:
    record = record_of(json.dumps({"text": "a\u2028b\x85c\rd", "written_by": "b"}), NOON)
    lines = list(read_lines(io.BytesIO(line_of(record).encode())))
    assert len(lines) == 1
    assert record_of(lines[0], NOON) == record
