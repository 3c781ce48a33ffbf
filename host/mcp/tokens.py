"""The token that a client over HTTP has to send: given by the operator, or made for one start."""

import secrets
import stat
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from host.app import environment
from host.core.errors import HostError, system_reason
from host.core.regular_files import open_regular

VARIABLE: Final = "GG_MCP_TOKEN"
_LEAST_CHARS: Final = 16
_MOST_BYTES: Final = 4096
_BYTES: Final = 32


class TokenUnusable(HostError):
    """What was given as a token is none, or others can read it."""


@dataclass(frozen=True, kw_only=True)
class HttpToken:
    """`is_new`: it was made just now, and nobody knows it yet."""

    value: str
    is_new: bool = False

    def __repr__(self) -> str:
        return f"HttpToken(is_new={self.is_new})"


def token_of(file: Path | None) -> HttpToken:
    """The one in the file, else the one in `GG_MCP_TOKEN`, else a new one. Raises `TokenUnusable`."""
    if file is not None:
        return HttpToken(value=_checked(_read(file), f"--token-file {file}"))
    if (given := environment().get(VARIABLE)) is not None:
        return HttpToken(value=_checked(given.strip(), VARIABLE))
    return HttpToken(value=secrets.token_urlsafe(_BYTES), is_new=True)


def _read(file: Path) -> str:
    try:
        with open_regular(file) as opened:
            if stat.S_IMODE(file.stat().st_mode) & (stat.S_IRGRP | stat.S_IROTH):
                raise TokenUnusable(f"--token-file {file} can be read by others: chmod 600 {file}")
            return opened.read(_MOST_BYTES).decode("ascii", "replace").strip()
    except OSError as error:
        raise TokenUnusable(f"--token-file {file} cannot be read: {system_reason(error)}") from error


def _checked(token: str, source: str) -> str:
    if len(token) < _LEAST_CHARS or not token.isascii() or not token.isprintable() or " " in token:
        raise TokenUnusable(
            f"{source} holds no token: it takes {_LEAST_CHARS} printable ASCII characters or more, without a"
            " space; leave it out, and gg makes one"
        )
    return token
