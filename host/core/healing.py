"""Which repairs of a reply are on."""

from dataclasses import dataclass
from typing import Final

STRIP_FENCES: Final = "strip-fences"
STRIP_PROSE: Final = "strip-prose"
DROP_DOUBLED_RESPONSE: Final = "drop-doubled-response"
STRATEGY_IDS: Final = (STRIP_FENCES, STRIP_PROSE, DROP_DOUBLED_RESPONSE)


@dataclass(frozen=True, kw_only=True)
class HealingSettings:
    """Each repair by its id. The last is off: the half that it drops could have been meant."""

    strip_fences: bool = True
    strip_prose: bool = True
    drop_doubled_response: bool = False

    @property
    def enabled(self) -> frozenset[str]:
        on = {
            STRIP_FENCES: self.strip_fences,
            STRIP_PROSE: self.strip_prose,
            DROP_DOUBLED_RESPONSE: self.drop_doubled_response,
        }
        return frozenset(id_ for id_, is_on in on.items() if is_on)


DEFAULT_HEALING: Final = HealingSettings()
