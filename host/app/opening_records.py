"""Makes the section of records that an agent begins with, and says in the record what it was served."""

from collections.abc import Callable
from datetime import datetime
from typing import Final

from host.app.agent_records import AgentRecords
from host.app.record_section import section_of
from host.core.envelope import Refused
from host.events import Event
from host.launch import RecordsPlan
from host.operations import record_read_event

MAX_QUERY_CHARS: Final = 4_000
"""Of a task: what a record may have. A task that is longer is mostly what it is to be done with."""


def opening_section(
    records: AgentRecords,
    plan: RecordsPlan,
    *,
    task: str,
    now: datetime,
    search: str,
    emit: Callable[[Event], None],
    note: Callable[[str], None],
) -> str | None:
    """The section, `None` where it is switched off or nothing matches.

    A store that cannot be read keeps no agent from its task: `note` tells the operator. `search` is how the
    agent spells the call that finds more.
    """
    if not plan.has_section:
        return None
    try:
        found = records.about(task[:MAX_QUERY_CHARS])
    except Refused as refused:
        note(f"the agent begins without records: {refused}")
        return None
    section = section_of(found, now=now, max_chars=plan.max_section_chars, search=search)
    if not (section.shown.current or section.shown.stale or section.left_out):
        return None
    records.note(section.shown, turn=0)
    emit(record_read_event(section.shown, "section", left_out=section.left_out, turn=0))
    return section.text or None
