"""Builds one live agent from its plan: store, window, code, bracket, mode."""

import shutil
from collections.abc import Callable
from dataclasses import dataclass

from host.app.defects import compiler_defects
from host.app.sources import RecordedSources
from host.context import Window, heading
from host.events import (
    AgentModule,
    AgentModules,
    AgentSpawned,
    AgentSurface,
    Event,
    OperatorLog,
    SessionRecord,
    sha256_of,
)
from host.launch import AgentPlan, MemoriesPlan
from host.memories import Holder, MemoryLimits, MemoryStore, strategy_of
from host.operations import (
    FAMILIES,
    OPERATIONS,
    Bracket,
    Caller,
    Grants,
    Origin,
    Workspace,
    granted_by,
    memory_state_event,
)
from host.providers import ModelProvider, ScriptedProvider
from host.turn import (
    AgentCode,
    AgentDocs,
    CodeModeSettings,
    EndingFlag,
    LoopParts,
    ProgramRunner,
    ResponsesAsCode,
    RunState,
    TurnCount,
    memories_prompt,
    program_seed,
    system_prompt,
)
from runtime_js import Compiler
from sandbox import SandboxPool


@dataclass(frozen=True, kw_only=True)
class LiveAgent:
    """One running agent: what its loop drives, and what a summary reads."""

    agent_id: str
    window: Window
    provider: ModelProvider
    mode: ResponsesAsCode
    endings: EndingFlag
    count: TurnCount
    holder: Holder | None
    turn_ended: Callable[[], None]

    def loop_parts(self) -> LoopParts:
        return LoopParts(
            agent_id=self.agent_id,
            window=self.window,
            provider=self.provider,
            mode=self.mode,
            endings=self.endings,
            count=self.count,
            turn_ended=self.turn_ended,
        )


def build_agent(
    plan: AgentPlan,
    *,
    task: str,
    run: RunState,
    run_seed: int,
    record: SessionRecord,
    compiler: Compiler,
    pool: SandboxPool,
    declarations: str,
) -> LiveAgent:
    """Builds the root and records what it is, what it can call and what it holds."""
    agent_id = plan.id
    count = TurnCount(window=run.ceilings.error_rate_window)

    def emit(event: Event) -> None:
        run.events.emit(event, agent_id=agent_id)

    def note(text: str) -> None:
        emit(OperatorLog(level="warn", text=text, turn=count.turns + 1, source="host"))

    grants = _grants(plan)
    holder = _holder(plan, agent_id, grants)
    workspace = _workspace(plan, record)
    window = _window(plan, grants, holder, task)
    endings = EndingFlag(note)
    defect_of = compiler_defects(record)
    code = AgentCode(
        compiler=compiler,
        declarations=declarations,
        typecheck=plan.code_mode.typecheck,
        window=window,
        emit=emit,
        turn=lambda: count.turns + 1,
        defect_of=defect_of,
    )
    docs = AgentDocs(code.pages)

    def caller(turn: int, origin: Origin) -> Caller:
        return Caller(
            agent_id=agent_id,
            turn=turn,
            origin=origin,
            window=window,
            endings=endings,
            code=code,
            docs=docs,
            holder=holder,
            workspace=workspace,
            emit=emit,
        )

    runner = ProgramRunner(
        compiler=compiler,
        pool=pool,
        bracket=Bracket(
            grants=grants, latch=run.latch, clock=run.clock, refuse_over_run_time=run.refuse_over_run_time
        ),
        code=code,
        latch=run.latch,
        emit=emit,
        defect_of=defect_of,
    )
    mode = ResponsesAsCode(
        settings=CodeModeSettings(strip_fences=plan.code_mode.strip_fences),
        runner=runner,
        code=code,
        endings=endings,
        caller=caller,
        keeper=RecordedSources(record, agent_id),
        seed_of=lambda turn, ordinal: program_seed(run_seed, agent_id, turn, ordinal),
        note=note,
    )
    _record_start(plan, emit, grants, holder, declarations)
    return LiveAgent(
        agent_id=agent_id,
        window=window,
        provider=ScriptedProvider(plan.model.replies),
        mode=mode,
        endings=endings,
        count=count,
        holder=holder,
        turn_ended=lambda: record.write_module_state(agent_id),
    )


def _grants(plan: AgentPlan) -> Grants:
    capabilities = {
        name for name, on in (("memories", plan.memories), ("files", plan.files)) if on is not None
    }
    offered = frozenset(strategy_of(plan.memories.strategy).calls if plan.memories else ())
    withheld = frozenset(id_ for id_ in OPERATIONS if id_.startswith("memories.")) - offered
    granted = granted_by(OPERATIONS.values(), frozenset(capabilities), withheld)
    return Grants(OPERATIONS, granted)


def _holder(plan: AgentPlan, agent_id: str, grants: Grants) -> Holder | None:
    if plan.memories is None:
        return None
    store = MemoryStore(number=1, strategy=strategy_of(plan.memories.strategy), limits=_limits(plan.memories))
    return Holder(
        store, agent_id=agent_id, access="write", scope=plan.memories.scope, calls=grants.spellings()
    )


def _limits(memories: MemoriesPlan) -> MemoryLimits:
    return MemoryLimits(
        max_count=memories.max_count,
        max_len_per_memory=memories.max_len_per_memory,
        max_total_len=memories.max_total_len,
        max_len_index=memories.max_len_index,
        max_len_description=memories.max_len_description,
        max_results=memories.max_results,
    )


def _workspace(plan: AgentPlan, record: SessionRecord) -> Workspace | None:
    files = plan.files
    if files is None:
        return None
    root = files.directory
    if files.copy:
        root = record.path / "workspace" / plan.id
        shutil.copytree(files.directory, root, symlinks=True)
    return Workspace(root, writable=files.write)


def _window(plan: AgentPlan, grants: Grants, holder: Holder | None, task: str) -> Window:
    memories = (
        memories_prompt(plan.memories.strategy, plan.memories.max_len_description) if plan.memories else None
    )
    window = Window(
        system_prompt(families=FAMILIES, grants=grants, agent_prompt=plan.prompt, memories=memories)
    )
    block = holder.block() if holder else None
    if block:
        window.add("user", "memories", heading("Memories", block))
    window.add("user", "task", heading("Task", task))
    return window


def _record_start(
    plan: AgentPlan, emit: Callable[[Event], None], grants: Grants, holder: Holder | None, declarations: str
) -> None:
    emit(AgentSpawned(profile=plan.id))
    emit(
        AgentModules(
            modules=(
                AgentModule(
                    kind="memories",
                    module_id=holder.module_id if holder else None,
                    enabled=holder is not None,
                    origin="created" if holder else None,
                    writable=holder is not None,
                    scope=plan.memories.scope if plan.memories else None,
                ),
            )
        )
    )
    emit(
        AgentSurface(
            execution_mode=plan.execution,
            operations=tuple(id_ for id_ in OPERATIONS if grants.permits(id_)),
            withheld=tuple(id_ for id_ in OPERATIONS if not grants.permits(id_)),
            modules=("gg", *(f"gg:{family.name}" for family in FAMILIES)),
            declarations_sha256=sha256_of(declarations),
        )
    )
    if holder is not None:
        emit(memory_state_event(holder))
