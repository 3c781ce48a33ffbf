"""What the contexts of requests were made of, as lines: bands, what changed, how full, what it counts for,
what it was billed.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from host.app import BandUse, RequestWindow, WindowChange, WindowTotals
from host.cli.lines import INDENT, Line, Span, Style, counted, labeled, line, styled
from host.cli.table import Cell, Column, table

_LEGEND: Final = (
    "tokens are an estimate; the window has 4 more for each message, and a margin.",
    "new, left: since the agent's request before. billed, cost: a band's part, by",
    "its tokens, of what the request was billed; the cost is its reply's as well.",
)
_COLOURS: Final = "Green bars are of trusted messages; yellow ones are of data, or hold some."
_BAR_CELLS: Final = 10
_PARTS: Final = " ▏▎▍▌▋▊▉"
_NEARLY_FULL: Final = 0.9
_MOST_CLOSED: Final = 5


class WindowLines:
    """Turns requests into lines. Says once what the figures are, and how tokens are counted where it is new.

    Args:
        names_agents: whether headings name the agent.
        width: how many characters a line has room for; `None` where no terminal is.
    """

    def __init__(self, *, names_agents: bool, width: int | None, colours: bool) -> None:
        self._names_agents: Final = names_agents
        self._width: Final = width
        self._colours: Final = colours
        self._counters: Final[dict[str, str]] = {}
        self._is_explained = False

    def of(self, request: RequestWindow) -> Iterator[Line]:
        """One request, under its heading."""
        if not self._is_explained:
            self._is_explained = True
            for told in (*_LEGEND, *([_COLOURS] if self._colours else [])):
                yield line(Span(told, "dim"))
        yield Line()
        yield self._heading(request)
        yield _window_line(request)
        yield from self._counter(request)
        yield from self._bands(request)
        gone = request.gone
        if request.new.messages and gone.messages:  # a window that only grew says so by its table
            yield labeled("new", _change(request.new))
        if gone.messages:
            causes = ", ".join(_causes(request))
            yield labeled("left", f"{_change(gone)}{f': {causes}' if causes else ''}")
        if request.trust:
            yield labeled("trust", _trust(request))
        yield _bill(request)
        if request.listed:
            yield from self._messages(request)

    def totals(self, totals: WindowTotals) -> Iterator[Line]:
        """All requests by band, and by agent where there are several; nothing of one alone."""
        if totals.requests < 2:
            return
        yield Line()
        yield line(Span(f"In all {totals.requests:,} requests", "strong"))
        bands = totals.bands
        whole = sum(band.tokens for band in bands.values())
        columns: list[_Column] = [
            (Column(title="band"), [Cell(name, "name") for name in bands]),
            (_number("requests", 3), [Cell(f"{band.requests:,}") for band in bands.values()]),
            (_number("tokens"), [Cell(f"{band.tokens:,}") for band in bands.values()]),
            (_number("billed", 4), [Cell(_figure(band.billed_tokens)) for band in bands.values()]),
            (_number("cost", 2), [Cell(dollars(band.cost)) for band in bands.values()]),
            (
                Column(title="share"),
                [Cell(_share(band.tokens / whole) if whole else "", "name") for band in bands.values()],
            ),
        ]
        yield from self._table(columns)
        if len(totals.agents) > 1:
            yield Line()
            yield from self._agents(totals)

    def _heading(self, request: RequestWindow) -> Line:
        words: list[str | Span] = [Span(f"Turn {request.turn}", "strong")]
        if self._names_agents:
            words += [" · ", styled(request.agent_id, "name")]
        if request.purpose != "turn":
            words.append(f", {request.purpose}")
        return line(*words)

    def _counter(self, request: RequestWindow) -> Iterator[Line]:
        if request.counter is None:
            return
        margin = f", margin {request.margin_percent} %" if request.margin_percent else ""
        told = f"{request.counter}{margin}"
        first = next(iter(self._counters.values()), None)  # of an agent that counts likewise it is not said
        if self._counters.setdefault(request.agent_id, first or "") != told:
            self._counters[request.agent_id] = told
            yield labeled("counter", styled(told, "dim"))

    def _bands(self, request: RequestWindow) -> Iterator[Line]:
        bands = request.bands
        uses = list(bands.values())
        columns: list[_Column] = [
            (Column(title="band"), [Cell(name, "name") for name in bands]),
            (_number("messages", 2), [Cell(f"{use.messages:,}") for use in uses]),
            (_number("tokens"), [Cell(_figure(use.tokens)) for use in uses]),
            (_number("new", 1), [Cell(_signed(use.new, "+"), "good") for use in uses]),
            (_number("left", 3), [Cell(_signed(use.gone, "-"), "warn") for use in uses]),
            (_number("billed", 5), [Cell(_figure(use.billed_tokens)) for use in uses]),
            (_number("cost", 4), [Cell(dollars(use.cost) if use.messages else "") for use in uses]),
            (Column(title="share"), [_share_cell(use) for use in uses]),
        ]
        yield from self._table(columns)

    def _messages(self, request: RequestWindow) -> Iterator[Line]:
        listed = request.listed
        columns: list[_Column] = [
            (_number("message"), [Cell(f"{each.position:,}") for each in listed]),
            (Column(title="band"), [Cell(each.band, "name") for each in listed]),
            (_number("tokens"), [Cell(_figure(each.tokens)) for each in listed]),
            (Column(title="", rank=3), [Cell("new" if each.is_new else "", "good") for each in listed]),
            (Column(title="trust", rank=1), [Cell(each.trust or "") for each in listed]),
            (Column(title="authority", rank=2), [Cell(each.authority or "") for each in listed]),
            (Column(title="source"), [Cell(each.source or "") for each in listed]),
        ]
        yield from self._table(columns)

    def _agents(self, totals: WindowTotals) -> Iterator[Line]:
        agents = list(totals.agents.values())
        columns: list[_Column] = [
            (Column(title="agent"), [Cell(name, "name") for name in totals.agents]),
            (_number("requests", 1), [Cell(f"{agent.requests:,}") for agent in agents]),
            (_number("tokens"), [Cell(f"{agent.tokens:,}") for agent in agents]),
            (_number("billed in", 2), [Cell(_figure(agent.input_tokens)) for agent in agents]),
            (_number("cached", 4), [Cell(_figure(agent.cached_input_tokens)) for agent in agents]),
            (_number("out", 3), [Cell(_figure(agent.output_tokens)) for agent in agents]),
            (_number("cost", 1), [Cell(dollars(agent.cost)) for agent in agents]),
            (
                Column(title="fullest", rank=5),
                [Cell("" if agent.fullest is None else percent(agent.fullest)) for agent in agents],
            ),
        ]
        yield from self._table(columns)

    def _table(self, columns: Sequence["_Column"]) -> Iterator[Line]:
        """The columns that say anything, indented."""
        told = [(column, cells) for column, cells in columns if any(cell.text for cell in cells)]
        rows = list(zip(*(cells for _, cells in told), strict=True))
        width = None if self._width is None else self._width - INDENT
        for each in table([column for column, _ in told], rows, width):
            yield replace(each, indent=INDENT)


_Column = tuple[Column, list[Cell]]


def percent(share: float) -> str:
    """`62 %`, `<1 %` of what is more than nothing."""
    return "<1 %" if 0 < share < 0.005 else f"{share:.0%}".replace("%", " %")


def bar(share: float, cells: int = _BAR_CELLS) -> str:
    """A share of 0 to 1 as blocks, of an eighth of a cell each; at least one of what is more than nothing."""
    eighths = max(round(min(share, 1.0) * cells * 8), 1 if share > 0 else 0)
    return ("█" * (eighths // 8) + _PARTS[eighths % 8]).rstrip()


def dollars(cost: float | None) -> str:
    """`$0.0031`; what would be none of that is `<$0.0001`."""
    if cost is None:
        return ""
    return "<$0.0001" if 0 < cost < 0.00005 else f"${cost:,.4f}"


def _number(title: str, rank: int = 0) -> Column:
    return Column(title=title, rank=rank, is_number=True)


def _figure(figure: int | None) -> str:
    """Empty where it is not known, or nothing."""
    return f"{figure:,}" if figure else ""


def _signed(change: WindowChange, sign: str) -> str:
    if not change.messages:
        return ""
    return sign if change.tokens is None else f"{sign}{change.tokens:,}"


def _share(share: float) -> str:
    return f"{percent(share):>5}  {bar(share)}"


def _share_cell(use: BandUse) -> Cell:
    if not use.share:
        return Cell("")
    style: Style = "name" if use.untrusted_tokens is None else "warn" if use.untrusted_tokens else "good"
    return Cell(_share(use.share), style)


def _window_line(request: RequestWindow) -> Line:
    """How full it was, where that is known."""
    held = counted(request.messages, "message")
    if request.tokens is None:
        about = "" if request.band_tokens is None else f"about {request.band_tokens:,} tokens in "
        return labeled("window", f"{about}{held}")
    if not request.most_tokens:
        return labeled("window", f"{request.tokens:,} tokens in {held}")
    full = request.tokens / request.most_tokens
    style: Style = "bad" if full > 1 else "warn" if full >= _NEARLY_FULL else "good"
    gauge = bar(full).ljust(_BAR_CELLS, "░")
    told = f"{request.tokens:,} of {request.most_tokens:,} tokens in {held}"
    is_less = request.context_window not in (None, request.most_tokens)
    model = f" (model: {request.context_window:,})" if is_less else ""
    return labeled("window", Span(gauge, style), f" {percent(full)}: {told}{model}")


def _change(change: WindowChange) -> str:
    tokens = "" if change.tokens is None else f", {change.tokens:,} tokens"
    return f"{counted(change.messages, 'message')}{tokens}"


def _causes(request: RequestWindow) -> Iterator[str]:
    for strategy in request.compactions:
        yield "memory compaction" if strategy == "memory-compaction" else f"compaction by {strategy}"
    if request.archived:
        yield "turns archived"
    closed = list(dict.fromkeys(request.closed))
    if closed:
        more = len(closed) - _MOST_CLOSED
        listed = ", ".join(closed[:_MOST_CLOSED])
        yield f"closed {listed}{f' and {more:,} more' if more > 0 else ''}"


def _trust(request: RequestWindow) -> str:
    """`608 tokens trusted (83 %), 121 untrusted (17 %); 608 governance, 121 evidence`."""
    whole = sum(request.trust.values())
    unit, parts = " tokens", []
    for name, tokens in request.trust.items():
        parts.append(f"{tokens:,}{unit} {name} ({percent(tokens / whole)})")
        unit = ""
    counts = ", ".join(f"{tokens:,} {name}" for name, tokens in request.authority.items())
    return f"{', '.join(parts)}{f'; {counts}' if counts else ''}"


def _bill(request: RequestWindow) -> Line:
    usage = request.usage
    if usage is None:
        return labeled("billed", Span("no reply is recorded", "warn"))
    if not (usage.input_tokens or usage.output_tokens or usage.cost):
        return labeled("billed", Span("nothing", "dim"))
    cached = f", {usage.cached_input_tokens:,} of them cached" if usage.cached_input_tokens else ""
    cost = "" if usage.cost is None else f", {dollars(usage.cost)}"
    return labeled("billed", f"{usage.input_tokens:,} tokens in{cached}, {usage.output_tokens:,} out{cost}")
