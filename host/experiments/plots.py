"""The plots of a comparison, as SVG that stands inside of a page: text stays text, in the page's colour."""

import io
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Final

from host.experiments.comparison import Comparison, Part
from host.experiments.measure_table import PHASES, measure_by

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Canvas

COLOURS: Final = ("#3b7dd8", "#d9822b", "#4f9d69", "#a05fb4", "#b84a4a")
"""Of arms and of phases, in order; each is readable on white and on black."""

_TEXT: Final = "#010203"  # stands for the page's colour until the SVG is written
_IDS: Final = re.compile(r'(\bid="|url\(#|href="#)')
_HEAD: Final = re.compile(r"^.*?(?=<svg )", re.DOTALL)
_METADATA: Final = re.compile(r"<metadata>.*?</metadata>\s*", re.DOTALL)
_STYLE: Final = re.compile(r"<style\b.*?</style>\s*", re.DOTALL)
_SETTINGS: Final[dict[Any, Any]] = {
    "svg.fonttype": "none",
    "svg.hashsalt": "gg",
    "text.parse_math": False,
    "text.color": _TEXT,
    "axes.labelcolor": _TEXT,
    "axes.edgecolor": _TEXT,
    "axes.facecolor": "none",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "figure.facecolor": "none",
    "xtick.color": _TEXT,
    "ytick.color": _TEXT,
    "legend.frameon": False,
    "font.family": "sans-serif",
    "font.size": 9,
}


@dataclass(frozen=True, kw_only=True)
class Plot:
    """`said` is what it shows, for who does not see it."""

    title: str
    said: str
    svg: str


def can_plot() -> bool:
    """Whether what draws the plots is installed."""
    return find_spec("matplotlib") is not None


def plots_of(comparison: Comparison) -> list[Plot]:
    """The plots that say something of this comparison."""
    import matplotlib as mpl  # half a second that only a page pays for

    drawn: list[Plot] = []
    with mpl.rc_context(_SETTINGS):
        for title, said, draw, height in _plots(comparison):
            name = f"plot{len(drawn) + 1}"
            drawn.append(Plot(title=title, said=said, svg=_svg(draw, height, name)))
    return drawn


Draw = Callable[["Axes"], None]


def _plots(comparison: Comparison) -> Iterator[tuple[str, str, Draw, float]]:
    parts = comparison.kinds or (comparison.whole,)
    if any(counts.checked for counts in comparison.whole.counts.values()):
        said = "; ".join(
            f"{part.kind or 'all tasks'}: "
            + ", ".join(f"{arm} {counts.correct} of {counts.checked}" for arm, counts in part.counts.items())
            for part in parts
        )
        yield "Correct runs", said, lambda axes: _draw_correct(axes, comparison, parts), _height(parts)
    for key in ("inputTokens", "outputTokens", "modelCalls"):
        title = f"{measure_by(key).title.capitalize()}, median of a run"
        yield (
            title,
            _said(comparison, parts, key),
            partial(_draw_medians, comparison=comparison, parts=parts, key=key),
            _height(parts),
        )
    yield (
        "Where the time of a run goes, on average",
        "; ".join(_said_phases(comparison, arm) for arm in comparison.arms),
        lambda axes: _draw_phases(axes, comparison),
        1.2 + 0.45 * len(comparison.arms),
    )
    if len(comparison.arms) == 2 and len(comparison.tasks) > 1:
        first, second = comparison.arms
        yield (
            f"Tokens of {second} for each token of {first}, by task",
            ", ".join(f"{task} {ratio:.2f}" for task, ratio in _ratios(comparison)),
            lambda axes: _draw_ratios(axes, comparison),
            1.2 + 0.24 * len(comparison.tasks),
        )


def _height(parts: Sequence[Part]) -> float:
    return 1.2 + 0.55 * len(parts)


def _bars(
    axes: "Axes", comparison: Comparison, parts: Sequence[Part], of: Callable[[Part, str], float]
) -> None:
    thick = 0.8 / len(comparison.arms)
    for number, arm in enumerate(comparison.arms):
        places = [place + number * thick for place in range(len(parts))]
        values = [of(part, arm) for part in parts]
        bars = axes.barh(places, values, thick * 0.92, label=arm, color=COLOURS[number % len(COLOURS)])
        axes.bar_label(bars, [f"{value:,.0f}" for value in values], padding=3, fontsize=8)
    middle = (len(comparison.arms) - 1) * thick / 2
    axes.set_yticks([place + middle for place in range(len(parts))], [part.kind or "all" for part in parts])
    axes.invert_yaxis()
    axes.margins(x=0.12)
    _legend(axes, len(comparison.arms))


