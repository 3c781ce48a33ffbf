"""What an operator allows, forbids, or is asked about: one policy for calls of programs and of tools.

A policy has rules by patterns of names. What a pattern stands for is a name as `git.push`, a tool's namespace
and its own name, or `shell`; calls of the table's other families have no such name and are always allowed.
"""

import json
import threading
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal, Protocol

from host.core.errors import HostDefect, Refusal
from host.operations.model import Operation

ApprovalRule = Literal["allow", "ask", "deny"]
ApprovalScope = Literal["once", "run"]
"""Of an answer: the one call, or every call of that name for the rest of the run."""

SHELL: Final = "shell"
_ANY: Final = "*"
_STRICTNESS: Final[Mapping[ApprovalRule, int]] = {"allow": 0, "ask": 1, "deny": 2}


def policy_name(operation_id: str) -> str | None:
    """The name by which rules know an operation; `None` for what no rule is about."""
    family, _, rest = operation_id.partition(".")
    if family == SHELL:
        return SHELL
    return rest if family == "tools" else None


def fits(pattern: str, name: str) -> bool:
    """Whether a pattern stands for a name; each `*` in it stands for any characters, or none."""
    first, *others = pattern.split(_ANY)
    if not others:
        return pattern == name
    *middle, last = others
    if not name.startswith(first):
        return False
    place = len(first)
    for piece in middle:  # the earliest place leaves the most to what follows
        found = name.find(piece, place)
        if found < 0:
            return False
        place = found + len(piece)
    return len(name) - place >= len(last) and name.endswith(last)


def unmatched_patterns(patterns: Iterable[str], names: Iterable[str]) -> tuple[str, ...]:
    """The patterns that stand for none of the names."""
    known = tuple(names)
    return tuple(pattern for pattern in patterns if not any(fits(pattern, name) for name in known))


@dataclass(frozen=True)
class ApprovalPolicy:
    """The rules of one agent, by patterns."""

    rules: Mapping[str, ApprovalRule] = field(default_factory=dict)

    def rule_of(self, operation_id: str) -> ApprovalRule:
        """What is to be done about a call.

        A name that is written counts before a pattern, and of several patterns that fit the longest; of those
        as long as one another the strictest. What none fits is allowed.
        """
        name = policy_name(operation_id)
        if name is None:
            return "allow"
        if name in self.rules:
            return self.rules[name]
        fitting = [
            (len(pattern), _STRICTNESS[rule], rule)
            for pattern, rule in self.rules.items()
            if fits(pattern, name)
        ]
        return max(fitting)[2] if fitting else "allow"

    def denied(self, operation_ids: Iterable[str]) -> frozenset[str]:
        """Those of the operations that no call of the agent may reach."""
        return frozenset(id_ for id_ in operation_ids if self.rule_of(id_) == "deny")


@dataclass(frozen=True, kw_only=True)
class ApprovalRequest:
    """A call that a person is asked about.

    Args:
        agent_id: the agent that makes it.
        turn: the agent's turn, from 1.
        name: the name that rules know it by: `git.push`, `shell`.
        call: the call as the agent writes it.
        arguments: its arguments by name, as JSON text.
        place: where it stands in the model's program, as `program.ts:4:7`, where it stands in one.
        withdrawn: is set when nobody waits for an answer any more, since the run ends or is out of time.
    """

    agent_id: str
    turn: int
    name: str
    call: str
    arguments: str
    place: str | None = None
    withdrawn: threading.Event = field(default_factory=threading.Event, repr=False, compare=False)


@dataclass(frozen=True, kw_only=True)
class ApprovalAnswer:
    """What a person says. `scope` is what it holds for, `reason` what the model is told with a denial."""

    allowed: bool
    scope: ApprovalScope = "once"
    reason: str = ""


@dataclass(frozen=True, kw_only=True)
class ApprovalDecision:
    """What became of a question.

    `failure` is why the call is not done, a defect where the answer could not be had; `None` where it is
    allowed. `by` is `rule` where an answer for the rest of the run was there already, and `nobody` where none
    came.
    """

    failure: Refusal | HostDefect | None
    by: Literal["person", "rule", "nobody"]
    scope: ApprovalScope = "once"
    reason: str = ""


class Approver(Protocol):
    """Who is asked. Several calls may ask at once, each in a thread of its own."""

    def decide(self, request: ApprovalRequest) -> ApprovalDecision:
        """Blocks until there is a decision. Raises `RecordUnwritable`."""
        ...


class NobodyApproves:
    """Where no person is there to be asked."""

    def decide(self, request: ApprovalRequest) -> ApprovalDecision:
        told = f"{request.call} needs the approval of a person, and nobody is there to be asked."
        return ApprovalDecision(failure=Refusal("refused", told, kind="nobody_to_ask"), by="nobody")


def not_allowed(call: str) -> Refusal:
    """The refusal of a call that the operator's rules forbid."""
    return Refusal("refused", f"{call} is not allowed: the operator forbids it.", kind="denied")


def arguments_shown(operation: Operation, arguments_json: str) -> str:
    """The arguments of a call by their names, as JSON text, from what a program or a reply has passed."""
    try:
        passed: Any = json.loads(arguments_json, strict=False)
        named = _named(operation, passed) if isinstance(passed, list) else passed
        return json.dumps(named, ensure_ascii=False)
    except (ValueError, RecursionError):
        return arguments_json


def _named(operation: Operation, passed: list[Any]) -> object:
    """Those of a program: one after another, then an object of the others."""
    if operation.native is not None and operation.native.schema:
        return passed[0] if passed else {}
    count = len(operation.positional)
    named = dict(zip(operation.positional_names, passed, strict=False))
    for others in passed[count:]:
        named |= others if isinstance(others, dict) else {}
    return named
