"""One event, one line, and back."""

import hashlib
import json
from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from host.core.moments import moment_text
from host.events import (
    ApiCall,
    Defect,
    Event,
    MemoryRevision,
    Original,
    Prompt,
    PromptMessage,
    StampedEvent,
    sha256_of,
)
from host.events.encoding import (
    MalformedLine,
    NotJson,
    decode_line,
    encode_body,
    fields_of,
    mask_event,
    mask_value,
    stamped_fields,
    to_json,
)
from tests.host.events.samples import SECRETS, START, call, line
from tests.host.events.strategies import ANY_TEXT, any_event

STAMP = '{"seq":7,"at":"2026-11-30T15:24:05.000123Z","run":"run-1","agentId":"root","type":'
CALL = (
    STAMP + '"api_call","turn":3,"operation":"files.read_file","ok":false,"code":"not-found",'
    '"message":"no file \\u201ca\\u201d","durationUs":42,"origin":"program","place":"program.ts:4:7"}'
)
FAILED = call(3, ok=False, code="not-found", message="no file “a”", place="program.ts:4:7")


def stamped(event: Event, *originals: Original) -> StampedEvent:
    return StampedEvent(seq=7, at=START, run="run-1", agent_id="root", event=event, originals=originals)


def test_a_line_as_it_stands_on_disk() -> None:
    assert to_json(stamped_fields(stamped(FAILED))) == CALL
    assert decode_line(CALL.encode()) == stamped(FAILED)


@given(any_event(), ANY_TEXT, st.integers(1), st.datetimes(timezones=st.just(UTC)))
def test_every_event_survives_the_way_to_disk_and_back(
    event: Event, agent: str, seq: int, at: datetime
) -> None:
    before = StampedEvent(seq=seq, at=at, run="r", agent_id=agent, event=event)

    text = to_json(stamped_fields(before))

    assert text.isascii()
    assert "\n" not in text
    assert decode_line(text.encode()) == before


@given(any_event())
def test_a_line_that_is_written_the_fast_way_is_the_same_json(event: Event) -> None:
    text = encode_body(event, ())

    assert json.loads(f"{{{text}") == json.loads(to_json(fields_of(event)))
    assert text.isascii()
    assert "\n" not in text


def test_a_time_in_another_zone_is_written_in_utc() -> None:
    assert (
        moment_text(datetime(2026, 1, 1, 1, tzinfo=timezone(timedelta(hours=2))))
        == "2025-12-31T23:00:00.000000Z"
    )


LONE = "\ud800 b"


def test_a_hash_is_taken_over_utf8_in_which_a_lone_surrogate_is_a_code_point() -> None:
    assert sha256_of(LONE) == hashlib.sha256(b"\xed\xa0\x80 b").hexdigest()


SECRET = "key hunter2-hunter2"
MASKED = "key [masked:API_KEY]"


def original(field: str, text: str = SECRET) -> Original:
    return Original(field, len(text), sha256_of(text))


MASKS: list[tuple[Event, Event, tuple[Original, ...]]] = [
    (line("harmless"), line("harmless"), ()),
    (line(SECRET), line(MASKED), (original("text"),)),
    (
        call(code="other", message=SECRET, place=SECRET),
        call(code="other", message=MASKED, place=MASKED),
        (original("message"), original("place")),
    ),
    (
        Prompt(
            turn=1,
            messages=2,
            new_messages=(
                PromptMessage(role="user", band="task", text="harmless"),
                PromptMessage(role="user", band="task", text=SECRET),
            ),
            prompt_sha256="0",
        ),
        Prompt(
            turn=1,
            messages=2,
            new_messages=(
                PromptMessage(role="user", band="task", text="harmless"),
                PromptMessage(role="user", band="task", text=MASKED),
            ),
            prompt_sha256="0",
        ),
        (original("newMessages[1].text"),),
    ),
    (
        Defect(kind="compiler", detail="x", facts={"stderrTail": SECRET, "exitStatus": 2}),
        Defect(kind="compiler", detail="x", facts={"stderrTail": MASKED, "exitStatus": 2}),
        (original("facts.stderrTail"),),
    ),
]


@pytest.mark.parametrize(("event", "masked", "originals"), MASKS)
def test_every_text_is_masked_and_its_original_described(
    event: Event, masked: Event, originals: tuple[Original, ...]
) -> None:
    assert mask_event(event, SECRETS.mask) == (masked, originals)


KEY = "sk-abcdefghijklmnopqrstuv"
CONFIG: dict[str, object] = {
    "task": f"use {KEY}",
    "headers": {"X-Api-Key": "a1b2c3d4", "Accept": "text/plain"},
    "login": {"user": "ada", "password": "sesame", "pin": 12345678},
    "passwords": ["hunter2", "sesame"],
    "PASSWORD": 12345678,
    "command": ["tool", "--api-key", "9d8c7b6a5f", "--token-file", "token.txt", "--password", "-x"],
    "limits": {"maxTokens": 4096, "token": True, "secret": None, "password": ""},
}


