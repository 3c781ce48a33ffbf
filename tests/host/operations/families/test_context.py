"""The context family through the bracket: what it refuses, and what it reports."""

import json
from pathlib import Path
from typing import Any

import pytest

from host.context import (
    Archived,
    ArchiveFound,
    Entry,
    Region,
    Taken,
    Window,
    file_view,
    image_view,
    text_view,
)
from host.core.errors import Refusal
from host.core.messages import Image, ToolCall
from host.events import View
from host.operations import Workspace
from tests.host.operations.callers import Desk, error


class OneTurnThread:
    """A thread that knows of one archived message, and keeps what it was asked."""

    def __init__(self) -> None:
        self.spans: list[tuple[tuple[int, int], ...]] = []
        self.summaries: list[str] = []
        self.is_held = False

    def archive(self, spans: tuple[tuple[int, int], ...]) -> Taken:
        self.spans.append(spans)
        shown = file_view("a.csv", "x" * 40, Region(1, 1, 1))
        picture = image_view("b.png", Image("image/png", b"picture"), "")
        call = ToolCall(id="1", name="submit", arguments="{}")
        return Taken(
            entries=(
                Entry(role="assistant", band="program", text="x" * 8, tool_calls=(call,), turn=1, tokens=4),
                Entry(
                    role="user", band="file_view", text=shown.text, view=shown, turn=1, tokens=shown.tokens
                ),
                Entry(
                    role="user",
                    band="file_view",
                    text=picture.text,
                    view=picture,
                    turn=1,
                    tokens=picture.tokens,
                ),
            ),
            closed=(shown,),
        )

    def search(self, query: str) -> ArchiveFound:
        return ArchiveFound(is_empty=False, hits=(Archived(seq=4, role="user", text=query),))

    def refuse_second_compaction(self) -> None:
        if self.is_held:
            raise Refusal("refused", "Pending already.", kind="pending_compaction")

    def compact(self, summary: str) -> None:
        self.summaries.append(summary)


@pytest.fixture
def thread() -> OneTurnThread:
    return OneTurnThread()


@pytest.fixture
def at(tmp_path: Path, thread: OneTurnThread) -> Desk:
    (tmp_path / "a.csv").write_text("1\n2\n")
    (tmp_path / "b.csv").write_text("3\n")
    (tmp_path / "long.csv").write_text("x" * 65_537)
    return Desk(workspace=Workspace(tmp_path, writable=False), thread=thread, window=Window("system"))


def report(items: int, tokens: int, paths: list[str], detail: str) -> dict[str, Any]:
    return {"ok": {"items": items, "reclaimedTokens": tokens, "paths": paths, "detail": detail}}


def test_the_views_of_one_file_are_evicted_or_of_all(at: Desk) -> None:
    at.window.open(text_view("a.csv", "a text view of that name stays"))
    for options in ({}, {"offset": 2}):
        at.call("views.open_file", "a.csv", options)
    at.window.end_turn()
    at.call("views.open_file", "b.csv")

    assert at.call("context.evict_file_view", "a.csv") == report(
        2, 18, ["a.csv"], "2 messages are closed, about 18 tokens."
    )
    assert [view.kind for view in at.window.current()] == ["text", "file"]
    assert at.call("context.evict_file_view") == report(
        1, 9, ["b.csv"], "1 message is closed, about 9 tokens."
    )
    closed = [(view.action, view.selector) for view in at.captured.of(View)][3:]
    assert closed == [("closed", "a.csv"), ("closed", "a.csv"), ("closed", "b.csv")]


def test_nothing_to_evict_is_no_failure(at: Desk) -> None:
    assert at.call("context.evict_file_view") == report(0, 0, [], "No file view is open.")
    assert at.call("context.evict_file_view", "c.csv") == report(0, 0, [], "No view of `c.csv` is open.")


def test_turns_are_archived(at: Desk, thread: OneTurnThread) -> None:
    ranges = [{"from": 1, "to": 2}, {"from": 2, "to": 2}]

    assert at.call("context.archive_thread", ranges) == report(
        3, 1626, ["a.csv", "b.png"], "3 messages are archived, about 1,626 tokens."
    )
    assert thread.spans == [((1, 2), (2, 2))]
    assert [(view.action, view.selector, view.origin) for view in at.captured.of(View)] == [
        ("closed", "a.csv", "program")
    ]


def test_the_archive_is_searched(at: Desk) -> None:
    assert at.call("context.search_archive", "unit price") == {
        "ok": {"archiveEmpty": False, "hits": [{"seq": 4, "role": "user", "text": "unit price"}]}
    }


