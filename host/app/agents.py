"""Builds one live agent from its plan: store, window, code, bracket, mode."""

from dataclasses import dataclass
from typing import Final

from host.app.defects import compiler_defects
from host.app.recorded_sources import RecordedSources
from host.app.workspaces import open_workspace
from host.context import Entry, Window, heading
from host.events import (
    AgentModule,
    AgentModules,
    AgentSpawned,
    AgentSurface,
    Event,
    OperatorLog,
    RunOrigin,
    SessionRecord,
    sha256_of,
)
from host.launch import AgentPlan, CodeModePlan, HumanModel, ScriptedModel
from host.memories import Holder, MemoryStore, strategy_of
from host.operations import (
    FAMILIES,
    OPERATIONS,
    Bracket,
    Caller,
    Grants,
    granted_by,
    memory_state_event,
)
from host.providers import Ask, HumanProvider, ModelProvider, ScriptedProvider
from host.turn import (
    AgentCode,
    AgentDocs,
    AgentThread,
    Delivery,
    EndingFlag,
    LoopParts,
    ProgramChain,
    ProgramLibrary,
    ProgramRunner,
    ResponsesAsCode,
    RunState,
    SubmittedProgram,
    TurnCount,
    WholeReply,
    memories_prompt,
    program_seed,
    system_prompt,
)
from runtime_js import Compiler
from sandbox import SandboxPool


@dataclass(frozen=True, kw_only=True)
class LiveAgent:
    """One running agent: what its loop drives, and what a result reads besides."""

    loop: LoopParts
    holder: Holder | None


@dataclass(frozen=True, kw_only=True)
class RunParts:
    """What the agents of one run are built on."""

    task: str
    run: RunState
    run_seed: int
    record: SessionRecord
    compiler: Compiler
    pool: SandboxPool
    declarations: str
    ask: Ask | None = None


def build_agent(plan: AgentPlan, parts: RunParts) -> LiveAgent:
    """Builds the root and records what it is, what it can call and what it holds."""
    builder = _AgentBuilder(plan, parts)
    builder.record_start()
    return builder.build()


class _AgentBuilder:
    """The parts of one agent, each built once and handed to those that need it."""

    def __init__(self, plan: AgentPlan, parts: RunParts) -> None:
        self._plan: Final = plan
        self._parts: Final = parts
        self._agent_id: Final = plan.id
        self._count: Final = TurnCount(window=parts.run.ceilings.error_rate_window)
        self._grants: Final = _grants(plan)
        self._holder: Final = _holder(plan, self._agent_id, self._grants)
        self._workspace: Final = (
            open_workspace(plan.files, record=parts.record.path, agent_id=plan.id) if plan.files else None
        )
        self._window: Final = _window(plan, self._grants, self._holder, parts.task)
        self._endings: Final = EndingFlag(self._note)
        self._defect_of: Final = compiler_defects(parts.record)
        self._code: Final = AgentCode(
            compiler=parts.compiler,
            declarations=parts.declarations,
            typecheck=plan.code_mode.typecheck,
            window=self._window,
            emit=self._emit,
            turn=self._turn,
            defect_of=self._defect_of,
        )
        self._docs: Final = AgentDocs(self._grants, self._code.pages)
        self._library: Final = ProgramLibrary() if plan.keeps_programs else None
        self._thread: Final = AgentThread(
            self._window,
            opening=lambda: _opening(self._holder, parts.task),
            turn=self._turn,
            emit=self._emit,
        )
        self._reported_position: int | None = None

    def build(self) -> LiveAgent:
        record = self._parts.record
        loop = LoopParts(
            agent_id=self._agent_id,
            window=self._window,
            provider=_provider(self._plan.model, self._parts.ask),
            mode=self._mode(),
            endings=self._endings,
            count=self._count,
            before_telling=self._thread.compact_if_due,
            turn_ended=lambda: record.write_module_state(self._agent_id),
        )
        return LiveAgent(loop=loop, holder=self._holder)

    def record_start(self) -> None:
        """The events that say what the agent is, before its first turn."""
        plan, holder, grants = self._plan, self._holder, self._grants
        self._emit(AgentSpawned(profile=plan.id))
        self._emit(AgentModules(modules=(_memories_row(plan, holder),)))
        self._emit(
            AgentSurface(
                execution_mode=plan.execution,
                operations=tuple(id_ for id_ in OPERATIONS if grants.permits(id_)),
                withheld=tuple(id_ for id_ in OPERATIONS if not grants.permits(id_)),
                modules=("gg", *(f"gg:{family.name}" for family in FAMILIES)),
                declarations_sha256=sha256_of(self._parts.declarations),
            )
        )
        self._report_state()

    def _mode(self) -> ResponsesAsCode:
        runner, keeper = self._runner(), RecordedSources(self._parts.record, self._agent_id)
        chain = ProgramChain(
            runner=runner,
            library=self._library,
            endings=self._endings,
            caller=self._caller,
            keeper=keeper,
            seed_of=self._seed_of,
            note=self._note,
        )
        return ResponsesAsCode(
            delivery=_delivery(self._plan.code_mode),
            chain=chain,
            runner=runner,
            code=self._code,
            endings=self._endings,
            caller=self._caller,
            keeper=keeper,
            seed_of=self._seed_of,
            note=self._note,
            note_at_end=self._note_at_end,
        )

    def _seed_of(self, turn: int, ordinal: int) -> int:
        return program_seed(self._parts.run_seed, self._agent_id, turn, ordinal)

    def _runner(self) -> ProgramRunner:
        run = self._parts.run
        return ProgramRunner(
            compiler=self._parts.compiler,
            pool=self._parts.pool,
            bracket=Bracket(
                grants=self._grants,
                latch=run.latch,
                clock=run.clock,
                refuse_over_run_time=run.refuse_over_run_time,
            ),
            code=self._code,
            latch=run.latch,
            emit=self._emit,
            defect_of=self._defect_of,
            report_state=self._report_state,
        )

    def _report_state(self) -> None:
        """Emits the state of the memories if it was changed since it was emitted last."""
        if self._holder is not None and self._holder.position != self._reported_position:
            self._reported_position = self._holder.position
            self._emit(memory_state_event(self._holder))

    def _caller(self, turn: int, origin: RunOrigin) -> Caller:
        return Caller(
            agent_id=self._agent_id,
            turn=turn,
            origin=origin,
            window=self._window,
            endings=self._endings,
            code=self._code,
            docs=self._docs,
            holder=self._holder,
            workspace=self._workspace,
            programs=self._library,
            thread=self._thread if self._plan.manages_context else None,
            emit=self._emit,
        )

    def _turn(self) -> int:
        """The turn that is under way."""
        return self._count.turns + 1

    def _emit(self, event: Event) -> None:
        self._parts.run.events.emit(event, agent_id=self._agent_id)

    def _note(self, text: str) -> None:
        self._emit(OperatorLog(level="warn", text=text, turn=self._turn(), source="host"))

    def _note_at_end(self, text: str) -> None:
        """As `_note`, when no turn is under way any more."""
        self._emit(OperatorLog(level="warn", text=text, source="host"))


