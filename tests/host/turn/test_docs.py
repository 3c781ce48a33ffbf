"""Pages by key and by bare name, what is told where there is none, and that what is found can be called."""

from collections.abc import Iterator
from itertools import combinations

import pytest

from host.core.errors import Refusal
from host.core.module_keys import Carrier
from host.operations import FAMILIES, OPERATIONS, Grants, Page, granted_by, sdk_pages
from host.turn.docs import AgentDocs
from host.turn.module_pages import module_pages
from runtime_js import ExportDoc
from tests.host.operations.callers import Desk

ALL = Grants(OPERATIONS, frozenset(OPERATIONS))
SDK = {page.key: page for page in sdk_pages(FAMILIES, ALL.permits)}
ALWAYS = frozenset(id_ for id_, operation in OPERATIONS.items() if not operation.capability)


def module(key: str, *names: str) -> tuple[Page, ...]:
    exports = [
        ExportDoc(
            name=name,
            kind="function" if name[0].islower() else "type",
            signature=f"{name} of {key}",
            comment="",
        )
        for name in names
    ]
    return module_pages(Carrier("memory", key), key, tuple(exports))


MODULES = (
    *module("csvTools", "parseCsv", "Options"),
    *module("htmlTools", "Options"),
    *module("views", "openText", "openMany"),
)


def docs(pages: tuple[Page, ...] = MODULES, grants: Grants = ALL) -> AgentDocs:
    return AgentDocs(grants, lambda: pages)


FOUND = [
    pytest.param("views", "views", id="a family"),
    pytest.param("gg:views", "views", id="a family as it is imported"),
    pytest.param("gg.views", "views", id="a family as a member"),
    pytest.param("views.openFile", "views.openFile", id="a call"),
    pytest.param("gg.views.openFile", "views.openFile", id="a call as a member"),
    pytest.param(" views.openFile\n", "views.openFile", id="white space around it"),
    pytest.param("readMemory", "memories.readMemory", id="a bare name"),
    pytest.param("memories.MemoryUsage", "memories.MemoryUsage", id="a type"),
    pytest.param("gg:memories.MemoryUsage", "memories.MemoryUsage", id="a type as it is imported"),
    pytest.param("MemoryUsage", "memories.MemoryUsage", id="the bare name of a type"),
    pytest.param("FileRead", "views.FileRead", id="the bare name of a type of two families"),
    pytest.param("ApiError", "ApiError", id="the error"),
    pytest.param("gg.ApiError", "ApiError", id="the error as a member"),
    pytest.param("gg", "gg", id="the whole"),
]


@pytest.mark.parametrize(("target", "key"), FOUND)
def test_a_page_of_the_sdk(target: str, key: str) -> None:
    assert docs().page(target) == SDK[key]


FOUND_IN_MODULES = [
    pytest.param("csvTools", "csvTools", id="module"),
    pytest.param("lib:csvTools", "csvTools", id="module as it is imported"),
    pytest.param("csvTools.parseCsv", "csvTools.parseCsv", id="key"),
    pytest.param("lib:csvTools.parseCsv", "csvTools.parseCsv", id="key as it is imported"),
    pytest.param("parseCsv", "csvTools.parseCsv", id="bare name"),
    pytest.param("lib:parseCsv", "csvTools.parseCsv", id="bare name in the modules"),
    pytest.param("lib:views", "lib:views", id="a module called as a family is"),
    pytest.param("lib:views.openText", "lib:views.openText", id="a key that the SDK has, too"),
    pytest.param("lib:openText", "lib:views.openText", id="a bare name that the SDK has, too"),
    pytest.param("openMany", "lib:views.openMany", id="a bare name that it has not"),
]


@pytest.mark.parametrize(("target", "key"), FOUND_IN_MODULES)
def test_a_page_of_a_module(target: str, key: str) -> None:
    assert docs().page(target) == {page.key: page for page in MODULES}[key]


def test_every_page_has_a_key_of_its_own_and_opens_by_it() -> None:
    pages = docs().pages()

    assert len({page.key for page in pages}) == len(pages) == len(SDK) + len(MODULES)
    assert [docs().page(page.key) for page in pages] == list(pages)


def test_pages_of_modules_come_and_go() -> None:
    pages: list[Page] = []
    found = AgentDocs(ALL, lambda: tuple(pages))
    pages += module("a", "b")
    assert found.page("b") == pages[1]
    assert [page.key for page in found.pages()][-2:] == ["a", "a.b"]

    pages.clear()
    with pytest.raises(Refusal):
        found.page("b")
    assert [page.key for page in found.pages()] == list(SDK)


