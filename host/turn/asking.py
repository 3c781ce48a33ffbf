"""Asks one agent's model, and records what was sent, what came back and what it cost."""

from dataclasses import dataclass, replace
from typing import Final

import anyio

from host.context import Entry, Window
from host.core.messages import Reply, ToolCall, ToolSpec, dollars
from host.events import (
    BandSize,
    ContextBreakdown,
    Event,
    ModelReply,
    OperatorLog,
    Prompt,
    PromptImage,
    PromptMessage,
    Purpose,
    RequestedCall,
    Usage,
)
from host.providers import ModelProvider, ModelRequest
from host.turn.company import Company
from host.turn.endings import AgentStopped
from host.turn.modes import Mode
from host.turn.request import RequestBuilder
from host.turn.run_state import RunState


@dataclass(frozen=True, kw_only=True)
class Answer:
    """A reply, and when its request was begun, sent and answered: monotonic seconds."""

    reply: Reply
    began_s: float
    asked_s: float
    answered_s: float


class OutOfTime(AgentStopped):
    """The run's time was spent while a reply was awaited."""


class Asking:
    """Sends the window as it stands. Every request of the agent goes this way, whatever it asks for."""

    def __init__(
        self,
        *,
        agent_id: str,
        window: Window,
        provider: ModelProvider,
        mode: Mode,
        company: Company,
        run: RunState,
        context_window: int | None = None,
    ) -> None:
        self._agent_id: Final = agent_id
        self._window: Final = window
        self._provider: Final = provider
        self._mode: Final = mode
        self._company: Final = company
        self._run: Final = run
        self._context_window: Final = context_window
        self._requests: Final = RequestBuilder(window)
        self._told_unpriced = False

    @property
    def is_over(self) -> bool:
        """Whether the agent is to end at its next boundary, so that nothing more is to be asked."""
        run = self._run
        is_canceled = run.is_canceled or self._company.is_canceled
        return is_canceled or run.latch.defect is not None or run.breach() is not None

    async def ask(self, turn: int, *, purpose: Purpose = "turn") -> Answer:
        """Raises `ProviderError` and `OutOfTime`."""
        clock = self._run.clock
        began_s = clock.monotonic()
        request = self._request(turn, purpose)
        self._run.flush()
        asked_s = clock.monotonic()
        with anyio.move_on_after(self._run.left_s):
            reply = await self._provider.reply(request)
            answer = Answer(reply=reply, began_s=began_s, asked_s=asked_s, answered_s=clock.monotonic())
            self._note(turn, purpose, answer)
            return answer
        raise OutOfTime("the run's time was spent while a reply was awaited")

    def _request(self, turn: int, purpose: Purpose) -> ModelRequest:
        built = self._requests.build()
        self._emit(
            Prompt(
                turn=turn,
                purpose=purpose,
                messages=len(built.messages),
                new_messages=tuple(map(_recorded, built.new)),
                dropped=built.dropped,
                prompt_sha256=built.sha256,
            )
        )
        bands: dict[str, BandSize] = {
            name: BandSize(messages=size.messages, chars=size.chars, tokens=size.tokens)
            for name, size in self._window.bands.items()
            if size.messages
        }
        counter = self._window.counter
        self._emit(
            ContextBreakdown(
                turn=turn,
                purpose=purpose,
                bands=bands,
                tokens=self._window.tokens,
                window_tokens=self._window.window_tokens,
                context_window=self._context_window,
                counter=counter.name,
                margin_percent=counter.margin_percent,
            )
        )
        mode, is_of_turn = self._mode, purpose == "turn"
        return ModelRequest(
            agent_id=self._agent_id,
            messages=built.messages,
            tools=tuple(map(self._offered, mode.tools)),
            forced_tool=mode.forced_tool if is_of_turn else "",
            wants_text=not is_of_turn,
        )

    def _offered(self, tool: ToolSpec) -> ToolSpec:
        """Its texts are those of whoever wrote the tool, and masked like any other."""
        mask = self._run.mask
        return replace(tool, description=mask(tool.description), parameters=mask(tool.parameters))

    def _note(self, turn: int, purpose: Purpose, answer: Answer) -> None:
        run, reply = self._run, answer.reply
        run.usage += reply.usage
        self._emit(
            ModelReply(
                turn=turn,
                purpose=purpose,
                text=reply.text,
                tool_calls=_recorded_calls(reply.tool_calls),
                finish_reason=reply.finish_reason,
                model=reply.model or None,
                input_tokens=reply.usage.input_tokens,
                output_tokens=reply.usage.output_tokens,
                duration_ms=(answer.answered_s - answer.asked_s) * 1000,
            )
        )
        self._emit(
            Usage(
                turn=turn,
                purpose=purpose,
                input_tokens=reply.usage.input_tokens,
                output_tokens=reply.usage.output_tokens,
                cached_input_tokens=reply.usage.cached_input_tokens or None,
                cost=dollars(reply.usage.cost),
                total_input_tokens=run.usage.input_tokens,
                total_output_tokens=run.usage.output_tokens,
                total_cost=dollars(run.usage.cost),
            )
        )
        self._tell_unpriced(turn, reply)

    def _tell_unpriced(self, turn: int, reply: Reply) -> None:
        """A ceiling of cost that nothing counts toward is told once, where the model is a vendor's."""
        if self._run.ceilings.max_cost is None or reply.usage.cost is not None or not reply.model:
            return
        if not self._told_unpriced:
            self._told_unpriced = True
            text = f"maxCost is written, and no price of {reply.model} is known: its replies do not count"
            self._emit(OperatorLog(level="warn", text=text, turn=turn, source="host"))

    def _emit(self, event: Event) -> None:
        self._run.events.emit(event, agent_id=self._agent_id)


def _recorded(entry: Entry) -> PromptMessage:
    return PromptMessage(
        role=entry.role,
        band=entry.band,
        source=entry.source,
        authority=entry.standing.authority,
        trust=entry.standing.trust,
        text=entry.text,
        images=tuple(
            PromptImage(media_type=image.media_type, bytes=len(image.data), sha256=image.sha256)
            for image in entry.images
        ),
        tool_calls=_recorded_calls(entry.tool_calls),
        answers=entry.answers,
    )


def _recorded_calls(calls: tuple[ToolCall, ...]) -> tuple[RequestedCall, ...]:
    return tuple(RequestedCall(id=call.id, name=call.name, arguments=call.arguments) for call in calls)
