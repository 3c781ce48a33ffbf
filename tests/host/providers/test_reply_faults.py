"""What a reply file that is no reply is answered: the place, what is there, what it needs."""

from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel, ValidationError

from host.providers.reply_faults import KEYS, reply_fault
from host.providers.scripted import ScriptedReply, ScriptedToolCall, ScriptedUsage, read_reply_folder

KNOWN = "known are text, toolCalls, finishReason, usage, error"
FAULTS = [
    ('{"txt": 1}', f': txt: unknown key; did you mean "text"? {KNOWN}'),
    ('{"colour": 1}', f": colour: unknown key; {KNOWN}"),
    ('{"usage": {"in": 1}}', ": usage.in: unknown key; known are inputTokens, outputTokens, cost"),
    ('{"toolCalls": [{"name": "a", "x": 1}]}', ": toolCalls[0].x: unknown key; known are name, arguments"),
    ('{"a\\u001b": 1}', f": a\\u001b: unknown key; {KNOWN}"),
    ('"x"', ': the reply: needs an object, and this is "x"'),
    ('{"text": null}', ": text: needs text, and this is null"),
    ('{"error": 5}', ": error: needs text, and this is 5"),
    ('{"finishReason": "tools"}', ': finishReason: needs "stop", "length" or "timeout", and this is "tools"'),
    ('{"usage": [1]}', ": usage: needs an object, and this is [1]"),
    (
        '{"usage": {"inputTokens": -1}}',
        ": usage.inputTokens: needs a whole number, 0 or more, and this is -1",
    ),
    (
        '{"usage": {"outputTokens": 1.5}}',
        ": usage.outputTokens: needs a whole number, 0 or more, and this is 1.5",
    ),
    ('{"toolCalls": {}}', ": toolCalls: needs a list of calls, and this is {}"),
    ('{"toolCalls": [5]}', ": toolCalls[0]: needs an object, and this is 5"),
    ('{"toolCalls": [{}]}', ": toolCalls[0].name: required"),
    (
        '{"toolCalls": [{"name": "a"}, {"name": "b", "arguments": [1]}]}',
        ": toolCalls[1].arguments: needs an object, or text, and this is [1]",
    ),
    ('{"text": 1, "txt": 2}', ": text: needs text, and this is 1"),
    (f'{{"text": [{"1," * 99}1]}}', f": text: needs text, and this is [{'1, ' * 39}1…"),
    ("", ":1:1: no JSON: the text ends inside a value"),
    ('{\n  "text": x}', ":2:11: no JSON: expected value"),
]


@pytest.mark.parametrize(("text", "told"), FAULTS)
def test_a_fault_names_its_place_and_what_is_needed_there(text: str, told: str) -> None:
    with pytest.raises(ValidationError) as caught:
        ScriptedReply.model_validate_json(text)

    assert reply_fault(caught.value) == told


@pytest.mark.parametrize(
    ("holder", "model"), [("", ScriptedReply), ("toolCalls", ScriptedToolCall), ("usage", ScriptedUsage)]
)
def test_the_keys_that_are_told_are_those_there_are(holder: str, model: type[BaseModel]) -> None:
    fields: dict[str, Any] = model.model_fields

    assert KEYS[holder] == tuple(field.alias for field in fields.values())


def test_a_byte_order_mark_before_the_object_is_passed_over(tmp_path: Path) -> None:
    (tmp_path / "1.json").write_bytes(b'\xef\xbb\xbf{"text": "x"}')

    assert read_reply_folder(tmp_path) == (ScriptedReply(text="x"),)
