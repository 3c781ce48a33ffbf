"""One server for the length of a run: its connection, which is made again when it ended, and its tools."""

from collections.abc import Callable, Collection, Mapping
from functools import partial
from inspect import cleandoc
from typing import Final

import anyio
import mcp_types as types
from anyio.abc import TaskGroup
from mcp.shared.exceptions import MCPError
from mcp_types import CONNECTION_CLOSED, INVALID_PARAMS, PARSE_ERROR
from pydantic import ValidationError

from host.core.errors import ApiErrorCode, Refusal
from host.core.text import escape_controls, escape_line, place_of_control, quoted, shortened
from host.tools.model import Tool, ToolOutput
from host.tools.servers.arguments import ArgumentsForm
from host.tools.servers.bounds import ERROR_CHARS, MAX_NAME_CHARS, MAX_RESTARTS
from host.tools.servers.connection import Connection, Opening
from host.tools.servers.failures import IN_PLACE, failure_of, first_of
from host.tools.servers.fate import Fate, OperatorLog
from host.tools.servers.messages import TOO_LARGE
from host.tools.servers.results import ResultReader
from host.tools.servers.schemas import SchemaUnusable
from host.tools.servers.spec import ServerFailure, ServerSpec, UnusableTool
from host.tools.servers.web import SESSION_LOST

_BURIAL_S: Final = 8.0
_LIBRARY_CANNOT_READ: Final = "Failed to parse"


