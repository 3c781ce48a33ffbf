"""Identifiers of runs."""

import secrets
from datetime import datetime
from typing import NewType

RunId = NewType("RunId", str)


def new_run_id(now: datetime) -> RunId:
    """`20261130-152405-1f9a3c`: sorts by start, and two starts in one second differ."""
    return RunId(f"{now:%Y%m%d-%H%M%S}-{secrets.token_hex(3)}")
