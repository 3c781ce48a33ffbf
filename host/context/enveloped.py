"""What every answer of this package carries beside its content."""

from dataclasses import dataclass, field

from host.core.envelope import CompletionState, Evidence, WarningCard


@dataclass(frozen=True, kw_only=True)
class Enveloped:
    """How far an answer may be relied on, why, and what was found on the way.

    `code` is that of the state; the codes of `evidence` are warnings.
    """

    completion_state: CompletionState
    code: str
    message: str
    evidence: tuple[Evidence, ...] = ()
    warning_card: WarningCard = field(default_factory=WarningCard)

    @property
    def is_refusal(self) -> bool:
        return self.completion_state == "blocked-escalated"

    def envelope_json(self) -> dict[str, object]:
        """The envelope's fields as JSON values."""
        return {
            "completion_state": self.completion_state,
            "code": self.code,
            "message": self.message,
            "evidence": [found.to_json() for found in self.evidence],
            "warning_card": self.warning_card.to_json(),
        }
