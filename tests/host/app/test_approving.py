"""The person who is asked about calls: by several at once, for one call or for all, or not any more."""

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

import pytest

from host.app.approving import Approvals, Approve
from host.core.errors import HostDefect, Refusal
from host.operations import ApprovalAnswer, ApprovalDecision, ApprovalRequest

WAIT_S = 60.0
ENDED = Refusal("refused", "The wait was ended.", kind="canceled")


class Waits:
    """A patience that is ended by `end`."""

    def __init__(self) -> None:
        self._looks = threading.Condition()
        self._is_over = False

    def wait_until(self, is_due: Callable[[], bool]) -> None:
        with self._looks:
            assert self._looks.wait_for(lambda: is_due() or self._is_over, WAIT_S)
        if not is_due():
            raise ENDED

    def look_again(self) -> None:
        with self._looks:
            self._looks.notify_all()

    def end(self) -> None:
        with self._looks:
            self._is_over = True
            self._looks.notify_all()


def request(name: str = "git.push", arguments: str = "{}", agent_id: str = "root") -> ApprovalRequest:
    return ApprovalRequest(agent_id=agent_id, turn=1, name=name, call=name, arguments=arguments)


@dataclass
class Asked:
    """A person who answers each question when the test lets them."""

    asked: list[str] = field(default_factory=list)
    _answers: list[Future[ApprovalAnswer | bool | None]] = field(default_factory=list)
    _changed: threading.Condition = field(default_factory=threading.Condition)

    def __call__(self, request: ApprovalRequest) -> ApprovalAnswer | bool | None:
        answer: Future[ApprovalAnswer | bool | None] = Future()
        with self._changed:
            self.asked.append(f"{request.agent_id} {request.name}")
            self._answers.append(answer)
            self._changed.notify_all()
        return answer.result(WAIT_S)

    def wait_for(self, count: int) -> list[str]:
        """The questions, when there have been so many."""
        with self._changed:
            assert self._changed.wait_for(lambda: len(self.asked) >= count, WAIT_S), self.asked
            return [*self.asked]

    def answer(self, number: int, answer: ApprovalAnswer | bool | None) -> None:
        """Answers a question, from 1, once it was asked."""
        self.wait_for(number)
        self._answers[number - 1].set_result(answer)


def approvals(approve: Approve | None, **parts: object) -> Approvals:
    given: dict[str, object] = {"mask": str, "flush": lambda: None, "person": threading.Lock(), **parts}
    return Approvals(approve, **given)  # type: ignore[arg-type]


def told(decision: ApprovalDecision) -> tuple[str, str, str]:
    """Whether it is allowed or why not, by whom, and for what."""
    return str(decision.failure or "allowed"), decision.by, decision.scope


@contextmanager
def in_line(of: Approvals, *requests: ApprovalRequest) -> Iterator[list[Future[ApprovalDecision]]]:
    """Asks about each in a thread of its own, the next once the one before stands in line."""
    with ThreadPoolExecutor(len(requests)) as threads:
        decisions = []
        for each in requests:
            waiting = _Standing()
            decisions.append(threads.submit(of.decide, each, waiting))
            assert waiting.begun.wait(WAIT_S)
        yield decisions


class _Standing(Waits):
    """Tells when the wait has begun: the question is in line then."""

    def __init__(self) -> None:
        super().__init__()
        self.begun = threading.Event()

    def wait_until(self, is_due: Callable[[], bool]) -> None:
        self.begun.set()
        super().wait_until(is_due)


