"""The code memories of a session record, compiled again, with real runs and real compilers."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from host.app import Checked, check_paths
from host.app.check.record import leads_to_record, record_targets
from host.app.check.targets import HeldMemory
from runtime_js import Compiler, UnitKind
from tests.helpers.runs import FINISH, MARKDOWN, SCRATCHPAD, run_agent
from tests.helpers.skills import write_skill

PARSE = "export function parseCsv(text: string): string[] {\n  return text.split(',');\n}"


@pytest.fixture(scope="module")
def compiler() -> Iterator[Compiler]:
    with Compiler() as compiler:
        yield compiler


def call(function: str, name: str, **halves: str) -> str:
    memory = {"name": name, "description": "d", "body": "b", **halves}
    return f"memories.{function}({json.dumps(memory)});\n"


def program(*calls: str) -> str:
    return 'import { memories } from "gg";\n' + "".join(calls)


def run(
    record: Path, compiler: Compiler, memories: dict[str, Any], *replies: str, typecheck: str = "error"
) -> None:
    ran = run_agent(
        record, [*replies, FINISH], compiler=compiler, memories=memories, code_mode={"typecheck": typecheck}
    )
    assert ran.result.status == "completed"


def test_a_memory_that_imports_a_skill_is_checked_with_it(tmp_path: Path, compiler: Compiler) -> None:
    write_skill(tmp_path / "skills", "csv-tools", code=PARSE)
    reads = 'import { skills } from "gg";\nskills.readSkill("csv-tools");\n'
    code = 'import { parseCsv } from "csvTools";\nexport const width = parseCsv("a,b").length;\n'
    record = tmp_path / "record"
    ran = run_agent(
        record,
        [reads, program(call("writeMemory", "w", code=code)), FINISH],
        compiler=compiler,
        memories=SCRATCHPAD,
        others={"skills": {"params": {"dir": "skills"}}},
    )
    assert ran.result.status == "completed"
    assert told(check(compiler, record)) == []

    rewrite(record, "export function parseCsv(", "export function parse(")
    assert [row[:5] for row in told(check(compiler, record))] == [("w", 1, UnitKind.MODULE, "w.ts", 1)]


def test_a_memory_that_imports_tools_is_checked_with_those_of_its_agent(
    tmp_path: Path, compiler: Compiler
) -> None:
    code = (
        'import { local } from "gg:tools";\nexport const sum = async () => (await local.add({ a: 1 })) + 1;\n'
    )
    on_use = 'views.openText("sum", String(await tools.local.add({ a: 1 })));\n'
    record = tmp_path / "record"
    ran = run_agent(
        record,
        [program(call("writeMemory", "w", code=code, onUse=on_use)), FINISH],
        compiler=compiler,
        memories=SCRATCHPAD,
        others={"tools": {"params": {"python": [add]}}},
    )
    assert ran.result.status == "completed"
    assert told(check(compiler, record)) == []

    rewrite(record, "add(args: AddArgs)", "plus(args: AddArgs)")
    assert [row[:5] for row in told(check(compiler, record))] == [
        ("w", 1, UnitKind.MODULE, "w.ts", 2),
        ("w", 1, UnitKind.ON_USE, "w.on-use.ts", 1),
    ]


def add(a: int) -> int:
    """Adds one."""
    return a + 1


def rewrite(record: Path, before: str, after: str) -> None:
    """Makes the record one of a time when the SDK had another call."""
    events = record / "events.ndjson"
    text = events.read_text()
    assert before in text
    events.write_text(text.replace(before, after))


def check(compiler: Compiler, record: Path) -> list[Checked]:
    return list(check_paths([record], compiler=compiler))


def told(checked: list[Checked]) -> list[tuple[str, int, UnitKind, str, int, int, str]]:
    return [
        (each.memory.slug, each.memory.revision, each.kind, found.file, found.line, found.column, found.code)
        for each in checked
        if each.memory
        for found in each.errors
    ]


def test_what_no_longer_compiles_is_told_with_its_memory(tmp_path: Path, compiler: Compiler) -> None:
    first = call("writeMemory", "csv-tools", code="export const old = 1;")
    second = call(
        "updateMemory",
        "csv-tools",
        code=PARSE,
        onUse='import { parseCsv } from "csvTools";\nviews.openText("a", parseCsv("b").join());',
    )
    fine = call("writeMemory", "fine", code="export const two = 2;", onUse='views.openText("b", "c");')
    run(
        tmp_path / "record",
        compiler,
        SCRATCHPAD,
        program(first, call("writeMemory", "prose")),
        program(second, fine),
    )
    record = tmp_path / "record"
    assert told(check(compiler, record)) == []
    rewrite(record, 'views.openText(\\"a\\"', 'views.show(\\"a\\"')
    rewrite(record, "text.split", "text.cut")

    checked = check(compiler, record)

    assert told(checked) == [
        ("csv-tools", 2, UnitKind.MODULE, "csvTools.ts", 2, 15, "TS2339"),
        ("csv-tools", 2, UnitKind.ON_USE, "csvTools.on-use.ts", 2, 7, "TS2339"),
    ]
    assert [found.source_line for each in checked for found in each.errors] == [
        "  return text.cut(',');",
        'views.show("a", parseCsv("b").join());',
    ]
    assert [(each.name, each.memory) for each in checked[2:]] == [
        (name, HeldMemory(record=record, store="memories-1", slug="fine", revision=1))
        for name in ("fine.ts", "fine.on-use.ts")
    ]


def test_all_modules_of_a_store_see_each_other(tmp_path: Path, compiler: Compiler) -> None:
    memories = program(
        call("writeMemory", "b.tools", code="export const second = 2;"),
        call("writeMemory", "b-tools", code="export const third = 3;"),
        call("writeMemory", "gone", code="export const none = 0;"),
    )
    later = program(
        call(
            "writeMemory",
            "a",
            code='import { second } from "bTools";\nimport { third } from "bTools2";\n'
            'import { none } from "gone";\nexport const sum: number = second + third + none;',
        ),
        'memories.deleteMemory("gone");\n',
    )
    run(tmp_path / "record", compiler, SCRATCHPAD, memories, later)

    checked = check(compiler, tmp_path / "record")

    assert [each.name for each in checked] == ["a.ts", "bTools2.ts", "bTools.ts"]
    assert told(checked) == [("a", 1, UnitKind.MODULE, "a.ts", 3, 22, "")]


def test_a_memory_that_imports_a_broken_one_is_told_as_well(tmp_path: Path, compiler: Compiler) -> None:
    use = 'import { parseCsv } from "csv";\nexport const fields = parseCsv("a");'
    run(
        tmp_path / "record",
        compiler,
        SCRATCHPAD,
        program(call("writeMemory", "csv", code=PARSE)),
        program(call("writeMemory", "sums", code=use, onUse='import "sums";\n')),
    )
    rewrite(tmp_path / "record", "text.split", "text.splt")

    assert told(check(compiler, tmp_path / "record")) == [
        ("csv", 1, UnitKind.MODULE, "csv.ts", 2, 15, "TS2551"),
        ("sums", 1, UnitKind.MODULE, "csv.ts", 2, 15, "TS2551"),
    ]


def test_keys_are_those_of_the_order_in_which_code_was_read(tmp_path: Path, compiler: Compiler) -> None:
    create = program(
        call("createMemory", "x.y", code="export const dot = 1;"),
        call("createMemory", "x-y", code="export const dash = 1;"),
        call(
            "createMemory",
            "unread",
            code='import { dash } from "xY";\nimport { dot } from "xY2";\ndash + dot;',
        ),
    )
    read = program('memories.readMemory("x-y");\n', 'memories.readMemory("x.y");\n')
    run(tmp_path / "record", compiler, MARKDOWN, create, read)

    checked = check(compiler, tmp_path / "record")

    assert [each.name for each in checked] == ["unread.ts", "xY.ts", "xY2.ts"]
    assert told(checked) == []


def test_a_key_that_broken_code_did_not_take_is_not_known(tmp_path: Path, compiler: Compiler) -> None:
    create = program(
        call("createMemory", "x-y", code="export const dash: string = 1;"),
        call("createMemory", "x.y", code="export const dot = 1;"),
    )
    read = program('memories.readMemory("x-y");\n', 'memories.readMemory("x.y");\n')
    use = 'import { dot } from "xY";\ndot.toFixed();\n'  # compiles, so in the run the key is that of x.y
    run(tmp_path / "record", compiler, MARKDOWN, create, read, use)

    assert [
        (each.name, each.memory and each.memory.slug) for each in check(compiler, tmp_path / "record")
    ] == [
        ("xY.ts", "x-y"),
        ("xY2.ts", "x.y"),
    ]


@pytest.mark.parametrize(
    ("typecheck", "errors", "warnings"), [("error", 1, 0), ("warn", 0, 1), ("off", 0, 0)]
)
def test_a_half_is_checked_as_its_agent_had_it(
    tmp_path: Path, compiler: Compiler, typecheck: str, errors: int, warnings: int
) -> None:
    wrong = call("createMemory", "wrong", code="export const n: number = true;")
    run(tmp_path / "record", compiler, MARKDOWN, program(wrong), typecheck=typecheck)

    (checked,) = check(compiler, tmp_path / "record")

    assert (len(checked.errors), len(checked.warnings)) == (errors, warnings)
    (tmp_path / "record" / "run.json").unlink()
    (without_configuration,) = check(compiler, tmp_path / "record")
    assert len(without_configuration.errors) == 1


def test_code_of_append_only_memories_has_no_call_that_revises_one(
    tmp_path: Path, compiler: Compiler
) -> None:
    deletes = 'import { memories } from "gg";\nexport const f = () => memories.deleteMemory("a");'
    made = call("createMemory", "deletes", code=deletes)
    revising, append_only = MARKDOWN, {**MARKDOWN, "features": {"reviseMemories": False}}
    for name, memories in (("revising", revising), ("append-only", append_only)):
        run(tmp_path / name, compiler, memories, program(made))

    assert told(check(compiler, tmp_path / "revising")) == []
    assert told(check(compiler, tmp_path / "append-only")) == [
        ("deletes", 1, UnitKind.MODULE, "deletes.ts", 2, 33, "TS2339")
    ]


@pytest.mark.parametrize(
    "agents",
    [
        5,
        {"id": "root"},
        [5, {"id": 5}, {"id": "root", "capabilities": 5, "codeMode": {"typecheck": ["off"]}}],
        [{"id": "root", "capabilities": [5, {"id": "memories", "features": 5}]}],
    ],
)
def test_what_is_odd_in_a_configuration_counts_as_not_written(
    tmp_path: Path, compiler: Compiler, agents: object
) -> None:
    record = tmp_path / "record"
    run(record, compiler, MARKDOWN, program(call("createMemory", "wrong", code="export const n: 1 = 2;")))
    path = record / "run.json"
    configuration = json.loads(path.read_text())
    configuration["config"]["agents"] = agents
    path.write_text(json.dumps(configuration))

    assert len(told(check(compiler, record))) == 1


def test_that_code_was_masked_is_known(
    tmp_path: Path, compiler: Compiler, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOME_TOKEN", "text.split")
    memories = program(
        call("writeMemory", "csv", code=PARSE),
        call("writeMemory", "note", code="export const two = 2;").replace('"b"', '"text.split"'),
    )
    run(tmp_path / "record", compiler, SCRATCHPAD, memories)

    csv, note = check(compiler, tmp_path / "record")

    assert [each.memory and each.memory.masked for each in (csv, note)] == [True, False]
    assert csv.errors[0].source_line == "  return [masked:SOME_TOKEN](',');"


def test_a_record_is_its_directory_or_its_events(tmp_path: Path, compiler: Compiler) -> None:
    run(tmp_path / "record", compiler, SCRATCHPAD, program(call("writeMemory", "csv", code=PARSE)))
    record, events = tmp_path / "record", tmp_path / "record" / "events.ndjson"

    assert [leads_to_record(path) for path in (record, events, tmp_path, record / "programs")] == [
        True,
        True,
        False,
        False,
    ]
    assert [target.name for target in record_targets(events)] == ["csv.ts"]
    assert len(list(check_paths([record, events, record], compiler=compiler))) == 1


def test_a_record_without_code_has_nothing_to_check(tmp_path: Path, compiler: Compiler) -> None:
    run(tmp_path / "record", compiler, SCRATCHPAD, program(call("writeMemory", "prose")))

    assert check(compiler, tmp_path / "record") == []
