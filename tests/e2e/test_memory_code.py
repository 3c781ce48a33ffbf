"""Code memories end to end: loading, importing, onUse, refusals, unloading."""

import json
from pathlib import Path

import pytest

from host.events import CodeExecution, MemoryRevision, MemoryState, Notice, OperatorLog
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
