"""What a checked configuration comes to: values with units, paths made absolute, nothing left to look up."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from host.core.hashing import document_sha256
from host.core.healing import DEFAULT_HEALING, HealingSettings
from host.launch.record_plans import RecordsPlan
from host.launch.skillbook_plans import SkillbookPlan
from host.launch.tool_plans import ShellPlan, SkillsPlan, ToolsPlan
from host.memories import MemoryLimits
from host.providers import RealModel, ScriptedSource


@dataclass(frozen=True, kw_only=True)
class CompactionPlan:
    """An enabled compaction capability: at `threshold` of `context_window_tokens` the window is rewritten."""

    strategy: Literal["summary", "memory-compaction"]
    threshold: float
    context_window_tokens: int


@dataclass(frozen=True, kw_only=True)
class ScriptedModel:
    """A model whose replies are written beforehand, or come from a Python function.

    In a document that is built in memory it may stand in place of a `model` object.
    """

    replies: ScriptedSource
    context_window_tokens: int | None = None
    counter: str = "characters"


@dataclass(frozen=True, kw_only=True)
class HumanModel:
    """A person writes the replies."""

    context_window_tokens: int | None = None
    counter: str = "characters"


def model_name(model: ScriptedModel | HumanModel | RealModel) -> str:
    """`scripted`, `human`, or vendor and model, such as `openai:gpt-5`."""
    match model:
        case ScriptedModel():
            return "scripted"
        case HumanModel():
            return "human"
        case RealModel(name=name):
            return name


@dataclass(frozen=True, kw_only=True)
class ErrorRate:
    """An agent is stopped when strictly more than `share` of its last `window` turns were error turns.

    Nothing is judged before `window` turns have been made.
    """

    share: float
    window: int


@dataclass(frozen=True, kw_only=True)
class RunLimits:
    """What ends the run; `None` is not armed."""

    max_turns: int | None = None
    max_runtime_s: float | None = None
    max_consecutive_errors: int | None = None
    error_rate: ErrorRate | None = None
    max_cost: float | None = None


@dataclass(frozen=True, kw_only=True)
class SandboxPlan:
    """What one program may use, and whether an unconfined worker is tolerated."""

    guest_s: float = 30.0
    memory_bytes: int = 256 * 2**20
    confine: Literal["required", "best-effort"] = "required"


@dataclass(frozen=True, kw_only=True)
class CodeModePlan:
    """How a reply becomes a program."""

    typecheck: Literal["error", "warn", "off"] = "error"
    delivery: Literal["reply", "tool"] = "reply"
    healing: HealingSettings = DEFAULT_HEALING


@dataclass(frozen=True, kw_only=True)
class MemoriesPlan:
    """An enabled memories capability."""

    strategy: str
    scope: str
    limits: MemoryLimits
    may_revise: bool = True


@dataclass(frozen=True, kw_only=True)
class FilesPlan:
    """An enabled files capability: `directory` is absolute and was there when the launch was checked."""

    directory: Path
    write: bool = False
    copy: bool = False


RosterRole = Literal["subagent", "implementer", "reviewer", "merge"]


@dataclass(frozen=True, kw_only=True)
class RosterEntry:
    """An agent that another one may start, and what as."""

    agent: str
    role: RosterRole


@dataclass(frozen=True, kw_only=True)
class StatePlan:
    """A state of the run's machine: who acts in it, and which states it may hand over to.

    `to` has for each of them the kinds of modules that are transferred, such as `memories`.
    """

    agent: str
    to: Mapping[str, frozenset[str]]


@dataclass(frozen=True, kw_only=True)
class BoardPlan:
    """Who works on issues."""

    implementer: str
    reviewer: str
    merge: str


@dataclass(frozen=True, kw_only=True)
class AgentPlan:
    """One agent; a capability that is off or not written is `None`."""

    id: str
    model: ScriptedModel | HumanModel | RealModel
    execution: Literal["responses_as_code", "tool_calling"] = "responses_as_code"
    code_mode: CodeModePlan = CodeModePlan()
    prompt: str = ""
    memories: MemoriesPlan | None = None
    files: FilesPlan | None = None
    keeps_programs: bool = False
    manages_context: bool = False
    compaction: CompactionPlan | None = None
    delegates: bool = False
    roster: tuple[RosterEntry, ...] = ()
    tools: ToolsPlan | None = None
    shell: ShellPlan | None = None
    skills: SkillsPlan | None = None
    records: RecordsPlan | None = None
    skillbook: SkillbookPlan | None = None


@dataclass(frozen=True, kw_only=True)
class LaunchPlan:
    """A run that may start.

    `document` is the configuration as written, as JSON values; its paths are relative to `base`.
    """

    name: str
    task: str
    root: str
    agents: tuple[AgentPlan, ...]
    base: Path
    document: Mapping[str, object]
    limits: RunLimits = RunLimits()
    sandbox: SandboxPlan = SandboxPlan()
    seed: int | None = None
    max_parallel: int = 16
    states: Mapping[str, StatePlan] = field(default_factory=dict)
    board: BoardPlan | None = None

    def agent(self, id_: str) -> AgentPlan:
        """The entry of that id."""
        return next(agent for agent in self.agents if agent.id == id_)

    @property
    def root_agent(self) -> AgentPlan:
        return self.agent(self.root)

    @property
    def config_sha256(self) -> str:
        return document_sha256(self.document)
