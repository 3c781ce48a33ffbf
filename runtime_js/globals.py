"""What every guest has beyond the language: the prelude and the lazy globals, ready to evaluate."""

import json
from functools import cache
from pathlib import Path
from typing import Final

from sandbox import GuestGlobals

__all__ = ["guest_globals"]

_GENERATED: Final = Path(__file__).with_name("prelude") / "generated.json"


@cache
def guest_globals() -> GuestGlobals:
    """The globals of every engine. Read from `prelude/generated.json`; nothing is compiled."""
    generated = json.loads(_GENERATED.read_text(encoding="utf-8"))
    groups = generated["groups"]
    return GuestGlobals(
        prelude=generated["prelude"],
        lazy={name: groups[group] for name, group in generated["globals"].items()},
    )
