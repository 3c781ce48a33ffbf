"""The committed texts: every secret of one list goes, nothing of the other does."""

import json
import re
from pathlib import Path

import pytest

from host.core.scrubbing import PLACEHOLDER, scrub, scrub_report

FIXTURES = Path(__file__).parents[4] / "fixtures" / "masking"


def texts(name: str) -> list[str]:
    lines = (FIXTURES / name).read_text(encoding="utf-8").splitlines()
    return [str(json.loads(f'"{line}"')) for line in lines if line and not line.startswith("# ")]


SECRETS = texts("secrets.txt")
HARMLESS = texts("harmless.txt")


def plain(marked: str) -> str:
    return marked.replace("⟦", "").replace("⟧", "")


def test_there_are_enough_of_both() -> None:
    assert len(SECRETS) >= 100
    assert len(HARMLESS) >= 100


@pytest.mark.parametrize("marked", SECRETS)
def test_each_secret_is_replaced_and_nothing_else(marked: str) -> None:
    assert scrub(plain(marked)) == re.sub("⟦.*?⟧", PLACEHOLDER, marked, flags=re.DOTALL)


@pytest.mark.parametrize("marked", SECRETS)
def test_the_report_says_where_each_stood(marked: str) -> None:
    text = plain(marked)

    places = [text[found.start : found.end] for found in scrub_report(text)]

    assert places == re.findall("⟦(.*?)⟧", marked, flags=re.DOTALL)


@pytest.mark.parametrize("text", HARMLESS)
def test_what_is_no_secret_stays(text: str) -> None:
    assert scrub(text) == text
    assert scrub_report(text) == ()


def test_all_secrets_of_one_text_go() -> None:
    text = "\n\n".join(map(plain, SECRETS))

    scrubbed = scrub(text)

    hidden = [secret for marked in SECRETS for secret in re.findall("⟦(.*?)⟧", marked, flags=re.DOTALL)]
    assert [secret for secret in hidden if len(secret) > 7 and secret in scrubbed] == []
    assert scrub(scrubbed) == scrubbed


def test_harmless_texts_stay_one_after_another() -> None:
    text = "\n\n".join(HARMLESS)

    assert scrub(text) == text
