"""The docs family: finding documentation, and closing what was read of it."""

from collections.abc import Sequence
from typing import Final

from pydantic import Field

from host.context import text_view
from host.core.errors import Refusal
from host.core.text import join_words, nearest, quoted
from host.operations.docs_search import MOST_NEAR, matching, name_modules, near_keys
from host.operations.families.opened_views import open_view, report_view
from host.operations.model import Arguments, Family, NoArguments, Operation, Result
from host.operations.services import Caller, Docs, Page, PageKind

RESULTS_LABEL: Final = "search results"
DEFAULT_HITS: Final = 20
MOST_HITS: Final = 100
MAX_QUERY_CHARS: Final = 1_000

_MOST_WORDS: Final = 10
_GROUPS: Final[tuple[tuple[PageKind, str], ...]] = (
    ("module", "Modules:"),
    ("function", "Functions:"),
    ("type", "Types:"),
)


class SearchArguments(Arguments):
    query: str | None = Field(default=None, description="Words that a page has to hold, whatever their case.")
    modules: list[str] | None = Field(
        default=None, description="Look in these modules alone: families, and keys of loaded modules."
    )
    kind: PageKind | None = Field(default=None, description="Look for one kind of page alone.")
    offset: int = Field(default=0, ge=0, description="How many hits to pass over.")
    limit: int = Field(
        default=DEFAULT_HITS, ge=1, description=f"How many hits to give; {MOST_HITS} are given at most."
    )


class CloseArguments(Arguments):
    key: str = Field(description="The key of the page, as it heads it.")


class DocHit(Result):
    """A page of documentation that was found."""

    key: str = Field(description="Opens the page: `views.openDocsView(key)`.")
    kind: PageKind = Field(description="What the page is of; constants count as functions, classes as types.")
    module: str = Field(description="The module that it belongs to.")
    name: str = Field(description="Its name in the module.")
    summary: str = Field(description="What it is, in a line.")


class DocSearch(Result):
    """What a search found: a part of all hits, the best first."""

    total: int = Field(description="How many pages there are of what was looked for.")
    offset: int = Field(description="How many of them were passed over.")
    hits: list[DocHit] = Field(description="Those that follow, as many as were asked for.")


def docs_of(caller: Caller) -> Docs:
    """The documentation that the agent can open. Raises `Refusal` `unavailable` where it has none."""
    if caller.docs is None:
        raise Refusal("unavailable", "This agent has no documentation to open.", kind="no_docs")
    return caller.docs


def _search(caller: Caller, arguments: SearchArguments) -> DocSearch:
    query = (arguments.query or "").strip()
    if not (query or arguments.modules or arguments.kind):
        raise Refusal(
            "invalid-argument",
            "There is nothing to look for; give words, modules or a kind.",
            kind="empty_search",
        )
    if len(query) > MAX_QUERY_CHARS:
        raise Refusal(
            "limit-exceeded",
            f"The query has {len(query):,} of {MAX_QUERY_CHARS:,} characters; give fewer words.",
            kind="query_cap",
        )
    pages = docs_of(caller).pages()
    _check_modules(arguments.modules or (), pages)
    found = [page for page in matching(pages, query) if _is_meant(page, arguments)]
    shown = found[arguments.offset :][: min(arguments.limit, MOST_HITS)]
    heard = f" for {quoted(query)}" if query else ""
    if found:
        told = _told(shown, len(found), arguments.offset, heard)
    else:
        told = f"Nothing found{heard}. {_near(query, pages)}"
    open_view(caller, text_view(RESULTS_LABEL, told))
    return DocSearch(total=len(found), offset=arguments.offset, hits=[_hit(page) for page in shown])


def _check_modules(names: Sequence[str], pages: tuple[Page, ...]) -> None:
    known = [page.module for page in pages if page.kind == "module"]
    for name in names:
        if name not in known:
            near = nearest(name, known)
            hint = f" Near to it: {join_words(near)}." if near else ""
            raise Refusal(
                "invalid-argument",
                f"There is no module {quoted(name)}.{hint} {name_modules(pages)}",
                kind="no_module",
            )


def _is_meant(page: Page, arguments: SearchArguments) -> bool:
    in_module = not arguments.modules or page.module in arguments.modules
    return in_module and arguments.kind in (None, page.kind)


def _told(shown: list[Page], total: int, offset: int, heard: str) -> str:
    """The hits under what they are, after a line on what part of all of them they are."""
    last = offset + len(shown)
    more = ""
    if not shown:
        more = f" None is left after the first {offset:,}."
    elif len(shown) < total:
        more = f" Shown: {offset + 1} to {last}."
        if last < total:
            more += f" Go on with `offset: {last}`."
    groups = [
        "\n".join([heading, *(f"- {page.key}: {page.summary}" for page in of_kind)])
        for kind, heading in _GROUPS
        if (of_kind := [page for page in shown if page.kind == kind])
    ]
    return "\n\n".join([f"{total} found{heard}.{more}", *groups])


def _near(query: str, pages: tuple[Page, ...]) -> str:
    """A sentence on what is near: what the words find elsewhere, names like them, what one of them finds."""
    words = query.split()[:_MOST_WORDS]
    near = [page.key for page in matching(pages, query)] if query else []
    near += [key for word in words for key in near_keys(word, pages)]
    near += [page.key for word in words if len(word) > 2 for page in matching(pages, word)]
    keys = list(dict.fromkeys(near))[:MOST_NEAR]
    return f"Near to it: {join_words(keys)}." if keys else name_modules(pages)


def _hit(page: Page) -> DocHit:
    return DocHit(key=page.key, kind=page.kind, module=page.module, name=page.name, summary=page.summary)


def _close(caller: Caller, arguments: CloseArguments) -> int:
    key = arguments.key.strip()
    if not key:
        raise Refusal("invalid-argument", "The key is empty; name a page.", kind="empty_key")
    return _closed(caller, key)


def _close_all(caller: Caller, _: NoArguments) -> int:
    return _closed(caller, None)


def _closed(caller: Caller, key: str | None) -> int:
    closed = caller.window.close_docs(key)
    for view in closed:
        report_view(caller, view, "closed")
    return len(closed)


FAMILY = Family(
    "docs",
    "Finds the documentation of what you can call, and closes pages of it.",
    (
        Operation(
            id="docs.search",
            summary="Finds pages of documentation: gives the hits, and shows them as `search results`.",
            arguments=SearchArguments,
            options=("modules", "kind", "offset", "limit"),
            run=_search,
            result=DocSearch,
            failures=(
                (
                    "invalid-argument",
                    "there is neither a query nor a filter, or no such module",
                ),
                (
                    "limit-exceeded",
                    f"the query is over {MAX_QUERY_CHARS:,} characters, the view over 65,536 bytes, or the"
                    " turn's views over 8 MiB",
                ),
            ),
            example='const { hits } = docs.search("memory", { kind: "function" });',
        ),
        Operation(
            id="docs.close",
            summary="Takes a page of documentation out of the next prompt; returns how many that were.",
            arguments=CloseArguments,
            run=_close,
            result=int,
            failures=(("invalid-argument", "the key is empty"),),
            example='docs.close("views.openFile");',
        ),
        Operation(
            id="docs.close_all",
            summary="Takes every page of documentation out of the next prompt; returns how many that were.",
            arguments=NoArguments,
            run=_close_all,
            result=int,
            example="docs.closeAll();",
        ),
    ),
)
