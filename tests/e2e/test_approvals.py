"""Approvals in whole runs: the same rules and answers from a program and from a reply that calls tools."""

import json
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import psutil
import pytest

from host.app import Session
from host.core.messages import Message, Reply
from host.events import (
    AgentSurface,
    ApiCall,
    Approval,
    CodeExecution,
    EventModel,
    RecordReader,
    StampedEvent,
    read_events,
    verify_record,
)
from host.launch import ScriptedModel, validate
from host.operations import ApprovalAnswer, ApprovalRequest
from runtime_js import Compiler, guest_globals
from sandbox import Call, GuestProgram, HitCeiling, Limits, SandboxPool
from tests.helpers.acts import finishes, spawns, waits
from tests.helpers.hosts import kind_of
from tests.helpers.runs import FINISH, FINISHES, calls
from tests.helpers.teams import Script, failed_checks, run_team, starts

WAIT_S: Final = 60.0
Approve = Callable[[ApprovalRequest], ApprovalAnswer | bool | None]
Execution = str
CODE: Final = "responses_as_code"
EXECUTIONS: Final = (CODE, "tool_calling")

_SHOWS: Final = """\
import { local } from "gg:tools";
import { views } from "gg";
const told: string[] = [];
%s
views.openText("told", JSON.stringify(told));
"""
_ONE: Final = """\
try { told.push(await local.push({ remote: %s })); }
catch (error: any) { told.push(`${error.code}: ${error.message}`); }
"""


class Remotes:
    """What a tool has done."""

    def __init__(self) -> None:
        self.pushed: list[str] = []

    def push(self, remote: str) -> str:
        """Sends it away."""
        self.pushed.append(remote)
        return f"pushed to {remote}"


@dataclass(frozen=True, kw_only=True)
class Asked:
    """A run that has ended, and what the model was sent."""

    status: str
    error: str | None
    events: tuple[StampedEvent, ...]
    prompts: list[tuple[Message, ...]]

    def of(self, kind: type[EventModel]) -> list[Any]:
        """The events of one type, in order."""
        return [stamped.event for stamped in self.events if isinstance(stamped.event, kind)]

    def told(self) -> list[str]:
        """What the first turn's calls came to, as the second was told."""
        messages = self.prompts[1]
        answers = [message.text for message in messages if message.role == "tool"]
        views = [message.text for message in messages if message.text.startswith("View: told\n")]
        if views:
            told: list[str] = json.loads(views[-1].partition("\n----\n")[2])
            return told
        return [json.loads(answer) if answer.startswith('"') else answer for answer in answers]


def pushing(execution: Execution, *remotes: str) -> str | Reply:
    """A reply that pushes to each, one after another, whatever becomes of it."""
    if execution == CODE:
        return _SHOWS % "".join(_ONE % json.dumps(remote) for remote in remotes)
    return calls(*(("local__push", {"remote": remote}) for remote in remotes))


def run(
    out: Path,
    compiler: Compiler,
    execution: Execution,
    reply: str | Reply,
    *,
    approval: dict[str, str],
    approve: Approve | None = None,
    remotes: Remotes | None = None,
    python: Sequence[object] = (),
    change: Callable[[Session], None] = lambda session: None,
    **document: Any,  # noqa: ANN401 - further keys of the configuration
) -> Asked:
    """Runs an agent that makes this reply, and then finishes."""
    prompts: list[tuple[Message, ...]] = []
    ends = FINISH if execution == CODE else FINISHES

    def model(messages: tuple[Message, ...], agent_id: str) -> str | Reply:
        prompts.append(messages)
        return reply if len(prompts) == 1 else ends

    tools = {"python": [(remotes or Remotes()).push, *python], "approval": approval}
    agent = {"execution": execution, "model": ScriptedModel(replies=model)}
    capabilities = [{"id": "tools", "params": tools}]
    whole = {
        "task": "Push.",
        "root": "root",
        "seed": 7,
        "limits": {"maxTurns": 3},
        **document,
        "agents": [{"id": "root", **agent, "capabilities": capabilities}],
    }
    session = Session.create(validate(whole, base=out.parent), out=out, compiler=compiler, approve=approve)
    change(session)
    result = session.run()
    return Asked(
        status=result.status,
        error=result.error,
        events=tuple(read_events(out / "events.ndjson")),
        prompts=prompts,
    )


