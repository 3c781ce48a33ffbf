"""The bracket: the one place through which every call of an agent passes.

open record → access → grant → budget → gate → validate → approval → do → close record. What a call meets
becomes its answer. A fault of gg's own is latched, and the call that met it is refused as `io-error`. One
thing is raised: that the record cannot be written, since nothing may be done that is not recorded.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Protocol

from host.core.clock import Clock
from host.core.errors import HostDefect, Refusal
from host.core.messages import ToolCall
from host.events import ApiCall, Approval
from host.operations.approvals import (
    ApprovalDecision,
    ApprovalPolicy,
    ApprovalRequest,
    Approver,
    NobodyApproves,
    arguments_shown,
    not_allowed,
    policy_name,
)
from host.operations.dialects import VALUE_CAP, Dialect, ProgramDialect, ToolDialect, scalar_json
from host.operations.grants import Grants, shown_name
from host.operations.model import Operation
from host.operations.native_binding import UNPARSABLE
from host.operations.services import Caller

_ALLOWS_ALL: Final = ApprovalPolicy()
_NOBODY: Final = NobodyApproves()


class DefectLatch(Protocol):
    """Where a fault of gg's own is recorded; the first one ends the run."""

    def record(self, defect: HostDefect) -> None: ...


@dataclass(frozen=True, kw_only=True)
class ToolAnswer:
    """What a tool's call came to.

    `text` is the result as JSON, or `code: message`. `is_unparsable` says that the arguments were no JSON
    object. `operation_id` is the name that was called, cut and escaped, where no operation has it.
    """

    text: str
    ok: bool
    is_unparsable: bool
    operation_id: str


@dataclass(frozen=True)
class _Asked:
    """One call as it was asked for. `refusal` is why it cannot be carried out if it is granted."""

    dialect: Dialect
    name: str
    arguments_json: str
    locate: Callable[[], str | None]
    refusal: Refusal | None = None


def let_pass(operation: Operation) -> None:
    """A gate that is open to every call."""


