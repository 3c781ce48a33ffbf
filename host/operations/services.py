"""What the operations work on: the parts of one agent, handed to every call.

The protocols are defined here, by the package that uses them; `host.turn` implements them.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, Protocol

from host.context import ArchiveFound, Taken, Window
from host.core.envelope import Envelope
from host.core.module_keys import Carrier
from host.events import CommandOutcome, Event, IssueStatus, ReflectedKind, RunOrigin, Status
from host.memories import Holder
from host.operations.workspace import Workspace
from host.records import Found, Record
from host.skillbook import Done, EvidenceIs, Hit, Skill
from host.skills import AgentSkills
from host.tools import Attachment, Tool, ToolOutput

EndingKind = Literal["finish", "approve", "request_changes"]


class Endings(Protocol):
    """The flag that a program sets to end its agent's session."""

    @property
    def declared(self) -> object | None:
        """The ending that stands, if one was declared this turn."""
        ...

    def declare(self, kind: EndingKind, summary: str = "", items: tuple[str, ...] = ()) -> None:
        """Sets it; `items` are the changes that a review requests."""
        ...


class PreparedHalves(Protocol):
    """The compiled halves of a memory or skill, ready to be loaded."""

    @property
    def problems(self) -> str:
        """Located diagnostics of the halves that do not compile, or an empty text."""
        ...


class CodeHalves(Protocol):
    """The code that an agent's memories and skills carry: compiled, loaded, documented, queued for use."""

    def refuse_over_use_limit(self, on_use: str | None) -> None:
        """Refuses a call that would queue one script more than a turn may run."""
        ...

    def refuse_deep_nesting(self, name: str, code: str | None, on_use: str | None) -> None:
        """Refuses a half whose brackets are nested so deeply that no compiler is given it."""
        ...

    def prepare(self, carrier: Carrier, code: str | None, on_use: str | None) -> PreparedHalves:
        """Compiles both halves and loads nothing. Raises `HostDefect` when a compiler could not finish."""
        ...

    def is_loaded(self, carrier: Carrier) -> bool:
        """Whether its module can be imported from the next program on."""
        ...

    def tell_problems(self, prepared: PreparedHalves) -> None:
        """Has the agent told, in a notice with its next prompt, of the halves that do not compile."""
        ...

    def load(self, prepared: PreparedHalves) -> None:
        """Makes the module importable from the next program on, opens its pages, queues its onUse script."""
        ...

    def unload(self, carrier: Carrier) -> None:
        """Takes its module away from the next program on."""
        ...


PageKind = Literal["module", "function", "type"]


@dataclass(frozen=True, kw_only=True)
class Page:
    """A page of documentation under its canonical key, and what a search looks through.

    A module's constants count as functions, its classes as types. `signature` is empty for a module.
    """

    key: str
    kind: PageKind
    module: str
    name: str
    signature: str
    summary: str
    text: str

    @classmethod
    def of_module(cls, key: str, summary: str, text: str, *, name: str | None = None) -> "Page":
        """The page of a module; `name` is its bare one where that is not the key."""
        return cls(
            key=key,
            kind="module",
            module=key,
            name=key if name is None else name,
            signature="",
            summary=summary,
            text=text,
        )


class Docs(Protocol):
    """The documentation that an agent can open: of what it may call, and of its loaded modules."""

    def pages(self) -> tuple[Page, ...]:
        """Every page, the SDK's first."""
        ...

    def page(self, target: str) -> Page:
        """The page of a key or bare name. Raises `Refusal` `not-found` with the nearest names, or
        `conflict`.
        """
        ...


@dataclass(frozen=True, kw_only=True)
class PastProgram:
    """A program that an agent has sent. `error` is the first line of what went wrong."""

    turn: int
    lines: int
    chars: int
    error: str | None = None


class Programs(Protocol):
    """The programs that an agent has sent, outside its window."""

    def history(self) -> tuple[PastProgram, ...]:
        """Those that are kept, oldest first."""
        ...

    def get(self, turn: int | None) -> str:
        """The source of one, of the latest for `None`. Raises `Refusal` `not-found`."""
        ...

    def rerun(self, source: str) -> None:
        """Registers a program to run when the current one has ended. Raises `Refusal`."""
        ...


class Thread(Protocol):
    """The window of an agent as its programs change it."""

    def archive(self, spans: tuple[tuple[int, int], ...]) -> Taken:
        """Takes the messages of turns out of the window, into the archive. Raises `Refusal`."""
        ...

    def search(self, query: str) -> ArchiveFound:
        """Searches the archive."""
        ...

    def refuse_second_compaction(self) -> None:
        """Raises `Refusal` while the window waits for a compaction that the agent did not ask for."""
        ...

    def compact(self, summary: str) -> None:
        """Replaces everything before this turn by a summary when the turn ends."""
        ...


@dataclass(frozen=True, kw_only=True)
class ChildEnd:
    """How an agent that another one started has ended. `summary` is that of its `finish`."""

    id: str
    agent: str
    status: Status
    summary: str | None = None


class Delegation(Protocol):
    """What an agent may start and hand over to. Every method raises `Refusal`."""

    def spawn(self, agent: str, prompt: str) -> str:
        """Starts an agent of the roster; its id. It runs from now on, beside this one."""
        ...

    def wait(self, ids: tuple[str, ...] | None) -> tuple[ChildEnd, ...]:
        """Blocks until these children have ended, all that were not waited for yet for `None`."""
        ...

    def send(self, id_: str, text: str) -> None:
        """Tells a child something with its next prompt."""
        ...

    def fork(self, prompt: str | None) -> None:
        """Copies this agent when its turn has ended."""
        ...

    def succeed(self, agent: str, prompt: str) -> None:
        """Hands over to an agent when the turn has ended."""
        ...

    def transition(self, state: str) -> None:
        """Hands over to the agent of another state when the turn has ended."""
        ...


