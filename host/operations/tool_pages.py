"""The pages of documentation of tools from outside: a module for each namespace, a function for each tool."""

from collections.abc import Iterator

from host.operations.services import Page
from host.tools import Namespace, render_namespace_page, render_page, summary


def tool_pages(namespaces: tuple[Namespace, ...]) -> tuple[Page, ...]:
    """Every page, under the keys `git` and `git.status`, as a program writes them."""
    return tuple(page for namespace in namespaces for page in _pages(namespace))


def _pages(namespace: Namespace) -> Iterator[Page]:
    name = namespace.name
    yield Page.of_module(name, namespace.brief, render_namespace_page(namespace))
    for typed in namespace.tools:
        yield Page(
            key=f"{name}.{typed.identifier}",
            kind="function",
            module=name,
            name=typed.identifier,
            signature=typed.signature,
            summary=summary(typed.tool),
            text=render_page(typed),
        )
