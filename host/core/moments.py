"""Moments as texts: UTC, ISO 8601 with microseconds and `Z`, so that texts sort as the moments do."""

from datetime import UTC, datetime


def moment_text(moment: datetime) -> str:
    """`2027-06-30T00:00:00.000000Z`. Raises `ValueError` for a moment without a zone."""
    if moment.tzinfo is None or moment.utcoffset() is None:
        raise ValueError(f"{moment.isoformat()} has no time zone")
    try:
        in_utc = moment.astimezone(UTC)
    except OverflowError:
        raise ValueError(f"{moment.isoformat()} is outside the years 1 to 9999 in UTC") from None
    return in_utc.replace(tzinfo=None).isoformat(timespec="microseconds") + "Z"


def parse_moment(text: str) -> datetime:
    """The moment of an ISO 8601 text, in UTC. Raises `ValueError` for another text, and without a zone."""
    moment = datetime.fromisoformat(text.strip())
    return datetime.fromisoformat(moment_text(moment))
