"""What the capability `records` needs beyond the type of each value."""

from collections.abc import Iterator, Mapping

from host.launch.embeddings import embeddings_missing
from host.launch.places import Path, Problem, entries_at, mapping_at, value_at
from host.launch.written import capabilities_at, is_on


def record_problems(document: Mapping[str, object], path: Path) -> Iterator[Problem]:
    """Every problem of the capability at `path`, if it is `records` and on."""
    if mapping_at(document, path).get("id") != "records" or not is_on(document, path):
        return
    params = (*path, "params")
    missing = embeddings_missing()
    if mapping_at(document, params).get("hybrid") is True and missing is not None:
        message = f"{missing}; or write false, and records are searched by their words alone"
        yield Problem(path=(*params, "hybrid"), message=message, found=True)
    if any(capabilities_at(document, path[:2], "memories")):
        return
    promoted = (*params, "promote")
    if entries_at(document, promoted):
        message = "promotes memories, and this agent has no capability `memories`"
        found = value_at(document, promoted)
        yield Problem(path=promoted, message=message, found=found, is_of_key=True)
