"""Code memories end to end: loading, importing, onUse, refusals, unloading."""

import json
from itertools import pairwise
from pathlib import Path

import pytest

from host.core.module_keys import MAX_CODE_CHARS
from host.events import CodeExecution, MemoryRead, MemoryRevision, MemoryState, Notice, OperatorLog
from host.operations import FAMILIES
from runtime_js import Compiler
from tests.helpers.runs import FINISH, MARKDOWN, SCRATCHPAD, run_agent

SEED_EXAMPLE = """\
import { memories } from "gg";

memories.writeMemory({
  name: "csv-tools",
  description: "Parsing the vendor CSV exports, which quote inconsistently.",
  body: "The third column is sometimes quoted and sometimes not; parseCsv handles both.",
  code: "/** Splits lines. */\\nexport function parseCsv(text: string) { return text.split(','); }",
  onUse:
    'views.openText("csv-notes", "Row 1 is a header on exports after March.");',
});
"""
WITHOUT_A_VALUE = SEED_EXAMPLE.replace(
    "/** Splits lines. */\\nexport function parseCsv(text: string) { return text.split(','); }",
    "export function parseCsv(text: string) { /* … */ }",
)
USE = """\
import { views } from "gg";
import { parseCsv } from "csvTools";
const fields: string[] = parseCsv("a,b");
views.openText("fields", fields.join("|"));
"""
CREATE = SEED_EXAMPLE.replace("writeMemory", "createMemory")
READ = """\
import { memories, views } from "gg";
views.openText("body", memories.readMemory("csv-tools"));
"""
PAGE = (
    "Documentation: csvTools.parseCsv\n----\nfunction parseCsv(text: string): string[]\n\nSplits lines.\n\n"
    'import { parseCsv } from "csvTools"'
)
NOTES = "View: csv-notes\n----\nRow 1 is a header on exports after March."
BODY = "The third column is sometimes quoted and sometimes not; parseCsv handles both."


def test_a_scratchpad_write_loads_the_code_and_runs_on_use(tmp_path: Path, compiler: Compiler) -> None:
    ran = run_agent(tmp_path / "record", [SEED_EXAMPLE, USE, FINISH], compiler=compiler, memories=SCRATCHPAD)

    assert ran.told(1) == [PAGE, NOTES]
    assert ran.told(2) == ["View: fields\n----\na|b"]
    assert ran.result.status == "completed"
    assert [(e.origin, e.memory, e.ok) for e in ran.of(CodeExecution)] == [
        ("program", None, True),
        ("onUse", "csv-tools", True),
        ("program", None, True),
        ("program", None, True),
    ]
    assert [memory.name for memory in ran.result.memories] == ["csv-tools"]


def test_a_function_of_a_memory_may_give_nothing_yet(tmp_path: Path, compiler: Compiler) -> None:
    calls = 'import { parseCsv } from "csvTools";\nparseCsv("a,b");\n'

    ran = run_agent(
        tmp_path / "record", [WITHOUT_A_VALUE, calls, FINISH], compiler=compiler, memories=SCRATCHPAD
    )

    assert ran.told(1) == [
        "Documentation: csvTools.parseCsv\n----\nfunction parseCsv(text: string): void\n\n"
        'import { parseCsv } from "csvTools"',
        NOTES,
    ]
    assert ran.result.status == "completed"


def test_a_markdown_create_stores_and_the_read_loads(tmp_path: Path, compiler: Compiler) -> None:
    ran = run_agent(tmp_path / "record", [CREATE, READ, USE, FINISH], compiler=compiler, memories=MARKDOWN)

    assert ran.told(1)[0].startswith("Notice\n----\n")
    assert ran.told(2) == [PAGE, f"View: body\n----\n{BODY}", NOTES]
    assert ran.told(3) == ["View: fields\n----\na|b"]


