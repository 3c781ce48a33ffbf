"""Follows the windows of a run's agents through its events, request by request.

A record has the tokens of bands, not of messages: what a band has grown by is divided among the messages that
came into it. No text is kept.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from host.app.runs.request_window import BandUse, RequestWindow, WindowChange, WindowMessage
from host.events import (
    AgentEnded,
    ApiCall,
    BandSize,
    Compaction,
    ContextBreakdown,
    Event,
    Prompt,
    PromptMessage,
    SessionSummary,
    StampedEvent,
    Usage,
    View,
)

_TAKEN: Final = (Prompt, ContextBreakdown, Usage, Compaction, View, ApiCall, AgentEnded)
_ARCHIVES: Final = "context.archive_thread"
_COST_DIGITS: Final = 9
_UNTRUSTED: Final = "untrusted"


class WindowFold:
    """Takes events in order, and gives each request when no more is to come of it: with its bill, or, where
    it has none, when its agent goes on without.

    Args:
        listed_turn: the turn whose requests have each message of their windows.
    """

    def __init__(self, *, listed_turn: int | None = None) -> None:
        self._listed_turn: Final = listed_turn
        self._agents: Final[dict[str, _Window]] = {}
        self.events = 0
        self.has_ended = False

    def add(self, stamped: StampedEvent) -> tuple[RequestWindow, ...]:
        """The requests that this event ends: one or none."""
        self.events = stamped.seq
        self.has_ended |= isinstance(stamped.event, SessionSummary)
        if not isinstance(stamped.event, _TAKEN):
            return ()
        window = self._agents.get(stamped.agent_id)
        if window is None:
            window = self._agents[stamped.agent_id] = _Window(stamped.agent_id, self._listed_turn)
        return tuple(window.add(stamped.event, stamped.at))

    def rest(self) -> tuple[RequestWindow, ...]:
        """The requests of which the record says no more, when there are no more events."""
        return tuple(request for window in self._agents.values() for request in window.ended())


@dataclass(eq=False)
class _Message:
    """One that is in a window. Its tokens are 0 until a breakdown tells those of its band."""

    role: str
    band: str
    source: str | None
    authority: str | None
    trust: str | None
    chars: int
    tokens: int = 0
    is_settled: bool = False

    @classmethod
    def of(cls, message: PromptMessage) -> "_Message":
        calls = sum(len(call.name) + len(call.arguments) for call in message.tool_calls)
        return cls(
            role=message.role,
            band=message.band,
            source=message.source,
            authority=message.authority,
            trust=message.trust,
            chars=len(message.text) + calls,
        )


class _Window:
    """The window of one agent, and its request that is under way."""

    def __init__(self, agent_id: str, listed_turn: int | None) -> None:
        self.agent_id: Final = agent_id
        self._listed_turn: Final = listed_turn
        self._messages: list[_Message] = []
        self._sizes: Final[Counter[str]] = Counter()  # messages by band
        self._chars: Final[Counter[str]] = Counter()
        self._tokens: Final[Counter[str]] = Counter()  # those that are settled
        self._standing: Final[Counter[tuple[str, str | None, str | None]]] = (
            Counter()
        )  # band, authority, trust
        self._unsettled: list[_Message] = []
        self._asked: _Asked | None = None
        self._forget_causes()

    def add(self, event: Event, at: datetime) -> Iterator[RequestWindow]:
        match event:
            case Prompt():
                yield from self.ended()
                self._ask(event, at)
            case ContextBreakdown() if self._asked:
                self._asked.breakdown = event
                self._settle(event)
            case Usage() if self._asked:
                yield from self.ended(event)
            case Compaction():
                self._compactions.append(event.strategy)
            case View(action="closed"):
                self._closed.append(event.selector)
            case ApiCall(ok=True) if event.operation == _ARCHIVES:
                self._archived += 1
            case AgentEnded():
                yield from self.ended()

    def ended(self, usage: Usage | None = None) -> Iterator[RequestWindow]:
        """The request that is under way, if there is one."""
        asked, self._asked = self._asked, None
        if asked is not None:
            yield asked.request(self, usage)

    def bands(self, asked: "_Asked", usage: Usage | None) -> dict[str, BandUse]:
        """Those of the request, as its breakdown orders them, and those that left since the one before."""
        told = asked.breakdown.bands if asked.breakdown else {}
        names = [*(told or [name for name, count in self._sizes.items() if count]), *asked.gone]
        sizes = {name: told.get(name) or self._size(name) for name in dict.fromkeys(names)}
        tokens = [size.tokens for size in sizes.values()]
        whole = sum(tokens)
        input_tokens = usage.input_tokens if usage and whole else 0
        billed = divided(input_tokens, tokens)
        cost = usage.cost if usage and whole else None
        is_known = asked.breakdown is not None
        return {
            name: BandUse(
                messages=size.messages,
                chars=size.chars,
                tokens=size.tokens if is_known else None,
                share=round(size.tokens / whole, 4) if whole else None,
                untrusted_tokens=self._untrusted(name) if is_known else None,
                new=asked.change(asked.new, name),
                gone=asked.change(asked.gone, name),
                billed_tokens=part if input_tokens else None,
                cost=None if cost is None else round(cost * size.tokens / whole, _COST_DIGITS),
            )
            for (name, size), part in zip(sizes.items(), billed, strict=True)
        }

    def sums(self) -> tuple[dict[str, int], dict[str, int]]:
        """Tokens by trust and by authority, as far as the messages say what they count for."""
        trust: Counter[str] = Counter()
        authority: Counter[str] = Counter()
        for (_, its_authority, its_trust), tokens in self._standing.items():
            if its_trust is not None and tokens:
                trust[its_trust] += tokens
            if its_authority is not None and tokens:
                authority[its_authority] += tokens
        return dict(trust), dict(authority)

    def listed(self, asked: "_Asked") -> tuple[WindowMessage, ...]:
        if asked.prompt.turn != self._listed_turn:
            return ()
        fresh = set(map(id, asked.messages))
        return tuple(
            WindowMessage(
                position=position,
                role=message.role,
                band=message.band,
                source=message.source,
                authority=message.authority,
                trust=message.trust,
                chars=message.chars,
                tokens=message.tokens if message.is_settled else None,
                is_new=id(message) in fresh,
            )
            for position, message in enumerate(self._messages)
        )

    def _forget_causes(self) -> None:
        self._compactions: list[str] = []
        self._closed: list[str] = []
        self._archived = 0

    def _ask(self, prompt: Prompt, at: datetime) -> None:
        gone = self._drop(set(prompt.dropped)) if prompt.dropped else []
        new = [_Message.of(message) for message in prompt.new_messages]
        for message in new:
            self._count(message, 1)
        self._messages += new
        self._unsettled += new
        self._asked = _Asked(
            prompt=prompt,
            at=at,
            messages=new,
            left=gone,
            compactions=tuple(self._compactions),
            closed=tuple(self._closed),
            archived=self._archived,
        )
        self._forget_causes()

    def _drop(self, positions: set[int]) -> list[_Message]:
        gone = [message for place, message in enumerate(self._messages) if place in positions]
        self._messages = [message for place, message in enumerate(self._messages) if place not in positions]
        there = set(map(id, gone))
        self._unsettled = [message for message in self._unsettled if id(message) not in there]
        for message in gone:
            self._count(message, -1)
            self._tell(message, -message.tokens)
        return gone

    def _count(self, message: _Message, sign: int) -> None:
        self._sizes[message.band] += sign
        self._chars[message.band] += sign * message.chars

    def _tell(self, message: _Message, tokens: int) -> None:
        self._tokens[message.band] += tokens
        self._standing[message.band, message.authority, message.trust] += tokens

    def _settle(self, breakdown: ContextBreakdown) -> None:
        fresh: dict[str, list[_Message]] = {}
        for message in self._unsettled:
            fresh.setdefault(message.band, []).append(message)
        self._unsettled = []
        for name, size in breakdown.bands.items():
            grown, came = size.tokens - self._tokens[name], fresh.get(name, [])
            if came and grown >= 0:
                self._divide(grown, came)
            elif grown:  # what its messages were taken for earlier does not hold
                self._divide(size.tokens, [each for each in self._messages if each.band == name])

    def _divide(self, tokens: int, messages: Sequence[_Message]) -> None:
        for message, part in zip(messages, divided(tokens, [each.chars for each in messages]), strict=True):
            self._tell(message, part - message.tokens)
            message.tokens, message.is_settled = part, True

    def _size(self, band: str) -> BandSize:
        """As the messages say themselves, where no breakdown does."""
        return BandSize(messages=self._sizes[band], chars=self._chars[band], tokens=0)

    def _untrusted(self, band: str) -> int | None:
        """`None` where the band's messages do not say what they are."""
        tokens: Counter[str | None] = Counter()
        for (name, _, trust), count in self._standing.items():
            if name == band and count:
                tokens[trust] += count
        return None if None in tokens else tokens[_UNTRUSTED]


