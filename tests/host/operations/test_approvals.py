"""The operator's rules: which one counts for a call, and what each comes to at the bracket, in both modes."""

import json
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any, Final, Literal

import pytest

from host.core.errors import HostDefect, Refusal
from host.events import ApiCall, Approval
from host.operations import (
    ApprovalDecision,
    ApprovalPolicy,
    ApprovalRequest,
    ApprovalRule,
    Caller,
    Operation,
    fits,
    unmatched_patterns,
)
from host.operations.approvals import arguments_shown
from host.operations.model import Arguments, Native
from tests.host.operations.callers import Desk, error
from tests.host.operations.things import FIND, GATHER, MARK, PUT

WAIT_S = 60.0

FITTING = [
    ("git.push", "git.push", True),
    ("git.push", "git.pushAll", False),
    ("git.*", "git.push", True),
    ("git.*", "git.", True),
    ("git.*", "github.push", False),
    ("*.push", "git.push", True),
    ("*.push", "git.push2", False),
    ("*.*", "git.a.b", True),
    ("git.*_all", "git.push_all", True),
    ("git.*_all", "git.all", False),
    ("git.a*a", "git.a", False),
    ("git.a*a", "git.aa", True),
    ("git.*a*b*", "git.xaxb", True),
    ("git.*a*b*", "git.xbxa", False),
    ("git.*a*a", "git.a", False),
    ("git.**", "git.push", True),
    ("git.[a-z]?.+", "git.push", False),
    ("Git.*", "git.push", False),
    ("git.*", "git.two\nlines", True),
    ("shell", "shell", True),
]


@pytest.mark.parametrize(("pattern", "name", "does_fit"), FITTING)
def test_a_pattern_stands_for_names(pattern: str, name: str, does_fit: bool) -> None:
    assert fits(pattern, name) == does_fit


def test_patterns_that_stand_for_nothing_are_found_in_order() -> None:
    patterns = ["git.*", "git.pull", "*.delete", "local.x*"]

    assert unmatched_patterns(patterns, iter(["git.push", "local.xyz"])) == ("git.pull", "*.delete")


RULES: Final[dict[str, ApprovalRule]] = {
    "git.*": "ask",
    "git.status": "allow",
    "git.st*": "deny",
    "*.log": "deny",
    "db.q*": "allow",
    "*.q.": "ask",
    "s.ab*": "allow",
    "s.*bc": "deny",
    "shell": "ask",
}
COUNTING: list[tuple[str, ApprovalRule]] = [
    ("tools.git.push", "ask"),
    ("tools.git.status", "allow"),
    ("tools.git.stash", "deny"),
    ("tools.git.log", "deny"),
    ("tools.hg.log", "deny"),
    ("tools.hg.push", "allow"),
    ("tools.s.abc", "deny"),
    ("shell.shell", "ask"),
    ("files.write_file", "allow"),
    ("memories.write_memory", "allow"),
    ("git.push", "allow"),
    ("", "allow"),
]


@pytest.mark.parametrize(("operation_id", "rule"), COUNTING)
def test_the_longest_rule_that_fits_counts_and_of_equals_the_strictest(
    operation_id: str, rule: ApprovalRule
) -> None:
    assert ApprovalPolicy(RULES).rule_of(operation_id) == rule


def test_what_is_denied_is_found_among_operations() -> None:
    policy = ApprovalPolicy({"git.*": "deny", "git.log": "allow", "shell": "ask"})

    ids = ("tools.git.push", "tools.git.log", "shell.shell", "files.list_dir")
    assert policy.denied(ids) == {"tools.git.push"}


