"""Whether what is summed up on the way and at the end is the sum of what stands before it."""

from collections import Counter
from typing import Final

from host.core.text import counted
from host.events.record_reader import RecordReader
from host.events.stamped import StampedEvent
from host.events.types import ModelReply, SessionSummary, TokenTotals, TurnOutcome, Usage
from host.events.verification.check import Check, Problems


class TotalsCheck:
    """Turns, error turns and tokens: of each agent as its outcomes count them, of the run in its summary."""

    def __init__(self) -> None:
        self._turns: Final[Counter[str]] = Counter()
        self._errors_in_a_row: Final[Counter[str]] = Counter()
        self._error_types: Final[Counter[str]] = Counter()
        self._input_tokens = 0
        self._output_tokens = 0
        self._problems: Final = Problems()

    def add(self, stamped: StampedEvent) -> None:
        where = f"event {stamped.seq}: "
        match stamped.event:
            case ModelReply(input_tokens=input_tokens, output_tokens=output_tokens):
                self._input_tokens += input_tokens
                self._output_tokens += output_tokens
            case Usage(total_input_tokens=input_tokens, total_output_tokens=output_tokens):
                self._expect_tokens(where, input_tokens, output_tokens)
            case TurnOutcome() as outcome:
                self._add_outcome(where, outcome, stamped.agent_id)
            case SessionSummary() as summary:
                self._add_summary(where, summary)

    def conclude(self, reader: RecordReader) -> Check:
        turns = counted(self._turns.total(), "turn")
        tokens = counted(self._input_tokens + self._output_tokens, "token")
        return self._problems.as_check("totals", f"{turns}, {tokens}")

    def _add_outcome(self, where: str, outcome: TurnOutcome, agent_id: str) -> None:
        self._turns[agent_id] += 1
        is_error = outcome.outcome == "error"
        in_a_row = self._errors_in_a_row[agent_id] + 1 if is_error else 0
        self._errors_in_a_row[agent_id] = in_a_row
        if is_error:
            self._error_types[outcome.error_type or ""] += 1
        self._problems.expect(f"{where}turns", outcome.turns, self._turns[agent_id])
        self._problems.expect(f"{where}consecutiveErrors", outcome.consecutive_errors, in_a_row)

    def _add_summary(self, where: str, summary: SessionSummary) -> None:
        expect = self._problems.expect
        expect(f"{where}turns", summary.turns, self._turns.total())
        expect(f"{where}errors", summary.errors, self._error_types.total())
        expect(f"{where}errorTypes", summary.error_types, dict(self._error_types))
        self._expect_tokens(where, summary.usage.input_tokens, summary.usage.output_tokens)

    def _expect_tokens(self, where: str, input_tokens: int, output_tokens: int) -> None:
        recorded = TokenTotals(input_tokens=input_tokens, output_tokens=output_tokens)
        folded = TokenTotals(input_tokens=self._input_tokens, output_tokens=self._output_tokens)
        if recorded != folded:
            self._problems.add(
                f"{where}tokens are {_told(recorded)}, and the replies add up to {_told(folded)}"
            )


def _told(totals: TokenTotals) -> str:
    return f"{totals.input_tokens} and {totals.output_tokens}"
