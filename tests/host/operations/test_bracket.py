"""Every way a call can take through the bracket: what the guest gets, what is recorded, what is latched."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from host.core.errors import HostDefect, Refusal
from host.events import ApiCall, Event, RecordUnwritable, RunOrigin
from host.operations import Caller, Operation
from host.operations.dialects import MAX_RESULT_BYTES
from host.operations.model import Arguments, NoArguments, Result
from tests.host.operations.callers import Defects, Desk, error


class Echoed(Result):
    """What was said."""

    said_twice: str
    nothing: str | None = None


class EchoArguments(Arguments):
    text: str


def operation(name: str, run: Callable[[Caller, Any], object], **row: Any) -> Operation:  # noqa: ANN401
    return Operation(id=f"test.{name}", summary="", run=run, **{"arguments": NoArguments, **row})


def refuse(caller: Caller, arguments: object) -> object:
    raise Refusal("conflict", "There is one already.", kind="duplicate")


def break_down(caller: Caller, arguments: object) -> object:
    raise HostDefect("compiler", "it is gone", {"exitStatus": -9})


def stumble(caller: Caller, arguments: object) -> object:
    return {}["absent"]


TABLE = {
    row.id: row
    for row in (
        operation("nothing", lambda caller, bound: None),
        operation("number", lambda caller, bound: 7),
        operation("say_it", lambda caller, bound: bound.text, arguments=EchoArguments),
        operation("object", lambda caller, bound: Echoed(said_twice="aa")),
        operation("array", lambda caller, bound: [Echoed(said_twice="é"), Echoed(said_twice="")]),
        operation("none_found", lambda caller, bound: []),
        operation("refuse", refuse),
        operation("break_down", break_down),
        operation("stumble", stumble),
        operation("costs", lambda caller, bound: "done", capability="files"),
        operation("program_only", lambda caller, bound: None, in_on_use=False),
        operation("withheld", lambda caller, bound: None),
    )
}
GRANTED = frozenset(TABLE) - {"test.withheld"}


def desk(**parts: Any) -> Desk:  # noqa: ANN401  (parts of a desk)
    return Desk(operations=TABLE, granted=GRANTED, **parts)


OK = [
    ("test.nothing", [], None),
    ("test.number", [], 7),
    ("test.say_it", ["é\0\r\n\ud800"], "é\0\r\n\ud800"),
    ("test.object", [], {"saidTwice": "aa"}),
    ("test.array", [], [{"saidTwice": "é"}, {"saidTwice": ""}]),
    ("test.none_found", [], []),
    ("test.costs", [], "done"),
]


@pytest.mark.parametrize(("operation_id", "arguments", "expected"), OK)
def test_a_call_that_succeeds(operation_id: str, arguments: list[object], expected: object) -> None:
    at = desk()

    assert at.call(operation_id, *arguments, place="program.ts:1:1") == {"ok": expected}
    assert at.captured.events == (
        ApiCall(turn=3, operation=operation_id, ok=True, duration_us=0, origin="program"),
    )
    assert at.defects.recorded == []


NOT_AVAILABLE = (
    "test.withheld is not available to this agent. The calls there are: test.array, test.breakDown,"
    " test.costs, test.noneFound, test.nothing, test.number, test.object, test.programOnly, test.refuse,"
    " test.sayIt and test.stumble."
)
REFUSED = [
    pytest.param("test.refuse", "test.refuse", [], "conflict", "There is one already.", id="refusal"),
    pytest.param("test.withheld", "test.withheld", [], "unavailable", NOT_AVAILABLE, id="ungranted"),
    pytest.param(
        "files.read_file",
        "files.read_file",
        [],
        "unavailable",
        "files.read_file is not available to this agent.",
        id="unknown",
    ),
    pytest.param(
        "test.say_it",
        "test.sayIt",
        [5],
        "invalid-argument",
        "test.sayIt: text wants a string and got the number 5.",
        id="malformed",
    ),
    pytest.param(
        "test.withheld", "test.withheld", [5], "unavailable", NOT_AVAILABLE, id="ungranted and malformed"
    ),
]


@pytest.mark.parametrize(("operation_id", "spelling", "arguments", "code", "message"), REFUSED)
def test_a_call_that_is_refused(
    operation_id: str, spelling: str, arguments: list[object], code: str, message: str
) -> None:
    at = desk()

    assert at.call(operation_id, *arguments, place="program.ts:4:7") == error(code, spelling, message)
    assert at.captured.events == (
        ApiCall(
            turn=3,
            operation=operation_id,
            ok=False,
            code=code,
            message=message,
            duration_us=0,
            origin="program",
            place="program.ts:4:7",
        ),
    )
    assert at.defects.recorded == []


def test_arguments_that_are_no_json_are_refused() -> None:
    at = desk()

    assert at.send("test.nothing", "[") == error(
        "invalid-argument",
        "test.nothing",
        "test.nothing: its arguments are no JSON: Expecting value: line 1 column 2 (char 1)",
    )


def test_a_name_of_megabytes_is_cut_everywhere() -> None:
    at = desk()
    shown = "x" * 80 + "…"
    message = f"{shown} is not available to this agent."

    assert at.call("x" * 1_000_000) == error("unavailable", shown, message)
    assert [(event.operation, event.message) for event in at.captured.of(ApiCall)] == [(shown, message)]


BROKEN = [
    pytest.param(
        "test.break_down", "test.breakDown", ("compiler", "it is gone", {"exitStatus": -9}), id="a defect"
    ),
    pytest.param(
        "test.stumble",
        "test.stumble",
        ("operation", "test.stumble raised KeyError('absent')", {"traceback": "KeyError: 'absent'"}),
        id="an exception nobody expected",
    ),
]


@pytest.mark.parametrize(("operation_id", "spelling", "defect"), BROKEN)
def test_a_fault_of_ggs_own_is_latched_and_the_guest_learns_nothing_of_it(
    operation_id: str, spelling: str, defect: tuple[str, str, dict[str, object]]
) -> None:
    at = desk()
    message = f"{spelling} could not be carried out."

    assert at.call(operation_id) == error("io-error", spelling, message)
    found = at.defects.recorded[0]
    last_lines = {
        name: str(fact).splitlines()[-1] if name == "traceback" else fact
        for name, fact in found.facts.items()
    }
    assert (found.kind, found.detail, last_lines) == defect
    assert len(at.defects.recorded) == 1
    assert [(event.ok, event.code, event.message) for event in at.captured.of(ApiCall)] == [
        (False, "io-error", message)
    ]


RESULTS = [
    pytest.param("x" * (MAX_RESULT_BYTES - 9), None, id="at the cap"),
    pytest.param("é" * (MAX_RESULT_BYTES // 2 - 5), None, id="counted in UTF-8, as it crosses"),
    pytest.param(
        "x" * (MAX_RESULT_BYTES - 8), "Value: 8,388,609 bytes, limit 8,388,608 bytes.", id="one byte over"
    ),
    pytest.param("\0" * (MAX_RESULT_BYTES // 4), "Value: 12 MiB, limit 8 MiB.", id="over it once escaped"),
]


@pytest.mark.parametrize(("text", "message"), RESULTS)
def test_a_result_has_a_cap(text: str, message: str | None) -> None:
    giving = operation("give", lambda caller, bound: text)
    at = Desk(operations={giving.id: giving}, granted=frozenset({giving.id}))
    answer = at.call("test.give")

    if message is None:
        assert answer == {"ok": text}
    else:
        refused = error("limit-exceeded", "test.give", message)
        assert answer == {"error": {**refused["error"], "ceiling": "value"}}


def over_time() -> None:
    raise Refusal("limit-exceeded", "Run time: 600.0 s used, limit 600 s; end the session.", kind="run_time")


def test_once_the_runs_time_is_spent_only_reporting_and_ending_go_on() -> None:
    at = desk(refuse_over_run_time=over_time)

    assert at.call("test.costs") == error(
        "limit-exceeded", "test.costs", "Run time: 600.0 s used, limit 600 s; end the session."
    )
    assert at.call("test.number") == {"ok": 7}


def test_a_script_may_not_call_what_is_a_programs_alone() -> None:
    at = desk()

    assert at.call("test.program_only", origin="onUse") == error(
        "unavailable", "test.programOnly", "test.programOnly is not available to an onUse script."
    )
    assert at.call("test.number", origin="onUse") == {"ok": 7}
    assert [(event.operation, event.origin) for event in at.captured.of(ApiCall)] == [
        ("test.program_only", "onUse"),
        ("test.number", "onUse"),
    ]


@pytest.mark.parametrize(("origin", "is_shut"), [("program", True), ("tool", True), ("onUse", False)])
def test_the_gate_is_asked_of_a_reply_and_not_of_what_runs_after_it(origin: RunOrigin, is_shut: bool) -> None:
    def shut(operation: Operation) -> None:
        raise Refusal("refused", f"{operation.spelling} waits.", kind="pending_compaction")

    answer = Desk(gate=shut).call("views.open_text", "a", "b", origin=origin)

    waits = error("refused", "views.openText", "views.openText waits.")
    assert answer == (waits if is_shut else {"ok": None})


def test_the_duration_is_the_hosts_time_on_the_call() -> None:
    at = desk()
    slow = operation("slow", lambda caller, bound: at.clock.advance(0.0015))
    at.operations = {slow.id: slow}
    at.granted = frozenset({slow.id})
    at.call("test.slow")

    assert [event.duration_us for event in at.captured.of(ApiCall)] == [1500]


def test_events_of_the_call_itself_stand_before_its_own() -> None:
    def note(caller: Caller, bound: object) -> None:
        caller.emit(ApiCall(turn=0, operation="inner", ok=True, duration_us=0, origin="program"))

    noting = operation("note", note)
    at = Desk(operations={noting.id: noting}, granted=frozenset({noting.id}))
    at.call("test.note")

    assert [event.operation for event in at.captured.of(ApiCall)] == ["inner", "test.note"]


def test_a_stack_that_cannot_be_read_is_a_defect_and_the_call_is_recorded() -> None:
    def locate() -> str | None:
        raise ValueError("no such frame")

    at = desk()

    assert at.send("test.refuse", "[]", locate=locate) == error(
        "conflict", "test.refuse", "There is one already."
    )
    assert [str(found) for found in at.defects.recorded] == [
        "operation: test.refuse raised ValueError('no such frame')"
    ]
    assert [event.place for event in at.captured.of(ApiCall)] == [None]


FULL = RecordUnwritable(Path("events.ndjson"), "No space left on device")


def full_disk(event: Event) -> None:
    raise FULL


def test_a_record_that_cannot_be_written_ends_the_call_with_an_exception() -> None:
    at = desk(emit=full_disk)

    with pytest.raises(RecordUnwritable) as caught:
        at.call("test.number")

    assert caught.value is FULL
    assert at.defects.recorded == []


def test_a_record_that_cannot_be_written_within_the_call_is_latched_once_and_raised() -> None:
    def view(caller: Caller, bound: object) -> None:
        caller.emit(ApiCall(turn=0, operation="inner", ok=True, duration_us=0, origin="program"))

    viewing = operation("view", view)
    at = Desk(operations={viewing.id: viewing}, granted=frozenset({viewing.id}), emit=full_disk)

    with pytest.raises(RecordUnwritable):
        at.call("test.view")

    assert at.defects.recorded == [FULL]


class FullLatch(Defects):
    """A latch whose report of a defect meets the full disk, too."""

    def record(self, defect: HostDefect) -> None:
        super().record(defect)
        raise FULL


def test_a_defect_that_cannot_be_recorded_ends_the_call_with_an_exception() -> None:
    latch = FullLatch()

    with pytest.raises(RecordUnwritable):
        desk(defects=latch).call("test.stumble")

    assert [str(found) for found in latch.recorded] == ["operation: test.stumble raised KeyError('absent')"]
