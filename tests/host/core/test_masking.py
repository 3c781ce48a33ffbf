"""Values of secrets leave as their names, whatever surrounds them."""

import json
import time
from collections.abc import Callable
from functools import partial

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from host.core.masking import Masker
from host.core.remnants import MIN_END_CHARS, MIN_PIECE_CHARS
from tests.helpers.steps import steps

MASKED = [
    pytest.param({}, "nothing to mask", "nothing to mask", id="no secrets"),
    pytest.param({"A": ""}, "nothing to mask", "nothing to mask", id="a blank value is no secret"),
    pytest.param({"A": "hunter22"}, "hunter22, hunter22!", "[masked:A], [masked:A]!", id="every place"),
    pytest.param({"A": "hunter22\n"}, "x hunter22", "x [masked:A]", id="white space around a value"),
    pytest.param(
        {"A": 'a"b\\c\né'},
        'a"b\\c\né, {"x":"a\\"b\\\\c\\né"}, {"x":"a\\"b\\\\c\\n\\u00e9"}',
        '[masked:A], {"x":"[masked:A]"}, {"x":"[masked:A]"}',
        id="inside a JSON string",
    ),
    pytest.param(
        {"A": 'a"b\\c\né'},
        json.dumps({"program": 'f("a\\"b\\\\c\\né", "a\\"b\\\\c\\n\\u00e9")'}),
        '{"program": "f(\\"[masked:A]\\", \\"[masked:A]\\")"}',
        id="inside a string of a program that is a JSON string",
    ),
    pytest.param({"A": "hunter22", "B": "hunter22"}, "hunter22", "[masked:A]", id="one value, two names"),
    pytest.param(
        {"OUTER": "prefix-hunter22-suffix", "INNER": "hunter22"},
        "prefix-hunter22-suffix and hunter22",
        "[masked:OUTER] and [masked:INNER]",
        id="one secret inside another",
    ),
    pytest.param(
        {"FIRST": "abcdef", "SECOND": "defghijklm"},
        "<abcdefghijklm>",
        "<[masked:SECOND]>",
        id="overlapping: no tail stays",
    ),
    pytest.param(
        {"FIRST": "abcdef", "SECOND": "ghijkl"},
        "abcdefghijkl",
        "[masked:FIRST][masked:SECOND]",
        id="one after another",
    ),
    pytest.param({"A": "aaaaaa"}, "aaaaaaaaa", "[masked:A]", id="overlapping itself"),
    pytest.param(
        {"API_KEY": "API_KEY", "OTHER": "masked"},
        "API_KEY masked",
        "[masked:API_KEY] [masked:OTHER]",
        id="a value that occurs in a marker",
    ),
    pytest.param({"A": "a.c*e("}, "abcde( a.c*e(", "abcde( [masked:A]", id="a value is no pattern"),
    pytest.param({"A": "line1\nline2"}, "line1\nline2", "[masked:A]", id="several lines"),
    pytest.param(
        {"A": "-----BEGIN-----\nabcdefghijklmnop\n  qrstuvwxyz012345\nshort\n"},
        "1 abcdefghijklmnop\n2   qrstuvwxyz012345\n3 short",
        "1 [masked:A]\n2   [masked:A]\n3 short",
        id="long lines that came apart",
    ),
    pytest.param(
        {"A": "one \t two\nthree"}, "3 one two three", "3 [masked:A]", id="in an excerpt, on one line"
    ),
    pytest.param(
        {"A": "one\ttwo\nthree"},
        "`one\\u0009two\\u000athree`",
        "`[masked:A]`",
        id="in a quotation, on one line",
    ),
    pytest.param({"A": "one\n\n  two"}, "…  one t…", "…  [masked:A]…", id="cut off in an excerpt"),
    pytest.param({"A": "hunter22"}, "say hunt…, hunter2…", "say [masked:A]…, [masked:A]…", id="cut off"),
    pytest.param({"A": "hunter22"}, "…ter22 and …er22!", "…[masked:A] and …[masked:A]!", id="its end alone"),
    pytest.param(
        {"A": "hunter22"}, "hunter\n(9,000 more bytes)", "[masked:A]\n(9,000 more bytes)", id="bytes"
    ),
    pytest.param({"A": "correct horse"}, "3 | …rect hors…", "3 | …[masked:A]…", id="a piece of its middle"),
    pytest.param(
        {"A": "hunter22"}, "the hunt, …22, hun…", "the hunt, …22, hun…", id="no mark, or too little"
    ),
    pytest.param({"A": "hunter22"}, "hunters…", "hunters…", id="another word"),
    pytest.param(
        {"FIRST": "abcdef", "SECOND": "defghijklm"},
        "<abcdefghij…>",
        "<[masked:SECOND]…>",
        id="overlapping one that was cut off",
    ),
    pytest.param({"A": 'a"b\\c\nd'}, '{"x":"a\\"b\\\\c…', '{"x":"[masked:A]…', id="cut off in JSON"),
]


