"""The window and the archive of an agent that goes on from where another one is."""

from collections.abc import Callable

import pytest

from host.context import Archive, Entry, Window, docs_view, text_view
from host.core.messages import ToolCall

CALL = ToolCall(id="c1", name="finish", arguments="{}")


def window() -> Window:
    """Opened, with a message and a view of each of three turns, the first view opened again in the third."""
    made = Window("system")
    made.keep(Entry(role="user", band="task", text="task"))
    for turn in (1, 2, 3):
        made.start_turn(turn)
        made.keep(Entry(role="assistant", band="calls", text=f"turn {turn}", tool_calls=(CALL,)))
        made.open(text_view("plan" if turn != 2 else "other", f"of turn {turn}"))
        made.end_turn()
    return made


def shown(window: Window) -> list[tuple[int, str]]:
    return [(entry.turn, entry.text.rpartition("\n")[2]) for entry in window.entries_from(0)]


def test_a_copy_counts_the_turns_until_now_back() -> None:
    copied = window().copy(3)

    assert shown(copied) == [
        (0, "system"),
        (0, "task"),
        (-3, "turn 1"),
        (-3, "of turn 1"),
        (-2, "turn 2"),
        (-2, "of turn 2"),
        (-1, "turn 3"),
        (-1, "of turn 3"),
    ]


def test_a_copy_is_the_same_in_size_views_and_calls() -> None:
    one = window()
    other = one.copy(3)

    assert other.bands == one.bands
    assert other.current() == one.current()
    assert [e.tool_calls for e in other.entries_from(0)] == [e.tool_calls for e in one.entries_from(0)]


TASK = Entry(role="user", band="task", text="task")
ACTS: dict[str, Callable[[Window], object]] = {
    "keeps": lambda w: w.keep(Entry(role="user", band="notice", text="n")),
    "closes": lambda w: w.close("plan"),
    "takes": lambda w: w.take({-1, 3}),
    "rewords": lambda w: w.reword("another system"),
    "compacts": lambda w: w.compact((TASK, TASK), "other words"),
    "opens": lambda w: w.open(text_view("plan", "new")),
}


def rewritten() -> Window:
    """Of sections, a note, and a turn after that."""
    made = window()
    made.compact((TASK,), "so far")
    made.start_turn(3)
    made.open(text_view("plan", "later"))
    made.end_turn()
    return made


def state(window: Window) -> tuple[object, ...]:
    told = window.conversation
    sizes = {band: str(size) for band, size in window.bands.items()}
    sent = (told.to_messages(), told.report(), told.notes, told.sections)
    return window.entries_from(0), sizes, window.current(), window.tokens, window.removals, sent


@pytest.mark.parametrize("begin", [window, rewritten])
@pytest.mark.parametrize("act", ACTS)
@pytest.mark.parametrize("is_copy", [True, False])
def test_what_one_of_them_does_the_other_does_not_see(
    is_copy: bool, act: str, begin: Callable[[], Window]
) -> None:
    original = begin()
    pair = (original.copy(3), original)
    one, other = pair if is_copy else pair[::-1]
    before, own = state(other), state(one)
    ACTS[act](one)

    assert state(other) == before
    assert state(one) != own


def test_the_latest_of_a_view_is_the_one_that_is_closed() -> None:
    copied = window().copy(3)
    copied.close("plan")

    assert [text for _, text in shown(copied)] == [
        "system",
        "task",
        "turn 1",
        "of turn 1",
        "turn 2",
        "of turn 2",
        "turn 3",
    ]


def test_a_page_that_is_closed_in_the_copy_is_open_in_the_original() -> None:
    one = Window("system")
    one.start_turn(1)
    one.open(docs_view("tools.add", "add()"))
    one.end_turn()
    other = one.copy(1)
    other.close_docs("tools.add")

    assert (one.shows_docs("tools.add"), other.shows_docs("tools.add")) == (True, False)
    assert shown(other) == [(0, "system")]


def test_a_notice_of_no_turn_is_for_the_original_alone() -> None:
    one = window()
    one.keep(Entry(role="user", band="notice", text="of turn 3 as well"))
    one.start_turn(0)
    one.keep(Entry(role="user", band="notice", text="record your state"))

    assert shown(one.copy(3))[-1] == (-1, "of turn 3 as well")
    assert one.copy(3).bands["notice"].messages == 1


def test_archives_go_apart() -> None:
    one = Archive()
    one.add([Entry(role="user", band="notice", text="both know")])
    other = one.copy()
    one.add([Entry(role="user", band="notice", text="one knows")])
    other.add([Entry(role="user", band="notice", text="other knows")])

    found = [[hit.text for hit in archive.search("know").hits] for archive in (one, other)]
    assert found == [["both know", "one knows"], ["both know", "other knows"]]