def test_a_write_whose_code_does_not_compile_leaves_no_trace(tmp_path: Path, compiler: Compiler) -> None:
    bad = SEED_EXAMPLE.replace("return text.split(',');", "return text.splt(',');")
    ran = run_agent(tmp_path / "record", [bad, USE, FINISH], compiler=compiler, memories=SCRATCHPAD)

    assert "csvTools.ts:2:" in ran.told(1)[0]
    assert "TS2551" in ran.told(1)[0]
    assert ran.told(2)[0].startswith("Compiler error\n----\nprogram.ts:2:26: error")
    assert ran.of(MemoryRevision) == []
    assert [state.count for state in ran.of(MemoryState)] == [0]


def test_both_halves_are_diagnosed_together_and_the_script_is_never_shown(
    tmp_path: Path, compiler: Compiler
) -> None:
    bad = SEED_EXAMPLE.replace("text.split", "text.splt").replace("views.openText(", "views.opnText(")
    ran = run_agent(tmp_path / "record", [bad, FINISH], compiler=compiler, memories=SCRATCHPAD)

    told = ran.told(1)[0]
    assert "csvTools.ts:2:" in told
    assert "csvTools.on-use.ts:1:7: error TS2551" in told
    assert "Row 1 is a header" not in told


def test_a_read_returns_the_body_with_the_diagnostic_appended(tmp_path: Path, compiler: Compiler) -> None:
    bad = CREATE.replace("return text.split(',');", "return text.splt(',');")
    ran = run_agent(tmp_path / "record", [bad, READ, FINISH], compiler=compiler, memories=MARKDOWN)

    body, notes = ran.told(2)
    assert body.startswith(f"View: body\n----\n{BODY}\n\n----\ncsvTools.ts:2:")
    assert notes == NOTES


def test_a_failing_script_is_a_notice_and_the_turn_is_unchanged(tmp_path: Path, compiler: Compiler) -> None:
    failing = SEED_EXAMPLE.replace(
        'views.openText("csv-notes"', 'throw new Error("secret"); views.openText("csv-notes"'
    )
    ran = run_agent(
        tmp_path / "record",
        [failing, FINISH],
        compiler=compiler,
        memories=SCRATCHPAD,
        code_mode={"typecheck": "off"},
    )

    assert ran.told(1)[-1] == (
        "Notice\n----\nThe onUse of `csv-tools` failed: Error: secret\n    at csvTools.on-use.ts:1:11"
    )
    assert [notice.kind for notice in ran.of(Notice)] == ["on_use_failed"]


def test_a_script_cannot_end_the_session(tmp_path: Path, compiler: Compiler) -> None:
    ending = SEED_EXAMPLE.replace(
        'views.openText("csv-notes", "Row 1 is a header on exports after March.");', 'session.finish("no");'
    )
    ran = run_agent(tmp_path / "record", [ending, FINISH], compiler=compiler, memories=SCRATCHPAD)

    assert (
        "session.finish (unavailable): session.finish is not available to an onUse script." in ran.told(1)[-1]
    )
    assert ran.result.ending is not None
    assert ran.result.ending.summary == "done"


def test_a_script_runs_although_the_program_failed_and_before_the_ending(
    tmp_path: Path, compiler: Compiler
) -> None:
    ran = run_agent(
        tmp_path / "record",
        [
            SEED_EXAMPLE + 'throw new Error("after");\n',
            SEED_EXAMPLE.replace("write", "update").replace(
                "import { memories }", "import { memories, session }"
            )
            + 'session.finish("end");\n',
        ],
        compiler=compiler,
        memories=SCRATCHPAD,
    )

    assert ran.told(1)[:2] == [PAGE, NOTES]
    assert ran.result.ending is not None
    assert ran.result.ending.summary == "end"
    assert [e.origin for e in ran.of(CodeExecution)] == ["program", "onUse", "program", "onUse"]


