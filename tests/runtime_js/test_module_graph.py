import pytest

from runtime_js.module_graph import imported, reachable
from tests.runtime_js.checking import sources

MODULES = sources(
    {
        "csvTools": 'import { width } from "layout";\nexport const a = width;',
        "layout": "export const width = 1;",
        "report": "export const b = 2;",
        "loop": 'import "lib:csvTools"; import("loop");',
    }
)

# (source, imported, what is reachable beyond)
CASES = [
    pytest.param("", [], [], id="nothing"),
    pytest.param('import { a } from "csvTools";', ["csvTools", "layout"], [], id="through another"),
    pytest.param("import 'lib:report'", ["report"], [], id="with prefix"),
    pytest.param('await import("report")', ["report"], [], id="dynamic"),
    pytest.param('type A = typeof import("report")', ["report"], [], id="type"),
    pytest.param('export * from"report"', ["report"], [], id="exported again"),
    pytest.param('import "loop";', ["loop", "csvTools", "layout"], [], id="circle"),
    pytest.param('import "report"; import "report";', ["report"], [], id="twice"),
    pytest.param("// about report", [], ["report"], id="mentioned"),
    pytest.param('import {} from /* a comment */ "report";', [], ["report"], id="out of the ordinary"),
    pytest.param(
        'import "re\\u0070ort";', [], ["csvTools", "layout", "loop", "report"], id="spelled with an escape"
    ),
    pytest.param('import "gg"; import "./report.ts";', [], ["report"], id="others"),
]


@pytest.mark.parametrize(("source", "needed", "more"), CASES)
def test_modules_a_source_leads_to(source: str, needed: list[str], more: list[str]) -> None:
    assert [module.key for module in imported(source, MODULES)] == needed
    assert [module.key for module in reachable(source, MODULES)] == sorted(needed + more)
