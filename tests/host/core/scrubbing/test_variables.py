"""Which variables of an environment hold secrets."""

import pytest

from host.core.scrubbing import literals_from, secrets_from

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
    ("MONKEY", True),
    ("KEYBOARD_LAYOUT", True),
    ("TOKENIZERS_PARALLELISM", True),
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


ANYWHERE = [
    pytest.param("1234567", False, id="short"),
    pytest.param("12345678", True, id="long enough"),
    pytest.param("banana split", True, id="two words"),
    pytest.param("qwertyuiop", False, id="a plain word"),
    pytest.param("Dvorakish", False, id="a plain word with a capital"),
    pytest.param("/usr/share/keys", False, id="a path"),
    pytest.param("/JalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKE", True, id="a key with slashes"),
]


@pytest.mark.parametrize(("value", "is_secret"), ANYWHERE)
def test_where_the_word_is_a_part_of_the_name_the_value_has_to_look_like_one(
    value: str, is_secret: bool
) -> None:
    assert secrets_from({"MONKEY": value}) == ({"MONKEY": value} if is_secret else {})
    assert literals_from({"MONKEY": value}) == ((value,) if is_secret else ())


def test_a_path_in_a_variable_that_is_named_for_a_secret_is_one() -> None:
    assert secrets_from({"SSH_KEY": "/run/keys/ssh"}) == {"SSH_KEY": "/run/keys/ssh"}
    assert literals_from({"SSH_KEY": "/run/keys/ssh"}) == ()


def test_the_literals_of_an_environment() -> None:
    environ = {
        "API_KEY": "a1b2c3d4",
        "client_secret": "two words",
        "DB_PASSWORD": "hunter2",
        "TOKEN_FILE": "/run/secrets/token",
        "KEYBOARD": "dvorakish",
        "SIGNING_KEY": "/JalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKE",
        "MY_CREDENTIALS": "  \n ",
        "PATH": "/usr/bin:/bin/a1b2c3d4",
    }

    assert literals_from(environ) == ("a1b2c3d4", "two words", "/JalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKE")