ARGUMENTS = [
    pytest.param(
        FIND, '["a","b",{"atMost":2}]', {"target": "a", "nearBy": "b", "atMost": 2}, id="positional"
    ),
    pytest.param(FIND, '["a"]', {"target": "a"}, id="some are left out"),
    pytest.param(PUT, '[{"name":"a","maxCount":1}]', {"name": "a", "maxCount": 1}, id="one object"),
    pytest.param(MARK, '{"spans":[{"from":1}]}', {"spans": [{"from": 1}]}, id="of a tool"),
    pytest.param(GATHER, "[]", {}, id="none"),
    pytest.param(FIND, '{"target":"two\nlines"}', {"target": "two\nlines"}, id="a line feed as it is"),
]


@pytest.mark.parametrize(("operation", "passed", "shown"), ARGUMENTS)
def test_arguments_are_shown_by_name(operation: Operation, passed: str, shown: object) -> None:
    assert json.loads(arguments_shown(operation, passed)) == shown


@pytest.mark.parametrize("passed", ["[", "1" * 5000, "[" * 100_000])
def test_arguments_that_cannot_be_read_are_shown_as_they_are(passed: str) -> None:
    assert arguments_shown(FIND, passed) == passed


# At the bracket


class PushArguments(Arguments):
    remote: str


@dataclass
class Pushes:
    """What was pushed, and a row for it and for a shell."""

    done: list[str] = field(default_factory=list)

    def rows(self) -> dict[str, Operation]:
        def push(caller: Caller, arguments: Any) -> str:  # noqa: ANN401
            self.done.append(arguments.remote)
            return f"pushed to {arguments.remote}"

        rows = [
            Operation(
                id=id_,
                summary="",
                arguments=PushArguments,
                run=push,
                result=str,
                capability=capability,
                spelled=spelled,
                native=Native(native),
            )
            for id_, capability, spelled, native in (
                ("tools.git.push", "tools", "git.push", "git__push"),
                ("shell.shell", "shell", "shell.shell", "shell"),
            )
        ]
        return {row.id: row for row in rows}


@dataclass
class Scripted:
    """Gives the same decision about everything, and keeps what it was asked."""

    decision: ApprovalDecision
    asked: list[ApprovalRequest] = field(default_factory=list)

    def decide(self, request: ApprovalRequest) -> ApprovalDecision:
        self.asked.append(request)
        return self.decision


Mode = Literal["program", "tool"]
MODES: Final = ("program", "tool")
CALLS: Final = [
    ("git.*", "tools.git.push", "git.push", "git__push"),
    ("shell", "shell.shell", "shell.shell", "shell"),
]


def make(at: Desk, mode: Mode, operation_id: str, native: str, remote: str = "origin") -> tuple[bool, str]:
    """Makes the call in a mode: whether it succeeded, and what it gave or why not."""
    if mode == "program":
        answer = at.call(operation_id, remote, place="program.ts:2:5")
        if "error" in answer:
            return False, f"{answer['error']['code']}: {answer['error']['message']}"
        return True, answer["ok"]
    answered = at.send_tool(native, json.dumps({"remote": remote}))
    return answered.ok, json.loads(answered.text) if answered.ok else answered.text


def events(at: Desk) -> list[tuple[Any, ...]]:
    return [
        (event.type, event.decision, event.by, event.scope, event.reason)
        if isinstance(event, Approval)
        else (event.type, event.operation, event.ok, event.code)
        for event in at.captured.events
        if isinstance(event, Approval | ApiCall)
    ]


