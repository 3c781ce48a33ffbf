"""What all requests that are shown were made of, by band and by agent."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

from host.app.runs.request_window import RequestWindow

_COST_DIGITS: Final = 9


@dataclass(frozen=True, kw_only=True)
class BandTotal:
    """A band in all requests: in how many of them it was, and what was sent and billed of it in all."""

    requests: int = 0
    tokens: int = 0
    billed_tokens: int = 0
    cost: float | None = None


@dataclass(frozen=True, kw_only=True)
class AgentTotal:
    """All requests of an agent. `fullest` is the largest part of what a window may take, 1 is all of it."""

    requests: int = 0
    tokens: int = 0
    fullest: float | None = None
    input_tokens: int = 0
    cached_input_tokens: int = 0
    output_tokens: int = 0
    cost: float | None = None


@dataclass(frozen=True, kw_only=True)
class WindowReport:
    """The windows of requests, in the order in which they were answered, and what they come to."""

    requests: tuple[RequestWindow, ...]
    bands: Mapping[str, BandTotal]
    agents: Mapping[str, AgentTotal]


class WindowTotals:
    """Takes requests one by one, and keeps none."""

    def __init__(self) -> None:
        self._bands: Final[dict[str, BandTotal]] = {}
        self._agents: Final[dict[str, AgentTotal]] = {}
        self.requests = 0

    @property
    def bands(self) -> Mapping[str, BandTotal]:
        """In the order in which they were met."""
        return self._bands

    @property
    def agents(self) -> Mapping[str, AgentTotal]:
        return self._agents

    def taken(self, request: RequestWindow) -> RequestWindow:
        """The request, which counts from here on."""
        self.requests += 1
        for name, band in request.bands.items():
            if band.messages:
                total = self._bands.get(name, BandTotal())
                self._bands[name] = replace(
                    total,
                    requests=total.requests + 1,
                    tokens=total.tokens + (band.tokens or 0),
                    billed_tokens=total.billed_tokens + (band.billed_tokens or 0),
                    cost=_added(total.cost, band.cost),
                )
        self._agents[request.agent_id] = _with(self._agents.get(request.agent_id, AgentTotal()), request)
        return request

    def report(self, requests: tuple[RequestWindow, ...]) -> WindowReport:
        """The requests that were taken, which its caller has kept, with what they come to."""
        return WindowReport(requests=requests, bands=dict(self._bands), agents=dict(self._agents))


def _with(total: AgentTotal, request: RequestWindow) -> AgentTotal:
    usage, fullest = request.usage, total.fullest
    if request.tokens is not None and request.most_tokens:
        fullest = max(fullest or 0.0, round(request.tokens / request.most_tokens, 4))
    return AgentTotal(
        requests=total.requests + 1,
        tokens=total.tokens + (request.band_tokens or 0),
        fullest=fullest,
        input_tokens=total.input_tokens + (usage.input_tokens if usage else 0),
        cached_input_tokens=total.cached_input_tokens + ((usage.cached_input_tokens or 0) if usage else 0),
        output_tokens=total.output_tokens + (usage.output_tokens if usage else 0),
        cost=_added(total.cost, usage.cost if usage else None),
    )


def _added(total: float | None, cost: float | None) -> float | None:
    return total if cost is None else round((total or 0.0) + cost, _COST_DIGITS)
