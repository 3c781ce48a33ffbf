"""The forms of a report, from outcomes as values."""

from pathlib import Path

import pytest

from host.app import Checked
from host.app.check.targets import HeldMemory
from host.cli.check_report import github_lines, human_lines, report_json, summary_line
from host.cli.lines import to_text
from runtime_js import Diagnostic, UnitKind


def diagnostic(file: str = "a.ts", **fields: object) -> Diagnostic:
    given = {"line": 2, "column": 3, "message": "No.", "code": "TS1", "source_line": "  no;"}
    return Diagnostic(file=file, **{**given, **fields})


def checked(*errors: Diagnostic, **fields: object) -> Checked:
    return Checked(**{"name": "a.ts", "kind": UnitKind.PROGRAM, "errors": errors, **fields})


MEMORY = HeldMemory(record=Path("record"), store="memories-1", slug="csv-tools", revision=2)
HELD = checked(diagnostic("csvTools.ts"), name="csvTools.ts", kind=UnitKind.MODULE, memory=MEMORY)

OF_SEVERAL = checked(
    diagnostic(source_line=None),
    kind=UnitKind.MODULE,
    memory=HeldMemory(
        record=Path("record"), store="memories-2", is_alone=False, slug="csv-tools", revision=2
    ),
)

HUMAN = [
    pytest.param(checked(), "", id="healthy"),
    pytest.param(checked(healing=("strip-fences",)), "", id="healed and healthy"),
    pytest.param(checked(diagnostic()), "a.ts:2:3: error TS1: No.\n  2 |   no;\n    |   ^\n", id="error"),
    pytest.param(
        checked(warnings=(diagnostic(code="", source_line=None),)),
        "a.ts:2:3: warning: No.\n",
        id="warning",
    ),
    pytest.param(
        checked(diagnostic(source_line=None), healing=("strip-fences", "strip-prose")),
        "a.ts: healed by strip-fences and strip-prose; places are in the healed text\n"
        "a.ts:2:3: error TS1: No.\n",
        id="healed",
    ),
    pytest.param(
        HELD,
        "record: csv-tools, revision 2: its code does not compile\n"
        "csvTools.ts:2:3: error TS1: No.\n  2 |   no;\n    |   ^\n",
        id="memory",
    ),
    pytest.param(
        checked(
            kind=UnitKind.ON_USE,
            warnings=(diagnostic(source_line=None),),
            memory=HeldMemory(record=Path("a\nb"), store="m", slug="x", revision=1, masked=True),
        ),
        "a b: x, revision 1: its onUse compiles with warnings; the record holds it masked, which may be why\n"
        "a.ts:2:3: warning TS1: No.\n",
        id="masked memory with a warning",
    ),
    pytest.param(
        OF_SEVERAL,
        "record: csv-tools of memories-2, revision 2: its code does not compile\na.ts:2:3: error TS1: No.\n",
        id="memory of one of several stores",
    ),
]


@pytest.mark.parametrize(("outcome", "text"), HUMAN)
def test_what_a_person_reads(outcome: Checked, text: str) -> None:
    assert to_text(human_lines(outcome)) == text


def test_a_person_is_not_flooded() -> None:
    outcome = checked(*(diagnostic(line=line, source_line=None) for line in range(1, 1_501)))

    rows = to_text(human_lines(outcome)).splitlines()

    assert (len(rows), rows[-1]) == (51, "a.ts: … 1,450 more; --json has all")


GITHUB = [
    pytest.param(checked(), [], id="healthy"),
    pytest.param(
        checked(diagnostic(), warnings=(diagnostic(line=4, code=""),)),
        [
            "::error file=a.ts,line=2,col=3,title=TS1::No.",
            "::warning file=a.ts,line=4,col=3,title=warning::No.",
        ],
        id="error and warning",
    ),
    pytest.param(
        checked(diagnostic("a,b:c%\r\n.ts", message="50%, a: b\r\n  c\x1b[2J")),
        ["::error file=a%2Cb%3Ac%25%0D%0A.ts,line=2,col=3,title=TS1::50%25, a: b%0D%0A  c\\u001b[2J"],
        id="escapes",
    ),
    pytest.param(HELD, ["::error title=csv-tools#2 TS1::csvTools.ts:2:3: No."], id="a memory is no file"),
    pytest.param(
        OF_SEVERAL, ["::error title=memories-2/csv-tools#2 TS1::a.ts:2:3: No."], id="of one of several stores"
    ),
    pytest.param(
        checked(diagnostic("r.md"), healing=("strip-fences",)),
        ["::error file=r.md,line=2,col=3,title=TS1 (healed by strip-fences)::No."],
        id="healed",
    ),
]


@pytest.mark.parametrize(("outcome", "commands"), GITHUB)
def test_what_github_reads(outcome: Checked, commands: list[str]) -> None:
    assert list(github_lines(outcome)) == commands


def test_what_a_program_reads() -> None:
    entry = {"line": 2, "column": 3, "code": "TS1", "severity": "error", "message": "No."}
    healed = checked(diagnostic(), healing=("strip-fences",))
    warned = checked(warnings=(diagnostic(),))

    assert report_json([HELD, healed, warned, checked()]) == {
        "files": 4,
        "errors": 2,
        "warnings": 1,
        "diagnostics": [
            {
                "file": "csvTools.ts",
                **entry,
                "kind": "module",
                "store": "memories-1",
                "memory": "csv-tools",
                "revision": 2,
            },
            {"file": "a.ts", **entry, "kind": "program", "healing": ["strip-fences"]},
            {"file": "a.ts", **entry, "severity": "warning", "kind": "program"},
        ],
    }


SUMMARIES = [
    pytest.param([checked()], "no errors in 1 file", id="healthy"),
    pytest.param(
        [checked(diagnostic(), diagnostic(line=3)), checked(warnings=(diagnostic(),))],
        "2 errors and 1 warning in 2 files",
        id="files",
    ),
    pytest.param([HELD, HELD], "2 errors in 1 code memory", id="both halves of a memory"),
    pytest.param([HELD, OF_SEVERAL], "2 errors in 2 code memories", id="one slug in two stores"),
    pytest.param([HELD, checked()], "1 error in 1 file and 1 code memory", id="both"),
]


@pytest.mark.parametrize(("outcomes", "told"), SUMMARIES)
def test_the_summary_counts(outcomes: list[Checked], told: str) -> None:
    assert summary_line(outcomes).text == told
    assert summary_line(outcomes, more="; on").text == f"{told}; on"


def test_a_record_without_code_memories_has_nothing_to_check() -> None:
    assert summary_line([]).text == "nothing to check: the run held no code memory when it ended"
    assert summary_line([], more="; watching").text == "no errors in 0 files; watching"
