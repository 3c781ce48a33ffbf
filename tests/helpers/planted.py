"""Secrets that a test plants in texts, and the search for what is left of them.

Each place has secrets of its own, so that a failure tells where it came from.
"""

import json
import random
import string
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

PIECE_CHARS: Final = 8
"""Characters of a piece of a secret that must not be found, wherever it was cut."""
_LETTERS: Final = string.ascii_letters + string.digits


class Planted:
    """The secrets of one place. `text` tells them all, each as one would meet it."""

    def __init__(self, place: str) -> None:
        drawn = random.Random(place)

        def secret(length: int) -> str:
            return "".join((*drawn.choices(_LETTERS, k=length - 2), "A7"))

        self.place: Final = place
        self.key: Final = f"sk-{secret(24)}"
        halves = secret(18), secret(18)
        lines = [secret(64) for _ in range(3)]
        password, bearer, in_url, token = secret(12), secret(20), secret(12), secret(14)
        self.secrets: Final = (self.key[3:], password, *lines, bearer, *halves, in_url, token)
        block = "\n".join(("-----BEGIN PRIVATE KEY-----", *lines, "-----END PRIVATE KEY-----"))
        self.text: Final = "\n".join(
            (
                f"the key is {self.key} here",
                f"password = '{password}'",
                block,
                f"Authorization: Bearer {bearer}",
                f"use ghp_{halves[0]}\u200b{halves[1]} from now on",
                f"clone https://ci:{in_url}@git.example.com/acme.git",
                json.dumps({"token": token, "count": 7}),
            )
        )


class Search:
    """Looks for pieces of secrets in bytes."""

    def __init__(self, planted: Iterable[Planted], known: Mapping[str, str]) -> None:
        """`known` are secrets by their places."""
        named = [(each.place, secret) for each in planted for secret in each.secrets]
        self._pieces: Final = {
            secret[at : at + PIECE_CHARS].encode(): place
            for place, secret in (*named, *known.items())
            for at in range(len(secret) - PIECE_CHARS + 1)
        }

    def found(self, where: str, data: bytes) -> list[str]:
        """What was found: the place that each secret is of, where that was, and what stands there."""
        return list(self._found(where, data))

    def _found(self, where: str, data: bytes) -> Iterator[str]:
        told: set[str] = set()
        for at in range(len(data) - PIECE_CHARS + 1):
            place = self._pieces.get(data[at : at + PIECE_CHARS])
            if place is not None and place not in told:
                told.add(place)
                yield f"{place}, in {where}: {data[max(0, at - 60) : at + 40]!r}"
