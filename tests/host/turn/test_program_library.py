"""Programs by turn, and the one that runs next."""

import dataclasses
import json

import pytest

from host.core.errors import Refusal
from host.operations import PastProgram
from host.turn import ProgramLibrary
from host.turn.program_library import MAX_KEPT_PROGRAMS


def refusal_of(call: object) -> Refusal:
    with pytest.raises(Refusal) as caught:
        call()  # type: ignore[operator]  # a table of calls
    return caught.value


def library(*programs: tuple[int, str, str | None], max_kept_bytes: int = 1000) -> ProgramLibrary:
    made = ProgramLibrary(max_kept_bytes=max_kept_bytes)
    for turn, source, error in programs:
        made.add(turn, source, error)
    return made


def test_what_is_told_of_each_program() -> None:
    made = library((1, "a;\nb;\n", None), (2, "c;", "program.ts:1:1: error TS2304\n  1 | c;"), (4, "", None))

    assert made.history() == (
        PastProgram(turn=1, lines=2, chars=6),
        PastProgram(turn=2, lines=1, chars=2, error="program.ts:1:1: error TS2304"),
        PastProgram(turn=4, lines=0, chars=0),
    )
    assert [made.get(turn) for turn in (1, 2, 4, None)] == ["a;\nb;\n", "c;", "", ""]


@pytest.mark.parametrize(
    ("programs", "turn", "told"),
    [
        ((), None, "There is no program yet."),
        ((), 3, "There is no program of turn 3."),
        (((2, "a", None),), 1, "There is no program of turn 1; there are those of turn 2."),
        (
            ((1, "a", None), (2, "b", None), (3, "c", None), (5, "d", None)),
            4,
            "There is no program of turn 4; there are those of turns 1 to 3, 5.",
        ),
        (
            tuple((turn, "a", None) for turn in (*range(1, 100, 2), 100)),
            4,
            "There is no program of turn 4; there are those of turns 1, 3, 5, 7, 9, …, 91, 93, 95, 97,"
            " 99 to 100.",
        ),
    ],
)
def test_a_program_that_is_not_there(
    programs: tuple[tuple[int, str, str | None], ...], turn: int | None, told: str
) -> None:
    refused = refusal_of(lambda: library(*programs).get(turn))

    assert (refused.code, refused.message) == ("not-found", told)


def test_the_oldest_programs_are_forgotten_when_there_is_no_room() -> None:
    made = library((1, "a" * 400, None), (2, "é" * 200, None), (3, "c" * 300, None))

    assert [past.turn for past in made.history()] == [2, 3]
    made.add(4, "d" * 5000, None)
    assert [past.turn for past in made.history()] == [4]


def test_the_oldest_programs_are_forgotten_when_there_are_too_many() -> None:
    made = ProgramLibrary(max_kept_programs=2)
    for turn in (1, 2, 3):
        made.add(turn, "", None)

    assert [past.turn for past in made.history()] == [2, 3]


def test_a_long_error_is_told_in_part() -> None:
    made = library((1, "a", "x" * 200 + "\nmore"), (2, "b", "é" * 201))

    assert [past.error for past in made.history()] == ["x" * 200, "é" * 200 + "…"]


def test_all_programs_that_are_kept_fit_into_one_result() -> None:
    made = ProgramLibrary()
    for turn in range(1, MAX_KEPT_PROGRAMS + 2):
        made.add(turn, "a;", "\0" * 1000)
    told = [dataclasses.asdict(past) for past in made.history()]

    assert len(told) == MAX_KEPT_PROGRAMS
    assert len(json.dumps(told)) < 8 * 2**20


def test_one_program_at_a_time_is_registered() -> None:
    made = library()
    made.rerun("a;")
    refused = refusal_of(lambda: made.rerun("b;"))

    assert (refused.code, refused.kind) == ("refused", "second_rerun")
    assert (made.take_next(), made.take_next()) == ("a;", None)
    made.rerun("b;")
    assert made.take_next() == "b;"


@pytest.mark.parametrize(
    ("source", "kind"), [("", "empty_source"), (" \n", "empty_source"), ("\ud800", "lone_surrogate")]
)
def test_what_is_no_program_is_refused(source: str, kind: str) -> None:
    made = library()
    refused = refusal_of(lambda: made.rerun(source))

    assert (refused.code, refused.kind, made.take_next()) == ("invalid-argument", kind, None)


def test_a_copy_counts_the_turns_until_now_back_and_goes_apart() -> None:
    made = library((1, "a;", None), (3, "c;", "broken"))
    made.rerun("next;")
    copied = made.copy(3)
    copied.add(1, "own;", None)
    made.add(4, "d;", None)

    assert [(past.turn, past.error) for past in copied.history()] == [(-3, None), (-1, "broken"), (1, None)]
    assert [copied.get(turn) for turn in (-3, -1, 1, None)] == ["a;", "c;", "own;", "own;"]
    assert [past.turn for past in made.history()] == [1, 3, 4]
    assert (copied.take_next(), made.take_next()) == (None, "next;")
    assert refusal_of(lambda: copied.get(3)).message == (
        "There is no program of turn 3; there are those of turns -3, -1, 1."
    )


def test_the_latest_program_of_a_copy_is_the_last_before_it_until_it_has_its_own() -> None:
    copied = library((1, "a;", None), (2, "b;", None)).copy(2)

    assert copied.get(None) == "b;"


def test_a_copy_forgets_the_oldest_first_as_well() -> None:
    copied = library((1, "a" * 400, None), (2, "b" * 400, None)).copy(2)
    copied.add(1, "c" * 400, None)

    assert [past.turn for past in copied.history()] == [-1, 1]
