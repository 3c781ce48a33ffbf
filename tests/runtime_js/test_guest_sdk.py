import pytest

from runtime_js.guest_sdk import exported_names, load_sdk
from tests.runtime_js.bundling import SDK

ALL = frozenset({"files", "memories", "views"})
NONE: frozenset[str] = frozenset()

NEEDED = [
    pytest.param("1;", None, id="nothing"),
    pytest.param('import { views } from "gg";', {"views"}, id="one family"),
    pytest.param("import {views as v,\n  type Foo, ApiError} from 'gg'", {"views"}, id="renamed"),
    pytest.param('import { ApiError } from "gg";', NONE, id="no family"),
    pytest.param('export { views } from "gg"; import type { files } from "gg"', {"views", "files"}, id="two"),
    pytest.param('import { openText } from "gg:views";', {"views"}, id="by its own name"),
    pytest.param('await import("gg:views"); import { files } from "gg"', {"views", "files"}, id="both ways"),
    pytest.param('import * as gg from "gg";', ALL, id="all of it"),
    pytest.param('import gg from "gg"', ALL, id="default"),
    pytest.param('await import("gg")', ALL, id="dynamic"),
    pytest.param('import { views } from "gg"; const a = "gg";', ALL, id="the word in a string"),
    pytest.param(
        'import { views } from "gg"; // files\nconst a = "a\\n\\"b\\"";', {"views"}, id="plain escapes"
    ),
    pytest.param('import { views } from "gg"; await import("\\x67g");', ALL, id="escaped specifier"),
    pytest.param('import { v\\u0069ews } from "gg";', ALL, id="escaped name"),
    pytest.param('import { views /* } */, files } from "gg";', ALL, id="comment"),
    pytest.param('import { "views" as v } from "gg";', ALL, id="name in quotes"),
    pytest.param('import "gg";', ALL, id="for its effects"),
]


@pytest.mark.parametrize(("source", "expected"), NEEDED)
def test_the_families_that_a_source_can_reach(source: str, expected: frozenset[str] | None) -> None:
    assert SDK.needed_by([source]) == expected


def test_what_any_of_several_sources_needs_is_needed() -> None:
    sources = ["1;", 'import { views } from "gg";', 'import { readFile } from "gg:files";']

    assert SDK.needed_by(sources) == {"views", "files"}


def test_an_on_use_script_gets_the_families_it_names() -> None:
    assert SDK.globals_of("views.openText(); new ApiError()") == ("ApiError", "views")
    assert SDK.globals_of("v\\u0069ews.openText()") == ("ApiError", "files", "memories", "views")


def test_a_stub_takes_its_exports_from_the_sdks_object() -> None:
    assert SDK.stub("gg:views") == "export const openText = gg$sdk.views.openText;\n"
    assert SDK.stub("gg").splitlines()[1] == "export const files = gg$sdk.files;"


def test_files_of_the_sdk_import_one_another() -> None:
    assert SDK.resolve("sdk/gg", "./views") == "sdk/views"
    assert SDK.resolve("sdk/gg", "./nothing") is None
    assert SDK.resolve("sdk/gg", "sdk/views") is None


def test_the_names_a_module_exports() -> None:
    source = (
        "export function a() {}\nexport async function b() {}\nexport const c = 1;\nexport class D {}\n"
        'export { e, f as g } from "x";\nexport type H = 1;\nexport interface I {}\nexport enum J {}\n'
        "  export const inner = 1;\nexport default a;\n"
    )

    assert exported_names(source) == ("D", "J", "a", "b", "c", "e", "g")


def test_the_sdk_of_this_package_is_complete() -> None:
    sdk = load_sdk()

    assert set(sdk.families) >= {"files", "memories", "session", "views"}
    assert sdk.exports["gg"] == ("ApiError", *sdk.families)
    assert [family for family in sdk.families if not sdk.exports[f"gg:{family}"]] == ["tools"]
