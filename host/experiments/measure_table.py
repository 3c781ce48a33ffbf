"""Every measure of a run that arms are compared by: its name, its unit, and which value is the better one."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Literal

from host.experiments.metrics import Measures
from host.experiments.statistics import Better

Unit = Literal["", "ms", "tokens", "USD"]
TIME_SLACK: Final = 0.05
"""Times that differ by less than a twentieth are as good: a machine is never twice the same."""


@dataclass(frozen=True, kw_only=True)
class Measure:
    """`of` gives the value of a run, `None` where it has none."""

    key: str
    title: str
    of: Callable[[Measures], float | None]
    unit: Unit = ""
    better: Better = "less"

    @property
    def slack(self) -> float:
        return TIME_SLACK if self.unit == "ms" else 0.0


MEASURES: Final = (
    Measure(key="turns", title="turns", of=lambda m: m.turns),
    Measure(key="modelCalls", title="model calls", of=lambda m: m.model_calls),
    Measure(key="inputTokens", title="input tokens", of=lambda m: m.input_tokens, unit="tokens"),
    Measure(key="outputTokens", title="output tokens", of=lambda m: m.output_tokens, unit="tokens"),
    Measure(key="memoryTokens", title="injected by memories", of=lambda m: m.memory_tokens, unit="tokens"),
    Measure(
        key="cachedTokens",
        title="input from a cache",
        of=lambda m: m.cached_tokens,
        unit="tokens",
        better="neither",
    ),
    Measure(key="cost", title="cost", of=lambda m: m.cost, unit="USD"),
    Measure(key="hostCalls", title="host calls", of=lambda m: m.host_calls),
    Measure(key="failedCalls", title="failed host calls", of=lambda m: sum(m.failed_calls.values())),
    Measure(key="errorTurns", title="error turns", of=lambda m: sum(m.errors.values())),
    Measure(key="compileRejections", title="compile rejections", of=lambda m: m.compile_rejections),
    Measure(key="wallMs", title="wall clock", of=lambda m: m.wall_ms, unit="ms"),
    Measure(key="promptMs", title="  prompt", of=lambda m: m.phases.prompt_ms, unit="ms"),
    Measure(key="modelMs", title="  model", of=lambda m: m.phases.model_ms, unit="ms"),
    Measure(key="compileMs", title="  compile", of=lambda m: m.phases.compile_ms, unit="ms"),
    Measure(key="runMs", title="  run", of=lambda m: m.phases.run_ms, unit="ms"),
    Measure(key="otherMs", title="  other", of=lambda m: m.phases.other_ms, unit="ms"),
    Measure(key="memoriesHeld", title="memories held", of=lambda m: m.memories_held, better="neither"),
    Measure(key="memoriesPeak", title="memories at most", of=lambda m: m.memories_peak, better="neither"),
    Measure(key="agents", title="agents", of=lambda m: m.agents, better="neither"),
)
"""In the order in which they are told. What is worth comparing of several kinds of tasks is in `OF_KINDS`."""

OF_KINDS: Final = ("turns", "inputTokens", "outputTokens", "wallMs")
PHASES: Final = ("promptMs", "modelMs", "compileMs", "runMs", "otherMs")


def measure_by(key: str) -> Measure:
    """The measure of that key."""
    return next(measure for measure in MEASURES if measure.key == key)
