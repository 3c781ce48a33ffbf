"""How an agent of a configuration has its code checked: with its tools and calls, by its settings."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Final

from host.app.check.finding import CheckRefused
from host.app.check.settings import CheckSettings
from host.app.declarations import declarations_of
from host.app.environment import environment, environment_for_servers, masker_of
from host.app.tool_start import start_tools
from host.core.healing import HealingSettings
from host.core.text import escape_line, join_words, quoted
from host.launch import AgentPlan, LaunchPlan, load
from host.memories import Access

_NO_HEALING: Final = HealingSettings(strip_fences=False, strip_prose=False)


@contextmanager
def configured(
    config: Path, *, agent: str | None = None, tell: Callable[[str], None]
) -> Iterator[CheckSettings]:
    """The settings of an agent of the configuration, the root unless one is named, as a run would have them.

    Servers of its tools run for as long as the block does; what there is to say of them is told in lines,
    from any thread. No model is asked, so neither clients nor keys of vendors are needed. Raises
    `CheckRefused` for an agent that is not there or writes no programs, and as `load` and `start_tools` do.
    """
    plan = load(config, environ=environment(), asks_models=False)
    chosen = _chosen(plan, config, agent)
    tools = start_tools(replace(plan, agents=(chosen,)), environment_for_servers(), mask=masker_of(plan).mask)
    try:
        tools.lines.tell_to(tell)
        given = tools.of(chosen.id)
        yield CheckSettings(
            typecheck=chosen.code_mode.typecheck,
            declarations=declarations_of(chosen, _access(chosen, plan), given.declarations),
            tools=given.guest_namespaces,
            # A program that is submitted by a call is taken as it is.
            healing=_NO_HEALING if chosen.code_mode.delivery == "tool" else chosen.code_mode.healing,
            knows_tools=True,
        )
    finally:
        tools.lines.stop()
        tools.close()


def _chosen(plan: LaunchPlan, config: Path, name: str | None) -> AgentPlan:
    agents = {agent.id: agent for agent in plan.agents}
    writers = [agent.id for agent in plan.agents if agent.execution == "responses_as_code"]
    file = escape_line(str(config))
    if name is not None and name not in agents:
        there = join_words(map(quoted, agents), "or")
        raise CheckRefused(f"--agent: {file} has no agent {quoted(name)}; name {there}")
    chosen = agents[plan.root if name is None else name]
    if chosen.id not in writers:
        remedy = (
            f"name {join_words(map(quoted, writers), 'or')} with --agent" if writers else "leave --config out"
        )
        raise CheckRefused(
            f"agent {quoted(chosen.id)} of {file} calls tools and writes no programs; {remedy}"
        )
    return chosen


def _access(agent: AgentPlan, plan: LaunchPlan) -> Access:
    """One that others start with their memories to read has no call that writes."""
    board = plan.board
    at_the_top = {plan.root, *((board.implementer, board.reviewer, board.merge) if board else ())}
    at_the_top |= {each.skillbook.reflector for each in plan.agents if each.skillbook}
    if agent.memories is None or agent.memories.scope != "read-only" or agent.id in at_the_top:
        return "write"
    return "read" if any(other.memories for other in plan.agents if other.id != agent.id) else "write"