DENIED: Final = Refusal("refused", "A person has denied it.", kind="denied")
DECISIONS: Final[dict[str, ApprovalDecision]] = {
    "allowed once": ApprovalDecision(failure=None, by="person"),
    "allowed for the run": ApprovalDecision(failure=None, by="person", scope="run"),
    "allowed by a rule": ApprovalDecision(failure=None, by="rule", scope="run"),
    "denied once": ApprovalDecision(failure=DENIED, by="person", reason="Not today."),
    "denied by a rule": ApprovalDecision(failure=DENIED, by="rule", scope="run"),
    "nobody": ApprovalDecision(failure=DENIED, by="nobody"),
}


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(("pattern", "operation_id", "spelled", "native"), CALLS)
@pytest.mark.parametrize("name", DECISIONS)
def test_a_call_is_asked_about_alike_in_both_modes(
    name: str, pattern: str, operation_id: str, spelled: str, native: str, mode: Mode
) -> None:
    decision, pushes = DECISIONS[name], Pushes()
    approver = Scripted(decision)
    rows = pushes.rows()
    at = Desk(
        operations=rows, granted=frozenset(rows), policy=ApprovalPolicy({pattern: "ask"}), approver=approver
    )

    ok, told = make(at, mode, operation_id, native)

    assert (ok, told) == (
        (True, "pushed to origin")
        if decision.failure is None
        else (False, "refused: A person has denied it.")
    )
    assert pushes.done == (["origin"] if ok else [])
    policy_name = "shell" if native == "shell" else "git.push"
    assert approver.asked == [
        ApprovalRequest(
            agent_id="root",
            turn=3,
            name=policy_name,
            call=spelled if mode == "program" else native,
            arguments='{"remote": "origin"}',
            place="program.ts:2:5" if mode == "program" else None,
        )
    ]
    assert events(at) == [
        ("approval", "allowed" if ok else "denied", decision.by, decision.scope, decision.reason or None),
        ("api_call", operation_id, ok, None if ok else "refused"),
    ]
    assert at.defects.recorded == []


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(("pattern", "operation_id", "spelled", "native"), CALLS)
def test_what_is_denied_is_refused_before_anything_is_looked_at(
    pattern: str, operation_id: str, spelled: str, native: str, mode: Mode
) -> None:
    pushes = Pushes()
    rows = pushes.rows()
    approver = Scripted(DECISIONS["allowed once"])
    policy = ApprovalPolicy({pattern: "deny"})
    granted = frozenset(rows) - policy.denied(rows)
    at = Desk(operations=rows, granted=granted, policy=policy, approver=approver)
    call = spelled if mode == "program" else native

    told = (False, f"refused: {call} is not allowed: the operator forbids it.")
    assert make(at, mode, operation_id, native) == told
    assert pushes.done == []
    assert approver.asked == []
    assert events(at) == [("api_call", operation_id, False, "refused")]


@pytest.mark.parametrize("mode", MODES)
def test_what_is_allowed_is_not_asked_about(mode: Mode) -> None:
    pushes = Pushes()
    rows = pushes.rows()
    approver = Scripted(DECISIONS["denied once"])
    policy = ApprovalPolicy({"git.*": "deny", "git.push": "allow", "shell": "ask"})
    at = Desk(operations=rows, granted=frozenset(rows), policy=policy, approver=approver)

    assert make(at, mode, "tools.git.push", "git__push") == (True, "pushed to origin")
    assert approver.asked == []
    assert events(at) == [("api_call", "tools.git.push", True, None)]


@pytest.mark.parametrize("mode", MODES)
def test_without_a_person_it_is_refused_at_once_and_says_so(mode: Mode) -> None:
    pushes = Pushes()
    rows = pushes.rows()
    at = Desk(operations=rows, granted=frozenset(rows), policy=ApprovalPolicy({"shell": "ask"}))
    call = "shell.shell" if mode == "program" else "shell"

    told = f"refused: {call} needs the approval of a person, and nobody is there to be asked."
    assert make(at, mode, "shell.shell", "shell") == (False, told)
    assert pushes.done == []
    assert events(at) == [
        ("approval", "denied", "nobody", "once", None),
        ("api_call", "shell.shell", False, "refused"),
    ]


def over_time() -> None:
    raise Refusal("limit-exceeded", "Run time: 9.0 s used, limit 9 s; end the session.", kind="run_time")


def shut(operation: Operation) -> None:
    raise Refusal("refused", f"{operation.spelling} waits.", kind="pending_compaction")


