"""One person, asked by several agents."""

import threading

from host.providers import Ask, ModelRequest, TypedCall


def one_at_a_time(ask: Ask) -> Ask:
    """The same, but that whoever asks meanwhile waits until the one before was answered."""
    asking = threading.Lock()

    def ask_next(request: ModelRequest) -> str | tuple[TypedCall, ...] | None:
        with asking:
            return ask(request)

    return ask_next
