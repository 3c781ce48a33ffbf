"""What the capability `records` comes to in a plan."""

from dataclasses import dataclass

from host.launch.record_settings import RecordsCapability
from host.operations import fits
from host.records import RecordKind


@dataclass(frozen=True, kw_only=True)
class PromotionPlan:
    """Memories that become records of one kind when the run has completed, by patterns of their slugs."""

    slugs: tuple[str, ...]
    kind: RecordKind

    def takes(self, slug: str) -> bool:
        """Whether it is about the memory of this slug."""
        return any(fits(pattern, slug) for pattern in self.slugs)


@dataclass(frozen=True, kw_only=True)
class RecordsPlan:
    """An enabled records capability. `max_section_chars` is `None` where the section has no limit; with
    `is_hybrid` records are searched by their meaning as well.
    """

    top_k: int = 5
    has_section: bool = True
    max_section_chars: int | None = 4096
    is_hybrid: bool = False
    promotions: tuple[PromotionPlan, ...] = ()


def records_plan(capability: RecordsCapability) -> RecordsPlan:
    params = capability.params
    return RecordsPlan(
        top_k=params.top_k,
        has_section=params.section,
        max_section_chars=params.max_len_section or None,
        is_hybrid=params.hybrid,
        promotions=tuple(PromotionPlan(slugs=tuple(each.slugs), kind=each.kind) for each in params.promote),
    )
