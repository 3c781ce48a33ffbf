"""A comparison as one page that needs nothing else: no script, no request, readable in light and in dark."""

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from host.core.errors import HostError
from host.experiments import wording
from host.experiments.comparison import Comparison
from host.experiments.measure_table import OF_KINDS
from host.experiments.plots import can_plot, plots_of

if TYPE_CHECKING:
    from jinja2 import Environment

_FOLDER: Final = Path(__file__).parent / "templates"
_MISSING: Final = "matplotlib, which draws the plots, is not installed; pip install 'gg[report]'"


class NoPlots(HostError):
    """What draws the plots of a page is not installed."""


def plots_problem() -> NoPlots | None:
    """Why no page could be made, known before anything is run."""
    return None if can_plot() else NoPlots(_MISSING)


def page(comparison: Comparison, *, command: str) -> str:
    """The page. Whatever comes from a record or a study is escaped. Raises `NoPlots`."""
    problem = plots_problem()
    if problem is not None:
        raise problem
    template = _environment().get_template("compare.html.jinja")
    return template.render(
        comparison=comparison,
        command=command,
        words=wording,
        plots=plots_of(comparison),
        of_kinds=OF_KINDS,
    )


@cache
def _environment() -> "Environment":
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    return Environment(
        loader=FileSystemLoader(_FOLDER),
        undefined=StrictUndefined,
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
