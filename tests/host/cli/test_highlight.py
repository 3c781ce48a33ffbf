"""Programs and diagnostics with styles: the same text, as safe, at a bounded cost."""

from collections.abc import Callable
from itertools import count
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from host.cli.highlight import MAX_LEXED_CHARS, diagnostic_block, program_block
from host.cli.lines import Line, Span, block, to_text
from host.cli.live import LiveRenderer
from host.cli.output import Output
from tests.host.cli.events import ATTACKS, DIAGNOSTIC, HOSTILE, QUICKSTART, stamped

GOLDEN = Path(__file__).parent / "golden"
PROGRAM = """\
import { files, views } from "gg"; // what it uses

/** Two lines
 * of a comment. */
export async function total(rows: string[][], start = 0x1f): Promise<number> {
\tconst text = `${rows.length} rows of ${await name("a")}`;
  if (/^\\d+$/i.test(text) && !(text instanceof Error)) return null ?? 1000.5e3;
  throw new TypeError('no "rows"');
}
"""
TEXTS = st.text(st.sampled_from("ab /*`'\"${}\\\t\r\n.:1=>…\x1b\x9b\u202e\ud800"))


def styles(lines: list[Line]) -> list[list[tuple[str, str]]]:
    """The styled pieces of each line."""
    return [[(span.style, span.text) for span in each.spans if span.style] for each in lines]


def test_of_a_program_of_which_nothing_is_shown_no_row_is_left() -> None:
    assert list(program_block(PROGRAM, most=0)) == []


def test_a_program_is_coloured_by_what_its_words_are() -> None:
    assert styles(list(program_block(PROGRAM, now=lambda: 0.0))) == [
        [("keyword", "import"), ("keyword", "from"), ("string", '"gg"'), ("comment", "// what it uses")],
        [],
        [("comment", "/** Two lines")],
        [("comment", " * of a comment. */")],
        [
            ("keyword", "export"),
            ("keyword", "async"),
            ("keyword", "function"),
            ("type", "string"),
            ("number", "0x1f"),
            ("type", "Promise"),
            ("type", "number"),
        ],
        [
            ("keyword", "const"),
            ("string", "`"),
            ("keyword", "${"),
            ("keyword", "}"),
            ("string", " rows of "),
            ("keyword", "${await"),
            ("string", '"a"'),
            ("keyword", "}"),
            ("string", "`"),
        ],
        [
            ("keyword", "if"),
            ("string", "/^\\d+$/i"),
            ("keyword", "instanceof"),
            ("type", "Error"),
            ("keyword", "return"),
            ("number", "null"),
            ("number", "1000.5e3"),
        ],
        [("keyword", "throw"), ("keyword", "new"), ("type", "TypeError"), ("string", "'no \"rows\"'")],
        [],
    ]


@given(TEXTS)
@example("x" * 600)
@example("`" + "\u2026" * 500 + "`\n'" + "\t" * 200 + "'")
@example("\r\nlet a;\r\n\n")
def test_the_text_is_the_same_as_without_colours(text: str) -> None:
    assert to_text(program_block(text)) == to_text(block(text))
    assert to_text(program_block(text, most=2)) == to_text(block(text, most=2))
    assert to_text(diagnostic_block(text)) == to_text(block(text))


@pytest.mark.parametrize("make", [program_block, diagnostic_block])
def test_no_piece_holds_a_control_character(make: Callable[[str], list[Line]]) -> None:
    program = f'let a = "{HOSTILE}"; // {HOSTILE}\r`{HOSTILE}`'
    text = f"{program}\nprogram.ts:1:2: error TS1: {HOSTILE}\n  1 | {HOSTILE}"

    pieces = [span.text for each in make(text) for span in each.spans]

    assert [piece for piece in pieces if not piece.isprintable()] == []


@pytest.mark.slow
def test_what_follows_a_long_beginning_is_plain() -> None:
    row = "let a = 1; " * 9 + "\n"  # of 100 characters
    text = row * (2**20 // 100)
    lines = list(program_block(text, now=lambda: 0.0))

    coloured = [number for number, pieces in enumerate(styles(lines), start=1) if pieces]
    assert len(lines) == 2**20 // 100
    assert coloured == list(range(1, -(-MAX_LEXED_CHARS // 100) + 1))


def test_a_text_that_takes_long_is_given_up() -> None:
    ticks = count(step=0.01)
    lines = list(program_block("let a;\n" * 100, now=lambda: next(ticks)))

    assert styles(lines) == [[("keyword", "let")]] * 3 + [[]] * 97
    assert to_text(lines) == to_text(block("let a;\n" * 100))


def test_of_a_program_that_is_shown_in_part_no_more_is_looked_at() -> None:
    ticks = iter([0.0] * 20)  # more looks at the clock would fail

    assert len(list(program_block("let a;\n" * 100, most=2, now=lambda: next(ticks)))) == 3


def test_a_diagnostic_stands_out() -> None:
    error, source, caret = diagnostic_block(f"{DIAGNOSTIC}")

    assert error.spans == (
        Span("program.ts:3:15: ", "name"),
        Span("error TS2551", "bad"),
        Span(": Property 'nam' does not exist on type 'MemoryUsage'.", "strong"),
    )
    assert source.spans == (Span("  3 | ", "dim"), Span("console.log(r.nam);"))
    assert caret.spans == (Span("    |               ^", "bad"),)


def test_a_warning_is_no_error_and_a_message_alone_stands_out() -> None:
    [warning] = diagnostic_block("a.ts:1:2: warning: odd")
    first, second = diagnostic_block("RangeError: too deep\n    at f (program.ts:1:2)")

    assert warning.spans[1] == Span("warning", "warn")
    assert (first.spans[0].style, second.spans[0].style) == ("strong", "")


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("COLUMNS", "100")
    return monkeypatch


def on_terminal(capsys: pytest.CaptureFixture[str], *sources: list[Line]) -> str:
    output = Output()
    for lines in sources:
        output.data_lines(lines)
    return capsys.readouterr().out


def test_a_program_on_a_terminal(
    terminal: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], golden: Callable[[Path, str], None]
) -> None:
    shown = on_terminal(capsys, list(program_block(PROGRAM)), list(diagnostic_block(DIAGNOSTIC)))

    golden(GOLDEN / "terminal_program.txt", shown)


@pytest.mark.parametrize(("name", "events"), [("quickstart", QUICKSTART), ("attacks", ATTACKS)])
def test_a_run_on_a_terminal(
    name: str,
    events: tuple[object, ...],
    terminal: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    golden: Callable[[Path, str], None],
) -> None:
    renderer = LiveRenderer()
    lines = [line for event in stamped(*events) for line in renderer.lines(event)]

    golden(GOLDEN / f"terminal_{name}.txt", on_terminal(capsys, lines))


@pytest.mark.parametrize(("variable", "value"), [("NO_COLOR", "1"), ("TERM", "dumb")])
def test_a_terminal_that_wants_none_gets_no_colours(
    variable: str, value: str, terminal: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    terminal.setenv(variable, value)

    assert on_terminal(capsys, list(program_block(PROGRAM))) == to_text(block(PROGRAM))


def test_without_colours_a_program_is_not_looked_at() -> None:
    def now() -> float:
        raise AssertionError("the lexer was asked")

    assert list(program_block(PROGRAM, colours=False, now=now)) == list(block(PROGRAM))
