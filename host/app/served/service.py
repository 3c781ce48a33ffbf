"""What is there for as long as a server is: its agent, begun anew with its memories where a run has ended."""

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Final, Self

import anyio

from host.app.served.agent import Asked, RunEnded, Sent, ServedAgent
from host.app.served.answers import Answer
from host.app.served.folder import FolderTaken, RecordsFolder
from host.core.errors import HostError, system_reason
from host.core.messages import ToolSpec
from host.core.threads import call_in_thread
from host.events import RecordNotCreated, StampedEvent
from host.launch import LaunchPlan
from host.providers import TypedCall


class ServiceFailed(HostError):
    """The agent of a server could not be started, or its run ended before its first turn."""


class Service:
    """Used from one event loop. Replies are carried out one after another, in the order in which they came.

    A run ends with a program that finishes the session, at a ceiling of cost, and by a fault of gg's own.
    The next reply begins another one, in a record of its own, with the memories that the latest record holds.

    Args:
        folder: of the records.
        watch: is told each event.
        tell: is told, in a line, what an operator has to know besides.
    """

    def __init__(
        self,
        plan: LaunchPlan,
        folder: Path,
        *,
        watch: Callable[[StampedEvent], None],
        tell: Callable[[str], None],
    ) -> None:
        """Starts the agent. Raises `FolderTaken`, `ServiceFailed`, and what `Session.create` raises."""
        self._plan: Final = plan
        self._watch: Final = watch
        self._tell: Final = tell
        self._turns: Final = anyio.Lock()
        self._folder: Final = RecordsFolder(folder)
        try:
            self._agent = self._started()
        except BaseException:
            self._folder.release()
            raise

    @property
    def tools(self) -> tuple[ToolSpec, ...]:
        """The calls of its memories, as tools."""
        return self._agent.tools

    async def run_program(self, program: str) -> Answer:
        """Carries out a program. Canceled, it stops the program and waits for its end.

        Raises `ServiceFailed`, and what `Session.create` raises, where the agent had to be begun anew.
        """
        return await self._reply(program)

    async def call(self, tool: str, arguments_json: str) -> Answer:
        """Makes a call of the memories; as `run_program`."""
        return await self._reply((TypedCall(name=tool, arguments=arguments_json),))

    def close(self) -> None:
        """Ends the run, and with it all that it has started. Blocking."""
        self._agent.close()
        self._folder.release()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    async def _reply(self, sent: Sent) -> Answer:
        async with self._turns:
            agent = await self._living()
            asked = agent.send(sent)
            try:
                answer = await _answer(asked)
            except anyio.get_cancelled_exc_class():
                await self._stopped(agent, asked)
                raise
            except RunEnded as ended:  # between two turns, as where the record could not be written
                answer = Answer(end=ended.result)
            if answer.end is not None and answer.end.error is not None:
                self._tell(f"the run of {answer.end.record} ended as {answer.end.status}: {answer.end.error}")
            return answer

    async def _living(self) -> ServedAgent:
        """The agent, begun anew where its run has ended; also where whoever waits for that leaves."""
        with anyio.CancelScope(shield=True):
            if self._agent.has_ended:
                self._agent = await call_in_thread(self._started)
        return self._agent

    async def _stopped(self, agent: ServedAgent, asked: Asked) -> None:
        with anyio.CancelScope(shield=True), suppress(RunEnded):
            await call_in_thread(lambda: agent.stop(asked))
            await _answer(asked)

    def _started(self) -> ServedAgent:
        kept = self._folder.kept(self._plan.root, self._tell)
        try:
            return ServedAgent(self._plan, folder=self._folder.path, kept=kept, watch=self._watch)
        except RecordNotCreated as error:  # whose own message names an option of other commands
            if not isinstance(error.__cause__, OSError):
                raise
            raise FolderTaken(self._folder.path, system_reason(error.__cause__)) from error
        except RunEnded as ended:
            end = ended.result
            told = f"{end.error or end.status}; its record is {end.record}"
            raise ServiceFailed(f"the agent could not begin: {told}") from ended


async def _answer(asked: Asked) -> Answer:
    return await call_in_thread(asked.answer.result)
