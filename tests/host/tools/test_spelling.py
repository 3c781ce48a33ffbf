"""Names and values in TypeScript."""

import pytest

from host.tools.spelling import camel_case, is_identifier, literal, member_name, type_name

NAMES = [
    ("get-user", "getUser"),
    ("get_user", "getUser"),
    ("getUser", "getUser"),
    ("Get User", "getUser"),
    ("GetUser", "getUser"),
    ("GET_USER", "getUser"),
    ("list.items", "listItems"),
    ("fs/read", "fsRead"),
    ("URL", "url"),
    ("HTTPGet", "httpGet"),
    ("getURL", "getURL"),
    ("get-URL", "getURL"),
    ("x", "x"),
    ("X", "x"),
    ("2fa", "_2fa"),
    ("2", "_2"),
    ("list_2_items", "list2Items"),
    ("_private", "_private"),
    ("__proto__", "__proto"),
    ("delete_", "delete"),
    ("$get", "$get"),
    ("Übung machen", "übungMachen"),
    ("größe", "größe"),
    ("u\u0308ben", "üben"),
    ("搜索", "搜索"),
    ("a\u200db", "aB"),
    ("\u0301a", "_\u0301a"),
    ("ßa ßa", "ßaSSa"),
    ("", ""),
    ("--", ""),
    ("💥", ""),
    ("a💥b", "aB"),
]


@pytest.mark.parametrize(("name", "expected"), NAMES)
def test_identifiers_are_in_camel_case(name: str, expected: str) -> None:
    made = camel_case(name)

    assert made == expected
    assert made == "" or is_identifier(made)


TYPE_NAMES = [
    ("get_user", "GetUser"),
    ("Foo[Bar]", "FooBar"),
    ("my.pkg.Node", "MyPkgNode"),
    ("1", "1"),
    ("", ""),
    ("NODE", "Node"),
]


@pytest.mark.parametrize(("name", "expected"), TYPE_NAMES)
def test_names_of_types_have_capitals(name: str, expected: str) -> None:
    assert type_name(name) == expected


# Characters that newer versions of Unicode have brought, which an older compiler does not know as letters.
@pytest.mark.parametrize("name", ["", "1a", "a b", "a-b", "a\u2028", "\ua7cb", "\U00010d4a"])
def test_what_is_no_identifier(name: str) -> None:
    assert not is_identifier(name)


MEMBERS = [
    ("a", "a"),
    ("class", "class"),
    ("$a_1", "$a_1"),
    ("1", '"1"'),
    ("", '""'),
    ("a-b", '"a-b"'),
    ("ä", '"ä"'),
    ('"\\', '"\\"\\\\"'),
    ("[Symbol.iterator]", '"[Symbol.iterator]"'),
    ("a\n\u2028\u202e\x7f\ud800", '"a\\n\\u2028\\u202e\\u007f\\ud800"'),
]


@pytest.mark.parametrize(("name", "expected"), MEMBERS)
def test_members_are_quoted_where_they_are_no_identifiers(name: str, expected: str) -> None:
    assert member_name(name) == expected


LITERALS = [
    (None, "null"),
    (True, "true"),
    (False, "false"),
    (-5, "-5"),
    (2**53 - 1, "9007199254740991"),
    (2**53, "9007199254740992n"),
    (-(2**64), "-18446744073709551616n"),
    pytest.param(10**5000, "bigint", id="thousands of digits"),
    (1.0, "1"),
    (-0.0, "0"),
    (0.5, "0.5"),
    (1e300, "1e+300"),
    (float("nan"), "number"),
    (float("inf"), "number"),
    ('it\'s "so"\n', '"it\'s \\"so\\"\\n"'),
    ([1, "a", []], '[1, "a", []]'),
    ({"a": {"b-c": None}}, '{ a: { "b-c": null } }'),
    ({}, "{ [key: string]: never }"),
    (object(), "unknown"),
]


@pytest.mark.parametrize(("value", "expected"), LITERALS)
def test_a_value_as_a_type(value: object, expected: str) -> None:
    assert literal(value) == expected