def test_a_use_in_the_script_of_the_last_turn_is_dropped_and_told_to_the_operator(
    tmp_path: Path, compiler: Compiler
) -> None:
    script = 'memories.writeMemory({ name: "inner", description: "d", body: "b", onUse: "1;" });'
    ending = '\nimport { session } from "gg";\nsession.finish("done");\n'
    ran = run_agent(
        tmp_path / "record",
        [_write("outer", "export {};", on_use=script) + ending],
        compiler=compiler,
        memories=SCRATCHPAD,
    )

    assert [(log.text, log.turn) for log in ran.of(OperatorLog)] == [
        ("the session has ended, and the onUse of `inner` will not run", None)
    ]
    assert [(e.origin, e.finished) for e in ran.of(CodeExecution)] == [("program", True), ("onUse", False)]


@pytest.mark.parametrize(
    "clear",
    [
        'memories.updateMemory({ name: "csv-tools", description: "d", body: "b" });',
        'memories.deleteMemory("csv-tools");',
    ],
    ids=["cleared", "deleted"],
)
def test_a_module_is_unloaded_when_its_code_is_gone(clear: str, tmp_path: Path, compiler: Compiler) -> None:
    ran = run_agent(
        tmp_path / "record",
        [SEED_EXAMPLE, f'import {{ memories }} from "gg";\n{clear}\n', USE, FINISH],
        compiler=compiler,
        memories=SCRATCHPAD,
    )

    assert ran.told(3)[0].startswith("Compiler error\n----\nprogram.ts:2:26: error")


def test_no_more_than_32_uses_in_one_turn(tmp_path: Path, compiler: Compiler) -> None:
    many = """\
import { memories, views } from "gg";
let made = 0;
try {
  for (; made < 40; made++) {
    const onUse = `views.openText("v${made}", "x");`;
    memories.writeMemory({ name: `m-${made}`, description: "d", body: "b", onUse });
  }
} catch (error) {
  views.openText("stopped", `${made}: ${error}`);
}
"""
    ran = run_agent(tmp_path / "record", [many, FINISH], compiler=compiler, memories=SCRATCHPAD)

    stopped, *scripts = ran.told(1)
    assert stopped.startswith("View: stopped\n----\n32: ApiError: This would be use 33")
    assert scripts == [f"View: v{n}\n----\nx" for n in range(32)]
    assert len(ran.result.memories) == 32


def _write(name: str, code: str, *, call: str = "writeMemory", on_use: str = "") -> str:
    halves = {"code": code, **({"onUse": on_use} if on_use else {})}
    memory = json.dumps({"name": name, "description": "d", "body": "b", **halves})
    return f'import {{ memories }} from "gg";\nmemories.{call}({memory});\n'


def test_a_script_reaches_what_its_own_module_imports_and_no_other_key(
    tmp_path: Path, compiler: Compiler
) -> None:
    base = _write("base", 'export const word = () => "base";')
    top = 'import { word } from "base";\nexport const twice = () => word() + word();'
    ran = run_agent(
        tmp_path / "record",
        [
            base,
            _write("top", top, on_use='import { twice } from "top";\nviews.openText("own", twice());'),
            _write("other", "export {};", on_use='import { word } from "base";\nword();'),
            _write("third", "export {};", on_use='let type: typeof import("base");'),
            FINISH,
        ],
        compiler=compiler,
        memories=SCRATCHPAD,
    )

    assert ran.told(2)[-1] == "View: own\n----\nbasebase"
    assert ran.told(3)[-1].startswith(
        "Runtime error\n----\nApiError: memories.writeMemory (invalid-argument): other.on-use.ts:1:22: error:"
        ' Cannot import "base": no module of that key may be imported here.'
    )
    assert "third.on-use.ts:1:25: error TS2307: Cannot import" in ran.told(4)[-1]


def test_loaded_modules_may_come_to_import_each_other(tmp_path: Path, compiler: Compiler) -> None:
    ran = run_agent(
        tmp_path / "record",
        [
            _write("a", "export const one = () => 1;"),
            _write("b", 'import { one } from "a";\nexport const two = () => one() + one();'),
            _write(
                "a",
                'import { two } from "b";\n'
                "export const one = () => 1;\nexport const three = () => two() + 1;",
                call="updateMemory",
            ),
            'import { views } from "gg";\nimport { three } from "a";\n'
            'views.openText("three", `${three()}`);\n',
            FINISH,
        ],
        compiler=compiler,
        memories=SCRATCHPAD,
    )

    assert ran.told(4) == ["View: three\n----\n3"]