Given = tuple[ApprovalAnswer | bool | None, ...]


def gives(answers: Given) -> Approve:
    """Gives one answer after another, and has none beyond them."""
    left = [*answers]
    return lambda request: left.pop(0)


ONCE, ALWAYS = ApprovalAnswer(allowed=True), ApprovalAnswer(allowed=True, scope="run")
NO, NEVER = (
    ApprovalAnswer(allowed=False, reason="Not today."),
    ApprovalAnswer(allowed=False, scope="run", reason="It is not yours."),
)
DENIED: Final = "refused: A person has denied {call}: Not today."
DENIED_ALL: Final = "refused: A person has denied {call} for the rest of the run: It is not yours."
FORBIDDEN: Final = "refused: {call} is not allowed: the operator forbids it."
NOBODY: Final = "refused: {call} needs the approval of a person, and nobody is there to be asked."

# The rule, the answers of a person where one is there, what two calls come to, and the event of each: what is
# decided, by whom, for what.
POLICIES: Final[dict[str, tuple[str, Given | None, list[str], list[tuple[str, str, str]]]]] = {
    "allow": ("allow", (), ["pushed to a", "pushed to b"], []),
    "deny": ("deny", (), [FORBIDDEN, FORBIDDEN], []),
    "ask, allowed once each": (
        "ask",
        (ONCE, True),
        ["pushed to a", "pushed to b"],
        [("allowed", "person", "once"), ("allowed", "person", "once")],
    ),
    "ask, allowed and denied": (
        "ask",
        (ONCE, NO),
        ["pushed to a", DENIED],
        [("allowed", "person", "once"), ("denied", "person", "once")],
    ),
    "ask, denied and allowed": (
        "ask",
        (NO, ONCE),
        [DENIED, "pushed to b"],
        [("denied", "person", "once"), ("allowed", "person", "once")],
    ),
    "ask, allowed for the run": (
        "ask",
        (ALWAYS,),
        ["pushed to a", "pushed to b"],
        [("allowed", "person", "run"), ("allowed", "rule", "run")],
    ),
    "ask, denied for the run": (
        "ask",
        (NEVER,),
        [DENIED_ALL, DENIED_ALL],
        [("denied", "person", "run"), ("denied", "rule", "run")],
    ),
    "ask, nobody there": (
        "ask",
        None,
        [NOBODY, NOBODY],
        [("denied", "nobody", "once"), ("denied", "nobody", "once")],
    ),
    "ask, nobody answers": (
        "ask",
        (None, ONCE),
        [NOBODY, "pushed to b"],
        [("denied", "nobody", "once"), ("allowed", "person", "once")],
    ),
}


@pytest.mark.parametrize("execution", EXECUTIONS)
@pytest.mark.parametrize("name", POLICIES)
def test_one_policy_holds_for_programs_and_for_replies_that_call_tools(
    name: str, execution: Execution, tmp_path: Path, compiler: Compiler
) -> None:
    rule, given, outcomes, decisions = POLICIES[name]
    remotes = Remotes()
    call = "local.push" if execution == CODE else "local__push"
    ran = run(
        tmp_path / "r",
        compiler,
        execution,
        pushing(execution, "a", "b"),
        approval={"local.*": rule},
        approve=None if given is None else gives(given),
        remotes=remotes,
    )

    assert ran.status == "completed"
    assert ran.told() == [outcome.format(call=call) for outcome in outcomes]
    assert [f"pushed to {remote}" for remote in remotes.pushed] == [
        outcome for outcome in outcomes if outcome.startswith("pushed")
    ]
    events = ran.of(Approval)
    assert [(event.decision, event.by, event.scope) for event in events] == decisions
    assert {(event.operation, event.name, event.turn) for event in events} <= {
        ("tools.local.push", "local.push", 1)
    }
    made = [event for event in ran.of(ApiCall) if event.operation == "tools.local.push"]
    assert [event.ok for event in made] == [outcome.startswith("pushed") for outcome in outcomes]
    (surface,) = ran.of(AgentSurface)
    assert ("tools.local.push" in surface.operations) == (rule != "deny")
    assert ("local__push" in surface.tools) == (rule != "deny" and execution != CODE)
    assert [check for check in verify_record(RecordReader(tmp_path / "r")) if not check.ok] == []


