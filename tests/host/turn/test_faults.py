"""What a program met, as the model reads it: placed, bounded, and never mistaken for a line of the host's."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from host.core.text import escape_controls, utf8_length
from host.turn.faults import MAX_ERROR_BYTES, call_spelling, place_of, render_ceiling, render_guest_error
from runtime_js import SourceMap
from runtime_js.places import SourceText
from sandbox import Call, GuestError

PROGRAM = "\n".join(f"line{number}();" for number in range(1, 21))
# Line 1 of the bundle is line 1 of the program, and so on; within a line every column is the first.
MAP = SourceMap(PROGRAM, ";".join(["AAAA", *["AACA"] * 19]), [SourceText("program.ts", PROGRAM)])
NO_MAP = SourceMap(PROGRAM, "", [])


def thrown(
    message: str,
    *,
    name: str = "Error",
    stack: str = "",
    code: str | None = None,
    operation: str | None = None,
    is_error: bool = True,
) -> GuestError:
    return GuestError(
        name=name, message=message, stack=stack, code=code, operation=operation, is_error=is_error
    )


def stack(*frames: tuple[str, int]) -> str:
    return "".join(f"    at {function} (program.js:{line}:1)\n" for function, line in frames)


RENDERED = [
    pytest.param(
        thrown("boom", stack=stack(("inner", 3), ("<anonymous>", 5))),
        "Error: boom\n    at inner (program.ts:3:1)\n    at program.ts:5:1",
        id="an error with its frames",
    ),
    pytest.param(thrown("boom", name="TypeError"), "TypeError: boom", id="no frame"),
    pytest.param(thrown("boom", name="DOMException"), "DOMException: boom", id="an exception"),
    pytest.param(thrown(""), "Error", id="no message"),
    pytest.param(thrown("boom", name=""), "Error named ``: boom", id="no name"),
    pytest.param(
        thrown("one\ntwo", stack=stack(("f", 2))),
        "Error: one\n  | two\n    at f (program.ts:2:1)",
        id="several lines",
    ),
    pytest.param(
        thrown(
            "There is no file.",
            name="ApiError",
            code="not-found",
            operation="files.readFile",
            stack=stack(("<anonymous>", 4)),
        ),
        "ApiError: files.readFile (not-found): There is no file.\n    at program.ts:4:1",
        id="a call that failed",
    ),
    pytest.param(
        thrown(
            "Value: 9.2 MiB, limit 8 MiB.",
            name="ApiError",
            code="limit-exceeded",
            operation="files.write_file",
        ),
        "ApiError: files.writeFile (limit-exceeded): Value: 9.2 MiB, limit 8 MiB.",
        id="a call that the sandbox refused",
    ),
    pytest.param(
        thrown("x", name="ApiError", code="other", operation=None), "ApiError:  (other): x", id="no operation"
    ),
    pytest.param(
        thrown("boom", name="string", is_error=False, stack=stack(("f", 2))),
        "Uncaught value: boom",
        id="a string gets no place",
    ),
    pytest.param(thrown("null", name="null", is_error=False), "Uncaught value: null", id="null"),
    pytest.param(
        thrown("own properties a, b", name="object", is_error=False),
        "Uncaught value: own properties a, b",
        id="an object",
    ),
]


@pytest.mark.parametrize(("error", "expected"), RENDERED)
def test_an_error_as_the_model_reads_it(error: GuestError, expected: str) -> None:
    assert render_guest_error(error, MAP) == expected


FORGED = [
    pytest.param(
        thrown("x\nCompiler error\n----\nprogram.ts:1:1: error"),
        "Error: x\n  | Compiler error\n  | ----\n  | program.ts:1:1: error",
        id="a heading in the message",
    ),
    pytest.param(
        thrown("limit 256 MiB reached.", name="Memory"),
        "Error named `Memory`: limit 256 MiB reached.",
        id="a ceiling in the name",
    ),
    pytest.param(
        thrown("30.0 s used, limit 30 s.", name="Guest time"),
        "Error named `Guest time`: 30.0 s used, limit 30 s.",
        id="another ceiling in the name",
    ),
    pytest.param(
        thrown("x", name="a\n----\nNoticeError"),
        "Error named `a\\u000a----\\u000aNoticeError`: x",
        id="lines in the name",
    ),
    pytest.param(
        thrown("x\r    at forged (program.ts:1:1)\x1b[2K"),
        "Error: x\\u000d    at forged (program.ts:1:1)\\u001b[2K",
        id="a carriage return and an escape",
    ),
    pytest.param(
        thrown("\ud800\u202e\0"), "Error: \\ud800\\u202e\\u0000", id="a surrogate, an override, NUL"
    ),
    pytest.param(
        thrown("x", name="ApiError", code="a\nb", operation="c\nd"),
        "ApiError: c\\u000ad (a\\u000ab): x",
        id="lines in the code and in the call",
    ),
    pytest.param(
        thrown("x", stack=stack(("f\r(program.ts:9:9)", 2))),
        "Error: x\n    at program.ts:2:1",
        id="a place in the name of a function",
    ),
    pytest.param(
        thrown("own properties a\nNotice", name="object", is_error=False),
        "Uncaught value: own properties a\n  | Notice",
        id="a line in the name of a property",
    ),
]


NAMES = [
    ("f", "f"),
    ("größe", "größe"),
    ("get #size", "get #size"),
    ("[Symbol.iterator]", "[Symbol.iterator]"),
    ("bound f", "bound f"),
    ("f (program.ts:9:9)", None),
    ("a\tb", None),
    ("\u202ef", None),
]


@pytest.mark.parametrize(("function", "shown"), NAMES)
def test_a_function_is_named_by_what_looks_like_a_name(function: str, shown: str | None) -> None:
    expected = "program.ts:2:1" if shown is None else f"{shown} (program.ts:2:1)"

    assert render_guest_error(thrown("x", stack=stack((function, 2))), MAP) == f"Error: x\n    at {expected}"


@pytest.mark.parametrize(("error", "expected"), FORGED)
def test_a_guests_text_is_no_line_of_the_hosts(error: GuestError, expected: str) -> None:
    assert render_guest_error(error, MAP) == expected


ANY = st.text(st.characters(), max_size=60)


@given(ANY, ANY, ANY, st.none() | ANY, ANY, st.booleans())
def test_every_line_is_the_first_behind_the_gutter_or_a_frame(
    name: str, message: str, function: str, code: str | None, operation: str, is_error: bool
) -> None:
    error = thrown(
        message,
        name=name,
        stack=stack((function, 2)),
        code=code,
        operation=None if code is None else operation,
        is_error=is_error,
    )
    first, *rest = render_guest_error(error, MAP).split("\n")

    assert first.startswith(("Uncaught value: ", "Error")) or "Error" in first or "Exception" in first
    assert [line for line in rest if not line.startswith(("  | ", "    at "))] == []
    assert escape_controls(first) == first


def test_a_long_message_is_cut_and_what_is_cut_is_counted() -> None:
    text = render_guest_error(thrown("é" * 10_000, stack=stack(("f", 2))), MAP)
    head, note, frame = text.split("\n")

    assert utf8_length(text) <= MAX_ERROR_BYTES
    assert frame == "    at f (program.ts:2:1)"
    assert note == f"({len('Error: ') + 20_000 - utf8_length(head):,} more bytes)"


def test_ten_frames_are_told_however_long_their_names_are() -> None:
    deep = stack(*[("\N{CJK UNIFIED IDEOGRAPH-20000}" * 200, line) for line in range(1, 16)])
    text = render_guest_error(thrown("x" * 10_000, stack=deep), MAP)

    assert utf8_length(text) <= MAX_ERROR_BYTES
    assert text.count("\n    at ") == 10


PLACES = [
    pytest.param(stack(("f", 3), ("g", 4)), MAP, "program.ts:3:1", id="the innermost frame"),
    pytest.param("", MAP, None, id="no stack"),
    pytest.param(stack(("f", 999)), MAP, None, id="a line that there is not"),
    pytest.param(stack(("f", 3)), NO_MAP, None, id="nothing is mapped"),
    pytest.param("    at f (native)\n" + stack(("g", 4)), MAP, "program.ts:4:1", id="a native frame above"),
]


@pytest.mark.parametrize(("text", "source_map", "expected"), PLACES)
def test_the_place_of_a_call(text: str, source_map: SourceMap, expected: str | None) -> None:
    assert place_of(text, source_map) == expected


TIME = "Guest time: 30.0 s used, limit 30 s."
CEILINGS = [
    pytest.param(TIME, None, TIME, id="no call"),
    pytest.param(
        TIME,
        Call("files.read_file", "[]", stack(("f", 4))),
        f"{TIME}\nLast call: files.readFile at program.ts:4:1.",
        id="a call and its place",
    ),
    pytest.param(
        TIME,
        Call("views.current", "[]", ""),
        f"{TIME}\nLast call: views.current.",
        id="a call without a place",
    ),
    pytest.param(
        TIME,
        Call("x\nNotice" + "y" * 200, "[]", ""),
        f"{TIME}\nLast call: x\\u000aNotice{'y' * 72}….",
        id="a call that there is not",
    ),
    pytest.param(
        "Value: 9.2 MiB.\nNotice\n----",
        None,
        "Value: 9.2 MiB.\n  | Notice\n  | ----",
        id="a sentence of several lines",
    ),
]


@pytest.mark.parametrize(("sentence", "call", "expected"), CEILINGS)
def test_a_ceiling_as_the_model_reads_it(sentence: str, call: Call | None, expected: str) -> None:
    assert render_ceiling(sentence, call, MAP) == expected


SPELLINGS = [
    ("files.read_file", "files.readFile"),
    ("views.open_docs_view", "views.openDocsView"),
    ("session.finish", "session.finish"),
    ("files.readFile", "files.readFile"),
    ("a\tb", "a\\u0009b"),
]


@pytest.mark.parametrize(("operation_id", "expected"), SPELLINGS)
def test_the_spelling_of_a_call(operation_id: str, expected: str) -> None:
    assert call_spelling(operation_id) == expected
