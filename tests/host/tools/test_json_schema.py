"""Types of JSON Schema, construct by construct, and the schemas of which none can be made."""

import pytest

from host.tools.json_schema import MAX_TYPES_CHARS, type_of_arguments, type_of_value
from host.tools.schema_document import MAX_DEPTH, MAX_PARTS, CannotBeTyped
from runtime_js import Compiler
from tests.host.tools.given import Json, namespace_of, told

TREE = {"type": "object", "properties": {"kids": {"type": "array", "items": {"$ref": "#"}}}}

VALUES = [
    pytest.param({}, "unknown", id="nothing said"),
    pytest.param(True, "unknown", id="everything"),
    pytest.param(False, "never", id="nothing"),
    pytest.param({"type": "string"}, "string", id="a string"),
    pytest.param({"type": "integer"}, "number", id="a whole number"),
    pytest.param({"type": "integer", "format": "int64"}, "number | bigint", id="64 bits"),
    pytest.param({"type": "integer", "maximum": 2**53}, "number | bigint", id="a bound beyond 2^53 - 1"),
    pytest.param({"type": "integer", "maximum": 2**53 - 1}, "number", id="a bound at 2^53 - 1"),
    pytest.param({"type": ["string", "null"]}, "string | null", id="several kinds"),
    pytest.param({"type": "string", "nullable": True}, "string | null", id="nullable"),
    pytest.param({"type": "any"}, "unknown", id="a kind that there is not"),
    pytest.param({"enum": ["a", 1, None, True, 1.5]}, '"a" | 1 | null | true | 1.5', id="listed"),
    pytest.param({"type": "string", "enum": ["a", None]}, '"a"', id="listed, of a kind"),
    pytest.param({"type": "string", "enum": ["a", None], "nullable": True}, '"a" | null', id="or null"),
    pytest.param({"enum": []}, "never", id="none listed"),
    pytest.param({"const": 'a"\\\n\u2028*/'}, '"a\\"\\\\\\n\\u2028*/"', id="a constant with signs"),
    pytest.param({"const": {"a": [1]}}, "{ a: [1] }", id="an object as a constant"),
    pytest.param({"const": 2**60}, "1152921504606846976n", id="a large constant"),
    pytest.param({"type": "array"}, "unknown[]", id="an array"),
    pytest.param({"items": {"type": ["string", "null"]}}, "(string | null)[]", id="of several kinds"),
    pytest.param({"items": False}, "[]", id="an empty array"),
    pytest.param(
        {"prefixItems": [{"type": "string"}, {"type": "null"}]}, "[string?, null?, ...unknown[]]", id="open"
    ),
    pytest.param(
        {"prefixItems": [{"type": "string"}, {"type": "null"}], "minItems": 2, "maxItems": 2},
        "[string, null]",
        id="a tuple",
    ),
    pytest.param(
        {"prefixItems": [{"type": "string"}], "minItems": 1, "items": {"type": ["null", "number"]}},
        "[string, ...(number | null)[]]",
        id="a tuple with a rest",
    ),
    pytest.param({"prefixItems": [{"type": "string"}, True], "maxItems": 1}, "[string?]", id="cut short"),
    pytest.param({"items": [{"type": "string"}], "additionalItems": False}, "[string?]", id="draft 7"),
    pytest.param({"prefixItems": [], "items": {"type": "null"}}, "null[]", id="a tuple of nothing"),
    pytest.param({"anyOf": [{"type": "string"}, {"type": "null"}]}, "string | null", id="any of"),
    pytest.param({"oneOf": [{"const": "a"}, {"const": "a"}]}, '"a"', id="one of, alike"),
    pytest.param({"anyOf": [{"type": "string"}, {}]}, "unknown", id="any of, one of them anything"),
    pytest.param({"type": "string", "anyOf": [{"type": "null"}, {"minLength": 1}]}, "string", id="narrowed"),
    pytest.param({"not": {"type": "string"}}, "unknown", id="not"),
    pytest.param({"type": "string", "if": {"const": "a"}, "then": False}, "string", id="if"),
    pytest.param({"$ref": "https://example.com/a.json"}, "unknown", id="another document"),
    pytest.param({"type": "string", "$ref": "a.json#/$defs/B"}, "string", id="another document, of a kind"),
    pytest.param(
        {"type": "array", "items": "string", "enum": 5, "required": True}, "unknown[]", id="nonsense"
    ),
]


