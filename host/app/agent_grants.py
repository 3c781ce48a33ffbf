"""What an agent may call: by its plan, by the run around it, and by how it came to be there."""

from collections.abc import Mapping
from types import MappingProxyType

from host.app.approving import policy_of
from host.events import StartKind
from host.launch import AgentPlan, LaunchPlan, MemoriesPlan
from host.memories import Access, strategy_of
from host.operations import OPERATIONS, Grants, Operation, Role, granted_by


def grants_of(
    plan: AgentPlan,
    run: LaunchPlan,
    *,
    place: StartKind = "root",
    access: Access = "write",
    tools: Mapping[str, Operation] = MappingProxyType({}),
) -> Grants:
    """The operations of one instance, of which `tools` are its own.

    `place` is how it came to be or, where it took the place of another agent, how that one did. `access` is
    to its memories: where it may only read them it has no call that writes. It has none either that the
    operator's rules forbid.
    """
    capabilities = frozenset(name for name, on in _held(plan, place).items() if on)
    offered = _offered(plan.memories) if plan.memories else frozenset[str]()
    writing = strategy_of(plan.memories.strategy).mutating if plan.memories else frozenset[str]()
    barred = offered & writing if access == "read" else frozenset[str]()
    of_memories = frozenset(id_ for id_ in OPERATIONS if id_.startswith("memories."))
    operations = {**OPERATIONS, **tools} if tools else OPERATIONS
    denied = policy_of(plan).denied(operations)
    withheld = (of_memories - offered) | barred | denied | _without_use(plan, run)
    role: Role = "reviewer" if place == "reviewer" else "worker"
    granted = granted_by(operations.values(), capabilities, withheld, role)
    return Grants(operations, granted, native=plan.execution == "tool_calling", barred=barred)


def _held(plan: AgentPlan, place: StartKind) -> dict[str, bool]:
    reflects = place == "reflector"
    return {
        "memories": plan.memories is not None,
        "files": plan.files is not None,
        "program-library": plan.keeps_programs,
        "agent-managed-context": plan.manages_context,
        "delegation": plan.delegates and not reflects,  # whom it started could outlast the run
        "tools": plan.tools is not None,
        "shell": plan.shell is not None,
        "skills": plan.skills is not None and bool(plan.skills.skills),
        "records": plan.records is not None,
        "skillbook": reflects,
    }


def _offered(memories: MemoriesPlan) -> frozenset[str]:
    """The calls of the strategy, less those that revise where memories are append-only."""
    strategy = strategy_of(memories.strategy)
    return strategy.calls if memories.may_revise else strategy.calls - strategy.revising


def _without_use(plan: AgentPlan, run: LaunchPlan) -> frozenset[str]:
    """The calls of delegation that could never do anything in this run."""
    has_use = {
        "delegation.spawn_subagent": any(entry.role == "subagent" for entry in plan.roster),
        "delegation.exec": bool(plan.roster or run.states),
        "delegation.transition_state": any(state.agent == plan.id for state in run.states.values()),
        "board.create_issue": run.board is not None,
        "board.wait_for_issue": run.board is not None,
    }
    return frozenset(id_ for id_, has in has_use.items() if not has)
