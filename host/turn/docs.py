"""The documentation that an agent can find and open: of what it may call, and of its loaded modules."""

from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from types import MappingProxyType
from typing import Final

from host.core.errors import Refusal
from host.core.text import join_words, quoted
from host.operations import FAMILIES, Grants, Page, name_modules, near_keys, sdk_pages

_LIB: Final = "lib:"
_TOOLS: Final = "tools"


class AgentDocs:
    """Finds pages by key (`views.openText`, `views`, `csvTools.parseCsv`) or by a bare name that only one
    page has. A bare name after `lib:` is looked for in the modules alone. `notes` are sentences on what a
    call, by its operation's id, meets with this agent. `tools` are the pages of its tools.
    """

    def __init__(
        self,
        grants: Grants,
        module_pages: Callable[[], tuple[Page, ...]],
        notes: Mapping[str, str] = MappingProxyType({}),
        tools: tuple[Page, ...] = (),
    ) -> None:
        self._tools: Final = tools
        self._grants: Final = grants
        self._notes: Final = notes
        self._module_pages: Final = module_pages

    def pages(self) -> tuple[Page, ...]:
        return (*self._sdk_pages, *self._tools, *self._module_pages())

    def page(self, target: str) -> Page:
        wanted = target.strip()
        if not wanted:
            raise Refusal(
                "invalid-argument",
                "The target is empty: it is no key, or a function that has no name.",
                kind="empty_target",
            )
        in_modules = wanted.startswith(_LIB)
        name = wanted.removeprefix("gg.").removeprefix("gg:").removeprefix("tools.").removeprefix(_LIB)
        pages = self._module_pages() if in_modules else self.pages()
        by_key = {page.key: page for page in pages}
        found = by_key.get(wanted) or by_key.get(name)
        if found is not None:
            return found
        if name == _TOOLS and self._tools and not in_modules:
            return by_key["gg"]  # which lists their modules
        same_name = [page for page in pages if page.name == name]
        if same_name and (len(same_name) == 1 or self._is_one_type(same_name)):
            return same_name[0]
        if same_name:
            keys = join_words(page.key for page in same_name)
            raise Refusal("conflict", f"{quoted(name)} names {keys}; give the key.", kind="ambiguous_page")
        told = "No loaded module has a page" if in_modules else "There is no page"
        raise Refusal("not-found", f"{told} {quoted(name)}.{_hint(name, self.pages())}", kind="no_page")

    def _is_one_type(self, pages: list[Page]) -> bool:
        """Whether all of these pages are of one type, which calls of several families name."""
        same = {page.signature for page in pages}
        return len(same) == 1 and all(page.kind == "type" and page in self._sdk_pages for page in pages)

    @cached_property
    def _sdk_pages(self) -> tuple[Page, ...]:
        return sdk_pages(FAMILIES, self._grants.permits, self._notes, self._tools)


def _hint(name: str, pages: Iterable[Page]) -> str:
    near = near_keys(name, pages)
    if near:
        return f" Near to it: {join_words(near)}."
    return f" {name_modules(pages)}"
