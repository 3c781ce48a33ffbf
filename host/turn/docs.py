"""The documentation that an agent can open: the SDK's families and calls, and its loaded modules' exports."""

from collections.abc import Callable, Mapping
from typing import Final

from host.core.errors import Refusal
from host.core.text import join_words, nearest
from host.operations import FAMILIES, Page, family_page, operation_page

_SDK_PAGES: Final[Mapping[str, str]] = {
    **{family.name: family_page(family) for family in FAMILIES},
    **{op.spelling: operation_page(op) for family in FAMILIES for op in family.operations},
}


class AgentDocs:
    """Finds pages by key (`views.openText`, `views`, `csvTools.parseCsv`) or by a bare name that only one
    page has.
    """

    def __init__(self, module_pages: Callable[[], Mapping[str, str]]) -> None:
        self._module_pages: Final = module_pages

    def page(self, target: str) -> Page:
        key = target.strip().removeprefix("gg.").removeprefix("gg:").removeprefix("lib:")
        pages = {**_SDK_PAGES, **self._module_pages()}
        if key in pages:
            return Page(key, pages[key])
        same_name = [full for full in pages if full.rpartition(".")[2] == key]
        if len(same_name) == 1:
            return Page(same_name[0], pages[same_name[0]])
        if same_name:
            raise Refusal(
                "conflict", f"{key!r} names {join_words(same_name)}; give the key.", kind="ambiguous_page"
            )
        near = nearest(key, pages) or nearest(key, {full.rpartition(".")[2] for full in pages})
        hint = (
            f" Near to it: {join_words(near)}."
            if near
            else f" Families: {join_words(f.name for f in FAMILIES)}."
        )
        raise Refusal("not-found", f"There is no page {target!r}.{hint}", kind="no_page")
