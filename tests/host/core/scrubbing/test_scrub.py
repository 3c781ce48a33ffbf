"""What holds for every text that is scrubbed, and how long it takes."""

import time
import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from host.core.scrubbing import PLACEHOLDER, Scrubbed, scrub, scrub_report

KEY = "sk-abcdefghijklmnopqrstuv"
PIECES = (
    *(
        "password",
        "token",
        "api_key",
        "secret",
        "db.",
        "the ",
        " is ",
        "=",
        ": ",
        " := ",
        '"',
        "'",
        "\\",
        "`",
        "\n",
    ),
    *(
        " ",
        ",",
        ";",
        "&",
        "(",
        ")",
        "[",
        "]",
        "{",
        "}",
        "<",
        ">",
        "|",
        "$",
        "--",
        "-",
        "_",
        ".",
        "@",
        "://",
        "/",
        "%",
    ),
    *(
        "hunter2",
        "A1b2C3d4",
        KEY,
        "AKIA0123456789ABCDEF",
        PLACEHOLDER,
        "[REDACTED",
        "Bearer ",
        "Authorization: ",
    ),
    *("Cookie: a=b1", "-----BEGIN PRIVATE KEY-----", "-----END PRIVATE KEY-----", "QUJDREVGR0hJSktMTU5P"),
    *(
        "\u200b",
        "\u0301",
        "é",
        "\uff53\uff4b-",
        "ﬁ",
        "\u1112\u1161\u11ab",
        "\ud800",
        "x",
        "7",
        "OTHER_API_KEY",
    ),
)
texts = st.lists(st.sampled_from(PIECES), max_size=24).map("".join)
literals = st.lists(st.text('abcRED[]é\u0301 \n"\\', min_size=1, max_size=6), max_size=4)


def test_the_worked_example() -> None:
    assert scrub("password = 'hunter2'") == "password = '[REDACTED]'"


@pytest.mark.parametrize("length", [22, 30, 200, 5000])
def test_the_placeholder_does_not_tell_the_length(length: int) -> None:
    assert scrub(f"a sk-{'a1' * length} b") == "a [REDACTED] b"
    assert scrub(f"password={'a1' * length} b") == "password=[REDACTED] b"


def test_the_report_has_rules_offsets_and_lines() -> None:
    text = (
        f"one\n{KEY}\npassword: 'a\u200bb1'\n-----BEGIN PRIVATE KEY-----\nQUJD\n-----END PRIVATE KEY-----\n"
    )

    assert scrub_report(text, ["one"]) == (
        Scrubbed(rule="literal", start=0, end=3, line=1, end_line=1),
        Scrubbed(rule="key:openai", start=4, end=29, line=2, end_line=2),
        Scrubbed(rule="named_value", start=41, end=45, line=3, end_line=3),
        Scrubbed(rule="private_key", start=47, end=105, line=4, end_line=6),
    )


def test_what_stood_masked_is_not_reported() -> None:
    assert scrub_report("password = '[REDACTED]', token [REDACTED]") == ()


@settings(max_examples=400)
@given(texts, literals)
def test_scrubbing_twice_changes_nothing(text: str, known: list[str]) -> None:
    once = scrub(text, known)

    assert scrub(once, known) == once


@settings(max_examples=400)
@given(texts)
def test_what_is_not_masked_stays_byte_for_byte(text: str) -> None:
    rest = text
    for found in reversed(scrub_report(text)):
        rest = rest[: found.start] + PLACEHOLDER + rest[found.end :]

    assert scrub(text) == rest


@given(st.text(st.characters(exclude_characters="=:@-")))
def test_a_text_without_marks_of_a_secret_is_unchanged(text: str) -> None:
    assert scrub(f"A note. {text.replace('$', '').replace('.', '').replace('_', '')}") == (
        f"A note. {text.replace('$', '').replace('.', '').replace('_', '')}"
    )


@settings(max_examples=400)
@given(texts, literals, st.data())
def test_literals_are_always_gone(text: str, known: list[str], data: st.DataObject) -> None:
    places = data.draw(st.lists(st.integers(0, len(text)), min_size=len(known), max_size=len(known)))
    for place, literal in zip(places, known, strict=True):
        text = text[:place] + literal + text[place:]

    between = scrub(text, known).split(PLACEHOLDER)

    wanted = [literal.strip() for literal in known if literal.strip()]
    assert [(literal, part) for literal in wanted for part in between if literal in part] == []


