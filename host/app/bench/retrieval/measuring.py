"""Every question put to the store and to what it stands beside, in turns, with the time of each answer."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from time import perf_counter
from typing import Final

from host.app.bench.figures import Tell, middle, percentile
from host.app.bench.retrieval.answering import Answer, System
from host.app.bench.retrieval.baselines import FTS5_WITHOUT_STATES, SCAN, baselines
from host.app.bench.retrieval.judged_set import CATEGORIES, JudgedSet, Question, load_judged_set
from host.app.bench.retrieval.kept import kept
from host.app.bench.retrieval.scoring import Misserved, Quality, listed_apart, misserved, quality
from host.records import Embedder

STORE: Final = "Store.search"
HYBRID: Final = "hybrid"
ALL: Final = "all"
HALVES: Final[Mapping[str, bool]] = {"dev": False, "held out": True}

ROUNDS: Final = 5


@dataclass(frozen=True, kw_only=True)
class Latency:
    """How long an answer takes, in milliseconds."""

    p50_ms: float
    p95_ms: float


@dataclass(frozen=True, kw_only=True)
class RetrievalReport:
    """What came out.

    Args:
        records: how many records the set has, whatever their state.
        questions: how many questions were asked.
        digest: SHA-256 of the set.
        rounds: how often each question was asked.
        quality: by half (`dev`, `held out`), category (or `all`) and system.
        misserved: by system, over all questions of both halves.
        has_hybrid: whether hybrid searches stand among the systems, for which the extra has to be there.
        apart: stale and superseded records that the store listed as such where they were asked about:
            how many, of how many.
        same_as_scan: questions that the store answers exactly as the scan does.
        latency: by system.
    """

    records: int
    questions: int
    digest: str
    rounds: int
    quality: Mapping[str, Mapping[str, Mapping[str, Quality]]]
    misserved: Mapping[str, Misserved]
    apart: Mapping[str, tuple[int, int]]
    same_as_scan: int
    has_hybrid: bool
    latency: Mapping[str, Latency]

    @property
    def is_clean(self) -> bool:
        """Whether the store served nothing that it must not, and answered no abstention by words."""
        of_store = self.misserved[STORE]
        of_hybrid = self.misserved[HYBRID].hits if self.has_hybrid else 0
        return not (of_store.hits or of_store.answered or of_hybrid)


def measure_retrieval(
    tell: Tell, *, rounds: int = ROUNDS, every: int = 1, embedder: Embedder | None = None
) -> RetrievalReport:
    """Asks each question in each round, or `every` second, third and so on; half a minute.

    With an embedder hybrid searches are asked as well.
    """
    judged = load_judged_set()
    judged = replace(judged, questions=_some(judged.questions, every))
    tell(f"{len(judged.records)} records are kept")
    with kept(judged, embedder) as store, baselines(judged, store.ids) as others:
        hybrid = [] if embedder is None else [System(HYBRID, store.ask_hybrid)]
        systems = (System(STORE, store.ask), *hybrid, *others)
        answers, seconds = _asked(judged, systems, rounds, tell)
    return RetrievalReport(
        records=len(judged.records),
        questions=len(judged.questions),
        digest=judged.digest,
        rounds=rounds,
        quality={name: _by_category(judged, answers, is_held_out) for name, is_held_out in HALVES.items()},
        misserved={name: misserved(judged, found) for name, found in answers.items()},
        apart={state: listed_apart(judged, answers[STORE], state) for state in ("stale", "superseded")},
        has_hybrid=embedder is not None,
        same_as_scan=sum(answers[STORE][key] == answer for key, answer in answers[SCAN].items()),
        latency={name: _latency(times) for name, times in seconds.items()},
    )


def _some(questions: Sequence[Question], every: int) -> tuple[Question, ...]:
    """Of each category and half, so that there is a figure for each."""
    ordered = sorted(questions, key=lambda question: (question.category, question.held_out))
    return tuple(ordered[::every])


def _asked(
    judged: JudgedSet, systems: Sequence[System], rounds: int, tell: Tell
) -> tuple[dict[str, dict[str, Answer]], dict[str, list[float]]]:
    """The answers by system and question, and the seconds of each by system. One question goes to all systems
    in turn, so that whatever else the machine does meets them alike.
    """
    answers: dict[str, dict[str, Answer]] = {system.name: {} for system in systems}
    seconds: dict[str, list[float]] = {system.name: [] for system in systems}
    for number in range(1, rounds + 1):
        tell(f"round {number} of {rounds}, {len(judged.questions)} questions")
        for question in judged.questions:
            for system in systems:
                start = perf_counter()
                answer = system.ask(question.query)
                seconds[system.name].append(perf_counter() - start)
                answers[system.name][question.key] = answer
    return answers, seconds


def _by_category(
    judged: JudgedSet, answers: Mapping[str, Mapping[str, Answer]], is_held_out: bool
) -> dict[str, dict[str, Quality]]:
    """The systems without states are left out: what they serve that they must not takes the better places."""
    of_half = [question for question in judged.questions if question.held_out == is_held_out]
    compared = {name: found for name, found in answers.items() if name != FTS5_WITHOUT_STATES}
    return {
        category: {
            name: quality([q for q in of_half if category in (q.category, ALL)], found)
            for name, found in compared.items()
        }
        for category in (*(name for name in CATEGORIES if name != "abstention"), ALL)
    }


def _latency(seconds: Sequence[float]) -> Latency:
    return Latency(p50_ms=middle(seconds) * 1e3, p95_ms=percentile(seconds, 0.95) * 1e3)
