"""The table of operations: every call there is, in the order in which families are presented."""

from typing import Final

from host.operations.families import files, memories, session, views
from host.operations.model import Operation

FAMILIES: Final = (memories.FAMILY, views.FAMILY, files.FAMILY, session.FAMILY)
OPERATIONS: Final[dict[str, Operation]] = {
    operation.id: operation for family in FAMILIES for operation in family.operations
}
