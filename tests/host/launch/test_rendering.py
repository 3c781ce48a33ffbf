"""Defects as a person reads them."""

from host.core.errors import Defect
from host.launch import render_defects


def test_a_defect_names_place_agent_value_and_what_is_known() -> None:
    defect = Defect(
        place="agents[0].capabilities[1].params.scope",
        message='unknown scope; did you mean "isolated"?',
        found="isolatd",
        agent="analyst",
        known=("isolated", "shared"),
    )

    assert render_defects([defect]) == (
        'agents[0].capabilities[1].params.scope: unknown scope; did you mean "isolated"?\n'
        "    agent  analyst\n"
        '    found  "isolatd"\n'
        "    known  isolated, shared"
    )


def test_a_value_cannot_send_escapes_or_lines_to_the_terminal() -> None:
    defect = Defect(place="task", message="needs\ntext", found={"a\x1b[31m": "b\nc \u202e"}, agent="x\x07\ny")

    assert render_defects([defect]) == (
        'task: needs text\n    agent  x\\u0007 y\n    found  {"a\\u001b[31m": "b\\nc \\u202e"}'
    )


def test_a_long_value_is_cut() -> None:
    rendered = render_defects([Defect(place="task", message="needs text", found="x" * 500)])

    assert rendered == f'task: needs text\n    found  "{"x" * 158}…'
