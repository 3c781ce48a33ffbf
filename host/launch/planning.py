"""From checked settings to the plan: paths made absolute, units spelled out, defaults filled in."""

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path as FilePath
from typing import TypeVar, cast

from host.core.healing import HealingSettings
from host.core.messages import Reply, dollars
from host.launch.capabilities import (
    AgentManagedContextCapability,
    CompactionCapability,
    DelegationCapability,
    FilesCapability,
    MemoriesCapability,
    ProgramLibraryCapability,
)
from host.launch.model_settings import ModelSettings
from host.launch.models import AgentSettings, HealingKeys, LimitSettings, RunSettings
from host.launch.plan import (
    AgentPlan,
    BoardPlan,
    CodeModePlan,
    CompactionPlan,
    ErrorRate,
    FilesPlan,
    HumanModel,
    LaunchPlan,
    MemoriesPlan,
    RosterEntry,
    RunLimits,
    SandboxPlan,
    ScriptedModel,
    StatePlan,
)
from host.launch.record_plans import records_plan
from host.launch.record_settings import RecordsCapability
from host.launch.skillbook_plans import skillbook_plan
from host.launch.skillbook_settings import SkillbookCapability
from host.launch.sources import resolve_replies
from host.launch.teams import BoardSettings, StateSettings
from host.launch.tool_planning import shell_plan, skills_plan, tools_plan
from host.launch.tool_settings import ShellCapability, SkillsCapability, ToolsCapability
from host.memories import MemoryLimits
from host.providers import RealModel, ScriptedReply

T = TypeVar("T")
C = TypeVar(
    "C",
    MemoriesCapability,
    FilesCapability,
    ProgramLibraryCapability,
    AgentManagedContextCapability,
    CompactionCapability,
    DelegationCapability,
    ToolsCapability,
    ShellCapability,
    SkillsCapability,
    RecordsCapability,
    SkillbookCapability,
)


def to_plan(
    settings: RunSettings, document: Mapping[str, object], *, base: FilePath, name: str
) -> LaunchPlan:
    """The plan of settings without a problem; `name` serves where none is written."""
    return LaunchPlan(
        name=settings.name or name,
        task=settings.task,
        root=settings.root or settings.agents[0].id,
        agents=tuple(_agent(agent, settings.model, base) for agent in settings.agents),
        base=base,
        document=_as_json(document),
        limits=_limits(settings.limits),
        sandbox=SandboxPlan(
            guest_s=settings.sandbox.guest_secs,
            memory_bytes=settings.sandbox.memory_mi_b * 2**20,
            confine=settings.sandbox.confine,
        ),
        seed=settings.seed,
        max_parallel=settings.max_parallel,
        states={name: _state(state) for name, state in settings.states.items()},
        board=_board(settings.board) if settings.board else None,
    )


def _as_json(document: Mapping[str, object]) -> dict[str, object]:
    """A copy as JSON values; what only a Python program can give is written as a file would name it."""
    return cast(dict[str, object], json.loads(json.dumps(document, default=_written_source)))


def _written_source(value: object) -> object:
    match value:
        case ScriptedReply():
            return value.model_dump(mode="json", by_alias=True, exclude_defaults=True)
        case Reply():
            usage: dict[str, object] = {
                "inputTokens": value.usage.input_tokens,
                "outputTokens": value.usage.output_tokens,
            }
            if value.usage.cost is not None:
                usage["cost"] = dollars(value.usage.cost)
            calls = [{"name": call.name, "arguments": call.arguments} for call in value.tool_calls]
            written = {"text": value.text, "finishReason": value.finish_reason, "usage": usage}
            return {**written, "toolCalls": calls} if calls else written
    named = value if hasattr(value, "__qualname__") else type(value)
    return f"{named.__module__}:{getattr(named, '__qualname__', '')}"


