"""The two streams, on a terminal and elsewhere. A terminal is what `FORCE_COLOR` makes rich see."""

import json

import pytest

from host.cli.lines import Line, Span, block, labeled, line, styled
from host.cli.output import Output

LINES = [line(styled("[bold]name[/]", "name"), ": ", "text"), labeled("error", "x" * 60, style="bad")]


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("COLUMNS", "40")
    return monkeypatch


@pytest.fixture
def no_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("FORCE_COLOR", "TTY_COMPATIBLE", "TTY_INTERACTIVE"):
        monkeypatch.delenv(name, raising=False)


@pytest.mark.usefixtures("no_terminal")
def test_elsewhere_lines_are_plain_and_whole(capsys: pytest.CaptureFixture[str]) -> None:
    Output().data_lines(LINES)

    assert capsys.readouterr() == ("[bold]name[/]: text\n  error    " + "x" * 60 + "\n", "")


def test_on_a_terminal_lines_are_styled_and_wrapped(
    terminal: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    Output().data_lines(LINES)

    assert capsys.readouterr().out.split("\n") == [
        "\x1b[36m[bold]name[/]\x1b[0m: text",
        "  \x1b[1;31merror    \x1b[0m" + "x" * 29,
        "           " + "x" * 29,
        "           xx",
        "",
    ]


def test_a_text_behind_a_bar_keeps_it_on_every_row(
    terminal: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    Output().data_lines(block("z" * 40, may_crop=False))

    assert capsys.readouterr().out.split("\n") == [
        "           \x1b[2m│ \x1b[0m" + "z" * 27,
        "           \x1b[2m│ \x1b[0m" + "z" * 13,
        "",
    ]


def test_on_a_terminal_a_line_that_may_be_cropped_is(
    terminal: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    Output().data_lines(block("y" * 60))

    assert capsys.readouterr().out == "           \x1b[2m│ \x1b[0m" + "y" * 26 + "…\n"


def test_no_color_gives_plain_text_on_a_terminal_too(
    terminal: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    terminal.setenv("NO_COLOR", "1")

    Output().problem(LINES)

    assert "\x1b" not in capsys.readouterr().err


@pytest.mark.usefixtures("no_terminal")
def test_quiet_silences_progress_alone(capsys: pytest.CaptureFixture[str]) -> None:
    output = Output(quiet=True)

    output.progress([line("progress")])
    output.problem([line("problem")])
    output.data("data")

    assert capsys.readouterr() == ("data\n", "problem\n")


def test_json_is_one_line_of_ascii(capsys: pytest.CaptureFixture[str]) -> None:
    value = {"summary": "a\n\x9b31m\u202e\ud800é"}

    Output().json(value)

    out = capsys.readouterr().out
    assert (json.loads(out), out.isascii(), out.count("\n")) == (value, True, 1)


@pytest.mark.usefixtures("no_terminal")
def test_waiting_shows_nothing_where_nobody_watches(capsys: pytest.CaptureFixture[str]) -> None:
    output = Output()

    with output.waiting("starting"):
        output.doing("turn 1")

    assert capsys.readouterr() == ("", "")


def test_an_empty_line_is_empty(terminal: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    Output().data_lines([Line(), Line((Span(""),))])

    assert [row.strip() for row in capsys.readouterr().out.split("\n")] == ["", "", ""]
