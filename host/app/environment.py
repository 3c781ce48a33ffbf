"""The one place that reads the environment."""

import os
from collections.abc import Mapping

from host.core.masking import Masker, secrets_from


def masker_from_environment() -> Masker:
    """Masks the values of the environment's secret variables."""
    return Masker(secrets_from(os.environ))


def environment_for_commands(added: Mapping[str, str]) -> dict[str, str]:
    """The environment of a command that an operator names: gg's own less its secrets, and `added`."""
    secret = secrets_from(os.environ)
    return {name: value for name, value in os.environ.items() if name not in secret} | dict(added)
