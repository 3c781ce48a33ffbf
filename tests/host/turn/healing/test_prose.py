"""Which first and last lines go where a program stands in no fence, and where none goes."""

import pytest

from host.turn.healing.prose import strip_prose

PROGRAM = 'import { views } from "gg";\nviews.openText("a", "b");'

TAKEN_AWAY = [
    pytest.param(f"Here is the program:\n\n{PROGRAM}", f"{PROGRAM}", id="before"),
    pytest.param(f"{PROGRAM}\n\nIt opens a view.", PROGRAM, id="after"),
    pytest.param(f"Here is the program:\n{PROGRAM}\nIt opens a view.", PROGRAM, id="around, no blank lines"),
    pytest.param(
        f"Here is the program:\r\n{PROGRAM}\r\nIt opens a view.\r\n", f"{PROGRAM}\r", id="carriage returns"
    ),
    pytest.param(f"# Plan\n\n- Read the file\n- Count its rows\n\n{PROGRAM}", PROGRAM, id="heading and list"),
    pytest.param(
        f"Sure!\n\nHere is the program:\n\n---\n\n{PROGRAM}", PROGRAM, id="ornaments with a sentence"
    ),
    pytest.param(f"{PROGRAM}\n\n---\n\n*It opens a view.*\n\nDone!", PROGRAM, id="a footer"),
    pytest.param(
        f"I read the file first and count all of its rows after\nthat.\n\n{PROGRAM}",
        PROGRAM,
        id="the last word of a paragraph",
    ),
    pytest.param(f"<think>\nI will open a view.\n</think>\n{PROGRAM}", PROGRAM, id="thoughts"),
    pytest.param(
        "foo()\n// a comment that ends with +\nIt opens a view.",
        "foo()\n// a comment that ends with +",
        id="after a comment",
    ),
    pytest.param(
        "i++;\nfoo(i--)\ni++\nIt opens a view.", "i++;\nfoo(i--)\ni++", id="a postfix is no operator"
    ),
    pytest.param("foo();\nbar = /`/;\nIt opens a view.", "foo();\nbar = /`/;", id="a backtick in a pattern"),
]

LEFT = [
    pytest.param(PROGRAM, id="a program"),
    pytest.param("Here is the program:\n\nIt opens a view.", id="prose alone"),
    pytest.param("Here is the program:\n\nlet x", id="nothing that is certainly code"),
    pytest.param(f"Sure!\n\n{PROGRAM}\n\nDone.", id="ornaments alone"),
    pytest.param(f"Here is the program:\n\n```ts\n{PROGRAM}\n```", id="a fence"),
    pytest.param(f"Here is the program:\n\n> ~~~\n> {PROGRAM}", id="a fence in a quotation"),
    pytest.param("foo(\n\nIt opens a view.", id="after an open bracket"),
    pytest.param("foo(`\n\nIt opens a view.", id="after an open template"),
    pytest.param("foo();\n/*\nIt opens a view.", id="after an open comment"),
    pytest.param("foo();\nbar = a +\nIt opens a view.", id="after an operator"),
    pytest.param("foo();\nbar = 'a \\\nIt opens a view.", id="after a string that goes on"),
    pytest.param("* It opens a view.\n */\nfoo();", id="in a comment that has lost its beginning"),
    pytest.param("foo();\nIt opens a view.\nbar();", id="between"),
    pytest.param("foo();\n'It opens a view, and so on'", id="a string"),
    pytest.param("foo();\nlet count, total, first, last", id="a declaration"),
]


@pytest.mark.parametrize(("text", "program"), TAKEN_AWAY)
def test_prose_is_taken_away(text: str, program: str) -> None:
    stripped = strip_prose(text)

    assert stripped is not None
    assert stripped.strip("\n") == program


@pytest.mark.parametrize("text", LEFT)
def test_what_is_left_as_it_is(text: str) -> None:
    assert strip_prose(text) is None


def test_what_may_be_a_label_stays_with_the_code_below_it() -> None:
    text = "It looks at each row.\nRows:\nfor (;;) {\n  break Rows;\n}"

    assert strip_prose(text) == "Rows:\nfor (;;) {\n  break Rows;\n}"


def test_the_last_lines_stay_where_the_program_is_cut_and_the_first_go() -> None:
    assert (
        strip_prose("Here is the program:\nfoo();\nbar(\nIt opens a view.")
        == "foo();\nbar(\nIt opens a view."
    )
