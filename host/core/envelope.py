"""The envelope around every answer of the record store and of context packets: how far it may be relied on,
what was found on the way, and what a person should look at.

An answer is `qualified-draft` at best: nothing checks that what it carries is true.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Literal

CompletionState = Literal["qualified-draft", "blocked-escalated"]


@dataclass(frozen=True, kw_only=True)
class Evidence:
    """One finding: its code, what it says in words, and further facts as JSON values."""

    code: str
    detail: str
    more: Mapping[str, object] = field(default_factory=dict)

    def to_json(self) -> dict[str, object]:
        return {"code": self.code, "detail": self.detail, **self.more}


@dataclass(frozen=True, kw_only=True)
class Warned:
    """A failure mode that an answer's records show, for a person to look at."""

    failure_mode: str
    record_ids: tuple[str, ...] = ()

    def to_json(self) -> dict[str, object]:
        return {"failure_mode": self.failure_mode, "record_ids": list(self.record_ids)}


@dataclass(frozen=True, kw_only=True)
class WarningCard:
    """What was checked, what was not, and what was found in doing so."""

    checks_run: tuple[str, ...] = ()
    not_checked: tuple[str, ...] = ()
    warnings: tuple[Warned, ...] = ()

    def to_json(self) -> dict[str, object]:
        return {
            "checks_run": list(self.checks_run),
            "not_checked": list(self.not_checked),
            "warnings": [warned.to_json() for warned in self.warnings],
        }


@dataclass(frozen=True, kw_only=True)
class Enveloped:
    """What every answer carries beside its content. `code` is that of the state; the codes of `evidence` are
    warnings.
    """

    completion_state: CompletionState
    code: str
    message: str
    evidence: tuple[Evidence, ...] = ()
    warning_card: WarningCard = WarningCard()

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


@dataclass(frozen=True, kw_only=True)
class Envelope(Enveloped):
    """An answer, or a refusal. `fields` are those of the operation, as JSON values."""

    completion_state: CompletionState = "qualified-draft"
    fields: Mapping[str, object] = field(default_factory=dict)

    def to_json(self) -> dict[str, object]:
        return {**self.envelope_json(), **self.fields}


class Refused(ValueError):
    """A call that is refused, with the envelope that says so. Nothing was changed."""

    def __init__(self, envelope: Envelope) -> None:
        super().__init__(f"{envelope.code}: {envelope.message}")
        self.envelope: Final = envelope

    @classmethod
    def of(cls, code: str, message: str, **fields: object) -> "Refused":
        """A refusal with the fields of its operation."""
        return cls(Envelope(code=code, message=message, completion_state="blocked-escalated", fields=fields))

    @property
    def code(self) -> str:
        return self.envelope.code

    @property
    def message(self) -> str:
        return self.envelope.message
