"""What went wrong with one attempt, and whether another one might go better."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from pydantic_ai.exceptions import (
    ContentFilterError,
    ModelAPIError,
    ModelAuthenticationError,
    ModelConnectionError,
    ModelHTTPError,
    ModelQuotaExceededError,
    ModelRateLimitError,
    ModelRequestRejectedError,
    ModelServerError,
    ModelTimeoutError,
    ModelUnavailableError,
    UnexpectedModelBehavior,
    UserError,
)

from host.core.errors import ProviderFailure
from host.core.text import escape_line, shortened

# Besides the 5xx: a request that timed out, a conflict, one that was too early, a rate that was too high.
_AGAIN: Final = (408, 409, 425, 429)
_AUTH: Final = (401, 403)
_MAX_TOLD_CHARS: Final = 400


class StreamIdle(Exception):
    """A reply that had begun paused for longer than it may."""


class FilterWithheld(Exception):
    """The provider's filter withheld the reply, or the model declined to give one."""


class StreamCut(Exception):
    """A reply ended without saying that it was whole."""


@dataclass(frozen=True, kw_only=True)
class Failure:
    """Why an attempt failed, in words for the operator, masked and on one line.

    `failure` is what it is if nothing helps: `model_retry_exhausted` is worth another attempt.
    `retry_after_s` is how long the provider asks to wait before that.
    """

    text: str
    failure: ProviderFailure
    retry_after_s: float | None = None


def failure_of(error: Exception, mask: Callable[[str], str]) -> Failure:
    """The failure that an exception of the model library, or of a client below it, stands for.

    What a provider says may repeat the key that it was sent, so it is masked before it is cut.
    """
    told = escape_line(shortened(mask(_told(error)), _MAX_TOLD_CHARS))
    after = error.retry_after if isinstance(error, ModelAPIError) else None
    return Failure(text=told, failure=_kind(error), retry_after_s=after)


def _kind(error: Exception) -> ProviderFailure:
    if isinstance(error, ModelAuthenticationError):
        return "model_auth"
    if isinstance(error, ModelHTTPError):
        return _kind_of_status(error)
    if isinstance(error, ModelRateLimitError | ModelUnavailableError | ModelServerError):
        return "model_retry_exhausted"
    if isinstance(error, ModelRequestRejectedError | ModelQuotaExceededError):
        return "model_rejected"
    if isinstance(error, UserError | NotImplementedError | ContentFilterError | FilterWithheld):
        return "model_rejected"
    return "model_retry_exhausted"  # a connection, a stream or a body that broke


def _kind_of_status(error: ModelHTTPError) -> ProviderFailure:
    status, hint = error.status_code, error.provider_retry_hint
    if status in _AUTH and not isinstance(error, ModelRequestRejectedError):
        return "model_auth"
    if isinstance(error, ModelQuotaExceededError):
        return "model_rejected"  # no wait refills an account
    if hint is not None:
        return "model_retry_exhausted" if hint else "model_rejected"
    may_pass = status in _AGAIN or status >= 500 or isinstance(error, ModelUnavailableError)
    return "model_retry_exhausted" if may_pass else "model_rejected"


def _told(error: Exception) -> str:
    match error:
        case ModelHTTPError(in_stream=True):
            return f"error in the reply, as HTTP {error.status_code}: {_message_of(error)}"
        case ModelHTTPError():
            return f"HTTP {error.status_code}: {_message_of(error)}"
        case ModelTimeoutError():
            return f"the connection timed out{_cause_of(error)}"
        case ModelConnectionError():
            return f"the connection failed{_cause_of(error)}"
        case ModelAPIError() | UnexpectedModelBehavior() | UserError():
            return str(error)
        case StreamIdle() | FilterWithheld() | StreamCut():
            return str(error)
    return f"the reply cannot be read: {type(error).__name__}: {error}"


def _message_of(error: ModelHTTPError) -> str:
    """What the provider says, out of the shapes that bodies have."""
    body = error.body
    inner = body.get("error", body) if isinstance(body, dict) else body
    message = inner.get("message") if isinstance(inner, dict) else inner
    told = message if isinstance(message, str) else repr(body)
    return told.strip() or "no message"


def _cause_of(error: BaseException) -> str:
    """What the transport said: the deepest cause that says anything."""
    told = ""
    while (cause := error.__cause__ or error.__context__) is not None:
        told, error = str(cause) or told, cause
    return f": {told}" if told else ""
