"""What is taken from a client at a time."""

from typing import Final

MAX_MESSAGE_BYTES: Final = 20 * 2**20
"""Of one message: the largest argument that a call may have, 8 MiB, with room for its escapes."""
MAX_SESSIONS: Final = 100
"""Of clients over HTTP that keep a session."""
MAX_CONNECTIONS: Final = 400
"""Of clients over HTTP, each of which needs a few."""
ASKING_S: Final = 20
"""Until the first request of a connection has its headers."""
