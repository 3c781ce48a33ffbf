"""Refusals that calls of several families share."""

from host.core.errors import Refusal
from host.core.text import has_lone_surrogate


def refuse_lone_surrogate(text: str, what: str) -> None:
    """Refuses a text that UTF-8 cannot carry, as `invalid-argument`; `what` begins the message."""
    if has_lone_surrogate(text):
        raise Refusal(
            "invalid-argument",
            f"{what} holds a lone surrogate, which is half a character; take it out.",
            kind="lone_surrogate",
        )