@pytest.mark.parametrize(("schema", "expected"), VALUES)
def test_a_short_type_stands_where_it_is_named(schema: Json, expected: str) -> None:
    found = type_of_value(schema, name="Value", taken=())

    assert (found.text, found.declarations) == (expected, ())


OBJECTS = [
    pytest.param({"a": True}, {}, "{ a?: unknown }", id="optional"),
    pytest.param({"a": True}, {"required": ["a", "b"]}, "{ a: unknown; b: unknown }", id="required"),
    pytest.param({"b-c": {"type": "null"}}, {}, '{ "b-c"?: null }', id="no identifier"),
    pytest.param({"a": {"readOnly": True}}, {}, "{ readonly a?: unknown }", id="read-only"),
    pytest.param({"toString": {"type": "null"}}, {}, "{ toString?: unknown }", id="what all objects have"),
    pytest.param(
        {"toString": {"type": "null"}},
        {"required": ["toString"]},
        "{ toString: null }",
        id="the same, required",
    ),
    pytest.param({}, {}, "{ [key: string]: unknown }", id="no properties"),
    pytest.param({}, {"additionalProperties": False}, "{ [key: string]: never }", id="closed and empty"),
    pytest.param({}, {"additionalProperties": {"type": "null"}}, "{ [key: string]: null }", id="a map"),
    pytest.param({"a": True}, {"additionalProperties": False}, "{ a?: unknown }", id="closed"),
    pytest.param(
        {"a": {"type": "string"}},
        {"additionalProperties": True, "required": ["a"]},
        "{ a: string; [key: string]: unknown }",
        id="open",
    ),
    pytest.param(
        {"a": {"type": "string"}},
        {"additionalProperties": {"type": "number"}},
        "{ a?: string; [key: string]: number | string | undefined }",
        id="others of a type",
    ),
    pytest.param(
        {"a": {"type": "string"}},
        {"additionalProperties": {"type": "number"}, "required": ["a", "b"]},
        "{ a: string; b: number; [key: string]: number | string }",
        id="one of the others required",
    ),
    pytest.param(
        {}, {"patternProperties": {"^x": {"type": "null"}}}, "{ [key: string]: unknown }", id="patterns, open"
    ),
    pytest.param(
        {},
        {"patternProperties": {"^x": {"type": "null"}}, "additionalProperties": False},
        "{ [key: string]: null }",
        id="patterns, closed",
    ),
    pytest.param(
        {},
        {"propertyNames": {"enum": ["a", "b"]}, "additionalProperties": {"type": "null"}},
        "{ a?: null; b?: null }",
        id="names listed",
    ),
    pytest.param(
        {"a": True},
        {"anyOf": [{"required": ["a"]}, {"required": ["b"]}]},
        "{ a?: unknown } & ({ a: unknown } | { b: unknown })",
        id="one or the other",
    ),
    pytest.param(
        {},
        {"allOf": [{"properties": {"a": {"type": "null"}}}, {"properties": {"b": {"type": "null"}}}]},
        "{ a?: null } & { b?: null }",
        id="all of",
    ),
    pytest.param(
        {}, {"type": ["object", "null"], "$ref": "#/$defs/Name"}, "(object | null) & ValueName", id="filtered"
    ),
]


@pytest.mark.parametrize(("properties", "more", "expected"), OBJECTS)
def test_an_object_has_what_its_schema_lists(properties: Json, more: Json, expected: str) -> None:
    listed = {"properties": properties} if properties else {}
    schema = {"type": "object", **listed, "$defs": {"Name": {"type": ["object", "string", "null"]}}, **more}

    found = type_of_value(schema, name="Value", taken=())

    declared = found.declarations[0] if found.text == "Value" else f"type Value = {found.text};"
    assert declared == f"type Value = {expected};"