GIVEN = [
    pytest.param(True, ("allowed", "person", "once"), "", id="true"),
    pytest.param(False, ("A person has denied git.push.", "person", "once"), "", id="false"),
    pytest.param(
        None,
        ("git.push needs the approval of a person, and nobody is there to be asked.", "nobody", "once"),
        "",
        id="none",
    ),
    pytest.param(ApprovalAnswer(allowed=True), ("allowed", "person", "once"), "", id="once"),
    pytest.param(
        ApprovalAnswer(allowed=True, scope="run"), ("allowed", "person", "run"), "", id="for the run"
    ),
    pytest.param(
        ApprovalAnswer(allowed=False, reason=" It is\n Friday. "),
        ("A person has denied git.push: It is Friday.", "person", "once"),
        "It is Friday.",
        id="a reason",
    ),
    pytest.param(
        ApprovalAnswer(allowed=False, scope="run", reason="\ud800" + "x" * 600),
        (f"A person has denied git.push for the rest of the run: ?{'x' * 499}…", "person", "run"),
        f"?{'x' * 499}…",
        id="a reason that is too long",
    ),
]


@pytest.mark.parametrize(("given", "outcome", "reason"), GIVEN)
def test_what_a_person_gives(
    given: ApprovalAnswer | bool | None, outcome: tuple[str, str, str], reason: str
) -> None:
    decision = approvals(lambda request: given).through(Waits()).decide(request())

    assert told(decision) == outcome
    assert decision.reason == reason


def test_without_a_person_nobody_waits() -> None:
    decision = approvals(None).through(Waits()).decide(request("shell"))

    assert told(decision) == (
        "shell needs the approval of a person, and nobody is there to be asked.",
        "nobody",
        "once",
    )


def test_one_question_is_asked_at_a_time_in_the_order_in_which_they_came() -> None:
    person = Asked()
    with in_line(approvals(person), request(agent_id="a"), request(agent_id="b"), request(agent_id="c")) as (
        first,
        second,
        third,
    ):
        assert person.wait_for(1) == ["a git.push"]
        person.answer(1, True)
        assert told(first.result(WAIT_S))[0] == "allowed"
        assert person.wait_for(2) == ["a git.push", "b git.push"]
        assert not second.done()
        assert not third.done()
        person.answer(2, False)
        person.answer(3, True)

    assert told(second.result())[0] == "A person has denied git.push."
    assert told(third.result())[0] == "allowed"


ANSWERS = [
    pytest.param(ApprovalAnswer(allowed=True, scope="run"), "allowed", id="allowed"),
    pytest.param(
        ApprovalAnswer(allowed=False, scope="run", reason="Not yours."),
        "A person has denied git.push for the rest of the run: Not yours.",
        id="denied",
    ),
]


@pytest.mark.parametrize(("answer", "outcome"), ANSWERS)
def test_an_answer_for_the_rest_of_the_run_is_one_for_those_in_line_and_for_later_calls(
    answer: ApprovalAnswer, outcome: str
) -> None:
    person = Asked()
    of = approvals(person)
    with in_line(of, request(), request("shell"), request(agent_id="b")) as (first, other, same):
        person.answer(1, answer)
        assert told(first.result(WAIT_S)) == (outcome, "person", "run")
        assert told(same.result(WAIT_S)) == (outcome, "rule", "run")
        assert told(of.decide(request(agent_id="c"), Waits())) == (outcome, "rule", "run")
        person.answer(2, True)

    assert told(other.result()) == ("allowed", "person", "once")
    assert person.asked == ["root git.push", "root shell"]


def test_a_question_that_is_withdrawn_is_answered_for_no_call() -> None:
    """The person is still at it: who comes next waits until they are done."""
    person, waits, asked = Asked(), Waits(), request()
    of = approvals(person)
    with ThreadPoolExecutor(2) as threads:
        first = threads.submit(of.decide, asked, waits)
        person.wait_for(1)
        assert not asked.withdrawn.is_set()
        waits.end()
        assert told(first.result(WAIT_S)) == ("The wait was ended.", "nobody", "once")
        assert asked.withdrawn.is_set()
        second = threads.submit(of.decide, request("shell"), Waits())
        person.answer(1, True)
        person.answer(2, True)

    assert told(second.result()) == ("allowed", "person", "once")


