"""Replies carried out as calls of tools, over the real bracket and a real store."""

import json
from collections.abc import Mapping
from typing import Any

import pytest

from host.context import Entry, Window
from host.core.errors import HostDefect, Refusal
from host.core.messages import Reply, ToolCall, ToolSpec
from host.events import ApiCall, Event, MemoryRevision, RunOrigin
from host.memories import Holder, MemoryLimits, MemoryStore, strategy_of
from host.operations import OPERATIONS, Bracket, Caller, Grants, Operation
from host.operations.model import Native, NoArguments
from host.testing import CapturedEvents, FakeClock
from host.turn import Ending, EndingFlag, Latch, ToolCalling
from host.turn.modes.tool_calling import MAX_CALLS
from host.turn.outcome import Fault
from host.turn.runner import Times

UNBOUNDED = MemoryLimits(
    max_count=0, max_len_per_memory=0, max_total_len=0, max_len_index=0, max_len_description=0, max_results=0
)
BREAKS = Operation(
    id="files.break",
    summary="Breaks.",
    arguments=NoArguments,
    run=lambda caller, arguments: {}["absent"],
    native=Native("break"),
)
TABLE = {**OPERATIONS, BREAKS.id: BREAKS}
OFFERED = (ToolSpec(name="finish", description="Ends.", parameters="{}"),)


class Agent:
    """One agent that calls tools and keeps memories, without a loop around it."""

    def __init__(
        self,
        *,
        max_calls: int = MAX_CALLS,
        is_out_of_time: bool = False,
        endings: tuple[str, ...] = ("session.finish",),
    ) -> None:
        self.window = Window("system")
        self.captured = CapturedEvents()
        self.clock = FakeClock()
        self.notes: list[str] = []
        self.reports: list[int] = []
        self.defects: list[HostDefect] = []
        self.callers: list[tuple[int, RunOrigin]] = []
        self.latch = Latch(self.defects.append)
        self.endings = EndingFlag(self.notes.append)
        strategy = strategy_of("scratchpad")
        grants = Grants(TABLE, strategy.calls | {*endings, BREAKS.id}, native=True)
        self.holder = Holder(
            MemoryStore(number=1, strategy=strategy, limits=UNBOUNDED),
            agent_id="root",
            access="write",
            scope="isolated",
            calls=grants.spellings(),
        )

        def refuse_over_run_time() -> None:
            if is_out_of_time:
                raise Refusal("limit-exceeded", "Run time: 2.0 s used, limit 1 s.", kind="run_time")

        self.mode = ToolCalling(
            tools=OFFERED,
            ends="`finish`",
            bracket=Bracket(
                grants=grants, latch=self.latch, clock=self.clock, refuse_over_run_time=refuse_over_run_time
            ),
            latch=self.latch,
            endings=self.endings,
            caller=self.caller,
            report_state=lambda: self.reports.append(len(self.captured.events)),
            note=self.notes.append,
            clock=self.clock,
            max_calls=max_calls,
        )

    def emit(self, event: Event) -> None:
        self.captured.emit(event, agent_id="root")
        self.clock.advance(0.25)

    def caller(self, turn: int, origin: RunOrigin) -> Caller:
        self.callers.append((turn, origin))
        return Caller(
            agent_id="root",
            turn=turn,
            origin=origin,
            window=self.window,
            endings=self.endings,
            code=None,
            docs=None,
            holder=self.holder,
            workspace=None,
            emit=self.emit,
        )

    def held(self) -> list[str]:
        return [memory.name for memory in self.holder.state().memories]

    def made(self) -> list[tuple[str, str | None]]:
        return [(call.operation, call.code) for call in self.captured.of(ApiCall)]


def call(name: str, arguments: Mapping[str, Any] | str = "{}", id_: str = "") -> ToolCall:
    text = arguments if isinstance(arguments, str) else json.dumps(arguments)
    return ToolCall(id=id_ or name, name=name, arguments=text)


def write(name: str, id_: str = "") -> ToolCall:
    return call("write_memory", {"name": name, "description": "d", "body": "b"}, id_ or name)


def finish(summary: str = "done", id_: str = "finish") -> ToolCall:
    return call("finish", {"summary": summary}, id_)


def answers(kept: tuple[Entry, ...]) -> list[str]:
    return [entry.text for entry in kept if entry.role == "tool"]


MISSING = call("delete_memory", {"name": "none"}, "m")
NOT_THERE = "not-found: Cannot delete `none`: there is no memory of that name."
BROKEN = call("write_memory", "{odd", "odd")
NO_JSON = (
    "invalid-argument: write_memory: its arguments are no JSON:"
    " Expecting property name enclosed in double quotes: line 1 column 2 (char 1)"
)


