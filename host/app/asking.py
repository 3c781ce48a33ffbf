"""One person, asked by several agents."""

import threading

from host.providers import Ask, ModelRequest, TypedCall


def one_at_a_time(ask: Ask, person: threading.Lock) -> Ask:
    """The same, but that whoever asks meanwhile waits until the one before was answered.

    `person` is held while the person is asked.
    """

    def ask_next(request: ModelRequest) -> str | tuple[TypedCall, ...] | None:
        with person:
            return ask(request)

    return ask_next