@dataclass(kw_only=True)
class _Asked:
    """A request that is under way: what came into its window, and what had left it."""

    prompt: Prompt
    at: datetime
    messages: list[_Message]
    left: list[_Message]
    compactions: tuple[str, ...]
    closed: tuple[str, ...]
    archived: int
    breakdown: ContextBreakdown | None = None

    @property
    def new(self) -> dict[str, list[_Message]]:
        return _by_band(self.messages)

    @property
    def gone(self) -> dict[str, list[_Message]]:
        return _by_band(self.left)

    def change(self, changed: dict[str, list[_Message]], band: str) -> WindowChange:
        messages = changed.get(band, [])
        is_known = all(message.is_settled for message in messages)
        return WindowChange(
            messages=len(messages), tokens=sum(each.tokens for each in messages) if is_known else None
        )

    def request(self, window: _Window, usage: Usage | None) -> RequestWindow:
        told, (trust, authority) = self.breakdown, window.sums()
        return RequestWindow(
            agent_id=window.agent_id,
            turn=self.prompt.turn,
            purpose=self.prompt.purpose,
            at=self.at,
            messages=self.prompt.messages,
            tokens=told.tokens if told else None,
            window_tokens=told.window_tokens if told else None,
            context_window=told.context_window if told else None,
            counter=told.counter if told else None,
            margin_percent=told.margin_percent if told else None,
            bands=window.bands(self, usage),
            trust=trust if told else {},
            authority=authority if told else {},
            compactions=self.compactions,
            closed=self.closed,
            archived=self.archived,
            usage=usage,
            listed=window.listed(self),
        )


def divided(total: int, weights: Sequence[int]) -> list[int]:
    """Whole parts in proportion to the weights, which add up to the total; equal ones where no weight is."""
    if not any(weights):
        weights = [1] * len(weights)
    whole = sum(weights)
    parts = [total * weight // whole for weight in weights]
    nearest = sorted(range(len(weights)), key=lambda place: -(total * weights[place] % whole))
    for place in nearest[: total - sum(parts)]:
        parts[place] += 1
    return parts


def _by_band(messages: list[_Message]) -> dict[str, list[_Message]]:
    found: dict[str, list[_Message]] = {}
    for message in messages:
        found.setdefault(message.band, []).append(message)
    return found
