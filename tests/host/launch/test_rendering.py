"""Defects as a person reads them."""

from host.core.errors import Defect
from host.launch import defect_json, render_defects
from host.launch.places import ABSENT, Verbatim


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


def test_a_defect_has_an_example_of_what_is_written_there() -> None:
    example = '"params": {"maxCount": 1}'
    defect = Defect(place="x", message="required", found=ABSENT, known=("a",), line=2, example=example)

    assert render_defects([defect]) == (
        f"x: required\n    found  nothing\n    known  a\n    write  {example}"
    )
    assert defect_json(defect) == {
        "agent": None,
        "place": "x",
        "message": "required",
        "found": None,
        "known": ["a"],
        "line": 2,
        "example": example,
    }


def test_a_value_cannot_send_escapes_or_lines_to_the_terminal() -> None:
    defect = Defect(place="task", message="needs\ntext", found={"a\x1b[31m": "b\nc \u202e"}, agent="x\x07\ny")

    assert render_defects([defect]) == (
        'task: needs text\n    agent  x\\u0007 y\n    found  {"a\\u001b[31m": "b\\nc \\u202e"}'
    )


def test_a_long_value_is_cut() -> None:
    rendered = render_defects([Defect(place="task", message="needs text", found="x" * 500)])

    assert rendered == f'task: needs text\n    found  "{"x" * 158}…'


def test_a_defect_of_a_file_begins_with_its_place_there() -> None:
    defect = Defect(place="seed", message="no", found=Verbatim("0\x1b7"), file="a\nb.yaml", line=3)

    assert render_defects([defect]) == "a b.yaml:3: seed: no\n    found  0\\u001b7"


def test_a_defect_as_json() -> None:
    in_memory = Defect(place="seed", message="no", found=ABSENT)
    of_file = Defect(place="x", message="no", found=[1], agent="a", known=("y",), file="f", line=3)

    assert [defect_json(in_memory), defect_json(of_file)] == [
        {"agent": None, "place": "seed", "message": "no", "found": None, "known": []},
        {"agent": "a", "place": "x", "message": "no", "found": [1], "known": ["y"], "line": 3},
    ]


def test_a_value_that_cannot_be_shown_is_told_by_its_type() -> None:
    endless: list[object] = []
    endless.append(endless)
    defects = [Defect(place="seed", message="no", found=found) for found in (10**5000, endless, 10**400)]

    assert render_defects(defects).split("\n")[1::2] == [
        '    found  "a value of type int that cannot be shown"',
        '    found  "a value of type list that cannot be shown"',
        f"    found  1{'0' * 158}…",
    ]
    assert defect_json(defects[0])["found"] == "a value of type int that cannot be shown"
