"""Every reply of the corpus as a turn of one session: what it becomes, and what the model reads next."""

import re
from pathlib import Path
from typing import Final

import pytest

from host.events import CodeExecution, OperatorLog
from runtime_js import Compiler
from tests.helpers.replies import ReplyCase, reply_cases
from tests.helpers.runs import FINISH, Ran, run_agent

CASES: Final = [case for case in reply_cases() if not case.ends]
ENDS: Final = [case for case in reply_cases() if case.ends]
PLACE: Final = re.compile(r"program\.ts:(\d+):(\d+)")


@pytest.fixture(scope="module")
def ran(tmp_path_factory: pytest.TempPathFactory, compiler: Compiler) -> Ran:
    record = tmp_path_factory.mktemp("replies") / "record"
    return run_agent(record, [*(case.text for case in CASES), FINISH], compiler=compiler)


def test_no_reply_ends_the_session_or_breaks_it(ran: Ran) -> None:
    assert (ran.result.status, len(ran.prompts)) == ("completed", len(CASES) + 1)


@pytest.mark.parametrize("turn", range(len(CASES)), ids=lambda turn: CASES[turn].name)
def test_what_becomes_of_a_reply(turn: int, ran: Ran) -> None:
    case, execution = CASES[turn], ran.of(CodeExecution)[turn]
    heading, _, told = ran.told(turn + 1)[-1].partition("\n----\n")

    assert (heading, told.partition("\n")[0]) == (case.reads, case.line)
    assert execution.healing == case.healing
    assert execution.healing_did_not_converge is (case.name == "fence_five_deep")
    assert execution.ok is (heading not in ("Compiler error", "Runtime error"))


@pytest.mark.parametrize("turn", range(len(CASES)), ids=lambda turn: CASES[turn].name)
def test_places_are_in_the_text_that_the_window_keeps(turn: int, ran: Ran) -> None:
    kept = [message.text for message in ran.prompts[turn + 1] if message.role == "assistant"][-1]
    lines = kept.split("\n")

    assert kept == CASES[turn].healed
    for place in PLACE.finditer(ran.told(turn + 1)[-1]):
        line, column = int(place[1]), int(place[2])
        assert line <= len(lines)
        assert column <= len(lines[line - 1]) + 1


@pytest.mark.parametrize("case", ENDS, ids=lambda case: case.name)
def test_a_reply_that_ends_the_session(case: ReplyCase, tmp_path: Path, compiler: Compiler) -> None:
    ran = run_agent(tmp_path / "record", [case.text], compiler=compiler)

    assert ran.result.ending is not None
    assert (ran.result.ending.summary, ran.of(CodeExecution)[0].healing) == (case.ends, case.healing)


def test_the_operator_is_told_of_a_reply_that_does_not_settle(ran: Ran) -> None:
    five_deep = [case.name for case in CASES].index("fence_five_deep") + 1

    assert [(log.turn, log.source, log.text) for log in ran.of(OperatorLog)] == [
        (five_deep, "host", "healing found something to repair 4 times over; the reply is compiled as it is")
    ]
