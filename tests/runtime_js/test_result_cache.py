from dataclasses import replace

import pytest

from runtime_js.result_cache import ResultCache, content_key
from runtime_js.source_map import SourceMap
from runtime_js.units import Compiled, Diagnostic, ModuleSource, ToolNamespace, Unit, UnitKind

VERSIONS = ("esbuild 1", "typescript 2")
UNIT = Unit(
    kind=UnitKind.MODULE,
    key="a",
    source="1;",
    declarations="x",
    modules=(ModuleSource("b", "2;"), ModuleSource("c", "3;")),
)

OTHERS = [
    pytest.param(replace(UNIT, source="2;"), id="source"),
    pytest.param(replace(UNIT, kind=UnitKind.ON_USE), id="kind"),
    pytest.param(replace(UNIT, key="b"), id="key"),
    pytest.param(replace(UNIT, declarations="y"), id="declarations"),
    pytest.param(replace(UNIT, typecheck="warn"), id="typecheck"),
    pytest.param(replace(UNIT, tools=(ToolNamespace("git", ()),)), id="namespaces"),
    pytest.param(replace(UNIT, tools=(ToolNamespace("git", (("a", "b"),)),)), id="tools"),
    pytest.param(replace(UNIT, modules=UNIT.modules[:1]), id="modules"),
    pytest.param(replace(UNIT, modules=(ModuleSource("b", "2;c"), ModuleSource("", "3;"))), id="boundaries"),
    pytest.param(replace(UNIT, source="", declarations="x1;"), id="boundaries of fields"),
]


def compiled(chars: int) -> Compiled:
    source_map = SourceMap("", "", ())
    return Compiled(
        js="x" * chars, source_map=source_map, warnings=(), bundle_s=0.1, check_s=0.2, cached=False
    )


@pytest.mark.parametrize("other", OTHERS)
def test_whatever_a_result_depends_on_is_in_its_key(other: Unit) -> None:
    assert content_key(other, VERSIONS) != content_key(UNIT, VERSIONS)


def test_the_versions_are_in_the_key_and_the_order_of_modules_is_not() -> None:
    turned = replace(UNIT, modules=UNIT.modules[::-1])

    assert content_key(UNIT, ("esbuild 1", "typescript 3")) != content_key(UNIT, VERSIONS)
    assert content_key(turned, VERSIONS) == content_key(UNIT, VERSIONS)


def test_a_result_is_found_until_others_need_its_room() -> None:
    cache = ResultCache(max_bytes=30_000)
    first, second, third = compiled(10_000), compiled(10_001), compiled(10_002)
    cache.put(b"1", first)
    cache.put(b"2", second)
    assert cache.find(b"1") is first

    cache.put(b"3", third)

    assert [cache.find(key) for key in (b"1", b"2", b"3")] == [first, None, third]


def test_what_a_unit_was_rejected_for_is_kept_as_well() -> None:
    cache = ResultCache(max_bytes=10_000)
    errors = (Diagnostic(file="a.ts", line=1, column=1, message="no"),)
    cache.put(b"1", errors)
    cache.put(b"2", compiled(7_000))

    assert cache.find(b"1") is None
    assert cache.find(b"2") is not None


def test_nothing_is_found_in_a_cache_that_was_cleared() -> None:
    cache = ResultCache(max_bytes=10_000)
    cache.put(b"a", ())

    cache.clear()

    assert cache.find(b"a") is None
    cache.put(b"a", ())
    assert cache.find(b"a") == ()