class Server:
    """Everything of it runs in the loop of the servers.

    A connection that ended is made again by the next call, three times in a run.
    """

    def __init__(
        self, spec: ServerSpec, opening: Opening, tasks: TaskGroup, tell: Callable[[str], None]
    ) -> None:
        self.spec: Final = spec
        self._opening: Final = opening
        self._tasks: Final = tasks
        self._log: Final = OperatorLog(tell)
        self._lock: Final = anyio.Lock()
        self._restarts = 0
        self._is_stopped = False
        self._connection = self._new_connection()

    def _new_connection(self) -> Connection:
        return Connection(self._opening, log=self._log, start_timeout_s=self.spec.start_timeout_s)

    async def start(self) -> ServerFailure | None:
        """Connects for the first time; why that was not possible."""
        return await self._connect()

    async def _connect(self) -> ServerFailure | None:
        connection = self._connection
        self._tasks.start_soon(connection.run)
        await connection.settled.wait()
        if connection.failure is None:
            return None
        return failure_of(self.spec, connection.failure, connection.fate)

    async def stop(self) -> None:
        """Ends the connection and waits until nothing is left of it."""
        self._is_stopped = True
        self._connection.fate.end("is stopped")
        await self._connection.finished.wait()
        self._log.flush()

    def tools(self) -> tuple[tuple[Tool, ...], tuple[UnusableTool, ...]]:
        """What it offers, in its order, and what of that cannot be used."""
        usable: dict[str, Tool] = {}
        unusable = [self._unusable(name, reason) for name, reason in self._connection.malformed.items()]
        for told in self._connection.tools:
            if (fault := _name_fault(told.name, usable)) is not None:
                unusable.append(self._unusable(escape_line(shortened(told.name, MAX_NAME_CHARS)), fault))
                continue
            try:
                usable[told.name] = self._tool(told)
            except SchemaUnusable as error:
                unusable.append(self._unusable(told.name, str(error)))
        return tuple(usable.values()), tuple(unusable)

    def _unusable(self, tool: str, reason: str) -> UnusableTool:
        return UnusableTool(server=self.spec.name, tool=tool, reason=reason)

    def _tool(self, told: types.Tool) -> Tool:
        spelling = f"{self.spec.name}.{told.name}"
        try:
            form = ArgumentsForm(spelling, told.input_schema)
        except SchemaUnusable as error:
            raise SchemaUnusable(f"its input schema {error}") from error
        try:
            reader = ResultReader(spelling, told.output_schema)
        except SchemaUnusable as error:
            raise SchemaUnusable(f"its output schema {error}") from error
        return Tool(
            namespace=self.spec.name,
            name=told.name,
            description=cleandoc(told.description or told.title or ""),
            parameters=told.input_schema,
            returns=told.output_schema,
            bind=form.bind,
            run=partial(self._run, told.name, spelling, reader),
            timeout_s=self.spec.timeout_s,
            is_local=False,
        )

    async def _run(self, tool: str, spelling: str, reader: ResultReader, bound: object) -> ToolOutput:
        if not isinstance(bound, dict):
            raise TypeError(f"{spelling} is called with what its `bind` gave, not with {bound!r}")
        result = await self._call(tool, spelling, bound)
        if isinstance(result, types.InputRequiredResult):
            raise _failed(spelling, "asks for something during the call, which gg does not give.")
        return reader.read(result)

    async def _call(
        self, tool: str, spelling: str, arguments: Mapping[str, object], *, again: bool = True
    ) -> types.CallToolResult | types.InputRequiredResult:
        connection = await self._open(spelling)
        try:
            with anyio.fail_after(self.spec.timeout_s):
                return await connection.call(tool, arguments)
        except TimeoutError:
            told = f"{spelling} did not answer within {self.spec.timeout_s:g} s and was canceled."
            raise Refusal("limit-exceeded", told, kind="tool_time") from None
        except ValidationError as error:
            raise _failed(spelling, f"answered with what is no result: {first_of(error)}.") from error
        except MCPError as error:
            if error.code == SESSION_LOST:
                connection.fate.end("no longer knows the session")
                if again:
                    return await self._call(tool, spelling, arguments, again=False)  # nothing was done
            raise await self._refusal(spelling, error, connection) from error

    async def _open(self, spelling: str) -> Connection:
        async with self._lock:
            if self._connection.is_open:
                return self._connection
            if not self._is_stopped:
                with anyio.move_on_after(_BURIAL_S):
                    await self._connection.finished.wait()
            if self._is_stopped:
                raise _failed(spelling, f"cannot be called any more: {self._name} is stopped.")
            words = self._connection.fate.words
            if self._restarts == MAX_RESTARTS:
                told = f"cannot be called: {self._name} {words}, after {MAX_RESTARTS} more starts, its limit."
                raise _failed(spelling, told, kind="server_ended")
            self._restarts += 1
            self._log.write(f"{words}; it is started again ({self._restarts} of {MAX_RESTARTS})")
            self._connection = self._new_connection()
            failure = await self._connect()
            if failure is None:
                return self._connection
            told = f"cannot be called: {self._name} {words}, and started again it {failure.reason}."
            raise _failed(spelling, told, kind="server_ended")

    @property
    def _name(self) -> str:
        return f"the server `{self.spec.name}`"

    async def _refusal(self, spelling: str, error: MCPError, connection: Connection) -> Refusal:
        told = escape_controls(shortened(error.message.strip(), ERROR_CHARS))
        if error.code == TOO_LARGE:
            return Refusal("limit-exceeded", f"The result of {spelling} {told}.", kind="tool_size")
        if error.code == CONNECTION_CLOSED and connection.fate.ended.is_set():
            with anyio.move_on_after(_BURIAL_S):
                await connection.finished.wait()  # how it ended is known then
            return self._ended(spelling, connection.fate)
        if error.code in IN_PLACE:
            return _failed(spelling, f"failed: the server {told}.")
        if error.code == PARSE_ERROR and error.message.startswith(_LIBRARY_CANNOT_READ):
            return _failed(spelling, "failed: the server gave an answer that cannot be read.")
        if error.code == INVALID_PARAMS:
            return Refusal("invalid-argument", f"{spelling}: {told}", kind="tool")
        return _failed(spelling, f"failed: {told} ({error.code})")

    def _ended(self, spelling: str, fate: Fate) -> Refusal:
        code: ApiErrorCode = "limit-exceeded" if fate.was_cut else "io-error"
        told = f"{spelling} was not answered: {self._name} {fate.words}"
        if fate.was_cut:
            told += ", and was ended"
        if fate.stderr:
            told += f"; its last line on stderr is {quoted(fate.stderr[-1], max_chars=300)}"
        return Refusal(code, f"{told}.", kind="server_flood" if fate.was_cut else "server_ended")


def _name_fault(name: str, others: Collection[str]) -> str | None:
    if len(name) > MAX_NAME_CHARS:
        return f"has a name of {len(name):,} characters, {MAX_NAME_CHARS} at most"
    if place_of_control(name) is not None:  # it would stand in messages as it is
        return "has a name with control characters"
    return "has the name of another of its tools" if name in others else None


def _failed(spelling: str, message: str, *, kind: str = "tool") -> Refusal:
    return Refusal("io-error", f"{spelling} {message}", kind=kind)
