"""The one place that reads the environment."""

import os
from collections.abc import Iterable, Mapping
from typing import Final

from host.core.masking import Masker, secrets_from


_FOR_SHELL: Final = frozenset({"HOME", "LANG", "PATH", "TMPDIR", "TZ"})


def masker_from_environment() -> Masker:
    """Masks the values of the environment's secret variables."""
    return Masker(secrets_from(os.environ))


def environment_for_commands(added: Mapping[str, str]) -> dict[str, str]:
    """The environment of a command that an operator names: gg's own less its secrets, and `added`."""
    secret = secrets_from(os.environ)
    return {name: value for name, value in os.environ.items() if name not in secret} | dict(added)


def environment_for_shell(names: Iterable[str]) -> dict[str, str]:
    """The environment of the commands that an agent runs: what any program needs, and the variables `names`,
    as far as gg has them.
    """
    known = _FOR_SHELL | set(names)
    found = {name: value for name, value in os.environ.items() if name in known or name.startswith("LC_")}
    return {"PATH": os.defpath, "TERM": "dumb"} | found
