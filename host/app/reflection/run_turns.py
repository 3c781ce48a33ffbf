"""What a run was made of, as a reflector reads it: parts, each of one kind, out of the session record."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final

from host.core.data_blocks import claimed
from host.core.text import escape_controls, shortened
from host.events import (
    AgentEnded,
    AgentSurface,
    ApiCall,
    CompileDiagnostic,
    LimitExceeded,
    ModelReply,
    Prompt,
    PromptMessage,
    ReflectedKind,
    StampedEvent,
    TurnOutcome,
)

MAX_PART_CHARS: Final = 4_000
HOST_KINDS: Final[frozenset[ReflectedKind]] = frozenset({"outcome", "check", "diagnostic", "host error"})
"""Parts that are the host's own words: what quotes them is evidence of the host."""

# Whose text a program had a hand in: it may throw what a page told it to say.
_OF_PROGRAMS: Final = frozenset({"program_throw", "program_api_error", "program_unknown_name"})
_OF_BANDS: Final[Mapping[str, ReflectedKind]] = {
    "memories": "memory",
    "records": "memory",
    "result": "result",
    "results": "result",
    "text_view": "result",
    "file_view": "file",
    "docs_view": "page",
    "skill": "page",
    "summary": "other",
    "notice": "other",
}
_OF_TOOLS: Final = "tools."


@dataclass(frozen=True, kw_only=True)
class RunPart:
    """A text of a run. `label` says what it is, in the host's words; `agent_id` and `turn` whose it is, where
    it is not the run's as a whole. `at` is when it was said, as a number of turns of the run.
    """

    kind: ReflectedKind
    label: str
    text: str
    agent_id: str | None = None
    turn: int | None = None
    at: int = -1


@dataclass(kw_only=True)
class RunTurn:
    """A turn of an agent; of turn 0 is what it began with. `number` counts the turns of the run, `error_type`
    is that of an error turn.
    """

    agent_id: str
    turn: int
    number: int
    parts: list[RunPart] = field(default_factory=list)
    has_failed: bool = False
    error_type: str | None = None


def shown_text(text: str) -> str:
    """A text as a reflector is shown it."""
    return escape_controls(shortened(text, MAX_PART_CHARS))


class RunTurns:
    """Takes the events of a record in order. `run` is the run's id, `turns` those that were taken, `ends` how
    other agents than the root have ended.
    """

    def __init__(self, events: Iterable[StampedEvent]) -> None:
        self._turns: Final[dict[tuple[str, int], RunTurn]] = {}
        self._seen: Final[set[int]] = set()  # hashes: the texts of views are large
        self._errors: Final[dict[tuple[str, int], list[ApiCall]]] = defaultdict(list)
        self._modes: Final[dict[str, str]] = {}
        self.run = ""
        self.ends: Final[list[RunPart]] = []
        for stamped in events:
            self.run = stamped.run
            self._add(stamped)

    @property
    def turns(self) -> list[RunTurn]:
        return list(self._turns.values())

    def _add(self, stamped: StampedEvent) -> None:
        agent_id, event = stamped.agent_id, stamped.event
        match event:
            case AgentSurface(execution_mode=mode):
                self._modes[agent_id] = mode
            case Prompt(purpose="turn", turn=turn):
                for message in event.new_messages:
                    self._add_message(agent_id, turn - 1, message)
            case ModelReply(purpose="turn", turn=turn):
                is_program = self._modes.get(agent_id) == "responses_as_code"
                label = "the agent's program" if is_program else "the agent's calls"
                self._put("reply", label, _said(event), agent_id, turn)
            case CompileDiagnostic(turn=turn):
                self._put("diagnostic", "diagnostic of the compiler", _diagnosed(event), agent_id, turn)
            case ApiCall(ok=False, turn=turn):
                self._add_failed(event, agent_id, turn)
            case TurnOutcome(turn=turn):
                self._judge(event, agent_id, turn)
            case LimitExceeded():
                told = f"{event.limit}: {event.observed:g}, limit {event.threshold:g}"
                self._put_end("outcome", "a limit was reached", told, agent_id)
            case AgentEnded():
                self._put_end(
                    "outcome", "how an agent ended", f"`{agent_id}` ended: {event.status}", agent_id
                )
                if event.ending is not None and event.ending.summary:
                    self._put_end("reply", "what it ended with", event.ending.summary, agent_id)

    def _add_message(self, agent_id: str, turn: int, message: PromptMessage) -> None:
        """What the agent has read, once, however often it was sent. A call that failed is told as that."""
        kind = _OF_BANDS.get(message.band)
        known = hash((message.band, message.text))
        if kind is None or known in self._seen:
            return
        self._seen.add(known)
        failed = self._errors[agent_id, turn]
        if message.role == "tool" and any(message.text == f"{call.code}: {call.message}" for call in failed):
            return
        head, _, below = message.text.partition("\n----\n")
        label = f"{message.band.replace('_', ' ')}, headed {claimed(head)}" if below else "answer to a call"
        self._put(kind, label, below or message.text, agent_id, turn)

    def _add_failed(self, call: ApiCall, agent_id: str, turn: int) -> None:
        self._errors[agent_id, turn].append(call)
        told = f"{call.operation}: {call.code}: {call.message}"
        if call.operation.startswith(_OF_TOOLS):
            self._put("result", "error of a tool", told, agent_id, turn)
        else:
            self._put("host error", "error of a call", told, agent_id, turn)

    def _judge(self, outcome: TurnOutcome, agent_id: str, turn: int) -> None:
        found = self._turn(agent_id, turn)
        found.has_failed = outcome.outcome in ("error", "fatal")
        found.error_type = outcome.error_type
        if outcome.error is None or outcome.error_type == "transpile_compile":
            return  # the diagnostics say it, without the program's own lines
        if outcome.error_type not in _OF_PROGRAMS:
            self._put("host error", "what ended the turn", outcome.error, agent_id, turn)
        elif not any(call.message and call.message in outcome.error for call in self._errors[agent_id, turn]):
            self._put("result", "error of the program", outcome.error, agent_id, turn)

    def _put(self, kind: ReflectedKind, label: str, text: str, agent_id: str, turn: int) -> None:
        if text.strip():
            found = self._turn(agent_id, turn)
            found.parts.append(
                RunPart(
                    kind=kind,
                    label=label,
                    text=shown_text(text),
                    agent_id=agent_id,
                    turn=turn,
                    at=found.number,
                )
            )

    def _put_end(self, kind: ReflectedKind, label: str, text: str, agent_id: str) -> None:
        at = len(self._turns)
        self.ends.append(RunPart(kind=kind, label=label, text=shown_text(text), agent_id=agent_id, at=at))

    def _turn(self, agent_id: str, turn: int) -> RunTurn:
        place = (agent_id, turn)
        if place not in self._turns:
            self._turns[place] = RunTurn(agent_id=agent_id, turn=turn, number=len(self._turns))
        return self._turns[place]


def _said(reply: ModelReply) -> str:
    calls = (f"{call.name} {call.arguments}" for call in reply.tool_calls)
    return "\n".join(part for part in (reply.text, *calls) if part)


def _diagnosed(event: CompileDiagnostic) -> str:
    code = f" {event.code}" if event.code else ""
    return f"{event.file}:{event.line}:{event.column}: {event.severity}{code}: {event.message}"
