"""Finding pages of documentation: by words, and by names that were nearly right."""

from collections.abc import Iterable
from typing import Final

from host.core.text import join_words, nearest
from host.operations.services import Page

MOST_NEAR: Final = 3
_MOST_NAMED: Final = 40


def matching(pages: Iterable[Page], query: str) -> list[Page]:
    """The pages in which every word of the query stands, whatever its case.

    Those with the words in their names come first, then in the signature, in the summary, in the text; of
    equals the one whose name has least beside a word, then in the order of `pages`. Without a word, all.
    """
    words = tuple(dict.fromkeys(query.casefold().split()))
    ranked = [(rank, page) for page in pages if (rank := _rank(page, words)) is not None]
    return [page for _, page in sorted(ranked, key=lambda found: found[0])]


def near_keys(name: str, pages: Iterable[Page]) -> list[str]:
    """The keys that a misspelt key or bare name most likely meant, best first."""
    keys_of: dict[str, list[str]] = {}
    for page in pages:
        keys_of.setdefault(page.key if "." in name else page.name, []).append(page.key)
    return [key for near in nearest(name, keys_of) for key in keys_of[near]][:MOST_NEAR]


def name_modules(pages: Iterable[Page]) -> str:
    """A sentence that names the modules that have pages, the first of very many."""
    keys = [page.key for page in pages if page.kind == "module"]
    more = [f"{len(keys) - _MOST_NAMED} more"] if len(keys) > _MOST_NAMED else []
    return f"Modules: {join_words([*keys[:_MOST_NAMED], *more])}."


def _rank(page: Page, words: tuple[str, ...]) -> tuple[int, int] | None:
    """Lower is better; `None` where a word is missing."""
    name = page.name.casefold()
    fields = (name, f"{page.key}\n{page.signature}".casefold(), page.summary.casefold(), page.text.casefold())
    total = 0
    for word in words:
        place = next((place for place, field in enumerate(fields) if word in field), None)
        if place is None:
            return None
        total += place
    extra = min((len(name) - len(word) for word in words if word in name), default=0)
    return total, extra
