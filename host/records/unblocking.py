"""Unblock: lets a claim be kept again that was forgotten for good."""

from host.core.envelope import Envelope, Refused
from host.core.moments import moment_text
from host.records import codes, tombstones
from host.records.forgetting import keep_receipt
from host.records.journal import Change
from host.records.look import Look


def unblock(change: Change, look: Look, text: str, *, reason: str) -> Envelope:
    """Takes the block away, and keeps a receipt of that without the text."""
    lifted = tombstones.lift(change.connection, change.seal, text)
    if not lifted:
        raise Refused.of(codes.NOT_FOUND, "no such text is blocked; give it as it was put, in any spelling")
    blocked_at = lifted[0].at
    receipt: dict[str, object] = {
        "unblocked": True,
        "blocked_at": blocked_at,
        "blocked_because": lifted[0].reason,
        "reason": reason,
        "at": moment_text(look.now),
    }
    keep_receipt(change.connection, look.now, receipt)
    return Envelope(
        code=codes.UNBLOCKED,
        message=f"The text that was blocked on {blocked_at} can be kept again.",
        fields={"receipt": receipt},
    )
