"""What is taken from a client at a time."""

from typing import Final

MAX_MESSAGE_BYTES: Final = 20 * 2**20
"""Of one message: the largest argument that a call may have, 8 MiB, with room for its escapes."""
MAX_SESSIONS: Final = 100
"""Of clients over HTTP."""
