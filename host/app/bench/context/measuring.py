"""How long retrieval over many files takes, and how often a re-ranker brings the right file in."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Final

from host.app.bench.context.task_set import CATEGORIES, JudgedTask, TaskSet, load_task_set
from host.app.bench.figures import Figure, Tell
from host.context import Bm25Reranker, Reranker, Retriever, build_packet
from host.core.clock import SystemClock

FILES: Final = 50_000
BUDGETS: Final = (1000, 4000)
ORDERS: Final[Mapping[str, Reranker | None]] = {"keyword order": None, "BM25": Bm25Reranker()}

_FIRST_GOAL_S: Final = 2.0
_AGAIN_GOAL_S: Final = 0.6
_FILES_PER_FOLDER: Final = 100
_MATCHING_EVERY: Final = 1000
_LINES: Final = 25
_ALL: Final = "all"
_ROOM: Final = 1_000_000  # tokens, of which every candidate has its share


def context_figures(tell: Tell, *, files: int = FILES) -> Iterator[Figure]:
    """Retrieval over so many files of 1 KB, and the judged tasks; half a minute."""
    tell(f"{files:,} files are written")
    yield from _retrieval(files)
    judged = load_task_set()
    tell(f"{len(judged.tasks)} tasks")
    yield from _reranking(judged)


class _LaterClock(SystemClock):
    """An hour on, when no file is so young that it is read again for that."""

    def now(self) -> datetime:
        return super().now() + timedelta(hours=1)


def _retrieval(files: int) -> Iterator[Figure]:
    with TemporaryDirectory(prefix="gg-bench-") as folder:
        for number in range(files):
            if number % _FILES_PER_FOLDER == 0:
                below = Path(folder, f"package_{number // _FILES_PER_FOLDER:04}")
                below.mkdir()
            (below / f"module_{number}.py").write_text(_text(number), encoding="utf-8")
        Path(folder, ".gitignore").write_text("*.log\n/out/\n", encoding="utf-8")
        retriever = Retriever(folder, clock=_LaterClock())
        how = f"{files:,} files of 1 KB, {-(-files // _MATCHING_EVERY)} of which match"
        for name, goal in (("first", _FIRST_GOAL_S), ("again", _AGAIN_GOAL_S)):
            started = perf_counter()
            retriever.retrieve("fix the parser timeout")
            taken_s = perf_counter() - started
            yield Figure(name=f"a retrieval, {name}", value=taken_s, unit="s", goal=goal, how=how)


def _text(number: int) -> str:
    lines = [f"value_{number}_{line} = compute(value_{line}, {line})" for line in range(_LINES)]
    if number % _MATCHING_EVERY == 0:
        lines[_LINES // 2] = "# the parser gives up after its timeout"
    return "\n".join(lines)


def _reranking(judged: TaskSet) -> Iterator[Figure]:
    with judged.on_disk() as folder:
        retriever = Retriever(folder)
        for category in (*CATEGORIES, _ALL):
            tasks = [task for task in judged.tasks if category in (task.category, _ALL)]
            how = f"the right file is the first; {len(tasks)} tasks, set {judged.digest[:12]}"
            for order, reranker in ORDERS.items():
                hits = (_is_in(task, _keys(retriever, task, _ROOM, reranker)[:1]) for task in tasks)
                yield _share(f"{category}, {order}", hits, how)
        for budget in BUDGETS:
            how = f"the right file is in the packet; {len(judged.tasks)} tasks"
            for order, reranker in ORDERS.items():
                hits = (_is_in(task, _keys(retriever, task, budget, reranker)) for task in judged.tasks)
                yield _share(f"{budget:,} tokens, {order}", hits, how)


def _keys(retriever: Retriever, task: JudgedTask, budget: int, reranker: Reranker | None) -> list[str]:
    """The files of which a packet has excerpts, in its order."""
    return [item.key for item in build_packet(task.task, retriever, budget, reranker=reranker).repository]


def _is_in(task: JudgedTask, keys: Sequence[str]) -> bool:
    return not set(task.relevant).isdisjoint(keys)


def _share(name: str, hits: Iterable[bool], how: str) -> Figure:
    found = list(hits)
    return Figure(name=name, value=100 * sum(found) / len(found), unit="%", how=how)
