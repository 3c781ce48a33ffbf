"""Entries: the messages of a window, each with what it counts for."""

from dataclasses import dataclass
from typing import Final, Self

from host.context.bands import STANDING, Band, Standing, standing_of
from host.context.conversation import NOTE_KEY
from host.context.headings import heading, titled
from host.context.views import IMAGE_TOKENS, View, ViewKind
from host.core.context_item import ContextItem
from host.core.messages import Image, Role, ToolCall

_BAND_OF_VIEW: Final[dict[ViewKind, Band]] = {
    "text": "text_view",
    "file": "file_view",
    "docs": "docs_view",
    "skill": "skill",
}


@dataclass(frozen=True, kw_only=True)
class Entry:
    """One message of the window, and the view it was sent for.

    The model's own may carry `tool_calls`; one of the role `tool` answers the call whose id is `answers`.
    `turn` is the one that it was appended in; 0 for what the window opens with. `own_standing` is there where
    it is not that of its band. A window gives its messages their `number` in the conversation and counts
    their `tokens`; what the window opens with has no number.
    """

    role: Role
    band: Band
    text: str
    view: View | None = None
    tool_calls: tuple[ToolCall, ...] = ()
    answers: str | None = None
    turn: int = 0
    own_standing: Standing | None = None
    number: int = 0
    tokens: int = 0

    @classmethod
    def of(cls, item: ContextItem, band: Band, title: str) -> Self:
        """An item as a message under a heading."""
        text = titled(title, item.value)
        return cls(role="user", band=band, text=text, own_standing=standing_of(item))

    @classmethod
    def showing(cls, view: View) -> Self:
        """The message of a view."""
        return cls(role="user", band=_BAND_OF_VIEW[view.kind], text=view.text, view=view)

    @property
    def standing(self) -> Standing:
        """What it counts for."""
        return self.own_standing or STANDING[self.band]

    @property
    def source(self) -> str:
        """Where its text came from."""
        return self.standing.source if self.view is None else self.view.selector

    @property
    def item(self) -> ContextItem:
        """It as an item, whose value is the whole message."""
        standing = self.standing
        return ContextItem(
            key=self.band if self.view is None else self.view.selector,
            value=self.text,
            source=self.source,
            section=standing.section,
            authority=standing.authority,
            kind=standing.kind,
            trust=standing.trust,
            freshness_class="live",
        )

    @property
    def images(self) -> tuple[Image, ...]:
        """The pictures that go with it."""
        return () if self.view is None or self.view.image is None else (self.view.image,)

    @property
    def is_pinned(self) -> bool:
        """Whether nothing but a compaction, which puts it in again, takes it out."""
        return self.band == "skill"

    @property
    def attached(self) -> str:
        """What it calls, as text."""
        return "".join(call.name + call.arguments for call in self.tool_calls)

    @property
    def image_tokens(self) -> int:
        return IMAGE_TOKENS * len(self.images)

    @property
    def chars(self) -> int:
        """Code points of its text and of what it calls."""
        return len(self.text) + len(self.attached)


@dataclass(frozen=True, kw_only=True)
class Taken:
    """What was taken out of a window, and the views that are open no more for it."""

    entries: tuple[Entry, ...]
    closed: tuple[View, ...]


@dataclass
class BandSize:
    """One band's share of the window; tokens are counted, without a margin."""

    messages: int = 0
    chars: int = 0
    tokens: int = 0


def message_of(item: ContextItem) -> str:
    """The message of a section, which has its heading already, or of the note that folded turns became."""
    return heading("Summary", item.value) if item.key == NOTE_KEY else item.value
