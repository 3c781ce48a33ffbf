"""The tools of the agents of one run, and where their calls are made."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from anyio.from_thread import BlockingPortal

from host.app.agent_tools import NO_TOOLS, AgentTools
from host.app.toolbox import AgentToolbox, ToolServers


@dataclass(frozen=True, kw_only=True)
class RunTools:
    """`of_agents` has the tools of each agent of the configuration that has some, by its id there.

    `portal` leads into the run's event loop, in which Python functions are called; both are absent where no
    agent has tools.
    """

    of_agents: Mapping[str, AgentTools] = field(default_factory=dict)
    portal: BlockingPortal | None = None
    servers: ToolServers | None = None

    def of(self, agent: str) -> AgentTools:
        """What the agent of that id is given."""
        return self.of_agents.get(agent, NO_TOOLS)

    def toolbox(self, agent: str, left_s: Callable[[], float | None]) -> AgentToolbox | None:
        """What calls the tools of one instance of the agent; `None` where it has none."""
        if not self.of(agent).namespaces:
            return None
        assert self.portal is not None, "a run with tools has what they need"
        assert self.servers is not None, "a run with tools has what they need"
        return AgentToolbox(portal=self.portal, servers=self.servers, left_s=left_s)