def test_a_compaction_opens_the_files_it_names(at: Desk, thread: OneTurnThread) -> None:
    assert at.call("context.compact", " so far \n", ["a.csv", "b.csv", "a.csv"]) == {"ok": None}
    assert thread.summaries == ["so far"]
    assert at.texts() == ["File: a.csv:1-2 of 2 lines\n----\n1\n2\n", "File: b.csv:1-1 of 1 lines\n----\n3\n"]


REFUSALS: list[tuple[str, list[Any], str, str]] = [
    ("evict_file_view", [""], "invalid-argument", "The path is empty; name a file, or omit it."),
    ("archive_thread", [[]], "invalid-argument", "There is no range; name the turns to archive."),
    (
        "archive_thread",
        [[{"from": 1, "to": 1}] * 33],
        "invalid-argument",
        "There are 33 of 32 ranges; name longer ones.",
    ),
    ("search_archive", [" \n"], "invalid-argument", "The query is empty; give words to look for."),
    ("compact", [" "], "invalid-argument", "The summary is empty; say what has to be known from here on."),
    (
        "compact",
        ["\ud800"],
        "invalid-argument",
        "The summary holds a lone surrogate, which is half a character;",
    ),
    (
        "search_archive",
        ["x" * 1001],
        "limit-exceeded",
        "The query has 1,001 of 1,000 characters; give fewer words.",
    ),
    (
        "compact",
        ["é" * 32_769],
        "limit-exceeded",
        "The summary has 65,538 of 65,536 bytes; shorten it.",
    ),
    ("compact", ["s", ["a.csv", "c.csv"]], "not-found", "Cannot read"),
    (
        "compact",
        ["s", ["a.csv", "long.csv"]],
        "limit-exceeded",
        "The view of `long.csv` has 65,537 of 65,536 bytes; leave it out, and read parts of it later.",
    ),
]


@pytest.mark.parametrize(("call", "arguments", "code", "message"), REFUSALS)
def test_what_is_refused_does_nothing(
    call: str, arguments: list[Any], code: str, message: str, at: Desk, thread: OneTurnThread
) -> None:
    refused = at.call(f"context.{call}", *arguments)["error"]

    assert (refused["code"], refused["message"][: len(message)]) == (code, message)
    assert (thread.spans, thread.summaries, at.window.current()) == ([], [], ())


def test_a_compaction_beside_one_that_is_pending_opens_no_file(at: Desk, thread: OneTurnThread) -> None:
    thread.is_held = True
    refused = at.call("context.compact", "all", ["a.csv"])["error"]

    assert (refused["code"], refused["message"]) == ("refused", "Pending already.")
    assert (thread.summaries, at.window.current()) == ([], ())


@pytest.mark.parametrize(
    ("ranges", "message"),
    [
        ([{"from": 0, "to": 1}], "wants a whole number of 1 or more and got the number 0."),
        ([{"from": 1}], "and it is missing."),
        ([{"from": 1, "to": 2, "step": 1}], "`step`"),
        ([[1, 2]], "an array"),
        ({"from": 1, "to": 2}, "an object"),
    ],
)
def test_a_range_of_another_shape_is_refused_by_name(ranges: object, message: str, at: Desk) -> None:
    refused = at.call("context.archive_thread", ranges)["error"]

    assert refused["code"] == "invalid-argument"
    assert refused["message"].startswith("context.archiveThread")
    assert message in refused["message"]


def test_an_agent_without_the_capability_has_none_of_it(at: Desk) -> None:
    at.thread = None

    assert at.call("context.search_archive", "a") == error(
        "unavailable", "context.searchArchive", "This agent does not manage its context."
    )


def test_as_tools(at: Desk, thread: OneTurnThread) -> None:
    assert json.loads(at.tool("archive_thread", ranges=[{"from": 1, "to": 2}])) == {
        "items": 3,
        "reclaimed_tokens": 1626,
        "paths": ["a.csv", "b.png"],
        "detail": "3 messages are archived, about 1,626 tokens.",
    }
    assert at.tool("search_archive", query="price") == (
        '{"archive_empty":false,"hits":[{"seq":4,"role":"user","text":"price"}]}'
    )
    assert at.tool("compact", summary="all", files=["a.csv"]) == "null"
    assert [view.selector for view in at.window.current()] == ["a.csv"]
    assert json.loads(at.tool("evict_file_view"))["paths"] == ["a.csv"]
    assert (thread.spans, thread.summaries) == ([((1, 2),)], ["all"])
