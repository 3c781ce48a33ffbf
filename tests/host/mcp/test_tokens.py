"""Where the token comes from, and what is none."""

from pathlib import Path
from typing import Final

import pytest

from host.mcp import HttpToken, TokenUnusable, token_of

GIVEN: Final = "a-token-of-the-operator"


@pytest.fixture(autouse=True)
def no_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("GG_MCP_TOKEN", raising=False)


def test_a_file_goes_before_the_variable(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "token"
    file.write_text(f"  {GIVEN}\n")
    file.chmod(0o600)
    monkeypatch.setenv("GG_MCP_TOKEN", "another-token-altogether")

    assert token_of(file) == HttpToken(value=GIVEN)
    assert token_of(None) == HttpToken(value="another-token-altogether")


def test_one_that_is_made_is_new_each_time_and_is_not_printed() -> None:
    first, second = token_of(None), token_of(None)

    assert first.is_new
    assert first.value != second.value
    assert len(first.value) == 43
    assert repr(first) == "HttpToken(is_new=True)"


@pytest.mark.parametrize(
    "value", ["", "short", "x" * 15, "a token of the operator", "ä" * 20, "x" * 20 + "\x07"]
)
def test_what_is_no_token_is_refused(monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    monkeypatch.setenv("GG_MCP_TOKEN", value)

    with pytest.raises(TokenUnusable, match=r"^GG_MCP_TOKEN holds no token: it takes 16 printable ASCII"):
        token_of(None)


@pytest.mark.parametrize("mode", [0o640, 0o604])
def test_a_file_that_others_can_read_is_refused(tmp_path: Path, mode: int) -> None:
    file = tmp_path / "token"
    file.write_text(GIVEN)
    file.chmod(mode)

    with pytest.raises(TokenUnusable, match=f"can be read by others: chmod 600 {file}"):
        token_of(file)


def test_a_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(TokenUnusable, match="none cannot be read: no such file or directory"):
        token_of(tmp_path / "none")
