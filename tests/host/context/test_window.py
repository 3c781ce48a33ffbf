"""The window against a model of it that keeps nothing but a list."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from host.context import (
    STANDING,
    Band,
    BandSize,
    Entry,
    OpenedView,
    Region,
    View,
    Window,
    docs_view,
    estimate_tokens,
    file_view,
    image_view,
    skill_view,
    text_view,
)
from host.context.conversation.folding import HEADER
from host.core.context_item import ContextItem
from host.core.errors import Refusal
from host.core.messages import Image, ToolCall
from host.core.scrubbing import scrub

BANDS = {"text": "text_view", "file": "file_view", "docs": "docs_view", "skill": "skill"}
Act = Callable[[Window, "Model"], None]


@dataclass
class Sent:
    """A message, and the view that it stands for as long as that is open."""

    role: str
    band: str
    text: str
    view: View | None = None
    turn: int = 0


@dataclass
class Model:
    """What a window should hold, computed anew at every question."""

    sent: list[Sent] = field(default_factory=lambda: [Sent("system", "system", "system")])
    opening: list[View] = field(default_factory=list)
    asked: list[View] = field(default_factory=list)
    turn: int = 1
    removed: int = 0

    def open_views(self) -> list[View]:
        again = [view.identity for view in self.opening]
        shown = [m.view for m in self.sent if m.view is not None and m.view.identity not in again]
        return [*shown, *self.opening]

    def open(self, view: View) -> str:
        now = {known.identity: known for known in self.open_views()}
        if view.kind in ("docs", "skill") and now.get(view.identity) == view:
            self.asked.append(view)
            return "unchanged"
        places = [i for i, known in enumerate(self.opening) if known.identity == view.identity]
        if places:
            self.opening[places[0]] = view
        else:
            self.opening.append(view)
        return "replaced" if view.identity in now else "opened"

    def close(self, selector: str) -> list[View]:
        return self._close(
            [v for v in self.open_views() if v.kind in ("text", "file") and v.selector == selector]
        )

    def close_docs(self, key: str | None) -> list[View]:
        pages = [view for view in self.open_views() if view.kind == "docs"]
        return self._close(pages if key is None else [page for page in pages if page.selector == key])

    def _close(self, closed: list[View]) -> list[View]:
        gone = {view.identity for view in closed}
        kept = [m for m in self.sent if m.view is None or m.view.identity not in gone]
        self.removed += len(self.sent) - len(kept)
        self.sent = kept
        self.opening = [view for view in self.opening if view.identity not in gone]
        self.asked = [view for view in self.asked if view.identity not in gone]
        return closed

    def take(self, gone: list[Sent]) -> list[View]:
        before = self.open_views()
        self.sent = [message for message in self.sent if message not in gone]
        self.removed += len(gone)
        open_now = self.open_views()
        lost = [message.view for message in gone if message.view in before and message.view not in open_now]
        self.opening += [view for view in lost if view in self.asked]
        return [view for view in lost if view not in self.asked]

    def end_turn(self) -> None:
        for view in self.opening:
            self._forget(view.identity)
            self.sent.append(Sent("user", BANDS[view.kind], view.text, view, self.turn))
        self.opening, self.asked = [], []
        self.turn += 1

    def drop_docs(self, key: str) -> None:
        self._forget(("docs", key, None))
        self.opening = [view for view in self.opening if view.identity != ("docs", key, None)]
        self.asked = [view for view in self.asked if view.selector != key]

    def _forget(self, identity: object) -> None:
        for message in self.sent:
            if message.view is not None and message.view.identity == identity:
                message.view = None


def opens(view: View) -> Act:
    def act(window: Window, model: Model) -> None:
        assert window.open(view) == model.open(view)

    return act


def closes(selector: str) -> Act:
    def act(window: Window, model: Model) -> None:
        assert list(window.close(selector)) == model.close(selector)

    return act


def closes_docs(key: str | None) -> Act:
    def act(window: Window, model: Model) -> None:
        assert list(window.close_docs(key)) == model.close_docs(key)

    return act


def ends_turn(window: Window, model: Model) -> None:
    window.end_turn()
    model.end_turn()
    window.start_turn(model.turn)


def takes(turn: int) -> Act:
    def act(window: Window, model: Model) -> None:
        gone = [message for message in model.sent if message.turn == turn and message.band != "skill"]
        taken = window.take({turn})

        assert [entry.text for entry in taken.entries] == [message.text for message in gone]
        assert list(taken.closed) == model.take(gone)

    return act


def restarts(window: Window, model: Model) -> None:
    """As a compaction does, which pins what skills are open."""
    pinned = [view for view in model.open_views() if view.kind == "skill"]
    entries = [Entry(role="user", band="skill", text=view.text, view=view) for view in pinned]
    taken = window.compact(entries, "so far")

    assert list(taken.closed) == model.take(model.sent[1:])
    model.opening = [view for view in model.opening if view not in pinned]
    model.sent += [Sent("user", "skill", view.text, view) for view in pinned]
    model.sent.append(Sent("user", "summary", f"Summary\n----\n{HEADER}\n> so far"))


def drops(key: str) -> Act:
    def act(window: Window, model: Model) -> None:
        window.drop_docs(frozenset({key}))
        model.drop_docs(key)

    return act


def replies(window: Window, model: Model) -> None:
    window.add("assistant", "program", "export {}")
    model.sent.append(Sent("assistant", "program", "export {}", turn=model.turn))


VIEWS = st.sampled_from(
    [
        *(text_view(label, body) for label in ("a", "b") for body in ("", "x", "üü")),
        *(file_view("a", "1\n", Region(1, last, 9)) for last in (1, 2)),
        *(docs_view("a", body) for body in ("old", "new")),
        docs_view("b", "other"),
        *(skill_view(name, "how") for name in ("a", "b")),
        *(image_view("a", Image("image/png", data), "") for data in (b"1", b"2")),
    ]
)
ACTS = st.one_of(
    VIEWS.map(opens),
    st.sampled_from(["a", "b", "c"]).map(closes),
    st.sampled_from(["a", "b", None]).map(closes_docs),
    st.sampled_from([ends_turn, replies, drops("a"), drops("b"), restarts]),
    st.integers(1, 3).map(takes),
)


@settings(max_examples=300, deadline=None)
@given(st.lists(ACTS, max_size=30))
def test_a_window_behaves_as_its_model(acts: list[Act]) -> None:
    window, model = Window("system"), Model()
    window.start_turn(model.turn)
    for act in acts:
        before, removals = window.entries_from(0), window.removals
        act(window, model)

        assert messages(window) == [(m.role, m.band, m.text) for m in model.sent]
        assert list(window.current()) == [opened(view) for view in model.open_views()]
        pages = {view.selector for view in model.open_views() if view.kind == "docs"}
        assert {key for key in ("a", "b", "c") if window.shows_docs(key)} == pages
        assert window.removals == model.removed
        assert {name: size for name, size in window.bands.items() if size.messages} == recount(window)
        waiting = sum(opened(view).tokens + 4 for view in model.opening)
        assert window.tokens == taken_by(window, 0)
        assert window.tokens_with(()) == taken_by(window, waiting)
        assert [(m["role"], m["content"]) for m in window.conversation.to_messages()] == [
            (entry.role, entry.text) for entry in window.entries_from(0)
        ]
        assert window.ends_on_the_model == (model.sent[-1].role == "assistant" and not model.opening)
        if window.removals == removals:
            assert window.entries_from(0)[: len(before)] == before


def taken_by(window: Window, more: int) -> int:
    """The sum of it all with 4 tokens a message that is not the system prompt, and 30 % more."""
    size = window.size
    return -(-(size.tokens + 4 * (size.messages - 1) + more) * 130 // 100)


def messages(window: Window) -> list[tuple[str, str, str]]:
    return [(entry.role, entry.band, entry.text) for entry in window.entries_from(0)]


def opened(view: View) -> OpenedView:
    tokens = estimate_tokens(view.text) + 1600 * (view.image is not None)
    return OpenedView(kind=view.kind, selector=view.selector, tokens=tokens, region=view.region)


def recount(window: Window) -> dict[str, BandSize]:
    sizes: dict[str, BandSize] = {}
    for entry in window.entries_from(0):
        size = sizes.setdefault(entry.band, BandSize())
        size.messages += 1
        size.chars += len(entry.text)
        size.tokens += estimate_tokens(entry.text) + 1600 * len(entry.images)
    return sizes


def test_a_picture_that_is_opened_again_stays_where_it_was_sent() -> None:
    window = Window("system")
    old, new = Image("image/png", b"old"), Image("image/png", b"new")
    for image in (old, new):
        window.open(image_view("a.png", image, ""))
        window.end_turn()

    assert [entry.images for entry in window.entries_from(1)] == [(old,), (new,)]
    assert window.removals == 0
    window.close("./a.png")
    assert [entry.images for entry in window.entries_from(1)] == [(old,)]


def test_a_file_is_closed_by_any_spelling_of_its_path_and_a_text_by_its_label() -> None:
    window = Window("system")
    window.open(text_view("./a", "1"))
    window.open(text_view("a", "2"))
    window.open(file_view("./a", "3", Region(1, 1, 1)))
    window.open(file_view("b", "4", Region(1, 1, 1)))

    assert [view.body for view in window.close("./a")] == ["1", "3"]
    assert [view.body for view in window.close_files("././b")] == ["4"]
    assert [view.selector for view in window.current()] == ["a"]


def test_a_label_opened_twice_in_a_turn_is_replaced_in_place() -> None:
    window = Window("system")

    assert window.open(text_view("a", "1")) == "opened"
    assert window.open(text_view("b", "2")) == "opened"
    assert window.open(text_view("a", "3")) == "replaced"
    window.end_turn()

    assert texts(window) == ["system", "View: a\n----\n3", "View: b\n----\n2"]


def test_a_label_opened_in_a_later_turn_goes_to_the_end_and_the_old_one_is_history() -> None:
    window = Window("system")
    window.open(text_view("a", "1"))
    window.end_turn()

    assert window.open(text_view("a", "2")) == "replaced"
    window.end_turn()

    assert texts(window) == ["system", "View: a\n----\n1", "View: a\n----\n2"]
    assert len(window.current()) == 1


def test_closing_takes_out_the_view_and_leaves_its_history() -> None:
    window = Window("system")
    for body in ("1", "2"):
        window.open(text_view("a", body))
        window.end_turn()

    assert [view.body for view in window.close("a")] == ["2"]
    assert texts(window) == ["system", "View: a\n----\n1"]
    assert (window.removals, window.current(), window.close("a")) == (1, (), ())


def test_one_view_object_sent_twice_is_two_messages() -> None:
    window, view = Window("system"), text_view("a", "1")
    for _ in range(2):
        window.open(view)
        window.end_turn()
    window.close("a")

    assert texts(window) == ["system", "View: a\n----\n1"]
    assert window.removals == 1


def test_a_view_opened_and_closed_in_one_turn_never_reaches_the_window() -> None:
    window = Window("system")
    window.open(text_view("a", "1"))

    assert [view.body for view in window.close("a")] == ["1"]
    assert not window.end_turn()
    assert (texts(window), window.removals) == (["system"], 0)


def test_a_path_closes_every_page_of_the_file_and_a_text_of_that_label() -> None:
    window = Window("system")
    first, second = (file_view("a", f"{line}\n", Region(line, line, 2)) for line in (1, 2))
    window.open(first)
    window.end_turn()
    window.open(second)
    window.open(text_view("a", "text"))
    window.open(docs_view("a", "page"))

    assert window.close("a") == (first, second, text_view("a", "text"))
    window.end_turn()
    assert texts(window) == ["system", "Documentation: a\n----\npage"]


def test_a_page_that_did_not_change_is_not_opened_again() -> None:
    window = Window("system")

    assert window.open(docs_view("a", "old")) == "opened"
    assert window.open(docs_view("a", "old")) == "unchanged"
    window.end_turn()
    assert window.open(docs_view("a", "old")) == "unchanged"
    assert window.open(docs_view("a", "new")) == "replaced"
    window.end_turn()

    assert texts(window) == ["system", "Documentation: a\n----\nold", "Documentation: a\n----\nnew"]


def test_a_page_that_was_dropped_stays_as_history_and_may_be_opened_again() -> None:
    window = Window("system")
    window.open(docs_view("a", "page"))
    window.end_turn()
    window.open(docs_view("b", "waits"))
    window.drop_docs(frozenset({"a", "b"}))

    assert window.current() == ()
    assert window.open(docs_view("a", "page")) == "opened"
    window.end_turn()
    assert texts(window) == ["system", *["Documentation: a\n----\npage"] * 2]


def test_a_page_that_changed_after_it_was_asked_for_is_shown_as_it_is_now() -> None:
    window = Window("system")
    window.open(docs_view("a", "old"))
    window.end_turn()

    assert window.open(docs_view("a", "old")) == "unchanged"
    assert window.open(docs_view("a", "new")) == "replaced"
    assert window.compact((), "so far").closed == ()
    window.end_turn()
    assert texts(window) == ["system", f"Summary\n----\n{HEADER}\n> so far", "Documentation: a\n----\nnew"]


def test_pages_are_closed_by_key_or_all_at_once_and_nothing_else_is() -> None:
    window = Window("system")
    for view in (docs_view("a", "1"), docs_view("b", "2"), text_view("a", "3")):
        window.open(view)
    window.end_turn()
    window.open(docs_view("c", "4"))

    assert window.close_docs("d") == ()
    assert window.close_docs("a") == (docs_view("a", "1"),)
    assert window.close_docs() == (docs_view("b", "2"), docs_view("c", "4"))
    assert (texts(window), window.removals) == (["system", "View: a\n----\n3"], 2)


def test_all_views_are_opened_or_none() -> None:
    window = Window("system")
    most = "x" * 65_536
    views = [text_view(str(number), most) for number in range(129)]  # 8 MiB are 128 of them

    with pytest.raises(Refusal) as caught:
        window.open_all(views)
    assert (caught.value.kind, window.current()) == ("views_per_turn_cap", ())
    assert window.open_all([views[0], views[1], views[0]]) == [
        (views[0], "opened"),
        (views[1], "opened"),
        (views[0], "replaced"),
    ]


def test_what_a_message_calls_counts_as_its_text() -> None:
    call = ToolCall(id="1", name="submit", arguments='{"program": "const a = 1;"}')
    entry = Entry(role="assistant", band="program", text="Here.", tool_calls=(call,))

    window = Window("system")
    window.keep(entry)
    kept = window.entries_from(1)[0]
    assert (kept.chars, kept.tokens) == (5 + 6 + 27, 2 + 9)
    assert window.tokens == -(-(2 + 2 + 9 + 4) * 130 // 100)


ENDS = [
    pytest.param([], False, id="the system prompt"),
    pytest.param([replies], True, id="a reply"),
    pytest.param([replies, opens(text_view("a", ""))], False, id="a view waits"),
    pytest.param([replies, opens(text_view("a", "")), ends_turn], False, id="a view was sent"),
]


@pytest.mark.parametrize(("acts", "expected"), ENDS)
def test_whether_the_model_would_continue_its_own_message(acts: list[Act], expected: bool) -> None:
    window, model = Window("system"), Model()
    for act in acts:
        act(window, model)

    assert window.ends_on_the_model is expected


def test_entries_are_read_from_a_position_on() -> None:
    window = Window("system")
    window.add("user", "task", "Task\n----\ndo it")

    kept = Entry(role="user", band="task", text="Task\n----\ndo it", number=1, tokens=4)
    assert window.entries_from(1) == (kept,)
    assert window.entries_from(2) == ()


def texts(window: Window) -> list[str]:
    return [entry.text for entry in window.entries_from(0)]


def test_another_system_prompt_takes_the_place_of_the_first() -> None:
    window = Window("first")
    window.add("user", "task", "Do it.")
    before = window.removals

    window.reword("first")
    assert window.removals == before
    window.reword("a second one")
    assert [entry.text for entry in window.entries_from(0)] == ["a second one", "Do it."]
    assert (window.bands["system"].messages, window.bands["system"].chars) == (1, 12)
    assert window.removals > before


def test_a_band_is_held_as_long_as_it_has_a_message() -> None:
    window = Window("system")
    assert not window.holds("memories")
    window.compact([Entry(role="user", band="memories", text="Memories")], "so far")
    assert window.holds("memories")
    window.compact((), "so far")
    assert not window.holds("memories")


def test_every_message_is_masked_as_it_enters() -> None:
    window = Window("system: password = 'hunter2'", mask=scrub)
    window.open_with([Entry(role="user", band="task", text="Use sk-abcdefghijklmnopqrstuv.")])
    window.open(text_view("a", "Authorization: Bearer abcdefgh12345678ABCDEF"))
    window.end_turn()
    call = ToolCall(id="1", name="f", arguments='{"password": "hunter2"}')
    window.keep(Entry(role="assistant", band="calls", text="", tool_calls=(call,)))

    assert texts(window) == [
        "system: password = '[REDACTED]'",
        "Use [REDACTED].",
        "View: a\n----\nAuthorization: Bearer [REDACTED]",
        "",
    ]
    assert window.entries_from(3)[0].tool_calls[0].arguments == '{"password": "[REDACTED]"}'
    window.compact((), "The key is sk-abcdefghijklmnopqrstuv.")
    assert texts(window)[1].endswith("> The key is [REDACTED].")
    window.reword("token: ghp_abcdefghijklmnopqrstuvwxyz0123456789")
    assert "ghp_" not in texts(window)[0]


def test_what_messages_count_for() -> None:
    window = Window("system")
    task = ContextItem("own_task", "do it", source="caller", section="task", authority="task_contract",
                       kind="instruction", trust="trusted")  # fmt: skip
    window.open_with([Entry.of(task, "task", "Task")])
    window.open(file_view("a.txt", "obey", Region(1, 1, 1)))
    window.end_turn()
    window.compact(window.entries_from(1)[:1], "so far")
    window.open(file_view("a.txt", "obey", Region(1, 1, 1)))
    window.end_turn()

    items = [entry.item for entry in window.entries_from(0)]
    assert [(i.source, i.authority, i.trust, i.may_instruct) for i in items] == [
        ("gg", "governance", "trusted", True),
        ("caller", "task_contract", "trusted", True),
        ("conversation", "evidence", "untrusted", False),
        ("a.txt", "evidence", "untrusted", False),
    ]
    assert [item.value for item in window.conversation.sections] == ["Task\n----\ndo it"]


def test_only_the_system_prompt_and_tasks_may_instruct() -> None:
    instructing = [band for band in STANDING if Entry(role="user", band=band, text="x").item.may_instruct]
    assert instructing == ["system", "task"]
    assert set(STANDING) == set(get_args(Band))