def test_each_call_is_carried_out_and_answered_in_order() -> None:
    agent = Agent()
    carried = agent.mode.carry_out(
        Reply(text="Noting.", tool_calls=(write("a", "x"), write("b", "y"))), turn=3
    )

    message, first, second = carried.kept
    assert message == Entry(
        role="assistant", band="calls", text="Noting.", tool_calls=(write("a", "x"), write("b", "y"))
    )
    assert (first.role, first.band, first.answers, second.answers) == ("tool", "result", "x", "y")
    assert [json.loads(text)["count"] for text in answers(carried.kept)] == [1, 2]
    assert (carried.fault, carried.notices) == (None, ())
    assert [(revision.name, revision.turn) for revision in agent.captured.of(MemoryRevision)] == [
        ("a", 3),
        ("b", 3),
    ]
    assert agent.callers == [(3, "tool")]
    assert [event.origin for event in agent.captured.of(ApiCall)] == ["tool", "tool"]


def test_the_state_is_reported_once_when_all_calls_are_made() -> None:
    agent = Agent()
    carried = agent.mode.carry_out(Reply(tool_calls=(write("a"), write("b"), MISSING)), turn=1)

    assert agent.reports == [len(agent.captured.events)]
    assert carried.times == Times(run_s=0.25 * len(agent.captured.events))


def test_calls_go_on_after_one_has_failed() -> None:
    agent = Agent()
    carried = agent.mode.carry_out(Reply(tool_calls=(MISSING, BROKEN, write("a"))), turn=1)

    assert agent.held() == ["a"]
    assert [text.partition(" Give ")[0] for text in answers(carried.kept)[:2]] == [NOT_THERE, NO_JSON]
    assert agent.made() == [
        ("memories.delete_memory", "not-found"),
        ("memories.write_memory", "invalid-argument"),
        ("memories.write_memory", None),
    ]


def test_a_failed_call_is_no_error_turn() -> None:
    assert Agent().mode.carry_out(Reply(tool_calls=(MISSING, MISSING)), turn=1).fault is None


@pytest.mark.parametrize("text", ["I am done.", "", '```json\n{"name": "finish", "arguments": {}}\n```'])
def test_a_reply_without_a_call_is_an_error_turn_and_its_text_is_kept(text: str) -> None:
    agent = Agent()
    carried = agent.mode.carry_out(Reply(text=text), turn=1)

    assert carried.kept == (Entry(role="assistant", band="calls", text=text),)
    assert carried.fault == Fault(
        "rejected",
        "missing_completion_no_call",
        "Notice",
        "The reply called no tool, and nothing was done. Call a tool; `finish` ends the session.",
    )
    assert (agent.captured.events, agent.reports) == ((), [])


UNPARSABLE = [
    ((BROKEN,), NO_JSON),
    ((BROKEN, write("a"), BROKEN), NO_JSON),
    (
        (
            BROKEN,
            call("delete_memory", "[]"),
            call("finish", "1"),
            call("finish", "null"),
            call("break", '""'),
        ),
        f"{NO_JSON}\ninvalid-argument: delete_memory: its arguments want an object and got an array.\n"
        "invalid-argument: finish: its arguments want an object and got the number 1.\nand 2 more",
    ),
]


@pytest.mark.parametrize(("calls", "told"), UNPARSABLE, ids=range(len(UNPARSABLE)))
def test_arguments_that_cannot_be_read_are_an_error_turn(calls: tuple[ToolCall, ...], told: str) -> None:
    carried = Agent().mode.carry_out(Reply(tool_calls=calls), turn=1)

    assert carried.fault == Fault("rejected", "model_parse", None, told)


REVOKED = "The session goes on: `finish` counts only where every other call of the reply succeeded."
ENDINGS = [
    pytest.param((finish(),), "done", id="alone"),
    pytest.param((finish(), write("a")), "done", id="before another call"),
    pytest.param((write("a"), finish()), "done", id="after another call"),
    pytest.param((finish("one"), finish("two")), "two", id="declared twice"),
    pytest.param((finish(), MISSING), None, id="before a call that fails"),
    pytest.param((MISSING, finish()), None, id="after a call that failed"),
    pytest.param((finish(), BROKEN), None, id="beside a call that cannot be read"),
    pytest.param((finish("one"), finish(" ")), None, id="declared again without a summary"),
    pytest.param((finish(" "), finish("two")), None, id="declared once more, after one without a summary"),
    pytest.param((finish(), call("nowhere")), None, id="beside a tool that does not exist"),
]


@pytest.mark.parametrize(("calls", "summary"), ENDINGS)
def test_an_ending_counts_where_every_other_call_succeeded(
    calls: tuple[ToolCall, ...], summary: str | None
) -> None:
    agent = Agent()
    carried = agent.mode.carry_out(Reply(tool_calls=calls), turn=1)

    assert agent.endings.declared == (Ending("finish", summary) if summary else None)
    is_revoked = summary is None
    assert carried.notices == ((("ending_revoked", REVOKED),) if is_revoked else ())
    assert agent.notes[-1:] == (
        ["the ending was revoked: another call of the reply failed"] if is_revoked else agent.notes[-1:]
    )


