"""The table of operations: every call there is, in the order in which families are presented."""

from typing import Final

from host.operations.families import (
    board,
    context,
    delegation,
    docs,
    files,
    memories,
    programs,
    records,
    session,
    shell,
    skillbook,
    skills,
    views,
)
from host.operations.model import Operation

FAMILIES: Final = (
    memories.FAMILY,
    skills.FAMILY,
    records.FAMILY,
    skillbook.FAMILY,
    views.FAMILY,
    docs.FAMILY,
    files.FAMILY,
    shell.FAMILY,
    programs.FAMILY,
    context.FAMILY,
    delegation.FAMILY,
    board.FAMILY,
    session.FAMILY,
)
OPERATIONS: Final[dict[str, Operation]] = {
    operation.id: operation for family in FAMILIES for operation in family.operations
}
