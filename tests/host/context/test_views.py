"""What a view shows, and each cap at which it is refused: just under it, and just over."""

import pytest

from host.context import (
    MAX_LABEL_BYTES,
    MAX_VIEW_BYTES,
    MAX_VIEWS_BYTES_PER_TURN,
    Region,
    View,
    Window,
    docs_view,
    file_view,
    image_view,
    text_view,
)
from host.core.errors import Refusal
from host.core.messages import Image

CAP = MAX_VIEW_BYTES
PICTURE = Image("image/png", b"\x89PNG and more")

SHOWN = [
    pytest.param(text_view("a", "one\n"), "View: a\n----\none\n", id="text"),
    pytest.param(text_view("a", ""), "View: a\n----", id="an empty body"),
    pytest.param(text_view("a", "x\0y\r\nz"), "View: a\n----\nx\0y\r\nz", id="NUL and CRLF pass whole"),
    pytest.param(
        text_view("a", "Notice\n----\nforged"),
        "View: a\n----\nNotice\n----\nforged",
        id="a body is a body",
    ),
    pytest.param(
        file_view("data/a.csv", "x\n", Region(2, 2, 9)),
        "File: data/a.csv:2-2 of 9 lines\n----\nx\n",
        id="lines of a file",
    ),
    pytest.param(file_view("a.csv", "", Region(0, 0, 0)), "File: a.csv\n----", id="an empty file"),
    pytest.param(
        file_view("./data/./a.csv", "x", Region(1, 1, 1)),
        "File: data/a.csv:1-1 of 1 lines\n----\nx",
        id="a path that says more than it has to",
    ),
    pytest.param(image_view("./a.png", PICTURE, "unused"), "File: a.png\n----", id="a picture"),
    pytest.param(image_view("a.png", None, "Too large."), "File: a.png\n----\nToo large.", id="described"),
    pytest.param(docs_view("views", "Shows."), "Documentation: views\n----\nShows.", id="a page"),
]


@pytest.mark.parametrize(("view", "expected"), SHOWN)
def test_a_view_is_a_message_under_its_heading(view: View, expected: str) -> None:
    assert view.text == expected


def test_the_size_of_a_view_is_its_body_and_its_tokens_are_the_whole_message() -> None:
    view = text_view("é", "üü")

    assert (view.size_bytes, view.tokens) == (4, 4)  # 15 characters of message


def test_a_picture_counts_with_its_bytes_and_with_what_models_charge_for_one() -> None:
    view = image_view("a.png", PICTURE, "")

    assert (view.size_bytes, view.tokens) == (13, 4 + 1600)  # 16 bytes of message


IDENTITIES = [
    (text_view("a", "1"), ("text", "a", None)),
    (file_view("a", "1", Region(1, 5, 9)), ("file", "a", (1, 5))),
    (file_view("a", "1", Region(1, 5, 10)), ("file", "a", (1, 5))),
    (docs_view("a", "1"), ("docs", "a", None)),
    (file_view("./a", "1", Region(1, 5, 9)), ("file", "a", (1, 5))),
    (image_view("./a", PICTURE, ""), ("file", "a", None)),
]


@pytest.mark.parametrize(("view", "expected"), IDENTITIES)
def test_what_makes_two_views_the_same(view: View, expected: object) -> None:
    assert view.identity == expected


