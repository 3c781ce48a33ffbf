"""Whole runs on real clients: each vendor in both modes, and how a run ends that its model fails."""

import json
import threading
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final, TypeVar

import pytest

from host import Agent, LaunchRefused, Run
from host.app import RunResult, Session
from host.events import (
    AgentEnded,
    AgentSurface,
    EventModel,
    LimitExceeded,
    ModelReply,
    OperatorLog,
    RecordReader,
    SessionSummary,
    StampedEvent,
    TurnOutcome,
    Usage,
    read_events,
    verify_record,
)
from host.launch import validate
from runtime_js import Compiler
from tests.helpers.model_server import Answer, Asked, ModelServer, Said, fault, model_server
from tests.helpers.runs import FINISH, SCRATCHPAD
from tests.host.providers.models.vendors import ANTHROPIC, CHAT, COMPATIBLE, RESPONSES, Vendor

VENDORS: Final = (COMPATIBLE, CHAT, RESPONSES, ANTHROPIC)
vendors = pytest.mark.parametrize("vendor", VENDORS, ids=str)
KEY: Final = "plain-looking-value-77"
NOTE: Final = (
    'import { memories, views } from "gg";\n'
    'memories.writeMemory({ name: "sum", description: "of a and b", body: "3" });\n'
    'views.openText("seen", "forty-two");\n'
)
E = TypeVar("E", bound=EventModel)


@dataclass(frozen=True, kw_only=True)
class Ran:
    result: RunResult
    events: tuple[StampedEvent, ...]
    asked: tuple[Asked, ...]
    record: Path

    def of(self, kind: type[E]) -> list[E]:
        return [stamped.event for stamped in self.events if isinstance(stamped.event, kind)]

    @property
    def notes(self) -> list[str]:
        return [event.text for event in self.of(OperatorLog) if event.source == "host"]


def run(
    vendor: Vendor,
    server: ModelServer,
    out: Path,
    *,
    compiler: Compiler | None = None,
    execution: str = "responses_as_code",
    delivery: str = "reply",
    limits: Mapping[str, Any] | None = None,
    **settings: object,
) -> Ran:
    """Runs one agent of the vendor's model at the server, its key in a variable that says nothing."""
    model = {
        "provider": vendor.name,
        "baseUrl": server.url(vendor.path),
        "apiKeyEnv": "PLAIN",
        "retryMaxDelaySecs": 0.01,
        **settings,
    }
    document = {
        "task": "Do it.",
        "model": model,
        "limits": {"maxTurns": 5, **(limits or {})},
        "agents": [
            {
                "id": "root",
                "execution": execution,
                "codeMode": {"delivery": delivery},
                "capabilities": [{"id": "memories", **SCRATCHPAD}],
            }
        ],
    }
    plan = validate(document, base=out.parent, environ={"PLAIN": KEY})
    result = Session.create(plan, out=out, compiler=compiler).run()
    events = tuple(read_events(out / "events.ndjson"))
    return Ran(result=result, events=events, asked=tuple(server.asked), record=out)


@pytest.fixture(autouse=True)
def _key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLAIN", KEY)


def submits(program: str) -> Said:
    return Said(calls=((f"call_{len(program)}", "submit_program", json.dumps({"program": program})),))


@pytest.mark.slow
@pytest.mark.parametrize("delivery", ["reply", "tool"])
@vendors
def test_replies_are_programs(vendor: Vendor, delivery: str, tmp_path: Path, compiler: Compiler) -> None:
    said = [Said(text=NOTE), Said(text=FINISH)] if delivery == "reply" else [submits(NOTE), submits(FINISH)]
    with model_server(*map(vendor.speaks, said)) as server:
        ran = run(vendor, server, tmp_path / "record", compiler=compiler, delivery=delivery)

    assert (ran.result.status, ran.result.error) == ("completed", None)
    assert [memory.body for memory in ran.result.memories] == ["3"]
    assert "forty-two" in json.dumps(ran.asked[1].body)
    assert KEY in json.dumps(dict(ran.asked[0].headers))
    assert [check for check in verify_record(RecordReader(ran.record)) if not check.ok] == []


