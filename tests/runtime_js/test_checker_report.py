import json

import pytest

from runtime_js.checker_report import Names, mend_report, read_report
from runtime_js.lsp import LspError
from runtime_js.places import SourceText

KEY = b"csvTools".hex()
NAMES = Names("report.on-use.ts", ["csvTools"])

READABLE = [
    pytest.param(f'typeof import("/dev/null/gg/12/m{KEY}")', 'typeof import("csvTools")', id="loaded module"),
    pytest.param(f"File '/dev/null/gg/1/m{KEY}.ts' is", "File 'csvTools.ts' is", id="with its ending"),
    pytest.param('import("/dev/null/gg/1/unit").A', 'import("report.on-use").A', id="the unit"),
    pytest.param("/dev/null/gg/0/lib.d.ts", "lib.d.ts", id="gg's own"),
    pytest.param(f'module "./m{KEY}"', 'module "csvTools"', id="relative"),
    pytest.param("'./m6f74686572' './unit'", "'./m6f74686572' './unit'", id="the guest's own"),
]
NO_REPORTS = [
    None,
    [],
    {"kind": "unchanged"},
    {"items": [{"severity": 1}]},
    {"items": [{"severity": 1, "range": {}, "code": 1, "message": ""}]},
]


@pytest.mark.parametrize(("text", "expected"), READABLE)
def test_paths_become_names(text: str, expected: str) -> None:
    assert NAMES.readable(text) == expected


def test_a_report_that_was_cut_off_ends_after_its_last_whole_diagnostic() -> None:
    # Its message imitates the start of the next one.
    items = [item(f'{n} ,{{"range":{{') for n in range(3)]
    body = json.dumps({"id": 1, "result": {"kind": "full", "items": items}}, separators=(",", ":")).encode()

    mended = json.loads(mend_report(body[:-30]))

    assert [d.message for d in read_report(mended["result"], SourceText("a.ts", "a"), NAMES)] == [
        '0 ,{"range":{',
        '1 ,{"range":{',
    ]


def test_a_report_without_a_whole_diagnostic_cannot_be_mended() -> None:
    with pytest.raises(LspError, match="larger than a frame may be"):
        mend_report(b'{"id":1,"result":{"kind":"full","items":[{"range":{"start"')


@pytest.mark.parametrize("report", NO_REPORTS)
def test_what_is_no_report_is_refused(report: object) -> None:
    with pytest.raises(LspError, match=r"^no (report|diagnostic): "):
        read_report(report, SourceText("a.ts", "a"), NAMES)


def item(message: str) -> dict[str, object]:
    place = {"line": 0, "character": 0}
    return {"range": {"start": place, "end": place}, "severity": 1, "code": 1, "message": message}
