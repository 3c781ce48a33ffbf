"""The version of gg that is installed."""

from importlib.metadata import version
from typing import Final

VERSION: Final = version("gg")
