"""What the agents of one run are built on."""

from dataclasses import dataclass, field

from host.app.approving import Approvals
from host.app.driven import Driven
from host.app.reflection.run_books import RunBooks
from host.app.run_records import RunRecords
from host.app.run_tools import RunTools
from host.app.workspaces import Workspaces
from host.events import SessionRecord
from host.launch import LaunchPlan
from host.memories import StoreRegistry
from host.providers import Ask, RunModels
from host.turn import RunState
from runtime_js import Compiler
from sandbox import SandboxPool


@dataclass(frozen=True, kw_only=True)
class ProgramParts:
    """What programs are compiled by and run in."""

    compiler: Compiler
    pool: SandboxPool


@dataclass(frozen=True, kw_only=True)
class RunParts:
    """Shared by all agents. `programs` is absent where the replies of none are programs, `ask` where no
    person is there to be asked, `driven` where the root is not driven from outside, `records` where no agent
    has the record store.
    """

    plan: LaunchPlan
    run: RunState
    run_seed: int
    record: SessionRecord
    programs: ProgramParts | None
    workspaces: Workspaces
    approvals: Approvals
    models: RunModels
    books: RunBooks
    ask: Ask | None = None
    driven: Driven | None = None
    records: RunRecords | None = None
    tools: RunTools = field(default_factory=RunTools)
    stores: StoreRegistry = field(default_factory=StoreRegistry)
