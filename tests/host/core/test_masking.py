"""Values of secrets leave as their names, whatever surrounds them."""

import json
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from host.core.masking import Masker, secrets_from
from host.core.remnants import MIN_END_CHARS, MIN_PIECE_CHARS
from tests.helpers.steps import steps

NAMES = [
    ("OPENAI_API_KEY", True),
    ("OPENAI_APIKEY", True),
    ("KEY", True),
    ("ssh_key_path", True),
    ("GITHUB_TOKEN", True),
    ("NPM_AUTHTOKEN", True),
    ("GITHUB_PAT", True),
    ("AWS_SECRET_ACCESS_KEY", True),
    ("MY_SECRETS", True),
    ("PGPASSWORD", True),
    ("MYSQL_PWD", True),
    ("DB_PASSWD", True),
    ("SIGNING_PASSPHRASE", True),
    ("GOOGLE_CREDENTIALS", True),
    ("SENTRY_DSN", True),
    ("BASIC_AUTH", True),
    ("SESSION_COOKIE", True),
    ("PATH", False),
    ("PWD", False),
    ("OLDPWD", False),
    ("MONKEY", False),
    ("KEYBOARD_LAYOUT", False),
    ("TOKENIZERS_PARALLELISM", False),
    ("AUTHOR", False),
    ("HOME", False),
]


@pytest.mark.parametrize(("name", "is_secret"), NAMES)
def test_a_name_says_secret(name: str, is_secret: bool) -> None:
    found = secrets_from({name: "correct horse"})

    assert found == ({name: "correct horse"} if is_secret else {})


LENGTHS = [
    pytest.param("12345", False, id="short"),
    pytest.param("123456", True, id="long enough"),
    pytest.param("  12345\n", False, id="white space around it does not count"),
    pytest.param("      ", False, id="blank"),
]


@pytest.mark.parametrize(("value", "is_secret"), LENGTHS)
def test_a_short_value_is_too_common_to_mask(value: str, is_secret: bool) -> None:
    assert secrets_from({"A_TOKEN": value}) == ({"A_TOKEN": value} if is_secret else {})


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
    assert not masker.is_idle
    assert Masker({}).is_idle


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
