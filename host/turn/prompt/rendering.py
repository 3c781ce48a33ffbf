"""Renders the templates of this package, strictly.

A template gets exactly the variables that it and those it includes use: one too many fails as one too few.
"""

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from jinja2 import Environment

TEMPLATES: Final = Path(__file__).parent / "templates"


class TemplateMismatch(ValueError):
    """The variables are not those that the template uses."""


def render(name: str, variables: Mapping[str, object]) -> str:
    """The template with its variables put in."""
    environment = _environment()
    used = variables_of(name)
    unknown, unused = sorted(used - variables.keys()), sorted(variables.keys() - used)
    if unknown or unused:
        raise TemplateMismatch(
            f"{name}: it lacks {unknown or 'nothing'} and does not use {unused or 'nothing'}"
        )
    return environment.get_template(name).render(variables)


@cache
def variables_of(name: str) -> frozenset[str]:
    """The variables that a template uses, those of the templates it includes among them."""
    from jinja2 import meta

    environment = _environment()
    tree = environment.parse((TEMPLATES / name).read_text(encoding="utf-8"), name)
    used = frozenset(meta.find_undeclared_variables(tree))
    for included in meta.find_referenced_templates(tree):
        assert included is not None, f"{name} includes a template by a name that is computed"
        used |= variables_of(included)
    return used


@cache
def _environment() -> "Environment":
    from jinja2 import Environment, FileSystemLoader, StrictUndefined  # 20 ms that only a prompt pays for

    return Environment(
        loader=FileSystemLoader(TEMPLATES),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        auto_reload=False,
    )