@pytest.mark.parametrize(("secrets", "text", "expected"), MASKED)
def test_secrets_are_masked(secrets: dict[str, str], text: str, expected: str) -> None:
    masker = Masker(secrets)

    assert masker.mask(text) == expected
    assert masker.mask(expected) == expected


def test_a_marker_of_an_unknown_name_is_text() -> None:
    assert Masker({"A": "masked"}).mask("[masked:B] [masked:A]") == "[[masked:A]:B] [masked:A]"


def test_a_masker_shows_no_secret() -> None:
    masker = Masker({"A": "hunter22"})

    assert repr(masker) == "Masker(1 secrets)"


@given(st.text("abcdef…", min_size=6, max_size=20), st.integers(0, 20), st.text("ab…", max_size=5))
def test_of_a_secret_that_is_cut_off_little_stays(secret: str, at: int, before: str) -> None:
    masked = Masker({"A": secret}).mask(f"{before}{secret[:at]}…").replace("[masked:A]", "\0")

    assert at < MIN_END_CHARS or secret[:at] not in masked


@given(st.text("abc", min_size=6, max_size=20), st.integers(0, 20), st.integers(0, 20))
def test_of_a_secret_in_an_excerpt_little_stays(secret: str, start: int, stop: int) -> None:
    piece = secret[start:stop]
    masked = Masker({"A": secret}).mask(f"…{piece}…")

    assert len(piece) < MIN_PIECE_CHARS or piece not in masked


def test_a_text_full_of_marks_costs_no_more_than_its_length() -> None:
    secrets = Masker({f"A{n}": "x" * 2_000 + str(n) for n in range(8)})
    texts = ["x…" * count for count in (1_000, 2_000)]
    few, many = (steps(partial(secrets.mask, text)) for text in texts)

    assert many < 3 * few


FEW = "abAK_:[]d…"  # of the letters that markers are made of, so that values and markers meet
SECRETS = st.dictionaries(
    st.sampled_from(["A", "B", "A_KEY", "ab"]), st.text(FEW, min_size=1, max_size=6), max_size=4
)
TEXTS = st.lists(st.sampled_from([*FEW, "[masked:A]", "[masked:A_KEY]", "masked"])).map("".join)


@given(SECRETS, TEXTS)
def test_masking_twice_changes_nothing(secrets: dict[str, str], text: str) -> None:
    masker = Masker(secrets)
    once = masker.mask(text)

    assert masker.mask(once) == once


@given(SECRETS, st.text("abdAK_"))
def test_no_secret_outlives_the_mask(secrets: dict[str, str], text: str) -> None:
    masked = Masker(secrets).mask(text)
    for name in secrets:
        masked = masked.replace(f"[masked:{name}]", "\0")

    assert [value for value in secrets.values() if value in masked] == []


