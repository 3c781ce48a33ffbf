"""What is not recognised, so that nobody relies on it: each line of it stands in the documentation."""

import base64

import pytest

from host.core.scrubbing import mask_emails, mask_hosts, mask_paths, scrub

NOT_KNOWN = [
    pytest.param("k7Qp2xV9mB4tL8sZ", id="no shape and no name"),
    pytest.param(base64.b64encode(b"password = 'hunter2'").decode(), id="in base64"),
    pytest.param("my password is sesame", id="a word in a sentence"),
    pytest.param("password: correct horse battery staple", id="words without quotes"),
    pytest.param("token: sesame", id="a word behind a name of other things"),
    pytest.param("password = {hunter2}", id="in brackets, like a place for one"),
    pytest.param("password: <hunter2>", id="in angle brackets, like a place for one"),
    pytest.param("PASSWORD=MY_LUCKY_DAY", id="like the name of a variable"),
    pytest.param("password = hunter.two", id="like an expression"),
    pytest.param("\u5bc6\u7801: hunter2", id="a name in another language"),
    pytest.param("p a s s w o r d = 'hunter2'", id="a name with spaces"),
    pytest.param("p\u0430ssword='hunter2'", id="a name with a letter that looks alike"),
]


@pytest.mark.parametrize("text", NOT_KNOWN)
def test_a_secret_that_is_not_known_for_one_stays(text: str) -> None:
    assert scrub(text) == text


def test_what_follows_the_first_word_without_quotes_stays() -> None:
    assert scrub("DB_PASSWORD=hunter2 and more") == "DB_PASSWORD=[REDACTED] and more"


def test_a_name_that_stands_beside_a_word_takes_it_for_its_value() -> None:
    assert scrub("password: banana") == "password: [REDACTED]"


def test_addresses_that_are_not_known_for_ones_stay() -> None:
    text = "ada@build, ping server, build.io, localhost, aa:bb:cc:dd:ee:ff, ada at example dot com"

    assert mask_hosts(mask_emails(text)) == text


def test_folders_below_a_home_stay() -> None:
    assert mask_paths("/home/ada/acme-merger/plan.md") == "~/acme-merger/plan.md"
    assert mask_paths("/srv/ada/plan.md") == "/srv/ada/plan.md"
