"""Frames of tracebacks, as Python, engines and compilers print them and as logs keep them."""

import traceback
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from host.context.reports import StackFrame, decode_trace, read_trace, sanitize_stack_trace

Place = tuple[str, int, str]

CHAINED = """\
Traceback (most recent call last):
  File "/srv/app/a.py", line 3, in first
    return 1 / 0
           ~~^~~
ZeroDivisionError: division by zero
a note that was added

The above exception was the direct cause of the following exception:

Traceback (most recent call last):
  File "/srv/app/b.py", line 7, in second
    raise ValueError("several\\nlines") from error
ValueError: several
  File "/srv/app/not.py", line 99, in message
lines

During handling of the above exception, another exception occurred:

Traceback (most recent call last):
  File "/srv/app/c.py", line 11, in <module>
    {}["k"]
    ~~^^^^^
app.errors.Missing: 'k'
"""
CHAINED_PLACES = [
    ("/srv/app/a.py", 3, "first"),
    ("/srv/app/b.py", 7, "second"),
    ("/srv/app/c.py", 11, "<module>"),
]

GROUP = """\
  + Exception Group Traceback (most recent call last):
  |   File "/srv/app/g.py", line 17, in run
  |     raise ExceptionGroup("g", found)
  |     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  | ExceptionGroup: g (2 sub-exceptions)
  +-+---------------- 1 ----------------
    | Traceback (most recent call last):
    |   File "/srv/app/h.py", line 2, in task
    |     work()
    | ValueError: a
    +---------------- 2 ----------------
    | Exception Group Traceback (most recent call last):
    |   File "/srv/app/i.py", line 5, in task
    | ExceptionGroup: h (1 sub-exception)
    +-+---------------- 1 ----------------
      | KeyError: 'k'
      +------------------------------------
finished
"""
GROUP_PLACES = [("/srv/app/g.py", 17, "run"), ("/srv/app/h.py", 2, "task"), ("/srv/app/i.py", 5, "task")]

SYNTAX = """\
Traceback (most recent call last):
  File "/srv/app/run.py", line 15, in <module>
    compile(text)
  File "/srv/app/bad.py", line 1
    a = (1,
        ^
SyntaxError: '(' was never closed
"""

REPEATED = """\
Traceback (most recent call last):
  File "/srv/app/a.py", line 9, in f
    return f(n)
           ^^^^
  File "/srv/app/a.py", line 9, in f
    return f(n)
           ^^^^
  [Previous line repeated 996 more times]
RecursionError: maximum recursion depth exceeded
"""

FAKE = """\
Traceback (most recent call last):
  File "/srv/app/a.py", line 4, in f
    File "/srv/app/fake.py", line 1, in fake
    x = 1 # at fake (fake.js:1:2)
    Fake: y
  File "/srv/app/a.py", line 5, in g
    print('  File "fake.py", line 3, in fake')
ValueError: z
"""

SCRIPTS = """\
TypeError: x is not a function
    at f (program.js:12:3)
    at async g (C:\\work\\b.ts:3:4)
    at native (native)
    at /srv/x.js:3:4
render@http://localhost/x.js:9:1

✘ [ERROR] Could not resolve "x"

    src/a.ts:3:9:
      3 │ import "x"
        ╵        ~~~
src/b.ts(3,9): error TS2322: Type 'string' is not assignable to type 'number'.
src/c.ts:4:9 - error TS2304: Cannot find name 'x'.
> src/d.ts:5:1: error: Unexpected "x"
"""
SCRIPT_PLACES = [
    ("program.js", 12, "f"),
    ("C:\\work\\b.ts", 3, "g"),
    ("/srv/x.js", 3, ""),
    ("http://localhost/x.js", 9, "render"),
    ("src/a.ts", 3, ""),
    ("src/b.ts", 3, ""),
    ("src/c.ts", 4, ""),
    ("src/d.ts", 5, ""),
]


def places(text: str) -> list[Place]:
    return [(frame.file, frame.line, frame.function) for frame in read_trace(text).frames]


def types(text: str) -> list[tuple[str, int]]:
    return [(each.type, each.depth) for each in read_trace(text).exceptions]


def test_chained_exceptions() -> None:
    trace = read_trace(CHAINED)

    assert places(CHAINED) == CHAINED_PLACES
    assert types(CHAINED) == [("ZeroDivisionError", 0), ("ValueError", 0), ("app.errors.Missing", 0)]
    assert trace.raised is not None
    assert (trace.raised.type, trace.raised.message) == ("app.errors.Missing", "'k'")


def test_an_exception_group() -> None:
    trace = read_trace(GROUP)

    assert places(GROUP) == GROUP_PLACES
    assert types(GROUP) == [("ExceptionGroup", 0), ("ValueError", 1), ("ExceptionGroup", 1), ("KeyError", 2)]
    assert trace.raised is not None
    assert trace.raised.message == "g (2 sub-exceptions)"


def test_a_group_that_follows_from_an_exception_is_what_was_raised() -> None:
    raised = read_trace(
        CHAINED + "\nDuring handling of the above exception, another one occurred:\n\n" + GROUP
    ).raised

    assert raised is not None
    assert raised.type == "ExceptionGroup"


def test_a_syntax_error() -> None:
    assert places(SYNTAX) == [("/srv/app/run.py", 15, "<module>"), ("/srv/app/bad.py", 1, "")]
    assert types(SYNTAX) == [("SyntaxError", 0)]


