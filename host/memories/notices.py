"""What a holder is told of the changes that others made to its memories."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from host.core.text import fenced
from host.memories.changes import Change
from host.memories.strategies import Strategy

_HEAD: Final = "Another agent sharing your memories has made changes since your last turn:"


def render_notice(
    changes: Sequence[Change], *, strategy: Strategy, calls: Mapping[str, str], loads_code: bool
) -> str:
    """The notice of changes, of which there is at least one.

    Args:
        calls: operation id to spelling, of the calls that the reader has.
        loads_code: whether the reader's programs import the code of memories.
    """
    blocks = [_HEAD, "\n".join(_lines(changes, with_bodies=strategy.reads is None))]
    if read := calls.get(strategy.reads or ""):
        blocks.append("\n".join(_closing(changes, read, loads_code)))
    return "\n\n".join(block for block in blocks if block)


def _lines(changes: Iterable[Change], *, with_bodies: bool) -> Iterable[str]:
    for change in changes:
        memory = change.memory
        about = f" — {memory.description}" if memory and memory.description else ""
        yield f"- {change.kind} `{change.name}`{about}"
        if memory and with_bodies:
            yield fenced(memory.body)


def _closing(changes: Iterable[Change], read: str, loads_code: bool) -> Iterable[str]:
    """Nothing where all that changed is gone."""
    if any(change.memory for change in changes):
        yield f"Read one with `{read}` if it bears on what you are doing."
    for change in changes:
        if loads_code and change.is_code_changed:
            yield f"The code of `{change.name}` changed; read it again to load it."