@vendors
def test_replies_call_tools(vendor: Vendor, tmp_path: Path) -> None:
    memory = json.dumps({"name": "sum", "description": "of a and b", "body": "3"})
    said = [
        Said(text="I note it.", calls=(("c1", "write_memory", memory), ("c2", "write_memory", '{"name": '))),
        Said(calls=(("c3", "read_memory", '{"name": "sum"}'),)),
        Said(calls=(("c4", "finish", '{"summary": "done"}'),)),
    ]
    with model_server(*map(vendor.speaks, said)) as server:
        ran = run(vendor, server, tmp_path / "record", execution="tool_calling")

    assert (ran.result.status, [memory.body for memory in ran.result.memories]) == ("completed", ["3"])
    assert [outcome.error_type for outcome in ran.of(TurnOutcome)] == ["model_parse", None, None]
    second = json.dumps(ran.asked[1].body)
    assert "invalid-argument" in second  # what was wrong is the answer to the call
    assert "INVALID_JSON" in second  # and the call itself is sent in a form that vendors take
    assert [check for check in verify_record(RecordReader(ran.record)) if not check.ok] == []


def test_the_record_tells_which_model_answered_and_what_it_cost(tmp_path: Path, compiler: Compiler) -> None:
    said = [Said(text=NOTE, cached_tokens=40), Said(text=FINISH)]
    with model_server(*map(ANTHROPIC.speaks, said)) as server:
        ran = run(ANTHROPIC, server, tmp_path / "record", compiler=compiler)

    (surface,) = ran.of(AgentSurface)
    assert surface.model == "anthropic:claude-sonnet-4-6"
    assert [(reply.model, reply.finish_reason) for reply in ran.of(ModelReply)] == [
        ("claude-sonnet-4-6", "stop")
    ] * 2
    assert [(usage.cached_input_tokens, usage.cost, usage.total_cost) for usage in ran.of(Usage)] == [
        (40, 0.000492, 0.000492),
        (None, 0.0006, 0.001092),
    ]
    (summary,) = ran.of(SessionSummary)
    assert (summary.usage.cost, summary.usage.cached_input_tokens) == (0.001092, 40)
    assert str(ran.result.usage.cost) == "0.001092"


ENDS = [
    (fault(401, f"{KEY} is no key."), "auth_error", "model_auth"),
    (fault(403, f"{KEY} may not."), "auth_error", "model_auth"),
    (fault(404, f"No such model for {KEY}."), "model_error", "model_rejected"),
    (fault(500, f"{KEY} broke us."), "model_error", "model_retry_exhausted"),
]


@pytest.mark.parametrize(("answer", "status", "error_type"), ENDS)
@vendors
def test_a_failure_ends_the_run_and_no_text_has_the_key(
    vendor: Vendor, answer: Answer, status: str, error_type: str, tmp_path: Path
) -> None:
    with model_server(answer, answer) as server:
        ran = run(vendor, server, tmp_path / "record", execution="tool_calling", maxRetries=1)

    (summary,) = ran.of(SessionSummary)
    assert (ran.result.status, ran.result.exit_code) == (status, 1)
    assert (summary.status, summary.error_type, summary.turns) == (status, error_type, 0)
    assert ran.result.error == summary.error
    assert "[masked:PLAIN]" in (ran.result.error or "")
    everything = [path.read_bytes() for path in ran.record.rglob("*") if path.is_file()]
    assert [KEY.encode() in text for text in everything] == [False] * len(everything)


def test_each_attempt_is_told_as_it_fails(tmp_path: Path, compiler: Compiler) -> None:
    answers = [fault(500, f"{KEY} broke us."), fault(429, "Slowly."), COMPATIBLE.speaks(Said(text=FINISH))]
    with model_server(*answers) as server:
        ran = run(COMPATIBLE, server, tmp_path / "record", compiler=compiler)

    assert ran.result.status == "completed"
    assert ran.notes == [
        "openai:gpt-4o: HTTP 500: [masked:PLAIN] broke us.; waiting 0.0 s, then attempt 2 of 11",
        "openai:gpt-4o: HTTP 429: Slowly.; waiting 0.0 s, then attempt 3 of 11",
    ]
    assert ran.of(TurnOutcome)[0].turns == 1


