"""The roots of the host's errors, named by who owns the failure.

HostError
├── Refusal         the model's: a call is denied, the program sees an `ApiError`
├── LaunchRefused   the operator's: a configuration cannot be run, every defect at once
├── ProviderError   the operator's or the vendor's: no usable reply could be had
└── HostDefect      gg's own: the run ends under `internal_error`, the model is told nothing
"""

import traceback
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal, get_args

ApiErrorCode = Literal[
    "invalid-argument",
    "not-found",
    "conflict",
    "refused",
    "unavailable",
    "limit-exceeded",
    "io-error",
    "other",
]
DefectKind = Literal[
    "compiler", "sandbox", "operation", "turn", "loop", "agents", "workspace", "record_unwritable"
]
ProviderFailure = Literal["model_auth", "model_rejected", "model_retry_exhausted"]
MAX_TRACEBACK_CHARS: Final = 8 * 1024
API_ERROR_CODES: Final[tuple[str, ...]] = get_args(ApiErrorCode)
API_ERRORS: Final[Mapping[ApiErrorCode, str]] = {
    "invalid-argument": "An argument is missing, of another type, malformed or out of range.",
    "not-found": "What the call names is not there.",
    "conflict": "The call is well formed and clashes with what is there.",
    "refused": "A rule forbids it as things stand.",
    "unavailable": "The call exists and is not offered to this agent, or not at this place.",
    "limit-exceeded": "A limit would be exceeded; the message has its figure.",
    "io-error": "The system refused, or gg could not carry the call out.",
    "other": "Anything else. No call of gg's own fails with it.",
}
"""What each code of an `ApiError` says."""
DEFECTS: Final[Mapping[DefectKind, str]] = {
    "compiler": "esbuild or TypeScript crashed, hung or could not be started, on a fresh process as well.",
    "sandbox": "A worker died by no limit of the sandbox, broke the protocol or could not be started.",
    "operation": "A call raised what nobody expected. It was refused as `io-error`.",
    "turn": "Carrying out a reply raised what nobody expected.",
    "loop": "The loop around the turns raised what nobody expected.",
    "agents": "Two agents that share a store turned out to disagree on how it is kept or who may write it.",
    "workspace": "An agent's directory could not be copied into the record.",
    "record_unwritable": "The session record could not be written, as on a full disk.",
}
"""What each kind of defect is."""
PROVIDER_FAILURES: Final[Mapping[ProviderFailure, str]] = {
    "model_auth": "The provider refused the credentials (HTTP 401, 403).",
    "model_rejected": "The provider refused the request, and would again: a model that it does not have, a"
    " request that it does not take, a reply that its filter withheld, credit that is used up.",
    "model_retry_exhausted": "Every attempt failed in a way that another one might not.",
}
"""What each kind of a provider's failure is. All of them end the run."""


class HostError(Exception):
    """Root of what the host raises on purpose."""


class Refusal(HostError):
    """A call that is denied, for a reason the caller can act on. Nothing was changed; the run goes on.

    `code` is what a program branches on; `kind` says which rule refused, for telemetry.
    """

    def __init__(self, code: ApiErrorCode, message: str, *, kind: str = "") -> None:
        super().__init__(message)
        self.code: Final = code
        self.message: Final = message
        self.kind: Final = kind


class HostDefect(HostError):
    """A fault of gg's own. It is latched, ends the run and is told to the operator alone.

    `facts` are the figures an operator needs to reproduce it (exit status, hash of the input, …).
    """

    def __init__(self, kind: DefectKind, detail: str, facts: Mapping[str, object] | None = None) -> None:
        super().__init__(f"{kind}: {detail}")
        self.kind: Final[DefectKind] = kind
        self.detail: Final = detail
        self.facts: Final[Mapping[str, object]] = dict(facts or {})

    @classmethod
    def of(cls, kind: DefectKind, doing: str, error: Exception) -> "HostDefect":
        """The defect that an exception is which nobody expected; a defect stays what it is."""
        if isinstance(error, HostDefect):
            return error
        trace = "".join(traceback.format_exception(error))
        end = trace if len(trace) <= MAX_TRACEBACK_CHARS else f"…{trace[1 - MAX_TRACEBACK_CHARS :]}"
        return cls(kind, f"{doing} raised {error!r}", {"traceback": end})


class ProviderError(HostError):
    """No usable reply could be had from the model's provider. The run ends under `model_error`, and where
    the credentials were refused under `auth_error`. `failure` says of which kind it is, where it is known.
    """

    def __init__(self, message: str, failure: ProviderFailure | None = None) -> None:
        super().__init__(message)
        self.failure: Final = failure


class PersonLeft(ProviderError):
    """The person who answers in the model's place has left. The run ends as canceled, which is no failure."""


@dataclass(frozen=True, kw_only=True)
class Defect:
    """One thing in a configuration that cannot be run.

    `place` is a path into the document (`agents[0].id`), `found` the value as written, `known` the closed
    set of values that place accepts, where there is one. `agent` is absent for what belongs to the run.
    `file` and `line`, from 1, are where that stands; absent for a document that was built in memory, and
    `file` where `place` names it. `example` is what may be written there, where that is more than a value.
    """

    place: str
    message: str
    found: object = None
    agent: str | None = None
    known: tuple[str, ...] = ()
    file: str | None = None
    line: int | None = None
    example: str = ""


class LaunchRefused(HostError):
    """A configuration that cannot be run, with every defect in the order of the document.

    `told` has all of them for a person, in several lines.
    """

    def __init__(self, defects: tuple[Defect, ...], told: str) -> None:
        super().__init__(told)
        self.defects: Final = defects


def system_reason(error: OSError) -> str:
    """What the system says, for the middle of a sentence, without the path that the error names."""
    return (error.strerror or str(error)).lower()
