"""Private keys that come line by line."""

from host.core.scrubbing.key_lines import KeyLines

LINES = {
    "starting": "starting",
    "-----BEGIN RSA PRIVATE KEY-----": "-----BEGIN RSA PRIVATE KEY-----",
    "Proc-Type: 4,ENCRYPTED": "[REDACTED]",
    "": "",
    "MIIEvQIBADANBgkqhkiG9w0BAQ": "[REDACTED]",
    "  | AASCBKcw\r": "[REDACTED]",
    "QQ==": "[REDACTED]",
    "-----END RSA PRIVATE KEY-----": "[REDACTED]",
    "done": "done",
}


def test_the_lines_of_a_key_are_masked_until_it_ends() -> None:
    keys = KeyLines()

    assert [keys.masked(line) for line in LINES] == [*LINES.values()]


def test_a_line_that_is_of_no_key_ends_it() -> None:
    keys = KeyLines()

    lines = ["the file begins -----BEGIN PRIVATE KEY-----", "and so on, says the manual", "word"]
    assert [keys.masked(line) for line in lines] == lines


def test_a_key_on_one_line_is_over_with_it() -> None:
    keys = KeyLines()

    lines = ["-----BEGIN PRIVATE KEY-----QUJD-----END PRIVATE KEY-----", "word"]
    assert [keys.masked(line) for line in lines] == lines
