"""What the context of one request was made of, as values: its bands, what changed, and what it was billed."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from host.events import Purpose, Usage


@dataclass(frozen=True, kw_only=True)
class WindowChange:
    """Messages that came into a window or left it, and the estimate of their tokens where it is known."""

    messages: int = 0
    tokens: int | None = 0


@dataclass(frozen=True, kw_only=True)
class BandUse:
    """One band of a request. A band that left the window whole has no messages.

    `tokens` are an estimate, without a margin, and `share` is their part of those of all bands, from 0 to 1.
    `untrusted_tokens` are those of messages that are data. `new` and `gone` are since the agent's request
    before. `billed_tokens` and `cost`, in US dollars, are the same share of what was billed: the tokens of
    the request alone, the cost with its reply. What is not known is null.
    """

    messages: int
    chars: int
    tokens: int | None
    share: float | None
    untrusted_tokens: int | None
    new: WindowChange
    gone: WindowChange
    billed_tokens: int | None
    cost: float | None


@dataclass(frozen=True, kw_only=True)
class WindowMessage:
    """One message of a window, at a position from 0. Of several that came into a band at once, the band's
    tokens are divided by their lengths.
    """

    position: int
    role: str
    band: str
    source: str | None
    authority: str | None
    trust: str | None
    chars: int
    tokens: int | None
    is_new: bool


@dataclass(frozen=True, kw_only=True)
class RequestWindow:
    """The window of one request. `messages` is their number, and `listed` each of them where one turn is
    asked for.

    `tokens` are those of the whole window with 4 a message and the margin, `window_tokens` the most that it
    may take and `context_window` what the model holds. `trust` and `authority` are tokens by what the
    messages say of themselves. `compactions` are the strategies of those since the request before, `closed`
    the views that were closed, `archived` how often turns went to the archive. A request without a `usage`
    was not answered, or not yet.
    """

    agent_id: str
    turn: int
    purpose: Purpose
    at: datetime
    messages: int
    tokens: int | None
    window_tokens: int | None
    context_window: int | None
    counter: str | None
    margin_percent: int | None
    bands: Mapping[str, BandUse]
    trust: Mapping[str, int]
    authority: Mapping[str, int]
    compactions: tuple[str, ...]
    closed: tuple[str, ...]
    archived: int
    usage: Usage | None
    listed: tuple[WindowMessage, ...]

    @property
    def band_tokens(self) -> int | None:
        """Those of all bands, without a margin."""
        known = [band.tokens for band in self.bands.values() if band.tokens is not None]
        return sum(known) if known else None

    @property
    def new(self) -> WindowChange:
        return _sum([band.new for band in self.bands.values()])

    @property
    def gone(self) -> WindowChange:
        return _sum([band.gone for band in self.bands.values()])

    @property
    def most_tokens(self) -> int | None:
        """What the window may take: until it is rewritten, else all that the model holds."""
        return self.window_tokens or self.context_window


def _sum(changes: list[WindowChange]) -> WindowChange:
    tokens = [change.tokens for change in changes]
    known = [each for each in tokens if each is not None]
    return WindowChange(
        messages=sum(change.messages for change in changes),
        tokens=sum(known) if len(known) == len(tokens) else None,
    )
