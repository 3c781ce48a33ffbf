"""Replaces the values of secrets by their names before a text leaves the process.

A secret is the value of an environment variable whose name says that it is one. Longer values are replaced
first, since one secret may contain another and a partial match would leave its tail visible.
"""

import re
from collections.abc import Mapping
from typing import Final

MIN_SECRET_CHARS: Final = 6
_SECRET_NAME: Final = re.compile(
    r"(?:^|_)(?:API_?KEY|KEY|TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|CREDENTIALS?|DSN|AUTH|COOKIE)(?:_|$)",
    re.IGNORECASE,
)


def secrets_from(environ: Mapping[str, str]) -> dict[str, str]:
    """The variables whose name says secret and whose value is long enough not to be a common word."""
    return {
        name: value
        for name, value in environ.items()
        if _SECRET_NAME.search(name) and len(value.strip()) >= MIN_SECRET_CHARS
    }


class Masker:
    """Replaces each secret's value by `[masked:NAME]`. Applying it twice changes nothing."""

    def __init__(self, secrets: Mapping[str, str]) -> None:
        self._name_of: Final = {value.strip(): name for name, value in sorted(secrets.items(), reverse=True)}
        longest_first = sorted(self._name_of, key=len, reverse=True)
        # A marker is matched first and kept, so that a value that occurs in a marker cannot nest.
        known_markers = [f"[masked:{name}]" for name in self._name_of.values()]
        self._pattern: Final = (
            re.compile("|".join(re.escape(text) for text in (*known_markers, *longest_first)))
            if longest_first
            else None
        )

    def __repr__(self) -> str:
        return f"Masker({len(self._name_of)} secrets)"

    @property
    def is_idle(self) -> bool:
        """Whether there is nothing to mask, so that callers may skip walking a value."""
        return self._pattern is None

    def mask(self, text: str) -> str:
        if self._pattern is None:
            return text
        return self._pattern.sub(self._replacement, text)

    def _replacement(self, match: re.Match[str]) -> str:
        name = self._name_of.get(match[0])
        return match[0] if name is None else f"[masked:{name}]"
