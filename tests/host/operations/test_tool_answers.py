"""Every way a call of a tool can take through the bracket: its answer, its record, what is latched."""

from typing import Any

import pytest

from host.core.errors import HostDefect, Refusal
from host.events import ApiCall
from host.operations import Caller, Operation, ToolAnswer
from host.operations.dialects import MAX_ANSWER_BYTES, MAX_RESULT_BYTES
from host.operations.model import Arguments, Native, Result
from tests.host.operations.callers import Desk
from tests.host.operations.test_bracket import (
    EchoArguments,
    Echoed,
    break_down,
    operation,
    over_time,
    refuse,
    stumble,
)


class RenamedArguments(Arguments):
    loud_text: str


class Nested(Result):
    """Results within one another."""

    inner_parts: list[Echoed]


TABLE = {
    row.id: row
    for row in (
        operation("nothing", lambda caller, bound: None, native=Native("do_nothing")),
        operation("number", lambda caller, bound: 7, native=Native("count")),
        operation("say_it", lambda caller, bound: bound.text, arguments=EchoArguments, native=Native("say")),
        operation("object", lambda caller, bound: Echoed(said_twice="aa"), native=Native("echo")),
        operation(
            "nested",
            lambda caller, bound: Nested(inner_parts=[Echoed(said_twice="é")]),
            native=Native("nest"),
        ),
        operation("none_found", lambda caller, bound: [], native=Native("find")),
        operation("refuse", refuse, native=Native("refuse")),
        operation("break_down", break_down, native=Native("break")),
        operation("stumble", stumble, native=Native("stumble")),
        operation("costs", lambda caller, bound: "done", capability="files", native=Native("costs")),
        operation("program_only", lambda caller, bound: None),
        operation(
            "other_form",
            refuse,
            arguments=EchoArguments,
            native=Native(
                "shout", arguments=RenamedArguments, run=lambda caller, bound: bound.loud_text.upper()
            ),
        ),
        operation("withheld", lambda caller, bound: None, native=Native("withheld")),
    )
}
GRANTED = frozenset(TABLE) - {"test.withheld"}
ALL_TOOLS = "do_nothing, count, say, echo, nest, find, refuse, break, stumble, costs and shout"


def desk(**parts: Any) -> Desk:  # noqa: ANN401  (parts of a desk)
    return Desk(operations=TABLE, granted=GRANTED, **parts)


OK = [
    ("do_nothing", "test.nothing", "{}", "null"),
    ("count", "test.number", "{}", "7"),
    ("say", "test.say_it", '{"text":"é\\n"}', '"é\\n"'),
    ("echo", "test.object", "{}", '{"said_twice":"aa","nothing":null}'),
    ("nest", "test.nested", "{}", '{"inner_parts":[{"said_twice":"é","nothing":null}]}'),
    ("find", "test.none_found", "{}", "[]"),
    ("costs", "test.costs", "{}", '"done"'),
    ("shout", "test.other_form", '{"loud_text":"a"}', '"A"'),
]


@pytest.mark.parametrize(("name", "operation_id", "arguments_json", "text"), OK)
def test_a_call_that_succeeds(name: str, operation_id: str, arguments_json: str, text: str) -> None:
    at = desk()

    assert at.send_tool(name, arguments_json) == ToolAnswer(
        text=text, ok=True, is_unparsable=False, operation_id=operation_id
    )
    assert at.captured.events == (
        ApiCall(turn=3, operation=operation_id, ok=True, duration_us=0, origin="tool"),
    )
    assert at.defects.recorded == []


REFUSED = [
    pytest.param("refuse", "test.refuse", "{}", "conflict", "There is one already.", False, id="refusal"),
    pytest.param(
        "withheld",
        "test.withheld",
        "{}",
        "unavailable",
        "withheld is not available to this agent. The calls there are: break, costs, nest, find, do_nothing,"
        " count, echo, shout, refuse, say and stumble.",
        False,
        id="ungranted",
    ),
    pytest.param(
        "test.refuse",
        "test.refuse",
        "{}",
        "unavailable",
        f"test.refuse is not available to this agent. Did you mean refuse? The calls there are: {ALL_TOOLS}.",
        False,
        id="a program's name",
    ),
    pytest.param(
        "sya\n",
        "sya\\u000a",
        "[",
        "unavailable",
        f"sya\\u000a is not available to this agent. The calls there are: {ALL_TOOLS}.",
        False,
        id="no such tool, whatever its arguments",
    ),
    pytest.param(
        "say",
        "test.say_it",
        '{"text":5}',
        "invalid-argument",
        "say: text wants a string and got the number 5.",
        False,
        id="malformed",
    ),
    pytest.param(
        "shout",
        "test.other_form",
        '{"text":"a"}',
        "invalid-argument",
        "shout does not know `text`. Did you mean loud_text?",
        False,
        id="a program's argument",
    ),
    pytest.param(
        "say",
        "test.say_it",
        "say it",
        "invalid-argument",
        "say: its arguments are no JSON: Expecting value: line 1 column 1 (char 0)",
        True,
        id="no JSON",
    ),
    pytest.param(
        "say",
        "test.say_it",
        "[]",
        "invalid-argument",
        "say: its arguments want an object and got an array.",
        True,
        id="no object",
    ),
]


