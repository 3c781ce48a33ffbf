"""Requests of made-up runs, with what their windows hold."""

from collections.abc import Mapping, Sequence

from host.events import (
    BandSize,
    ContextBreakdown,
    Prompt,
    PromptMessage,
    Purpose,
    RequestedCall,
    Usage,
)

STANDING = {
    "system": ("gg", "governance", "trusted"),
    "task": ("caller", "user_intent", "trusted"),
    "notice": ("gg", "operational", "trusted"),
}
DATA = ("model", "evidence", "untrusted")


def message(band: str, chars: int, *, says: bool = True, source: str | None = None) -> PromptMessage:
    """One of so many characters; `says` what it counts for, as older records do not."""
    told, authority, trust = STANDING.get(band, DATA)
    standing = {"source": source or told, "authority": authority, "trust": trust} if says else {}
    return PromptMessage(role="user", band=band, text="x" * chars, **standing)


def calling(name: str, arguments: str) -> PromptMessage:
    """A message of the model's that has no text and one call."""
    call = RequestedCall(id="c1", name=name, arguments=arguments)
    return PromptMessage(role="assistant", band="calls", text="", tool_calls=(call,))


def prompt(
    turn: int,
    messages: int,
    *new: PromptMessage,
    dropped: Sequence[int] = (),
    purpose: Purpose = "turn",
) -> Prompt:
    return Prompt(
        turn=turn,
        purpose=purpose,
        messages=messages,
        new_messages=new,
        dropped=tuple(dropped),
        prompt_sha256="0",
    )


def breakdown(
    turn: int, bands: Mapping[str, tuple[int, int]], *, purpose: Purpose = "turn", **fields: object
) -> ContextBreakdown:
    """Messages and tokens of each band."""
    sizes = {
        name: BandSize(messages=messages, chars=4 * tokens, tokens=tokens)
        for name, (messages, tokens) in bands.items()
    }
    return ContextBreakdown.model_validate({"turn": turn, "purpose": purpose, "bands": sizes, **fields})


def usage(
    turn: int,
    input_tokens: int = 0,
    output_tokens: int = 0,
    *,
    cached: int | None = None,
    cost: float | None = None,
    purpose: Purpose = "turn",
) -> Usage:
    return Usage(
        turn=turn,
        purpose=purpose,
        input_tokens=input_tokens,
        output_tokens=output_tokens,
        cached_input_tokens=cached,
        cost=cost,
        total_input_tokens=0,
        total_output_tokens=0,
    )