@pytest.mark.parametrize("execution", EXECUTIONS)
def test_a_person_is_told_who_calls_what_and_sees_no_secret(
    execution: Execution, tmp_path: Path, compiler: Compiler, monkeypatch: pytest.MonkeyPatch
) -> None:
    secret = "s3cret-value-0123456"
    monkeypatch.setenv("DEPLOY_TOKEN", secret)
    asked: list[ApprovalRequest] = []
    remotes = Remotes()

    def approve(request: ApprovalRequest) -> ApprovalAnswer:
        asked.append(request)
        return ApprovalAnswer(allowed=False, reason=f"it holds {secret}")

    ran = run(
        tmp_path / "r",
        compiler,
        execution,
        pushing(execution, f"https://{secret}@host", "b"),
        approval={"local.push": "ask"},
        approve=approve,
        remotes=remotes,
    )

    in_code = execution == CODE
    assert asked == [
        ApprovalRequest(
            agent_id="root",
            turn=1,
            name="local.push",
            call="local.push" if in_code else "local__push",
            arguments=f'{{"remote": "{remote}"}}',
            place=f"program.ts:{line}:29" if in_code else None,
        )
        for remote, line in (("https://[masked:DEPLOY_TOKEN]@host", 4), ("b", 6))
    ]
    assert remotes.pushed == []
    assert [event.reason for event in ran.of(Approval)] == ["it holds [masked:DEPLOY_TOKEN]"] * 2
    assert secret not in (tmp_path / "r" / "events.ndjson").read_text()
    assert all(told.endswith(": it holds [masked:DEPLOY_TOKEN]") for told in ran.told())


_TOGETHER: Final = """\
import { local } from "gg:tools";
import { views } from "gg";
const pushes = ["a", "b", "c"].map((remote) => local.push({ remote }));
const ended = await Promise.allSettled([...pushes, local.note({ text: "n" })]);
views.openText("told", JSON.stringify(ended.map((end) => end.status)));
"""


def test_calls_that_a_program_makes_together_are_asked_about_one_after_another(
    tmp_path: Path, compiler: Compiler
) -> None:
    """The first is answered when another call that needs nobody has ended: the others of a program go on."""
    asking, pushed = threading.Lock(), threading.Event()
    asked: list[str] = []

    class Signals(Remotes):
        def note(self, text: str) -> None:
            """Needs nobody."""
            pushed.set()

    def approve(request: ApprovalRequest) -> bool:
        assert asking.acquire(blocking=False)
        assert pushed.wait(WAIT_S)
        asked.append(json.loads(request.arguments)["remote"])
        asking.release()
        return request.arguments != '{"remote": "b"}'

    remotes = Signals()
    ran = run(
        tmp_path / "r",
        compiler,
        CODE,
        _TOGETHER,
        approval={"local.push": "ask"},
        approve=approve,
        remotes=remotes,
        python=[remotes.note],
    )

    assert (ran.status, ran.told()) == ("completed", ["fulfilled", "rejected", "fulfilled", "fulfilled"])
    assert sorted(asked) == ["a", "b", "c"]
    assert sorted(remotes.pushed) == ["a", "c"]


@pytest.mark.slow
def test_the_time_that_a_person_takes_is_no_guest_time(tmp_path: Path, compiler: Compiler) -> None:
    """The person watches a program of another pool until it has taken more time than this one may."""

    def approve(request: ApprovalRequest) -> bool:
        with SandboxPool(globals=guest_globals(), limits=replace(Limits(), guest_s=1.2)) as other:
            assert isinstance(other.run(GuestProgram(js="while (true) {}", seed=1), no_answer), HitCeiling)
        return True

    ran = run(
        tmp_path / "r",
        compiler,
        CODE,
        pushing(CODE, "a"),
        approval={"local.push": "ask"},
        approve=approve,
        sandbox={"guestSecs": 1},
    )

    assert (ran.status, ran.told()) == ("completed", ["pushed to a"])
    (approval,) = ran.of(Approval)
    (executed, _) = ran.of(CodeExecution)
    assert executed.guest_ms < 1000 < approval.waited_ms


