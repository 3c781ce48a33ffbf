"""What a reply may pass to a tool, and the texts of what it may not."""

import json

import pytest

from host.core.errors import Refusal
from host.operations import OPERATIONS, Operation
from host.operations.model import Native, NoArguments
from host.operations.native_binding import MAX_ARGUMENTS_BYTES, UNPARSABLE, bind_tool, native_arguments
from tests.host.operations.things import MARK, PUT, MarkArguments, PutArguments, Span, row

ARCHIVE = OPERATIONS["context.archive_thread"]
WRITE = OPERATIONS["memories.write_memory"]
EDIT = OPERATIONS["memories.edit_memory"]
SPANS = '"spans":[{"from":1}],"labels":[]'


def refusal(operation: Operation, arguments_json: str) -> Refusal:
    with pytest.raises(Refusal) as caught:
        bind_tool(operation, arguments_json)
    return caught.value


def test_names_are_those_of_the_fields_at_every_depth() -> None:
    bound = bind_tool(
        MARK, f'{{{SPANS},"weights":{{"a":1.5}},"is_kept":true,"instead":{{"from":2,"to":3}},"way":"dark"}}'
    )

    assert isinstance(bound, MarkArguments)
    assert bound.model_dump() == {
        "spans": [{"from_": 1, "to": None}],
        "labels": [],
        "weights": {"a": 1.5},
        "way": "dark",
        "is_kept": True,
        "instead": {"from_": 2, "to": 3},
    }
    assert [type(span).__mro__[1] for span in bound.spans] == [Span]


def test_what_is_null_counts_as_not_given_at_every_depth() -> None:
    bound = bind_tool(MARK, '{"spans":[{"from":1,"to":null}],"labels":[],"way":null,"instead":null}')

    assert isinstance(bound, MarkArguments)
    assert (bound.way, bound.instead, bound.spans[0].to) == ("light", None, None)
    assert refusal(PUT, '{"name":null}').message == "put_thing needs name, and it is missing."


def test_a_keyword_of_python_is_an_argument_like_another() -> None:
    bound = bind_tool(ARCHIVE, '{"ranges":[{"from":1,"to":2}]}')

    assert bound.model_dump() == {"ranges": [{"from_": 1, "to": 2}]}


@pytest.mark.parametrize("text", ["a\nb\tc\x01", "\ud800", "\ufeff", "é😀"])
def test_a_text_crosses_whole(text: str) -> None:
    for arguments_json in (json.dumps({"name": text}), f'{{"name":"{text}"}}'):
        bound = bind_tool(PUT, arguments_json)
        assert isinstance(bound, PutArguments)
        assert bound.name == text


def test_a_tool_without_arguments_takes_none() -> None:
    bare = row("bare", NoArguments, summary="", native=Native("bare"))

    assert isinstance(bind_tool(bare, "{}"), NoArguments)
    assert refusal(bare, '{"a":1}').message == "bare does not know `a`. It takes no argument."


MISTAKES = [
    pytest.param(
        WRITE,
        '{"name":"a","description":"b","body":"c","code":"d"}',
        "write_memory does not know `code`. It knows name, description, body.",
        id="code, of which no tool knows",
    ),
    pytest.param(
        WRITE,
        '{"code":null}',
        "write_memory does not know `code`. It knows name, description, body.",
        id="unknown before missing, and although it is null",
    ),
    pytest.param(
        EDIT,
        '{"name":"a","oldString":"b"}',
        "edit_memory does not know `oldString`. Did you mean old_string?",
        id="a program's name",
    ),
    pytest.param(
        EDIT,
        '{"name":"a","search":"b","replace":"c"}',
        "edit_memory does not know `search`. It knows name, old_string, new_string, expected_revision.",
        id="a program's names",
    ),
    pytest.param(
        ARCHIVE,
        '{"ranges":[{"from_":1,"to":2}]}',
        "archive_thread needs ranges[0].from, and it is missing.",
        id="a field's own name is not an argument's",
    ),
    pytest.param(
        ARCHIVE,
        '{"ranges":[{"from":1,"to":2,"too":3}]}',
        "archive_thread does not know `too`. Did you mean to?",
        id="an unknown name within",
    ),
    pytest.param(
        MARK,
        f'{{{SPANS},"isKept":true}}',
        "mark does not know `isKept`. Did you mean is_kept?",
        id="camel case",
    ),
    pytest.param(
        MARK,
        f'{{{SPANS},"is_kept":1}}',
        "mark: is_kept wants true or false and got the number 1.",
        id="another type",
    ),
    pytest.param(
        MARK,
        '{"spans":[],"labels":[]}',
        "mark: spans wants an array of 1 or more and got 0.",
        id="too few",
    ),
    pytest.param(
        EDIT,
        '{"name":"a","old_string":"b","expected_revision":0}',
        "edit_memory: expected_revision wants a whole number of 1 or more and got the number 0.",
        id="a bound",
    ),
    pytest.param(
        PUT, '{"name":"a","name":"a"}', "put_thing: `name` is given twice; give it once.", id="twice"
    ),
    pytest.param(
        ARCHIVE,
        '{"ranges":[{"to":1,"from":1,"to":2}]}',
        "archive_thread: `to` is given twice; give it once.",
        id="twice within",
    ),
]


