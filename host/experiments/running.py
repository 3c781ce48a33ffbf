"""Makes the runs of a study: each with a record of its own, judged when it has ended.

A run that has ended is written to `results.ndjson` at once, so that what was made outlives whatever comes
after it.
"""

import json
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from host.app import RunResult, Session, environment, masker_from_environment, shared_compiler
from host.core.errors import HostError, LaunchRefused
from host.events import EVENTS_FILE, RecordError, plain, read_events
from host.experiments.checks import Ended, Verdict, judge
from host.experiments.metrics import Measures, measure
from host.experiments.study import RunSpec, Study, write_inputs
from host.experiments.surfaces import Surface
from host.launch import validate
from runtime_js import Compiler

RESULTS_FILE: Final = "results.ndjson"
STORES: Final = "stores"
"""Below it each run has a record store of its own: one run's notes are not another one's."""
_NOT_CHECKED: Final = Verdict("not checked")


@dataclass(frozen=True, kw_only=True)
class RunOutcome:
    """What became of one run. `record` is absent where none could be begun, which `problem` tells.

    `is_cut_off`: it was stopped with the study, and says nothing of its arm.
    """

    task: str
    kind: str
    arm: str
    repeat: int
    record: Path | None
    measures: Measures | None
    verdict: Verdict
    surface: Surface
    is_cut_off: bool = False
    problem: str = ""

    @property
    def counts(self) -> bool:
        """Whether it was run to its end and recorded."""
        return self.measures is not None and not self.is_cut_off

    @property
    def told(self) -> str:
        """What is to be said of a run that did not go well: what ended it, what its check said."""
        ended = self.measures.error if self.measures else None
        return "\n".join(text for text in (self.problem, ended, self.verdict.detail) if text)


Begun = Callable[[RunSpec], None]
Done = Callable[[RunSpec, RunOutcome], None]


class StudyRunner:
    """Makes the runs of one study below `out`, some at a time, in threads. It is used once."""

    def __init__(self, study: Study, out: Path, *, parallel: int = 1) -> None:
        self._study: Final = study
        self._out: Final = out
        self._parallel: Final = parallel
        self._stopped: Final = threading.Event()
        self._lock: Final = threading.Lock()
        self._sessions: Final[set[Session]] = set()
        self._compiler: Compiler | None = None

    @property
    def record(self) -> Path:
        """Where the records are."""
        return self._out

    @property
    def is_stopped(self) -> bool:
        return self._stopped.is_set()

    def cancel(self) -> None:
        """Lets runs that are under way end at their next turn boundary, and begins no more. Thread-safe."""
        self._stopped.set()
        with self._lock:
            sessions = tuple(self._sessions)
        for session in sessions:
            session.cancel()

    def run(
        self, *, begun: Begun = lambda spec: None, done: Done = lambda spec, outcome: None
    ) -> list[RunOutcome]:
        """Makes the runs, in order; gives what became of those that were begun, in the order of their ends.

        `begun` and `done` are called in the calling thread. Raises what keeps every run from being made: a
        compiler that is missing, a folder that cannot be written.
        """
        specs = list(self._study.specs(self._out))
        write_inputs(self._study, self._out)
        outcomes: list[RunOutcome] = []
        with ExitStack() as stack:
            results = stack.enter_context((self._out / RESULTS_FILE).open("x", encoding="utf-8"))
            if self._study.needs_programs:
                # Held here, so that it is not begun for each run anew.
                self._compiler = stack.enter_context(shared_compiler())
            for spec, outcome in self._in_threads(specs, begun):
                outcomes.append(outcome)
                results.write(json.dumps(result_json(outcome, self._out)) + "\n")
                results.flush()
                done(spec, outcome)
        return outcomes

    def _in_threads(self, specs: Iterable[RunSpec], begun: Begun) -> Iterator[tuple[RunSpec, RunOutcome]]:
        """As many at a time as may be; the next begins when one has ended."""
        left = iter(specs)
        under_way: dict[Future[RunOutcome], RunSpec] = {}
        with ThreadPoolExecutor(self._parallel, thread_name_prefix="gg-study") as threads:
            while True:
                while len(under_way) < self._parallel and not self.is_stopped:
                    spec = next(left, None)
                    if spec is None:
                        break
                    begun(spec)
                    under_way[threads.submit(self._make, spec)] = spec
                if not under_way:
                    return
                for future in wait(under_way, return_when=FIRST_COMPLETED).done:
                    yield under_way.pop(future), future.result()

    def _make(self, spec: RunSpec) -> RunOutcome:
        if self._compiler is not None:
            self._compiler.forget()  # a run pays for its programs, whatever another one has compiled
        return make_run(spec, entered=self._enter, left=self._leave, is_stopped=lambda: self.is_stopped)

    def _enter(self, session: Session) -> None:
        with self._lock:
            self._sessions.add(session)
        if self.is_stopped:  # meanwhile
            session.cancel()

    def _leave(self, session: Session) -> None:
        with self._lock:
            self._sessions.discard(session)


