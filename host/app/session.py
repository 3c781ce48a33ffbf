"""The composition root of one run: builds its parts from a launch plan, runs it, closes what it opened.

Whatever happens, a session record that was begun is closed, and no worker or compiler outlives the session.
"""

import platform
import secrets
import threading
from collections import Counter
from collections.abc import Callable, Collection
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import Final

import anyio
import anyio.to_thread

from host.agents import Team
from host.app.approving import Approvals, Approve
from host.app.asking import one_at_a_time
from host.app.assembling import team_of
from host.app.declarations import declarations_of
from host.app.defects import compiler_defects
from host.app.driven import Driven
from host.app.environment import environment, environment_for_servers, masker_of
from host.app.needs import NobodyToAsk as NobodyToAsk
from host.app.needs import ready_pool, refuse_nobody, runs_programs
from host.app.record_home import at_home, store_folders
from host.app.reflection.run_books import RunBooks
from host.app.run_ceilings import ceilings_of
from host.app.run_parts import ProgramParts, RunParts
from host.app.run_records import RunRecords, open_records
from host.app.run_tools import RunTools
from host.app.shared_compiler import shared_compiler
from host.app.signals import woken_by_signals
from host.app.statuses import EXIT_CODES
from host.app.tool_start import start_tools
from host.app.version import VERSION
from host.app.workspaces import Workspaces
from host.core.clock import Clock, SystemClock
from host.core.errors import HostDefect
from host.core.ids import new_run_id
from host.core.masking import Masker
from host.core.messages import Usage, dollars
from host.events import (
    EVENTS_FILE,
    Defect,
    Event,
    OperatorLog,
    RecordUnwritable,
    Scalar,
    SessionRecord,
    SessionStarted,
    SessionSummary,
    Status,
    Subscriber,
    TokenTotals,
)
from host.launch import LaunchPlan
from host.memories import Memory
from host.operations import OWN_FOLDER
from host.providers import Ask, RunModels
from host.turn import ACTING, AgentEnd, Ending, Latch, RunState, TurnCount
from runtime_js import Compiler, CompilerBroken
from sandbox import SandboxPool

RUNS_FOLDER: Final = Path(OWN_FOLDER) / "runs"
Arriving = Callable[[str, int], None]
"""Told an agent and how many characters of its reply have arrived so far."""


@dataclass(frozen=True, kw_only=True)
class RunResult:
    """How a run ended. `record` is the directory of its session record; `error` says what went wrong.

    The texts of `ending` and `error` are masked as in the record.
    """

    status: Status
    exit_code: int
    ending: Ending | None
    record: Path
    usage: Usage = field(default_factory=Usage)
    memories: tuple[Memory, ...] = ()
    error: str | None = None