def test_a_question_that_is_withdrawn_in_line_is_not_asked() -> None:
    person, waits = Asked(), _Standing()
    of = approvals(person)
    with ThreadPoolExecutor(3) as threads:
        first = threads.submit(of.decide, request(), Waits())
        person.wait_for(1)
        second = threads.submit(of.decide, request("shell"), waits)
        assert waits.begun.wait(WAIT_S)
        waits.end()
        assert told(second.result(WAIT_S)) == ("The wait was ended.", "nobody", "once")
        person.answer(1, True)
        assert told(first.result(WAIT_S))[0] == "allowed"
        third = threads.submit(of.decide, request("git.pull"), Waits())
        person.answer(2, True)

    assert told(third.result())[0] == "allowed"
    assert person.asked == ["root git.push", "root git.pull"]


def test_an_answer_for_the_rest_that_comes_too_late_for_its_call_holds_for_later_ones() -> None:
    person, waits = Asked(), Waits()
    of = approvals(person)
    with ThreadPoolExecutor(2) as threads:
        first = threads.submit(of.decide, request(), waits)
        person.wait_for(1)
        waits.end()
        first.result(WAIT_S)
        second = threads.submit(of.decide, request(), Waits())
        person.answer(1, ApprovalAnswer(allowed=True, scope="run"))

    assert told(second.result()) == ("allowed", "rule", "run")


def interrupts(request: ApprovalRequest) -> bool:
    raise SystemExit(3)


def fails(request: ApprovalRequest) -> bool:
    raise ValueError("no idea")


BROKEN = [
    pytest.param(fails, "the function that approves calls raised ValueError('no idea')", id="it raises"),
    pytest.param(
        interrupts, "the function that approves calls raised RuntimeError('SystemExit(3)')", id="it exits"
    ),
    pytest.param(
        lambda request: "yes",
        "the function that approves calls raised"
        " TypeError(\"it gives True, False, None or an ApprovalAnswer, and gave 'yes'\")",
        id="it gives something else",
    ),
]


@pytest.mark.parametrize(("approve", "detail"), BROKEN)
def test_a_function_that_breaks_is_a_defect_and_the_next_question_is_asked(
    approve: Approve, detail: str
) -> None:
    of = approvals(approve)
    decisions = [of.decide(request(), Waits()) for _ in range(2)]

    for decision in decisions:
        assert isinstance(decision.failure, HostDefect)
        assert (decision.failure.detail, decision.by) == (detail, "nobody")


def test_a_person_sees_what_is_masked_and_what_was_recorded_is_on_the_disk_by_then() -> None:
    steps: list[str] = []

    def approve(request: ApprovalRequest) -> ApprovalAnswer:
        steps.append(request.arguments)
        return ApprovalAnswer(allowed=True, scope="run")

    of = approvals(
        approve, mask=lambda text: text.replace("hunter2", "[masked]"), flush=lambda: steps.append("flushed")
    )
    for _ in range(2):
        of.decide(request(arguments='{"password": "hunter2"}'), Waits())

    assert steps == ["flushed", '{"password": "[masked]"}']


def test_a_person_who_answers_something_else_is_asked_afterwards() -> None:
    steps: list[str] = []
    person = threading.Lock()

    def approve(request: ApprovalRequest) -> bool:
        steps.append(f"asked, and the person is {'busy' if person.locked() else 'free'}")
        return True

    with person:
        waits = _Standing()
        threads = ThreadPoolExecutor(1)
        decision = threads.submit(approvals(approve, person=person).decide, request(), waits)
        assert waits.begun.wait(WAIT_S)
        steps.append("done with something else")
    assert told(decision.result(WAIT_S))[0] == "allowed"
    threads.shutdown()

    assert steps == ["done with something else", "asked, and the person is busy"]


def test_requests_are_equal_whatever_became_of_them() -> None:
    one, other = request(), request()
    one.withdrawn.set()

    assert one == other
    assert replace(one, arguments="[]").withdrawn is one.withdrawn
