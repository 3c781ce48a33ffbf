"""A filter as SQL over whole rows, readable or not, for what walks through all that it names."""

import json

from host.records.states import Filter


def condition(wanted: Filter) -> tuple[str, dict[str, object]]:
    """A condition on the table `records` under the name `r`, and its parameters."""
    conditions: list[str] = []
    values: dict[str, object] = {}
    if wanted.record_ids:
        conditions.append("r.id IN (SELECT value FROM json_each(:record_ids))")
        values["record_ids"] = json.dumps(wanted.record_ids)
    for place, tag in enumerate(wanted.tags):
        conditions.append(f"r.seq IN (SELECT seq FROM record_tags WHERE tag = :tag{place})")
        values[f"tag{place}"] = tag
    if wanted.kind:
        conditions.append("r.kind = :kind")
        values["kind"] = wanted.kind
    return " AND ".join(conditions) or "1", values
