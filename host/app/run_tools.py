"""The tools of the agents of one run, and where their calls are made."""

import threading
from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final

from anyio.from_thread import BlockingPortal

from host.app.agent_tools import NO_TOOLS, AgentTools
from host.app.toolbox import AgentToolbox
from host.core.scrubbing.key_lines import KeyLines
from host.tools import Servers


class OperatorLines:
    """What there is to tell the operator of the sources of tools. Thread-safe.

    Lines are kept until somebody takes them, since servers write some before there is a record.
    """

    def __init__(self) -> None:
        self._lock: Final = threading.Lock()
        self._kept: list[str] = []
        self._tell: Callable[[str], None] | None = None
        self._keys: Final[defaultdict[str, KeyLines]] = defaultdict(KeyLines)

    def add(self, source: str, line: str) -> None:
        """A line about a source of tools, or written by it. Those of a private key are masked here: none
        tells alone what it is of.
        """
        with self._lock:
            told = f"{source}: {self._keys[source].masked(line)}"
            if self._tell is None:
                self._kept.append(told)
            else:
                self._tell(told)

    def tell_to(self, tell: Callable[[str], None]) -> None:
        """Hands over what is kept, and what comes from here on."""
        with self._lock:
            self._tell, kept = tell, self._kept
            self._kept = []
            for line in kept:
                tell(line)

    def stop(self) -> None:
        """Nobody is told from here on."""
        with self._lock:
            self._tell = _nobody


def _nobody(line: str) -> None:
    """For lines of servers that end after their run."""


@dataclass(frozen=True, kw_only=True)
class RunTools:
    """`of_agents` has the tools of each agent of the configuration that has some, by its id there.

    `servers` is absent where no agent has tools of one.
    """

    of_agents: Mapping[str, AgentTools] = field(default_factory=dict)
    servers: Servers | None = None
    lines: OperatorLines = field(default_factory=OperatorLines)

    def close(self) -> None:
        """Ends every server. Harmless when repeated."""
        if self.servers is not None:
            self.servers.close()

    def of(self, agent: str) -> AgentTools:
        """What the agent of that id is given."""
        return self.of_agents.get(agent, NO_TOOLS)

    def toolbox(
        self, agent: str, *, portal: BlockingPortal, left_s: Callable[[], float | None]
    ) -> AgentToolbox | None:
        """What calls the tools of one instance of the agent; `None` where it has none.

        `portal` leads into the run's event loop.
        """
        if not self.of(agent).namespaces:
            return None
        return AgentToolbox(portal=portal, servers=self.servers, left_s=left_s)