class Bracket:
    """Answers the calls of one agent, in whichever threads they are made, several at a time.

    `policy` has the operator's rules: what it denies is refused before anything else is looked at, and about
    what it wants a person to be asked about `approver` decides last, so that nobody is asked in vain.

    `refuse_over_run_time` refuses once the run's time is spent. It is asked before each call that a
    capability grants; those that every agent has, which report and end, stay possible. `gate` refuses what
    a reply may not do as things stand; a script that runs when the reply was carried out is not asked.
    """

    def __init__(
        self,
        *,
        grants: Grants,
        latch: DefectLatch,
        clock: Clock,
        refuse_over_run_time: Callable[[], None],
        gate: Callable[[Operation], None] = let_pass,
        policy: ApprovalPolicy = _ALLOWS_ALL,
        approver: Approver = _NOBODY,
    ) -> None:
        self._grants: Final = grants
        self._latch: Final = latch
        self._clock: Final = clock
        self._refuse_over_run_time: Final = refuse_over_run_time
        self._gate: Final = gate
        self._policy: Final = policy
        self._approver: Final = approver

    def answer(
        self,
        caller: Caller,
        operation_id: str,
        arguments_json: str,
        locate: Callable[[], str | None],
        *,
        refusal: Refusal | None = None,
    ) -> str:
        """Carries out one call of a program and records it.

        Returns the envelope as JSON text. `locate` says where in the model's source the call stands; it is
        asked for calls alone that fail or that a person is asked about. `refusal` is why the call cannot be
        carried out if it is granted. Raises `RecordUnwritable`.
        """
        asked = _Asked(_PROGRAM, operation_id, arguments_json, locate, refusal)
        answer = self._answered(caller, asked)
        return answer if isinstance(answer, str) else self._envelope(operation_id, answer)

    def spelling(self, operation_id: str) -> str:
        """The call as the agent writes it."""
        return self._grants.spelling(operation_id)

    def answer_tool(self, caller: Caller, call: ToolCall) -> ToolAnswer:
        """Carries out one call of a tool and records it. Raises `RecordUnwritable`."""
        answer = self._answered(caller, _Asked(_TOOL, call.name, call.arguments, lambda: None))
        failure = None if isinstance(answer, str) else answer
        operation = self._grants.tool(call.name)
        return ToolAnswer(
            text=f"{failure.code}: {failure.message}" if failure else str(answer),
            ok=failure is None,
            is_unparsable=failure is not None and failure.kind == UNPARSABLE,
            operation_id=operation.id if operation else shown_name(call.name),
        )

    def _answered(self, caller: Caller, asked: _Asked) -> str | Refusal:
        started = self._clock.monotonic()
        row = asked.dialect.row(self._grants, asked.name)
        operation_id = row.id if row else shown_name(asked.name)
        answer: str | Refusal
        try:
            if row is not None:
                self._admit(caller, asked, row)
            answer = self._carry_out(caller, asked)
        except Refusal as refused:
            answer = refused
        except Exception as error:  # the caller must get an answer, whatever broke on this side
            self._latch.record(HostDefect.of("operation", operation_id, error))
            spelling = self._grants.spelling(operation_id)
            answer = Refusal("io-error", f"{spelling} could not be carried out.", kind="defect")
        failure = None if isinstance(answer, str) else answer
        if failure is not None and row is not None and row.note_refusal is not None:
            row.note_refusal(caller, asked.arguments_json, failure)
        place = None if failure is None else self._place(operation_id, asked.locate)
        duration_us = round((self._clock.monotonic() - started) * 1e6)
        caller.emit(_event(caller, operation_id, failure, place, duration_us))
        return answer

    def _admit(self, caller: Caller, asked: _Asked, row: Operation) -> None:
        """Refuses what the agent may never do, granted or not."""
        if self._policy.rule_of(row.id) == "deny":
            raise not_allowed(self._grants.spelling(row.id))
        if row.admit is not None:
            row.admit(caller, asked.arguments_json)

    def _carry_out(self, caller: Caller, asked: _Asked) -> str:
        operation = asked.dialect.find(self._grants, asked.name)
        if caller.origin == "onUse" and not operation.in_on_use:
            raise Refusal(
                "unavailable",
                f"{operation.spelling} is not available to an onUse script.",
                kind="not_in_on_use",
            )
        if operation.capability:
            self._refuse_over_run_time()
        if caller.origin != "onUse":
            self._gate(operation)
        if asked.refusal is not None:
            raise asked.refusal
        arguments = asked.dialect.bind(operation, asked.arguments_json)
        if self._policy.rule_of(operation.id) == "ask":
            self._ask(caller, asked, operation)
        return asked.dialect.encode(operation, asked.dialect.run(operation, caller, arguments))

    def _ask(self, caller: Caller, asked: _Asked, operation: Operation) -> None:
        """Returns where the call is allowed. Raises its refusal, or the defect that kept anybody from it."""
        name = policy_name(operation.id)
        assert name is not None, "rules are about what has a name"
        request = ApprovalRequest(
            agent_id=caller.agent_id,
            turn=caller.turn,
            name=name,
            call=self._grants.spelling(operation.id),
            arguments=arguments_shown(operation, asked.arguments_json),
            place=self._place(operation.id, asked.locate),
        )
        started = self._clock.monotonic()
        decision = self._approver.decide(request)
        waited_ms = (self._clock.monotonic() - started) * 1000
        caller.emit(_approval(caller, operation, name, decision, waited_ms))
        if decision.failure is not None:
            raise decision.failure

    def _envelope(self, operation_id: str, failure: Refusal) -> str:
        spelling = self._grants.spelling(operation_id)
        error: dict[str, str] = {"code": failure.code, "operation": spelling, "message": failure.message}
        if failure.kind == VALUE_CAP:
            error["ceiling"] = "value"  # the sandbox's own word: uncaught, it is a ceiling that was hit
        return f'{{"error":{scalar_json(error)}}}'

    def _place(self, operation_id: str, locate: Callable[[], str | None]) -> str | None:
        try:
            return locate()
        except Exception as error:  # a call is recorded, whatever its stack looks like
            self._latch.record(HostDefect.of("operation", operation_id, error))
            return None


_PROGRAM: Final = ProgramDialect()
_TOOL: Final = ToolDialect()


def _approval(
    caller: Caller, operation: Operation, name: str, decision: ApprovalDecision, waited_ms: float
) -> Approval:
    return Approval(
        turn=caller.turn,
        operation=operation.id,
        name=name,
        decision="denied" if decision.failure else "allowed",
        by=decision.by,
        scope=decision.scope,
        waited_ms=waited_ms,
        reason=decision.reason or None,
    )


def _event(
    caller: Caller, operation_id: str, failure: Refusal | None, place: str | None, duration_us: int
) -> ApiCall:
    return ApiCall(
        turn=caller.turn,
        operation=operation_id,
        ok=failure is None,
        code=None if failure is None else failure.code,
        message=None if failure is None else failure.message,
        duration_us=duration_us,
        origin=caller.origin,
        place=place,
    )
