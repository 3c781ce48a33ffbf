"""Starts what the tools of a run need, names and types them, or refuses the launch with every defect."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Final

from host.app.agent_tools import AgentTools
from host.app.run_tools import OperatorLines, RunTools
from host.launch import (
    NATIVE_NAMES,
    SDK_NAMES,
    AgentPlan,
    FunctionPlan,
    LaunchPlan,
    Place,
    Problem,
    ServerPlan,
    ToolsPlan,
    agents_by_id,
    capabilities_at,
    name_problem,
    refusal,
    to_defects,
    unmatched_problems,
)
from host.tools import (
    LOCAL,
    Namespace,
    Servers,
    ServersFailed,
    ServerSpec,
    Tool,
    ToolSource,
    TypedTools,
    python_tool,
    type_tools,
)
from runtime_js import GLOBAL_NAMES

_LOCAL_BRIEF: Final = "Functions that this run gives you."


def start_tools(plan: LaunchPlan, environ: Mapping[str, str], *, mask: Callable[[str], str]) -> RunTools:
    """The tools of all agents; every server that one of them names is running.

    `environ` is the environment that servers are given parts of, `mask` hides secrets in what is said of one
    that did not start. Raises `LaunchRefused` for names that servers gave and that cannot be used,
    `ServersFailed` naming every server that did not start, `ServersNotInstalled`. Nothing is left running
    then.
    """
    lines = OperatorLines()
    planned = {agent.id: agent.tools for agent in plan.agents if agent.tools is not None}
    specs = _specs(planned.values())
    servers = _started(specs, environ, lines, mask) if specs else None
    try:
        typed = {agent: type_agent_tools(tools, servers) for agent, tools in planned.items()}
        problems = [
            problem
            for agent in plan.agents
            if agent.id in typed and agent.tools is not None
            for problem in _problems(plan, agent, typed[agent.id])
        ]
        if problems:
            raise refusal(to_defects(plan.document, problems))
    except BaseException:
        if servers is not None:
            servers.close()
        raise
    for found in typed.values():
        for tool in found.left_out:
            lines.add(tool.namespace, f"the tool {tool.tool} is left out: {tool.reason}")
    for unusable in servers.unusable if servers else ():
        lines.add(unusable.server, f"the tool {unusable.tool} is left out: {unusable.reason}")
    of_agents = {agent: AgentTools(namespaces=_offered(found)) for agent, found in typed.items()}
    return RunTools(of_agents=of_agents, servers=servers, lines=lines)


def _started(
    specs: Sequence[ServerSpec],
    environ: Mapping[str, str],
    lines: OperatorLines,
    mask: Callable[[str], str],
) -> Servers:
    try:
        return Servers.start(specs, environ, on_log=lines.add)
    except ServersFailed as failed:  # a server may repeat the headers that it was sent
        raise failed.masked(mask) from None


def type_agent_tools(plan: ToolsPlan, servers: Servers | None = None) -> TypedTools:
    """The tools of one agent under their names, or what is wrong with these.

    Without `servers`, those of Python functions alone.
    """
    functions = [_function(each) for each in plan.functions]
    sources = [ToolSource(namespace=LOCAL, tools=tuple(functions), brief=_LOCAL_BRIEF)] if functions else []
    if servers is not None:
        sources += [_source(server, servers) for server in plan.servers]
    return type_tools(sources, families=SDK_NAMES, global_names=GLOBAL_NAMES, native_names=NATIVE_NAMES)


def _function(plan: FunctionPlan) -> Tool:
    return python_tool(plan.function, name=plan.name, timeout_s=plan.timeout_s)


def _source(server: ServerPlan, servers: Servers) -> ToolSource:
    return ToolSource(
        namespace=server.name,
        tools=tuple(tool for tool in servers.tools if tool.namespace == server.name),
        rename=server.rename,
        only=server.only,
    )


def _offered(found: TypedTools) -> tuple[Namespace, ...]:
    return tuple(namespace for namespace in found.namespaces if namespace.tools)


def _specs(plans: Iterable[ToolsPlan]) -> list[ServerSpec]:
    """Each server once; the rules refuse two that share a name and differ."""
    named = {server.name: server for plan in plans for server in plan.servers}
    return [
        ServerSpec(
            name=server.name,
            command=server.command,
            url=server.url,
            cwd=server.cwd if server.command is not None else None,
            env=server.env,
            headers_env=server.headers_from,
            start_timeout_s=server.start_s,
            timeout_s=server.timeout_s,
        )
        for server in named.values()
    ]


def _problems(plan: LaunchPlan, agent: AgentPlan, found: TypedTools) -> Iterator[Problem]:
    params = _params_of(plan, agent.id)
    for problem in found.problems:
        yield name_problem(problem, params)
    names = [
        f"{typed.tool.namespace}.{typed.tool.name}"
        for namespace in found.namespaces
        for typed in namespace.tools
    ]
    if not found.problems:
        yield from unmatched_problems(plan.document, params, names)


def _params_of(plan: LaunchPlan, agent_id: str) -> Place:
    """Where the tools of an agent stand in the document."""
    agent = agents_by_id(plan.document)[agent_id]
    return (*next(capabilities_at(plan.document, agent, "tools")), "params")
