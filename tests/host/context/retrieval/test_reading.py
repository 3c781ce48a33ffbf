"""The beginning of a file is read as UTF-8 or UTF-16, within a bound."""

import codecs
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from host.context.retrieval.reading import Beginning, read_beginning

TEXT = "parser = 'timeout'\r\n"
DATA = [
    pytest.param(b"", "", id="nothing"),
    pytest.param(TEXT.encode(), TEXT, id="ASCII"),
    pytest.param("解析器".encode(), "解析器", id="UTF-8"),
    pytest.param("解析器".encode("utf-8-sig"), "解析器", id="UTF-8 with a mark"),
    pytest.param("\ufeff解析器".encode("utf-16-le"), "解析器", id="UTF-16, little end first"),
    pytest.param("\ufeff解析器".encode("utf-16-be"), "解析器", id="UTF-16, big end first"),
    pytest.param(TEXT.encode("utf-16-le"), TEXT, id="UTF-16 without a mark"),
    pytest.param(TEXT.encode("utf-16-be"), TEXT, id="UTF-16 without a mark, big end first"),
    pytest.param(codecs.BOM_UTF32_LE + TEXT.encode("utf-32-le"), TEXT, id="UTF-32 with a mark"),
    pytest.param(b"a\0b" * 9, "a\0b" * 9, id="a NUL in ASCII"),
    pytest.param("größe".encode("latin-1"), None, id="Latin-1"),
    pytest.param(b"\x89PNG\r\n\x1a\n\x00\xff", None, id="a picture"),
    pytest.param("\ufeffa".encode("utf-16-le")[:-1], None, id="half a character at the end"),
    pytest.param(codecs.BOM_UTF16_LE + b"\x00\xd8a\x00", None, id="half of a pair"),
]


def read(path: Path, max_bytes: int = 2**20) -> Beginning | None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        return read_beginning(descriptor, max_bytes)
    finally:
        os.close(descriptor)


@pytest.mark.parametrize(("data", "text"), DATA)
def test_encodings(tmp_path: Path, data: bytes, text: str | None) -> None:
    (tmp_path / "file").write_bytes(data)

    assert read(tmp_path / "file") == (None if text is None else Beginning(text, False))


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_a_cut_leaves_off_half_a_character(tmp_path: Path, encoding: str) -> None:
    data = ("解" * 100).encode(encoding)
    (tmp_path / "file").write_bytes(data)
    whole = {"utf-8": 33, "utf-16": 49}[encoding]

    assert read(tmp_path / "file", 101) == Beginning("解" * whole, True)


def test_of_two_gigabytes_one_mebibyte_is_read(tmp_path: Path) -> None:
    with open(tmp_path / "file", "wb") as file:
        file.write(b"parser")
        file.truncate(2 * 2**30)

    assert read(tmp_path / "file") == Beginning("parser" + "\0" * (2**20 - 6), True)


# The mark of UTF-32 is that of UTF-16 and a NUL, with which no text begins.
TEXTS = st.text(alphabet=st.characters(codec="utf-8")).filter(lambda text: not text.startswith("\0"))


@given(TEXTS, st.sampled_from(["utf-8-sig", "utf-16", "utf-32"]))
def test_what_bears_a_mark_comes_back(
    tmp_path_factory: pytest.TempPathFactory, text: str, encoding: str
) -> None:
    path = tmp_path_factory.getbasetemp() / "marked"
    path.write_bytes(text.encode(encoding))

    assert read(path) == Beginning(text, False)