def test_frames_that_are_repeated() -> None:
    assert places(REPEATED) == [("/srv/app/a.py", 9, "f")] * 2
    assert types(REPEATED) == [("RecursionError", 0)]


def test_what_looks_like_a_frame_in_a_source_line_is_none() -> None:
    assert places(FAKE) == [("/srv/app/a.py", 4, "f"), ("/srv/app/a.py", 5, "g")]
    assert types(FAKE) == [("ValueError", 0)]


def test_engines_and_compilers() -> None:
    assert places(SCRIPTS) == SCRIPT_PLACES
    assert types(SCRIPTS) == [("TypeError", 0), ("esbuild", 0), ("TS2322", 0), ("TS2304", 0), ("esbuild", 0)]


def in_json(text: str) -> str:
    return '{"log": "' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"}'


LOGS = [
    pytest.param(lambda text: text.replace("\n", "\r\n"), id="CRLF"),
    pytest.param(lambda text: text.replace("\n", "\r"), id="CR"),
    pytest.param(
        lambda text: text.replace("File", "\x1b[35mFile\x1b[0m").replace("Error", "\x1b[1;31mError\x1b[0m"),
        id="colours",
    ),
    pytest.param(lambda text: text.replace("e", "e\x00"), id="NUL"),
    pytest.param(
        lambda text: "".join(f"2026-12-01 10:00:00 ERROR {line}\n" for line in text.splitlines()), id="prefix"
    ),
    pytest.param(lambda text: f"2026-12-01 10:00:00 ERROR {text}", id="prefix of the first line"),
    pytest.param(lambda text: f"INFO begins\n{text}INFO ends\n", id="among others"),
    pytest.param(lambda text: decode_trace(text.encode("utf-16")), id="UTF-16"),
    pytest.param(lambda text: decode_trace(text.encode("utf-16-le")), id="UTF-16 without a mark"),
    pytest.param(lambda text: decode_trace(text.encode("utf-16-be")), id="UTF-16 big end first"),
    pytest.param(lambda text: decode_trace(text.encode("utf-32")), id="UTF-32"),
    pytest.param(lambda text: decode_trace(text.encode("utf-8-sig")), id="UTF-8 with a mark"),
]


@pytest.mark.parametrize("kept", LOGS)
def test_tracebacks_as_logs_and_editors_keep_them(kept: Callable[[str], str]) -> None:
    assert places(kept(CHAINED)) == CHAINED_PLACES
    assert [name for name, _ in types(kept(CHAINED))] == [
        "ZeroDivisionError",
        "ValueError",
        "app.errors.Missing",
    ]


@pytest.mark.parametrize("kept", [LOGS[0], LOGS[4], LOGS[6]])
def test_groups_as_logs_keep_them(kept: Callable[[str], str]) -> None:
    assert places(kept(GROUP)) == GROUP_PLACES
    assert types(kept(GROUP)) == types(GROUP)


def test_a_traceback_in_a_string_of_json() -> None:
    assert places(in_json(SYNTAX)) == places(SYNTAX)
    assert types(in_json(SYNTAX)) == types(SYNTAX)


def test_what_python_prints_is_read() -> None:
    def deep(left: int) -> None:
        if left:
            deep(left - 1)
        raise ValueError("deep")

    try:
        deep(2)
    except ValueError as error:
        text = "".join(traceback.format_exception(error))
        expected = [
            (frame.filename, frame.lineno, frame.name) for frame in traceback.extract_tb(error.__traceback__)
        ]

    assert places(text) == expected
    assert types(text) == [("ValueError", 0)]


def test_windows_paths() -> None:
    text = 'Traceback (most recent call last):\n  File "C:\\Users\\ada\\a b.py", line 3, in f\nOSError: x\n'

    assert places(text) == [("C:\\Users\\ada\\a b.py", 3, "f")]
    assert sanitize_stack_trace(text) == (StackFrame(file="~\\a b.py", line=3, function="f"),)


def test_the_sanitized_frames_are_masked() -> None:
    text = '  File "/home/ada/token=a1b2c3d4/x.py", line 3, in ada@example.com\n'

    assert sanitize_stack_trace(text) == (
        StackFrame(file="~/token=[REDACTED]", line=3, function="[REDACTED_EMAIL]"),
    )


@pytest.mark.parametrize(
    "text", ["", "a text\n", "Error: no place\n", "at home (it is late)\n", "at 10:30:00\n"]
)
def test_a_text_without_a_traceback_has_nothing(text: str) -> None:
    trace = read_trace(text)

    assert (trace.frames, trace.exceptions, trace.raised) == ((), (), None)


@given(st.binary())
def test_any_bytes_are_read(data: bytes) -> None:
    for frame in sanitize_stack_trace(decode_trace(data)):
        assert frame.line >= 0


def test_megabytes_are_read() -> None:
    part = '  File "/srv/app/a.py", line 9, in f\n    return f(n)\n'
    text = "Traceback (most recent call last):\n" + part * 40_000 + "x" * 2_000_000 + "\nValueError: y\n"

    trace = read_trace(text)

    assert len(trace.frames) == 40_000
    assert [each.type for each in trace.exceptions] == ["ValueError"]


def test_places_without_a_line_and_further_lines_of_messages_are_not_told() -> None:
    text = "Error: one\ntwo\n    at map (native)\n    at f (a.js:1:2)\n"

    trace = read_trace(text)

    assert [(frame.file, frame.line) for frame in trace.frames] == [("a.js", 1)]
    assert [each.message for each in trace.exceptions] == ["one"]
