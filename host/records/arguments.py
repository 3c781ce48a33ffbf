"""What the operations take, checked before anything is read or written. All of it raises `Refused`."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Final

from host.core.envelope import Refused
from host.core.moments import moment_text, parse_moment
from host.core.text import counted, has_lone_surrogate, quoted
from host.records import codes
from host.records.identity import canonical
from host.records.model import KINDS, Passage, RecordKind

MAX_TEXT_CHARS: Final = 4_000
MAX_PASSAGE_CHARS: Final = 20_000
MAX_QUERY_CHARS: Final = 20_000
MAX_RECORD_BYTES: Final = 256 * 1024
MAX_TAGS: Final = 32
MAX_TAG_CHARS: Final = 64
MAX_LIMIT: Final = 100
_MAX_TOLD_BITS: Final = 256
_TYPES: Final[tuple[tuple[type, str], ...]] = (
    (bool, "true or false"),
    (int, "a number"),
    (float, "a number"),
    (str, "a text"),
    (list, "a list"),
    (tuple, "a list"),
    (dict, "an object"),
)


def record_text(value: object) -> str:
    """The text of a record, as it was given."""
    text = a_text("text", "" if value is None else value)
    if not text.strip():
        raise Refused.of(codes.NO_TEXT, "text is blank; give what is to be kept")
    _refuse_longer("text", text, MAX_TEXT_CHARS)
    return text


def writer(value: object) -> str:
    text = a_text("written_by", "" if value is None else value)
    if not text.strip():
        raise Refused.of(codes.NO_WRITER, "written_by is blank; say who writes it, such as agent:<run>")
    return canonical(text)


def source(value: object) -> str | None:
    """Where the text is from; a blank one is none."""
    return None if value is None else canonical(a_text("source", value)) or None


def kind(value: object) -> RecordKind:
    if not isinstance(value, str) or value not in KINDS:
        raise refused_input(f"kind is {_told(value)}; it has to be {' or '.join(KINDS)}")
    return value


def kind_or_none(value: object) -> RecordKind | None:
    return None if value is None else kind(value)


def tags(value: object) -> tuple[str, ...]:
    """Composed, each once, in the order given."""
    found = tuple(dict.fromkeys(map(_tag, _a_list("tags", value))))
    if len(found) > MAX_TAGS:
        raise refused_input(f"tags has {len(found)} tags; a record has at most {MAX_TAGS}")
    return found


def _tag(value: object) -> str:
    tag = canonical(a_text("a tag", value))
    if not 1 <= len(tag) <= MAX_TAG_CHARS:
        raise refused_input(
            f"the tag {quoted(tag)} has {len(tag)} characters; a tag has 1 to {MAX_TAG_CHARS}"
        )
    return tag


def stale_after(value: object) -> datetime | None:
    """The moment from which a record is stale, in UTC."""
    if value is None:
        return None
    if isinstance(value, datetime):
        value = value.isoformat()
    text = a_text("stale_after", value)
    try:
        return parse_moment(text)
    except ValueError as error:
        why = "has no time zone" if "time zone" in str(error) else "is no moment"
        raise refused_input(
            f"stale_after {quoted(text)} {why}; write it as 2027-06-30T00:00:00Z or with an offset, +09:00"
        ) from None


def passage(value: object) -> Passage | None:
    """A text, or `{text, provenance: {str: str}}`."""
    if value is None:
        return None
    if isinstance(value, Passage):
        value = value.to_json()
    if isinstance(value, str):
        value = {"text": value}
    if not isinstance(value, Mapping):
        raise refused_input(f"passage is {told_type(value)}; it has to be a text or {{text, provenance}}")
    unknown = sorted(map(str, value.keys() - {"text", "provenance"}))
    if unknown:
        raise refused_input(f"passage has no key {quoted(unknown[0])}; it has text and provenance")
    text = a_text("passage.text", value.get("text"))
    if not text.strip():
        raise refused_input("passage.text is blank; give what is cited, or leave the passage out")
    _refuse_longer("passage.text", text, MAX_PASSAGE_CHARS)
    return Passage(text=text, provenance=_provenance(value.get("provenance")))


def _provenance(value: object) -> dict[str, str]:
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        raise refused_input(f"passage.provenance is {told_type(value)}; it has to be an object of texts")
    return {
        a_text("a key of passage.provenance", key): a_text(f"{quoted(key)} in passage.provenance", item)
        for key, item in value.items()
    }


def query(value: object) -> str:
    text = a_text("query", "" if value is None else value)
    if not text.strip():
        raise Refused.of(codes.NO_QUERY, "query is blank; give the words to look for")
    _refuse_longer("query", text, MAX_QUERY_CHARS, "looked for")
    return text


def reason(value: object) -> str:
    text = a_text("reason", "" if value is None else value)
    if not text.strip():
        raise Refused.of(codes.NO_REASON, "reason is blank; say why, it is kept")
    _refuse_longer("reason", text, MAX_TEXT_CHARS)
    return canonical(text)


def reviewer(value: object) -> str:
    """The name as it was given, which may be blank."""
    return canonical(a_text("reviewer", "" if value is None else value))


def record_ids(value: object) -> tuple[str, ...]:
    """One id or a list of ids, each once, in the order given."""
    values = [value] if isinstance(value, str) else _a_list("record_ids", value)
    return tuple(dict.fromkeys(canonical(a_text("a record id", each)).lower() for each in values))


def record_id(name: str, value: object) -> str:
    found = canonical(a_text(name, value)).lower()
    if not found:
        raise refused_input(f"{name} is blank; give the id of a record")
    return found


def limit(name: str, value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not 1 <= value <= MAX_LIMIT:
        raise refused_input(f"{name} is {_told(value)}; it has to be a whole number from 1 to {MAX_LIMIT}")
    return value


def flag(name: str, value: object) -> bool:
    if not isinstance(value, bool):
        raise refused_input(f"{name} is {_told(value)}; it has to be true or false")
    return value


def a_text(name: str, value: object) -> str:
    """A text that UTF-8 can carry."""
    if not isinstance(value, str):
        raise refused_input(f"{name} is {told_type(value)}; it has to be a text")
    if has_lone_surrogate(value):
        raise refused_input(f"{name} holds a lone surrogate, which is half a character; take it out")
    return value


def _a_list(name: str, value: object) -> Sequence[object]:
    if isinstance(value, str | bytes | Mapping) or not isinstance(value, Sequence):
        raise refused_input(f"{name} is {told_type(value)}; it has to be a list of texts")
    return value


def _told(value: object) -> str:
    """A text or a number, cut where it is long; of another value its type."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int) and value.bit_length() > _MAX_TOLD_BITS:
        return "a number of many digits"
    if isinstance(value, int | float):
        return str(value)
    return quoted(value) if isinstance(value, str) else told_type(value)


def told_type(value: object) -> str:
    """In words of JSON, which callers of every language have."""
    if value is None:
        return "missing"
    told = next((words for type_, words in _TYPES if isinstance(value, type_)), None)
    return told or f"of the type {type(value).__name__}"


def refused_input(message: str) -> Refused:
    return Refused.of(codes.INPUT, message)


def _refuse_longer(name: str, text: str, most: int, what: str = "kept") -> None:
    if len(text) > most:
        raise refused_input(f"{name} has {counted(len(text), 'character')}; at most {most:,} are {what}")


def told_moment(moment: datetime | None) -> str:
    """For a message."""
    return "none" if moment is None else moment_text(moment)
