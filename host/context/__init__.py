"""What an agent's next prompt is made of: views, the window, and the headings of its messages."""

from host.context.archive import Archive, Archived, ArchiveFound
from host.context.enveloped import Enveloped
from host.context.headings import Heading, heading, titled, untitled
from host.context.tokens import CallerCounter, CharacterCounter, Counter, Utf8Counter, estimate_tokens
from host.context.views import (
    MAX_IMAGE_BYTES,
    MAX_LABEL_BYTES,
    MAX_VIEW_BYTES,
    MAX_VIEWS_BYTES_PER_TURN,
    OpenedView,
    Region,
    View,
    ViewKind,
    docs_view,
    file_view,
    image_view,
    skill_view,
    text_view,
)
from host.context.window import Band, BandSize, Entry, Taken, Window

__all__ = [
    "MAX_IMAGE_BYTES",
    "MAX_LABEL_BYTES",
    "MAX_VIEWS_BYTES_PER_TURN",
    "MAX_VIEW_BYTES",
    "Archive",
    "ArchiveFound",
    "Archived",
    "Band",
    "BandSize",
    "CallerCounter",
    "CharacterCounter",
    "Counter",
    "Entry",
    "Enveloped",
    "Heading",
    "OpenedView",
    "Region",
    "Taken",
    "Utf8Counter",
    "View",
    "ViewKind",
    "Window",
    "docs_view",
    "estimate_tokens",
    "file_view",
    "heading",
    "image_view",
    "skill_view",
    "text_view",
    "titled",
    "untitled",
]