def _agent(agent: AgentSettings, run_model: ModelSettings | None, base: FilePath) -> AgentPlan:
    model = agent.model or run_model
    assert model is not None, "the rules refuse an agent without a model"
    memories, files = _enabled(agent, MemoriesCapability), _enabled(agent, FilesCapability)
    compaction = _enabled(agent, CompactionCapability)
    tools, shell = _enabled(agent, ToolsCapability), _enabled(agent, ShellCapability)
    skills, records = _enabled(agent, SkillsCapability), _enabled(agent, RecordsCapability)
    skillbook = _enabled(agent, SkillbookCapability)
    return AgentPlan(
        id=agent.id,
        model=_model(model, base, agent),
        execution=agent.execution,
        code_mode=CodeModePlan(
            typecheck=agent.code_mode.typecheck,
            delivery=agent.code_mode.delivery,
            healing=_healing(agent.code_mode.healing),
        ),
        prompt=agent.prompt,
        memories=_memories(memories) if memories else None,
        files=_files(files, base) if files else None,
        keeps_programs=_enabled(agent, ProgramLibraryCapability) is not None,
        manages_context=_enabled(agent, AgentManagedContextCapability) is not None,
        compaction=_compaction(compaction, model) if compaction else None,
        delegates=_enabled(agent, DelegationCapability) is not None,
        roster=tuple(RosterEntry(agent=entry.agent, role=entry.as_) for entry in agent.roster),
        tools=tools_plan(tools, base) if tools else None,
        shell=shell_plan(shell, base) if shell else None,
        skills=skills_plan(skills, base) if skills else None,
        records=records_plan(records) if records else None,
        skillbook=skillbook_plan(skillbook, base) if skillbook else None,
    )


def _model(
    model: ModelSettings, base: FilePath, agent: AgentSettings
) -> ScriptedModel | HumanModel | RealModel:
    window_tokens, counter = model.context_window, model.counter
    if model.provider == "human":
        return HumanModel(context_window_tokens=window_tokens, counter=counter)
    if model.provider != "scripted":
        return _real_model(model)
    replies = resolve_replies(model.replies, base=base, way=(agent.id, agent.execution))
    return ScriptedModel(replies=replies, context_window_tokens=window_tokens, counter=counter)


def _real_model(model: ModelSettings) -> RealModel:
    """What is not written is as long, and as often, as for any model."""
    plain = RealModel(
        name=model.provider,
        base_url=model.base_url,
        context_window_tokens=model.context_window,
        counter=model.counter,
        max_output_tokens=model.max_output_tokens,
        temperature=model.temperature,
        key_variable=model.api_key_env,
    )
    return replace(
        plain,
        timeout_s=_or(model.timeout_secs, plain.timeout_s),
        stream_idle_s=_or(model.stream_idle_secs, plain.stream_idle_s),
        max_retries=_or(model.max_retries, plain.max_retries),
        retry_max_delay_s=_or(model.retry_max_delay_secs, plain.retry_max_delay_s),
    )


def _or(written: T | None, default: T) -> T:
    return default if written is None else written


def _enabled(agent: AgentSettings, kind: type[C]) -> C | None:
    return next((found for found in agent.capabilities if isinstance(found, kind) and found.enabled), None)


def _healing(keys: HealingKeys) -> HealingSettings:
    return HealingSettings(
        strip_fences=keys.strip_fences,
        strip_prose=keys.strip_prose,
        drop_doubled_response=keys.drop_doubled_response,
    )


def _limits(limits: LimitSettings) -> RunLimits:
    share, window = limits.max_error_rate, limits.error_rate_window
    is_armed = share is not None and window is not None
    return RunLimits(
        max_turns=limits.max_turns,
        max_runtime_s=limits.max_runtime_secs,
        max_consecutive_errors=limits.max_consecutive_errors,
        error_rate=ErrorRate(share=_written(share), window=_written(window)) if is_armed else None,
        max_cost=limits.max_cost,
    )


def _memories(capability: MemoriesCapability) -> MemoriesPlan:
    params = capability.params
    return MemoriesPlan(
        strategy=_written(capability.implementation),
        scope=_written(params.scope),
        limits=MemoryLimits(
            max_count=_written(params.max_count),
            max_len_per_memory=_written(params.max_len_per_memory),
            max_total_len=_written(params.max_total_len),
            max_len_index=_written(params.max_len_index),
            max_len_description=_written(params.max_len_description),
            max_results=_written(params.max_results),
        ),
        may_revise=capability.features.revise_memories,
    )


def _compaction(capability: CompactionCapability, model: ModelSettings) -> CompactionPlan:
    return CompactionPlan(
        strategy=_written(capability.implementation),
        threshold=capability.params.threshold,
        context_window_tokens=_written(model.context_window),
    )


def _files(capability: FilesCapability, base: FilePath) -> FilesPlan:
    params = capability.params
    return FilesPlan(directory=(base / _written(params.dir)).resolve(), write=params.write, copy=params.copy_)


def _state(state: StateSettings) -> StatePlan:
    to = {name: frozenset(edge.transfer) for name, edge in state.to.items()}
    return StatePlan(agent=state.agent, to=to)


def _board(board: BoardSettings) -> BoardPlan:
    return BoardPlan(implementer=board.implementer, reviewer=board.reviewer, merge=board.merge)


def _written(value: T | None) -> T:
    """A value that the rules have made sure of."""
    assert value is not None, "the rules refuse an enabled capability that leaves this out"
    return value