@pytest.mark.parametrize(("operation", "arguments_json", "message"), MISTAKES)
def test_a_mistake_is_told_in_the_tools_terms(
    operation: Operation, arguments_json: str, message: str
) -> None:
    found = refusal(operation, arguments_json)

    assert (found.code, found.kind, found.message) == ("invalid-argument", "arguments", message)


NO_OBJECTS = [
    ("", "Expecting value: line 1 column 1 (char 0)"),
    ("{", "Expecting property name enclosed in double quotes: line 1 column 2 (char 1)"),
    ('{"name":"a"} and more', "Extra data: line 1 column 14 (char 13)"),
    ('{"max_count":NaN}', "NaN is no JSON value"),
    ('{"max_count":-Infinity}', "-Infinity is no JSON value"),
    (f'{{"max_count":{"1" * 5000}}}', "a number has 5,000 digits"),
]


@pytest.mark.parametrize(("arguments_json", "reason"), NO_OBJECTS)
def test_what_is_no_json_is_unparsable(arguments_json: str, reason: str) -> None:
    found = refusal(PUT, arguments_json)

    assert (found.code, found.kind) == ("invalid-argument", UNPARSABLE)
    assert found.message == f"put_thing: its arguments are no JSON: {reason}"


NO_OBJECTS = [
    ("[]", "an array"),
    ("null", "null"),
    ('"name"', "the string `name`"),
    ("1", "the number 1"),
    ('[{"name":"a"}]', "an array"),
    (json.dumps(json.dumps({"name": "a" * 40})), "a string"),
]


@pytest.mark.parametrize(("arguments_json", "got"), NO_OBJECTS)
def test_what_is_no_object_is_unparsable(arguments_json: str, got: str) -> None:
    found = refusal(PUT, arguments_json)

    assert (found.code, found.kind) == ("invalid-argument", UNPARSABLE)
    assert found.message == f"put_thing: its arguments want an object and got {got}."


@pytest.mark.parametrize("opening", ["[", '{"name":'])
def test_what_is_nested_too_deeply_is_unparsable(opening: str) -> None:
    found = refusal(PUT, opening * 100_000)

    assert (found.code, found.kind) == ("invalid-argument", UNPARSABLE)
    assert found.message == "put_thing: its arguments are nested too deeply"


def test_arguments_have_the_cap_of_a_value() -> None:
    spare = MAX_ARGUMENTS_BYTES - len('{"name":""}')

    bound = bind_tool(PUT, f'{{"name":"{"x" * spare}"}}')
    found = refusal(PUT, f'{{"name":"{"x" * (spare + 1)}"}}')

    assert isinstance(bound, PutArguments)
    assert len(bound.name) == spare
    assert (found.code, found.kind) == ("limit-exceeded", "arguments_cap")
    assert found.message == "The arguments of put_thing have 8,388,609 bytes, limit 8,388,608 bytes."


def test_the_form_of_a_tool_is_made_once() -> None:
    assert native_arguments(MARK) is native_arguments(MARK)
