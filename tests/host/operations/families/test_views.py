"""The views family through the bracket, over a real window and a real directory."""

from pathlib import Path

import pytest

from host.context import MAX_IMAGE_BYTES, MAX_VIEW_BYTES
from host.core.messages import Image
from host.events import ApiCall, View
from host.operations import Workspace
from tests.host.operations.callers import Desk, error


def view(action: str, kind: str, selector: str, size: int, tokens: int, origin: str = "program") -> View:
    return View.model_validate(
        {
            "turn": 3,
            "action": action,
            "kind": kind,
            "selector": selector,
            "bytes": size,
            "tokens": tokens,
            "origin": origin,
        }
    )


@pytest.fixture
def at(tmp_path: Path) -> Desk:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "a.csv").write_bytes(b"id,name\r\n1,\xc3\xa9\r\n2,b")
    (tmp_path / "empty.txt").touch()
    (tmp_path / "plan.png").write_bytes(PNG)
    (tmp_path / "full.txt").write_bytes(b"x" * MAX_VIEW_BYTES)
    (tmp_path / "over.txt").write_bytes(b"x" * MAX_VIEW_BYTES + b"x")
    return Desk(workspace=Workspace(tmp_path, writable=True))


def test_a_text_is_opened_and_read_in_the_next_prompt(at: Desk) -> None:
    assert at.call("views.open_text", "a", "é\0") == {"ok": None}
    assert at.captured.of(View) == (view("opened", "text", "a", 3, 4),)
    assert at.captured.types == ("view", "api_call")
    assert at.texts() == ["View: a\n----\né\0"]


def test_a_label_that_is_opened_again_is_replaced(at: Desk) -> None:
    at.call("views.open_text", "a", "1")
    at.call("views.open_text", "a", "22", origin="onUse")

    assert at.captured.of(View) == (
        view("opened", "text", "a", 1, 4),
        view("replaced", "text", "a", 2, 4, "onUse"),
    )
    assert at.texts() == ["View: a\n----\n22"]


def test_a_view_over_a_cap_is_refused_and_leaves_nothing(at: Desk) -> None:
    assert at.call("views.open_text", "a", "x" * (MAX_VIEW_BYTES + 1)) == error(
        "limit-exceeded",
        "views.openText",
        "The body of view `a` has 65,537 of 65,536 bytes; open it in parts, or open what matters of it.",
    )
    assert at.call("views.open_text", "\ud800", "x")["error"]["code"] == "invalid-argument"
    assert at.call("views.open_text", "a", "\ud800")["error"]["code"] == "invalid-argument"
    assert at.captured.types == ("api_call",) * 3
    assert at.texts() == []


PNG = b"\x89PNG\r\n\x1a\n" + b"x" * 2040


def text(contents: str, first_line: int, last_line: int, total_lines: int) -> dict[str, object]:
    return {
        "kind": "text",
        "contents": contents,
        "firstLine": first_line,
        "lastLine": last_line,
        "totalLines": total_lines,
        "byteTruncated": False,
    }


WHOLE = text("id,name\r\n1,é\r\n2,b", 1, 3, 3)
FILES = [
    pytest.param(
        ["data/a.csv"],
        WHOLE,
        "File: data/a.csv:1-3 of 3 lines\n----\nid,name\r\n1,é\r\n2,b",
        id="whole, to the byte",
    ),
    pytest.param(
        ["data/a.csv", {"offset": 2, "limit": 1}],
        text("1,é\r\n", 2, 2, 3),
        "File: data/a.csv:2-2 of 3 lines\n----\n1,é\r\n",
        id="lines of it",
    ),
    pytest.param(
        ["data/a.csv", {"offset": 3, "limit": 10**20}],
        text("2,b", 3, 3, 3),
        "File: data/a.csv:3-3 of 3 lines\n----\n2,b",
        id="more than there are",
    ),
    pytest.param(
        ["empty.txt"],
        text("", 0, 0, 0),
        "File: empty.txt\n----",
        id="an empty file",
    ),
]


