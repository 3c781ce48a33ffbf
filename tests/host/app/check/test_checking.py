"""What the compilers say of files, skills and replies, with the real ones."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from host.app import Checked, check_paths
from runtime_js import Compiler, Diagnostic, UnitKind, find_toolchain

ROOT = Path(__file__).parents[4]
GOOD = 'import { views } from "gg";\nviews.openText("a", "b");\n'
TYPES = "const n: number = true;\n"
NOT_A_NUMBER = "Type 'boolean' is not assignable to type 'number'."
PARSE = "export function parseCsv(text: string): string[] {\n  return text.split(',');\n}\n"

Row = tuple[str, int, int, str]


@pytest.fixture(scope="module")
def compiler() -> Iterator[Compiler]:
    with Compiler() as compiler:
        yield compiler


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def write(**files: str) -> None:
    """Files by name; `__` stands for a slash, `_md` and the like for a suffix."""
    for name, text in files.items():
        stem, _, suffix = name.replace("__", "/").replace("on_use", "on-use").rpartition("_")
        path = Path(f"{stem}.{suffix}")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())


def check(compiler: Compiler, *paths: str, kind: UnitKind | None = None) -> list[Checked]:
    return list(check_paths([Path(path) for path in paths], kind=kind, compiler=compiler))


def rows(checked: list[Checked]) -> list[Row]:
    return [
        (found.file, found.line, found.column, found.message) for each in checked for found in each.errors
    ]


def test_programs_are_checked_under_the_names_they_were_given(compiler: Compiler) -> None:
    write(src__good_ts=GOOD, src__types_ts=TYPES, src__syntax_js="const = 5;\n")

    checked = check(compiler, "src", "src/good.ts")

    assert [(each.name, each.kind, len(each.errors)) for each in checked] == [
        ("src/good.ts", UnitKind.PROGRAM, 0),
        ("src/syntax.js", UnitKind.PROGRAM, 1),
        ("src/types.ts", UnitKind.PROGRAM, 1),
    ]
    assert rows(checked) == [
        ("src/syntax.js", 1, 7, 'Expected identifier but found "="'),
        ("src/types.ts", 1, 7, NOT_A_NUMBER),
    ]


@pytest.mark.parametrize(
    ("kind", "places"),
    [(UnitKind.PROGRAM, [("a.ts", 1, 1)]), (UnitKind.MODULE, [("a.ts", 1, 1)]), (UnitKind.ON_USE, [])],
)
def test_an_on_use_script_alone_has_the_families_in_scope(
    compiler: Compiler, kind: UnitKind, places: list[tuple[str, int, int]]
) -> None:
    write(a_ts='views.openText("a", "b");\n')

    assert [row[:3] for row in rows(check(compiler, "a.ts", kind=kind))] == places


PROSE = "---\ndescription: What it is about.\n---\nHow it is done.\n"


def test_a_skill_is_checked_with_its_own_module(compiler: Compiler) -> None:
    write(
        skills__csv__skill_md=PROSE,
        skills__csv__skill_ts=PARSE,
        skills__csv__on_use_ts='import { parseCsv } from "csv";\nviews.openText("a", parseCsv("a,b"));\n',
        skills__sums__skill_md=PROSE,
        skills__sums__skill_ts='import { parseCsv } from "csv";\nexport const n: number = parseCsv("a,b");\n',
        skills__sums__on_use_ts='import { parseCsv } from "csv";\nparseCsv("");\n',
        skills__prose__skill_md=PROSE,
    )

    checked = check(compiler, "skills")

    assert [(each.name, each.kind) for each in checked] == [
        ("skills/csv/skill.md", "skill"),
        ("skills/csv/skill.ts", UnitKind.MODULE),
        ("skills/csv/on-use.ts", UnitKind.ON_USE),
        ("skills/prose/skill.md", "skill"),
        ("skills/sums/skill.md", "skill"),
        ("skills/sums/skill.ts", UnitKind.MODULE),
        ("skills/sums/on-use.ts", UnitKind.ON_USE),
    ]
    on_use, sums, stranger = rows(checked)
    assert on_use[:3] == ("skills/csv/on-use.ts", 2, 21)
    assert sums[:3] == ("skills/sums/skill.ts", 2, 14)
    assert stranger[:3] == ("skills/sums/on-use.ts", 1, 26)
    assert stranger[3].startswith('Cannot import "csv": no module of that key may be imported here.')


def test_the_prose_of_skills_is_checked_as_a_launch_does(compiler: Compiler) -> None:
    write(
        skills__csv__skill_md="---\nname: excel\ndescription: Reads: exports.\n---\nHow.\n",
        skills__sums__skill_md="---\nname: excel\ndescripton: Adds.\n---\n",
        skills__style_md="How reports are written.\n",
        skills__csv_md=PROSE,
        skills__README_md="What is here.\n",
        skills__loose__skill_ts="export {};\n",
    )

    assert rows(check(compiler, "skills")) == [
        (
            "skills/csv.md",
            1,
            1,
            "has the name of skills/csv/skill.md, whatever their case; give one another name",
        ),
        (
            "skills/style.md",
            1,
            1,
            "needs front matter above the prose: a line ---, then description: with one line on what the"
            " skill is about, then a line ---",
        ),
        (
            "skills/csv/skill.md",
            3,
            19,
            "no YAML: a colon that belongs to no key; set the text that holds it in quotes",
        ),
        (
            "skills/sums/skill.md",
            2,
            1,
            "needs a key description: one line on what the skill is about; `descripton` is not read",
        ),
        (
            "skills/sums/skill.md",
            2,
            7,
            "the name is `excel`, and the skill is called `sums` by its file or folder; make them the same,"
            " or leave name out",
        ),
        (
            "skills/sums/skill.md",
            5,
            1,
            "there is no prose below the front matter; say what an agent has to know",
        ),
        ("skills/loose/skill.ts", 1, 1, "there is no skill.md beside it, so it is no skill"),
    ]
    (broken,) = (each for each in check(compiler, "skills/csv") if each.errors)
    assert broken.errors[0].source_line == "description: Reads: exports."


def test_the_source_lines_of_a_script_are_shown_to_the_operator(compiler: Compiler) -> None:
    write(a_ts="const n: number = true;\n", b_ts="\nconst = 5;\n")

    checked = check(compiler, "a.ts", "b.ts", kind=UnitKind.ON_USE)

    assert [each.errors[0].source_line for each in checked] == ["const n: number = true;", "const = 5;"]


def test_what_is_wrong_with_a_module_is_told_of_it_alone(compiler: Compiler) -> None:
    write(
        csv__skill_md=PROSE,
        csv__skill_ts=PARSE.replace("split", "splt"),
        csv__on_use_ts='import { parseCsv } from "csv";\nparseCsv("a");\n',
        sums__skill_md=PROSE,
        sums__skill_ts='import { parseCsv } from "csv";\nexport const all = parseCsv("a");\n',
    )

    assert [row[:3] for row in rows(check(compiler, "csv", "sums"))] == [("csv/skill.ts", 2, 15)]


def test_a_module_that_cannot_be_read_is_not_there_for_others(compiler: Compiler) -> None:
    write(csv__skill_md=PROSE, csv__on_use_ts='import { parseCsv } from "csv";\nparseCsv("a");\n')
    Path("csv/skill.ts").write_bytes(b"\xff")

    module, script = rows(check(compiler, "csv"))

    assert module == ("csv/skill.ts", 1, 1, "byte 1 is no UTF-8; save the file as UTF-8")
    assert script[:3] == ("csv/on-use.ts", 1, 26)


@pytest.mark.parametrize(("kind", "half"), [(UnitKind.MODULE, "code"), (UnitKind.ON_USE, "onUse")])
def test_a_half_that_no_store_would_take_is_refused(compiler: Compiler, kind: UnitKind, half: str) -> None:
    write(long_ts="//" + "x" * 32_767, fits_ts="//" + "x" * 32_766)

    assert rows(check(compiler, "fits.ts", "long.ts", kind=kind)) == [
        ("long.ts", 1, 1, f"{half}: 32,769 characters, limit 32,768.")
    ]
    assert rows(check(compiler, "long.ts")) == []


@pytest.mark.parametrize("size_bytes", [2**20 + 1, 9 * 2**20])
def test_a_program_over_its_limit_is_a_compile_error(compiler: Compiler, size_bytes: int) -> None:
    with open("long.ts", "wb") as file:
        file.write(b"//")
        file.truncate(size_bytes)

    assert rows(check(compiler, "long.ts")) == [
        ("long.ts", 1, 1, f"Program: {size_bytes:,} bytes, limit 1,048,576.")
    ]


REPLY = f"Here it is:\n\n```ts\n{TYPES}```\n"


@pytest.mark.parametrize("name", ["reply.md", "reply.txt"])
def test_a_reply_is_healed_as_a_run_would(compiler: Compiler, name: str) -> None:
    Path(name).write_text(REPLY)

    (checked,) = check(compiler, name)

    assert rows([checked]) == [(name, 1, 7, NOT_A_NUMBER)]
    assert checked.healing == ("strip-fences",)


def test_a_reply_that_needs_no_healing_keeps_its_places(compiler: Compiler) -> None:
    write(reply_md=f"\n\n{TYPES}")

    (checked,) = check(compiler, "reply.md")

    assert (rows([checked]), checked.healing) == ([("reply.md", 3, 7, NOT_A_NUMBER)], ())


def test_nothing_else_is_healed(compiler: Compiler) -> None:
    write(reply_ts=f"```ts\n{GOOD}```\n", half_md=f"```ts\n{GOOD}```\n")

    (program,) = check(compiler, "reply.ts")
    (module,) = check(compiler, "half.md", kind=UnitKind.MODULE)

    assert [(each.healing, each.errors[0].line) for each in (program, module)] == [((), 1), ((), 1)]


def test_what_a_compiler_cannot_finish_does_not_stop_the_others(tmp_path: Path) -> None:
    broken = tmp_path / "esbuild"
    broken.write_text("#!/bin/sh\nexit 3\n")
    broken.chmod(0o755)
    write(a_ts=GOOD, b_ts="", c_ts="import(x);\n")

    with Compiler(toolchain=replace(find_toolchain(), esbuild=broken)) as compiler:
        checked = check(compiler, "a.ts", "c.ts")

    (lost,), (located,) = (each.errors for each in checked)
    assert (lost.file, lost.line, lost.column) == ("a.ts", 1, 1)
    assert lost.message.startswith("gg could not check this: esbuild: ")
    assert located == Diagnostic(
        file="c.ts",
        line=1,
        column=1,
        message=located.message,
        source_line="import(x);",
        length=len("import"),
    )


def test_the_replies_of_the_quickstart_are_checked_one_by_one(compiler: Compiler) -> None:
    replies = ROOT / "fixtures" / "quickstart" / "replies"

    checked = check(compiler, str(replies))

    assert [Path(each.name).name for each in checked] == [path.name for path in sorted(replies.iterdir())]
    assert {Path(each.name).name: len(each.errors) for each in checked if each.errors} == {
        "03-parse.ts": 2,
        "04-mistake.ts": 1,
        "05-finish.ts": 1,
    }


@pytest.mark.parametrize(
    ("program", "beginning"),
    [
        (
            'import { git } from "gg:tools";\ngit;\n',
            'Module "gg:tools" has no export "git". It exports nothing',
        ),
        (
            'import * as tools from "gg:tools";\ntools.git;\n',
            "Property 'git' does not exist on type 'typeof import(\"gg:tools\")'. It exports nothing",
        ),
        (
            'const { git } = await import("gg:tools");\ngit;\n',
            "Property 'git' does not exist on type '{ default: typeof import(\"gg:tools\"); }'.",
        ),
    ],
)
def test_a_program_knows_the_tools_of_no_configuration(
    program: str, beginning: str, compiler: Compiler
) -> None:
    write(program_ts=program)

    ((_, _, _, message),) = rows(check(compiler, "program.ts"))

    assert message.startswith(beginning)
    assert message.endswith(". The tools of an agent are there with --config CONFIG.")
