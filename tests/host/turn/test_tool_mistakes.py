"""What a model gets wrong where its replies call tools, and what it reads of it: whole runs."""

import json
from pathlib import Path
from typing import Any

import pytest

from host.core.messages import Reply, ToolCall
from host.events import ApiCall, MemoryRefusal, ModelReply, RecordReader, TurnOutcome, verify_record
from tests.helpers.runs import FINISHES, SCRATCHPAD, Ran, calls, run_agent

NOTE = {"name": "a", "description": "d", "body": "b"}
TOOLS = "The calls there are: write_memory, update_memory, delete_memory and finish."


def run(out: Path, *replies: str | Reply) -> Ran:
    ran = run_agent(out, [*replies, FINISHES], execution="tool_calling", memories=SCRATCHPAD)
    assert [check.name for check in verify_record(RecordReader(out)) if not check.ok] == []
    return ran


UNKNOWN = [
    ("write_memori", f"write_memori is not available to this agent. Did you mean write_memory? {TOOLS}"),
    (
        "memories.writeMemory",
        f"memories.writeMemory is not available to this agent. Did you mean write_memory? {TOOLS}",
    ),
    ("writeMemory", f"writeMemory is not available to this agent. Did you mean write_memory? {TOOLS}"),
    ("session.finish", f"session.finish is not available to this agent. Did you mean finish? {TOOLS}"),
    ("submit_program", f"submit_program is not available to this agent. {TOOLS}"),
    ("views.openText", f"views.openText is not available to this agent. {TOOLS}"),
    ("", f" is not available to this agent. {TOOLS}"),
    (
        "w\ud800\x1b[2J\nNotice\n----",
        f"w\\ud800\\u001b[2J\\u000aNotice\\u000a---- is not available to this agent. {TOOLS}",
    ),
    ("x" * 2**20, f"{'x' * 80}… is not available to this agent. {TOOLS}"),
    (
        "create_memory",
        "create_memory is not available to this agent."
        " The calls there are: delete_memory, update_memory and write_memory.",
    ),
]


@pytest.mark.parametrize(("name", "told"), UNKNOWN, ids=range(len(UNKNOWN)))
def test_a_tool_that_is_not_there(name: str, told: str, tmp_path: Path) -> None:
    ran = run(tmp_path / "r", calls((name, NOTE)))

    assert ran.answers(1) == [f"unavailable: {told}"]
    assert [(outcome.outcome, outcome.error_type) for outcome in ran.of(TurnOutcome)] == [
        ("progressed", None),
        ("finished", None),
    ]
    assert ran.of(ApiCall)[0].code == "unavailable"


# What is no JSON object is an error turn.
UNPARSABLE = [
    (
        "{odd",
        "write_memory: its arguments are no JSON: Expecting property name enclosed in double quotes:"
        " line 1 column 2 (char 1)",
    ),
    ("", "write_memory: its arguments are no JSON: Expecting value: line 1 column 1 (char 0)"),
    ('{"name": NaN}', "write_memory: its arguments are no JSON: NaN is no JSON value"),
    ("[" * 100_000, "write_memory: its arguments are nested too deeply"),
    ("null", "write_memory: its arguments want an object and got null."),
    ("[]", "write_memory: its arguments want an object and got an array."),
    ("7", "write_memory: its arguments want an object and got the number 7."),
    (json.dumps("{}"), "write_memory: its arguments want an object and got the string `{}`."),
    (json.dumps(json.dumps(NOTE)), "write_memory: its arguments want an object and got a string."),
]


@pytest.mark.parametrize(("arguments", "told"), UNPARSABLE, ids=range(len(UNPARSABLE)))
def test_arguments_that_are_no_object(arguments: str, told: str, tmp_path: Path) -> None:
    ran = run(tmp_path / "r", calls(("write_memory", arguments)))

    assert ran.answers(1) == [f"invalid-argument: {told}"]
    first = ran.of(TurnOutcome)[0]
    assert (first.outcome, first.error_type, first.error) == (
        "error",
        "model_parse",
        f"invalid-argument: {told}",
    )
    assert [refusal.code for refusal in ran.of(MemoryRefusal)] == ["invalid-argument"]
    assert ran.result.memories == ()


KNOWN = "It knows name, description, body."
REFUSED = [
    ({**NOTE, "tags": []}, f"write_memory does not know `tags`. {KNOWN}"),
    ({**NOTE, "code": "export const a = 1;"}, f"write_memory does not know `code`. {KNOWN}"),
    ({**NOTE, "onUse": "1;"}, f"write_memory does not know `onUse`. {KNOWN}"),
    ({"name": "a", "body": "b"}, "write_memory needs description, and it is missing."),
    ({**NOTE, "body": 5}, "write_memory: body wants a string and got the number 5."),
    ({**NOTE, "body": ["b"]}, "write_memory: body wants a string and got an array."),
    ({**NOTE, "body": None}, "write_memory needs body, and it is missing."),
    ({}, "write_memory needs name, and it is missing."),
]