def test_the_page_of_a_default_export_has_an_import_line_that_compiles(
    tmp_path: Path, compiler: Compiler
) -> None:
    ran = run_agent(
        tmp_path / "record",
        [
            _write("csv-tools", "export default function parse(text: string) { return text.length; }"),
            'import csvTools from "csvTools";\nimport { views } from "gg";\n'
            'views.openText("n", `${csvTools("abc")}`);\n',
            FINISH,
        ],
        compiler=compiler,
        memories=SCRATCHPAD,
    )

    assert ran.told(1) == [
        "Documentation: csvTools.default\n----\nfunction parse(text: string): number\n\n"
        'import csvTools from "csvTools"'
    ]
    assert ran.told(2) == ["View: n\n----\n3"]


NOT_LOADED = (
    'Cannot import "b": no module of that key is loaded. Importable are "gg" and "gg:<family>"'
    f" ({', '.join(sorted(['tools', *(family.name for family in FAMILIES)]))}); no module is loaded."
)
FITS = f"export const n = 1;{' ' * (MAX_CODE_CHARS - 19)}"
# A half, what a refused write or the body of a read is told of it, and whether it was too long to be stored.
HALVES = [
    pytest.param(
        "code",
        "export function f( {",
        "a.ts:1:21: error: Expected identifier but found end of file\n  1 | export function f( {\n"
        "    |                     ^",
        id="a syntax error",
    ),
    pytest.param(
        "code",
        "export const n: number = 'x';",
        "a.ts:1:14: error TS2322: Type 'string' is not assignable to type 'number'.\n"
        "  1 | export const n: number = 'x';\n    |              ^",
        id="a type error",
    ),
    pytest.param(
        "code",
        "import { z } from 'b';",
        f"a.ts:1:19: error TS2307: {NOT_LOADED}\n  1 | import {{ z }} from 'b';\n    |                   ^",
        id="an import of what is not loaded",
    ),
    pytest.param("code", FITS, "", id="as long as code may be"),
    pytest.param("code", " \n\t", "", id="blank code"),
    pytest.param(
        "onUse", "views.openText(;", 'a.on-use.ts:1:16: error: Unexpected ";"', id="a script's syntax"
    ),
    pytest.param("onUse", f"{' ' * (MAX_CODE_CHARS - 2)}1;", "", id="as long as a script may be"),
]


@pytest.mark.parametrize(("half", "code", "problems"), HALVES)
@pytest.mark.parametrize("strategy", ["scratchpad", "markdown"])
def test_a_half_is_told_where_it_loads(
    strategy: str, half: str, code: str, problems: str, tmp_path: Path, compiler: Compiler
) -> None:
    is_read = strategy == "markdown"
    given = {"name": "a", "description": "d", "body": "The body.", half: code}
    call = f"memories.createMemory({json.dumps(given)});\nconst told = memories.readMemory('a');"
    if not is_read:
        call = (
            f'let told = "";\ntry {{ memories.writeMemory({json.dumps(given)}); }}\n'
            "catch (error: any) { told = error.code + ': ' + error.message; }"
        )
    program = f'import {{ memories, views }} from "gg";\n{call}\nviews.openText("told", told);\n'
    ran = run_agent(
        tmp_path / "r", [program, FINISH], compiler=compiler, memories=MARKDOWN if is_read else SCRATCHPAD
    )

    refused = f"invalid-argument: {problems}" if problems else ""
    after_the_body = f"The body.\n\n----\n{problems}" if problems else "The body."
    told = after_the_body if is_read else refused
    assert ran.told(1)[0] == f"View: told\n----\n{told}".rstrip("\n")
    kept = code if code.strip() else None
    stored = [(kept, None) if half == "code" else (None, kept)] if is_read or not problems else []
    assert [(revision.code, revision.on_use) for revision in ran.of(MemoryRevision)] == stored