class Session:
    """One run of one configuration. It is used once."""

    def __init__(
        self,
        plan: LaunchPlan,
        *,
        record: SessionRecord,
        pool: SandboxPool | None,
        clock: Clock,
        masker: Masker,
        compiler: Compiler | None,
        ask: Ask | None,
        approve: Approve | None,
        arriving: Arriving | None,
        tools: RunTools,
        driven: Driven | None,
        records: RunRecords | None,
        record_home: Path | None,
    ) -> None:
        self._record_home: Final = record_home
        self._records: Final = records
        self._driven: Final = driven
        self._tools: Final = tools
        self._plan: Final = plan
        self._team: Team | None = None
        self._record: Final = record
        self._pool: Final = pool
        self._given_compiler: Final = compiler
        person = threading.Lock()
        self._ask: Final = None if ask is None else one_at_a_time(ask, person)
        self._models: Final = RunModels(environ=environment(), mask=masker.mask, arriving=arriving)
        self._seed: Final = plan.seed if plan.seed is not None else secrets.randbits(32)
        self._state: Final = RunState(
            clock=clock,
            ceilings=ceilings_of(plan.limits),
            latch=Latch(self._report_defect),
            events=record.log,
            flush=record.log.flush,
            mask=masker.mask,
        )
        self._approvals: Final = Approvals(approve, mask=masker.mask, flush=record.log.flush, person=person)

    @classmethod
    def create(
        cls,
        plan: LaunchPlan,
        *,
        out: Path | None = None,
        folder: Path = RUNS_FOLDER,
        compiler: Compiler | None = None,
        clock: Clock | None = None,
        ask: Ask | None = None,
        approve: Approve | None = None,
        arriving: Arriving | None = None,
        driven: Driven | None = None,
        record_home: Path | None = None,
    ) -> "Session":
        """Checks what the run needs, then begins its record, in `out` or else under its id in `folder`.

        A `compiler` that is given is not closed; without one the run shares that of all runs of the process.
        Where the replies of no agent are programs, neither a compiler nor a worker is needed. `approve` asks
        a person about calls, in a thread of its own; without it those that need it are refused. `arriving` is
        told, in the run's thread, the agent and how many characters of its reply have arrived, for as long as
        a vendor's model answers. With `driven`, what `ask` gives for the root may be calls of its memories as
        well as programs. The record store is the user's, or that of `record_home`.

        Raises `ToolchainError`, `ConfinementUnavailable`, `NobodyToAsk`, `RecordNotCreated`, and what
        `start_tools` and `open_records` raise. Nothing is left by a refusal.
        """
        refuse_nobody(plan, ask)
        clock = clock or SystemClock()
        run_id = new_run_id(clock.now())
        masker = masker_of(plan)
        with ExitStack() as undo:
            pool = ready_pool(plan, undo) if runs_programs(plan) else None
            tools = start_tools(plan, environment_for_servers(), mask=masker.mask)
            undo.callback(tools.close)
            environ = at_home(record_home, environment())
            records = open_records(plan, environ, undo, run=run_id, clock=clock, mask=masker.mask)
            record = SessionRecord.create(
                out or folder / run_id,
                run_id=run_id,
                config=plan.document,
                gg_version=VERSION,
                clock=clock,
                masker=masker,
            )
            undo.pop_all()
        return cls(
            plan,
            record=record,
            pool=pool,
            clock=clock,
            masker=masker,
            compiler=compiler,
            ask=ask,
            approve=approve,
            arriving=arriving,
            tools=tools,
            driven=driven,
            records=records,
            record_home=record_home,
        )

    @property
    def record(self) -> Path:
        """Directory of the session record."""
        return self._record.path

    def subscribe(self, callback: Subscriber) -> Callable[[], None]:
        """Calls `callback` with each event as it is recorded; the returned function ends that."""
        return self._record.log.subscribe(callback)

    def cancel(self) -> None:
        """Ends the run at the next turn boundary. Thread-safe."""
        self._state.cancel()

    def discard(self) -> None:
        """Closes what a session holds that was created and will not be run; its record says no more."""
        if self._pool is not None:
            self._pool.close()
        if self._records is not None:
            self._records.close()
        self._tools.close()
        self._record.close()

    def run(self) -> RunResult:
        """Runs to the end. Blocking; `run_async` is the same for an event loop."""
        try:
            return anyio.run(self._run_woken)
        except BaseExceptionGroup as group:
            raise _first(group) from None

    async def _run_woken(self) -> RunResult:
        async with woken_by_signals():  # in a loop of its own: another one's signals are its owner's
            return await self.run_async()

    async def run_async(self) -> RunResult:
        with ExitStack() as stack:
            stack.callback(self._record.close)
            stack.callback(self._tools.close)
            if self._records is not None:
                stack.callback(self._records.close)
            try:
                return await self._run(stack)
            except RecordUnwritable as error:
                return self._result(AgentEnd(status="internal_error", error=str(error)))

    async def _run(self, stack: ExitStack) -> RunResult:
        programs = self._programs(stack)
        self._emit(self._started(), self._plan.root)
        self._tell_of_tools(stack)
        for line in self._records.told if self._records else ():
            self._emit(OperatorLog(level="info", text=line, source="host"), self._plan.root)
        self._team = team = self._assembled(programs)
        end = self._judged(await self._run_team(team, programs))
        self._record.write_module_states()
        if self._records is not None and end.status == "completed":
            await anyio.to_thread.run_sync(self._promote, self._records)
        self._emit(self._summary(end, team.counts.values()), self._plan.root)
        self._record.log.flush()
        return self._result(end)

    def _programs(self, stack: ExitStack) -> ProgramParts | None:
        if self._pool is None:
            return None
        pool = stack.enter_context(self._pool)
        compiler = self._given_compiler or stack.enter_context(shared_compiler())
        return ProgramParts(compiler=compiler, pool=pool)

    def _tell_of_tools(self, stack: ExitStack) -> None:
        """From here on the operator is told what the servers of tools have to say."""
        lines, root = self._tools.lines, self._plan.root
        stack.callback(lines.stop)
        lines.tell_to(lambda line: self._emit(OperatorLog(level="info", text=line, source="host"), root))

    async def _run_team(self, team: Team, programs: ProgramParts | None) -> AgentEnd | None:
        try:
            async with anyio.create_task_group() as tasks:
                if programs is not None:
                    tasks.start_soon(self._warm, programs)
                end = await team.run()
        except BaseExceptionGroup as group:
            raise _first(group) from None  # such as an interrupt in a model's own code, to be seen as itself
        finally:
            await self._models.aclose()
        return end

    def _judged(self, end: AgentEnd | None) -> AgentEnd:
        """The run's end: the root's, but that a defect anywhere is the run's."""
        defect = self._state.latch.defect
        if defect is not None:
            return AgentEnd(status="internal_error", error=str(defect))
        assert end is not None, "without a defect there is a root"
        return end

    def _promote(self, records: RunRecords) -> None:
        """Memories become records that outlive the run, where its plan says so."""
        self._record.log.flush()
        for event in records.promote(self._plan, self._record.path / EVENTS_FILE):
            self._emit(event, self._plan.root)

    async def _warm(self, programs: ProgramParts) -> None:
        """Starts the compilers while the first reply is awaited; a fault shows where it is first met."""
        tools = self._tools.of(self._plan.root).declarations
        declarations = declarations_of(self._plan.root_agent, tools=tools)
        try:
            await anyio.to_thread.run_sync(lambda: programs.compiler.warm(declarations))
        except CompilerBroken as broken:
            # That it cannot be recorded ends the run where the loop meets it, and is no error of this task.
            with suppress(RecordUnwritable):
                self._state.latch.record(compiler_defects(self._record)(broken))

    def _assembled(self, programs: ProgramParts | None) -> Team:
        parts = RunParts(
            plan=self._plan,
            run=self._state,
            run_seed=self._seed,
            record=self._record,
            programs=programs,
            workspaces=Workspaces(self._record.path, store_folders=self._store_folders()),
            models=self._models,
            ask=self._ask,
            driven=self._driven,
            records=self._records,
            tools=self._tools,
            approvals=self._approvals,
            books=RunBooks(clock=self._state.clock, home=self._record_home),
        )
        return team_of(parts)

    def _store_folders(self) -> list[Path]:
        """Those of this user's record store, and of the run's own where it has another one."""
        homes = (environment(), at_home(self._record_home, environment()))
        return list(dict.fromkeys(chain.from_iterable(map(store_folders, homes))))

    def _started(self) -> SessionStarted:
        return SessionStarted(
            name=self._plan.name,
            task=self._plan.task,
            config_sha256=self._plan.config_sha256,
            gg_version=VERSION,
            python_version=platform.python_version(),
            seed=self._seed,
        )

    def _summary(self, end: AgentEnd, counts: Collection[TurnCount]) -> SessionSummary:
        usage = self._state.usage
        return SessionSummary(
            status=end.status,
            exit_code=EXIT_CODES[end.status],
            ending=end.ending.as_event() if end.ending else None,
            error=end.error,
            error_type=end.error_type,
            agents=len(counts),
            turns=sum(count.turns for count in counts),
            errors=sum(count.errors for count in counts),
            error_types=dict(sum((Counter(count.by_type) for count in counts), Counter[str]())),
            usage=TokenTotals(
                input_tokens=usage.input_tokens,
                output_tokens=usage.output_tokens,
                cached_input_tokens=usage.cached_input_tokens or None,
                cost=dollars(usage.cost),
            ),
            duration_s=round(self._state.elapsed_s, 6),
        )

    def _result(self, end: AgentEnd) -> RunResult:
        mask, ending = self._state.mask, end.ending
        root = self._team.root if self._team else None
        holder = root.live.holder if root else None
        return RunResult(
            status=end.status,
            exit_code=EXIT_CODES[end.status],
            ending=Ending(ending.kind, mask(ending.summary)) if ending else None,
            record=self._record.path,
            usage=self._state.usage,
            memories=holder.state().memories if holder else (),
            error=None if end.error is None else mask(end.error),
        )

    def _report_defect(self, defect: HostDefect) -> None:
        agent_id = ACTING.get() or self._plan.root
        count = self._team.counts.get(agent_id) if self._team else None
        self._emit(
            Defect(
                turn=count.turns + 1 if count else None,
                kind=defect.kind,
                detail=defect.detail,
                agent_id_of=agent_id,
                facts={name: _scalar(value) for name, value in defect.facts.items()},
            ),
            agent_id,
        )

    def _emit(self, event: Event, agent_id: str) -> None:
        self._record.log.emit(event, agent_id=agent_id)


def _first(error: BaseException) -> BaseException:
    return _first(error.exceptions[0]) if isinstance(error, BaseExceptionGroup) else error


def _scalar(value: object) -> Scalar:
    return value if value is None or isinstance(value, str | int | float | bool) else str(value)
