"""The lines of a note: which turns they tell of."""

from collections.abc import Iterator

from host.context.conversation.folding import summary_lines, turns_of


class Read(tuple[int, ...]):
    """Numbers that count how often they are gone through."""

    times = 0

    def __iter__(self) -> Iterator[int]:
        Read.times += 1
        return super().__iter__()


def test_a_summary_of_many_lines_is_not_gone_through_with_every_turn_for_each() -> None:
    told = Read(range(1, 2_001))
    lines = [*summary_lines("older", (7, 2_001)), *summary_lines("a line\n" * 20_000, told)]

    assert turns_of(lines) == tuple(range(1, 2_002))
    assert Read.times == 1