def test_comments_say_what_no_type_can() -> None:
    schema = {
        "type": "object",
        "description": "What */ is given.",
        "properties": {
            "path": {
                "type": "string",
                "description": "Where.\n  Second line.",
                "default": ".",
                "format": "path",
            },
            "depth": {"anyOf": [{"type": "integer", "minimum": 1}, {"type": "null"}], "default": None},
            "names": {"type": "array", "items": {"type": "string", "description": "A name."}, "maxItems": 3},
            "mode": {"oneOf": [{"const": "r", "description": "Reads."}, {"const": "w", "title": "Writes."}]},
            "old": {"type": "boolean", "deprecated": True, "default": False, "examples": [True]},
            "long": {"description": "x" * 3_000},
        },
        "required": ["path"],
    }

    found = type_of_arguments(schema, name="DoArgs", taken=())

    assert found.declarations == (
        f"""\
/** What *\\/ is given. */
type DoArgs = {{
  /**
   * Where.
   *   Second line.
   * Format: path. Default: ".".
   */
  path: string;
  /** Minimum: 1. */
  depth?: number | null;
  /**
   * Each: A name.
   * Most items: 3.
   */
  names?: string[];
  /**
   * - `"r"`: Reads.
   * - `"w"`: Writes.
   */
  mode?: "r" | "w";
  /** Deprecated. Default: false. For example: true. */
  old?: boolean;
  /** {"x" * 2_000}… (1,000 more characters) */
  long?: unknown;
}};""",
    )


REFERENCES = [
    pytest.param(
        {"$ref": "#/$defs/Node", "$defs": {"Node": {"properties": {"next": {"$ref": "#/$defs/Node"}}}}},
        ["type Value = { next?: Value };"],
        id="the top is a definition",
    ),
    pytest.param(TREE, ["type Value = { kids?: Value[] };"], id="the top itself"),
    pytest.param(
        {
            "properties": {"a": {"$ref": "#/definitions/Array"}, "b": {"$ref": "#/$defs/Array"}},
            "definitions": {"Array": {"type": "string"}},
            "$defs": {"Array": {"items": {"$ref": "#/$defs/Array"}}},
        },
        [
            "type Value = { a?: ValueArray; b?: ValueArray2 };",
            "type ValueArray = string;",
            "type ValueArray2 = ValueArray2[];",
        ],
        id="two of one name",
    ),
    pytest.param(
        {"properties": {"a": {"$ref": "#/$defs/x~1y~0z%25%C3%A4"}}, "$defs": {"x/y~z%ä": {"type": "null"}}},
        ["type Value = { a?: ValueXYZÄ };", "type ValueXYZÄ = null;"],
        id="escapes",
    ),
    pytest.param(
        {"properties": {"a": {"type": "null"}, "b": {"$ref": "#/properties/a"}}},
        ["type Value = { a?: null; b?: ValueA };", "type ValueA = null;"],
        id="a property",
    ),
    pytest.param(
        {"properties": {"a": {"$ref": "#leaf"}}, "$defs": {"Leaf": {"$anchor": "leaf", "type": "null"}}},
        ["type Value = { a?: ValueLeaf };", "type ValueLeaf = null;"],
        id="an anchor",
    ),
    pytest.param(
        {
            "$id": "https://x.org/s",
            "properties": {"a": {"$ref": "https://x.org/s#/$defs/B"}},
            "$defs": {"B": True},
        },
        ["type Value = { a?: ValueB };", "type ValueB = unknown;"],
        id="the document by its address",
    ),
    pytest.param(
        {"type": ["object", "null"], "properties": {"next": {"$ref": "#"}}},
        ["type Value = { next?: Value } | null;"],
        id="the top, of several kinds",
    ),
]


@pytest.mark.parametrize(("schema", "expected"), REFERENCES)
def test_what_is_referred_to_has_a_name(compiler: Compiler, schema: Json, expected: list[str]) -> None:
    assert list(type_of_value(schema, name="Value", taken=()).declarations) == expected
    assert told(compiler, "export {};", namespace_of(schema)) == ""


def test_names_of_types_are_not_taken_twice() -> None:
    schema = {"properties": {"a": {"$ref": "#/$defs/Node"}}, "$defs": {"Node": {"type": "null"}}}

    found = type_of_arguments(schema, name="DoArgs", taken={"DoArgsNode", "DoArgsNode2"})

    assert found.declarations == ("type DoArgs = { a?: DoArgsNode3 };", "type DoArgsNode3 = null;")
    assert found.names == {"DoArgs", "DoArgsNode3"}


def test_a_recursive_top_that_may_be_null_is_an_object_as_arguments() -> None:
    schema = {"type": ["object", "null"], "properties": {"next": {"$ref": "#"}}}

    assert type_of_arguments(schema, name="DoArgs", taken=()).declarations == (
        "type DoArgs = { next?: DoArgsRoot };",
        "type DoArgsRoot = { next?: DoArgsRoot } | null;",
    )


