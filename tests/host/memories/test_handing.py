"""What the record says of a store where one agent follows another."""

from typing import Literal

import pytest

from host.events import Disposition, HandedModule
from host.memories import Holder, MemoryStore, handed_module, strategy_of
from tests.helpers.memories import holder_of, limits

ROWS: list[tuple[Literal["fork", "successor"], int | None, int | None, Disposition]] = [
    ("successor", 1, 1, "carried"),
    ("successor", 1, 2, "initialized"),
    ("successor", None, 2, "initialized"),
    ("successor", 1, None, "dropped"),
    ("successor", None, None, "absent"),
    ("fork", 1, 2, "copied"),
    ("fork", 1, 1, "linked"),
    ("fork", None, None, "absent"),
]


@pytest.mark.parametrize(("kind", "before", "after", "disposition"), ROWS)
def test_what_became_of_a_store(
    kind: Literal["fork", "successor"], before: int | None, after: int | None, disposition: Disposition
) -> None:
    assert handed_module(kind, holding(before), holding(after)) == HandedModule(
        kind="memories",
        disposition=disposition,
        from_id=before and f"memories-{before}",
        to_id=after and f"memories-{after}",
    )


def holding(number: int | None) -> Holder | None:
    if number is None:
        return None
    return holder_of(MemoryStore(number=number, strategy=strategy_of("markdown"), limits=limits()))