def _legend(axes: "Axes", columns: int) -> None:
    """Below the axis and its label, however high the drawing is."""
    axes.figure.legend(loc="outside lower center", ncols=columns)


def _draw_correct(axes: "Axes", comparison: Comparison, parts: Sequence[Part]) -> None:
    def share(part: Part, arm: str) -> float:
        counts = part.counts[arm]
        return 100 * counts.correct / counts.checked if counts.checked else 0.0

    _bars(axes, comparison, parts, share)
    axes.set_xlabel("% of the runs that were checked")


def _draw_medians(axes: "Axes", comparison: Comparison, parts: Sequence[Part], key: str) -> None:
    _bars(axes, comparison, parts, lambda part, arm: _median(part, key, arm))
    axes.set_xlabel(measure_by(key).title)


def _median(part: Part, key: str, arm: str) -> float:
    figure = part.row(key).figures[arm]
    return figure.median if figure else 0.0


def _said(comparison: Comparison, parts: Sequence[Part], key: str) -> str:
    return "; ".join(
        f"{part.kind or 'all tasks'}: "
        + ", ".join(f"{arm} {_median(part, key, arm):,.0f}" for arm in comparison.arms)
        for part in parts
    )


def _mean(comparison: Comparison, key: str, arm: str) -> float:
    figure = comparison.whole.row(key).figures[arm]
    return figure.total / figure.n if figure else 0.0


def _said_phases(comparison: Comparison, arm: str) -> str:
    told = (f"{measure_by(key).title.strip()} {_mean(comparison, key, arm):,.1f} ms" for key in PHASES)
    return f"{arm}: {', '.join(told)}"


def _draw_phases(axes: "Axes", comparison: Comparison) -> None:
    left = dict.fromkeys(comparison.arms, 0.0)
    for number, key in enumerate(PHASES):
        values = [_mean(comparison, key, arm) for arm in comparison.arms]
        axes.barh(
            list(comparison.arms),
            values,
            left=list(left.values()),
            label=measure_by(key).title.strip(),
            color=COLOURS[number],
            height=0.6,
        )
        left = {arm: left[arm] + value for arm, value in zip(comparison.arms, values, strict=True)}
    axes.invert_yaxis()
    axes.set_xlabel("ms")
    _legend(axes, len(PHASES))


def _ratios(comparison: Comparison) -> list[tuple[str, float]]:
    """Of each task that both arms have run, the tokens of the second arm over those of the first."""
    first, second = comparison.arms
    found = []
    for task in comparison.tasks:
        tokens = {
            arm: sum(
                run.measures.input_tokens + run.measures.output_tokens
                for run in comparison.runs
                if run.task == task and run.arm == arm and run.counts and run.measures
            )
            for arm in comparison.arms
        }
        if tokens[first] and tokens[second]:
            found.append((task, tokens[second] / tokens[first]))
    return found


def _draw_ratios(axes: "Axes", comparison: Comparison) -> None:
    ratios = _ratios(comparison)
    colours = [COLOURS[0] if ratio >= 1 else COLOURS[1] for _, ratio in ratios]
    tasks = [task for task, _ in ratios]
    axes.hlines(tasks, 1, [ratio for _, ratio in ratios], colors=colours, linewidth=1.5)
    axes.scatter([ratio for _, ratio in ratios], tasks, c=colours, s=24, zorder=3)
    axes.axvline(1, color=_TEXT, linewidth=0.8)
    axes.set_xscale("log", base=2)
    axes.xaxis.set_major_formatter(lambda value, place: f"{value:g}x")
    axes.invert_yaxis()
    first, second = comparison.arms
    axes.set_xlabel(f"left of 1: {second} spends less; right of it: {first} does")


def _svg(draw: Draw, height: float, name: str) -> str:
    from matplotlib.figure import Figure

    canvas: Canvas = Figure(figsize=(7.2, height), layout="constrained")
    draw(canvas.subplots())
    written = io.StringIO()
    canvas.savefig(written, format="svg", metadata={"Date": None})
    return _inlined(written.getvalue(), name)


def _inlined(svg: str, name: str) -> str:
    """The drawing as an element of a page: ids of its own, no styles for others, the page's colour."""
    svg = _STYLE.sub("", _METADATA.sub("", _HEAD.sub("", svg)))
    svg = _IDS.sub(rf"\g<1>{name}-", svg).replace(_TEXT, "currentColor")
    return svg.replace("<svg ", '<svg aria-hidden="true" focusable="false" ', 1)