@pytest.mark.parametrize(("arguments", "read", "text"), FILES)
def test_a_file_is_opened_and_what_was_read_is_given(
    at: Desk, arguments: list[object], read: dict[str, object], text: str
) -> None:
    assert at.call("views.open_file", *arguments) == {"ok": read}
    assert at.call("files.read_file", *arguments) == {"ok": read}
    assert [(event.action, event.kind, event.selector) for event in at.captured.of(View)] == [
        ("opened", "file", arguments[0])
    ]
    assert at.texts() == [text]


def test_a_file_at_the_cap_is_shown_and_one_over_it_is_refused(at: Desk) -> None:
    assert at.call("views.open_file", "full.txt")["ok"]["totalLines"] == 1
    assert at.call("views.open_file", "over.txt") == error(
        "limit-exceeded",
        "views.openFile",
        "The view of `over.txt` has 65,537 of 65,536 bytes; open it in parts with offset and limit,"
        " or cut long lines with maxLineChars.",
    )


def image(size: int, not_shown_reason: str | None = None) -> dict[str, object]:
    reason = {} if not_shown_reason is None else {"notShownReason": not_shown_reason}
    told = "2 KiB" if size == len(PNG) else "8 MiB"
    return {
        "kind": "image",
        "mediaType": "image/png",
        "label": f"picture image/png, {told}",
        "bytes": size,
        "shown": not_shown_reason is None,
        **reason,
    }


@pytest.mark.parametrize("options", [{}, {"offset": 9, "limit": 1, "maxLineChars": 1}])
def test_a_picture_goes_with_the_next_prompt(at: Desk, options: dict[str, int]) -> None:
    assert at.call("views.open_file", "./plan.png", options) == {"ok": image(len(PNG))}
    opened = view("opened", "file", "plan.png", len(PNG), 1605).model_copy(update={"media_type": "image/png"})
    assert at.captured.of(View) == (opened,)
    assert at.call("views.current") == {"ok": [{"kind": "file", "selector": "plan.png", "tokens": 1605}]}
    assert at.texts() == ["File: plan.png\n----"]
    assert at.window.entries_from(1)[0].images == (Image("image/png", PNG),)


def test_a_picture_at_the_cap_is_attached_and_one_over_it_is_described(at: Desk, tmp_path: Path) -> None:
    (tmp_path / "at.png").write_bytes(PNG.ljust(MAX_IMAGE_BYTES))
    (tmp_path / "over.png").write_bytes(PNG.ljust(MAX_IMAGE_BYTES + 1))
    reason = "It has 8,388,609 bytes, limit 8,388,608 bytes."

    assert at.call("views.open_file", "over.png") == {"ok": image(MAX_IMAGE_BYTES + 1, reason)}
    assert at.call("views.open_file", "at.png")["error"]["code"] == "limit-exceeded"  # of views per turn
    assert at.texts() == [f"File: over.png\n----\nA picture, image/png. Not shown: {reason}"]
    assert at.call("views.open_file", "at.png") == {"ok": image(MAX_IMAGE_BYTES)}
    at.window.end_turn()
    assert [len(entry.images) for entry in at.window.entries_from(1)] == [0, 1]


def test_a_picture_that_is_closed_is_gone(at: Desk) -> None:
    at.call("views.open_file", "plan.png")
    at.window.end_turn()
    at.captured.clear()

    assert at.call("views.close", "./plan.png") == {"ok": 1}
    assert at.captured.of(View) == (view("closed", "file", "plan.png", 0, 0),)
    assert len(at.window.entries_from(0)) == 1


def test_a_file_is_one_view_however_its_path_is_written(at: Desk) -> None:
    at.call("views.open_file", "data/a.csv")
    at.call("views.open_file", "./data/./a.csv")

    assert [event.action for event in at.captured.of(View)] == ["opened", "replaced"]
    assert at.texts() == ["File: data/a.csv:1-3 of 3 lines\n----\nid,name\r\n1,é\r\n2,b"]


