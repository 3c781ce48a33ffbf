"""The module `gg:tools` as the checker sees it: sources of tools are namespaces, tools are functions."""

import textwrap
from collections.abc import Iterator
from typing import Final

from host.core.errors import ApiErrorCode
from host.tools.doc_comments import comment, plain_text
from host.tools.model import Namespace, Tool, TypedTool

MODULE: Final = "gg:tools"
MAX_DESCRIPTION_CHARS: Final = 8_000
"""Of what is shown of a tool's description."""
_NOTHING: Final = "No description."


def render_namespaces(namespaces: tuple[Namespace, ...]) -> str:
    """The text of the module. What stands in a namespace is exported without saying so."""
    parts = [textwrap.indent(_namespace(namespace), "  ") for namespace in namespaces]
    return "\n".join([f'declare module "{MODULE}" {{', "\n\n".join(parts) or "  export {};", "}", ""])


def described(tool: Tool) -> str:
    """The description, fit to be shown: escaped, and cut with a count where it is very long."""
    return plain_text(tool.description, MAX_DESCRIPTION_CHARS) or _NOTHING


def summary(tool: Tool) -> str:
    """The first line of the description."""
    return described(tool).partition("\n")[0]


def failures(tool: Tool) -> tuple[tuple[ApiErrorCode, str], ...]:
    """The codes that a call fails with, and when."""
    return (
        ("invalid-argument", "the arguments are not what it takes"),
        ("refused", "a rule or a person forbids the call"),
        ("io-error", "the tool fails; the message says how"),
        ("limit-exceeded", f"it takes more than {tool.timeout_s:g} s, or its result is too large"),
    )


def _namespace(namespace: Namespace) -> str:
    parts = [part for tool in namespace.tools for part in _parts(tool)]
    lines = [
        comment(plain_text(namespace.brief, MAX_DESCRIPTION_CHARS)),
        f"export namespace {namespace.name} {{",
    ]
    if parts:
        lines.append(textwrap.indent("\n\n".join(parts), "  "))
    return "\n".join([line for line in lines if line] + ["}"])


def _parts(typed: TypedTool) -> Iterator[str]:
    yield from typed.declarations
    fails = [f"Fails with `{code}` when {when}." for code, when in failures(typed.tool)]
    told = "\n".join([described(typed.tool), *fails])
    yield f"{comment(told)}\nfunction {typed.signature};"
