"""The docs family through the bracket: searches of the SDK's own pages and of a module's, and closing."""

import pytest

from host.context import text_view
from host.events import View
from host.operations import FAMILIES, OPERATIONS, Grants, Page, sdk_pages
from tests.host.operations.callers import Desk, error

GRANTED = frozenset(
    id_
    for id_, operation in OPERATIONS.items()
    if operation.family in ("views", "docs", "session")
    and id_ != "views.open_file"
    and operation.role != "reviewer"
)


class SomePages:
    """The pages of an agent that has but views, documentation and the ending, and of one module."""

    def pages(self) -> tuple[Page, ...]:
        sdk = sdk_pages(FAMILIES, Grants(OPERATIONS, GRANTED).permits)
        return (*sdk, module_page("csvTools", "module"), module_page("csvTools.parseCsv", "function"))

    def page(self, target: str) -> Page:
        return {page.key: page for page in self.pages()}[target]


def module_page(key: str, kind: str) -> Page:
    return Page(
        key=key,
        kind="module" if kind == "module" else "function",
        module="csvTools",
        name=key.rpartition(".")[2],
        signature="",
        summary=f"About {key}.",
        text="Splits lines.",
    )


@pytest.fixture
def at() -> Desk:
    return Desk(granted=GRANTED, docs=SomePages())


def keys(at: Desk, *arguments: object) -> list[str]:
    return [hit["key"] for hit in at.call("docs.search", *arguments)["ok"]["hits"]]


def test_hits_are_given_and_a_view_of_them_is_opened(at: Desk) -> None:
    assert at.call("docs.search", "splits LINES") == {
        "ok": {
            "total": 2,
            "offset": 0,
            "hits": [
                {
                    "key": "csvTools",
                    "kind": "module",
                    "module": "csvTools",
                    "name": "csvTools",
                    "summary": "About csvTools.",
                },
                {
                    "key": "csvTools.parseCsv",
                    "kind": "function",
                    "module": "csvTools",
                    "name": "parseCsv",
                    "summary": "About csvTools.parseCsv.",
                },
            ],
        }
    }
    text = (
        "2 found for `splits LINES`.\n\nModules:\n- csvTools: About csvTools.\n\n"
        "Functions:\n- csvTools.parseCsv: About csvTools.parseCsv."
    )
    (opened,) = at.captured.of(View)
    assert (opened.action, opened.kind, opened.selector, opened.bytes) == (
        "opened",
        "text",
        "search results",
        len(text),
    )
    assert at.texts() == [f"View: search results\n----\n{text}"]


FOUND = [
    pytest.param(["finish"], ["session.finish", "session"], id="the name before the text"),
    pytest.param(["CLOSE every"], ["docs.closeAll", "docs"], id="two words, any case"),
    pytest.param(["close()", {"kind": "type"}], ["views.OpenView"], id="one kind"),
    pytest.param(
        ["close", {"modules": ["docs"], "kind": "function"}], ["docs.close", "docs.closeAll"], id="both"
    ),
    pytest.param(
        [None, {"modules": ["session", "csvTools"]}],
        ["session", "session.finish", "csvTools", "csvTools.parseCsv"],
        id="a union of modules",
    ),
    pytest.param([" ", {"modules": ["session"]}], ["session", "session.finish"], id="blank, with a filter"),
    pytest.param(
        [None, {"modules": ["gg"]}], ["gg", "ApiError", "ApiErrorCode"], id="what belongs to no family"
    ),
    pytest.param([None, {"kind": "module", "limit": 2}], ["gg", "views"], id="the first"),
    pytest.param([None, {"kind": "module", "offset": 3}], ["session", "csvTools"], id="those that follow"),
    pytest.param([None, {"kind": "module", "offset": 10**20}], [], id="beyond the last"),
]


@pytest.mark.parametrize(("arguments", "expected"), FOUND)
def test_what_is_found(arguments: list[object], expected: list[str], at: Desk) -> None:
    assert keys(at, *arguments) == expected