VAIN = [
    pytest.param({"refuse_over_run_time": over_time}, "origin", "limit-exceeded", id="no time is left"),
    pytest.param({"gate": shut}, "origin", "refused", id="the gate is shut"),
    pytest.param({}, 7, "invalid-argument", id="the arguments are wrong"),
    pytest.param({"granted": frozenset[str]()}, "origin", "unavailable", id="it is not granted"),
]


@pytest.mark.parametrize(("parts", "remote", "code"), VAIN)
def test_nobody_is_asked_in_vain(parts: dict[str, Any], remote: object, code: str) -> None:
    rows = Pushes().rows()
    approver = Scripted(DECISIONS["allowed once"])
    at = Desk(
        **{
            "operations": rows,
            "granted": frozenset(rows),
            "policy": ApprovalPolicy({"git.*": "ask"}),
            "approver": approver,
            **parts,
        }
    )

    assert at.call("tools.git.push", remote)["error"]["code"] == code
    assert approver.asked == []
    assert events(at) == [("api_call", "tools.git.push", False, code)]


def test_what_kept_an_answer_away_is_a_defect() -> None:
    rows = Pushes().rows()
    defect = HostDefect("operation", "it is broken")
    approver = Scripted(ApprovalDecision(failure=defect, by="nobody"))
    at = Desk(
        operations=rows, granted=frozenset(rows), policy=ApprovalPolicy({"git.*": "ask"}), approver=approver
    )

    message = "git.push could not be carried out."
    assert at.call("tools.git.push", "origin") == error("io-error", "git.push", message)
    assert at.defects.recorded == [defect]
    assert events(at) == [
        ("approval", "denied", "nobody", "once", None),
        ("api_call", "tools.git.push", False, "io-error"),
    ]


def test_the_time_that_a_person_took_is_told_and_is_part_of_the_call() -> None:
    rows = Pushes().rows()

    class Slow:
        def decide(self, request: ApprovalRequest) -> ApprovalDecision:
            at.clock.advance(2.5)
            return DECISIONS["allowed once"]

    at = Desk(
        operations=rows, granted=frozenset(rows), policy=ApprovalPolicy({"git.*": "ask"}), approver=Slow()
    )
    at.call("tools.git.push", "origin")

    assert [event.waited_ms for event in at.captured.of(Approval)] == [2500.0]
    assert [event.duration_us for event in at.captured.of(ApiCall)] == [2_500_000]


def test_calls_in_several_threads_are_answered_each_by_itself() -> None:
    """All of them are within the bracket at once, and each is recorded once with its own result."""
    count = 16
    inside = threading.Barrier(count)
    rows = Pushes().rows()

    class Together:
        def decide(self, request: ApprovalRequest) -> ApprovalDecision:
            inside.wait(WAIT_S)
            is_even = int(json.loads(request.arguments)["remote"]) % 2 == 0
            return DECISIONS["allowed once" if is_even else "denied once"]

    at = Desk(
        operations=rows,
        granted=frozenset(rows),
        policy=ApprovalPolicy({"git.*": "ask"}),
        approver=Together(),
    )
    bracket, caller = at.bracket(native=False), at.caller("program")

    def push(remote: int) -> dict[str, Any]:
        answer = bracket.answer(caller, "tools.git.push", f'["{remote}"]', lambda: f"program.ts:{remote}:1")
        decoded: dict[str, Any] = json.loads(answer)
        return decoded

    with ThreadPoolExecutor(count) as threads:
        answers = list(threads.map(push, range(count)))

    refused = error("refused", "git.push", "A person has denied it.")
    assert answers == [{"ok": f"pushed to {n}"} if n % 2 == 0 else refused for n in range(count)]
    calls = at.captured.of(ApiCall)
    assert sorted((call.place or "") for call in calls) == [""] * 8 + sorted(
        f"program.ts:{n}:1" for n in range(count) if n % 2
    )
    assert len(at.captured.of(Approval)) == count
