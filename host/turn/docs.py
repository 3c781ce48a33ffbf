"""The documentation that an agent can open: the SDK's families and calls, and its loaded modules' exports."""

from collections.abc import Callable, Mapping
from typing import Final

from host.core.errors import Refusal
from host.core.text import join_words, nearest, quoted
from host.operations import FAMILIES, Page, family_page, operation_page

_MOST_NEAR: Final = 3
_SDK_PAGES: Final[Mapping[str, str]] = {
    **{family.name: family_page(family) for family in FAMILIES},
    **{op.spelling: operation_page(op) for family in FAMILIES for op in family.operations},
}


class AgentDocs:
    """Finds pages by key (`views.openText`, `views`, `csvTools.parseCsv`) or by a bare name that only one
    page has. A key that the SDK and a module share is the SDK's; `lib:` before it asks for the module's.
    """

    def __init__(self, module_pages: Callable[[], Mapping[str, str]]) -> None:
        self._module_pages: Final = module_pages

    def page(self, target: str) -> Page:
        wanted = target.strip()
        modules = self._module_pages()
        pages = modules if wanted.startswith("lib:") else {**modules, **_SDK_PAGES}
        key = wanted.removeprefix("gg.").removeprefix("gg:").removeprefix("lib:")
        if not key:
            raise Refusal(
                "invalid-argument",
                "The target is empty: it is no key, or a function that has no name.",
                kind="empty_target",
            )
        if key in pages:
            return Page(key, pages[key])
        same_name = [full for full in pages if full.rpartition(".")[2] == key]
        if len(same_name) == 1:
            return Page(same_name[0], pages[same_name[0]])
        if same_name:
            raise Refusal(
                "conflict",
                f"{quoted(key)} names {join_words(same_name)}; give the key.",
                kind="ambiguous_page",
            )
        raise Refusal("not-found", f"There is no page {quoted(target)}.{_hint(key, pages)}", kind="no_page")


def _hint(key: str, pages: Mapping[str, str]) -> str:
    near = nearest(key, pages) if "." in key else _keys_near(key, pages)
    if near:
        return f" Near to it: {join_words(near)}."
    return f" Families: {join_words(family.name for family in FAMILIES)}."


def _keys_near(bare_name: str, pages: Mapping[str, str]) -> list[str]:
    keys_of: dict[str, list[str]] = {}
    for key in pages:
        keys_of.setdefault(key.rpartition(".")[2], []).append(key)
    return [key for name in nearest(bare_name, keys_of) for key in keys_of[name]][:_MOST_NEAR]