KEY = "sk-abcdefghijklmnopqrstuv"
LINES = "MIIEvQIBADANBgkqhkiG9w0BAQ\nAASCBKcwggSjAgEAAoIBAQ"
PEM = f"-----BEGIN PRIVATE KEY-----\n{LINES}\n-----END PRIVATE KEY-----"
BOTH = [
    pytest.param(f"{KEY} hunter22", "[REDACTED] [masked:A]", id="one that is known and one that is not"),
    pytest.param(
        "password = 'hunter22'", "password = '[masked:A]'", id="the name stays where a rule would mask"
    ),
    pytest.param("PASSWORD=hunter22", "PASSWORD=[masked:A]", id="without quotes"),
    pytest.param("postgres://app:hunter22@db/x", "postgres://app:[masked:A]@db/x", id="in a URL"),
    pytest.param("Authorization: Bearer hunter22", "Authorization: Bearer [masked:A]", id="in a header"),
    pytest.param("password='hunter22 and more'", "password='[REDACTED]'", id="a part of what a rule masks"),
    pytest.param("say hunter\u200b22", "say [REDACTED]", id="split by what is not visible"),
    pytest.param("?q=hunter%3D22", "?q=[masked:B]", id="as a URL spells it"),
    pytest.param(PEM, "[REDACTED]", id="a key of several lines"),
    pytest.param(
        f"[masked:{KEY.replace('-', '_')}]", f"[masked:{KEY.replace('-', '_')}]", id="another marker"
    ),
    pytest.param(
        "[masked:ghp_8iS2G8NPRVdD53X83RZJzzzz]", "[masked:[REDACTED]]", id="a key as a marker's name"
    ),
]


@pytest.mark.parametrize(("text", "expected"), BOTH)
def test_what_is_known_by_its_name_keeps_it_and_what_is_not_is_scrubbed(text: str, expected: str) -> None:
    masker = Masker({"A": "hunter22", "B": "hunter=22"})

    assert masker.mask(text) == expected
    assert masker.mask(expected) == expected


def test_a_name_that_no_marker_can_hold_is_spelt_another_way() -> None:
    assert Masker({"A KEY[1]": "hunter22"}).mask("password='hunter22'") == "password='[masked:A_KEY_1_]'"


def test_a_text_without_secrets_is_the_same_object_also_when_it_comes_again() -> None:
    masker, text = Masker({}), "".join(["a note", " of today"])
    again = "".join(["a note", " of today"])

    assert masker.mask(text) is text
    assert masker.mask(again) is again


JSON_TEXTS = [
    pytest.param({"password": "hunter2"}, {"password": "[REDACTED]"}, id="a string"),
    pytest.param({"password": 12345678}, {"password": "[REDACTED]"}, id="a number"),
    pytest.param({"code": 73730001}, {"code": "[masked:PIN_TOKEN]"}, id="a number that is known"),
    pytest.param(
        {"password": 1234, "n": 5}, {"password": "[REDACTED]", "n": 5}, id="a number before another"
    ),
    pytest.param({"a": f"x\n{KEY}", "b": 1}, {"a": "x\n[REDACTED]", "b": 1}, id="a key behind an escape"),
    pytest.param({KEY: "é"}, {"[REDACTED]": "é"}, id="a name"),
    pytest.param([PEM, "a"], ["[REDACTED]", "a"], id="a key of several lines"),
    pytest.param(
        {"arguments": json.dumps({"token": "a1b2c3d4", "n": 1})},
        {"arguments": '{"token": "[REDACTED]", "n": 1}'},
        id="JSON in JSON",
    ),
    pytest.param({"password": "a\\"}, {"password": "[REDACTED]"}, id="a backslash at the end"),
    pytest.param('password = "hunter2"', 'password = "[REDACTED]"', id="a string alone"),
    pytest.param(
        {"note": "its password=", "next": "word"}, {"note": "its password=", "next": "word"}, id="none"
    ),
]


@pytest.mark.parametrize("indent", [None, 2])
@pytest.mark.parametrize(("value", "expected"), JSON_TEXTS)
def test_json_stays_json(value: object, expected: object, indent: int | None) -> None:
    masker = Masker({"PIN_TOKEN": "73730001"})
    masked = masker.mask(json.dumps(value, indent=indent))

    assert json.loads(masked) == expected
    assert masker.mask(masked) == masked