@dataclass(frozen=True, kw_only=True)
class IssueEnd:
    """How an issue has ended. `summary` is that of the agent that merged it."""

    id: str
    title: str
    status: IssueStatus
    summary: str | None = None


class Board(Protocol):
    """The issues of a run. Every method raises `Refusal`."""

    def create(self, title: str, body: str, blocked_by: tuple[str, ...]) -> str:
        """Puts an issue on the board; its id. It is worked on as soon as nothing blocks it."""
        ...

    def wait(self, ids: tuple[str, ...] | None) -> tuple[IssueEnd, ...]:
        """Blocks until these issues have ended, all that this agent has created for `None`."""
        ...


class Toolbox(Protocol):
    """What calls the tools of one agent. Thread-safe: a program's calls go on side by side."""

    def call(self, tool: Tool, bound: object) -> ToolOutput:
        """Makes a call with what the tool's `bind` gave, and waits for its end. Raises `Refusal`."""
        ...

    def keep(self, attachments: tuple[Attachment, ...]) -> None:
        """Keeps what calls have given besides their values, until it can be shown."""
        ...

    def take_kept(self) -> tuple[Attachment, ...]:
        """What was kept since, in the order in which the calls ended."""
        ...


@dataclass(frozen=True, kw_only=True)
class CommandEnd:
    """How a command ended.

    `exit_code` is absent where a signal ended it, and `signal` where none did. `output` is what it printed,
    and `cut_bytes` how much was left out before it. `limit_s` is the time that it had and `run_limit_s` that
    of the run, where the run's ended it. `problem` is why it could not be started.
    """

    outcome: CommandOutcome
    limit_s: float
    run_limit_s: float | None = None
    exit_code: int | None = None
    signal: str | None = None
    output: str = ""
    cut_bytes: int = 0
    ran_s: float = 0.0
    problem: str = ""


class Shell(Protocol):
    """What runs the commands of one agent. Thread-safe."""

    @property
    def directory(self) -> Path:
        """Where they run."""
        ...

    def run(self, argv: Sequence[str], *, timeout_s: float | None) -> CommandEnd:
        """Runs a program to its end, for `timeout_s` at most where that is less than it may take anyway."""
        ...


class Records(Protocol):
    """The record store as one agent of a run uses it: who writes, and where from, is known, and what was
    served is noted. Thread-safe. Every method raises `Refused`, and nothing is changed then.
    """

    def put(self, given: Mapping[str, object], *, turn: int) -> tuple[Record, Envelope]:
        """Keeps a record of what the program gives."""
        ...

    def search(
        self, query: str, *, top_k: int | None, tags: tuple[str, ...], kind: str | None, turn: int
    ) -> Found:
        """The records most relevant to a query; as many as the configuration says for `None`."""
        ...

    def recall(
        self,
        *,
        record_ids: tuple[str, ...],
        tags: tuple[str, ...],
        kind: str | None,
        proposed: bool,
        limit: int | None,
        turn: int,
    ) -> Found:
        """Records by id, tag or kind, newest first."""
        ...

    def status(self) -> Envelope:
        """What the store holds."""
        ...


@dataclass(frozen=True, kw_only=True)
class FoundIn:
    """The part of a run that holds a quotation: of the turn of an agent, or of the run as a whole."""

    kind: ReflectedKind
    agent_id: str | None = None
    turn: int | None = None


@dataclass(frozen=True, kw_only=True)
class BookChange:
    """What became of a change: `skill` as it is from then on, and what the evidence for it counts for."""

    done: Done
    skill: Skill | None = None
    evidence_is: EvidenceIs | None = None
    found_in: FoundIn | None = None


class Reflection(Protocol):
    """A skillbook, as the reflector of one run uses it: sources, and what evidence counts for, are the host's
    to say. Thread-safe. Every method raises `Refused` where the book cannot be read or written.
    """

    def search(
        self, query: str, *, top_k: int | None, section: str | None, keywords: tuple[str, ...]
    ) -> tuple[list[Hit], int]:
        """The active skills in scope that a query matches, best first, and how many there are in all."""
        ...

    def read(self, skill_id: str) -> Skill | Done:
        """A skill in scope, or why it is not given."""
        ...

    def add(
        self,
        section: str,
        *,
        issue: str,
        keywords: tuple[str, ...],
        insight: str | None,
        evidence: str | None,
    ) -> BookChange: ...

    def update(
        self,
        skill_id: str,
        *,
        issue: str | None,
        keywords: tuple[str, ...] | None,
        insight: str | None,
        evidence: str | None,
    ) -> BookChange: ...

    def tag(self, skill_id: str, delta: int) -> BookChange: ...

    def remove(self, skill_id: str, reason: str) -> BookChange: ...


@dataclass(frozen=True, kw_only=True)
class Caller:
    """Who makes a call: the agent's parts, and whether its program, an onUse script or its reply calls.

    `code`, `docs` and `programs` are absent where no program runs: memories are read and written there
    without their code.
    """

    agent_id: str
    turn: int
    origin: RunOrigin
    window: Window
    endings: Endings
    code: CodeHalves | None
    docs: Docs | None
    holder: Holder | None
    workspace: Workspace | None
    emit: Callable[[Event], None]
    programs: Programs | None = None
    thread: Thread | None = None
    delegation: Delegation | None = None
    board: Board | None = None
    skills: AgentSkills | None = None
    toolbox: Toolbox | None = None
    shell: Shell | None = None
    records: Records | None = None
    reflection: Reflection | None = None