def no_answer(call: Call) -> str:
    raise AssertionError("that program makes no call")


@pytest.mark.slow
def test_a_question_outlives_a_program_that_a_ceiling_has_ended(tmp_path: Path, compiler: Compiler) -> None:
    """The call was made: it is answered, and done where it is allowed, though nobody gets what it gives."""

    def approve(request: ApprovalRequest) -> bool:
        workers = [each for each in psutil.Process().children(recursive=True) if kind_of(each) == "worker"]
        while len(psutil.wait_procs(workers, timeout=0.1)[1]) == len(workers):
            assert not request.withdrawn.is_set()
        return True

    remotes = Remotes()
    ran = run(
        tmp_path / "r",
        compiler,
        CODE,
        'import { local } from "gg:tools";\nvoid local.push({ remote: "a" });\nwhile (true) {}\n',
        approval={"local.push": "ask"},
        approve=approve,
        remotes=remotes,
        sandbox={"guestSecs": 1},
    )

    assert (ran.status, remotes.pushed) == ("completed", ["a"])
    assert [event.error_type for event in ran.of(CodeExecution)] == ["sandbox_timeout", None]


@pytest.mark.parametrize("execution", EXECUTIONS)
def test_agents_that_wait_for_a_person_let_others_run(
    execution: Execution, tmp_path: Path, compiler: Compiler
) -> None:
    """One may run at a time. The first question is answered when every agent has got so far as to ask."""
    count = 4
    begun = threading.Semaphore(0)
    asked: list[str] = []

    def begins() -> str | Reply:
        begun.release()
        return pushing(execution, "a")

    def approve(request: ApprovalRequest) -> bool:
        if not asked:
            for _ in range(count):
                assert begun.acquire(timeout=WAIT_S)
        asked.append(request.agent_id)
        return True

    kids = ["kid" if number == 1 else f"kid-{number}" for number in range(1, count + 1)]
    script: Script = {
        "root": [tuple(spawns("kid") for _ in kids), (waits(),), (finishes(),)],
        **{kid: [begins, (finishes(),)] for kid in kids},
    }
    tools = {"id": "tools", "params": {"python": [Remotes().push], "approval": {"local.*": "ask"}}}
    agents: dict[str, dict[str, Any]] = {
        "root": {"roster": starts("kid")},
        "kid": {"capabilities": [tools], "execution": execution},
    }
    ran = run_team(tmp_path / "r", script, agents, compiler=compiler, approve=approve, maxParallel=1)

    assert (ran.result.status, failed_checks(ran)) == ("completed", [])
    assert sorted(asked) == kids
    assert [(event.decision, event.by) for event in ran.of(Approval)] == [("allowed", "person")] * count


def test_an_answer_for_the_rest_of_the_run_holds_for_every_agent(tmp_path: Path) -> None:
    asked: list[str] = []

    def approve(request: ApprovalRequest) -> ApprovalAnswer:
        asked.append(request.name)
        return ALWAYS

    reply = pushing("tool_calling", "a")
    script: Script = {
        "root": [(spawns("kid"), spawns("kid"), waits()), (finishes(),)],
        "kid": [reply, (finishes(),)],
        "kid-2": [reply, (finishes(),)],
    }
    tools = {"id": "tools", "params": {"python": [Remotes().push], "approval": {"local.*": "ask"}}}
    agents: dict[str, dict[str, Any]] = {"root": {"roster": starts("kid")}, "kid": {"capabilities": [tools]}}
    ran = run_team(tmp_path / "r", script, agents, approve=approve)

    assert asked == ["local.push"]
    assert sorted((event.by, event.scope) for event in ran.of(Approval)) == [
        ("person", "run"),
        ("rule", "run"),
    ]


