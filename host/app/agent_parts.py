"""The parts of one agent that it has whichever way its replies become calls."""

from dataclasses import replace
from functools import cached_property
from typing import Final

from host.agents import Briefing, Copied, StartOrder, briefing_of
from host.app.agent_grants import grants_of
from host.app.agent_plans import skills_of, window_of
from host.app.approving import policy_of
from host.app.compactions import compaction_of, memories_held
from host.app.opening import Opening
from host.app.opening_records import opening_section
from host.app.prompt_facts import prompt_facts_of
from host.app.reflection.injecting import injected_section
from host.app.run_parts import RunParts
from host.app.shell import shell_of
from host.context import Band, ContextPacket, Window, untitled
from host.core.context_item import Authority
from host.events import ApiCall, Event, OperatorLog, RunOrigin
from host.launch import HumanModel
from host.memories import Access, Bound, render_notice
from host.operations import (
    Bracket,
    Caller,
    CodeHalves,
    Docs,
    Grants,
    Programs,
    Workspace,
    memory_state_event,
)
from host.skills import Skill
from host.turn import AgentThread, EndingFlag, News, TurnCount, system_prompt


class AgentParts:
    """Each is built once and handed to those that need it. Raises `HostDefect` where one cannot be had."""

    def __init__(
        self, order: StartOrder, parts: RunParts, bound: Bound | None, workspace: Workspace | None
    ) -> None:
        plan = parts.plan.agent(order.profile)
        copied = order.copied
        self.order: Final = order
        self.plan: Final = plan
        self.of_run: Final = parts
        self.agent_id: Final = order.agent_id
        self.count: Final = TurnCount(window=parts.run.ceilings.error_rate_window)
        self.bound: Final = bound
        self.holder: Final = bound.holder if bound else None
        self.access: Final[Access] = "read" if self.holder and not self.holder.writable else "write"
        self.tools: Final = parts.tools.of(order.profile)
        self.toolbox: Final = parts.tools.toolbox(
            order.profile, portal=order.portal, left_s=lambda: parts.run.left_s
        )
        self.grants: Final = grants_of(
            plan, parts.plan, place=order.place, access=self.access, tools=self.tools.rows
        )
        self.workspace: Final = workspace
        self.shell: Final = shell_of(
            plan, parts.run, parts.workspaces, agent_id=self.agent_id, note=self.note_at_end
        )
        self.skills: Final = skills_of(plan, copied)
        self.records: Final = parts.records.of(plan, self.agent_id) if parts.records else None
        self.reflection: Final = parts.books.reflection if order.place == "reflector" else None
        self._section: Final = _kept(copied, "records") if copied else self._records_section()
        self._skillbook: Final = _kept(copied, "skillbook") if copied else self._skillbook_section()
        self.window: Final = self._copied(copied) if copied else self._opened()
        self.endings: Final = EndingFlag(self.note)
        self.thread: Final = AgentThread(
            self.window,
            opening=lambda: self._opening(self.holder.pin() if self.holder else None).entries,
            memories=lambda: memories_held(self.holder),
            turn=self.turn,
            emit=self.emit,
            archive=copied.archive if copied else None,
        )
        is_asked = order.place == "root" and isinstance(plan.model, HumanModel)
        self.driven: Final = parts.driven if is_asked else None
        self.compaction: Final = compaction_of(
            plan,
            window=self.window,
            thread=self.thread,
            holder=self.holder,
            spellings=self.grants.spellings(),
            emit=self.emit,
            is_driven=self.driven is not None,
        )
        self.bracket: Final = self.bracket_of(self.grants)
        self._reported_position: int | None = None

    def bracket_of(self, grants: Grants) -> Bracket:
        """What carries out its calls, as far as these allow them."""
        run = self.of_run.run
        return Bracket(
            grants=grants,
            latch=run.latch,
            clock=run.clock,
            refuse_over_run_time=run.refuse_over_run_time,
            gate=self.compaction.gate,
            policy=policy_of(self.plan),
            approver=self.of_run.approvals.through(self.order.patience),
        )

    def brief(self, prompt: str) -> Briefing:
        """What a subagent with this task begins with. Raises `Refusal`."""
        paths = dict.fromkeys(view.selector for view in self.window.current() if view.kind == "file")
        handles = tuple({"kind": "file_path", "file_path": path, "root": 0} for path in paths)
        packet = replace(self._tasks, repository_handles=handles)
        files = self.plan.files.directory if self.plan.files else None
        return briefing_of(packet, prompt, spawner=self.agent_id, files=files)

    @cached_property
    def _tasks(self) -> ContextPacket:
        """Its task and those that it is a part of, which never change: all that others are told of it."""
        return Opening(task=self._task(), authority=self._authority, briefing=self.order.briefing).packet

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
            delegation=self.order.delegation if self.plan.delegates else None,
            board=self.order.board if self.plan.delegates else None,
            skills=self.skills,
            toolbox=self.toolbox,
            shell=self.shell,
            records=self.records,
            reflection=self.reflection,
            emit=self.emit,
        )

    def news(self) -> tuple[News, ...]:
        """The notices that the next prompt is to have: what its team tells it, and of its memories."""
        self.report_state()
        return (*self.order.news(), *self._memory_news())

    def turn_ended(self) -> None:
        """Brings the record up to what the agent holds at a boundary."""
        self.report_state()
        self.of_run.record.write_module_state(self.agent_id)

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

    def _opened(self) -> Window:
        return window_of(
            self.plan,
            self.of_run.plan,
            grants=self.grants,
            holder=self.holder,
            state=self.order.state,
            namespaces=self.tools.callable_by(self.grants),
            opening=self._opening(self.holder.open() if self.holder else None),
            mask=self.of_run.run.mask,
        )

    def _opening(self, memories: str | None) -> Opening:
        """What its window begins with, now or when it is rewritten, with this block of memories."""
        order = self.order
        return Opening(
            task=self._task(),
            authority=self._authority,
            briefing=order.briefing,
            shares_files=self._shares_files(),
            memories=memories,
            records=self._section,
            skillbook=self._skillbook,
            account=self.reflection.account.text if self.reflection else None,
            skills=self._pinned(),
        )

    @property
    def _authority(self) -> Authority:
        """What its task counts for."""
        return "user_intent" if self.order.task is None and not self.order.prompt else "task_contract"

    def _shares_files(self) -> bool:
        """Whether it works on the files of the agent that started it."""
        files = self.order.briefing.files if self.order.briefing else None
        return files is not None and self.plan.files is not None and files == self.plan.files.directory

    def _records_section(self) -> str | None:
        """The section of records that it begins with."""
        if self.records is None or self.plan.records is None:
            return None
        return opening_section(
            self.records,
            self.plan.records,
            task=self._task(),
            now=self.of_run.run.clock.now(),
            search=self.grants.spelling("records.search"),
            emit=self.emit,
            note=self.note_at_end,
        )

    def _skillbook_section(self) -> str | None:
        """The section of skills that it begins with."""
        if self.plan.skillbook is None:
            return None
        return injected_section(
            self.plan.skillbook,
            self.of_run.books,
            profile=self.plan.id,
            task=self._task(),
            emit=self.emit,
            note=self.note_at_end,
        )

    def _copied(self, copied: Copied) -> Window:
        """The window of the agent that it is a copy of, under the prompt of what it may do itself."""
        window = copied.window
        facts = prompt_facts_of(
            self.plan,
            self.of_run.plan,
            grants=self.grants,
            holder=self.holder,
            state=self.order.state,
            namespaces=self.tools.callable_by(self.grants),
            window=window,
        )
        window.reword(system_prompt(facts))
        return window

    def _pinned(self) -> tuple[Skill, ...]:
        return self.skills.read if self.skills else ()

    def _task(self) -> str:
        """With what a copy alone is to do, which it keeps when its window is rewritten."""
        task = self.of_run.plan.task if self.order.task is None else self.order.task
        return f"{task}\n\n{self.order.prompt}" if self.order.prompt else task

    def _memory_news(self) -> tuple[tuple[str, str], ...]:
        changes = self.holder.news() if self.holder else ()
        if self.holder is None or not changes:
            return ()
        text = render_notice(
            changes,
            strategy=self.holder.strategy,
            calls=self.grants.spellings(),
            loads_code=self.plan.execution == "responses_as_code",
        )
        return (("memories_changed", text),)


def _kept(copied: Copied, band: Band) -> str | None:
    """What a section of the window says that a copy goes on with."""
    held = (each for each in copied.window.entries_from(1) if each.band == band)
    return next((untitled(each.text)[1] for each in held), None)