def test_a_key_or_an_option_tells_that_a_value_is_a_secret() -> None:
    originals: list[Original] = []

    assert mask_value(CONFIG, SECRETS.mask, "config", originals) == {
        "task": "use [REDACTED]",
        "headers": {"X-Api-Key": "[REDACTED]", "Accept": "text/plain"},
        "login": {"user": "ada", "password": "[REDACTED]", "pin": 12345678},
        "passwords": ["[REDACTED]", "[REDACTED]"],
        "PASSWORD": "[REDACTED]",
        "command": ["tool", "--api-key", "[REDACTED]", "--token-file", "token.txt", "--password", "-x"],
        "limits": {"maxTokens": 4096, "token": True, "secret": None, "password": ""},
    }
    assert originals == [
        original("config.task", f"use {KEY}"),
        original("config.headers.X-Api-Key", "a1b2c3d4"),
        original("config.login.password", "sesame"),
        original("config.passwords[0]", "hunter2"),
        original("config.passwords[1]", "sesame"),
        original("config.PASSWORD", "12345678"),
        original("config.command[2]", "9d8c7b6a5f"),
    ]


def test_masking_a_configuration_twice_changes_nothing() -> None:
    once = mask_value(CONFIG, SECRETS.mask, "config", [])

    assert mask_value(once, SECRETS.mask, "config", originals := []) == once
    assert originals == []


def test_an_event_without_a_secret_is_passed_on_as_it_is() -> None:
    event = call(message="harmless")

    assert mask_event(event, SECRETS.mask)[0] is event


def test_masking_leaves_a_closed_set_of_words_alone() -> None:
    event, originals = mask_event(call(operation="program"), lambda text: "*" if text == "program" else text)

    assert isinstance(event, ApiCall)
    assert (event.origin, event.operation) == ("program", "*")
    assert originals == (Original("operation", 7, sha256_of("program")),)


def test_a_masked_event_says_so_on_disk() -> None:
    event, originals = mask_event(line(SECRET), SECRETS.mask)
    text = to_json(stamped_fields(stamped(event, *originals)))

    assert text == (
        STAMP + f'"operator_log","level":"log","text":"{MASKED}","turn":null,"source":"program",'
        f'"masked":true,"originals":[{{"field":"text","length":19,"sha256":"{sha256_of(SECRET)}"}}]}}'
    )
    assert decode_line(text.encode()) == stamped(event, *originals)


@given(any_event())
def test_no_secret_reaches_the_disk_and_masking_twice_changes_nothing(event: Event) -> None:
    masked, originals = mask_event(event, SECRETS.mask)
    text = to_json(stamped_fields(stamped(masked, *originals)))

    assert "hunter2-hunter2" not in text
    assert "sesame-open" not in text
    assert "sk-abcdefgh" not in text
    assert "tiger5" not in text
    assert mask_event(masked, SECRETS.mask) == (masked, ())


def test_length_counts_code_points() -> None:
    revision = MemoryRevision(
        module_id="m",
        name="a",
        revision=1,
        change="written",
        op="write",
        description="",
        body="😀 hunter2-hunter2",
        len=17,
        lines=1,
        author="root",
    )

    assert mask_event(revision, SECRETS.mask)[1] == (original("body", "😀 hunter2-hunter2"),)
    assert len("😀 hunter2-hunter2") == 17


BROKEN: list[tuple[str, type[MalformedLine], str]] = [
    ("", NotJson, "not JSON: Expecting value, character 1"),
    (CALL[:40], NotJson, "not JSON: Unterminated string starting at, character 15"),
    ("[1]", MalformedLine, "not a JSON object"),
    ('{"seq":1}', MalformedLine, "no event: at, run, agentId, type missing"),
    (CALL.replace("api_call", "api_cal"), MalformedLine, "event type 'api_cal' is not known to this gg"),
    (CALL.replace('"api_call"', "[]"), MalformedLine, "event type [] is not known to this gg"),
    (CALL.replace('"turn":3', '"turn":3.5'), MalformedLine, "api_call.turn: Input should be a valid integer"),
    (CALL.replace('"turn":3', '"turn":"3"'), MalformedLine, "api_call.turn: Input should be a valid integer"),
    (CALL.replace('"turn":3,', ""), MalformedLine, "api_call.turn: Field required"),
    (CALL.replace("durationUs", "duration_us"), MalformedLine, "api_call.durationUs: Field required"),
    (CALL.replace('"turn":3', '"turn":NaN'), NotJson, "not JSON: NaN is no JSON number"),
    (CALL.replace('"seq":7', '"seq":true'), MalformedLine, "seq is True, not of type int"),
    (
        CALL.replace("2026-11-30T15", "yesterday"),
        MalformedLine,
        "at is 'yesterday:24:05.000123Z', not an RFC 3339 time",
    ),
    (CALL.replace("123Z", "123"), MalformedLine, "at is '2026-11-30T15:24:05.000123', without a time zone"),
    (
        CALL[:-1] + ',"masked":true}',
        MalformedLine,
        "masked, and originals are not {field, length, sha256}",
    ),
    (CALL[:-1] + ',"originals":[]}', MalformedLine, "api_call.originals: Extra inputs are not permitted"),
    (
        "[" * 100_000,
        NotJson,
        "not JSON: maximum recursion depth exceeded while decoding a JSON array from a unicode string",
    ),
]


@pytest.mark.parametrize(("text", "kind", "message"), BROKEN)
def test_what_is_no_event_is_refused(text: str, kind: type[MalformedLine], message: str) -> None:
    with pytest.raises(MalformedLine) as exc_info:
        decode_line(text.encode())

    assert type(exc_info.value) is kind
    assert str(exc_info.value).startswith(message)


def test_what_is_no_utf8_is_refused() -> None:
    with pytest.raises(NotJson, match="invalid start byte"):
        decode_line(b"\xff" + CALL.encode())