NOT_WHOLE = [("length", "model_length_capped"), ("timeout", "model_timeout")]


@pytest.mark.parametrize(("reason", "error_type"), NOT_WHOLE)
@vendors
def test_of_a_reply_that_is_not_whole_nothing_is_used(
    vendor: Vendor, reason: str, error_type: str, tmp_path: Path, compiler: Compiler
) -> None:
    half = vendor.speaks(Said(text=NOTE[:60], finish="length"))
    if reason == "timeout":
        half = replace(half, pieces=half.pieces[:2], holds=True)
    with model_server(half, vendor.speaks(Said(text=FINISH))) as server:
        ran = run(vendor, server, tmp_path / "record", compiler=compiler, timeoutSecs=0.5)

    assert ran.result.status == "completed"
    assert [reply.finish_reason for reply in ran.of(ModelReply)] == [reason, "stop"]
    assert [outcome.error_type for outcome in ran.of(TurnOutcome)] == [error_type, None]
    assert ran.asked[0].body == ran.asked[1].body


def test_an_empty_reply_is_an_error_turn_that_the_model_is_told_of(tmp_path: Path) -> None:
    said = [Said(), Said(calls=(("c1", "finish", '{"summary": "done"}'),))]
    with model_server(*map(ANTHROPIC.speaks, said)) as server:
        ran = run(ANTHROPIC, server, tmp_path / "record", execution="tool_calling")

    assert [outcome.error_type for outcome in ran.of(TurnOutcome)] == ["missing_completion_no_call", None]
    assert [message["role"] for message in ran.asked[1].body["messages"]] == ["user"]


def test_a_run_ends_before_the_call_that_its_money_does_not_reach_for(
    tmp_path: Path, compiler: Compiler
) -> None:
    with model_server(*[ANTHROPIC.speaks(Said(text=NOTE))] * 3) as server:
        ran = run(ANTHROPIC, server, tmp_path / "record", compiler=compiler, limits={"maxCost": 0.0012})

    (breach,) = ran.of(LimitExceeded)
    assert (ran.result.status, ran.result.exit_code) == ("limit_exceeded", 3)
    assert (breach.limit, breach.threshold, breach.observed, breach.turns) == ("maxCost", 0.0012, 0.0012, 2)
    assert len(ran.asked) == 2


def test_a_limit_of_cost_that_nothing_counts_toward_is_told_once(tmp_path: Path, compiler: Compiler) -> None:
    said = [Said(text=NOTE), Said(text=FINISH)]
    with model_server(*map(COMPATIBLE.speaks, said)) as server:
        ran = run(COMPATIBLE, server, tmp_path / "record", compiler=compiler, limits={"maxCost": 0.0001})

    assert ran.result.status == "completed"
    assert ran.notes == ["maxCost is written, and no price of gpt-4o is known: its replies do not count"]


def test_the_time_of_a_run_ends_the_wait_for_a_vendor(tmp_path: Path, compiler: Compiler) -> None:
    with model_server(fault(429, "Slowly.", headers={"retry-after": "3000"})) as server:
        ran = run(COMPATIBLE, server, tmp_path / "record", compiler=compiler, limits={"maxRuntimeSecs": 0.5})

    assert (ran.result.status, len(ran.asked)) == ("timed_out", 1)


def test_a_run_that_is_canceled_waits_no_longer(tmp_path: Path) -> None:
    document = {
        "task": "Do it.",
        "agents": [{"id": "root", "execution": "tool_calling", "model": "openai:gpt-4o"}],
    }
    with model_server(fault(429, "Slowly.", headers={"retry-after": "3000"})) as server:
        document["agents"][0]["model"] = {  # type: ignore[index]
            "provider": "openai:gpt-4o",
            "baseUrl": server.url("/v1"),
        }
        session = Session.create(validate(document, base=tmp_path), out=tmp_path / "record")
        session.subscribe(
            lambda stamped: session.cancel() if isinstance(stamped.event, OperatorLog) else None
        )
        result = session.run()

    assert (result.status, result.error) == ("canceled", None)


