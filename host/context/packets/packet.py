"""A packet: what goes into one model call, section by section, with what was found in assembling it."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Final, Literal, get_args

from host.context.retrieval import Handle
from host.core.context_item import Authority, ContextItem
from host.core.envelope import Enveloped
from host.core.tokens import estimate_tokens

Section = Literal[
    "governance",
    "task",
    "output_contract",
    "components",
    "verification",
    "notes",
    "exemplars",
    "results",
    "repository",
]
SECTIONS: Final[tuple[Section, ...]] = get_args(Section)
"""In the order in which a model reads them."""

HANDLES: Final = "repository_handles"


@dataclass(frozen=True, kw_only=True)
class Conflict:
    """Two items that say otherwise under one key of a section: which one stayed, and which went."""

    section: str
    key: str
    kept_source: str
    kept_authority: Authority
    dropped_source: str
    dropped_authority: Authority


@dataclass(frozen=True, kw_only=True)
class ContextPacket(Enveloped):
    """Items by section, within `budget` tokens unless the packet is blocked.

    `repository_handles` name files for `load_handle`: those of the excerpts in `repository`, in their order,
    or files without an excerpt.
    """

    budget: int
    governance: tuple[ContextItem, ...] = ()
    task: tuple[ContextItem, ...] = ()
    output_contract: tuple[ContextItem, ...] = ()
    components: tuple[ContextItem, ...] = ()
    verification: tuple[ContextItem, ...] = ()
    notes: tuple[ContextItem, ...] = ()
    exemplars: tuple[ContextItem, ...] = ()
    results: tuple[ContextItem, ...] = ()
    repository: tuple[ContextItem, ...] = ()
    repository_handles: tuple[Handle, ...] = ()
    conflicts: tuple[Conflict, ...] = ()

    def section(self, name: Section) -> tuple[ContextItem, ...]:
        items: tuple[ContextItem, ...] = getattr(self, name)
        return items

    def items(self) -> Iterator[ContextItem]:
        """Every item, section by section."""
        for name in SECTIONS:
            yield from self.section(name)

    def tokens_by_section(self) -> dict[str, int]:
        """What each section takes that holds anything."""
        sizes: dict[str, int] = {
            name: sum(map(cost, self.section(name))) for name in SECTIONS if self.section(name)
        }
        if alone := handles_alone(self):
            sizes[HANDLES] = sum(map(cost, alone))
        return sizes

    @property
    def tokens(self) -> int:
        """The tokens of all items' values, counted anew, and of the handles that stand without an excerpt."""
        return sum(self.tokens_by_section().values())

    def to_json(self) -> dict[str, object]:
        """The packet as JSON values."""
        return {
            **self.envelope_json(),
            "budget": self.budget,
            "tokens": self.tokens,
            "sections": {name: [item_json(item) for item in self.section(name)] for name in SECTIONS},
            HANDLES: [dict(handle) for handle in self.repository_handles],
            "conflicts": [asdict(conflict) for conflict in self.conflicts],
        }


def cost(datum: ContextItem | Handle) -> int:
    """The tokens of an item's value, or of a handle as JSON."""
    return estimate_tokens(datum.value if isinstance(datum, ContextItem) else handle_text(datum))


def handle_text(handle: Handle) -> str:
    """A handle on one line, the same for equal handles."""
    return json.dumps(dict(handle), sort_keys=True, ensure_ascii=False, default=repr)


def handle_of(item: ContextItem) -> Handle | None:
    """The handle of the file that an excerpt is of."""
    handle = item.metadata.get("handle")
    return handle if isinstance(handle, Mapping) else None


def handles_alone(packet: ContextPacket) -> tuple[Handle, ...]:
    """The handles without an excerpt in the packet, which would name their files."""
    named = {handle_text(handle) for item in packet.repository if (handle := handle_of(item)) is not None}
    return tuple(handle for handle in packet.repository_handles if handle_text(handle) not in named)


def item_json(item: ContextItem) -> dict[str, object]:
    """An item as JSON values, with where it came from and whether it may instruct."""
    return {**label_json(item), "value": item.value}


def label_json(item: ContextItem) -> dict[str, object]:
    """An item without its text."""
    return {
        "section": item.section,
        "key": item.key,
        "source": item.source,
        "authority": item.authority,
        "kind": item.kind,
        "trust": item.trust,
        "freshness_class": item.freshness_class,
        "may_instruct": item.may_instruct,
        "tokens": cost(item),
    }
