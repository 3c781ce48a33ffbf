"""Arguments checked with the schema of a tool, and the words for what is wrong."""

from collections.abc import Mapping
from typing import Any

import pytest

from host.core.errors import Refusal
from host.tools.servers.arguments import ArgumentsForm

SCHEMA: Mapping[str, Any] = {
    "type": "object",
    "properties": {
        "path": {"type": "string", "minLength": 1},
        "lines": {"type": "integer", "minimum": 1, "maximum": 500},
        "mode": {"enum": ["fast", "slow", 3, None]},
        "size": {"type": ["number", "null"]},
        "version": {"const": "v1"},
        "name": {"type": "string", "pattern": "^[a-z]+$"},
        "tags": {"type": "array", "items": {"type": "string"}, "maxItems": 2, "uniqueItems": True},
        "options": {
            "type": "object",
            "properties": {"depth": {"type": "integer"}, "deep": {"type": "boolean"}},
            "required": ["depth"],
            "additionalProperties": False,
        },
        "either": {"anyOf": [{"type": "string"}, {"type": "object", "required": ["a"]}]},
    },
    "required": ["path"],
}
MISTAKES = [
    pytest.param({}, "x.tool needs path, and it is missing.", id="missing"),
    pytest.param({"path": 3}, "x.tool: path wants a string and got the number 3.", id="type"),
    pytest.param({"path": ""}, "x.tool: path wants a string of 1 characters or more and got 0.", id="length"),
    pytest.param(
        {"lines": 0}, "x.tool: lines wants a number of 1 or more and got the number 0.", id="minimum"
    ),
    pytest.param({"lines": 1.5}, "x.tool: lines wants a whole number and got the number 1.5.", id="integer"),
    pytest.param(
        {"mode": "quick"},
        "x.tool: mode wants `fast`, `slow`, 3 or null and got the string `quick`.",
        id="enum",
    ),
    pytest.param({"size": "5"}, "x.tool: size wants a number or null and got the string `5`.", id="types"),
    pytest.param({"version": "v2"}, "x.tool: version wants `v1` and got the string `v2`.", id="const"),
    pytest.param(
        {"name": "A1"},
        "x.tool: name wants a string that matches `^[a-z]+$` and got the string `A1`.",
        id="pattern",
    ),
    pytest.param({"tags": ["a", 2]}, "x.tool: tags[1] wants a string and got the number 2.", id="item"),
    pytest.param({"tags": list("abc")}, "x.tool: tags wants an array of 2 at most and got 3.", id="items"),
    pytest.param(
        {"tags": ["a", "a"]},
        "x.tool: tags wants an array without the same item twice and got an array.",
        id="unique",
    ),
    pytest.param({"options": {}}, "x.tool needs options.depth, and it is missing.", id="member missing"),
    pytest.param(
        {"options": {"depth": 1, "dept": 2}},
        "x.tool does not know `options.dept`. Did you mean options.depth?",
        id="member unknown",
    ),
    pytest.param(
        {"either": 3},
        "x.tool: either wants one of the forms that its schema has and got the number 3.",
        id="no form",
    ),
    pytest.param({"line": 3}, "x.tool does not know `line`. Did you mean lines?", id="unknown, near"),
    pytest.param(
        {"zzz": 3},
        "x.tool does not know `zzz`. It knows path, lines, mode, size, version, name, tags, options, either.",
        id="unknown",
    ),
    pytest.param(
        {"a\x1b[31m": 3},
        "x.tool does not know `a\\u001b[31m`. It knows path, lines, mode, size, version, name, tags, options,"
        " either.",
        id="unknown, with a control character",
    ),
]


@pytest.mark.parametrize(("arguments", "message"), MISTAKES)
def test_what_is_wrong_is_told_on_a_line(arguments: dict[str, object], message: str) -> None:
    form = ArgumentsForm("x.tool", SCHEMA)
    given = arguments if not arguments or "path" in arguments else {"path": "a", **arguments}

    with pytest.raises(Refusal) as caught:
        form.bind(given)

    assert (caught.value.code, caught.value.message) == ("invalid-argument", message)


def test_what_fits_is_handed_on_as_it_is() -> None:
    arguments = {"path": "ä", "lines": 500, "size": None, "options": {"depth": 10**30}, "tags": []}

    assert ArgumentsForm("x.tool", SCHEMA).bind(arguments) == arguments


OTHERS = [
    pytest.param({"type": "object"}, False, id="nothing is said"),
    pytest.param({"type": "object", "properties": {}}, False, id="no properties"),
    pytest.param({"additionalProperties": False}, False, id="written false"),
    pytest.param({"additionalProperties": True}, True, id="written true"),
    pytest.param({"additionalProperties": {}}, True, id="a schema"),
    pytest.param({"patternProperties": {"^o": True}}, True, id="by pattern"),
    pytest.param({"anyOf": [{"required": ["other"]}, {"required": ["a"]}]}, True, id="forms"),
]


@pytest.mark.parametrize(("schema", "are_taken"), OTHERS)
def test_whether_other_arguments_are_taken(schema: Mapping[str, Any], are_taken: bool) -> None:
    form = ArgumentsForm("x.tool", schema)

    if are_taken:
        assert form.bind({"other": 1}) == {"other": 1}
    else:
        with pytest.raises(Refusal, match=r"^x\.tool does not know `other`\. It takes no argument\.$"):
            form.bind({"other": 1})


NOT_CARRIED = [
    pytest.param(
        {"a": {"b": ["\ud800"]}},
        "x.tool: a.b[0] holds a lone surrogate, which is half a character; take it out.",
        id="half a character",
    ),
    pytest.param(
        {"a": {"\ud800": 1}},
        "x.tool: the name a.\\ud800 holds a lone surrogate, which is half a character; take it out.",
        id="half a character in a name",
    ),
]


@pytest.mark.parametrize(("arguments", "message"), NOT_CARRIED)
def test_what_no_message_carries_is_refused(arguments: dict[str, object], message: str) -> None:
    with pytest.raises(Refusal) as caught:
        ArgumentsForm("x.tool", {"additionalProperties": True}).bind(arguments)

    assert (caught.value.code, caught.value.message) == ("invalid-argument", message)


def test_deep_arguments_are_refused() -> None:
    deep: object = 1
    for _ in range(5000):
        deep = [deep]

    with pytest.raises(Refusal, match=r"^x\.tool takes arguments that are nested 100 deep at most\.$"):
        ArgumentsForm("x.tool", {"additionalProperties": True}).bind({"a": deep})


def test_a_schema_without_end_refuses_every_call() -> None:
    with pytest.raises(
        Refusal, match=r"^x\.tool cannot be checked: its schema has no end \(RecursionError\)\.$"
    ):
        ArgumentsForm("x.tool", {"$ref": "#"}).bind({})


@pytest.mark.slow
def test_a_schema_that_takes_too_long_refuses_the_call() -> None:
    steps = {f"l{n}": {"anyOf": [{"$ref": f"#/$defs/l{n + 1}"}] * 2} for n in range(40)}
    schema = {"$ref": "#/$defs/l0", "$defs": {**steps, "l40": {"required": ["a"]}}}

    with pytest.raises(Refusal) as caught:
        ArgumentsForm("x.tool", schema).bind({})

    told = "x.tool cannot be checked: with its schema that takes too long."
    assert (caught.value.code, caught.value.message) == ("limit-exceeded", told)
