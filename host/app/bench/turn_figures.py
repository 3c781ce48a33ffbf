"""Whether a turn costs more as a run gets longer, and a call more as a store gets larger."""

import os
from collections.abc import Iterator, Sequence
from typing import Final

from host.app.bench.figures import Figure, Tell, middle, percentile
from host.app.bench.sessions import watch_programs
from host.events import ApiCall, StampedEvent, Subscriber, TurnOutcome, TurnTiming
from sandbox import read_usage

TURNS: Final = 1_000
EDGE: Final = 100  # turns that are compared at either end
MEMORIES: Final = 10_000

_GROWTH_GOAL: Final = 10.0  # percent
_CALL_GOAL_MS: Final = 5.0
_NOTES: Final = 32
_PER_PROGRAM: Final = 2_500  # a program may make 10,000 calls
_USES: Final = 500
_TELL_EVERY: Final = 50

_TURN: Final = """\
// turn {turn}
import {{ memories, views }} from "gg";
const note = "note-{note}";
{write}
const lines = Array.from({{ length: 12 }}, (_, at) => `line ${{at}} of turn {turn}, which somebody reads`);
views.openText("kept", lines.join("\\n"));
views.openText("turn {turn}", memories.readMemory(note));
{close}
"""
_CREATE: Final = """\
const body = "Written in turn {turn}. ".repeat(20);
memories.createMemory({{ name: note, description: "Turn {turn}.", body }});
"""
_FILL: Final = """\
import {{ memories }} from "gg";
for (let at = {start}; at < {end}; at++) {{
  const body = `It says ${{at}}. `.repeat(20);
  memories.createMemory({{ name: `note-${{at}}`, description: `Note ${{at}}.`, body }});
}}
"""
_USE: Final = """\
import {{ memories, views }} from "gg";
for (let at = 0; at < {uses}; at++) {{
  const name = `note-${{(at * 7919) % {count}}}`;
  views.openText("note", memories.readMemory(name));
  try {{
    memories.readMemory(`nowhere-${{at}}`);
  }} catch {{}}
  memories.deleteMemory(name);
  memories.createMemory({{ name, description: `Again ${{at}}.`, body: `It says ${{at}} now. `.repeat(20) }});
}}
"""


def turn_figures(
    tell: Tell, *, turns: int = TURNS, edge: int = EDGE, memories: int = MEMORIES
) -> Iterator[Figure]:
    """Measures in turn; half a minute."""
    yield from _long_run(tell, turns, edge)
    tell(f"a store of {memories:,} memories")
    yield from _large_store(memories)


def _long_run(tell: Tell, turns: int, edge: int) -> Iterator[Figure]:
    taken_ms: list[float] = []
    resident: list[int] = []

    def watch(stamped: StampedEvent) -> None:
        event = stamped.event
        if isinstance(event, TurnTiming):
            taken_ms.append(event.prompt_ms + event.response_ms)
            resident.append(_resident_bytes())
            if event.turn % _TELL_EVERY == 0:
                tell(f"turn {event.turn:,} of {turns:,}")

    _run([_turn(turn) for turn in range(1, turns + 1)], watch)
    first, last = middle(taken_ms[:edge]), middle(taken_ms[-edge:])
    what = f"less the model, median of {edge} turns: compiled, checked, run, recorded"
    yield Figure(name=f"a turn of the first {edge}", value=first, unit="ms", how=what)
    yield Figure(
        name=f"a turn of the last {edge}", value=last, unit="ms", how=f"{what}, of {len(taken_ms):,}"
    )
    yield Figure(
        name="what it grew by",
        value=100 * (last / first - 1),
        unit="%",
        goal=_GROWTH_GOAL,
        how=f"the last {edge} over the first {edge}",
    )
    how = "resident, with the whole window and its views"
    yield Figure(
        name=f"memory of the host, turn {edge}", value=resident[edge - 1] / 2**20, unit="MiB", how=how
    )
    yield Figure(name=f"memory of the host, turn {turns}", value=resident[-1] / 2**20, unit="MiB", how=how)


def _large_store(count: int) -> Iterator[Figure]:
    used_us: list[int] = []

    def watch(stamped: StampedEvent) -> None:
        if isinstance(stamped.event, ApiCall):
            used_us.append(stamped.event.duration_us)

    starts = range(0, count, _PER_PROGRAM)
    fills = [_FILL.format(start=start, end=min(start + _PER_PROGRAM, count)) for start in starts]
    _run([*fills, _USE.format(uses=_USES, count=count)], watch)
    taken_ms = [us / 1e3 for us in used_us]
    how = f"to fill a store of {count:,}, then read, miss, delete and create in it; {len(taken_ms):,} calls"
    for share, name in ((0.5, "median"), (0.999, "999 of 1,000"), (1.0, "the slowest")):
        yield Figure(
            name=f"a call, {name}", value=percentile(taken_ms, share), unit="ms", goal=_CALL_GOAL_MS, how=how
        )


def _run(programs: Sequence[str], watch: Subscriber) -> None:
    """Raises `RuntimeError` for a program that failed: its figures would be of nothing."""
    failed: list[str] = []

    def judge(stamped: StampedEvent) -> None:
        event = stamped.event
        if isinstance(event, TurnOutcome) and event.outcome != "progressed":
            failed.append(f"turn {event.turn}: {event.error}")
        watch(stamped)

    watch_programs(programs, judge)
    if failed:
        raise RuntimeError(f"a program of the benchmark failed in {failed[0]}")


def _turn(turn: int) -> str:
    """Replaces a memory and a view, and closes the view of the turn before."""
    note = turn % _NOTES
    delete = "memories.deleteMemory(note);\n" if turn > _NOTES else ""
    close = f'views.close("turn {turn - 1}");' if turn > 1 else ""
    return _TURN.format(turn=turn, note=note, write=delete + _CREATE.format(turn=turn), close=close)


def _resident_bytes() -> int:
    usage = read_usage(os.getpid())
    return usage.resident_bytes if usage is not None else 0