def make_run(
    spec: RunSpec,
    *,
    entered: Callable[[Session], None] = lambda session: None,
    left: Callable[[Session], None] = lambda session: None,
    is_stopped: Callable[[], bool] = lambda: False,
) -> RunOutcome:
    """Makes one run and judges it. `entered` gets its session before it begins, `left` when it has ended."""
    try:
        session = Session.create(
            validate(spec.document, base=spec.base, environ=environment()),
            out=spec.record,
            record_home=spec.record.parent.with_name(STORES) / spec.id,
        )
    except (HostError, LaunchRefused) as error:
        return _outcome(spec, problem=str(error))
    entered(session)
    try:
        result = session.run()
    finally:
        left(session)
    if result.status == "canceled" and is_stopped():
        return _recorded(spec, _NOT_CHECKED, is_cut_off=True)
    try:
        return _recorded(spec, _judged(spec, result))
    except RecordError as error:  # a disk that is full
        return _outcome(spec, problem=str(error))


def result_json(outcome: RunOutcome, out: Path) -> dict[str, object]:
    """What became of a run, as it stands in `results.ndjson`; its record is named from `out`."""
    record = outcome.record
    return {
        "task": outcome.task,
        "kind": outcome.kind,
        "arm": outcome.arm,
        "repeat": outcome.repeat,
        "record": str(record.relative_to(out)) if record is not None else None,
        "check": outcome.verdict.outcome,
        "detail": outcome.verdict.detail,
        "cutOff": outcome.is_cut_off,
        "problem": outcome.problem,
        "measures": plain(outcome.measures),
    }


def _judged(spec: RunSpec, result: RunResult) -> Verdict:
    with ExitStack() as stack:
        ended = Ended(
            task=spec.task,
            status=result.status,
            summary=result.ending.summary if result.ending else "",
            workspace=_workspace(spec) or Path(stack.enter_context(TemporaryDirectory(prefix="gg-check-"))),
            record=spec.record.absolute(),
        )
        verdict = judge(spec.check, ended)
    return Verdict(verdict.outcome, masker_from_environment().mask(verdict.detail))


def _workspace(spec: RunSpec) -> Path | None:
    """The copy that the root worked on, or the first that an agent did; absent where none had files."""
    copies = sorted((spec.record / "workspace").glob("*"), key=lambda path: path.stat().st_ctime_ns)
    of_root = [copy for copy in copies if copy.name == spec.document.get("root")]
    return next((copy.absolute() for copy in [*of_root, *copies]), None)


def _recorded(spec: RunSpec, verdict: Verdict, *, is_cut_off: bool = False) -> RunOutcome:
    surface = Surface()
    events = read_events(spec.record / EVENTS_FILE)
    surface.add(events)
    return _outcome(spec, verdict=verdict, measures=measure(events), surface=surface, is_cut_off=is_cut_off)


def _outcome(
    spec: RunSpec,
    *,
    verdict: Verdict = _NOT_CHECKED,
    measures: Measures | None = None,
    surface: Surface | None = None,
    is_cut_off: bool = False,
    problem: str = "",
) -> RunOutcome:
    return RunOutcome(
        task=spec.task,
        kind=spec.kind,
        arm=spec.arm,
        repeat=spec.repeat,
        record=spec.record if measures is not None else None,
        measures=measures,
        verdict=verdict,
        surface=surface or Surface(),
        is_cut_off=is_cut_off,
        problem=problem,
    )