HEADED = [
    pytest.param({"limit": 2}, "5 found. Shown: 1 to 2. Go on with `offset: 2`.", id="the first"),
    pytest.param({"limit": 2, "offset": 2}, "5 found. Shown: 3 to 4. Go on with `offset: 4`.", id="some"),
    pytest.param({"limit": 2, "offset": 3}, "5 found. Shown: 4 to 5.", id="the last"),
    pytest.param({"offset": 1234}, "5 found. None is left after the first 1,234.", id="none"),
    pytest.param({}, "5 found.", id="all"),
]


@pytest.mark.parametrize(("options", "line"), HEADED)
def test_the_view_says_what_part_of_all_hits_it_shows(options: dict[str, int], line: str, at: Desk) -> None:
    found = at.call("docs.search", None, {"kind": "module", **options})["ok"]

    assert (found["total"], found["offset"]) == (5, options.get("offset", 0))
    assert at.texts()[0].splitlines()[:3] == ["View: search results", "----", line]


def test_a_hundred_hits_are_given_at_most_and_twenty_unless_more_are_asked_for() -> None:
    many = tuple(module_page(f"csvTools.f{number}", "function") for number in range(150))
    at = Desk(docs=type("Many", (SomePages,), {"pages": lambda self: many})())

    assert len(keys(at, "f")) == 20
    assert len(keys(at, "f", {"limit": 60})) == 60
    assert len(keys(at, "f", {"limit": 100_000})) == 100
    assert at.texts()[0].splitlines()[2] == "150 found for `f`. Shown: 1 to 100. Go on with `offset: 100`."


NOTHING = [
    pytest.param(
        ["opneText"], "Nothing found for `opneText`. Near to it: views.openText.", id="a name that is near"
    ),
    pytest.param(
        ["finish", {"modules": ["views"]}],
        "Nothing found for `finish`. Near to it: session.finish and session.",
        id="elsewhere",
    ),
    pytest.param(
        ["zzzzz"],
        "Nothing found for `zzzzz`. Modules: gg, views, docs, session and csvTools.",
        id="nothing is near",
    ),
    pytest.param(
        ["split a line zzz"],
        "Nothing found for `split a line zzz`. Near to it: csvTools, csvTools.parseCsv and views.Region.",
        id="one of the words",
    ),
    pytest.param(
        ["é\n" * 500],
        "Nothing found for `" + r"é\u000a" * 60 + "…`. Modules: gg, views, docs, session and csvTools.",
        id="the longest query",
    ),
    pytest.param(
        [None, {"modules": ["csvTools"], "kind": "type"}],
        "Nothing found. Modules: gg, views, docs, session and csvTools.",
        id="no words",
    ),
]


@pytest.mark.parametrize(("arguments", "line"), NOTHING)
def test_a_search_without_hits_says_what_is_near(arguments: list[object], line: str, at: Desk) -> None:
    assert at.call("docs.search", *arguments) == {"ok": {"total": 0, "offset": 0, "hits": []}}
    assert at.texts() == [f"View: search results\n----\n{line}"]


