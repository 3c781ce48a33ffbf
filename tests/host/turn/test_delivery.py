"""Where the program of a reply stands, and what the window keeps of the reply."""

import json

import pytest

from host.context import Entry
from host.core.messages import Reply, ToolCall
from host.turn import SubmittedProgram, WholeReply
from host.turn.delivery import Delivered
from host.turn.outcome import Fault

PROGRAM = "const a = 1;"


def submitted(arguments: str, *, id_: str = "1", name: str = "submit_program") -> ToolCall:
    return ToolCall(id=id_, name=name, arguments=arguments)


def answer(text: str, id_: str = "1") -> Entry:
    return Entry(role="tool", band="answer", text=text, answers=id_)


def said(text: str, *calls: ToolCall) -> Entry:
    return Entry(role="assistant", band="program", text=text, tool_calls=calls)


def test_a_whole_reply_is_healed_and_kept_as_the_program() -> None:
    assert WholeReply().read(Reply(text=f"```ts\n{PROGRAM}\n```")) == Delivered(
        kept=(said(PROGRAM),), program=PROGRAM, as_sent=f"```ts\n{PROGRAM}\n```", healing=("strip-fences",)
    )


def test_a_whole_reply_with_calls_is_its_text_and_the_operator_is_told() -> None:
    delivered = WholeReply().read(
        Reply(text=PROGRAM, tool_calls=(submitted("{}"), submitted("{}", name="x")))
    )

    assert (delivered.program, delivered.kept) == (PROGRAM, (said(PROGRAM),))
    assert delivered.notes == (
        "the reply called `submit_program` and `x`, and this agent is offered no tools",
    )


def test_the_one_tool_is_forced_and_its_schema_admits_a_program_alone() -> None:
    (tool,) = SubmittedProgram().tools
    schema = json.loads(tool.parameters)

    assert (tool.name, SubmittedProgram().forced_tool) == ("submit_program", "submit_program")
    assert (list(schema["properties"]), schema["required"], schema["additionalProperties"]) == (
        ["program"],
        ["program"],
        False,
    )
    assert (WholeReply().tools, WholeReply().forced_tool) == ((), "")


# Nothing of a program that is submitted is deleted, a fence least of all.
@pytest.mark.parametrize("program", [PROGRAM, "", f"```ts\n{PROGRAM}\n```", " \n", "\ud800\0"])
def test_a_submitted_program_is_taken_to_the_letter(program: str) -> None:
    call = submitted(json.dumps({"program": program}))

    assert SubmittedProgram().read(Reply(text="Here it is.", tool_calls=(call,))) == Delivered(
        kept=(said("Here it is.", call), answer("received")), program=program, as_sent=program
    )


def test_line_feeds_may_stand_in_the_text_of_a_program_as_they_are() -> None:
    call = submitted('{"program": "let a = 1;\n\tlet b = 2;"}')

    assert SubmittedProgram().read(Reply(tool_calls=(call,))).program == "let a = 1;\n\tlet b = 2;"


UNUSABLE = [
    (submitted("{}", name="run"), "there is no tool `run`; the one tool is submit_program"),
    (
        submitted('{"program": "x"}', name="Submit_Program"),
        "there is no tool `Submit_Program`; the one tool is",
    ),
    (
        submitted("const a = 1;"),
        "submit_program: its arguments are no JSON: Expecting value: line 1 column 1",
    ),
    (submitted(""), "submit_program: its arguments are no JSON: Expecting value: line 1 column 1 (char 0)"),
    (submitted('{"program": "x'), "submit_program: its arguments are no JSON: Unterminated string"),
    (submitted("[" * 100_000), "submit_program: its arguments are nested too deeply"),
    (submitted('"const a = 1;"'), 'submit_program wants one object, {"program": "…"}'),
    (submitted("{}"), "submit_program needs program, a string"),
    (submitted(f'{{"program": {"1" * 5000}}}'), "submit_program needs program, a string"),
    (submitted("\ufeff"), "submit_program: its arguments are no JSON: Expecting value: line 1 column 1"),
    (submitted('{"program": null}'), "submit_program needs program, a string"),
    (submitted('{"program": ["a"]}'), "submit_program needs program, a string"),
    (submitted('{"program": "x", "language": "ts"}'), "submit_program does not know `language`"),
    (submitted('{"code": "x"}'), "submit_program does not know `code`"),
]


@pytest.mark.parametrize(("call", "told"), UNUSABLE)
def test_a_call_without_a_program_is_answered_with_the_reason(call: ToolCall, told: str) -> None:
    delivered = SubmittedProgram().read(Reply(text=PROGRAM, tool_calls=(call,)))

    assert delivered.program is None
    message, answered = delivered.kept
    assert (message, answered.role, answered.answers) == (said(PROGRAM, call), "tool", "1")
    assert answered.text.startswith(told)
    assert delivered.fault == Fault("rejected", "missing_completion_no_program", None, answered.text)


def test_text_alone_is_never_taken_for_a_program() -> None:
    assert SubmittedProgram().read(Reply(text=PROGRAM)) == Delivered(
        kept=(said(PROGRAM),),
        fault=Fault(
            "rejected",
            "missing_completion_no_program",
            "Notice",
            "The reply did not call submit_program. There was no program, and nothing ran.",
        ),
    )


def test_of_several_programs_the_first_that_is_one_runs_and_every_call_is_answered() -> None:
    calls = (
        submitted("{}", id_="1"),
        submitted('{"program": "a;"}', id_="2"),
        submitted('{"program": "b;"}', id_="3"),
        submitted("{}", id_="4", name="other"),
    )
    delivered = SubmittedProgram().read(Reply(tool_calls=calls))

    assert (delivered.program, delivered.fault) == ("a;", None)
    assert delivered.notes == ("the reply submitted 2 programs, and the first one alone is run",)
    assert delivered.kept == (
        said("", *calls),
        answer("submit_program needs program, a string", "1"),
        answer("received", "2"),
        answer("not run: a reply has one program, and the first one is it", "3"),
        answer("there is no tool `other`; the one tool is submit_program", "4"),
    )


def test_a_reason_that_many_calls_share_is_told_once() -> None:
    calls = tuple(submitted("{}", id_=str(number)) for number in range(50))
    delivered = SubmittedProgram().read(Reply(tool_calls=calls))

    assert len(delivered.kept) == 51
    assert delivered.fault == Fault(
        "rejected", "missing_completion_no_program", None, "submit_program needs program, a string"
    )