@pytest.mark.parametrize("half", ["code", "onUse"])
@pytest.mark.parametrize("call", ["writeMemory", "createMemory"])
def test_a_half_that_is_too_long_is_refused_and_nothing_is_stored(
    call: str, half: str, tmp_path: Path, compiler: Compiler
) -> None:
    given = {"name": "a", "description": "d", "body": "b", half: f"{FITS} "}
    program = f'import {{ memories }} from "gg";\nmemories.{call}({json.dumps(given)});\n'
    ran = run_agent(
        tmp_path / "r",
        [program, FINISH],
        compiler=compiler,
        memories=SCRATCHPAD if call == "writeMemory" else MARKDOWN,
    )

    assert ran.told(1) == [
        f"Runtime error\n----\nApiError: memories.{call} (limit-exceeded): Cannot"
        f" {call.removesuffix('Memory')} `a`: {half} is 32769 of 32768 characters. Shorten it and call"
        f" memories.{call} again.\n    at program.ts:2:10"
    ]
    assert ran.of(MemoryRevision) == []


def test_each_read_of_a_program_is_a_use(tmp_path: Path, compiler: Compiler) -> None:
    create = _write("a", "let n = 0;\nexport const next = () => ++n;", call="createMemory", on_use=COUNTS)
    reads = (
        'import { memories, views } from "gg";\nmemories.readMemory("a");\n'
        'views.openText("same", "program");\nmemories.readMemory("a");\n'
    )
    ran = run_agent(tmp_path / "r", [create, reads, FINISH], compiler=compiler, memories=MARKDOWN)

    # Each script has an engine of its own; a label that is opened again stays in its place.
    page, same, *others = ran.told(2)
    assert page.startswith("Documentation: a.next\n")
    assert [same, *others] == ["View: same\n----\n1", "View: last\n----\n2"]
    assert [(e.origin, e.turn) for e in ran.of(CodeExecution)] == [
        ("program", 1),
        ("program", 2),
        ("onUse", 2),
        ("onUse", 2),
        ("program", 3),
    ]


COUNTS = (
    'import { next } from "a";\nviews.openText("same", `${next()}`);\nviews.openText("last", `${next()}`);'
)


def test_a_script_that_uses_its_own_memory_runs_again_a_turn_later(
    tmp_path: Path, compiler: Compiler
) -> None:
    script = 'memories.readMemory("a");\nmemories.readMemory("a");\nviews.openText("ran", "again");'
    create = _write("a", "export {};", call="createMemory", on_use=script)
    read = 'import { memories } from "gg";\nmemories.readMemory("a");\n'
    ran = run_agent(tmp_path / "r", [create, read, "1;", "2;", FINISH], compiler=compiler, memories=MARKDOWN)

    assert [ran.told(turn) for turn in (2, 3, 4)] == [["View: ran\n----\nagain"]] * 3
    assert [e.turn for e in ran.of(CodeExecution) if e.origin == "onUse"] == [2, *[3] * 2, *[4] * 4, *[5] * 8]
    assert [(log.text, log.turn) for log in ran.of(OperatorLog)] == [
        ("the session has ended, and the onUse of `a` will not run", None)
    ]


def test_the_33rd_read_of_a_turn_is_refused_before_anything_is_done(
    tmp_path: Path, compiler: Compiler
) -> None:
    create = _write("a", "export {};", call="createMemory", on_use="1;")
    reads = (
        'import { memories } from "gg";\nfor (let made = 0; made < 33; made++) memories.readMemory("a");\n'
    )
    ran = run_agent(tmp_path / "r", [create, reads, FINISH], compiler=compiler, memories=MARKDOWN)

    assert ran.told(2) == [
        "Runtime error\n----\nApiError: memories.readMemory (limit-exceeded): This would be use 33 of a"
        " memory or skill with an onUse in one turn, limit 32; go on in a later turn.\n    at program.ts:2:48"
    ]
    assert [e.origin for e in ran.of(CodeExecution) if e.turn == 2] == ["program", *["onUse"] * 32]
    assert len(ran.of(MemoryRead)) == 32


