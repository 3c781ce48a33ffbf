"""The operations of the store as data: what each takes, in what types, and who is offered it.

Descriptions for callers over MCP, flags of the command line and the words on an unknown argument are all made
from it.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final, Literal

from host.core.envelope import Refused
from host.core.text import nearest, quoted
from host.records import codes
from host.records.arguments import (
    MAX_LIMIT,
    MAX_PASSAGE_CHARS,
    MAX_QUERY_CHARS,
    MAX_TAG_CHARS,
    MAX_TAGS,
    MAX_TEXT_CHARS,
    refused_input,
)
from host.records.model import KINDS

ParameterType = Literal["string", "strings", "string-or-strings", "integer", "boolean", "passage"]
"""`strings` is a list of them; `passage` a text, or an object of a text and its provenance."""

_STRING: Final[Mapping[str, object]] = {"type": "string"}
_STRINGS: Final[Mapping[str, object]] = {"type": "array", "items": _STRING}
_PASSAGE: Final[Mapping[str, object]] = {
    "type": "object",
    "properties": {
        "text": _STRING,
        "provenance": {"type": "object", "additionalProperties": _STRING},
    },
    "required": ["text"],
    "additionalProperties": False,
}
_SCHEMAS: Final[Mapping[ParameterType, Mapping[str, object]]] = {
    "string": _STRING,
    "strings": _STRINGS,
    "string-or-strings": {"anyOf": [_STRING, _STRINGS]},
    "integer": {"type": "integer"},
    "boolean": {"type": "boolean"},
    "passage": {"anyOf": [_STRING, _PASSAGE]},
}


@dataclass(frozen=True, kw_only=True)
class Parameter:
    """An argument of an operation. `default` is what its absence means; null means absence as well."""

    name: str
    type: ParameterType
    text: str
    is_required: bool = False
    default: object = None
    choices: tuple[str, ...] = ()
    least: int | None = None
    most: int | None = None

    def schema(self) -> dict[str, object]:
        """JSON Schema of its value."""
        return {
            **_SCHEMAS[self.type],
            "description": self.text,
            **({} if self.default is None else {"default": self.default}),
            **({"enum": list(self.choices)} if self.choices else {}),
            **({} if self.least is None else {"minimum": self.least}),
            **({} if self.most is None else {"maximum": self.most}),
        }


@dataclass(frozen=True, kw_only=True)
class Op:
    """An operation.

    Args:
        is_sensitive: it takes away, or decides: only where a person has allowed it.
        is_remote: whether MCP has it. The others are for a person at the command line.
    """

    name: str
    brief: str
    parameters: tuple[Parameter, ...] = ()
    is_sensitive: bool = False
    is_remote: bool = True

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(parameter.name for parameter in self.parameters)

    def schema(self) -> dict[str, object]:
        """JSON Schema of its arguments."""
        return {
            "type": "object",
            "properties": {parameter.name: parameter.schema() for parameter in self.parameters},
            "required": [parameter.name for parameter in self.parameters if parameter.is_required],
            "additionalProperties": False,
        }

    def refuse_unknown(self, given: Iterable[object]) -> None:
        """Raises `Refused` for a name that is none of its arguments'."""
        unknown = next((name for name in given if name not in self.names), None)
        if unknown is None:
            return
        near = nearest(str(unknown), self.names, count=1)
        takes = "no arguments" if not self.names else ", ".join(self.names)
        hint = f"; did you mean {near[0]}?" if near else "."
        raise refused_input(f"{self.name} has no argument {quoted(str(unknown))}{hint} It takes {takes}.")


_TAGS_RULE: Final = f"1 to {MAX_TAG_CHARS} characters each, case-sensitive"
_KIND_FILTER: Final = Parameter(name="kind", type="string", choices=KINDS, text="Only records of this kind.")
_TAGS_FILTER: Final = Parameter(
    name="tags", type="strings", default=[], text="Only records that carry all of these tags."
)
_IDS_FILTER: Final = Parameter(
    name="record_ids",
    type="string-or-strings",
    default=[],
    text="Only the records with these ids: 64 hexadecimal digits each.",
)