@pytest.mark.parametrize(
    ("name", "operation_id", "arguments_json", "code", "message", "is_unparsable"), REFUSED
)
def test_a_call_that_is_refused(
    name: str, operation_id: str, arguments_json: str, code: str, message: str, is_unparsable: bool
) -> None:
    at = desk()

    assert at.send_tool(name, arguments_json) == ToolAnswer(
        text=f"{code}: {message}", ok=False, is_unparsable=is_unparsable, operation_id=operation_id
    )
    assert at.captured.events == (
        ApiCall(
            turn=3,
            operation=operation_id,
            ok=False,
            code=code,
            message=message,
            duration_us=0,
            origin="tool",
        ),
    )
    assert at.defects.recorded == []


def test_what_only_programs_call_is_no_tool_by_any_name() -> None:
    answers = [desk().tool(name).partition(":")[0] for name in ("program_only", "programOnly")]

    assert answers == ["unavailable", "unavailable"]


def test_of_very_many_tools_the_first_are_named() -> None:
    rows = [operation(f"n{number}", refuse, native=Native(f"tool_{number}")) for number in range(1, 43)]
    at = Desk(operations={row.id: row for row in rows}, granted=frozenset(row.id for row in rows))

    first = ", ".join(f"tool_{number}" for number in range(1, 41))
    assert at.tool("x" * 1_000_000) == (
        f"unavailable: {'x' * 80}… is not available to this agent. The calls there are: {first} and 2 more."
    )


BROKEN = [
    ("break", "test.break_down", "compiler: it is gone"),
    ("stumble", "test.stumble", "operation: test.stumble raised KeyError('absent')"),
]


@pytest.mark.parametrize(("name", "operation_id", "defect"), BROKEN)
def test_a_fault_of_ggs_own_is_latched_and_the_model_learns_nothing_of_it(
    name: str, operation_id: str, defect: str
) -> None:
    at = desk()

    assert at.tool(name) == f"io-error: {name} could not be carried out."
    assert [str(found) for found in at.defects.recorded] == [defect]
    assert [(event.operation, event.code) for event in at.captured.of(ApiCall)] == [
        (operation_id, "io-error")
    ]


def test_once_the_runs_time_is_spent_only_reporting_and_ending_go_on() -> None:
    at = desk(refuse_over_run_time=over_time)

    assert at.tool("costs") == ("limit-exceeded: Run time: 600.0 s used, limit 600 s; end the session.")
    assert at.tool("count") == "7"


def giving(text: str, native: Native) -> Desk:
    row = operation("give", lambda caller, bound: text, native=native)
    return Desk(operations={row.id: row}, granted=frozenset({row.id}))


