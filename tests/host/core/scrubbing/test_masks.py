"""Addresses, hosts and homes in texts that are kept."""

import time
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from host.core.scrubbing import (
    KEPT_TEXT_MASKS,
    TextMask,
    mask_emails,
    mask_hosts,
    mask_kept_text,
    mask_paths,
)

MASKS = (mask_emails, mask_hosts, mask_paths, mask_kept_text)

EMAILS = [
    ("write to ada@example.com.", "write to [REDACTED_EMAIL]."),
    ("'ada.lovelace+x@sub.example.org',", "'[REDACTED_EMAIL]',"),
    ("jürgen@exämple.de", "[REDACTED_EMAIL]"),
    ("?to=ada%40example.com&x", "?to=[REDACTED_EMAIL]&x"),
    ("user%40host", "[REDACTED_EMAIL]"),
    ("root@localhost", "[REDACTED_EMAIL]"),
    ("ada@10.0.0.7 ada@[10.0.0.7]", "[REDACTED_EMAIL] [REDACTED_EMAIL]"),
    ("git@github.com:acme/tool.git", "[REDACTED_EMAIL]:acme/tool.git"),
    ("a@b.com,c@d.com", "[REDACTED_EMAIL],[REDACTED_EMAIL]"),
    ("https://ada@example.com/", "https://ada@example.com/"),
    ("icon@2x.png lodash@4.17.21 @decorator a@b.T", "icon@2x.png lodash@4.17.21 @decorator a@b.T"),
    ("getty@tty1.service pkg@latest", "getty@tty1.service pkg@latest"),
]

HOSTS = [
    ("https://ada:pw@example.com:80/x", "https://[REDACTED]:[REDACTED]@<host>:80/x"),
    ("https://ada@example.com/a", "https://[REDACTED]@<host>/a"),
    ("postgres://app:[REDACTED]@db:5432/x", "postgres://[REDACTED]:[REDACTED]@<host>:5432/x"),
    ("http://[::1]:80/ http://10.0.0.1/", "http://<ip>:80/ http://<ip>/"),
    ('{"u":"http:\\/\\/build\\/x"}', '{"u":"http:\\/\\/<host>\\/x"}'),
    ("http://${HOST}/ http://<host>/", "http://${HOST}/ http://<host>/"),
    ("at db1.internal.example.com, or db1.internal", "at <host>, or <host>"),
    ("www.example.co.uk. example.com/path", "<host>. <host>/path"),
    ("api.example.io", "<host>"),
    ("host=db1 server: web-3 hostname 'ci7'", "host=<host> server: <host> hostname '<host>'"),
    ("host: str, host=localhost, localhost:5432", "host: str, host=localhost, localhost:5432"),
    ("10.0.0.7:80 10.0.0.0/24 127.0.0.1", "<ip>:80 <ip>/24 <ip>"),
    ("::1 fe80::1%eth0 [2001:db8::1]:80", "<ip> <ip> [<ip>]:80"),
    ("version 1.2.3.4, v1.2.3.4, x==1.2.3.4, 0.17.0.2", "version 1.2.3.4, v1.2.3.4, x==1.2.3.4, 0.17.0.2"),
    ("std::string a[::2] 12:34:56 dead::beef 300.1.1.1", "std::string a[::2] 12:34:56 dead::beef 300.1.1.1"),
    ("report.final.md os.path.join host.core.text", "report.final.md os.path.join host.core.text"),
    ("logger.info('x') asyncio.run(x) threading.local", "logger.info('x') asyncio.run(x) threading.local"),
    ("self.name main.rs README.md Node.js x.com.py", "self.name main.rs README.md Node.js x.com.py"),
    ("file:///etc/hosts", "file:///etc/hosts"),
]

