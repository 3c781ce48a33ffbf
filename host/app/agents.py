"""Builds one live agent from its plan, and records what it is."""

from dataclasses import dataclass

from host.app.agent_modes import mode_of
from host.app.agent_parts import AgentParts
from host.app.agent_plans import memories_row, provider_of
from host.app.declarations import declarations_of
from host.app.run_parts import RunParts
from host.core.messages import ToolSpec
from host.events import AgentModules, AgentSpawned, AgentSurface, sha256_of
from host.launch import AgentPlan
from host.memories import Holder
from host.operations import FAMILIES, OPERATIONS
from host.turn import LoopParts


@dataclass(frozen=True, kw_only=True)
class LiveAgent:
    """One running agent: what its loop drives, and what a result reads besides."""

    loop: LoopParts
    holder: Holder | None


def build_agent(plan: AgentPlan, parts: RunParts) -> LiveAgent:
    """Builds the root and records what it is, what it can call and what it holds.

    Raises `HostDefect` where one of its parts cannot be had.
    """
    agent, record = AgentParts(plan, parts), parts.record
    loop = LoopParts(
        agent_id=agent.agent_id,
        window=agent.window,
        provider=provider_of(plan.model, parts.ask),
        mode=mode_of(agent),
        endings=agent.endings,
        count=agent.count,
        compaction=agent.compaction,
        turn_ended=lambda: record.write_module_state(agent.agent_id),
    )
    agent.emit(AgentSpawned(profile=plan.id))
    agent.emit(AgentModules(modules=(memories_row(plan, agent.bound),)))
    agent.emit(_surface(agent, loop.mode.tools))
    agent.report_state()
    return LiveAgent(loop=loop, holder=agent.holder)


def _surface(agent: AgentParts, tools: tuple[ToolSpec, ...]) -> AgentSurface:
    grants = agent.grants
    writes_programs = agent.plan.execution == "responses_as_code"
    return AgentSurface(
        execution_mode=agent.plan.execution,
        operations=tuple(id_ for id_ in OPERATIONS if grants.permits(id_)),
        withheld=tuple(id_ for id_ in OPERATIONS if not grants.permits(id_)),
        tools=tuple(tool.name for tool in tools),
        modules=("gg", *(f"gg:{family.name}" for family in FAMILIES)) if writes_programs else (),
        declarations_sha256=sha256_of(declarations_of(agent.plan, agent.access)) if writes_programs else None,
    )
