"""The person who is asked about calls: one question at a time, in the order in which they came."""

import threading
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final, Literal

from host.agents import Patience
from host.core.errors import HostDefect, Refusal
from host.core.text import shortened
from host.launch import AgentPlan
from host.operations import (
    ApprovalAnswer,
    ApprovalDecision,
    ApprovalPolicy,
    ApprovalRequest,
    ApprovalRule,
    Approver,
    NobodyApproves,
)

Approve = Callable[[ApprovalRequest], ApprovalAnswer | bool | None]
"""Asks a person and gives the answer: `True` and `False` are for the one call, `None` says that nobody was
there to answer. Blocking; what it gives after the question was withdrawn is for no call any more.
"""
_DOING: Final = "the function that approves calls"
_REASON_CHARS: Final = 500
_NOBODY: Final = NobodyApproves()


def policy_of(plan: AgentPlan) -> ApprovalPolicy:
    """The operator's rules for the calls of an agent."""
    rules: dict[str, ApprovalRule] = {}
    if plan.tools is not None:
        rules.update(plan.tools.approval)
    if plan.shell is not None:
        rules["shell"] = plan.shell.approval
    return ApprovalPolicy(rules)


class Approvals:
    """Of one run. Thread-safe.

    An answer for the rest of the run holds for every call of that name, whichever agent makes it, and for
    those that wait in line as well.

    Args:
        approve: asks the person; `None` where none is there.
        mask: applied to what the person is shown.
        flush: writes what was recorded, before anybody is waited for.
        person: held while the person is asked, who may have to answer something else besides.
    """

    def __init__(
        self,
        approve: Approve | None,
        *,
        mask: Callable[[str], str],
        flush: Callable[[], None],
        person: threading.Lock,
    ) -> None:
        self._approve: Final = approve
        self._mask: Final = mask
        self._flush: Final = flush
        self._person: Final = person
        self._lock: Final = threading.Lock()
        self._line: Final[deque[_Question]] = deque()
        self._standing: Final[dict[str, ApprovalAnswer]] = {}
        self._is_asking = False

    def through(self, patience: Patience) -> Approver:
        """Who decides about the calls of an agent that waits in this way."""
        return _NOBODY if self._approve is None else _Through(self, patience)

    def decide(self, request: ApprovalRequest, patience: Patience) -> ApprovalDecision:
        """Blocks until there is a decision, or something else ends the wait: that denies the call."""
        masked = replace(request, arguments=self._mask(request.arguments))
        question = _Question(masked, settled=patience.look_again)
        if (standing := self._ask(question)) is not None:
            return standing
        try:
            patience.wait_until(lambda: question.decision is not None)
        except Refusal as ended:
            request.withdrawn.set()
            return ApprovalDecision(failure=ended, by="nobody")
        assert question.decision is not None, "that is what was waited for"
        return question.decision

    def _ask(self, question: "_Question") -> ApprovalDecision | None:
        """The decision that there is already; else puts the question in line."""
        name = question.request.name
        if name not in self._standing:
            self._flush()
        with self._lock:
            if name in self._standing:
                return _decision(question.request, self._standing[name], by="rule")
            self._line.append(question)
            if not self._is_asking:
                self._is_asking = True
                # A person may think for longer than the run goes on, which must not wait for them then.
                threading.Thread(target=self._ask_all, name="gg-approvals", daemon=True).start()
        return None

    def _ask_all(self) -> None:
        while (question := self._next()) is not None:
            with self._person:
                self._settle(question)

    def _next(self) -> "_Question | None":
        with self._lock:
            if self._line:
                return self._line.popleft()
            self._is_asking = False
            return None

    def _settle(self, question: "_Question") -> None:
        request = question.request
        if request.withdrawn.is_set():
            return
        try:
            answer = self._answer(request)
        except BaseException as error:  # whoever waits must learn of it, whatever it is
            found = error if isinstance(error, Exception) else RuntimeError(repr(error))
            defect = HostDefect.of("operation", _DOING, found)
            question.settle(ApprovalDecision(failure=defect, by="nobody"))
            return
        if answer is None:
            question.settle(_NOBODY.decide(request))
            return
        if answer.scope == "run":
            self._stand(request.name, answer)
        question.settle(_decision(request, answer, by="person"))

    def _answer(self, request: ApprovalRequest) -> ApprovalAnswer | None:
        assert self._approve is not None, "without a person no question is put in line"
        given: object = self._approve(request)
        if given is None:
            return None
        answer = ApprovalAnswer(allowed=given) if isinstance(given, bool) else given
        if not isinstance(answer, ApprovalAnswer):
            raise TypeError(f"it gives True, False, None or an ApprovalAnswer, and gave {given!r:.200}")
        reason = " ".join(answer.reason.encode(errors="replace").decode().split())
        return replace(answer, reason=shortened(reason, _REASON_CHARS))

    def _stand(self, name: str, answer: ApprovalAnswer) -> None:
        """From here on nobody is asked about calls of that name."""
        with self._lock:
            self._standing[name] = answer
            answered = [question for question in self._line if question.request.name == name]
            for question in answered:
                self._line.remove(question)
        for question in answered:
            question.settle(_decision(question.request, answer, by="rule"))


@dataclass(frozen=True)
class _Through:
    approvals: Approvals
    patience: Patience

    def decide(self, request: ApprovalRequest) -> ApprovalDecision:
        return self.approvals.decide(request, self.patience)


class _Question:
    """One call that waits for its decision."""

    def __init__(self, request: ApprovalRequest, *, settled: Callable[[], None]) -> None:
        self.request: Final = request
        self.decision: ApprovalDecision | None = None
        self._settled: Final = settled

    def settle(self, decision: ApprovalDecision) -> None:
        self.decision = decision
        self._settled()


def _decision(
    request: ApprovalRequest, answer: ApprovalAnswer, *, by: Literal["person", "rule"]
) -> ApprovalDecision:
    """What an answer means for a call."""
    if answer.allowed:
        return ApprovalDecision(failure=None, by=by, scope=answer.scope)
    until = " for the rest of the run" if answer.scope == "run" else ""
    reason = f": {answer.reason}" if answer.reason else "."
    refusal = Refusal("refused", f"A person has denied {request.call}{until}{reason}", kind="denied")
    return ApprovalDecision(failure=refusal, by=by, scope=answer.scope, reason=answer.reason)
