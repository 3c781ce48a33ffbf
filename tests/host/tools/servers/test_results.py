"""Results of servers, as values with attachments."""

import base64
from typing import Any

import pytest
from mcp_types import CallToolResult

from host.core.errors import Refusal
from host.tools.model import Attachment, ToolOutput
from host.tools.servers.results import ResultReader
from tests.helpers.mcp_servers.good import PICTURE

PNG = base64.b64encode(PICTURE).decode()


def result(*content: dict[str, Any], **more: object) -> CallToolResult:
    return CallToolResult.model_validate({"content": list(content), **more})


def text(value: str) -> dict[str, Any]:
    return {"type": "text", "text": value}


def image(data: str, media_type: str = "image/png") -> dict[str, Any]:
    return {"type": "image", "data": data, "mimeType": media_type}


def resource(uri: str, **contents: str) -> dict[str, Any]:
    return {"type": "resource", "resource": {"uri": uri, **contents}}


def encoded(data: bytes) -> str:
    return base64.b64encode(data).decode()


CONTENT = [
    pytest.param([], "", (), id="nothing"),
    pytest.param([text("a"), text("b\n")], "a\nb\n", (), id="texts"),
    pytest.param(
        [text("see"), image(PNG), image(PNG)],
        "see\n[picture: x.tool 1]\n[picture: x.tool 2]",
        (
            Attachment(label="x.tool 1", media_type="image/png", data=PICTURE),
            Attachment(label="x.tool 2", media_type="image/png", data=PICTURE),
        ),
        id="pictures",
    ),
    pytest.param(
        [image(PNG, "image/jpeg")],
        "[picture: x.tool 1]",
        (Attachment(label="x.tool 1", media_type="image/png", data=PICTURE),),
        id="a picture under another type",
    ),
    pytest.param(
        [image(encoded(b"<svg/>"), "image/svg+xml")],
        "[picture: image/svg+xml, 6 bytes, not shown]",
        (),
        id="a picture of another kind",
    ),
    pytest.param([image("no base64!")], "[picture: not shown, for its base64 is broken]", (), id="broken"),
    pytest.param(
        [{"type": "audio", "data": encoded(b"RIFF"), "mimeType": "audio/wav"}],
        "[sound: audio/wav, 4 bytes, not shown]",
        (),
        id="sound",
    ),
    pytest.param(
        [resource("notes://1", text="# One", mimeType="text/markdown"), resource("notes://2", text="two")],
        "[resource: x.tool notes://1]\n[resource: x.tool notes://2]",
        (
            Attachment(label="x.tool notes://1", media_type="text/markdown", text="# One"),
            Attachment(label="x.tool notes://2", media_type="text/plain", text="two"),
        ),
        id="resources of text",
    ),
    pytest.param(
        [resource("a.csv", blob=encoded(b"a,b\n"), mimeType="text/csv")],
        "[resource: x.tool a.csv]",
        (Attachment(label="x.tool a.csv", media_type="text/csv", text="a,b\n"),),
        id="a text as bytes",
    ),
    pytest.param(
        [resource("a.png", blob=PNG)],
        "[resource: x.tool a.png]",
        (Attachment(label="x.tool a.png", media_type="image/png", data=PICTURE),),
        id="a picture as a resource",
    ),
    pytest.param(
        [resource("a.zip", blob=encoded(b"PK\0\0"), mimeType="application/zip")],
        "[resource x.tool a.zip: application/zip, 4 bytes, not shown]",
        (),
        id="other bytes",
    ),
    pytest.param(
        [{"type": "resource_link", "uri": "file:///a", "name": "a", "size": 2048, "mimeType": "text/csv"}],
        "[link: x.tool file:///a]",
        (
            Attachment(
                label="x.tool file:///a", media_type="text/plain", text="a\nfile:///a\ntext/csv, 2 KiB"
            ),
        ),
        id="a link",
    ),
    pytest.param(
        [resource("a\x1b[1m", text="")],
        "[resource: x.tool a\\u001b[1m]",
        (Attachment(label="x.tool a\\u001b[1m", media_type="text/plain", text=""),),
        id="a label is a line",
    ),
]


@pytest.mark.parametrize(("content", "value", "attachments"), CONTENT)
def test_content_becomes_a_text_that_names_its_attachments(
    content: list[dict[str, Any]], value: str, attachments: tuple[Attachment, ...]
) -> None:
    output = ResultReader("x.tool", None).read(result(*content))

    assert output == ToolOutput(value=value, attachments=attachments)