PATHS = [
    ("/home/ada /home/ada/x", "~ ~/x"),
    ("/Users/Ada/x", "~/x"),
    ("/root /root/x /roots", "~ ~/x /roots"),
    ("C:\\Users\\John Smith\\x", "~\\x"),
    ("C:/Users/ada/x c:\\users\\ada", "~/x ~"),
    ('"C:\\\\Users\\\\ada\\\\x"', '"~\\\\x"'),
    ("/mnt/c/Users/ada/x /c/Users/ada/x", "~/x ~/x"),
    ("file:///home/ada/x %2Fhome%2Fada%2Fx", "file://~/x ~%2Fx"),
    ("/home/ада/x ~ada/x", "~/x ~/x"),
    ("/tmp/a /var/tmp/a /dev/shm/a", "<temp>/a <temp>/a <temp>/a"),
    ("/private/var/folders/a1/b_c/T/x", "<temp>/x"),
    ("C:\\Users\\ada\\AppData\\Local\\Temp\\x", "<temp>\\x"),
    ("/tmp/home/x <temp>/home/x ~/home/y", "<temp>/home/x <temp>/home/x ~/home/y"),
    ("src/home/x a/tmp/b /tmpfile /home", "src/home/x a/tmp/b /tmpfile /home"),
    ("/home/${USER}/x /home/<name>", "/home/${USER}/x /home/<name>"),
]


@pytest.mark.parametrize(("text", "expected"), EMAILS)
def test_emails(text: str, expected: str) -> None:
    assert mask_emails(text) == expected


@pytest.mark.parametrize(("text", "expected"), HOSTS)
def test_hosts(text: str, expected: str) -> None:
    assert mask_hosts(text) == expected


@pytest.mark.parametrize(("text", "expected"), PATHS)
def test_paths(text: str, expected: str) -> None:
    assert mask_paths(text) == expected


def test_roots_of_this_machine() -> None:
    masked = mask_paths("/srv/t/1 /srv/people/ada/x", temporary=["/srv/t/"], homes=["/srv/people/ada"])

    assert masked == "<temp>/1 ~/x"


@pytest.mark.parametrize("mask", KEPT_TEXT_MASKS)
def test_every_shape_that_is_listed_is_masked(mask: TextMask) -> None:
    masked = mask_kept_text(mask.example)

    assert mask.placeholder in masked
    assert masked != mask.example
    assert mask_kept_text(masked) == masked


def test_secrets_go_before_addresses() -> None:
    assert mask_kept_text("postgres://app:hunter2@db/x") == "postgres://[REDACTED]:[REDACTED]@<host>/x"


PIECES = (
    *(
        "ada",
        "@",
        "%40",
        ".",
        ".com",
        "example",
        "localhost",
        "://",
        "https",
        "/",
        "\\",
        ":",
        "[",
        "]",
        "1",
        "10.0.0.1",
    ),
    *(
        "::1",
        "fe80",
        "-",
        "<",
        ">",
        "<host>",
        "<ip>",
        "<temp>",
        "~",
        "[REDACTED]",
        "[REDACTED_EMAIL]",
        "%2F",
        " ",
    ),
    *("/home/", "/Users/", "C:\\Users\\", "/root", "/tmp", "host=", "db1", "\n", "é", "password=", "hunter2"),
)


@pytest.mark.parametrize("mask", MASKS)
@settings(max_examples=300)
@given(st.lists(st.sampled_from(PIECES), max_size=20).map("".join))
def test_masking_twice_changes_nothing(mask: Callable[[str], str], text: str) -> None:
    once = mask(text)

    assert mask(once) == once


HOSTILE = (
    *(
        "a@",
        "@",
        "%40",
        "a.a@a.a@",
        "a.",
        "1.2.3.4 ",
        "::",
        "fe80:",
        "://",
        "http://a@",
        "http://a.b/",
        "host=",
        "/",
    ),
    *(
        "/home/",
        "~a/",
        "C:\\",
        "C:\\Users\\a b ",
        "\\",
        "/tmp",
        "%2F",
        "/var/folders/a/",
        "www.a.com ",
        "a" * 70 + "@",
    ),
)


@pytest.mark.slow
@pytest.mark.parametrize("part", HOSTILE)
def test_a_megabyte_takes_time_in_proportion(part: str) -> None:
    took: list[float] = []
    for size in (100_000, 1_000_000):
        text = part * (size // len(part))
        began = time.process_time()
        mask_paths(mask_hosts(mask_emails(text)))
        took.append(time.process_time() - began)

    assert took[1] < 30 * max(took[0], 0.02)
