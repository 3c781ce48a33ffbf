"""The one place that reads the environment."""

import os
import sys
from collections.abc import Iterable, Mapping
from typing import Final

from host.core.masking import MIN_SECRET_CHARS, Masker, secrets_from

_FOR_SHELL: Final = frozenset({"HOME", "LANG", "PATH", "TMPDIR", "TZ"})


def environment() -> Mapping[str, str]:
    """The environment, for what looks for a key in it."""
    return os.environ


def masker_from_environment(keys: Iterable[str] = ()) -> Masker:
    """Masks the values of the environment's secret variables, and of `keys`, which do not say that they are
    secret but are, unless they are too short to be one.
    """
    found = {name: os.environ.get(name, "") for name in keys}
    named = {name: value for name, value in found.items() if len(value.strip()) >= MIN_SECRET_CHARS}
    return Masker(secrets_from(os.environ) | named)


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


def environment_for_servers() -> dict[str, str]:
    """The environment that servers of tools are given parts of.

    What is installed beside gg is found before anything else, whether or not its environment is activated.
    """
    beside = os.path.dirname(sys.executable)
    return {**os.environ, "PATH": os.pathsep.join([beside, os.environ.get("PATH", os.defpath)])}
