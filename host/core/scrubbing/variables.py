"""Which variables of an environment hold secrets, by their names and what they hold."""

import re
from collections.abc import Mapping
from typing import Final

from host.core.scrubbing.value_shapes import is_path

MIN_SECRET_CHARS: Final = 6
"""Characters of a value whose variable is named for a secret and nothing else."""
MIN_VALUE_CHARS: Final = 8
"""Characters of a value whose variable has such a word anywhere in its name, as `MONKEY` has."""

_NAMED_FOR_ONE: Final = re.compile(
    r"(?:(?:^|_)(?:KEY|CREDENTIALS?|DSN|AUTH|COOKIE|PAT)|_PWD"
    r"|API_?KEYS?|TOKENS?|SECRETS?|PASSWORD|PASSWD|PASSPHRASE)(?:_|$)",
    re.IGNORECASE,
)
_HAS_A_WORD: Final = re.compile("KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIAL", re.IGNORECASE)


def secrets_from(environ: Mapping[str, str]) -> dict[str, str]:
    """The variables that hold secrets, with their values.

    Where the name is of a secret and nothing else, a value of `MIN_SECRET_CHARS` or more is one. Where such a
    word stands anywhere in the name, it is one of those that `literals_from` gives.
    """
    return {
        name: value
        for name, value in environ.items()
        if (_NAMED_FOR_ONE.search(name) and len(value.strip()) >= MIN_SECRET_CHARS) or _tells(name, value)
    }


def literals_from(environ: Mapping[str, str]) -> tuple[str, ...]:
    """The values of variables whose name has a word for a secret in it: `MIN_VALUE_CHARS` or more, no path
    and no plain word, so that it may be looked for in the texts of others.
    """
    return tuple(value for name, value in environ.items() if _tells(name, value))


def _tells(name: str, value: str) -> bool:
    value = value.strip()
    says_little = is_path(value) or (value.isalpha() and (value.islower() or value.istitle()))
    return len(value) >= MIN_VALUE_CHARS and _HAS_A_WORD.search(name) is not None and not says_little