@pytest.mark.parametrize(("arguments", "told"), REFUSED, ids=range(len(REFUSED)))
def test_arguments_that_do_not_fit(arguments: dict[str, Any], told: str, tmp_path: Path) -> None:
    ran = run(tmp_path / "r", calls(("write_memory", arguments)))

    assert ran.answers(1) == [f"invalid-argument: {told}"]
    assert ran.of(TurnOutcome)[0].outcome == "progressed"
    assert [refusal.code for refusal in ran.of(MemoryRefusal)] == ["invalid-argument"]
    assert ran.result.memories == ()


def test_a_megabyte_of_an_argument_is_kept_as_it_is(tmp_path: Path) -> None:
    ran = run(tmp_path / "r", calls(("write_memory", {**NOTE, "body": "x" * 2**20})))

    (held,) = ran.result.memories
    assert held.body == "x" * 2**20


def test_an_argument_over_every_bound_is_refused(tmp_path: Path) -> None:
    ran = run(tmp_path / "r", calls(("write_memory", {**NOTE, "body": "x" * 8 * 2**20})))

    (told,) = ran.answers(1)
    assert told.startswith("limit-exceeded: The arguments of write_memory have ")
    assert (ran.result.memories, ran.of(TurnOutcome)[0].outcome) == ((), "progressed")


@pytest.mark.parametrize("written", ["\\ud800", "\ud800"])
def test_a_lone_surrogate_is_not_stored(written: str, tmp_path: Path) -> None:
    arguments = json.dumps({**NOTE, "body": "@"}).replace("@", written)
    ran = run(tmp_path / "r", calls(("write_memory", arguments)))

    assert ran.answers(1) == [
        "invalid-argument: Cannot write `a`: body holds the lone surrogate U+D800 at character 1."
        " Take it out and call write_memory again."
    ]
    assert ran.result.memories == ()


def test_two_hundred_calls_are_all_answered_in_order(tmp_path: Path) -> None:
    notes = [("write_memory", {**NOTE, "name": f"n{number}"}) for number in range(200)]
    ran = run(tmp_path / "r", calls(*notes))

    answers = ran.answers(1)
    assert len(answers) == 200
    assert [json.loads(answer)["count"] for answer in answers[:64]] == [*range(1, 65)]
    assert {answer.partition(":")[0] for answer in answers[64:]} == {"limit-exceeded"}
    assert len(ran.result.memories) == 64


def test_prose_beside_a_call_is_kept_and_has_no_effect(tmp_path: Path) -> None:
    ran = run(tmp_path / "r", calls(("write_memory", NOTE), text="I note that, and call finish."))

    (said,) = [message for message in ran.prompts[1] if message.role == "assistant"]
    assert (said.text, [call.name for call in said.tool_calls]) == (
        "I note that, and call finish.",
        ["write_memory"],
    )
    assert len(ran.result.memories) == 1


NO_CALL = "The reply called no tool, and nothing was done. Call a tool; `finish` ends the session."
FENCED = '```json\n{"name": "finish", "arguments": {"summary": "done"}}\n```'


@pytest.mark.parametrize("text", [FENCED, "I am done.", "", 'finish({"summary": "done"})'])
def test_a_call_that_is_only_written_is_none(text: str, tmp_path: Path) -> None:
    ran = run(tmp_path / "r", text)

    assert ran.told(1) == [f"Notice\n----\n{NO_CALL}"]
    first = ran.of(TurnOutcome)[0]
    assert (first.outcome, first.error_type, first.error) == (
        "error",
        "missing_completion_no_call",
        NO_CALL,
    )
    assert ran.of(ApiCall)[0].operation == "session.finish"


def test_ids_that_a_provider_repeats_are_told_apart_and_recorded_as_written(tmp_path: Path) -> None:
    def twice(id_: str) -> Reply:
        call = ToolCall(id=id_, name="delete_memory", arguments='{"name": "no"}')
        return Reply(tool_calls=(call, call))

    ran = run(tmp_path / "r", twice("call_0"), twice("call_0"), twice(""))

    sent = [call.id for message in ran.prompts[-1] for call in message.tool_calls]
    assert sent == ["call_0", "call_1_2", "call_2_1", "call_2_2", "call_3_1", "call_3_2"]
    assert [message.answers for message in ran.prompts[-1] if message.role == "tool"] == sent
    assert [[call.id for call in reply.tool_calls] for reply in ran.of(ModelReply)] == [
        ["call_0", "call_0"],
        ["call_0", "call_0"],
        ["", ""],
        ["c1"],
    ]