PIECES = (
    *("password", "token: ", "=", '"', "'", "\\", "\\n", "\n", "\\u00e9", " ", ",", ":", "{", "}", "[", "]"),
    *("hunter2", "A1b2C3d4", KEY, "1234", "73730001", "true", "…", "secret-value", "secr", "alue"),
    *("[REDACTED]", "[masked:A_TOKEN]", "[masked:B]", "[masked:ghp_8iS2G8NPRVdD53X83RZJzzzz]", "[masked:"),
    *(
        "-----BEGIN PRIVATE KEY-----",
        "-----END PRIVATE KEY-----",
        "QUJDREVGR0hJSktMTU5P",
        "\u200b",
        "é",
        "://a:",
    ),
    *("@b", "Bearer ", "Authorization: ", "Cookie: a=b1", "(9 more bytes)", "--api-key "),
)
MIXED = st.lists(st.sampled_from(PIECES), max_size=20).map("".join)
LEAVES = st.none() | st.booleans() | st.integers() | st.sampled_from([1234, 73730001, 1.5]) | MIXED
DOCUMENTS = st.recursive(
    LEAVES,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(MIXED, inner, max_size=4),
    max_leaves=12,
)
KNOWN = Masker({"A_TOKEN": "secret-value", "PIN_TOKEN": "73730001", "ODD_KEY": '", "a": "'})


@settings(max_examples=500)
@given(MIXED)
def test_masking_a_text_twice_changes_nothing(text: str) -> None:
    once = KNOWN.mask(text)

    assert KNOWN.mask(once) == once
    assert "secret-value" not in once


@settings(max_examples=500)
@given(DOCUMENTS, st.booleans(), st.sampled_from([None, 1]))
def test_masking_json_twice_changes_nothing_and_leaves_json(
    document: object, in_ascii: bool, indent: int | None
) -> None:
    once = KNOWN.mask(json.dumps([document], ensure_ascii=in_ascii, indent=indent))

    assert KNOWN.mask(once) == once
    assert isinstance(json.loads(once), list)


@settings(max_examples=300)
@given(DOCUMENTS)
def test_json_in_json_is_masked_as_well_and_stays_what_it_is(document: object) -> None:
    once = KNOWN.mask(json.dumps({"arguments": json.dumps([document])}))

    assert KNOWN.mask(once) == once
    assert isinstance(json.loads(once), dict)


@settings(max_examples=300)
@given(st.lists(MIXED, min_size=1, max_size=6))
def test_a_text_that_comes_again_is_masked_as_the_first_time(texts: list[str]) -> None:
    kept = [KNOWN.mask(text) for text in texts]

    assert kept == [
        Masker({"A_TOKEN": "secret-value", "PIN_TOKEN": "73730001", "ODD_KEY": '", "a": "'}).mask(t)
        for t in texts
    ]


HOSTILE = [
    pytest.param(lambda n: json.dumps({"a": "password='hunter2' \n" * n}), id="one string"),
    pytest.param(lambda n: json.dumps([{"password": 12345678}] * n), id="many values"),
    pytest.param(lambda n: json.dumps("\\" * 20 * n + KEY), id="backslashes"),
    pytest.param(lambda n: json.dumps([f"\n{KEY}\n"] * n), id="keys between escapes"),
    pytest.param(lambda n: json.dumps(["secret-value"] * n), id="a value that is known"),
    pytest.param(lambda n: "secret-val… " * n, id="cut values"),
]


@pytest.mark.slow
@pytest.mark.parametrize("made", HOSTILE)
def test_masking_takes_time_in_proportion(made: Callable[[int], str]) -> None:
    """Ten times as much may take some fifty times as long on a busy machine, not a hundred times."""
    took: list[float] = []
    for count in (2_000, 20_000):
        text = made(count)
        began = time.process_time()
        masked = Masker({"A_TOKEN": "secret-value"}).mask(text)
        took.append(time.process_time() - began)
        assert "hunter2" not in masked

    assert took[1] < 50 * max(took[0], 0.03)
