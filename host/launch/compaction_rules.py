"""What an enabled compaction needs: a context window to measure against, and memories that can be written."""

from collections.abc import Iterator, Mapping
from typing import Final, TypeGuard

from host.core.text import join_words
from host.launch.capabilities import COMPACTIONS
from host.launch.lineage import lenders_of
from host.launch.places import ABSENT, Path, Problem, mapping_at, value_at
from host.launch.written import capabilities_at, is_on, name_at
from host.memories import Memory

_BLOCK: Final = '"implementation": "summary", "params": {"threshold": 0.85}'
_MODEL: Final = 'write {{"provider": "{}", "contextWindow": 128000}}'
# Where nothing can be revised, these limits fill a store for good.
_FILLING: Final[Mapping[str, tuple[str, ...]]] = {
    "scratchpad": ("maxCount", "maxTotalLen"),
    "markdown": ("maxLenIndex",),
    "keyword-search": ("maxCount",),
}
_SHORTEST: Final = Memory(name="a", description="b", body="c", code=None, on_use=None, revision=1)


def compaction_problems(document: Mapping[str, object], agent: Path) -> Iterator[Problem]:
    """Every problem of an agent's compaction; one that is off has none but those of its values."""
    for path in capabilities_at(document, agent, "compaction"):
        if not is_on(document, path):
            continue
        yield from _unnamed(document, path)
        yield from _unmeasured(document, agent)
        strategy = name_at(document, (*path, "implementation"))
        if strategy == "memory-compaction":
            for message in _unsatisfiable(document, agent):
                yield Problem(path=(*path, "implementation"), message=message, found=strategy)


def _unnamed(document: Mapping[str, object], path: Path) -> Iterator[Problem]:
    found = value_at(document, (*path, "implementation"))
    if found in (None, ABSENT) or (isinstance(found, str) and not found.strip()):
        yield Problem(
            path=(*path, "implementation"),
            message="required: how an enabled capability compacts",
            found=found if isinstance(found, str) else ABSENT,
            known=COMPACTIONS,
            example=_BLOCK,
        )


def _unmeasured(document: Mapping[str, object], agent: Path) -> Iterator[Problem]:
    """The agent's model, or the run's, has to say how large its context window is."""
    own = (*agent, "model")
    path: Path = own if value_at(document, own) not in (None, ABSENT) else ("model",)
    model = value_at(document, path)
    why = "the tokens of the model's context window, since compaction is enabled"
    if isinstance(model, str):
        yield Problem(path=path, message=f"needs contextWindow, {why}; {_MODEL.format(model)}", found=model)
    elif isinstance(model, Mapping) and model.get("contextWindow") is None:
        yield Problem(path=(*path, "contextWindow"), message=f"required: {why}")


def _unsatisfiable(document: Mapping[str, object], agent: Path) -> Iterator[str]:
    """Why an agent could come to a window that it cannot have compacted."""
    paths = list(capabilities_at(document, agent, "memories"))
    if not paths:
        yield "needs memories to record in, and this agent has none"
        return
    path = paths[0]
    if mapping_at(document, path).get("enabled") is False:
        yield "needs memories to record in, and those of this agent are off"
        return
    if value_at(document, (*path, "params", "scope")) == "read-only":
        yield "needs a call that writes memories, and the scope of this agent's is read-only"
    yield from _never_satisfied(document, agent, path, whose="")
    for lender, kept in lenders_of(document, value_at(document, (*agent, "id"))):
        yield from _never_satisfied(
            document, agent, kept.capability, whose=f" of {lender}, which it inherits,"
        )


def _never_satisfied(document: Mapping[str, object], agent: Path, lent: Path, *, whose: str) -> Iterator[str]:
    """Why the limits at `lent`, those of the store, can leave the agent nothing to write."""
    strategy = name_at(document, (*lent, "implementation"))
    params = mapping_at(document, (*lent, "params"))
    filling = [f"{key} is {params[key]}" for key in _FILLING.get(strategy, ()) if _is_limit(params.get(key))]
    if filling and _is_append_only(document, agent):
        yield (
            f"could not be satisfied once the memories{whose} are full: {join_words(filling)}, and"
            " reviseMemories is false; lift what fills them with 0, or allow revising"
        )
    line_chars, index_chars = len(_SHORTEST.index_line), params.get("maxLenIndex")
    if strategy == "markdown" and _is_limit(index_chars) and index_chars < line_chars:
        yield (
            f"could never be satisfied: maxLenIndex{whose} is {index_chars}, and the index of one"
            f" memory has {line_chars} characters at least"
        )


def _is_append_only(document: Mapping[str, object], agent: Path) -> bool:
    return any(
        value_at(document, (*path, "features", "reviseMemories")) is False
        for path in capabilities_at(document, agent, "memories")
    )


def _is_limit(found: object) -> TypeGuard[int]:
    return isinstance(found, int) and not isinstance(found, bool) and found > 0
