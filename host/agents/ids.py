"""The ids of the agents of one run: the profile's own for its first instance, then `-2`, `-3`, …"""

from collections import Counter
from collections.abc import Iterable
from typing import Final


class InstanceIds:
    """Gives each id once. One that is a profile's own is left to that profile."""

    def __init__(self, profiles: Iterable[str]) -> None:
        self._profiles: Final = frozenset(profiles)
        self._given: Final[Counter[str]] = Counter()

    def next(self, profile: str) -> str:
        """The id of the profile's next instance."""
        while True:
            self._given[profile] += 1
            number = self._given[profile]
            id_ = profile if number == 1 else f"{profile}-{number}"
            if number == 1 or id_ not in self._profiles:
                return id_
