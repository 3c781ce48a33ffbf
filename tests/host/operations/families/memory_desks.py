"""Desks of agents that keep memories: real stores, and real compilers where programs run."""

from host.context import Window
from host.core.errors import HostDefect
from host.memories import Access, Holder, Memory, MemoryLimits, MemoryStore, Strategy, strategy_of
from host.operations import FAMILIES, OPERATIONS, Grants, native_fields, render_declarations
from host.turn import AgentCode
from runtime_js import Compiler, CompilerBroken
from tests.host.operations.callers import Desk

LIMITS = MemoryLimits(
    max_count=2,
    max_len_per_memory=40,
    max_total_len=60,
    max_len_index=80,
    max_len_description=30,
    max_results=25,
)
NO_MEMORIES = frozenset(id_ for id_ in OPERATIONS if not id_.startswith("memories."))
DECLARATIONS = render_declarations(FAMILIES)
PARSE = (
    "/** Splits a line. */\nexport function parse(line: string): string[] {\n  return line.split(',');\n}\n"
)
SHOW = 'views.openText("shown", "by onUse");\n'
TYPE_ERROR = "export const n: number = 'x';"


def memory(name: str = "csv-tools", **fields: str | None) -> dict[str, str | None]:
    return {"name": name, "description": "Parses exports", "body": "Quotes vary.", **fields}


class MemoryDesk(Desk):
    """A desk of an agent that keeps memories, whose code is compiled."""

    halves: AgentCode


def desk(
    compiler: Compiler,
    strategy: str = "scratchpad",
    *,
    access: Access = "write",
    limits: MemoryLimits = LIMITS,
) -> MemoryDesk:
    """A desk of programs, on a store of its own."""
    chosen = strategy_of(strategy)
    barred = barred_by(access, chosen)
    at = MemoryDesk(granted=(NO_MEMORIES | chosen.calls) - barred, barred=barred)
    at.holder = holder(at, MemoryStore(number=1, strategy=chosen, limits=limits), access=access)
    at.code = at.halves = AgentCode(
        compiler=compiler,
        declarations=DECLARATIONS,
        typecheck="error",
        window=at.window,
        emit=lambda event: at.captured.emit(event, agent_id="root"),
        turn=lambda: 3,
        defect_of=defect_of,
    )
    return at


def tool_desk(
    strategy: str = "scratchpad",
    *,
    access: Access = "write",
    limits: MemoryLimits = LIMITS,
    withheld: frozenset[str] = frozenset(),
) -> Desk:
    """A desk of replies that call tools, on a store of its own."""
    chosen = strategy_of(strategy)
    barred = barred_by(access, chosen)
    at = Desk(granted=(NO_MEMORIES | chosen.calls) - withheld - barred, barred=barred)
    store = MemoryStore(number=1, strategy=chosen, limits=limits)
    at.holder = holder(at, store, access=access, native=True)
    return at


def barred_by(access: Access, strategy: Strategy) -> frozenset[str]:
    """The calls that the access to a store forbids."""
    return strategy.mutating if access == "read" else frozenset()


def holder(at: Desk, store: MemoryStore, *, access: Access = "write", native: bool = False) -> Holder:
    """Of what is granted at a desk."""
    return Holder(
        store,
        agent_id="root",
        access=access,
        scope="isolated",
        calls=Grants(OPERATIONS, at.granted, native).spellings(),
        fields=native_fields(store.strategy) if native else None,
    )


def defect_of(broken: CompilerBroken) -> HostDefect:
    return HostDefect("compiler", broken.detail)


def loaded(at: MemoryDesk) -> list[str]:
    return [module.key for module in at.halves.modules]


def due(at: MemoryDesk) -> list[tuple[str, str]]:
    return [(use.carrier.name, use.key) for use in at.halves.take_due()]


def pages(window: Window) -> list[str]:
    return [view.selector for view in window.current() if view.kind == "docs"]


def names(at: Desk) -> list[str]:
    return [found.name for found in _state(at)]


def held(at: Desk) -> list[str]:
    return [found.body for found in _state(at)]


def _state(at: Desk) -> tuple[Memory, ...]:
    assert at.holder is not None
    return at.holder.state().memories
