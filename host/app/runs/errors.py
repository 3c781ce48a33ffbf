"""What was named is not there."""

from host.core.errors import HostError


class NotThere(HostError):
    """A record, a turn, a memory or a revision that does not exist; the message says what does."""
