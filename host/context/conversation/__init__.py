"""A conversation within a model's window: counted, trimmed, or folded into one quoted note."""

from host.context.conversation.folding import NOTE_KEY, Summariser
from host.context.conversation.report import WindowReport
from host.context.conversation.window import ConversationWindow

__all__ = ["NOTE_KEY", "ConversationWindow", "Summariser", "WindowReport"]
