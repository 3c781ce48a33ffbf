"""What a peer is to the comparison: a way to run programs that call the host."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from enum import StrEnum
from importlib.metadata import PackageNotFoundError, version

from host.app.bench.peers.programs import Texts

Report = Callable[[str], None]
"""Takes what a program reports."""

Runner = Callable[[str], None]
"""Runs one program to its end, in an engine of its own unless the peer says otherwise."""


class Work(StrEnum):
    """What is measured. `CALL` is one of many in a program, `FRESH` an engine with `1 + 1`, `COLD` that in a
    process that has just begun, `WHOLE` a program of 2 KB with 20 calls.
    """

    CALL = "one call to the host and back"
    FRESH = "a fresh engine, 1 + 1"
    COLD = "cold start to the first result"
    WHOLE = "a whole program of 2 KB, 20 calls"


@dataclass(frozen=True, kw_only=True)
class Peer:
    """One row of the comparison.

    `compared` says what the figures are of: where the program runs, what checks it, what holds it. `package`
    is the distribution it comes from, empty where none is needed. What `open` makes is closed by its context.
    """

    name: str
    package: str = ""
    compared: str
    works: frozenset[Work]
    texts: Texts
    open: Callable[[Report], AbstractContextManager[Runner]]

    @property
    def version(self) -> str | None:
        """The version that is installed; `None` where it is not."""
        if not self.package:
            return ""
        try:
            return version(self.package)
        except PackageNotFoundError:
            return None