MODULES = "Modules: gg, views, docs, session and csvTools."
REFUSED = [
    pytest.param([], "There is nothing to look for; give words, modules or a kind.", id="nothing"),
    pytest.param([" \n"], "There is nothing to look for; give words, modules or a kind.", id="blank"),
    pytest.param(
        [None, {"modules": [], "limit": 3}],
        "There is nothing to look for; give words, modules or a kind.",
        id="no filter among the options",
    ),
    pytest.param(
        ["a", {"modules": ["views", "view"]}],
        f"There is no module `view`. Near to it: views. {MODULES}",
        id="a module that is near",
    ),
    pytest.param(
        ["a", {"modules": ["csvTool"]}],
        f"There is no module `csvTool`. Near to it: csvTools. {MODULES}",
        id="a loaded module that is near",
    ),
    pytest.param(
        ["a", {"modules": ["files"]}],
        f"There is no module `files`. Near to it: views. {MODULES}",
        id="a family that is not granted",
    ),
    pytest.param(
        ["a", {"modules": ["x\n" * 1_000_000]}],
        "There is no module `" + r"x\u000a" * 60 + f"…`. {MODULES}",
        id="megabytes",
    ),
    pytest.param(
        ["a", {"kind": "class"}],
        'docs.search: kind wants "module", "function" or "type" and got the string `class`.',
        id="a kind that there is not",
    ),
    pytest.param(
        ["a", {"limit": 0}],
        "docs.search: limit wants a whole number of 1 or more and got the number 0.",
        id="limit 0",
    ),
    pytest.param(
        ["a", {"limit": 1.5}],
        "docs.search: limit wants a whole number and got the number 1.5.",
        id="limit of a half",
    ),
    pytest.param(
        ["a", {"offset": -1}],
        "docs.search: offset wants a whole number of 0 or more and got the number -1.",
        id="offset below 0",
    ),
    pytest.param(
        ["a", {"modules": "views"}],
        "docs.search: modules wants an array and got the string `views`.",
        id="a module alone",
    ),
    pytest.param(
        ["a", {"modules": [1]}],
        "docs.search: modules[0] wants a string and got the number 1.",
        id="a module that is no name",
    ),
    pytest.param(
        [{"query": "a"}], "docs.search: query wants a string and got an object.", id="one object for all"
    ),
    pytest.param(
        ["a", {"module": "views"}],
        "docs.search does not know `module`. Did you mean modules?",
        id="an option that is near",
    ),
]


@pytest.mark.parametrize(("arguments", "message"), REFUSED)
def test_a_search_that_cannot_be_made_opens_nothing(arguments: list[object], message: str, at: Desk) -> None:
    assert at.call("docs.search", *arguments) == error("invalid-argument", "docs.search", message)
    assert at.texts() == []


def test_only_so_many_modules_are_named() -> None:
    many = tuple(module_page(f"m{number}", "module") for number in range(50))
    pages = tuple(Page(**{**vars(page), "module": page.key}) for page in many)
    at = Desk(docs=type("Many", (SomePages,), {"pages": lambda self: pages})())

    message = at.call("docs.search", "a", {"modules": ["zzz"]})["error"]["message"]
    assert message.endswith(", m38, m39 and 10 more.")


def test_a_search_over_the_turns_budget_of_views_is_refused(at: Desk) -> None:
    for number in range(128):
        at.window.open(text_view(f"v{number}", "x" * 65_536))

    assert at.call("docs.search", "splits")["error"]["code"] == "limit-exceeded"


def test_closing_takes_a_page_out_of_the_next_prompt(at: Desk) -> None:
    for key in ("views.openText", "docs", "csvTools"):
        at.call("views.open_docs_view", key)
    at.window.end_turn()
    at.captured.clear()

    assert at.call("docs.close", "views") == {"ok": 0}
    assert at.call("docs.close", " docs\n") == {"ok": 1}
    assert at.call("docs.close", "docs") == {"ok": 0}
    assert [(event.action, event.kind, event.selector) for event in at.captured.of(View)] == [
        ("closed", "docs", "docs")
    ]
    assert at.window.removals == 1
    assert at.call("docs.close_all") == {"ok": 2}
    assert at.call("docs.close_all") == {"ok": 0}
    assert (at.texts(), at.window.removals) == ([], 3)


def test_closing_reaches_no_text_of_that_name(at: Desk) -> None:
    at.call("views.open_text", "docs", "text")

    assert at.call("docs.close", "docs") == {"ok": 0}
    assert at.call("docs.close_all") == {"ok": 0}
    assert at.texts() == ["View: docs\n----\ntext"]


@pytest.mark.parametrize("key", ["", " \n"])
def test_closing_needs_a_key(key: str, at: Desk) -> None:
    assert at.call("docs.close", key) == error(
        "invalid-argument", "docs.close", "The key is empty; name a page."
    )


def test_a_query_has_a_cap(at: Desk) -> None:
    assert "ok" in at.call("docs.search", "x" * 1_000)
    assert at.call("docs.search", "x" * 1_001) == error(
        "limit-exceeded", "docs.search", "The query has 1,001 of 1,000 characters; give fewer words."
    )