def _provider(model: ScriptedModel | HumanModel, ask: Ask | None) -> ModelProvider:
    if isinstance(model, ScriptedModel):
        return ScriptedProvider(model.replies)
    assert ask is not None, "a session with a human model is not created without"
    return HumanProvider(ask)


def _delivery(plan: CodeModePlan) -> Delivery:
    return SubmittedProgram() if plan.delivery == "tool" else WholeReply(plan.healing)


def _grants(plan: AgentPlan) -> Grants:
    held = {
        "memories": plan.memories is not None,
        "files": plan.files is not None,
        "program-library": plan.keeps_programs,
        "agent-managed-context": plan.manages_context,
    }
    capabilities = frozenset(name for name, on in held.items() if on)
    offered = frozenset(strategy_of(plan.memories.strategy).calls if plan.memories else ())
    withheld = frozenset(id_ for id_ in OPERATIONS if id_.startswith("memories.")) - offered
    granted = granted_by(OPERATIONS.values(), capabilities, withheld)
    return Grants(OPERATIONS, granted)


def _holder(plan: AgentPlan, agent_id: str, grants: Grants) -> Holder | None:
    if plan.memories is None:
        return None
    store = MemoryStore(number=1, strategy=strategy_of(plan.memories.strategy), limits=plan.memories.limits)
    return Holder(
        store, agent_id=agent_id, access="write", scope=plan.memories.scope, calls=grants.spellings()
    )


def _window(plan: AgentPlan, grants: Grants, holder: Holder | None, task: str) -> Window:
    memories = (
        memories_prompt(holder.strategy, plan.memories.limits.max_len_description)
        if plan.memories and holder
        else None
    )
    window = Window(
        system_prompt(
            families=FAMILIES,
            grants=grants,
            agent_prompt=plan.prompt,
            memories=memories,
            delivery=plan.code_mode.delivery,
            rejects_types=plan.code_mode.typecheck == "error",
        )
    )
    for entry in _opening(holder, task):
        window.keep(entry)
    return window


def _opening(holder: Holder | None, task: str) -> tuple[Entry, ...]:
    """What follows the system prompt: the pinned block of the memories as they are now, and the task."""
    block = holder.block() if holder else None
    pinned = [Entry(role="user", band="memories", text=heading("Memories", block))] if block else []
    return (*pinned, Entry(role="user", band="task", text=heading("Task", task)))


def _memories_row(plan: AgentPlan, holder: Holder | None) -> AgentModule:
    return AgentModule(
        kind="memories",
        module_id=holder.module_id if holder else None,
        enabled=holder is not None,
        origin="created" if holder else None,
        writable=holder is not None,
        scope=plan.memories.scope if plan.memories else None,
    )