def test_labels_of_pictures_are_never_used_again() -> None:
    reader = ResultReader("x.tool", None)

    labels = [reader.read(result(image(PNG))).attachments[0].label for _ in range(3)]

    assert labels == ["x.tool 1", "x.tool 2", "x.tool 3"]


def test_without_content_a_structured_value_is_given_as_its_text() -> None:
    output = ResultReader("x.tool", None).read(result(structuredContent={"ä": [1]}))

    assert output.value == '{"ä": [1]}'


RETURNS = {
    "type": "object",
    "properties": {"rows": {"type": "array", "items": {"type": "object", "required": ["id"]}}},
    "required": ["rows"],
}


def test_a_structured_value_is_given_as_it_is_with_the_attachments() -> None:
    value = {"rows": [{"id": 2**70}], "more": None}

    output = ResultReader("x.tool", RETURNS).read(result(text("{}"), image(PNG), structuredContent=value))

    assert output.value == value
    assert [attachment.label for attachment in output.attachments] == ["x.tool 1"]


BROKEN_PROMISES = [
    pytest.param(None, "x.tool gave no structured result, which its output schema promises.", id="nothing"),
    pytest.param({}, "x.tool gave a result without rows, which its output schema promises.", id="missing"),
    pytest.param(
        {"rows": [{"id": 1}, {}]},
        "x.tool gave a result without rows[1].id, which its output schema promises.",
        id="missing within",
    ),
    pytest.param(
        {"rows": 3},
        "x.tool gave a result that does not fit its output schema, which wants an array at rows and got"
        " the number 3.",
        id="another type",
    ),
    pytest.param(
        {"rows": [], "n": [float("inf")]},
        "x.tool gave a number that JSON does not have, at n[0].",
        id="infinity",
    ),
]


@pytest.mark.parametrize(("value", "message"), BROKEN_PROMISES)
def test_a_value_that_is_not_as_promised_is_refused(value: object, message: str) -> None:
    with pytest.raises(Refusal) as caught:
        ResultReader("x.tool", RETURNS).read(result(text("x"), structuredContent=value))

    assert (caught.value.code, caught.value.kind, caught.value.message) == (
        "io-error",
        "tool_result",
        message,
    )


FAILURES = [
    pytest.param([text("no such file\n"), text("x")], "no such file\n\nx", id="texts"),
    pytest.param([text("\x1b[31mred")], "\\u001b[31mred", id="control characters"),
    pytest.param([text("x" * 3000)], "x" * 2000 + "…", id="long"),
    pytest.param([], "x.tool failed and does not say why.", id="silent"),
]


@pytest.mark.parametrize(("content", "message"), FAILURES)
def test_what_a_failing_tool_says_is_the_refusal(content: list[dict[str, Any]], message: str) -> None:
    with pytest.raises(Refusal) as caught:
        ResultReader("x.tool", RETURNS).read(result(*content, isError=True))

    assert (caught.value.code, caught.value.kind, caught.value.message) == ("io-error", "tool", message)


def test_a_value_that_takes_too_long_to_check_is_refused() -> None:
    steps = {f"l{n}": {"anyOf": [{"$ref": f"#/$defs/l{n + 1}"}] * 2} for n in range(40)}
    schema = {"$ref": "#/$defs/l0", "$defs": {**steps, "l40": {"required": ["a"]}}}

    with pytest.raises(Refusal) as caught:
        ResultReader("x.tool", schema).read(result(structuredContent={"b": 1}))

    told = "x.tool gave a result that takes too long to check with its output schema."
    assert (caught.value.code, caught.value.message) == ("limit-exceeded", told)


def test_each_resource_of_a_result_has_a_label_of_its_own() -> None:
    long = f"file:///{'a' * 300}/"
    read = ResultReader("x.tool", None).read(
        result(*(resource(uri, text=uri) for uri in ("a", "a", f"{long}1", f"{long}2", "a (2)", "a")))
    )

    labels = [attached.label for attached in read.attachments]
    assert labels[:2] == ["x.tool a", "x.tool a (2)"]
    assert labels[4:] == ["x.tool a (2) (2)", "x.tool a (3)"]
    assert [label[:15] + label[-3:] for label in labels[2:4]] == ["x.tool file:///a/1", "x.tool file:///a/2"]
    assert str(read.value).split("\n") == [f"[resource: {label}]" for label in labels]
