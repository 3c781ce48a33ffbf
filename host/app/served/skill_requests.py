"""What the tools of a skillbook take, as JSON Schema, and arguments held against that."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from host.core.text import join_words, quoted

Schema = Mapping[str, Any]

MAX_PROMPT_CHARS: Final = 100_000
MAX_SAMPLES: Final = 25
_MAX_NAME_CHARS: Final = 200


class UnfitRequest(ValueError):
    """Arguments that a tool does not take; the message is for whoever has sent them."""


def _text(what: str, *, most: int = MAX_PROMPT_CHARS, least: int = 1) -> Schema:
    return {"type": "string", "minLength": least, "maxLength": most, "description": what}


def _count(what: str, most: int, default: int) -> Schema:
    return {"type": "integer", "minimum": 1, "maximum": most, "default": default, "description": what}


def _object(properties: Mapping[str, Schema], *required: str) -> Schema:
    return {
        "type": "object",
        "properties": dict(properties),
        "required": list(required),
        "additionalProperties": False,
    }


_SESSION: Final = _text(
    "By which calls belong together: feedback is about what was given to its session.", most=_MAX_NAME_CHARS
)
_QUESTION: Final = _text("What is to be done or answered.")
_CONTEXT: Final[Schema] = {
    **_text("What belongs to it. Skills are found by the question alone.", least=0),
    "default": "",
}
_TRUTH: Final = _text("The right answer.")
_PATH: Final = _text("A file in the folder that whoever runs the server has named.", most=1_000)
_IGNORED: Final = {"type": "object", "description": "Taken, and not used: no model answers here."}
_SAMPLE: Final = _object(
    {"question": _QUESTION, "context": _CONTEXT, "ground_truth": _TRUTH, "metadata": _IGNORED}, "question"
)

REQUESTS: Final[Mapping[str, Schema]] = {
    "ace.ask": _object(
        {
            "session_id": _SESSION,
            "question": _QUESTION,
            "context": _CONTEXT,
            "session_config": _IGNORED,
            "metadata": _IGNORED,
        },
        "session_id",
        "question",
    ),
    "ace.learn.sample": _object(
        {
            "session_id": _SESSION,
            "samples": {"type": "array", "items": _SAMPLE, "minItems": 1, "maxItems": MAX_SAMPLES},
            "epochs": _count("Taken, and not used: no model learns here.", 20, 1),
            "session_config": _IGNORED,
        },
        "session_id",
        "samples",
    ),
    "ace.learn.feedback": _object(
        {
            "session_id": _SESSION,
            "question": _QUESTION,
            "answer": _text("What was answered, or done."),
            "feedback": _text("How that was."),
            "context": _CONTEXT,
            "ground_truth": _TRUTH,
            "session_config": _IGNORED,
        },
        "session_id",
        "question",
        "answer",
        "feedback",
    ),
    "ace.skillbook.get": _object(
        {
            "session_id": _SESSION,
            "limit": _count("The most skills that are listed.", 200, 20),
            "include_invalid": {
                "type": "boolean",
                "default": False,
                "description": "With skills that were removed or merged.",
            },
        },
        "session_id",
    ),
    "ace.skillbook.save": _object({"session_id": _SESSION, "path": _PATH}, "session_id", "path"),
    "ace.skillbook.load": _object({"session_id": _SESSION, "path": _PATH}, "session_id", "path"),
}


def checked(tool: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments, with what is not said as its default, `None` where there is none. `null` says nothing.

    Raises `UnfitRequest`.
    """
    return _checked_object(arguments, REQUESTS[tool], "")


def _checked_object(value: Mapping[str, Any], schema: Schema, place: str) -> dict[str, Any]:
    properties: Mapping[str, Schema] = schema["properties"]
    unknown = [f"{place}{name}" for name in value if name not in properties]
    if unknown:
        there = join_words(f"{place}{name}" for name in properties)
        raise UnfitRequest(f"{join_words(map(quoted, unknown))} is not known; there are {there}")
    missing = [f"{place}{name}" for name in schema["required"] if value.get(name) is None]
    if missing:
        raise UnfitRequest(f"{join_words(missing)} is missing")
    return {
        name: each.get("default")
        if value.get(name) is None
        else _checked(value[name], each, f"{place}{name}")
        for name, each in properties.items()
    }


def _checked(value: object, schema: Schema, place: str) -> Any:  # noqa: ANN401  (JSON)
    match schema["type"]:
        case "string" if isinstance(value, str):
            fits = schema["minLength"] <= len(value) <= schema["maxLength"] and (
                not schema["minLength"] or bool(value.strip())
            )
            wanted = f"a text of {schema['minLength']:,} to {schema['maxLength']:,} characters"
        case "integer" if isinstance(value, int) and not isinstance(value, bool):
            fits = schema["minimum"] <= value <= schema["maximum"]
            wanted = f"a whole number from {schema['minimum']} to {schema['maximum']}"
        case "boolean" if isinstance(value, bool):
            return value
        case "object" if isinstance(value, Mapping):
            return _checked_object(value, schema, f"{place}.") if "properties" in schema else value
        case "array" if isinstance(value, list):
            fits = schema["minItems"] <= len(value) <= schema["maxItems"]
            wanted = f"a list of {schema['minItems']} to {schema['maxItems']}"
            value = list(_items(value, schema["items"], place)) if fits else value
        case kind:
            fits, wanted = False, _KINDS[kind]
    if not fits:
        raise UnfitRequest(f"{place} is not {wanted}")
    return value


def _items(values: list[Any], schema: Schema, place: str) -> Iterator[Any]:
    for number, each in enumerate(values):
        yield _checked(each, schema, f"{place}[{number}]")


_KINDS: Final = {
    "string": "a text",
    "integer": "a whole number",
    "boolean": "true or false",
    "object": "an object",
    "array": "a list",
}
