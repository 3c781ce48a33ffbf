"""The capability `records` as pydantic models: the store that outlives runs, and what a run does with it."""

from typing import Annotated, Literal

from pydantic import Field, PlainValidator, WithJsonSchema

from host.launch.embeddings import EXTRA
from host.launch.fields import FilledText, Flag, LiftableCount, Settings, one_of, whole, words
from host.records import KINDS, MAX_LIMIT

TopK = Annotated[
    int,
    PlainValidator(whole(1, MAX_LIMIT, f"needs a whole number from 1 to {MAX_LIMIT}")),
    WithJsonSchema({"type": "integer", "minimum": 1, "maximum": MAX_LIMIT}),
]
PromotedKind = Annotated[
    Literal["note", "lesson"], PlainValidator(one_of(*KINDS, what="kind of record")), words(*KINDS)
]


class PromotionSettings(Settings):
    """Memories that become records when the run has completed."""

    slugs: list[FilledText] = Field(
        min_length=1, description="Their slugs, where `*` stands for any characters."
    )
    kind: PromotedKind = Field(
        default="note", description="What they become; a lesson is held back until a person approves it."
    )


class RecordsParams(Settings):
    """What is searched by itself, and what is kept by itself."""

    top_k: TopK = Field(
        default=5, description="Records that a search gives which names no other number, and the section."
    )
    section: Flag = Field(
        default=True, description="Whether the agent begins with the records that bear on its task."
    )
    max_len_section: LiftableCount = Field(
        default=4096, description="Characters of that section; 0 lifts the limit."
    )
    hybrid: Flag = Field(
        default=False,
        description=f"Search by meaning as well, which takes the extra `{EXTRA}`; by words alone when off.",
    )
    promote: list[PromotionSettings] = Field(
        default=[],
        description="Which memories of the agent become records when the run has completed; none when empty.",
    )


class RecordsCapability(Settings):
    """Notes that outlive the run, in the record store of the user who runs gg."""

    id: Literal["records"]
    enabled: Flag = Field(default=True, description="Off keeps the params in the file and grants nothing.")
    params: RecordsParams = Field(
        default=RecordsParams(), description="What a run searches and keeps by itself."
    )