REVIEWING = ("session.approve", "session.request_changes")
CHANGES = call("request_changes", {"items": ["a", "b"]})
VERDICTS = [
    pytest.param((call("approve"),), Ending("approve"), id="approval"),
    pytest.param((CHANGES,), Ending("request_changes", items=("a", "b")), id="changes"),
    pytest.param((CHANGES, call("approve")), Ending("approve"), id="the latest"),
    pytest.param((call("approve"), MISSING), None, id="beside a call that fails"),
    pytest.param((call("approve"), finish()), None, id="beside the ending of another role"),
    pytest.param((call("approve"), call("request_changes", {"items": []})), None, id="beside an empty one"),
]


@pytest.mark.parametrize(("calls", "ending"), VERDICTS)
def test_a_verdict_counts_where_every_other_call_succeeded(
    calls: tuple[ToolCall, ...], ending: Ending | None
) -> None:
    agent = Agent(endings=REVIEWING)
    agent.mode.carry_out(Reply(tool_calls=calls), turn=1)

    assert agent.endings.declared == ending


def test_a_failure_without_an_ending_is_told_by_its_answer_alone() -> None:
    agent = Agent()

    assert agent.mode.carry_out(Reply(tool_calls=(MISSING, finish(" "))), turn=1).notices == ()
    assert agent.notes == []


def test_after_a_fault_of_ggs_own_nothing_more_is_carried_out() -> None:
    agent = Agent()
    calls = (write("a"), call("break", id_="b"), write("c"), finish())
    carried = agent.mode.carry_out(Reply(tool_calls=calls), turn=1)

    assert [str(defect).partition(":")[0] for defect in agent.defects] == ["operation"]
    assert answers(carried.kept)[1:] == [
        "io-error: break could not be carried out.",
        "io-error: The call was not carried out.",
        "io-error: The call was not carried out.",
    ]
    assert [entry.answers for entry in carried.kept[1:]] == ["a", "b", "c", "finish"]
    assert (agent.held(), agent.endings.declared) == (["a"], None)
    assert agent.made() == [("memories.write_memory", None), ("files.break", "io-error")]


def test_a_reply_makes_so_many_calls_and_no_more() -> None:
    agent = Agent(max_calls=2)
    calls = (write("a"), finish(), write("c"), write("d"))
    carried = agent.mode.carry_out(Reply(tool_calls=calls), turn=1)

    assert answers(carried.kept)[2:] == [
        "limit-exceeded: Call 3 of the reply, limit 2; make it in a later one.",
        "limit-exceeded: Call 4 of the reply, limit 2; make it in a later one.",
    ]
    assert (agent.held(), agent.endings.declared, carried.fault) == (["a"], None, None)
    assert agent.notes == [
        "the reply made 4 calls, and the first 2 alone are carried out",
        "the ending was revoked: another call of the reply failed",
    ]


def test_the_bound_of_a_reply_is_that_of_a_program() -> None:
    agent = Agent()
    calls = tuple(call("delete_memory", {"name": "none"}, str(place)) for place in range(10_001))
    carried = agent.mode.carry_out(Reply(tool_calls=calls), turn=1)

    assert len(agent.made()) == 10_000
    assert answers(carried.kept)[-1] == (
        "limit-exceeded: Call 10,001 of the reply, limit 10,000; make it in a later one."
    )


def test_when_the_time_of_the_run_is_spent_it_can_still_be_ended() -> None:
    agent = Agent(is_out_of_time=True)
    refused = agent.mode.carry_out(Reply(tool_calls=(write("a"),)), turn=1)
    agent.mode.carry_out(Reply(tool_calls=(finish(),)), turn=2)

    assert answers(refused.kept) == ["limit-exceeded: Run time: 2.0 s used, limit 1 s."]
    assert agent.endings.declared == Ending("finish", "done")


def test_each_answer_has_one_call_that_it_can_belong_to() -> None:
    agent = Agent()
    calls = tuple(ToolCall(id=id_, name="finish", arguments="{") for id_ in ("", "a", "a"))
    carried = agent.mode.carry_out(Reply(tool_calls=calls), turn=7)

    message, *results = carried.kept
    assert [made.id for made in message.tool_calls] == ["call_7_1", "a", "call_7_3"]
    assert [entry.answers for entry in results] == ["call_7_1", "a", "call_7_3"]


def test_the_tools_are_offered_and_none_is_forced() -> None:
    mode = Agent().mode

    assert (mode.tools, mode.forced_tool) == (OFFERED, "")
