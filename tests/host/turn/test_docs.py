"""Pages by key and by bare name, and what is told where there is none."""

from collections.abc import Mapping

import pytest

from host.core.errors import Refusal
from host.operations import FAMILIES, OPERATIONS, Page, family_page, operation_page
from host.turn.docs import AgentDocs

MODULES = {
    "csvTools.parseCsv": "parseCsv(text: string): string[][]",
    "csvTools.Options": "Options",
    "htmlTools.Options": "Options of another",
    "views.openText": "openText of a memory called views",
}


def docs(pages: Mapping[str, str] = MODULES) -> AgentDocs:
    return AgentDocs(lambda: pages)


FOUND = [
    pytest.param("views", "views", id="a family"),
    pytest.param("gg:views", "views", id="a family as it is imported"),
    pytest.param("gg.views", "views", id="a family as a member"),
    pytest.param("views.openFile", "views.openFile", id="a call"),
    pytest.param("gg.views.openFile", "views.openFile", id="a call as a member"),
    pytest.param(" views.openFile\n", "views.openFile", id="white space around it"),
    pytest.param("readMemory", "memories.readMemory", id="a bare name"),
]


@pytest.mark.parametrize(("target", "key"), FOUND)
def test_a_page_of_the_sdk(target: str, key: str) -> None:
    family = {family.name: family_page(family) for family in FAMILIES}
    calls = {operation.spelling: operation_page(operation) for operation in OPERATIONS.values()}

    assert docs().page(target) == Page(key, {**family, **calls}[key])


def test_every_family_and_every_call_has_a_page() -> None:
    keys = [family.name for family in FAMILIES] + [operation.spelling for operation in OPERATIONS.values()]

    assert [docs({}).page(key).key for key in keys] == keys


FOUND_IN_MODULES = [
    pytest.param("csvTools.parseCsv", "csvTools.parseCsv", id="key"),
    pytest.param("lib:csvTools.parseCsv", "csvTools.parseCsv", id="key as it is imported"),
    pytest.param("parseCsv", "csvTools.parseCsv", id="bare name"),
    pytest.param("lib:parseCsv", "csvTools.parseCsv", id="bare name in the modules"),
    pytest.param("lib:views.openText", "views.openText", id="a key that the SDK has, too"),
    pytest.param("lib:openText", "views.openText", id="a bare name that the SDK has, too"),
]


@pytest.mark.parametrize(("target", "key"), FOUND_IN_MODULES)
def test_a_page_of_a_module(target: str, key: str) -> None:
    assert docs().page(target) == Page(key, MODULES[key])


def test_a_key_that_both_have_is_the_sdks() -> None:
    assert docs().page("views.openText") == Page(
        "views.openText", operation_page(OPERATIONS["views.open_text"])
    )


def test_pages_of_modules_come_and_go() -> None:
    pages: dict[str, str] = {}
    found = docs(pages)
    pages["a.b"] = "text"
    assert found.page("b") == Page("a.b", "text")

    pages.clear()
    with pytest.raises(Refusal):
        found.page("b")


REFUSED = [
    pytest.param(
        "Options",
        "conflict",
        "`Options` names csvTools.Options and htmlTools.Options; give the key.",
        id="a bare name of two",
    ),
    pytest.param(
        "views.opnText",
        "not-found",
        "There is no page `views.opnText`. Near to it: views.openText, views.openFile and views.close.",
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
        "There is no page `finsh`. Near to it: session.finish and files.",
        id="near to a call and to a family",
    ),
    pytest.param(
        "optons",
        "not-found",
        "There is no page `optons`. Near to it: csvTools.Options and htmlTools.Options.",
        id="near to what two pages are called",
    ),
    pytest.param(
        "zzzzz",
        "not-found",
        "There is no page `zzzzz`. Families: memories, views, files and session.",
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
        "There is no page `" + r"x\u000a" * 60 + "…`. Families: memories, views, files and session.",
        id="megabytes",
    ),
]


@pytest.mark.parametrize(("target", "code", "message"), REFUSED)
def test_there_is_no_such_page(target: str, code: str, message: str) -> None:
    with pytest.raises(Refusal) as caught:
        docs().page(target)

    assert (caught.value.code, caught.value.message) == (code, message)
