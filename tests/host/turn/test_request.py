"""Requests from a window: each a byte-identical prefix of the next, until something is taken out."""

import hashlib
import json
from collections.abc import Callable, Iterable

from hypothesis import given, settings
from hypothesis import strategies as st

from host.context import Entry, Window, image_view, text_view
from host.core.masking import Masker
from host.core.messages import Image, Message, ToolCall
from host.turn.request import Built, RequestBuilder

SECRETS = Masker({"A_TOKEN": "hunter22"})
Act = Callable[[Window], object]


def opens(label: str, body: str) -> Act:
    return lambda window: window.open(text_view(label, body))


ACTS = st.one_of(
    st.builds(opens, st.sampled_from("ab"), st.sampled_from(["", "hunter22", "\0"])),
    st.sampled_from("ab").map(lambda label: lambda window: window.close(label)),
    st.sampled_from([lambda window: window.end_turn(), lambda window: window.add("user", "notice", "n")]),
)


@settings(max_examples=200, deadline=None)
@given(st.lists(st.lists(ACTS, max_size=4), max_size=8))
def test_requests_of_a_window_that_changes(turns: list[list[Act]]) -> None:
    window = Window("system with hunter22", mask=SECRETS.mask)
    requests = RequestBuilder(window)
    before, seen = requests.build(), {id(entry) for entry in window.entries_from(0)}
    for acts in turns:
        removals = window.removals
        for act in acts:
            act(window)
        built, entries = requests.build(), window.entries_from(0)

        assert built.messages == tuple(Message(e.role, e.text) for e in entries)
        assert not any("hunter22" in message.text for message in built.messages)
        assert built.sha256 == hash_of(built.messages)
        assert built.new == tuple(entry for entry in entries if id(entry) not in seen)
        kept = [m for place, m in enumerate(before.messages) if place not in built.dropped]
        assert list(built.messages[: len(kept)]) == kept
        assert len(built.messages) == len(kept) + len(built.new)
        if window.removals == removals:
            assert built.dropped == ()
        before, seen = built, {id(entry) for entry in entries}


def hash_of(messages: Iterable[Message]) -> str:
    lines = (json.dumps([m.role, m.text], separators=(",", ":")) + "\n" for m in messages)
    return hashlib.sha256("".join(lines).encode("ascii")).hexdigest()


def test_the_first_request_is_all_new() -> None:
    window = Window("system")
    window.add("user", "task", "Task\n----\ndo it")

    assert RequestBuilder(window).build() == Built(
        messages=(Message("system", "system"), Message("user", "Task\n----\ndo it")),
        new=(
            Entry(role="system", band="system", text="system", tokens=2),
            Entry(role="user", band="task", text="Task\n----\ndo it", number=1, tokens=4),
        ),
        sha256=hash_of([Message("system", "system"), Message("user", "Task\n----\ndo it")]),
    )


def test_a_picture_goes_with_its_message_and_is_part_of_the_hash() -> None:
    image = Image("image/png", b"picture")
    window = Window("system")
    window.open(image_view("a.png", image, ""))
    window.end_turn()
    built = RequestBuilder(window).build()

    assert built.messages[1] == Message("user", "File: a.png\n----", images=(image,))
    picture = {"mediaType": "image/png", "sha256": hashlib.sha256(b"picture").hexdigest()}
    sent = [["system", "system"], ["user", "File: a.png\n----", picture]]
    lines = "".join(json.dumps(line, separators=(",", ":")) + "\n" for line in sent)
    assert built.sha256 == hashlib.sha256(lines.encode()).hexdigest()


def test_all_that_is_the_models_own_of_a_call_is_masked_and_hashed_so() -> None:
    window = Window("system", mask=SECRETS.mask)
    call = ToolCall(id="hunter22-1", name="say_hunter22", arguments='{"a": "hunter22"}')
    window.keep(Entry(role="assistant", band="program", text="", tool_calls=(call,)))
    window.keep(Entry(role="tool", band="answer", text="received", answers="hunter22-1"))
    built = RequestBuilder(window).build()

    shown = {"id": "[masked:A_TOKEN]-1", "name": "say_[masked:A_TOKEN]"}
    arguments = '{"a": "[masked:A_TOKEN]"}'
    assert built.messages[1:] == (
        Message("assistant", "", tool_calls=(ToolCall(**shown, arguments=arguments),)),
        Message("tool", "received", answers="[masked:A_TOKEN]-1"),
    )
    sent: list[list[object]] = [
        ["system", "system"],
        ["assistant", "", {**shown, "arguments": arguments}],
        ["tool", "received", {"answers": "[masked:A_TOKEN]-1"}],
    ]
    lines = "".join(json.dumps(line, separators=(",", ":")) + "\n" for line in sent)
    assert built.sha256 == hashlib.sha256(lines.encode()).hexdigest()


def test_nothing_new_is_the_same_request() -> None:
    requests = RequestBuilder(Window("system"))
    first, again = requests.build(), requests.build()

    assert (again.messages, again.sha256, again.new) == (first.messages, first.sha256, ())


def test_what_is_new_after_a_view_was_closed() -> None:
    window = Window("system")
    requests = RequestBuilder(window)
    window.open(text_view("a", "1"))
    window.end_turn()
    requests.build()
    window.close("a")
    window.add("assistant", "program", "export {}")
    built = requests.build()

    assert [message.text for message in built.messages] == ["system", "export {}"]
    assert [entry.text for entry in built.new] == ["export {}"]
    assert built.dropped == (1,)


def test_a_view_that_came_and_went_between_two_requests_is_not_new() -> None:
    window = Window("system")
    requests = RequestBuilder(window)
    requests.build()
    window.open(text_view("a", "1"))
    window.end_turn()
    window.add("user", "notice", "n")
    window.close("a")
    built = requests.build()

    assert [entry.text for entry in built.new] == ["n"]
    assert [message.text for message in built.messages] == ["system", "n"]


def test_each_message_is_masked_once() -> None:
    masked: list[str] = []

    def mask(text: str) -> str:
        masked.append(text)
        return text

    window = Window("system", mask=mask)
    requests = RequestBuilder(window)
    window.open(text_view("a", "1"))
    window.end_turn()
    requests.build()
    window.close("a")
    window.add("user", "notice", "n")
    requests.build()

    assert masked == ["system", "View: a\n----\n1", "n"]


def test_two_prompts_that_read_alike_when_joined_differ_in_their_hash() -> None:
    one, two = Window("a\0user\0b"), Window("a")
    two.add("user", "task", "b")

    assert RequestBuilder(one).build().sha256 != RequestBuilder(two).build().sha256


def test_a_lone_surrogate_has_a_hash() -> None:
    assert RequestBuilder(Window("\ud800")).build().sha256 == hash_of([Message("system", "\ud800")])
