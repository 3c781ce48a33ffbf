"""What an agent may call: one predicate for the bracket, for remedies and for what an agent is told."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from host.core.errors import Refusal
from host.core.text import escape_line, join_words, nearest, shortened
from host.operations.model import Operation

_SHOWN_CHARS: Final = 80


@dataclass(frozen=True)
class Grants:
    """The operations that one agent holds, of all there are."""

    operations: Mapping[str, Operation]
    granted: frozenset[str]

    def permits(self, operation_id: str) -> bool:
        return operation_id in self.granted

    def spellings(self) -> dict[str, str]:
        """Operation id to the call as this agent writes it."""
        return {id_: self.operations[id_].spelling for id_ in sorted(self.granted)}

    def find(self, operation_id: str) -> Operation:
        """The operation, if this agent holds it.

        Raises `Refusal` `unavailable`, naming the calls of that family that the agent has, or the nearest.
        """
        if operation_id in self.granted:
            return self.operations[operation_id]
        spelling = self.spelling(operation_id)
        family = operation_id.partition(".")[0]
        siblings = [
            self.operations[id_].spelling for id_ in sorted(self.granted) if id_.startswith(f"{family}.")
        ]
        names = siblings or list(nearest(spelling, self.spellings().values()))
        offered = f" The calls there are: {join_words(names)}." if names else ""
        raise Refusal(
            "unavailable", f"{spelling} is not available to this agent.{offered}", kind="not_granted"
        )

    def spelling(self, operation_id: str) -> str:
        """The call as a program writes it; what stands in no table is cut and escaped."""
        operation = self.operations.get(operation_id)
        return operation.spelling if operation else escape_line(shortened(operation_id, _SHOWN_CHARS))


def granted_by(
    operations: Iterable[Operation], capabilities: frozenset[str], withheld: frozenset[str]
) -> frozenset[str]:
    """The ids that an agent's capabilities grant, less those withheld from it."""
    return frozenset(
        operation.id
        for operation in operations
        if (not operation.capability or operation.capability in capabilities) and operation.id not in withheld
    )
