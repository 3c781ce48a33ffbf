"""`gg check` with the real compilers."""

import json
from pathlib import Path

from tests.host.cli.processes import gg

GOOD = 'import { views } from "gg";\nviews.openText("a", "b");\n'
TYPES = 'import { views } from "gg";\nconst é: number = "\x1b";\nviews.openTxt("a", "b");\n'
SYNTAX = "const = 5;\n"


def test_programs_are_checked_where_they_stand(tmp_path: Path) -> None:
    for name, text in (("good.ts", GOOD), ("types.ts", TYPES), ("syntax.ts", SYNTAX)):
        (tmp_path / name).write_text(text)

    ran = gg("check", "good.ts", "types.ts", "syntax.ts", cwd=tmp_path)

    assert (ran.returncode, ran.stderr) == (1, "3 errors in 3 files\n")
    assert ran.stdout.split("\n") == [
        "types.ts:2:7: error TS2322: Type 'string' is not assignable to type 'number'.",
        '  2 | const é: number = "\\x1b";',
        "    |       ^",
        "types.ts:3:7: error TS2551: Property 'openTxt' does not exist on type 'typeof import(\"gg:views\")'."
        " Did you mean 'openText'?",
        '  3 | views.openTxt("a", "b");',
        "    |       ^",
        'syntax.ts:1:7: error: Expected identifier but found "="',
        "  1 | const = 5;",
        "    |       ^",
        "",
    ]


def test_the_module_of_a_memory_is_not_known(tmp_path: Path) -> None:
    (tmp_path / "uses.ts").write_text('import { parseCsv } from "csvTools";\nparseCsv("");\n')

    ran = gg("check", "uses.ts", cwd=tmp_path)

    assert (ran.returncode, ran.stderr) == (1, "1 error in 1 file\n")
    assert ran.stdout.startswith(
        'uses.ts:1:26: error: Cannot import "csvTools": no module of that key is loaded. '
    )


def test_programs_without_an_error_give_0(tmp_path: Path) -> None:
    (tmp_path / "good.ts").write_text(GOOD)

    ran = gg("check", "good.ts", cwd=tmp_path)

    assert (ran.returncode, ran.stdout, ran.stderr) == (0, "", "no errors in 1 file\n")


def test_json_is_one_object(tmp_path: Path) -> None:
    (tmp_path / "syntax.ts").write_text(SYNTAX)

    ran = gg("check", "syntax.ts", "--json", "--quiet", cwd=tmp_path)

    assert (ran.returncode, ran.stderr) == (1, "")
    assert json.loads(ran.stdout) == {
        "files": 1,
        "errors": 1,
        "diagnostics": [
            {
                "file": "syntax.ts",
                "line": 1,
                "column": 7,
                "code": "",
                "severity": "error",
                "message": 'Expected identifier but found "="',
            }
        ],
    }


def test_a_file_that_is_no_text_is_refused(tmp_path: Path) -> None:
    (tmp_path / "binary.ts").write_bytes(b"ab\xff")

    ran = gg("check", "binary.ts", cwd=tmp_path)

    assert (ran.returncode, ran.stdout, ran.stderr) == (
        1,
        "",
        "gg: binary.ts: byte 3 is no UTF-8; save the file as UTF-8\n",
    )


def test_a_folder_is_wrong_use(tmp_path: Path) -> None:
    ran = gg("check", ".", cwd=tmp_path)

    assert (ran.returncode, ran.stderr.count("\n")) == (2, 1)
    assert ran.stderr.startswith("gg check: invalid value for 'PATH…': File '.' is a directory")
