"""What the real clients make of what goes wrong, each fault for each vendor, and what is done about it."""

import socket
from dataclasses import replace
from datetime import timedelta
from email.utils import format_datetime

import pytest

from host.core.clock import SystemClock
from host.core.errors import ProviderFailure
from host.core.masking import Masker
from tests.helpers.model_server import EVENTS, JSON, Answer, ModelServer, Said, fault, model_server
from tests.host.providers.models.vendors import (
    ANTHROPIC,
    CHAT,
    COMPATIBLE,
    RESPONSES,
    VENDORS,
    Vendor,
    ask,
    ask_at,
)

vendors = pytest.mark.parametrize("vendor", VENDORS, ids=str)
DONE = Said(text="done")
FINAL: list[tuple[int, ProviderFailure]] = [
    (400, "model_rejected"),
    (401, "model_auth"),
    (402, "model_rejected"),
    (403, "model_auth"),
    (404, "model_rejected"),
    (413, "model_rejected"),
    (422, "model_rejected"),
]
PASSING = [408, 409, 425, 429, 500, 502, 503, 504, 529]


@pytest.mark.parametrize(("status", "failure"), FINAL)
@vendors
def test_a_refusal_is_final(vendor: Vendor, status: int, failure: ProviderFailure) -> None:
    outcome = ask(vendor, [fault(status, "Not like this.")])

    assert str(outcome.error) == f"{vendor.name}: HTTP {status}: Not like this."
    assert (outcome.error.failure, outcome.notes, outcome.waits_s) == (failure, (), ())


@pytest.mark.slow
@pytest.mark.parametrize("status", PASSING)
@vendors
def test_what_may_pass_is_tried_again(vendor: Vendor, status: int) -> None:
    outcome = ask(vendor, [fault(status, "Later."), DONE])

    assert outcome.reply.text == "done"
    assert outcome.notes == (f"{vendor.name}: HTTP {status}: Later.; waiting 1.0 s, then attempt 2 of 11",)
    assert sum(outcome.waits_s) == 1.0
    assert len(outcome.asked) == 2  # none of them by the client itself


@vendors
def test_a_vendor_is_waited_for_as_long_as_it_asks_for(vendor: Vendor) -> None:
    in_seconds = ask(vendor, [fault(429, "Later.", headers={"retry-after": "7"}), DONE])
    then = SystemClock().now() + timedelta(seconds=90)
    by_date = ask(
        vendor, [fault(503, "Later.", headers={"retry-after": format_datetime(then, usegmt=True)}), DONE]
    )

    assert sum(in_seconds.waits_s) == pytest.approx(7)
    assert sum(by_date.waits_s) == pytest.approx(90, abs=10)
    assert in_seconds.notes == (f"{vendor.name}: HTTP 429: Later.; waiting 7.0 s, then attempt 2 of 11",)


@vendors
def test_a_vendor_that_asks_for_hours_is_given_up(vendor: Vendor) -> None:
    outcome = ask(vendor, [fault(429, "Tomorrow.", headers={"retry-after": "86400"})])

    told = f"{vendor.name}: HTTP 429: Tomorrow.; it asks to be left alone for 86,400 s"
    assert (str(outcome.error), outcome.error.failure) == (told, "model_retry_exhausted")


@vendors
def test_a_vendor_that_says_that_it_is_no_use_is_believed(vendor: Vendor) -> None:
    outcome = ask(vendor, [fault(500, "Never.", headers={"x-should-retry": "false"})])

    assert outcome.error.failure == "model_rejected"


@pytest.mark.parametrize("vendor", [COMPATIBLE, CHAT, RESPONSES], ids=str)
def test_credit_that_is_used_up_is_not_waited_for(vendor: Vendor) -> None:
    outcome = ask(vendor, [fault(429, "You exceeded your current quota.", code="insufficient_quota")])

    assert (outcome.error.failure, outcome.notes) == ("model_rejected", ())


@vendors
def test_attempts_are_used_up(vendor: Vendor) -> None:
    outcome = ask(vendor, [fault(500, "Oops.")] * 3, max_retries=2)

    assert str(outcome.error) == f"{vendor.name}: HTTP 500: Oops.; given up after 3 attempts"
    assert outcome.error.failure == "model_retry_exhausted"
    assert [note.partition("; ")[2] for note in outcome.notes] == [
        "waiting 1.0 s, then attempt 2 of 3",
        "waiting 2.0 s, then attempt 3 of 3",
    ]


def whole(vendor: Vendor) -> Answer:
    return vendor.speaks(Said(text="export const a = 1;\n"))