_PUT: Final = Op(
    name="put",
    brief="Keeps a note, or proposes a lesson, which is held back until a person's approval is recorded. "
    "What was kept before is not kept twice.",
    parameters=(
        Parameter(
            name="text",
            type="string",
            is_required=True,
            text=f"What is to be kept: at most {MAX_TEXT_CHARS:,} characters.",
        ),
        Parameter(
            name="written_by",
            type="string",
            is_required=True,
            text="Who writes it, such as agent:<run>, user or model:<name>. It is kept as a claim.",
        ),
        Parameter(
            name="source",
            type="string",
            text="Where it is from: a URL, a ticket, a file. It is kept as a claim.",
        ),
        Parameter(
            name="kind",
            type="string",
            default="note",
            choices=KINDS,
            text="A note is served at once, a lesson after an approval.",
        ),
        Parameter(name="tags", type="strings", default=[], text=f"At most {MAX_TAGS} tags, {_TAGS_RULE}."),
        Parameter(
            name="stale_after",
            type="string",
            text="The moment from which it is out of date, ISO 8601 with a zone: 2027-06-30T00:00:00Z.",
        ),
        Parameter(
            name="passage",
            type="passage",
            text=f"What it cites: a text of at most {MAX_PASSAGE_CHARS:,} characters, alone or with its"
            " provenance.",
        ),
    ),
)
_SEARCH: Final = Op(
    name="search",
    brief="The records most relevant to a query by the words that they share with it (BM25), whatever their "
    "age or writer. Stale and superseded ones stand apart; proposed lessons are counted, not served.",
    parameters=(
        Parameter(
            name="query",
            type="string",
            is_required=True,
            text=f"The words to look for, at most {MAX_QUERY_CHARS:,} characters.",
        ),
        Parameter(
            name="top_k",
            type="integer",
            default=5,
            least=1,
            most=MAX_LIMIT,
            text="How many current records at most, and how many stale ones.",
        ),
        _TAGS_FILTER,
        _KIND_FILTER,
    ),
)
_RECALL: Final = Op(
    name="recall",
    brief="Records by id, by tags or by kind, newest first. With proposed: the lessons that wait for an "
    "approval.",
    parameters=(
        _IDS_FILTER,
        _TAGS_FILTER,
        _KIND_FILTER,
        Parameter(
            name="proposed",
            type="boolean",
            default=False,
            text="Lists the lessons that wait for an approval in place of what is served.",
        ),
        Parameter(
            name="limit",
            type="integer",
            default=20,
            least=1,
            most=MAX_LIMIT,
            text="How many current records at most, and how many stale ones.",
        ),
    ),
)
_FORGET: Final = Op(
    name="forget",
    brief="Removes the records that ids, tags and kind name together, for a reason, looks that each is gone, "
    "and gives a receipt without any of their text.",
    is_sensitive=True,
    parameters=(
        _IDS_FILTER,
        _TAGS_FILTER,
        _KIND_FILTER,
        Parameter(
            name="reason", type="string", text="Why; it stands on the receipt. Needed unless it is a preview."
        ),
        Parameter(
            name="block",
            type="boolean",
            default=False,
            text="Also refuses the same text from now on, however it is spelled, until it is unblocked.",
        ),
        Parameter(
            name="preview",
            type="boolean",
            default=False,
            text="Names what would be removed, and removes nothing.",
        ),
    ),
)
_APPROVE: Final = Op(
    name="approve",
    brief="Records an approval of proposed lessons, which are then served with approval_is: claim. The "
    "reviewer's name is the caller's claim; nothing is applied.",
    is_sensitive=True,
    parameters=(
        Parameter(
            name="record_ids",
            type="string-or-strings",
            is_required=True,
            text="The lessons: all of them are approved, or none.",
        ),
        Parameter(
            name="reviewer",
            type="string",
            is_required=True,
            text="The person who read them; no agent, model or tool, and not who wrote them.",
        ),
        Parameter(name="reason", type="string", is_required=True, text="Why; it is kept."),
    ),
)
_SUPERSEDE: Final = Op(
    name="supersede",
    brief="Puts one record in the place of another, which is then listed as superseded and never as current.",
    is_remote=False,
    parameters=(
        Parameter(name="old", type="string", is_required=True, text="The id of the record that is outdated."),
        Parameter(
            name="new", type="string", is_required=True, text="The id of the record that stands in its place."
        ),
        Parameter(name="reason", type="string", is_required=True, text="Why; it is kept."),
    ),
)
_UNBLOCK: Final = Op(
    name="unblock",
    brief="Lets a text be kept again that was forgotten and blocked.",
    is_sensitive=True,
    is_remote=False,
    parameters=(
        Parameter(name="text", type="string", is_required=True, text="The text, in any of its spellings."),
        Parameter(name="reason", type="string", is_required=True, text="Why; it is kept."),
    ),
)
_STATUS: Final = Op(
    name="status",
    brief="How many records are kept, of each kind and status, how many are stale, superseded or unreadable, "
    "how much room they take, and which were used and later withdrawn.",
)

OPS: Final[Mapping[str, Op]] = {
    op.name: op for op in (_PUT, _SEARCH, _RECALL, _FORGET, _APPROVE, _STATUS, _SUPERSEDE, _UNBLOCK)
}
"""All operations, by name."""


def op_named(name: object, ops: Mapping[str, Op] = OPS) -> Op:
    """The operation of a name. Raises `Refused`, `G6_E_NO_OP`, for another name."""
    op = ops.get(name) if isinstance(name, str) else None
    if op is None:
        near = nearest(str(name), ops, count=1)
        hint = f"; did you mean {near[0]}?" if near else "."
        raise Refused.of(codes.NO_OP, f"there is no op {quoted(str(name))}{hint} There are {', '.join(ops)}.")
    return op
