"""What a window says of itself: whether it fits, by which count, and what is not in it any more."""

from dataclasses import dataclass

from host.core.envelope import Enveloped


@dataclass(frozen=True, kw_only=True)
class WindowReport(Enveloped):
    """Whether a conversation fits its window.

    `tokens` is what it takes by its counter, with the margin and the reserve. `summarised` are the numbers of
    the turns that the note tells of, `dropped` those of which nothing is left.
    """

    fits: bool
    tokens: int
    window_tokens: int
    summarised: tuple[int, ...] = ()
    dropped: tuple[int, ...] = ()

    def to_json(self) -> dict[str, object]:
        """The report as JSON values."""
        return {
            **self.envelope_json(),
            "fits": self.fits,
            "tokens": self.tokens,
            "window_tokens": self.window_tokens,
            "summarised": list(self.summarised),
            "dropped": list(self.dropped),
        }
