"""What an agent may call: one predicate for the bracket, for remedies and for what an agent is told."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from pydantic.alias_generators import to_snake

from host.core.errors import Refusal
from host.core.text import escape_line, join_words, nearest, shortened
from host.operations.model import Operation, Role

_SHOWN_CHARS: Final = 80
_SHOWN_TOOLS: Final = 40


@dataclass(frozen=True)
class Grants:
    """The operations that one agent holds, of all there are.

    With `native`, its replies call tools: it holds those alone that are one, under their names there.
    `barred` are calls that its access to the memories forbids. They are not among those that it has, and it
    is told of none of them; one that is made all the same is found, for that access to refuse it.
    """

    operations: Mapping[str, Operation]
    granted: frozenset[str]
    native: bool = False
    barred: frozenset[str] = frozenset()

    def permits(self, operation_id: str) -> bool:
        return operation_id in self._held

    def spellings(self) -> dict[str, str]:
        """Operation id to the call as this agent writes it."""
        return {id_: self.spelling(id_) for id_ in sorted(self._held)}

    def find(self, operation_id: str) -> Operation:
        """The operation, if this agent holds it, or its access alone forbids it.

        Raises `Refusal` `unavailable`, naming the calls of that family that the agent has, or the nearest.
        """
        if operation_id in self._held or operation_id in self.barred:
            return self.operations[operation_id]
        raise self._not_held(operation_id)

    def find_tool(self, name: str) -> Operation:
        """The operation that is this tool, if this agent holds it or its access alone forbids it.

        Raises `Refusal` `unavailable`, naming the tools of that family that the agent has; for a name that no
        tool has, the one that was most likely meant, and all.
        """
        operation = self.tool(name)
        if operation is not None:
            return self.find(operation.id)
        meant = self._spelled_otherwise(name)
        if meant is not None and not self.permits(meant.id):
            raise self._not_held(meant.id)
        near = [self.spelling(meant.id)] if meant else nearest(name, self._tools, count=1)
        raise _unavailable(shown_name(name), self._tools, near=near)

    def tool(self, name: str) -> Operation | None:
        """The operation that is this tool, whoever holds it."""
        return self._by_name.get(name)

    def spelling(self, operation_id: str) -> str:
        """The call as this agent writes it; what stands in no table is cut and escaped."""
        operation = self.operations.get(operation_id)
        if operation is None:
            return shown_name(operation_id)
        return operation.native.name if self.native and operation.native else operation.spelling

    def _spelled_otherwise(self, name: str) -> Operation | None:
        """The operation that a program calls so, or whose tool that is in another case or after a dot."""
        if len(name) > _SHOWN_CHARS:
            return None
        in_snake_case = to_snake(name.rpartition(".")[2])
        called_so = (row for row in self._by_name.values() if name in (row.id, row.spelling))
        return self._by_name.get(in_snake_case) or next(called_so, None)

    def _not_held(self, operation_id: str) -> Refusal:
        spelling = self.spelling(operation_id)
        family = operation_id.partition(".")[0]
        siblings = [self.spelling(id_) for id_ in sorted(self._held) if id_.startswith(f"{family}.")]
        named = _first(siblings) or list(nearest(spelling, self.spellings().values()))
        return _unavailable(spelling, named)

    @cached_property
    def _held(self) -> frozenset[str]:
        if not self.native:
            return self.granted
        return self.granted & {operation.id for operation in self._by_name.values()}

    @cached_property
    def _by_name(self) -> Mapping[str, Operation]:
        found: dict[str, Operation] = {}
        for row in self.operations.values():
            if row.native is None:
                continue
            # Two families have a tool of one name, of which no agent that calls tools is granted both.
            named = found.get(row.native.name)
            if named is None or (row.id in self.granted and named.id not in self.granted):
                found[row.native.name] = row
        return found

    @cached_property
    def _tools(self) -> list[str]:
        """Names of the tools that are held, in the order of the table, the first of very many."""
        return _first([name for name, operation in self._by_name.items() if operation.id in self._held])


def _first(names: list[str]) -> list[str]:
    more = [f"{len(names) - _SHOWN_TOOLS} more"] if len(names) > _SHOWN_TOOLS else []
    return [*names[:_SHOWN_TOOLS], *more]


def shown_name(name: str) -> str:
    """A name that stands in no table, on one line and cut."""
    return escape_line(shortened(name, _SHOWN_CHARS))


def granted_by(
    operations: Iterable[Operation],
    capabilities: frozenset[str],
    withheld: frozenset[str],
    role: Role = "worker",
) -> frozenset[str]:
    """The ids that an agent's role and capabilities grant, less those withheld from it."""
    return frozenset(
        operation.id
        for operation in operations
        if (not operation.capability or operation.capability in capabilities)
        and operation.role in (None, role)
        and operation.id not in withheld
    )


def _unavailable(spelling: str, calls: list[str], *, near: Iterable[str] = ()) -> Refusal:
    hint = "".join(f" Did you mean {name}?" for name in near)
    offered = f" The calls there are: {join_words(calls)}." if calls else ""
    message = f"{spelling} is not available to this agent.{hint}{offered}"
    return Refusal("unavailable", message, kind="not_granted")
