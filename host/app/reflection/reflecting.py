"""Reflection: when the root of a run has ended, an agent reads how it went and keeps the skillbook.

Whatever becomes of that changes nothing of how the run has ended, unless it is a defect of gg's own.
"""

from typing import Final

import anyio.to_thread

from host.agents import Team
from host.app.reflection.account import MAX_TOKENS, RunOutcome, account_of
from host.app.reflection.keeping import RunReflection
from host.app.reflection.run_books import Reflected
from host.app.reflection.run_turns import RunTurns
from host.app.run_parts import RunParts
from host.core.data_blocks import claimed
from host.core.envelope import Refused
from host.core.text import counted
from host.events import EVENTS_FILE, OperatorLog, Status, read_events
from host.skillbook import Skillbook
from host.turn import AgentEnd

REFLECTED_ON: Final[frozenset[Status]] = frozenset({"completed", "exhausted", "limit_exceeded"})
MANY_SKILLS: Final = 50
_TASK: Final = (
    "Reflect on the run that has ended, and keep the skillbook. How the run went stands under `Run`, with the"
    " skills that it began with."
)


async def reflect(team: Team, end: AgentEnd, parts: RunParts) -> None:
    """Has every reflector that the plan names reflect on the run, one after another. `end` is its root's."""
    run, books = parts.run, parts.books
    for reflected in books.to_reflect_on(parts.plan):
        if end.status not in REFLECTED_ON or run.is_canceled or run.latch.defect is not None:
            return
        if (breach := run.breach()) is not None:
            limit = f"{breach.limit}: {breach.observed:g}, limit {breach.threshold:g}"
            _tell(parts, team, f"{reflected.reflector} does not reflect on the run: {limit}")
            return
        await _reflect(team, end, parts, reflected)


async def _reflect(team: Team, end: AgentEnd, parts: RunParts, reflected: Reflected) -> None:
    try:
        reflection, task = await anyio.to_thread.run_sync(
            lambda: _prepared(parts, reflected, end, root=_root_of(team)), limiter=parts.run.exchanges
        )
    except (OSError, Refused) as refused:
        _tell(parts, team, f"{reflected.reflector} does not reflect on the run: {refused}")
        return
    parts.books.reflection = reflection
    try:
        reflector, ended = await team.reflect(reflected.reflector, task)
    finally:
        parts.books.reflection = None
    if ended is None or parts.run.latch.defect is not None:
        return
    if ended.status != "completed":
        why = f": {ended.error}" if ended.error else ""
        _tell(parts, team, f"{reflector} ended as {ended.status}{why}; what it did to the skillbook stands")
    if reflection.untagged:
        left = ", ".join(map(claimed, reflection.untagged))
        _tell(parts, team, f"{reflector} did not say whether these skills helped: {left}")


def _prepared(
    parts: RunParts, reflected: Reflected, end: AgentEnd, *, root: str
) -> tuple[RunReflection, str]:
    """The book for the reflector, and its task. Raises `Refused` for a book that cannot be read."""
    mask = parts.run.mask
    file = parts.books.file(reflected.plan)
    book = file.read().skillbook
    injected = parts.books.injected(reflected)
    turns = _turns(parts)
    summary = end.ending.summary if end.ending else None
    account = account_of(
        turns,
        RunOutcome(status=end.status, error=end.error, summary=None if summary is None else mask(summary)),
        task=mask(parts.plan.task),
        skills=[skill for id_ in injected if (skill := book.get_skill(id_)) is not None],
        max_tokens=_tokens(parts, reflected.reflector),
    )
    reflection = RunReflection(
        file,
        scope=reflected.plan.scope,
        run=turns.run,
        task=parts.plan.task,
        turn=max((turn.turn for turn in turns.turns if turn.agent_id == root), default=0),
        injected=injected,
        account=account,
        mask=mask,
    )
    return reflection, _task(book, reflected.plan.scope, injected)


def _turns(parts: RunParts) -> RunTurns:
    parts.record.log.flush()
    return RunTurns(read_events(parts.record.path / EVENTS_FILE))


def _task(book: Skillbook, scope: str | None, injected: tuple[str, ...]) -> str:
    count = len(book.skills(scope=scope))
    many = f" That is more than {MANY_SKILLS}: prefer an update to an add." if count > MANY_SKILLS else ""
    tags = f" Tag these: {', '.join(map(claimed, injected))}." if injected else " There is none to tag."
    return f"{_TASK}{tags} The book has {counted(count, 'active skill')} that such a run may be shown.{many}"


def _tokens(parts: RunParts, reflector: str) -> int:
    """What the account may take: half of the window of the reflector's model, where that is known."""
    window = parts.plan.agent(reflector).model.context_window_tokens
    return MAX_TOKENS if window is None else min(MAX_TOKENS, window // 2)


def _root_of(team: Team) -> str:
    return team.root.agent_id if team.root else ""


def _tell(parts: RunParts, team: Team, text: str) -> None:
    parts.run.events.emit(
        OperatorLog(level="warn", text=text, source="host"), agent_id=_root_of(team) or parts.plan.root
    )
