"""The tables of the guide to memories: what each strategy offers and bounds, what a call is refused with."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, fields
from typing import Final

from pydantic.alias_generators import to_camel

from host.core.module_keys import MAX_CODE_CHARS
from host.launch.capabilities import STRATEGIES
from host.memories import (
    MAX_KEYWORDS,
    Access,
    Holder,
    MemoryDraft,
    MemoryLimits,
    MemoryRefusal,
    MemoryStore,
    Strategy,
    strategy_of,
)
from host.operations import OPERATIONS

PINNED: Final[Mapping[str, str]] = {
    "scratchpad": "every memory, body and all",
    "markdown": "the index, a line for each memory",
    "keyword-search": "nothing",
}
BOUNDS: Final[Mapping[str, str]] = {
    "maxCount": "memories held at once",
    "maxLenPerMemory": "characters of one memory's body",
    "maxTotalLen": "characters of all pinned bodies together",
    "maxLenIndex": "characters of the pinned index",
    "maxLenDescription": "characters of one memory's description",
    "maxResults": "hits that one search gives",
}
LIFTED: Final[Mapping[str, int]] = {limit.name: 0 for limit in fields(MemoryLimits)}
THERE: Final = MemoryDraft(name="csv-tools", description="Parsing the exports.", body="Quoted, quoted.")


@dataclass(frozen=True)
class Denied:
    """A call that is refused: to which agent, when, and how it is made."""

    strategy: str
    when: str
    act: Callable[[Holder], object]
    limits: Mapping[str, int] = field(default_factory=dict)
    access: Access = "write"

    def refusal(self) -> MemoryRefusal:
        """What the call raises on a store that holds one memory."""
        strategy = strategy_of(self.strategy)
        store = MemoryStore(number=1, strategy=strategy, limits=MemoryLimits(**{**LIFTED, **self.limits}))
        _holder(store, "write").commit_write(THERE, turn=1)
        try:
            self.act(_holder(store, self.access))
        except MemoryRefusal as refusal:
            return refusal
        raise ValueError(f"{self.when} is not refused")


def _write(**texts: str) -> Callable[[Holder], object]:
    draft = MemoryDraft(**{"name": "notes", "description": "Notes.", "body": "A field.", **texts})
    return lambda holder: holder.commit_write(draft, turn=2)


def _edit(search: str, replace: str) -> Callable[[Holder], object]:
    return lambda holder: holder.edit("csv-tools", search, replace, turn=2)


DENIED: Final = (
    Denied("scratchpad", "a field is empty", _write(body=" ")),
    Denied("scratchpad", "the name is no slug", _write(name="csv tools")),
    Denied("markdown", "the description is not one line", _write(description="One.\nTwo.")),
    Denied("markdown", "a text holds half a character", _write(body="\ud800")),
    Denied("markdown", "the edit changes nothing", _edit("Quoted", "Quoted")),
    Denied("markdown", "the edit would leave nothing", _edit("Quoted, quoted.", "")),
    Denied("keyword-search", "no keyword is left", lambda holder: holder.search([" "])),
    Denied("scratchpad", "there is no such memory", lambda holder: holder.delete("csv-tool", turn=2)),
    Denied("markdown", "the quoted text is not in the body", _edit("Quotes", "Commas")),
    Denied("scratchpad", "the name is taken", _write(name="csv-tools")),
    Denied(
        "markdown",
        "`expectedRevision` is not the present one",
        lambda holder: holder.delete("csv-tools", expected_revision=3, turn=2),
    ),
    Denied("keyword-search", "the quoted text occurs more than once", _edit("uoted", "uotes")),
    Denied("markdown", "the memories are another agent's", _write(), access="read"),
    Denied("markdown", "`maxLenDescription`", _write(description="x" * 70), {"max_len_description": 64}),
    Denied("scratchpad", "a half of the code is too long", _write(code="x" * (MAX_CODE_CHARS + 1))),
    Denied("markdown", "`maxLenPerMemory`", _write(body="x" * 41), {"max_len_per_memory": 40}),
    Denied("scratchpad", "`maxCount`", _write(), {"max_count": 1}),
    Denied("keyword-search", "`maxCount`", _write(), {"max_count": 1}),
    Denied("scratchpad", "`maxTotalLen`", _write(), {"max_total_len": 20}),
    Denied("markdown", "`maxLenIndex`", _write(), {"max_len_index": 40}),
    Denied(
        "keyword-search",
        "too many keywords",
        lambda holder: holder.search(map(str, range(MAX_KEYWORDS + 1))),
    ),
)


def render_strategies() -> str:
    """A table of the strategies: what is pinned, and the calls in both modes."""
    rows = [
        "| strategy | always in the window | calls of `memories` | tools |",
        "| --- | --- | --- | --- |",
        *map(_strategy_row, map(strategy_of, STRATEGIES)),
    ]
    return "\n".join(rows)


def render_memory_limits() -> str:
    """A table of the limits: the strategies that each applies to, and what it bounds."""
    rows = ["| limit | applies to | what it bounds |", "| --- | --- | --- |"]
    for limit in fields(MemoryLimits):
        key = to_camel(limit.name)
        applied = [name for name in STRATEGIES if limit.name in strategy_of(name).applies]
        told = "all three" if len(applied) == len(STRATEGIES) else ", ".join(f"`{name}`" for name in applied)
        rows.append(f"| `{key}` | {told} | {BOUNDS[key]} |")
    return "\n".join(rows)


def render_memory_refusals() -> str:
    """A table of what a call is refused with; each message is that of a call which was made."""
    rows = ["| when | code | what the agent is told |", "| --- | --- | --- |"]
    for denied in DENIED:
        refusal = denied.refusal()
        rows.append(f"| {denied.when} | `{refusal.code}` | {refusal} |")
    return "\n".join(rows)


def _strategy_row(strategy: Strategy) -> str:
    offered = [operation for id_, operation in OPERATIONS.items() if id_ in strategy.calls]
    calls = ", ".join(f"`{operation.name}`" for operation in offered)
    tools = ", ".join(f"`{operation.native.name}`" for operation in offered if operation.native)
    return f"| `{strategy.name}` | {PINNED[strategy.name]} | {calls} | {tools} |"


def _holder(store: MemoryStore, access: Access) -> Holder:
    calls = dict(_spellings(store.strategy))
    kept = {id_: calls[id_] for id_ in calls if access == "write" or id_ not in store.strategy.mutating}
    return Holder(store, agent_id="analyst", access=access, scope="isolated", calls=kept)


def _spellings(strategy: Strategy) -> Iterator[tuple[str, str]]:
    for id_, operation in OPERATIONS.items():
        if id_ in strategy.calls:
            yield id_, operation.spelling