FEW = Grants(
    OPERATIONS,
    frozenset({"views.open_text", "views.close", "docs.close", "docs.close_all", "session.finish"}),
)
MODULE_NAMES = "Modules: gg, views, docs, session, csvTools, htmlTools and lib:views."
REFUSED = [
    pytest.param(
        "Options",
        "conflict",
        "`Options` names csvTools.Options and htmlTools.Options; give the key.",
        id="a bare name of two",
    ),
    pytest.param(
        "close",
        "conflict",
        "`close` names views.close and docs.close; give the key.",
        id="a name of two calls",
    ),
    pytest.param(
        "views.opnText",
        "not-found",
        "There is no page `views.opnText`. Near to it: views.openText, lib:views.openText and views.close.",
        id="near to a key",
    ),
    pytest.param(
        "parseCvs",
        "not-found",
        "There is no page `parseCvs`. Near to it: csvTools.parseCsv.",
        id="near to a key by its bare name",
    ),
    pytest.param(
        "finsh",
        "not-found",
        "There is no page `finsh`. Near to it: session.finish.",
        id="near to a call",
    ),
    pytest.param(
        "optons",
        "not-found",
        "There is no page `optons`. Near to it: csvTools.Options and htmlTools.Options.",
        id="near to what two pages are called",
    ),
    pytest.param(
        "lib:close",
        "not-found",
        "No loaded module has a page `close`. Near to it: views.close, docs.close and docs.closeAll.",
        id="a function that is of no module",
    ),
    pytest.param(
        "zzzzz",
        "not-found",
        f"There is no page `zzzzz`. {MODULE_NAMES}",
        id="near to nothing",
    ),
    pytest.param(
        " ",
        "invalid-argument",
        "The target is empty: it is no key, or a function that has no name.",
        id="empty, as the name of an arrow function is",
    ),
    pytest.param(
        "x\n" * 1_000_000,
        "not-found",
        "There is no page `" + r"x\u000a" * 60 + f"…`. {MODULE_NAMES}",
        id="megabytes",
    ),
]


@pytest.mark.parametrize(("target", "code", "message"), REFUSED)
def test_there_is_no_such_page(target: str, code: str, message: str) -> None:
    with pytest.raises(Refusal) as caught:
        docs(grants=FEW).page(target)

    assert (caught.value.code, caught.value.message) == (code, message)


def agents() -> Iterator[Grants]:
    """An agent for every combination of capabilities, and for every set of calls but one."""
    capabilities = sorted({operation.capability for operation in OPERATIONS.values()} - {""})
    for count in range(len(capabilities) + 1):
        for held in combinations(capabilities, count):
            yield Grants(OPERATIONS, granted_by(OPERATIONS.values(), frozenset(held), frozenset()))
    for id_ in OPERATIONS.keys() - {"docs.search", "views.open_docs_view"}:
        yield Grants(OPERATIONS, frozenset(OPERATIONS) - {id_})


@pytest.mark.slow
def test_whatever_an_agent_finds_it_can_open_and_call() -> None:
    id_of = {operation.spelling: id_ for id_, operation in OPERATIONS.items()}
    for grants in agents():
        at = Desk(granted=grants.granted, docs=docs(grants=grants))
        found = [hit for kind in ("module", "function", "type") for hit in hits_of(at, kind)]
        keys = [hit["key"] for hit in found]

        assert sorted(keys) == sorted(page.key for page in at.docs.pages())
        assert {id_of[key] for key in keys if key in id_of} == grants.granted
        assert {key for key in keys if key in SDK and "." not in key} == {
            "gg",
            "ApiError",
            "ApiErrorCode",
            *(id_.partition(".")[0] for id_ in grants.granted),
        }
        for key in keys:
            assert at.call("views.open_docs_view", key) == {"ok": None}


def hits_of(at: Desk, kind: str) -> list[dict[str, str]]:
    """Every hit of a kind, page after page."""
    hits: list[dict[str, str]] = []
    while True:
        found = at.call("docs.search", None, {"kind": kind, "offset": len(hits), "limit": 7})["ok"]
        hits += found["hits"]
        if len(hits) == found["total"]:
            return hits


GIT = Page(key="git", kind="module", module="git", name="git", signature="", summary="Git.", text="git: ")


@pytest.mark.parametrize("target", ["gg", "tools", "gg:tools", "gg.tools"])
def test_the_module_of_the_tools_is_on_the_page_of_all(target: str) -> None:
    page = AgentDocs(ALL, lambda: MODULES, tools=(GIT,)).page(target)

    assert (page.key, page.text.splitlines()[-1]) == ("gg", '- `import { git } from "gg:tools"`: Git.')


def test_without_tools_their_module_has_no_page() -> None:
    with pytest.raises(Refusal, match="There is no page `tools`"):
        docs().page("gg:tools")


def test_the_page_of_a_call_that_is_not_granted_is_not_found() -> None:
    few = docs((), Grants(OPERATIONS, ALWAYS))

    with pytest.raises(Refusal) as caught:
        few.page("memories.writeMemory")
    assert (caught.value.code, caught.value.message) == (
        "not-found",
        "There is no page `memories.writeMemory`. Modules: gg, views, docs and session.",
    )
    with pytest.raises(Refusal) as caught:
        few.page("views.openFile")
    assert caught.value.message == (
        "There is no page `views.openFile`."
        " Near to it: views.OpenView, views.openText and views.openDocsView."
    )