def test_pages_follow_the_code_of_a_memory(tmp_path: Path, compiler: Compiler) -> None:
    both = "/** One. */\nexport const one = () => 1;\n/** Two. */\nexport const two = () => 2;"
    revised = both.replace("One.", "The first.")
    update, opens_nothing = "updateMemory", ["Notice"]
    clears = (
        'import { memories } from "gg";\nmemories.updateMemory({ name: "a", description: "d", body: "b" });\n'
    )
    ran = run_agent(
        tmp_path / "r",
        [
            _write("a", both),
            _write("a", both, call=update),
            _write("a", revised, call=update),
            clears,
            _write("a", revised, call=update),
            'import { memories } from "gg";\nmemories.deleteMemory("a");\n',
            _write("A", "export const three = () => 3;"),
            _write("a", revised),
            FINISH,
        ],
        compiler=compiler,
        memories=SCRATCHPAD,
    )

    shown = [[text.partition("\n")[0] for text in ran.told(turn)] for turn in range(1, 9)]
    first, second = "Documentation: a.one", "Documentation: a.two"
    assert shown == [
        [first, second],
        opens_nothing,
        [first],
        opens_nothing,
        [first, second],
        opens_nothing,
        ["Documentation: a2.three"],
        [first, second],
    ]
    assert "\n\nThe first.\n\n" in ran.told(3)[0]
    # What was shown stays where it was: the request before is the beginning of the next one.
    assert all(next_[: len(prompt)] == prompt for prompt, next_ in pairwise(ran.prompts))


KEYS = {
    "csv-tools": "csvTools",
    "csv_tools": "csvTools2",
    "CSV.Tools": "csvTools3",
    "2fa": "_2fa",
    "class": "_class",
    "gg": "_gg",
    "..": "memory",
    "-": "memory2",
    "memory": "memory3",
    "views": "views",
    "__proto__": "proto",
    "constructor": "constructor",
    "toString": "toString",
    "then": "then",
}


def test_every_memory_has_a_key_of_its_own(tmp_path: Path, compiler: Compiler) -> None:
    writes = "".join(
        _write(name, f"export const slug = {json.dumps(name)};").partition("\n")[2] for name in KEYS
    )
    imports = "".join(f'import {{ slug as s{n} }} from "{key}";\n' for n, key in enumerate(KEYS.values()))
    slugs = ", ".join(f"s{n}" for n in range(len(KEYS)))
    shows = (
        f'{imports}import {{ views as gg }} from "gg";\ngg.openText("slugs", JSON.stringify([{slugs}]));\n'
    )
    ran = run_agent(
        tmp_path / "r",
        [f'import {{ memories }} from "gg";\n{writes}', shows, FINISH],
        compiler=compiler,
        memories=SCRATCHPAD,
    )

    assert ran.told(2) == [f"View: slugs\n----\n{json.dumps(list(KEYS), separators=(',', ':'))}"]


def test_code_that_no_longer_compiles_is_told_after_the_body(tmp_path: Path, compiler: Compiler) -> None:
    top = 'import { word } from "base";\nexport const twice = () => word() + word();'
    ran = run_agent(
        tmp_path / "r",
        [
            _write("base", 'export const word = () => "w";', call="createMemory")
            + _write("top", top, call="createMemory").partition("\n")[2],
            'import { memories } from "gg";\nmemories.readMemory("base");\nmemories.readMemory("top");\n',
            'import { memories, views } from "gg";\nmemories.deleteMemory("base");\n'
            'views.openText("top", memories.readMemory("top"));\n',
            FINISH,
        ],
        compiler=compiler,
        memories=MARKDOWN,
    )

    (told,) = ran.told(3)
    assert told.startswith(
        'View: top\n----\nb\n\n----\ntop.ts:1:22: error: Cannot import "base": no module of that key is'
        " loaded."
    )
    assert told.endswith('\n  1 | import { word } from "base";\n    |                      ^')