@pytest.mark.parametrize("execution", EXECUTIONS)
def test_a_run_that_is_canceled_withdraws_the_question(
    execution: Execution, tmp_path: Path, compiler: Compiler
) -> None:
    sessions: list[Session] = []
    withdrawn: list[bool] = []

    def approve(request: ApprovalRequest) -> bool:
        sessions[0].cancel()
        withdrawn.append(request.withdrawn.wait(WAIT_S))
        return True

    remotes = Remotes()
    ran = run(
        tmp_path / "r",
        compiler,
        execution,
        pushing(execution, "a"),
        approval={"local.*": "ask"},
        approve=approve,
        remotes=remotes,
        change=sessions.append,
    )

    assert (ran.status, withdrawn, remotes.pushed) == ("canceled", [True], [])
    assert [(event.decision, event.by) for event in ran.of(Approval)] == [("denied", "nobody")]
    (call,) = [event for event in ran.of(ApiCall) if event.operation == "tools.local.push"]
    assert (call.code, call.message) == ("refused", "The wait was ended: this session is canceled.")


@pytest.mark.slow
@pytest.mark.parametrize("execution", EXECUTIONS)
def test_the_time_of_the_run_withdraws_the_question(
    execution: Execution, tmp_path: Path, compiler: Compiler
) -> None:
    remotes = Remotes()
    ran = run(
        tmp_path / "r",
        compiler,
        execution,
        pushing(execution, "a"),
        approval={"local.*": "ask"},
        approve=lambda request: request.withdrawn.wait(WAIT_S),
        remotes=remotes,
        limits={"maxRuntimeSecs": 1},
    )

    assert (ran.status, remotes.pushed) == ("timed_out", [])
    (call,) = [event for event in ran.of(ApiCall) if event.operation == "tools.local.push"]
    assert (call.code, call.message) == (
        "limit-exceeded",
        "The wait was ended: the run's time is spent, limit 1 s; end the session.",
    )


@pytest.mark.parametrize("execution", EXECUTIONS)
def test_a_function_that_breaks_ends_the_run_and_nothing_is_done(
    execution: Execution, tmp_path: Path, compiler: Compiler
) -> None:
    remotes = Remotes()
    ran = run(
        tmp_path / "r",
        compiler,
        execution,
        pushing(execution, "a", "b"),
        approval={"local.*": "ask"},
        approve=gives(()),
        remotes=remotes,
    )

    told = "operation: the function that approves calls raised IndexError('pop from empty list')"
    assert (ran.status, ran.error, remotes.pushed) == ("internal_error", told, [])


def test_a_shell_has_a_rule_of_its_own(tmp_path: Path, compiler: Compiler) -> None:
    reply = calls(("shell", {"command": "echo one"}), ("shell", {"command": ["echo", "two"]}))
    asked: list[str] = []

    def approve(request: ApprovalRequest) -> bool:
        asked.append(request.arguments)
        return "two" in request.arguments

    out = tmp_path / "r"
    model = ScriptedModel(replies=gives_replies(reply, FINISHES))
    shell = {"id": "shell", "params": {"dir": ".", "approval": "ask"}}
    agent = {"id": "root", "execution": "tool_calling", "model": model, "capabilities": [shell]}
    plan = validate({"task": "Echo.", "root": "root", "agents": [agent]}, base=tmp_path)
    result = Session.create(plan, out=out, approve=approve).run()

    assert result.status == "completed"
    assert asked == ['{"command": "echo one"}', '{"command": ["echo", "two"]}']
    events = [stamped.event for stamped in read_events(out / "events.ndjson")]
    made = [(each.ok, each.code) for each in events if isinstance(each, ApiCall)][:2]
    assert made == [(False, "refused"), (True, None)]
    assert [(each.name, each.decision) for each in events if isinstance(each, Approval)] == [
        ("shell", "denied"),
        ("shell", "allowed"),
    ]


def gives_replies(*replies: Reply) -> Callable[[tuple[Message, ...], str], Reply]:
    left = [*replies]
    return lambda messages, agent_id: left.pop(0)
