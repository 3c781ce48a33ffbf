"""The one place that reads the environment."""

import os

from host.core.masking import Masker, secrets_from


def masker_from_environment() -> Masker:
    """Masks the values of the environment's secret variables."""
    return Masker(secrets_from(os.environ))