def cut_off(vendor: Vendor) -> Answer:
    answer = whole(vendor)
    return replace(answer, pieces=answer.pieces[: len(answer.pieces) // 2], cuts=True)


def ended_early(vendor: Vendor) -> Answer:
    """As a proxy ends it that has lost the vendor: by the rules of HTTP it is whole."""
    answer = whole(vendor)
    return replace(answer, pieces=answer.pieces[: len(answer.pieces) // 2])


def malformed(vendor: Vendor) -> Answer:
    name, _, _ = whole(vendor).pieces[2].partition(b"data:")
    return Answer(pieces=(whole(vendor).pieces[0], name + b'data: {"broken\n\n'))


def no_events(vendor: Vendor) -> Answer:
    return Answer(headers=JSON, pieces=(b"<html>Bad gateway</html>",))


def nothing(vendor: Vendor) -> Answer:
    return Answer(headers=EVENTS)


def pausing(vendor: Vendor) -> Answer:
    answer = whole(vendor)
    return replace(answer, pieces=answer.pieces[:-3], holds=True)


BROKEN = {
    cut_off: "the connection failed: peer closed connection without sending complete message body (incomplete"
    " chunked read)",
    ended_early: {
        COMPATIBLE: "Streamed response ended without a `finish_reason`",
        CHAT: "Streamed response ended without a `finish_reason`",
        RESPONSES: "the reply ended without saying that it is whole",
        ANTHROPIC: "the reply ended without saying that it is whole",
    },
    malformed: "Failed to decode response as JSON: Unterminated string starting at: line 1 column 2 (char 1)",
    no_events: "Streamed response ended without content or tool calls",
    nothing: "Streamed response ended without content or tool calls",
    pausing: "the reply paused for more than 0.05 s",
}


@pytest.mark.parametrize("broken", BROKEN, ids=lambda broken: broken.__name__)
@vendors
def test_a_reply_that_breaks_is_asked_for_again(vendor: Vendor, broken: object) -> None:
    assert callable(broken)
    outcome = ask(vendor, [broken(vendor), DONE], stream_idle_s=0.05)

    told = BROKEN[broken]
    text = told if isinstance(told, str) else told[vendor]
    assert outcome.notes == (f"{vendor.name}: {text}; waiting 1.0 s, then attempt 2 of 11",)
    assert outcome.reply.text == "done"


@pytest.mark.parametrize("pieces", [0, 1])
@vendors
def test_a_reply_that_takes_too_long_is_given_up_and_not_asked_for_again(vendor: Vendor, pieces: int) -> None:
    """What comes before its first word may take as long as the whole."""
    slow = replace(whole(vendor), pieces=whole(vendor).pieces[:pieces], holds=True)
    with model_server(slow) as server:
        outcome = ask_at(vendor, server, timeout_s=0.2, stream_idle_s=0.01)
        assert server.hung_up.wait(timeout=5)  # the vendor is told

    assert (outcome.reply.finish_reason, outcome.reply.text) == ("timeout", "")
    assert outcome.notes == ()


@vendors
def test_a_server_that_is_not_there_is_tried_again(vendor: Vendor) -> None:
    server = ModelServer()
    with socket.create_server(("127.0.0.1", 0)) as taken:
        server.port = taken.getsockname()[1]  # nobody listens there once it is closed

    outcome = ask_at(vendor, server, max_retries=1)

    (note,) = outcome.notes
    assert note.startswith(f"{vendor.name}: the connection failed: ")
    assert str(outcome.error).endswith("; given up after 2 attempts")


IN_STREAM = {
    ANTHROPIC: b'event: error\ndata: {"type": "error", "error":'
    b' {"type": "overloaded_error", "message": "Overloaded"}}\n\n',
    COMPATIBLE: b'data: {"error": {"message": "Overloaded", "type": "server_error", "code": 503}}\n\n',
}


@pytest.mark.parametrize("vendor", IN_STREAM, ids=str)
def test_an_error_within_a_reply_is_one_of_the_vendors(vendor: Vendor) -> None:
    pieces = (*whole(vendor).pieces[:3], IN_STREAM[vendor])

    outcome = ask(vendor, [Answer(pieces=pieces), DONE])

    (note,) = outcome.notes
    assert "Overloaded" in note
    assert outcome.reply.text == "done"


@pytest.mark.parametrize("vendor", [COMPATIBLE, CHAT, ANTHROPIC], ids=str)
def test_a_reply_that_is_withheld_is_final(vendor: Vendor) -> None:
    outcome = ask(vendor, [Said(text="I", finish="content_filter")])

    assert outcome.error.failure == "model_rejected"
    assert str(outcome.error).startswith(f"{vendor.name}: the provider withheld the reply: ")


@vendors
def test_a_vendor_that_repeats_the_key_is_masked_before_the_text_is_cut(vendor: Vendor) -> None:
    key = "sk-" + "0123456789" * 4
    message = "x" * 380 + f" {key} is no key of ours"

    outcome = ask(vendor, [fault(401, message)], key=key, mask=Masker({"KEY": key}).mask)

    assert str(outcome.error).endswith("xxx [masked:K…")


@vendors
def test_what_a_vendor_says_stays_on_one_line(vendor: Vendor) -> None:
    outcome = ask(vendor, [fault(400, "one\ntwo\x1b[31m")])

    assert str(outcome.error) == f"{vendor.name}: HTTP 400: one\\u000atwo\\u001b[31m"
