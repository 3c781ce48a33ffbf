"""Foreign text in lines of output."""

from host.cli.lines import Line, Span, block, counted, labeled, line, one_line, styled, to_text


def test_text_on_one_line_holds_no_control_character() -> None:
    assert one_line("a\r\nb\tc\x1b[1m\ud800") == "a b    c\\u001b[1m\\ud800"


def test_an_absurdly_long_line_is_cut() -> None:
    assert one_line("x" * 600) == "x" * 499 + "…"


def test_a_block_sets_every_line_behind_a_bar() -> None:
    assert to_text(block("a\n\nb\n")) == "           │ a\n           │\n           │ b\n"


def test_of_a_block_of_nothing_nothing_is_counted() -> None:
    assert [to_text(block(text, most=0)) for text in ("", "a", "a\nb\nc")] == ["", "", ""]


def test_a_label_is_padded_and_an_empty_line_is_empty() -> None:
    assert to_text([labeled("calls", "x"), Line(), line("y")]) == "  calls    x\n\ny\n"


def test_pieces_keep_their_style() -> None:
    assert line("a", styled("b\n", "bad")).spans == (Span("a"), Span("b ", "bad"))


def test_counts_are_spelled_with_their_noun() -> None:
    assert (counted(1, "turn"), counted(2000, "turn")) == ("1 turn", "2,000 turns")