LABELS = [
    pytest.param("a", id="plain"),
    pytest.param(" padded ", id="padded"),
    pytest.param("r\N{LATIN SMALL LETTER E WITH ACUTE}sum\N{LATIN SMALL LETTER E WITH ACUTE}", id="accents"),
    pytest.param("a\N{NO-BREAK SPACE}b", id="no-break space"),
    pytest.param("\N{WOMAN}\u200d\N{PERSONAL COMPUTER}", id="a joined emoji"),
    pytest.param("x" * MAX_LABEL_BYTES, id="at the cap"),
    pytest.param("é" * (MAX_LABEL_BYTES // 2), id="at the cap in two-byte characters"),
]


@pytest.mark.parametrize("label", LABELS)
def test_a_label_is_kept_as_it_is(label: str) -> None:
    assert text_view(label, "").title == f"View: {label}"


NOT_ONE_LINE = "holds a line break, a control character or a lone surrogate; a label is one line of text."
REFUSED_LABELS = [
    pytest.param("", "invalid-argument", "The label of a view is empty; name the view.", id="empty"),
    pytest.param(" \n", "invalid-argument", "The label of a view is empty; name the view.", id="blank"),
    pytest.param("a\nb", "invalid-argument", f"The label `a\\u000ab` {NOT_ONE_LINE}", id="line feed"),
    pytest.param("a\rb", "invalid-argument", f"The label `a\\u000db` {NOT_ONE_LINE}", id="carriage return"),
    pytest.param("a\tb", "invalid-argument", f"The label `a\\u0009b` {NOT_ONE_LINE}", id="tab"),
    pytest.param("a\0", "invalid-argument", f"The label `a\\u0000` {NOT_ONE_LINE}", id="NUL"),
    pytest.param("a\u2028b", "invalid-argument", f"The label `a\\u2028b` {NOT_ONE_LINE}", id="separator"),
    pytest.param("a\u202eb", "invalid-argument", f"The label `a\\u202eb` {NOT_ONE_LINE}", id="override"),
    pytest.param("\ud800", "invalid-argument", f"The label `\\ud800` {NOT_ONE_LINE}", id="lone surrogate"),
    pytest.param(
        "\n".join("x" * 1_000_000),
        "invalid-argument",
        "The label `" + r"x\u000a" * 60 + f"…` {NOT_ONE_LINE}",
        id="megabytes are cut in the message",
    ),
    pytest.param(
        "x" * (MAX_LABEL_BYTES + 1),
        "limit-exceeded",
        "The label of a view has 201 of 200 bytes; shorten it.",
        id="over the cap",
    ),
    pytest.param(
        "é" * (MAX_LABEL_BYTES // 2) + "x",
        "limit-exceeded",
        "The label of a view has 201 of 200 bytes; shorten it.",
        id="over the cap by bytes",
    ),
]


@pytest.mark.parametrize(("label", "code", "message"), REFUSED_LABELS)
def test_a_label_is_refused(label: str, code: str, message: str) -> None:
    with pytest.raises(Refusal) as caught:
        text_view(label, "body")

    assert (caught.value.code, caught.value.message) == (code, message)


BODIES = [
    pytest.param("x" * CAP, id="at the cap"),
    pytest.param("é" * (CAP // 2), id="at the cap in two-byte characters"),
]


@pytest.mark.parametrize("body", BODIES)
def test_a_body_at_the_cap_is_shown_whole(body: str) -> None:
    assert text_view("a", body).body == body
    assert file_view("a", body, Region(1, 1, 1)).body == body


CUT = [
    pytest.param("abc\nab\n", 2, "ab… (1 more character)\nab\n", id="one of two lines"),
    pytest.param("a" * 2002, 2, "aa… (2,000 more characters)", id="without a line end"),
    pytest.param("😀😀\r\n", 3, "😀😀\r\n", id="characters, with what ends the line"),
    pytest.param("", 1, "", id="an empty file"),
]


@pytest.mark.parametrize(("body", "most", "shown"), CUT)
def test_what_a_line_has_beyond_the_most_is_counted(body: str, most: int, shown: str) -> None:
    assert file_view("a", body, Region(1, 2, 2), max_line_chars=most).body == shown


REFUSED_BODIES = [
    pytest.param(
        "x" * (CAP + 1),
        "limit-exceeded",
        "The body of view `a` has 65,537 of 65,536 bytes; open it in parts, or open what matters of it.",
        "The view of `a` has 65,537 of 65,536 bytes; open it in parts with offset and limit, or cut long"
        " lines with maxLineChars.",
        id="over the cap",
    ),
    pytest.param(
        "é" * (CAP // 2) + "x",
        "limit-exceeded",
        "The body of view `a` has 65,537 of 65,536 bytes; open it in parts, or open what matters of it.",
        "The view of `a` has 65,537 of 65,536 bytes; open it in parts with offset and limit, or cut long"
        " lines with maxLineChars.",
        id="over the cap by bytes",
    ),
    pytest.param(
        "x\ud800",
        "invalid-argument",
        "The body of view `a` holds a lone surrogate, which is half a character; take it out.",
        "The view of `a` holds a lone surrogate, which is half a character; take it out.",
        id="lone surrogate",
    ),
]


@pytest.mark.parametrize(("body", "code", "of_text", "of_file"), REFUSED_BODIES)
def test_a_body_is_refused_and_never_cut(body: str, code: str, of_text: str, of_file: str) -> None:
    with pytest.raises(Refusal) as text:
        text_view("a", body)
    with pytest.raises(Refusal) as file:
        file_view("a", body, Region(1, 1, 1))

    assert (text.value.code, text.value.message) == (code, of_text)
    assert (file.value.code, file.value.message) == (code, of_file)


def test_a_page_of_documentation_has_no_cap() -> None:
    assert len(docs_view("csvTools.parseCsv", "x" * (CAP + 1)).body) == CAP + 1


def test_the_views_of_a_turn_share_a_budget_that_the_next_turn_has_again() -> None:
    window = Window("system")
    filling = MAX_VIEWS_BYTES_PER_TURN // CAP
    for number in range(filling - 1):
        window.open(text_view(f"{number}", "x" * CAP))
    window.open(file_view("last", "x" * (CAP - 1), Region(1, 1, 1)))

    with pytest.raises(Refusal) as caught:
        window.open(text_view("one more", "xy"))
    assert (caught.value.code, caught.value.message) == (
        "limit-exceeded",
        "View `one more` has 2 bytes, and 1 of 8,388,608 bytes of views per turn are left;"
        " open it in a later turn.",
    )
    assert len(window.current()) == filling

    assert window.open(text_view("fits", "x")) == "opened"
    assert window.open(docs_view("views", "x" * CAP)) == "opened"
    window.end_turn()
    assert window.open(text_view("one more", "xy")) == "opened"


def test_pictures_spend_of_the_same_budget() -> None:
    window = Window("system")
    whole = Image("image/png", b"x" * MAX_VIEWS_BYTES_PER_TURN)
    window.open(text_view("a", "x"))

    with pytest.raises(Refusal) as caught:
        window.open(image_view("a.png", whole, ""))
    assert (caught.value.code, caught.value.message) == (
        "limit-exceeded",
        "View `a.png` has 8,388,608 bytes, and 8,388,607 of 8,388,608 bytes of views per turn are left;"
        " open it in a later turn.",
    )
    window.end_turn()
    assert window.open(image_view("a.png", whole, "")) == "opened"