ANSWERS = [
    pytest.param("x" * (MAX_ANSWER_BYTES - 2), Native("give"), None, id="at the cap"),
    pytest.param("é" * (MAX_ANSWER_BYTES // 2 - 1), Native("give"), None, id="counted in UTF-8"),
    pytest.param(
        "x" * (MAX_ANSWER_BYTES - 1),
        Native("give"),
        "The answer of give has 65,537 of 65,536 bytes; ask for less.",
        id="one byte over",
    ),
    pytest.param(
        "\n" * (MAX_ANSWER_BYTES // 2),
        Native("give", narrow="give a smaller `limit`"),
        "The answer of give has 65,538 of 65,536 bytes; give a smaller `limit`.",
        id="over it once escaped, with what helps",
    ),
    pytest.param("x" * MAX_ANSWER_BYTES, Native("give", is_capped=False), None, id="without a cap"),
    pytest.param(
        "x" * MAX_RESULT_BYTES,
        Native("give", is_capped=False),
        "Value: 8,388,610 bytes, limit 8,388,608 bytes.",
        id="over what any value may have",
    ),
]


@pytest.mark.parametrize(("text", "native", "message"), ANSWERS)
def test_an_answer_has_a_cap(text: str, native: Native, message: str | None) -> None:
    answer = giving(text, native).send_tool("give", "{}")

    assert answer.ok is (message is None)
    if message is not None:
        assert answer.text == f"limit-exceeded: {message}"


def shut(operation: Operation) -> None:
    raise Refusal("refused", f"{operation.id} waits for a compaction.", kind="gate")


def keep_out(caller: Caller, arguments_json: str) -> None:
    raise Refusal("refused", f"Not for {caller.agent_id}: {arguments_json}", kind="access")


GATED = operation(
    "gated", refuse, arguments=EchoArguments, capability="files", native=Native("gated"), admit=keep_out
)
OPEN = operation("open", refuse, arguments=EchoArguments, capability="files", native=Native("open"))
ORDER = [
    pytest.param(
        GATED,
        {"refuse_over_run_time": over_time, "gate": shut},
        "refused",
        "Not for root: ",
        id="access before budget, gate and shape",
    ),
    pytest.param(
        OPEN,
        {"refuse_over_run_time": over_time, "gate": shut},
        "limit-exceeded",
        "Run time: 600.0 s used, limit 600 s; end the session.",
        id="budget before gate and shape",
    ),
    pytest.param(
        OPEN, {"gate": shut}, "refused", "test.open waits for a compaction.", id="gate before shape"
    ),
]


@pytest.mark.parametrize(("row", "parts", "code", "message"), ORDER)
def test_refusals_come_in_one_order_from_programs_and_from_replies(
    row: Operation, parts: dict[str, Any], code: str, message: str
) -> None:
    at = Desk(operations={row.id: row}, granted=frozenset({row.id}), **parts)

    by_tool = at.send_tool(row.id.partition(".")[2], '{"text":5}')
    by_program = at.call(row.id, 5)["error"]

    assert by_tool.text.startswith(f"{code}: {message}")
    assert by_program["code"] == code
    assert by_program["message"].startswith(message)


def test_access_says_more_than_that_a_call_is_not_granted() -> None:
    at = Desk(operations={GATED.id: GATED}, granted=frozenset())

    assert at.tool("gated", text="a") == 'refused: Not for root: {"text": "a"}'
    assert at.call(GATED.id, "a")["error"]["message"] == 'Not for root: ["a"]'


def test_a_gate_is_not_asked_for_what_is_not_granted() -> None:
    at = Desk(operations={OPEN.id: OPEN}, granted=frozenset(), gate=shut)

    assert at.tool("open") == "unavailable: open is not available to this agent."


def test_a_gate_is_not_asked_for_scripts() -> None:
    at = desk(gate=shut)

    assert at.call("test.number")["error"]["message"] == "test.number waits for a compaction."
    assert at.call("test.number", origin="onUse") == {"ok": 7}


def test_each_refusal_is_noted_once_whatever_refused_it() -> None:
    noted: list[tuple[str, str, str]] = []

    def note(caller: Caller, arguments_json: str, refusal: Refusal) -> None:
        noted.append((arguments_json, refusal.code, refusal.kind))

    def run(caller: Caller, bound: Any) -> object:  # noqa: ANN401  (arguments of the call)
        if bound.text == "broken":
            raise HostDefect("compiler", "it is gone")
        return refuse(caller, bound)

    row = operation("noted", run, arguments=EchoArguments, native=Native("noted"), note_refusal=note)
    at = Desk(operations={row.id: row}, granted=frozenset({row.id}))
    at.send_tool("noted", '{"text":"a"}')
    at.send_tool("noted", '{"text":"broken"}')
    at.send_tool("noted", "[")
    at.send("test.noted", "[5]")
    at.gate = shut
    at.send_tool("noted", '{"text":"a"}')
    at.granted = frozenset()
    at.send_tool("noted", '{"text":"a"}')
    at.send("test.noted", '["a"]')

    assert noted == [
        ('{"text":"a"}', "conflict", "duplicate"),
        ('{"text":"broken"}', "io-error", "defect"),
        ("[", "invalid-argument", "unparsable"),
        ("[5]", "invalid-argument", "arguments"),
        ('{"text":"a"}', "refused", "gate"),
        ('{"text":"a"}', "unavailable", "not_granted"),
        ('["a"]', "unavailable", "not_granted"),
    ]


def test_a_call_that_succeeds_is_noted_by_nobody() -> None:
    noted: list[Refusal] = []
    row = operation(
        "fine",
        lambda caller, bound: None,
        native=Native("fine"),
        note_refusal=lambda caller, arguments_json, refusal: noted.append(refusal),
    )
    at = Desk(operations={row.id: row}, granted=frozenset({row.id}))

    assert (at.tool("fine"), at.call("test.fine"), noted) == ("null", {"ok": None}, [])
