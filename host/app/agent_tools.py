"""What one agent is given from outside, in each of the forms that its parts need."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property

from host.operations import Grants, Operation, operation_id, tool_operations
from host.tools import Namespace, render_namespaces
from runtime_js import ToolNamespace


@dataclass(frozen=True, kw_only=True)
class AgentTools:
    """The tools of one agent of the configuration."""

    namespaces: tuple[Namespace, ...] = ()

    @cached_property
    def rows(self) -> Mapping[str, Operation]:
        """The tools as operations, by id."""
        return tool_operations(self.namespaces)

    @cached_property
    def declarations(self) -> str:
        """The module `gg:tools` as programs are checked with it."""
        return render_namespaces(self.namespaces)

    @cached_property
    def guest_namespaces(self) -> tuple[ToolNamespace, ...]:
        """The tools as a program imports them."""
        return tuple(
            ToolNamespace(
                namespace.name,
                tuple((typed.identifier, operation_id(typed.tool)) for typed in namespace.tools),
            )
            for namespace in self.namespaces
        )

    def callable_by(self, grants: Grants) -> tuple[Namespace, ...]:
        """The namespaces with the tools alone that the agent may call; those without any are left out."""
        offered = (
            replace(
                namespace,
                tools=tuple(typed for typed in namespace.tools if grants.permits(operation_id(typed.tool))),
            )
            for namespace in self.namespaces
        )
        return tuple(namespace for namespace in offered if namespace.tools)


NO_TOOLS = AgentTools()
