"""What a run needs before its record begins: workers for programs, and a person where one is asked."""

from contextlib import ExitStack

from host.core.errors import HostError
from host.launch import HumanModel, LaunchPlan
from host.providers import Ask
from runtime_js import find_toolchain, guest_globals
from sandbox import Limits, SandboxPool


class NobodyToAsk(HostError):
    """An agent's model is a person, and nobody is there to be asked."""


def refuse_nobody(plan: LaunchPlan, ask: Ask | None) -> None:
    """Raises `NobodyToAsk`."""
    asks = [agent.id for agent in plan.agents if isinstance(agent.model, HumanModel)]
    if asks and ask is None:
        raise NobodyToAsk(
            f"agent {asks[0]} has a human model, and nobody is there to be asked;"
            " start it with gg run or gg repl, or give it a scripted function"
        )


def runs_programs(plan: LaunchPlan) -> bool:
    """Whether the replies of an agent are programs."""
    return any(agent.execution == "responses_as_code" for agent in plan.agents)


def ready_pool(plan: LaunchPlan, undo: ExitStack) -> SandboxPool:
    """The workers, of which one has started; the compilers are there as well."""
    find_toolchain()
    pool = SandboxPool(
        globals=guest_globals(),
        limits=Limits(guest_s=plan.sandbox.guest_s, memory_bytes=plan.sandbox.memory_bytes),
        confine=plan.sandbox.confine,
    )
    undo.enter_context(pool).ready()
    return pool
