"""The benchmarks by name, each whole or in a small form that shows in seconds that it works."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Final

from host.app.bench.compile_figures import compile_figures
from host.app.bench.context import context_figures
from host.app.bench.figures import Figure, Tell
from host.app.bench.limits_proofs import LimitProof, limit_proofs
from host.app.bench.parallel_figures import session_figures
from host.app.bench.peers import Comparison, compare
from host.app.bench.records import record_figures
from host.app.bench.retrieval import RetrievalReport, measure_retrieval
from host.app.bench.sandbox_figures import sandbox_figures
from host.app.bench.skillbook import LearningReport, load_suite, measure_learning
from host.app.bench.turn_figures import turn_figures
from host.app.embedding import record_embedder
from host.launch import embeddings_missing

Measure = Callable[[Tell], Iterator[Figure]]

_FIGURES: Final[Mapping[str, tuple[Measure, Measure]]] = {
    "sandbox": (sandbox_figures, partial(sandbox_figures, times=1)),
    "compile": (compile_figures, partial(compile_figures, programs=10)),
    "sessions": (session_figures, partial(session_figures, sessions=8, latency_s=0.05)),
    "records": (record_figures, partial(record_figures, sizes=(1_000,), queries=20)),
    "context": (context_figures, partial(context_figures, files=1_000)),
    "turns": (turn_figures, partial(turn_figures, turns=60, edge=20, memories=200)),
}
FIGURE_BENCHES: Final = tuple(_FIGURES)

_QUICK_PROGRAMS: Final = frozenset(
    {"escape_import", "flood_calls", "mem_strings", "spin_loop", "storm_never"}
)


def measure(name: str, tell: Tell, *, quick: bool, sizes: Sequence[int] = ()) -> Iterator[Figure]:
    """The figures of one of `FIGURE_BENCHES`, as they are measured; of `records` at other sizes, if given."""
    if sizes:
        return record_figures(tell, sizes=sizes)
    whole, small = _FIGURES[name]
    return (small if quick else whole)(tell)


def prove_limits(tell: Tell, *, quick: bool) -> Iterator[LimitProof]:
    """Hostile programs under small ceilings, as they are proved."""
    return limit_proofs(tell, _QUICK_PROGRAMS if quick else None)


def compare_peers(tell: Tell, *, quick: bool) -> Iterator[Comparison]:
    """gg beside other sandboxes, one kind of work after another."""
    return compare(tell, rounds=1, calls=50) if quick else compare(tell)


def judge_learning(tell: Tell, *, quick: bool, model: str | None = None) -> LearningReport:
    """Tasks solved before and after something was learned: by scripted agents, or by a model."""
    return measure_learning(load_suite(*(("log", "json") if quick else ())), tell, model=model)


def judge_retrieval(tell: Tell, *, quick: bool) -> RetrievalReport:
    """Judged questions put to the record store, and to what it stands beside."""
    embedder = None if embeddings_missing() else record_embedder()
    if quick:
        return measure_retrieval(tell, rounds=1, every=6, embedder=embedder)
    return measure_retrieval(tell, embedder=embedder)
