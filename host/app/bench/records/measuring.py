"""How long the record store takes, and how large its file is, at several sizes."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Final

from host.app.bench.figures import Figure, Tell, percentile
from host.app.bench.records import peers
from host.app.bench.records.corpus import TAGS, Corpus
from host.records import Store, make_keys

SIZES: Final = (10_000, 100_000, 1_000_000)
GOALS_MS: Final[Mapping[int, float]] = {10_000: 5, 100_000: 25, 1_000_000: 250}
"""By the number of records, the goal of 95 searches in 100."""

_RECALL_GOAL_MS: Final = 50.0
_QUERIES: Final = 200
_WARMING: Final = 20
_CHANGES: Final = 20
_TOP_K: Final = 5
_MAX_SCANNED: Final = 10_000
_SCANS: Final = 20
_TELL_EVERY: Final = 10_000
_ROOM: Final = 1_000
_MAX_BYTES: Final = 2**40
_WRITER: Final = "agent:bench"
_REASON: Final = "measured"


def record_figures(tell: Tell, *, sizes: Sequence[int] = SIZES, queries: int = _QUERIES) -> Iterator[Figure]:
    """Measures in turn; a million records take some minutes to load, and 3 GB of room."""
    for size in sizes:
        with TemporaryDirectory(prefix="gg-bench-records-") as folder:
            yield from _of_size(tell, Path(folder), size, queries)


def _of_size(tell: Tell, folder: Path, size: int, queries: int) -> Iterator[Figure]:
    yield _load(tell, folder, size)
    path = folder / "memory.db"
    yield Figure(name=f"{size:,}: file", value=path.stat().st_size / 2**20, unit="MiB", how="when closed")
    start = perf_counter()
    with _opened(folder, size) as store:
        opened_ms = (perf_counter() - start) * 1e3
        yield Figure(name=f"{size:,}: open", value=opened_ms, unit="ms", how="the head is looked at")
        tell(f"{size:,} records: searches, recalls, changes")
        yield from _reads(store, size, queries)
        yield from _changes(store, size)
    tell(f"{size:,} records: peers")
    yield from _peers(folder, size, queries)


def _load(tell: Tell, folder: Path, size: int) -> Figure:
    corpus = Corpus()
    drawing_s = 0.0

    def lines() -> Iterator[str]:
        nonlocal drawing_s
        for number in range(size):
            start = perf_counter()
            line = corpus.line(number)
            drawing_s += perf_counter() - start
            yield line

    def progress(done: int) -> None:
        if done % _TELL_EVERY == 0:
            tell(f"{done:,} of {size:,} records kept")

    with _opened(folder, size) as store:
        start = perf_counter()
        answer = store.import_lines(lines(), progress=progress)
        taken_s = perf_counter() - start - drawing_s
    assert answer.fields["kept"] == size, answer.message
    how = f"Store.import_lines, {size / taken_s:,.0f} records in a second"
    return Figure(name=f"{size:,}: load", value=taken_s, unit="s", how=how)


def _reads(store: Store, size: int, queries: int) -> Iterator[Figure]:
    corpus = Corpus(seed=2)
    first_ms = _times_ms([lambda: store.search(corpus.query())])[0]
    how = "with a full check of every row" if size <= 10_000 else "rows are checked as they are served"
    yield Figure(name=f"{size:,}: first search", value=first_ms, unit="ms", how=how)
    _times_ms(_searches(store, corpus, min(queries, _WARMING)))
    times = _times_ms(_searches(store, corpus, queries))
    goal = GOALS_MS.get(size)
    exactly = "and the exact count of all matches"
    yield _figure(size, "search, p50", times, 0.5, f"the best {_TOP_K} of each list {exactly}")
    yield _figure(size, "search, p95", times, 0.95, f"{queries} queries of five words", goal=goal)
    tagged = _times_ms(_searches(store, corpus, queries, tags=TAGS[:1]))
    yield _figure(size, "search in a tag, p95", tagged, 0.95, "the tag of one record in 200", goal=goal)
    newest = _times_ms([store.recall] * queries)
    yield _figure(size, "recall, p95", newest, 0.95, "the newest 20 of each list", goal=_RECALL_GOAL_MS)
    of_tag = _times_ms([lambda: store.recall(tags=TAGS[:1])] * queries)
    yield _figure(size, "recall of a tag, p95", of_tag, 0.95, "the same", goal=_RECALL_GOAL_MS)


def _changes(store: Store, size: int) -> Iterator[Figure]:
    texts = Corpus(seed=3).notes(_CHANGES)
    kept = _times_ms([lambda: store.put(text=next(texts), written_by=_WRITER)] * _CHANGES)
    yield _figure(size, "put, p95", kept, 0.95, "on the disk, with the head")
    newest = iter([hit.record.id for hit in store.recall(limit=_CHANGES).current])
    forgotten = _times_ms([lambda: store.forget(record_ids=[next(newest)], reason=_REASON)] * _CHANGES)
    yield _figure(size, "forget, p95", forgotten, 0.95, "one record, its words out of the file")


def _peers(folder: Path, size: int, queries: int) -> Iterator[Figure]:
    corpus = Corpus(seed=2)
    asked = [corpus.query() for _ in range(queries)]
    if size <= _MAX_SCANNED:
        some = asked[: min(queries, _SCANS)]
        scanned = _times_ms([partial(peers.scan, folder / "memory.db", query, _TOP_K) for query in some])
        yield _figure(size, "plain scan, p95", scanned, 0.95, "reads every text; no states")
    with peers.full_text(folder / "words.db", Corpus().notes(size)) as words:
        best = _times_ms([partial(words.best, query, _TOP_K) for query in asked])
        counted = _times_ms([partial(words.count, query) for query in asked])
    how = f"SQLite {peers.VERSION}: the best {_TOP_K}, no states, no check"
    yield _figure(size, "FTS5 bm25(), p95", best, 0.95, how)
    both = [one + other for one, other in zip(best, counted, strict=True)]
    yield _figure(size, "FTS5 with a count, p95", both, 0.95, "and how many rows match")


def _searches(
    store: Store, corpus: Corpus, count: int, tags: Sequence[str] = ()
) -> list[Callable[[], object]]:
    queries = [corpus.query() for _ in range(count)]
    return [partial(store.search, query, top_k=_TOP_K, tags=tags) for query in queries]


def _opened(folder: Path, size: int) -> Store:
    keys = make_keys(folder / "keys").folder
    return Store(folder / "memory.db", keys=keys, max_records=size + _ROOM, max_store_bytes=_MAX_BYTES)


def _times_ms(calls: Iterable[Callable[[], object]]) -> list[float]:
    times = []
    for call in calls:
        start = perf_counter()
        call()
        times.append((perf_counter() - start) * 1e3)
    return times


def _figure(
    size: int, what: str, times_ms: Sequence[float], share: float, how: str, goal: float | None = None
) -> Figure:
    value = percentile(times_ms, share)
    return Figure(name=f"{size:,}: {what}", value=value, unit="ms", goal=goal, how=how)
