"""What the system prompt of an agent depends on: its plan, the run around it, what it has and holds."""

from dataclasses import replace
from typing import Final

from host.context import Window
from host.core.text import escape_line, shortened
from host.launch import AgentPlan, LaunchPlan
from host.memories import Holder
from host.operations import FAMILIES, Grants
from host.tools import Namespace
from host.turn import SECTION_NAMES, MemoryFacts, OtherAgents, PromptFacts, SectionName

_BRIEF_CHARS: Final = 200
_LINKS: Final = frozenset({"shared", "inherited", "read-only"})
_INHERITS: Final = frozenset({"inherited", "read-only"})


def prompt_facts_of(
    plan: AgentPlan,
    run: LaunchPlan,
    *,
    grants: Grants,
    holder: Holder | None,
    state: str | None,
    namespaces: tuple[Namespace, ...] = (),
    window: Window | None = None,
    sections: frozenset[SectionName] = frozenset(),
) -> PromptFacts:
    """One instance as it is before its first turn.

    `state` is the one that it acts in, if it does in one; `window` is the one that it goes on with, if it
    opens none of its own. `namespaces` are the tools that it may call, `sections` what the window that it
    opens holds besides its memories.
    """
    calls = grants.spellings()
    memories = None
    if holder is not None:
        is_filled = holder.block() is not None if window is None else window.holds("memories")
        memories = _memory_facts(holder, is_linked=_is_linked(plan, run, grants), is_filled=is_filled)
    return PromptFacts(
        execution=plan.execution,
        calls=calls,
        families=FAMILIES,
        agent_prompt=plan.prompt,
        delivery=plan.code_mode.delivery,
        rejects_types=plan.code_mode.typecheck == "error",
        memories=memories,
        compaction=plan.compaction.strategy if plan.compaction else None,
        skills=_skills(plan),
        sections=sections if window is None else frozenset(filter(window.holds, SECTION_NAMES)),
        others=_others(plan, run, state) if "delegation.fork" in calls else OtherAgents(),
        namespaces=tuple(_told(namespace) for namespace in namespaces),
    )


def _told(namespace: Namespace) -> Namespace:
    """The namespace under a brief of one line: a server wrote it."""
    return replace(namespace, brief=escape_line(shortened(namespace.brief, _BRIEF_CHARS)))


def _skills(plan: AgentPlan) -> dict[str, str]:
    skills = plan.skills.skills if plan.skills else ()
    return {skill.name: skill.description for skill in skills}


def _memory_facts(holder: Holder, *, is_linked: bool, is_filled: bool) -> MemoryFacts:
    return MemoryFacts(
        strategy=holder.strategy,
        caps=holder.caps,
        writable=holder.writable,
        is_linked=is_linked,
        is_filled=is_filled,
    )


def _is_linked(plan: AgentPlan, run: LaunchPlan, grants: Grants) -> bool:
    """Whether the configuration lets another agent hold the same store, whoever does as yet."""
    own = plan.memories.scope if plan.memories else ""
    inherits = any(agent.memories and agent.memories.scope in _INHERITS for agent in run.agents)
    return own in _LINKS or (inherits and grants.permits("delegation.spawn_subagent"))


def _others(plan: AgentPlan, run: LaunchPlan, state: str | None) -> OtherAgents:
    of_roster = dict.fromkeys(entry.agent for entry in plan.roster)
    of_states = dict.fromkeys(each.agent for each in run.states.values())
    successors = tuple(of_roster | of_states)
    next_states = run.states[state].to if state is not None else ()
    return OtherAgents(
        briefs={agent: _brief(run.agent(agent)) for agent in successors},
        subagents=tuple(dict.fromkeys(entry.agent for entry in plan.roster if entry.role == "subagent")),
        successors=successors,
        states={name: run.states[name].agent for name in next_states},
    )


def _brief(plan: AgentPlan) -> str:
    """The first line of an agent's own part of its prompt."""
    first = next((line.strip() for line in plan.prompt.splitlines() if line.strip()), "")
    return escape_line(shortened(first, _BRIEF_CHARS))
