"""What an agent's turns look like while they happen: each event gives lines.

Nothing here prints or waits; the same events give the same lines. What a view holds is shown when the model
is about to read it, which is the turn after it was opened.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import singledispatchmethod
from typing import Final

from host.cli.approval_lines import approval_line
from host.cli.highlight import diagnostic_block, program_block
from host.cli.lines import Line, Span, behind_bar, block, counted, labeled, one_line, styled
from host.cli.replies import shown_reply
from host.cli.tool_lines import Shown, call_lines, is_failure, result_lines
from host.core.text import count_lines, format_size, shortened
from host.events import (
    AgentSurface,
    ApiCall,
    Approval,
    CallAnswer,
    CodeExecution,
    Compaction,
    CompileDiagnostic,
    Defect,
    Event,
    MemoryRead,
    MemoryRevision,
    MemorySearch,
    ModelReply,
    Notice,
    OperatorLog,
    Prompt,
    PromptMessage,
    RecordKept,
    RecordRead,
    Shell,
    SkillbookChanged,
    SkillbookRead,
    SkillRead,
    SkillsInjected,
    TurnOutcome,
    TurnTiming,
    View,
    answers_in,
)

# Bands whose messages were not shown when they came to be.
_READ_BANDS: Final = ("memories", "records", "text_view", "file_view", "docs_view", "skill")
_MOST_CALLS: Final = 20
_CUT: Final = {"length": ", cut off", "timeout": ", given up"}
_COMMAND_CHARS: Final = 160
_QUERY_CHARS: Final = 80
_ID_CHARS: Final = 12


@dataclass(frozen=True)
class Detail:
    """How many lines of each text are shown; `None` shows all.

    `calls` is how much of the calls of tools, and of what they gave. `whole_prompt` shows every message that
    is new in a prompt, not only what a reply asked to read; `colours` tells the words of programs apart.
    """

    program_lines: int | None = 8
    view_lines: int | None = 6
    error_lines: int | None = 40
    calls: Shown = "brief"
    whole_prompt: bool = False
    colours: bool = True


@dataclass
class _Turn:
    """What is gathered until the program has ended, or the turn."""

    calls: Counter[str] = field(default_factory=Counter)
    views: list[str] = field(default_factory=list)
    commands: int = 0
    told_error: str | None = None


class TurnLines:
    """Turns the events of one agent into lines. Keeps the current turn, and whether the agent calls tools."""

    def __init__(self, detail: Detail) -> None:
        self._detail: Final = detail
        self._turn = _Turn()
        self._is_calling = False

    def of(self, event: Event) -> Iterator[Line]:
        """The lines that an event adds; none for most."""
        yield from self._render(event)

    @singledispatchmethod
    def _render(self, event: Event) -> Iterator[Line]:
        """Events without a method of their own add nothing."""
        yield from ()

    @_render.register
    def _agent_surface(self, event: AgentSurface) -> Iterator[Line]:
        self._is_calling = event.execution_mode == "tool_calling"
        yield from ()

    @_render.register
    def _prompt(self, event: Prompt) -> Iterator[Line]:
        if event.purpose == "summary":
            yield labeled("asks", "for a summary of the window")
        else:
            self._turn = _Turn()
        if event.dropped and self._detail.whole_prompt:
            yield labeled("drops", f"{counted(len(event.dropped), 'message')} of the previous prompt")
        answers = {answer.id: answer for answer in answers_in(event)}
        if not self._detail.whole_prompt:  # a failure was told when it was met
            gave = (self._result(answer) for answer in answers.values() if not is_failure(answer.text))
            yield from self._some("result", gave)
        for message in event.new_messages:
            if message.band in _READ_BANDS:
                yield from self._read(message)
            elif self._detail.whole_prompt:
                answer = answers.get(message.answers or "")
                yield from self._result(answer) if answer else self._new_message(message)

    def _result(self, answer: CallAnswer) -> Iterator[Line]:
        return result_lines(answer.tool, answer.text, self._detail.calls, most=self._detail.view_lines)

    def _new_message(self, message: PromptMessage) -> Iterator[Line]:
        yield labeled("prompt", f"{message.band}, {counted(count_lines(message.text), 'line')}")
        yield from block(message.text, style="dim")
        for call in message.tool_calls:
            yield from call_lines(call.name, call.arguments, self._detail.calls)

    def _read(self, message: PromptMessage) -> Iterator[Line]:
        title, _, rest = message.text.partition("\n")
        body = rest.partition("\n")[2]
        shown = "".join(f", {_picture(image.media_type, image.bytes)}" for image in message.images)
        yield labeled("reads", styled(title, "name"), shown)
        if body:
            yield from block(body, most=self._detail.view_lines)

    @_render.register
    def _model_reply(self, event: ModelReply) -> Iterator[Line]:
        cut = _CUT.get(event.finish_reason, "")
        if event.purpose == "summary":  # one that is used is told whole, with what it replaces
            told = counted(count_lines(event.text), "line") if event.text else "nothing"
            yield labeled("answers", f"{told}{cut}")
            return
        says, calls = shown_reply(event, calls_tools=self._is_calling)
        for label, text in says:
            yield labeled(label, f"{counted(count_lines(text), 'line')}{cut}")
            is_plain = label != "program" or not self._detail.colours
            yield from program_block(text, most=self._detail.program_lines, colours=not is_plain)
        listed = (call_lines(each.name, each.arguments, self._detail.calls) for each in calls)
        yield from self._some("call", listed)

    def _some(self, noun: str, told: Iterable[Iterator[Line]]) -> Iterator[Line]:
        """Every one of them, or the first few where each is told briefly."""
        listed = list(told)
        most = len(listed) if self._detail.calls == "whole" else _MOST_CALLS
        for lines in listed[:most]:
            yield from lines
        if len(listed) > most:
            yield behind_bar(Span(f"… {counted(len(listed) - most, f'more {noun}')}", "dim"))

    @_render.register
    def _api_call(self, event: ApiCall) -> Iterator[Line]:
        if event.origin != "tool":  # each of those is shown in the reply
            self._turn.calls[event.operation] += 1
        if not event.ok:
            place = f" at {event.place}" if event.place else ""
            told = f"{event.operation}{place}: {event.code}: {event.message}"
            yield labeled("refused", told, style="warn")

    @_render.register
    def _approval(self, event: Approval) -> Iterator[Line]:
        yield approval_line(event)

    @_render.register
    def _view(self, event: View) -> Iterator[Line]:
        what = _picture(event.media_type, event.bytes) if event.media_type else format_size(event.bytes)
        size = "" if event.action == "closed" else f" ({what})"
        change = "" if event.action == "opened" else f" {event.action}"
        self._turn.views.append(f"{event.selector}{change}{size}")
        yield from ()

    @_render.register
    def _memory_revision(self, event: MemoryRevision) -> Iterator[Line]:
        told = f" {event.change}"
        if event.change != "deleted":
            halves = [name for name, half in (("code", event.code), ("onUse", event.on_use)) if half]
            told += ", ".join(["", f"revision {event.revision}", counted(event.len, "character"), *halves])
        yield labeled("memory", styled(event.name, "name"), told)

    @_render.register
    def _memory_read(self, event: MemoryRead) -> Iterator[Line]:
        yield labeled("memory", styled(event.name, "name"), " read" if event.hit else " not found")

    @_render.register
    def _memory_search(self, event: MemorySearch) -> Iterator[Line]:
        words = ", ".join(event.keywords)
        found = counted(event.total, "memory") if event.total else "nothing"
        yield labeled("memory", styled(words, "name"), f" found {found}")

    @_render.register
    def _skill_read(self, event: SkillRead) -> Iterator[Line]:
        told = (" read, module loaded" if event.loaded else " read") if event.hit else " not found"
        yield labeled("skill", styled(event.name, "name"), told)

    @_render.register
    def _record_read(self, event: RecordRead) -> Iterator[Line]:
        served = (
            (len(event.current), "current"),
            (len(event.stale), "stale"),
            (len(event.superseded), "superseded"),
            (event.more + event.left_out, "more"),
            (event.held_back, "held back"),
            (event.unreadable, "unreadable"),
        )
        told = ", ".join(f"{count:,} {what}" for count, what in served if count) or "none"
        if event.query is None:
            yield labeled("records", "of the task: " if event.operation == "section" else "recalled: ", told)
        else:
            yield labeled("records", styled(shortened(event.query, _QUERY_CHARS), "name"), f" found {told}")

    @_render.register
    def _record_kept(self, event: RecordKept) -> Iterator[Line]:
        made = f" made of {event.memory}" if event.memory else ""
        told = " was kept before" if event.existed else " kept"
        yield labeled("records", styled(f"{event.kind} {event.id[:_ID_CHARS]}", "name"), f"{made}{told}")

    @_render.register
    def _skills_injected(self, event: SkillsInjected) -> Iterator[Line]:
        ids = ", ".join(skill.id for skill in event.skills) or "none"
        left = f", {len(event.left_out):,} without room" if event.left_out else ""
        yield labeled("skills", "of the task: ", styled(ids, "name"), left)

    @_render.register
    def _skillbook_read(self, event: SkillbookRead) -> Iterator[Line]:
        ids = styled(", ".join(event.skill_ids) or "nothing", "name")
        if event.query is None:
            yield labeled("skills", "read ", ids)
        else:
            yield labeled("skills", styled(shortened(event.query, _QUERY_CHARS), "name"), " found ", ids)

    @_render.register
    def _skillbook_changed(self, event: SkillbookChanged) -> Iterator[Line]:
        told = event.did if event.ok else f"{event.operation.partition('.')[2]}: {event.why}"
        source = f" (evidence: {event.evidence_kind})" if event.evidence_kind else ""
        yield labeled("skills", styled(told or "", "name"), source)

    @_render.register
    def _shell(self, event: Shell) -> Iterator[Line]:
        if self._is_calling:  # its call and its answer are shown
            return
        self._turn.commands += 1
        if self._turn.commands <= _MOST_CALLS:
            command = styled(shortened(event.command, _COMMAND_CHARS), "name")
            yield labeled("command", command, f" ({command_end(event)}, {duration(event.duration_ms)})")

    @_render.register
    def _operator_log(self, event: OperatorLog) -> Iterator[Line]:
        label = "gg" if event.source == "host" else "console"
        yield labeled(label, styled(event.text, "dim"))

    @_render.register
    def _compile_diagnostic(self, event: CompileDiagnostic) -> Iterator[Line]:
        if event.origin == "program" and event.severity == "error":
            return  # told whole, with its source line, when the program is closed
        code = f" {event.code}" if event.code else ""
        place = f"{event.file}:{event.line}:{event.column}"
        yield labeled("compiler", f"{place}: {event.severity}{code}: {event.message}", style="warn")

    @_render.register
    def _code_execution(self, event: CodeExecution) -> Iterator[Line]:
        if event.origin == "onUse":
            name = f"the skill {event.skill}" if event.skill else event.memory or ""
            yield labeled("onUse", styled(name, "name"), " ran" if event.ok else " failed")
        yield from self._gathered()
        if event.origin == "program" and event.error is not None:
            self._turn.told_error = event.error
            yield from self._error(event.error_type, event.error)

    def _gathered(self) -> Iterator[Line]:
        calls, views = self._turn.calls, self._turn.views
        if calls:
            yield labeled("calls", ", ".join(_times(name, count) for name, count in calls.items()))
        if (more := self._turn.commands - _MOST_CALLS) > 0:
            yield behind_bar(Span(f"… {counted(more, 'more command')}", "dim"))
        self._turn.commands = 0
        if views:
            yield labeled("opens", ", ".join(views))
        self._turn.calls, self._turn.views = Counter(), []

    @_render.register
    def _compaction(self, event: Compaction) -> Iterator[Line]:
        before = f"{counted(event.messages_before, 'message')}, about {event.tokens_before:,} tokens"
        kept = f"; {counted(event.memories_kept, 'memory')} kept" if event.memories_kept else ""
        yield labeled(
            "compacts", f"{before}, into {event.messages_after:,}, about {event.tokens_after:,}{kept}"
        )
        if event.observed_tokens is not None:
            reached = f"{event.observed_tokens:,} tokens, threshold {event.threshold_tokens:,}"
            yield labeled("because", f"{event.strategy} at {reached}")
        yield from block(event.summary, most=self._detail.view_lines)

    @_render.register
    def _notice(self, event: Notice) -> Iterator[Line]:
        yield from self._gathered()
        first, _, rest = event.text.partition("\n")
        yield labeled("notice", first, style="warn")
        if rest:
            yield from block(rest, most=self._detail.error_lines)

    @_render.register
    def _turn_outcome(self, event: TurnOutcome) -> Iterator[Line]:
        yield from self._gathered()
        if event.error is not None and event.error != self._turn.told_error:
            yield from self._error(event.error_type, event.error)

    @_render.register
    def _turn_timing(self, event: TurnTiming) -> Iterator[Line]:
        parts = (
            ("model", event.request_ms),
            ("bundle", event.compile_ms),
            ("check", event.check_ms),
            ("run", event.run_ms),
            ("compaction", event.compact_ms),
        )
        told = ", ".join(f"{name} {duration(ms)}" for name, ms in parts if ms >= 0.5)
        if told:
            yield labeled("time", Span(told, "dim"))

    @_render.register
    def _defect(self, event: Defect) -> Iterator[Line]:
        yield labeled("defect", styled(f"{event.kind}: {event.detail}", "bad"), style="bad")
        for name, value in event.facts.items():
            yield from block(f"{name}: {value}", may_crop=False)

    def _error(self, kind: str | None, text: str) -> Iterator[Line]:
        yield labeled("error", kind or "", style="bad")
        yield from diagnostic_block(text, most=self._detail.error_lines)


def _picture(media_type: str, size_bytes: int) -> str:
    return one_line(f"picture {media_type}, {format_size(size_bytes)}")


def _times(name: str, count: int) -> str:
    return name if count == 1 else f"{name} x{count:,}"


def command_end(event: Shell) -> str:
    """`exit 0`, `ended by SIGSEGV`, `timed out`."""
    match event.outcome:
        case "exited":
            return f"exit {event.exit_code}"
        case "killed":
            return f"ended by {event.signal}"
        case "timed_out":
            return "timed out"
        case "not_started":
            return "not started"
        case "lost":
            return "lost"


def duration(ms: float) -> str:
    """`12 ms`, `1.2 s`, `3 min 5 s`."""
    if ms < 1000:
        return f"{ms:.0f} ms"
    if ms < 60_000:
        return f"{ms / 1000:.1f} s"
    minutes, seconds = divmod(round(ms / 1000), 60)
    return f"{minutes:,} min {seconds} s"
