"""Builds one live agent as its team orders it, and records what it is."""

from collections.abc import Mapping

from host.agents import Copied, LiveAgent, StartOrder
from host.app.agent_modes import Acting, acting_of
from host.app.agent_parts import AgentParts
from host.app.agent_providers import provider_of
from host.app.agent_records import NotingUses
from host.app.beginnings import begin
from host.app.declarations import declarations_of
from host.app.run_parts import RunParts
from host.core.messages import ToolSpec
from host.core.module_keys import Carrier, Origin
from host.core.text import join_words
from host.core.tokens import estimate_tokens
from host.events import AgentSurface, sha256_of
from host.launch import model_name
from host.memories import Bound, MemoryDraft
from host.operations import FAMILIES
from host.turn import AgentCode, LoopParts, Mode


def build_agent(order: StartOrder, parts: RunParts) -> LiveAgent:
    """Builds an agent and records that it began, what it holds and what it can call.

    Raises `HostDefect` where one of its parts cannot be had.
    """
    files = parts.plan.agent(order.profile).files
    # The one part that may well fail, before anything is told of the agent.
    workspace = parts.workspaces.open(files, agent_id=order.agent_id) if files else None
    agent = AgentParts(order, parts, begin(order, parts), workspace)
    acting = acting_of(agent)
    loop = LoopParts(
        agent_id=agent.agent_id,
        window=agent.window,
        provider=provider_of(agent, parts),
        mode=_noting_uses(agent, acting.mode),
        endings=agent.endings,
        count=agent.count,
        compaction=agent.compaction,
        turn_ended=agent.turn_ended,
        news=agent.news,
        context_window=agent.plan.model.context_window_tokens,
        is_copy=order.copied is not None,
        company=order.company,
    )
    agent.emit(_surface(agent, loop.mode.tools))
    if acting.code is not None and agent.driven is not None and order.started_as == "root":
        _load_kept(agent, acting.code, agent.driven.kept)
    agent.report_state()
    return LiveAgent(
        loop=loop,
        holder=agent.holder,
        copied=lambda: _copied(agent, acting),
        brief=agent.brief,
        told=_told(order, agent.bound),
    )


def _noting_uses(agent: AgentParts, mode: Mode) -> Mode:
    """The mode, which has the store keep what each turn was served, where the agent has the store."""
    if agent.records is None:
        return mode
    return NotingUses(
        mode,
        agent.records,
        lambda refused: agent.note(f"what was read in the record store was not noted there: {refused}"),
    )


def _load_kept(agent: AgentParts, code: AgentCode, kept: tuple[MemoryDraft, ...]) -> None:
    """Loads the code of memories of an earlier run, where no call would read it."""
    if agent.holder is not None and agent.holder.strategy.reads is None:
        carried = ((Carrier("memory", draft.name), draft.code) for draft in kept)
        code.load_all((carrier, source) for carrier, source in carried if source is not None)


def _told(order: StartOrder, bound: Bound | None) -> str | None:
    """What it has to be told of what it holds."""
    if order.copied is not None:
        return order.copied.told
    return bound.told if bound else None


def _copied(agent: AgentParts, acting: Acting) -> Copied:
    """What a fork takes along: of the modules that are loaded neither the code nor the open pages."""
    turns = agent.count.turns
    window = agent.window.copy(turns)
    pages = acting.pages()
    for page in pages:
        window.close_docs(page.key)
    return Copied(
        window=window,
        archive=agent.thread.archived.copy(),
        library=acting.library.copy(turns) if acting.library else None,
        skills_read=tuple(skill.name for skill in agent.skills.read) if agent.skills else (),
        told=_not_loaded(acting.loaded()),
    )


def _not_loaded(origins: Mapping[str, Origin]) -> str | None:
    """What a copy is told of the modules, by their titles, that were loaded where it was made."""
    told = []
    for origin in sorted(set(origins.values())):
        named = join_words(f"`{module}`" for module, carried in sorted(origins.items()) if carried == origin)
        again = f"read a {origin} again to load its code"
        told.append(f"No module of a {origin} is loaded here; {again}. These were: {named}.")
    return " ".join(told) or None


def _surface(agent: AgentParts, tools: tuple[ToolSpec, ...]) -> AgentSurface:
    grants = agent.grants
    writes_programs = agent.plan.execution == "responses_as_code"
    tools_given = agent.tools
    declarations = declarations_of(agent.plan, agent.access, tools_given.declarations)
    return AgentSurface(
        execution_mode=agent.plan.execution,
        model=model_name(agent.plan.model),
        operations=tuple(id_ for id_ in grants.operations if grants.permits(id_)),
        withheld=tuple(id_ for id_ in grants.operations if not grants.permits(id_)),
        tools=tuple(tool.name for tool in tools),
        tools_tokens=sum(map(_tokens_of, tools)),
        modules=("gg", *(f"gg:{family.name}" for family in FAMILIES), "gg:tools") if writes_programs else (),
        declarations_sha256=sha256_of(declarations) if writes_programs else None,
        tool_declarations=tools_given.declarations if writes_programs and tools_given.namespaces else None,
    )


def _tokens_of(tool: ToolSpec) -> int:
    return estimate_tokens(f"{tool.name}{tool.description}{tool.parameters}")
