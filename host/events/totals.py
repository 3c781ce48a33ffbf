"""The figures of a run or of one of its agents, summed over its turns."""

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from host.events.run_view import TurnView


@dataclass(frozen=True, kw_only=True)
class RunTotals:
    """Counts, tokens and host time in milliseconds. Rates are left to the reader to divide."""

    turns: int
    errors: int
    max_consecutive_errors: int
    error_types: Mapping[str, int]
    executions: int
    compile_rejections: int
    healing: Mapping[str, int]
    calls: int
    failed_calls: int
    memory_revisions: int
    memory_hits: int
    memory_misses: int
    memory_refusals: int
    input_tokens: int
    output_tokens: int
    prompt_ms: float
    request_ms: float
    response_ms: float
    compile_ms: float
    check_ms: float
    run_ms: float


def totals_of(turns: Iterable[TurnView]) -> RunTotals:
    """The totals of the turns given. A turn that was cut off counts with what it had done."""
    turns = tuple(turns)
    outcomes = [turn.outcome for turn in turns if turn.outcome is not None]
    timings = [turn.timing for turn in turns if turn.timing is not None]
    replies = [turn.reply for turn in turns if turn.reply is not None]
    executions = [execution for turn in turns for execution in turn.executions]
    errors = [outcome for outcome in outcomes if outcome.outcome == "error"]
    return RunTotals(
        turns=len(turns),
        errors=len(errors),
        max_consecutive_errors=max((outcome.consecutive_errors for outcome in outcomes), default=0),
        error_types=Counter(outcome.error_type for outcome in errors if outcome.error_type is not None),
        executions=len(executions),
        compile_rejections=sum(execution.outcome == "rejected" for execution in executions),
        healing=Counter(strategy for execution in executions for strategy in execution.healing),
        calls=sum(count.calls for turn in turns for count in turn.calls),
        failed_calls=sum(count.failed for turn in turns for count in turn.calls),
        memory_revisions=sum(len(turn.revisions) for turn in turns),
        memory_hits=sum(count.hits for turn in turns for count in turn.reads),
        memory_misses=sum(count.misses for turn in turns for count in turn.reads),
        memory_refusals=sum(len(turn.refusals) for turn in turns),
        input_tokens=sum(reply.input_tokens for reply in replies),
        output_tokens=sum(reply.output_tokens for reply in replies),
        prompt_ms=_total(timing.prompt_ms for timing in timings),
        request_ms=_total(timing.request_ms for timing in timings),
        response_ms=_total(timing.response_ms for timing in timings),
        compile_ms=_total(timing.compile_ms for timing in timings),
        check_ms=_total(timing.check_ms for timing in timings),
        run_ms=_total(timing.run_ms for timing in timings),
    )


def _total(parts_ms: Iterable[float]) -> float:
    return round(math.fsum(parts_ms), 3)