def test_agents_share_one_connection_and_each_is_told_of_its_own_failure(tmp_path: Path) -> None:
    """A subagent's model that refuses ends the subagent; its spawner goes on."""
    spawns = Said(calls=(("c1", "spawn_subagent", '{"agent": "helper", "prompt": "Help."}'),))
    waits = Said(calls=(("c2", "wait_for_subagents", "{}"),))
    ends = Said(calls=(("c3", "finish", '{"summary": "done"}'),))
    left = [spawns, waits, ends]
    lock = threading.Lock()

    def policy(asked: Asked) -> Answer:
        if asked.body["model"] == "helper-model":
            return fault(404, "No such model.")
        with lock:
            return COMPATIBLE.speaks(left.pop(0))

    with model_server() as server:
        server.policy = policy
        of = {"baseUrl": server.url("/v1")}
        delegates = {"id": "delegation"}
        roster = [{"agent": "helper", "as": "subagent"}]
        agents = [
            {
                "id": "root",
                "execution": "tool_calling",
                "model": {"provider": "openai:root-model", **of},
                "roster": roster,
                "capabilities": [delegates],
            },
            {"id": "helper", "execution": "tool_calling", "model": {"provider": "openai:helper-model", **of}},
        ]
        plan = validate({"task": "Do it.", "agents": agents, "limits": {"maxTurns": 5}}, base=tmp_path)
        result = Session.create(plan, out=tmp_path / "record").run()

    events = [stamped.event for stamped in read_events(tmp_path / "record" / "events.ndjson")]
    (ended,) = [event for event in events if isinstance(event, AgentEnded)]
    assert (result.status, result.error) == ("completed", None)
    assert (ended.status, ended.error_type) == ("model_error", "model_rejected")
    assert ended.error == "openai:helper-model: HTTP 404: No such model."


def test_agents_that_are_at_work_finish_the_request_that_they_have_sent(tmp_path: Path) -> None:
    """Two are answered at the same time, and nobody asks any more."""
    help_ = '{"agent": "helper", "prompt": "Help."}'
    started = [(f"c{number}", "spawn_subagent", help_) for number in (1, 2)]
    spawns = Said(calls=(*started, ("c3", "wait_for_subagents", "{}")))
    both_asked = threading.Barrier(2)

    def policy(asked: Asked) -> Answer:
        if "Help." in json.dumps(asked.body):
            both_asked.wait(timeout=20)
            return ANTHROPIC.speaks(Said(calls=(("c1", "search_memories", "{}"),)))
        return ANTHROPIC.speaks(spawns)

    with model_server() as server:
        server.policy = policy
        model = {"provider": ANTHROPIC.name, "baseUrl": server.url()}
        agents = [
            {
                "id": "root",
                "execution": "tool_calling",
                "roster": [{"agent": "helper", "as": "subagent"}],
                "capabilities": [{"id": "delegation"}],
            },
            {"id": "helper", "execution": "tool_calling"},
        ]
        document = {"task": "Do it.", "model": model, "agents": agents, "limits": {"maxCost": 0.0007}}
        result = Session.create(validate(document, base=tmp_path), out=tmp_path / "record").run()

    assert (result.status, str(result.usage.cost)) == ("limit_exceeded", "0.0018")
    assert len(server.asked) == 3


def test_the_library_takes_the_name_of_a_model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Vendor's own variables, the key's and the address's, and the cache that is asked for there."""
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-of-the-vendor")
    agent = Agent(id="root", model="anthropic:claude-sonnet-4-6", execution="tool_calling")
    said = Said(calls=(("c1", "finish", '{"summary": "done"}'),))
    with model_server(ANTHROPIC.speaks(said)) as server:
        monkeypatch.setenv("ANTHROPIC_BASE_URL", server.url())
        result = Run("Do it.", [agent], out=tmp_path / "record").execute()
        (asked,) = server.asked

    assert (result.status, str(result.usage.cost)) == ("completed", "0.0006")
    assert "sk-of-the-vendor" in str(asked.headers)
    assert "cache_control" in json.dumps(asked.body)


def test_the_library_refuses_a_model_without_its_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)

    with pytest.raises(LaunchRefused, match="set the environment variable OPENAI_API_KEY"):
        Run("Do it.", [Agent(id="root", model="openai:gpt-5")])
