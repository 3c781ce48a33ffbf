"""The one place that reads the environment."""

import os
from collections.abc import Mapping

from host.core.masking import Masker, secrets_from


def environment() -> Mapping[str, str]:
    """The process's environment, as a copy."""
    return dict(os.environ)


def masker_from_environment() -> Masker:
    """Masks the values of the environment's secret variables."""
    return Masker(secrets_from(environment()))
