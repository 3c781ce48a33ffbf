"""Many sessions at once in one process, each waiting a second for every reply of its model.

The limit that the cores set is what they could do if nothing was ever idle: the time of all cores over the
processor time of one session run alone, which is that of all processes that work for it. The compilers are
started before the clock. All programs differ, so that each is compiled.
"""

import os
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Final

import anyio

from host.app.bench.children import allow_open_files, child_pids, cpu_used_s, machine_idle_s, open_files
from host.app.bench.figures import Figure, Tell, cores
from host.app.bench.sessions import MEMORIES
from host.app.library import Agent, Run, scripted
from host.app.shared_compiler import shared_compiler
from host.core.messages import Message
from host.operations import FAMILIES, render_declarations
from sandbox import read_peak_bytes

SESSIONS: Final = 500
_TURNS: Final = 3
_LATENCY_S: Final = 1.0
_ALONE: Final = 10
_ALONE_FIRST: Final = 2  # whatever is loaded once
_ALONE_LATENCY_S: Final = 0.01  # a wait that costs no processor time, shortened
_LOOK_EVERY_S: Final = 0.5
_SHARE_GOAL: Final = 80.0  # within 20 % of the cores' limit

_PROGRAM: Final = """\
// {salt}
import {{ memories, session, views }} from "gg";
const body = Array.from({{ length: 20 }}, (_, at) => `${{at}};line {salt}`).join("\\n");
memories.createMemory({{ name: "turn-{turn}", description: "What turn {turn} found.", body }});
const found = memories.readMemory("turn-{turn}").split("\\n").filter((line) => !line.startsWith("1"));
views.openText("turn {turn}", found.join("\\n"));
{end}"""


@dataclass
class _Seen:
    """What was seen of the sessions as they ran: the most of each at once, and who failed."""

    processes: int = 0
    files: int = 0
    ended: int = 0
    failures: list[str] = field(default_factory=list)


def session_figures(
    tell: Tell, *, sessions: int = SESSIONS, latency_s: float = _LATENCY_S
) -> Iterator[Figure]:
    """Measures a session alone, then `sessions` at once; about a minute."""
    allow_open_files()
    with tempfile.TemporaryDirectory(prefix="gg-bench-") as folder, shared_compiler() as compiler:
        compiler.warm(render_declarations(FAMILIES))
        tell("a session alone")
        alone_cpu_s = _alone(Path(folder))
        seen, before, began = _Seen(), (cpu_used_s(), machine_idle_s()), time.perf_counter()
        anyio.run(_all, Path(folder), sessions, latency_s, seen, tell)
        took_s = time.perf_counter() - began
        cpu_s, idle_s = cpu_used_s() - before[0], machine_idle_s() - before[1]
    yield from _rates(sessions, latency_s, took_s, alone_cpu_s, cpu_s / sessions, seen)
    used, idle = (100 * spent / took_s / cores() for spent in (cpu_s, idle_s))
    yield Figure(name="of the cores' time used by them", value=used, unit="%", how=f"{idle:.1f} % was idle")
    most = "the most that were seen at once"
    yield Figure(
        name="processes beside the host", value=seen.processes, unit="", how=f"{most}, workers and compilers"
    )
    yield Figure(name="open files of the host", value=seen.files, unit="", how=most)
    peak_bytes = read_peak_bytes(os.getpid())
    if peak_bytes is not None:
        yield Figure(
            name="memory of the host", value=peak_bytes / 2**20, unit="MiB", how="the most that was resident"
        )


def _rates(
    sessions: int, latency_s: float, took_s: float, alone_cpu_s: float, among_cpu_s: float, seen: _Seen
) -> Iterator[Figure]:
    done, limit = (sessions - len(seen.failures)) / took_s, cores() / alone_cpu_s
    failed = seen.failures[0] if seen.failures else f"of {sessions} at once"
    yield Figure(name="sessions that failed", value=len(seen.failures), unit="", goal=0, how=failed)
    yield Figure(
        name="processor time of one alone",
        value=alone_cpu_s * 1e3,
        unit="ms",
        how=f"host, worker and compilers, mean of {_ALONE} one after another",
    )
    yield Figure(
        name="of one among the others",
        value=among_cpu_s * 1e3,
        unit="ms",
        how="the same, mean of all of them",
    )
    yield Figure(
        name="sessions in a second",
        value=done,
        unit="/s",
        how=f"{_TURNS} turns each, {latency_s:g} s for each reply; {took_s:.1f} s in all",
    )
    yield Figure(
        name="the cores' limit", value=limit, unit="/s", how=f"{cores()} cores / the time of one alone"
    )
    yield Figure(
        name="share of the cores' limit",
        value=100 * done / limit,
        unit="%",
        goal=_SHARE_GOAL,
        at_least=True,
        how="the waits before the first replies and for the last ones count",
    )


def _alone(folder: Path) -> float:
    """Processor time of one session, seconds, where nothing else runs."""
    for number in range(_ALONE_FIRST):
        anyio.run(_session, folder / f"first-{number}", _ALONE_LATENCY_S)
    before_s = cpu_used_s()
    for number in range(_ALONE):
        anyio.run(_session, folder / f"alone-{number}", _ALONE_LATENCY_S)
    return (cpu_used_s() - before_s) / _ALONE


async def _all(folder: Path, sessions: int, latency_s: float, seen: _Seen, tell: Tell) -> None:
    async def one(number: int) -> None:
        failure = await _session(folder / f"session-{number}", latency_s)
        seen.ended += 1
        if failure:
            seen.failures.append(failure)

    async with anyio.create_task_group() as watching:
        watching.start_soon(_watch, sessions, seen, tell)
        async with anyio.create_task_group() as tasks:
            for number in range(sessions):
                tasks.start_soon(one, number)
        watching.cancel_scope.cancel()


async def _watch(sessions: int, seen: _Seen, tell: Tell) -> None:
    while True:
        seen.processes = max(seen.processes, len(child_pids()))
        seen.files = max(seen.files, open_files())
        tell(f"{seen.ended} of {sessions} sessions have ended")
        await anyio.sleep(_LOOK_EVERY_S)


async def _session(record: Path, latency_s: float) -> str:
    """Runs one as a user of the library does; says what failed, or nothing."""
    agent = Agent(id="bench", model=scripted(_model(record.name, latency_s)), memories=MEMORIES)
    result = await Run("benchmark", [agent], limits={"maxTurns": _TURNS}, seed=1, out=record).execute_async()
    return "" if result.status == "completed" else f"{result.status}: {result.error}"


def _model(salt: str, latency_s: float) -> Callable[[tuple[Message, ...], str], Awaitable[str]]:
    turns = count(1)

    async def reply(messages: tuple[Message, ...], agent_id: str) -> str:
        await anyio.sleep(latency_s)
        turn = next(turns)
        end = 'session.finish("done");\n' if turn == _TURNS else ""
        return _PROGRAM.format(salt=salt, turn=turn, end=end)

    return reply
