"""What is looked for only in texts that can hold it is found as if it were looked for in all."""

from collections.abc import Callable, Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from host.core.scrubbing.credentials import SEARCHES, Found
from host.core.scrubbing.folded import _is_plain
from host.core.scrubbing.key_blocks import key_blocks
from host.core.unicode_text import nfkc, visible

PIECES = (
    *(
        "https://",
        "://",
        "ada",
        ":",
        "hunter2",
        "A1b2C3d4e5f6A1b2C3d4e5f6",
        "@",
        "host",
        "/",
        "?",
        "&",
        "&amp;",
    ),
    *(
        "sig",
        "signature",
        "key",
        "x-amz-signature",
        "code",
        "=",
        " ",
        "\t",
        "\v",
        "\x1c",
        "\n",
        "\\",
        '"',
        "'",
    ),
    *(
        "Authorization",
        "PROXY-AUTHORIZATION",
        "bearer",
        "Basic",
        "token",
        ": ",
        "%20",
        "+",
        "Set-Cookie",
        "COOKIES",
    ),
    *(
        "curl",
        "wget",
        "http",
        "httpie",
        "mysql",
        "mysqldump",
        "sshpass",
        "redis-cli",
        "-u",
        "--user",
        "-a",
        "-p",
    ),
    *("--auth", "--proxy-user", ";", "|", "?", "\x7f"),
)
TEXTS = st.lists(st.sampled_from(PIECES), max_size=16).map("".join)
FILTERS = [pytest.param(*search, id=search[1].__name__) for search in SEARCHES]


@pytest.mark.parametrize(("may_find", "find"), FILTERS)
@settings(max_examples=500)
@given(TEXTS)
def test_what_is_passed_over_holds_nothing(
    may_find: Callable[[str, bytes], bool], find: Callable[[str], Iterator[Found]], text: str
) -> None:
    found = list(find(text))

    assert found == [] or may_find(text, text.encode("ascii"))


EXAMPLES = [
    "https://ada:hunter2@host/",
    "Authorization: Bearer A1b2C3d4",
    "Cookie: a=b1",
    "x?sig=A1b2C3d4",
    "curl -u ada:hunter2",
    "mysql -phunter2",
    "sshpass\v-p hunter2",
    "redis-cli\x1c-a hunter2",
]


@pytest.mark.parametrize("text", EXAMPLES)
def test_there_is_something_to_find(text: str) -> None:
    assert [find for may_find, find in SEARCHES if may_find(text, text.encode()) and list(find(text))] != []


BLOCKS = (
    "-----BEGIN ",
    "-----END ",
    "PRIVATE KEY",
    " BLOCK",
    "-----",
    "\n",
    "Private-Lines: 2",
    "QUJDREVGR0hJSktMTU5P",
)


@given(st.lists(st.sampled_from(BLOCKS), max_size=12).map("".join))
def test_blocks_of_keys_have_words_of_theirs(text: str) -> None:
    assert list(key_blocks(text)) == [] or "PRIVATE KEY" in text or "Private-Lines" in text


FEW = "ae \u0301\u0323\u200b\ufb01\uff53\u1112\u1161\u11ab\uac00\u11a8\u09c7\u09be\uff76\uff9e—…é\u0345"


@settings(max_examples=500)
@given(st.text(st.sampled_from(FEW)) | st.text())
def test_whether_a_text_is_read_as_it_is_is_told_by_what_is_not_ascii(text: str) -> None:
    assert _is_plain(text) == (visible(text) == text and nfkc(text) == text)
