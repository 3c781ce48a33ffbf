"""Calls of tools as a person types them."""

import pytest

from host.cli.typed_calls import UnreadableCall, read_calls
from host.providers import TypedCall

KNOWN = ("write_memory", "list_dir", "finish")

TYPED = [
    ('finish {"summary": "done"}', [("finish", '{"summary": "done"}')]),
    ('  finish{"summary": "a { b"}  \r\n', [("finish", '{"summary": "a { b"}')]),
    ("list_dir", [("list_dir", "{}")]),
    ('list_dir\n\n finish {"summary": "x"}\n', [("list_dir", "{}"), ("finish", '{"summary": "x"}')]),
    # A person may make a model's mistakes.
    ('memories.writeMemory {"name": 5}', [("memories.writeMemory", '{"name": 5}')]),
    ('finish {"a": "\\ud800"}', [("finish", '{"a": "\\ud800"}')]),
    # No line is meant as a call, so the whole is a text.
    ("I would look around first.", []),
    ("list everything\n(and {braces} further on)", []),
    ("odd\x1b {}", []),
    ('["finish"]', []),
    ("", []),
    (" \n\n", []),
]


@pytest.mark.parametrize(("typed", "calls"), TYPED)
def test_each_line_is_a_call(typed: str, calls: list[tuple[str, str]]) -> None:
    assert read_calls(typed, KNOWN) == tuple(
        TypedCall(name=name, arguments=arguments) for name, arguments in calls
    )


UNREADABLE = [
    (
        'finish {"summary": done}',
        "line 1: the arguments of finish are no JSON at character 13: Expecting value",
    ),
    ("finish done", "line 1: the arguments of finish are no JSON at character 1: Expecting value"),
    ('finish "done"', "line 1: the arguments of finish are no object; write name {json}"),
    ("list_dir\n\nand then finish", "line 3 is no call; write name {json}, one to a line"),
    ("\n{}\nlist_dir", "line 2 is no call; write name {json}, one to a line"),
    (
        "odd {",
        "line 1: the arguments of odd are no JSON at character 2:"
        " Expecting property name enclosed in double quotes",
    ),
    (
        'finish {"a": ' + "[" * 100_000,
        "line 1: the arguments of finish are too large a number, or nested too deeply",
    ),
    (
        'finish {"a": ' + "9" * 5_000 + "}",
        "line 1: the arguments of finish are too large a number, or nested too deeply",
    ),
]


@pytest.mark.parametrize(("typed", "told"), UNREADABLE, ids=range(len(UNREADABLE)))
def test_a_line_that_cannot_be_read_is_named(typed: str, told: str) -> None:
    with pytest.raises(UnreadableCall) as caught:
        read_calls(typed, KNOWN)
    assert str(caught.value) == told