ARGUMENTS = [
    pytest.param({"type": "object"}, "", False, id="an object"),
    pytest.param({"type": "object", "properties": {}}, "", False, id="no properties"),
    pytest.param({"type": "object", "additionalProperties": False}, "", False, id="closed"),
    pytest.param({}, "", False, id="nothing said"),
    pytest.param({"type": "object", "additionalProperties": True}, "DoArgs", True, id="any properties"),
    pytest.param({"properties": {"a": True}}, "DoArgs", True, id="optional ones"),
    pytest.param({"properties": {"a": True}, "required": ["a"]}, "DoArgs", False, id="required ones"),
    pytest.param({"allOf": [{"required": ["a"]}]}, "DoArgs", False, id="required in a part"),
    pytest.param(
        {"anyOf": [{"required": ["a"]}, {"type": "object"}]}, "DoArgs", True, id="required in one case"
    ),
    pytest.param({"anyOf": [{"required": ["a"]}, {"required": ["b"]}]}, "DoArgs", False, id="in every case"),
    pytest.param(
        {"$ref": "#/$defs/A", "$defs": {"A": {"required": ["a"]}}}, "DoArgs", False, id="required elsewhere"
    ),
]


@pytest.mark.parametrize(("schema", "name", "is_optional"), ARGUMENTS)
def test_arguments_may_be_left_out_where_none_is_needed(schema: Json, name: str, is_optional: bool) -> None:
    found = type_of_arguments(schema, name="DoArgs", taken=())

    assert (found.text, found.is_optional) == (name, is_optional)


def deep(levels: int) -> Json:
    schema: Json = {"type": "null"}
    for _ in range(levels):
        schema = {"items": schema}
    return schema


LOOP = "has references that lead to one another and to nothing else"
UNTYPED = [
    pytest.param({"$ref": "#"}, LOOP, id="itself"),
    pytest.param(
        {"items": {"$ref": "#/$defs/A"}, "$defs": {"A": {"anyOf": [{"$ref": "#/$defs/A"}]}}},
        LOOP,
        id="a loop",
    ),
    pytest.param(
        {
            "properties": {"a": {"$ref": "#/$defs/A"}},
            "$defs": {"A": {"allOf": [{"$ref": "#/$defs/B"}]}, "B": {"$ref": "#/$defs/A"}},
        },
        LOOP,
        id="a loop of two",
    ),
    pytest.param({"$ref": "#/$defs/A"}, "refers to #/$defs/A, which it does not have", id="nowhere"),
    pytest.param({"$ref": "#a"}, "refers to #a, which it does not have", id="no anchor"),
    pytest.param(deep(MAX_DEPTH), f"is nested more than {MAX_DEPTH} levels deep", id="too deep"),
    pytest.param({"enum": list(range(MAX_PARTS))}, "has more than 20,000 parts", id="too large"),
    pytest.param(
        {"enum": ["x" * 100] + [str(n) * 20 for n in range(1_000)] + ["y" * MAX_TYPES_CHARS]},
        "needs types of more than 65,536 characters",
        id="too long",
    ),
]


@pytest.mark.parametrize(("schema", "reason"), UNTYPED)
def test_what_cannot_be_typed_says_why(schema: Json, reason: str) -> None:
    with pytest.raises(CannotBeTyped) as caught:
        type_of_value(schema, name="Value", taken=())

    assert str(caught.value) == reason


@pytest.mark.parametrize("schema", [{"type": "array"}, {"enum": ["a"]}, False, {"anyOf": [{"type": "null"}]}])
def test_arguments_are_an_object(schema: Json) -> None:
    with pytest.raises(CannotBeTyped) as caught:
        type_of_arguments(schema, name="DoArgs", taken=())

    assert str(caught.value) == "is not for an object"


def test_a_schema_as_deep_as_may_be_compiles(compiler: Compiler) -> None:
    assert told(compiler, "export {};", namespace_of(deep(MAX_DEPTH - 2))) == ""


def test_an_intersection_of_large_unions_does_not_keep_the_checker(compiler: Compiler) -> None:
    cases = [{"anyOf": [{"required": [f"{side}{n}"]} for n in range(60)]} for side in "abcd"]
    schema = {"type": "object", "allOf": cases}

    assert told(compiler, "export {};", namespace_of(schema)) == ""
