"""The key of keyed integrity: a secret in a folder of its own, outside the store's file."""

import hashlib
import hmac
import os
import secrets
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from host.core.envelope import Refused
from host.core.errors import system_reason
from host.core.regular_files import open_regular
from host.records import codes
from host.records.integrity.files import sync_folder, write_all

KEY_FILE: Final = "records.key"
_KEY_BYTES: Final = 32
_MAX_KEY_FILE_BYTES: Final = 1024
_HEADS: Final = "heads"


@dataclass(frozen=True, kw_only=True)
class Keys:
    """A folder with the key, and with a head for each store that it vouches for."""

    folder: Path
    secret: bytes = field(repr=False)

    def mac(self, purpose: str, data: bytes) -> bytes:
        """HMAC-SHA-256 for one purpose, which keeps those of others apart."""
        return hmac.digest(self.secret, purpose.encode() + b"\0" + data, hashlib.sha256)

    def derived(self, purpose: str, data: bytes) -> "Keys":
        """The same folder with a secret that only this one gives."""
        return replace(self, secret=self.mac(purpose, data))

    @property
    def heads(self) -> Path:
        """The folder of the heads of the stores that it vouches for."""
        return self.folder / _HEADS


def open_keys(folder: Path) -> Keys:
    """The key of a folder, made where the folder has none yet. Raises `Refused` where it cannot be had."""
    path = folder / KEY_FILE
    try:
        if not folder.is_dir():
            raise Refused.of(
                codes.STORE, f"there is no folder of keys {folder}; make it with: gg records init"
            )
        if not path.exists():
            if (folder / _HEADS).exists():
                raise Refused.of(
                    codes.STORE,
                    f"the key {path} is gone, and stores were kept with it; restore it from a copy",
                )
            _write_new(path, secrets.token_hex(_KEY_BYTES).encode() + b"\n")
        with open_regular(path) as file:
            secret = bytes.fromhex(file.read(_MAX_KEY_FILE_BYTES).decode("ascii").strip())
    except Refused:  # which is a ValueError
        raise
    except OSError as error:
        raise Refused.of(codes.STORE, f"the key {path} cannot be used: {system_reason(error)}") from error
    except ValueError:
        secret = b""
    if len(secret) != _KEY_BYTES:
        raise Refused.of(
            codes.STORE, f"the key {path} is not {2 * _KEY_BYTES} hexadecimal digits; restore it from a copy"
        )
    return Keys(folder=folder, secret=secret)


def make_keys(folder: Path) -> Keys:
    """The key of a folder, both made where they are missing, for this user alone."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise Refused.of(codes.STORE, f"{folder} cannot be made: {system_reason(error)}") from error
    return open_keys(folder)


def _write_new(path: Path, content: bytes) -> None:
    """Whole or not at all, also where another process makes it at the same time: the first one stays."""
    beside = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    fd = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    try:
        write_all(fd, content)
        os.fsync(fd)
        os.link(beside, path)
    except FileExistsError:
        pass
    finally:
        os.close(fd)
        beside.unlink(missing_ok=True)
    sync_folder(path.parent)
