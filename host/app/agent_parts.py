"""The parts of one agent that it has whichever way its replies become calls."""

from typing import Final

from host.app.agent_grants import grants_of
from host.app.agent_plans import bound_of, opening, window_of
from host.app.compactions import compaction_of, memories_held
from host.app.run_parts import RunParts
from host.app.workspaces import open_workspace
from host.events import ApiCall, Event, OperatorLog, RunOrigin
from host.launch import AgentPlan
from host.memories import Access, Start
from host.operations import Bracket, Caller, CodeHalves, Docs, Programs, memory_state_event
from host.turn import AgentThread, EndingFlag, TurnCount


class AgentParts:
    """Each is built once and handed to those that need it. Raises `HostDefect` where one cannot be had."""

    def __init__(self, plan: AgentPlan, parts: RunParts) -> None:
        self.plan: Final = plan
        self.of_run: Final = parts
        self.agent_id: Final = plan.id
        self.count: Final = TurnCount(window=parts.run.ceilings.error_rate_window)
        self.bound: Final = bound_of(
            plan, self.agent_id, grants_of(plan, parts.plan), stores=parts.stores, start=Start(kind="root")
        )
        self.holder: Final = self.bound.holder if self.bound else None
        self.access: Final[Access] = "read" if self.holder and not self.holder.writable else "write"
        self.grants: Final = grants_of(plan, parts.plan, access=self.access)
        self.workspace: Final = (
            open_workspace(plan.files, record=parts.record.path, agent_id=plan.id) if plan.files else None
        )
        self.window: Final = window_of(
            plan, parts.plan, grants=self.grants, holder=self.holder, state=None, task=parts.task
        )
        self.endings: Final = EndingFlag(self.note)
        self.thread: Final = AgentThread(
            self.window,
            opening=lambda: opening(self.holder, parts.task),
            memories=lambda: memories_held(self.holder),
            turn=self.turn,
            emit=self.emit,
        )
        self.compaction: Final = compaction_of(
            plan,
            window=self.window,
            thread=self.thread,
            holder=self.holder,
            spellings=self.grants.spellings(),
            emit=self.emit,
        )
        self.bracket: Final = Bracket(
            grants=self.grants,
            latch=parts.run.latch,
            clock=parts.run.clock,
            refuse_over_run_time=parts.run.refuse_over_run_time,
            gate=self.compaction.gate,
        )
        self._reported_position: int | None = None

    def turn(self) -> int:
        """The turn that is under way."""
        return self.count.turns + 1

    def caller(
        self,
        turn: int,
        origin: RunOrigin,
        *,
        docs: Docs | None = None,
        code: CodeHalves | None = None,
        programs: Programs | None = None,
    ) -> Caller:
        """Who makes the calls of a turn; what is absent belongs to programs."""
        return Caller(
            agent_id=self.agent_id,
            turn=turn,
            origin=origin,
            window=self.window,
            endings=self.endings,
            code=code,
            docs=docs,
            holder=self.holder,
            workspace=self.workspace,
            programs=programs,
            thread=self.thread if self.plan.manages_context else None,
            emit=self.emit,
        )

    def report_state(self) -> None:
        """Emits the state of the memories if it was changed since it was emitted last."""
        if self.holder is None:
            return
        with self.holder.in_order():
            position = self.holder.position
            if position != self._reported_position:
                self._reported_position = position
                self.emit(memory_state_event(self.holder))

    def emit(self, event: Event) -> None:
        if isinstance(event, ApiCall):
            self.compaction.called(event)
        self.of_run.run.events.emit(event, agent_id=self.agent_id)

    def note(self, text: str) -> None:
        """Tells the operator of something in the turn that is under way."""
        self.emit(OperatorLog(level="warn", text=text, turn=self.turn(), source="host"))

    def note_at_end(self, text: str) -> None:
        """As `note`, when no turn is under way any more."""
        self.emit(OperatorLog(level="warn", text=text, source="host"))
