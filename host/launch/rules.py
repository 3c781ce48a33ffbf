"""Rules over the whole document that no single value's type can state.

Each rule reads what is usable and skips the rest, which `structure` has reported already: one slip is named
once. Nothing here changes anything on the disk.
"""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path as FilePath
from typing import Final

from host.launch.capabilities import SCOPES, STRATEGIES
from host.launch.compaction_rules import compaction_problems
from host.launch.model_rules import model_problems
from host.launch.places import ABSENT, Path, Problem, entries_at, mapping_at, value_at
from host.launch.record_rules import record_problems
from host.launch.roster_rules import roster_problems
from host.launch.skillbook_rules import skillbook_problems
from host.launch.sources import directory_problem
from host.launch.state_rules import state_problems
from host.launch.teams import BoardSettings
from host.launch.tool_rules import outside_problems, server_problems
from host.launch.written import agents_by_id, is_on, unknown_name

AGENTS: Final[Path] = ("agents",)
# What an enabled memories capability writes under `params`, whichever strategy it selects.
_PARAMS: Final[Mapping[str, str]] = {
    "scope": "which store the agent binds",
    "maxCount": "the most memories at once",
    "maxLenPerMemory": "the most characters of one body",
    "maxTotalLen": "the most characters of all bodies",
    "maxLenIndex": "the most characters of the pinned index",
    "maxLenDescription": "the most characters of one description",
    "maxResults": "the most hits of one search",
}
_WHOLE_PARAMS: Final = (
    '"params": {"scope": "isolated", "maxCount": 64, "maxLenPerMemory": 0, "maxTotalLen": 0,'
    ' "maxLenIndex": 4096, "maxLenDescription": 256, "maxResults": 25}'
)


def check_rules(
    document: Mapping[str, object],
    *,
    base: FilePath,
    environ: Mapping[str, str] | None = None,
    asks_models: bool = True,
) -> list[Problem]:
    """Every problem that concerns more than one place, the disk beside the configuration, or the environment,
    where that is given. Unless it `asks_models`, what asking a vendor's takes is not looked for.
    """
    return [
        *_agents(document),
        *_places(document),
        *roster_problems(document),
        *state_problems(document),
        *_limits(document),
        *server_problems(document),
        *model_problems(document, base=base, environ=environ, asks_models=asks_models),
        *(
            problem
            for path in _capability_paths(document)
            for problem in _capability(document, path, base, environ)
        ),
        *dict.fromkeys(  # agents may share the model that does not say how large its window is
            problem
            for path in entries_at(document, AGENTS)
            for problem in compaction_problems(document, path)
        ),
    ]


def _agents(document: Mapping[str, object]) -> Iterator[Problem]:
    paths = entries_at(document, AGENTS)
    yield from _duplicates(document, paths, "agent")
    for path in paths:
        yield from _duplicates(document, entries_at(document, (*path, "capabilities")), "capability")


def _duplicates(document: Mapping[str, object], paths: Iterable[Path], what: str) -> Iterator[Problem]:
    seen: set[str] = set()
    for path in paths:
        found = value_at(document, (*path, "id"))
        if not isinstance(found, str):
            continue
        if found in seen:
            yield Problem(path=(*path, "id"), message=f"this {what} is already declared", found=found)
        seen.add(found)


def _places(document: Mapping[str, object]) -> Iterator[Problem]:
    """The agents that the run gives a place to: the root, and who works on issues."""
    known = tuple(agents_by_id(document))
    for path in (("root",), *(("board", role) for role in BoardSettings.model_fields)):
        yield from unknown_name(document, path, known, "agent")


def _limits(document: Mapping[str, object]) -> Iterator[Problem]:
    limits = mapping_at(document, ("limits",))
    for written, missing in (("maxErrorRate", "errorRateWindow"), ("errorRateWindow", "maxErrorRate")):
        if limits.get(written) is not None and limits.get(missing) is None:
            yield Problem(path=("limits", missing), message=f"required, since {written} is written")


def _capability_paths(document: Mapping[str, object]) -> Iterator[Path]:
    for path in entries_at(document, AGENTS):
        yield from entries_at(document, (*path, "capabilities"))


def _capability(
    document: Mapping[str, object], path: Path, base: FilePath, environ: Mapping[str, str] | None
) -> Iterator[Problem]:
    capability = mapping_at(document, path)
    on = is_on(document, path)
    if capability.get("id") == "memories" and on:
        yield from _enabled_memories(document, path)
    if capability.get("id") == "files":
        yield from directory_problem(document, (*path, "params", "dir"), base=base, is_required=on)
    yield from outside_problems(document, path, base=base, environ=environ)
    yield from record_problems(document, path)
    yield from skillbook_problems(document, path, base=base)


def _enabled_memories(document: Mapping[str, object], path: Path) -> Iterator[Problem]:
    place = (*path, "implementation")
    strategy = value_at(document, place)
    if strategy in (None, ABSENT) or (isinstance(strategy, str) and not strategy.strip()):
        message = "required: the strategy of an enabled capability"
        found = strategy if isinstance(strategy, str) else ABSENT
        yield Problem(path=place, message=message, found=found, known=STRATEGIES)
    params = mapping_at(document, (*path, "params"))
    missing = [key for key in _PARAMS if params.get(key) is None]
    for key in missing:
        is_first_of_all = len(missing) == len(_PARAMS) and key == missing[0]
        yield Problem(
            path=(*path, "params", key),
            message=f"required: {_PARAMS[key]}{'' if key == 'scope' else '; 0 lifts the limit'}",
            known=SCOPES if key == "scope" else (),
            example=_WHOLE_PARAMS if is_first_of_all else "",
        )
