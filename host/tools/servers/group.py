"""The servers of a run together, within their loop."""

from collections.abc import Callable, Coroutine, Mapping, Sequence
from functools import partial
from typing import Any, Final, Self

import anyio
from anyio.abc import TaskGroup

from host.tools.model import Tool
from host.tools.servers.connection import Opening
from host.tools.servers.failures import failure_of
from host.tools.servers.fate import Fate, OperatorLog
from host.tools.servers.preparing import CannotStart, headers_of, launch_of
from host.tools.servers.server import Server
from host.tools.servers.spec import ServerFailure, ServerSpec, UnusableTool
from host.tools.servers.stdio import stdio_streams
from host.tools.servers.web import web_streams

_STOP_S: Final = 9.0


class Group:
    """Either every server runs, or `failures` says why some could not and none does."""

    def __init__(self, servers: Sequence[Server], failures: Sequence[ServerFailure]) -> None:
        self._servers: Final = tuple(servers)
        self.failures: Final = tuple(failures)
        offers = [] if failures else [server.tools() for server in servers]
        self.tools: Final[tuple[Tool, ...]] = tuple(tool for usable, _ in offers for tool in usable)
        self.unusable: Final[tuple[UnusableTool, ...]] = tuple(tool for _, left in offers for tool in left)

    @classmethod
    async def start(
        cls,
        tasks: TaskGroup,
        specs: Sequence[ServerSpec],
        environ: Mapping[str, str],
        tell: Callable[[str, str], None],
    ) -> Self:
        """Starts all of them at the same time, in tasks that go on until they are stopped."""
        found: dict[int, Server | ServerFailure] = {}

        async def start_one(index: int, spec: ServerSpec) -> None:
            try:
                server = Server(spec, _opening_of(spec, environ), tasks, partial(tell, spec.name))
            except CannotStart as error:
                found[index] = failure_of(spec, error, Fate(OperatorLog(partial(tell, spec.name))))
            else:
                found[index] = await server.start() or server

        await _together([partial(start_one, index, spec) for index, spec in enumerate(specs)])
        results = [found[index] for index in range(len(specs))]
        servers = [result for result in results if isinstance(result, Server)]
        failures = [result for result in results if isinstance(result, ServerFailure)]
        group = cls(servers, failures)
        if failures:
            await group.stop()
        return group

    async def stop(self) -> None:
        """Ends all of them at the same time."""
        with anyio.move_on_after(_STOP_S):
            await _together([server.stop for server in self._servers])


async def _together(functions: Sequence[Callable[[], Coroutine[Any, Any, None]]]) -> None:
    async with anyio.create_task_group() as tasks:
        for function in functions:
            tasks.start_soon(function)


def _opening_of(spec: ServerSpec, environ: Mapping[str, str]) -> Opening:
    """Raises `CannotStart`."""
    if spec.url is None:
        launch = launch_of(spec, environ)
        return lambda fate: stdio_streams(launch.argv, env=launch.env, cwd=launch.cwd, fate=fate)
    url, headers = spec.url, headers_of(spec, environ)
    return lambda fate: web_streams(url, headers=headers, timeout_s=spec.timeout_s, fate=fate)
