"""What the capability `records` needs beyond the type of each value."""

from collections.abc import Iterator, Mapping

from host.launch.places import Path, Problem, entries_at, mapping_at, value_at
from host.launch.record_settings import EXTRA
from host.launch.written import capabilities_at, is_on


def record_problems(document: Mapping[str, object], path: Path) -> Iterator[Problem]:
    """Every problem of the capability at `path`, if it is `records` and on."""
    if mapping_at(document, path).get("id") != "records" or not is_on(document, path):
        return
    params = (*path, "params")
    if mapping_at(document, params).get("hybrid") is True:
        message = (
            f"needs the extra `{EXTRA}`, which this version of gg does not have yet; write false, and records"
            " are searched by the words that they share with the query"
        )
        yield Problem(path=(*params, "hybrid"), message=message, found=True)
    if any(capabilities_at(document, path[:2], "memories")):
        return
    promoted = (*params, "promote")
    if entries_at(document, promoted):
        message = "promotes memories, and this agent has no capability `memories`"
        found = value_at(document, promoted)
        yield Problem(path=promoted, message=message, found=found, is_of_key=True)