OVERLAPPING = [
    pytest.param(["abcd", "cdef"], "abcdef", "[REDACTED]", id="overlap"),
    pytest.param(["abcdef", "cd"], "abcdef cd", "[REDACTED] [REDACTED]", id="one contains another"),
    pytest.param(["aba"], "abababa", "[REDACTED]", id="itself"),
    pytest.param(['a"b'], 'x "a\\"b" y', 'x "[REDACTED]" y', id="in JSON"),
    pytest.param(['a"b'], r"{\"a\\\"b\"}", r"{\"[REDACTED]\"}", id="in JSON in JSON"),
    pytest.param(["a b/c"], "?q=a%20b%2Fc&", "?q=[REDACTED]&", id="in a URL"),
    pytest.param(["opensesame"], "open\u200bsesame", "[REDACTED]", id="zero width"),
    pytest.param(["caf\u00e9 noir"], "cafe\u0301 noir", "[REDACTED]", id="composed"),
    pytest.param(
        ["the first long line\nthe second long line"], "x the second long line", "x [REDACTED]", id="a line"
    ),
    pytest.param(["]x"], f"{KEY} {KEY}x", "[REDACTED] [REDACTED]", id="a key beside it"),
    pytest.param(["b]"], "ab]", "a[REDACTED]", id="a bracket"),
    pytest.param(
        ["RED", "REDACTED"], "RED [REDACTED]", "[REDACTED] [REDACTED]", id="part of the placeholder"
    ),
    pytest.param(["", "  ", "\n"], "a  b\n", "a  b\n", id="blank"),
]


@pytest.mark.parametrize(("known", "text", "expected"), OVERLAPPING)
def test_literals(known: list[str], text: str, expected: str) -> None:
    assert scrub(text, known) == expected


def test_a_literal_across_a_placeholder_goes_with_it() -> None:
    assert scrub(f"password='{KEY}'x", ["]'x"]) == "password='[REDACTED]"


@pytest.mark.parametrize("form", ["NFC", "NFD", "NFKC", "NFKD"])
def test_any_form_of_unicode_around_a_key_stays(form: str) -> None:
    around = unicodedata.normalize(form, "Çà et là: ﬁn Ⅷ 한글 ㎏ ") + "\u200b"

    assert scrub(f"{around}{KEY} {around}") == f"{around}[REDACTED] {around}"


HOSTILE = (
    *(
        "password",
        "password=",
        "password = '",
        'password=\\\\"',
        "password=A_B_",
        "password=a.b.",
        "password=f(",
    ),
    *(
        "the secret is ",
        "token=['",
        "passwords=['a',",
        "password: x y ",
        "password\t",
        "password: |\n",
        "<password>",
    ),
    *("ghp_", "sk-", "eyJ.", "eyJabcdefghi.", "AKIA", "1234567890:AA", "?sig=", "://a:", "://a:b@", "@", "="),
    *(
        "Authorization: Bearer ",
        "Cookie: a=",
        "curl -u a",
        "mysql -",
        "${",
        "{",
        "\"'`",
        "\\",
        "\u0301",
        "\uff47",
    ),
    *(
        "-----BEGIN PRIVATE KEY-----\n",
        "-----BEGIN PRIVATE KEY-----AAAA",
        "-----END PRIVATE KEY-----\n",
        "QUJD\n",
    ),
    *("s\u200bk\u200b-", "a", " ", "\n"),
    *("\\u200b", "s\\u200b", "sk-Qm3vX9kT…", "a7...", "…", "[masked:A]", "[masked:", "[REDACTED]", "é"),
)


@pytest.mark.slow
@pytest.mark.parametrize("part", HOSTILE)
def test_a_megabyte_takes_time_in_proportion(part: str) -> None:
    """Ten times as much may take some fifty times as long on a busy machine, not a hundred times."""
    took: list[float] = []
    for size in (100_000, 1_000_000):
        text = part * (size // len(part))
        began = time.process_time()
        scrub(text)
        took.append(time.process_time() - began)

    assert took[1] < 50 * max(took[0], 0.03)
