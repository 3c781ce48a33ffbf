"""Fixtures that come with gg, found by the name they have in a checkout: `fixtures/quickstart`.

An installed gg has them in its own folder, since `fixtures` at the top of an environment may be anyone's.
"""

import os
from pathlib import Path
from typing import Final

_HOST: Final = Path(__file__).parents[1]


def shipped_fixture(path: Path, *, host: Path = _HOST) -> Path | None:
    """Where gg's own `fixtures/…` stands: in the installed package, else beside it in a checkout."""
    if path.parts[:1] != ("fixtures",):
        return None
    below = Path(*path.parts[1:])
    places = (host / "_fixtures" / below, host.parent / "fixtures" / below)
    return next((place for place in places if os.path.exists(place)), None)