def test_long_lines_are_cut_in_the_view_alone(at: Desk) -> None:
    read = at.call("views.open_file", "over.txt", {"maxLineChars": 65_000})

    assert len(read["ok"]["contents"]) == 65_537
    assert at.texts() == [f"File: over.txt:1-1 of 1 lines\n----\n{'x' * 65_000}… (537 more characters)"]


OUT_OF_RANGE = [
    pytest.param(0, "a whole number of 1 or more and got the number 0", id="none"),
    pytest.param(65_537, "a whole number of 65536 or less and got the number 65537", id="more than a view"),
]


@pytest.mark.parametrize(("chars", "wanted"), OUT_OF_RANGE)
def test_so_many_characters_cannot_be_shown(chars: int, wanted: str, at: Desk) -> None:
    assert at.call("views.open_file", "data/a.csv", {"maxLineChars": chars}) == error(
        "invalid-argument", "views.openFile", f"views.openFile: maxLineChars wants {wanted}."
    )


def test_a_file_that_is_not_there_is_not_found(at: Desk) -> None:
    assert at.call("views.open_file", "b.csv") == error(
        "not-found", "views.openFile", "Cannot read `b.csv`: there is no such file or directory."
    )
    assert at.captured.of(View) == ()


def test_an_agent_without_a_directory_opens_no_file() -> None:
    assert Desk().call("views.open_file", "a") == error(
        "unavailable", "views.openFile", "This agent has no directory."
    )


def test_closing_takes_every_view_of_the_selector(at: Desk) -> None:
    at.call("views.open_file", "data/a.csv", {"limit": 1})
    at.call("views.open_file", "data/a.csv", {"offset": 2})
    at.call("views.open_text", "b", "")
    at.captured.clear()

    assert at.call("views.close", "data/a.csv") == {"ok": 2}
    assert at.captured.of(View) == (view("closed", "file", "data/a.csv", 0, 0),) * 2
    assert at.call("views.close", "data/a.csv") == {"ok": 0}
    assert at.texts() == ["View: b\n----"]


def test_closing_needs_a_selector(at: Desk) -> None:
    assert at.call("views.close", "") == error(
        "invalid-argument", "views.close", "The selector is empty; name a label or a path."
    )


def test_the_views_that_are_open_oldest_first(at: Desk) -> None:
    at.call("views.open_file", "data/a.csv", {"offset": 2})
    at.call("views.open_file", "empty.txt")
    at.window.end_turn()
    at.call("views.open_docs_view", "views")
    at.call("views.open_text", "a", "four")

    assert at.call("views.current") == {
        "ok": [
            {"kind": "file", "selector": "data/a.csv", "tokens": 12, "region": {"offset": 2, "limit": 2}},
            {"kind": "file", "selector": "empty.txt", "tokens": 5, "region": {"offset": 0, "limit": 0}},
            {"kind": "docs", "selector": "views", "tokens": 8},
            {"kind": "text", "selector": "a", "tokens": 5},
        ]
    }


def test_a_page_is_opened_once_and_closing_does_not_reach_it(at: Desk) -> None:
    assert at.call("views.open_docs_view", "views") == {"ok": None}
    assert at.call("views.open_docs_view", "views") == {"ok": None}
    assert at.captured.of(View) == (view("opened", "docs", "views", 6, 8),)
    assert at.call("views.close", "views") == {"ok": 0}
    assert at.texts() == ["Documentation: views\n----\nShows."]


def test_a_page_that_does_not_exist_is_not_found(at: Desk) -> None:
    assert at.call("views.open_docs_view", "vews") == error(
        "not-found", "views.openDocsView", "There is no page `vews`."
    )
    assert [event.ok for event in at.captured.of(ApiCall)] == [False]
