"""Where characters / 4 and its margin are enough, and where they are not, by the tokens of an encoding."""

import pytest

from host.context import CharacterCounter, Utf8Counter
from host.core.tokens import ENCODINGS
from tests.helpers.token_estimates import corpora, row, withheld

pytest.importorskip("bpe_openai", reason="the extra tokens is not installed")


def test_what_is_withheld_for_a_text_has_the_margin_rounded_up() -> None:
    assert withheld(CharacterCounter(), "x" * 40) == 13
    assert withheld(CharacterCounter(), "x" * 41) == 15  # 11 and 3.3
    assert withheld(Utf8Counter(), "é" * 20) == 40


def test_a_row_is_in_percent_of_the_tokens() -> None:
    # 16 tokens, 127 characters; a text of few characters is left out
    assert row(["passing " * 15 + "passing"], "o200k_base") == (
        "1",
        "16",
        "200%",
        "262%",
        "0%",
        "262%",
        "794%",
    )
    assert row(["short"] * 9 + ["解析器超时" * 5], "o200k_base")[0] == "1"


@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize(("kind", "too_low"), [("system prompts", "0%"), ("records, Chinese", "100%")])
def test_the_margin_is_enough_for_english_and_not_for_chinese(encoding: str, kind: str, too_low: str) -> None:
    assert row(corpora()[kind], encoding)[4] == too_low


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_bytes_are_never_too_few(encoding: str) -> None:
    assert all(int(row(texts, encoding)[6].rstrip("%")) >= 100 for texts in corpora().values())
