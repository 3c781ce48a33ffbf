"""What a document says of its agents, as far as it is usable."""

from collections.abc import Iterator, Mapping

from host.launch.fields import IDENTIFIER, did_you_mean
from host.launch.places import Path, Problem, entries_at, mapping_at, value_at


def agents_by_id(document: Mapping[str, object]) -> dict[str, Path]:
    """Where each agent stands that has an id, of two with the same the first."""
    found: dict[str, Path] = {}
    for path in entries_at(document, ("agents",)):
        id_ = value_at(document, (*path, "id"))
        if isinstance(id_, str):
            found.setdefault(id_, path)
    return found


def capabilities_at(document: Mapping[str, object], agent: Path, name: str) -> Iterator[Path]:
    """Where an agent's capability of that name stands; once, unless a slip is reported."""
    for path in entries_at(document, (*agent, "capabilities")):
        if mapping_at(document, path).get("id") == name:
            yield path


def is_on(document: Mapping[str, object], capability: Path) -> bool:
    """Whether it is enabled, as it is unless something else is written."""
    return mapping_at(document, capability).get("enabled", True) is True


def name_at(document: Mapping[str, object], path: Path) -> str:
    """A name that a study fills in, without the white space around it; empty where there is none."""
    found = value_at(document, path)
    return found.strip() if isinstance(found, str) else ""


def unknown_name(
    document: Mapping[str, object], path: Path, known: tuple[str, ...], what: str
) -> Iterator[Problem]:
    """A name at `path` that is none of the known ones; silent where one of these has a slip itself."""
    found = value_at(document, path)
    if isinstance(found, str) and found not in known and are_usable(known):
        hint = did_you_mean(found, known)
        yield Problem(path=path, message=f"names no {what}{hint}", found=found, known=known)


def are_usable(names: tuple[str, ...]) -> bool:
    """Whether there are names, all of them well formed."""
    return bool(names) and all(IDENTIFIER.fullmatch(name) for name in names)
