"""Skills end to end, in both modes: listed, read, pinned, loaded, used, and found again by copies."""

import json
from pathlib import Path
from typing import Any

import pytest

from host.app import Session
from host.core.errors import LaunchRefused
from host.core.messages import Message, Reply
from host.events import (
    AgentSurface,
    CodeExecution,
    Notice,
    OperatorLog,
    RecordReader,
    SkillRead,
    SkillText,
    View,
)
from host.launch import ScriptedModel, validate
from runtime_js import Compiler
from tests.helpers.runs import FINISH, FINISHES, MARKDOWN, SCRATCHPAD, Ran, calls, run_agent
from tests.helpers.skills import PARSE, prose, write_skill
from tests.helpers.summaries import summary_message
from tests.helpers.teams import run_team
from tests.host.cli.processes import gg

FIXTURE = Path(__file__).parents[2] / "fixtures" / "skills"
IMPORT = 'import { context, docs, memories, session, skills, views } from "gg";\n'
DELEGATES = 'import { delegation } from "gg";\n'
READ = IMPORT + 'skills.readSkill("csv-tools");\n'
BODY = "The third column is sometimes quoted."
PINNED = f"Documentation: csv-tools\n----\n{BODY}"
PAGE = (
    "Documentation: csvTools.parse\n----\nfunction parse(line: string): string[]\n\nSplits a line.\n\n"
    'import { parse } from "csvTools"'
)
USE = 'import { parse } from "csvTools";\n' + IMPORT + 'views.openText("fields", parse("a,b").join("|"));\n'
ON_USE = 'import { parse } from "csvTools";\nviews.openText("columns", String(parse("a,b").length));\n'
NOTES = "View: columns\n----\n2"


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    """With `csv-tools`, which has all four parts, and `style`, which has prose alone."""
    directory = tmp_path / "skills"
    write_skill(directory, "csv-tools", BODY, description="Reads exports.", code=PARSE, on_use=ON_USE)
    (directory / "style.md").write_text(prose("Short sentences.", "How to write."))
    return directory


def run(
    directory: Path,
    *replies: str | Reply,
    compiler: Compiler | None = None,
    others: dict[str, Any] | None = None,
    **options: Any,  # noqa: ANN401  (of run_agent)
) -> Ran:
    held = {"skills": {"params": {"dir": str(directory)}}, **(others or {})}
    return run_agent(directory.parent / "record", replies, compiler=compiler, others=held, **options)


def test_a_skill_is_read_and_its_code_is_imported_by_the_next_program(
    directory: Path, compiler: Compiler
) -> None:
    ran = run(directory, READ, USE, FINISH, compiler=compiler)

    assert "- `csv-tools`: Reads exports.\n- `style`: How to write.\n" in ran.prompts[0][0].text
    assert ran.told(1) == [PAGE, PINNED, NOTES]
    assert ran.told(2) == ["View: fields\n----\na|b"]
    assert ran.result.status == "completed"
    assert [(e.origin, e.memory, e.skill, e.ok) for e in ran.of(CodeExecution)] == [
        ("program", None, None, True),
        ("onUse", None, "csv-tools", True),
        ("program", None, None, True),
        ("program", None, None, True),
    ]
    whole = SkillText(description="Reads exports.", body=BODY, code=PARSE, on_use=ON_USE)
    assert ran.of(SkillRead) == [SkillRead(name="csv-tools", hit=True, loaded=True, skill=whole, turn=1)]
    assert [(view.kind, view.selector) for view in ran.of(View)[:2]] == [
        ("docs", "csvTools.parse"),
        ("skill", "csv-tools"),
    ]


def test_the_program_that_reads_it_gets_the_prose_but_not_the_module_yet(
    directory: Path, compiler: Compiler
) -> None:
    shows = IMPORT + 'views.openText("body", skills.readSkill(" style "));\n'
    too_early = 'import { parse } from "csvTools";\n' + READ

    ran = run(directory, shows, too_early, FINISH, compiler=compiler)

    pinned = "Documentation: style\n----\nShort sentences."
    assert ran.told(1) == [pinned, "View: body\n----\nShort sentences."]
    assert ran.told(2)[0].startswith(
        'Compiler error\n----\nprogram.ts:1:23: error TS2307: Cannot import "csvTools"'
    )
    assert [read.loaded for read in ran.of(SkillRead)] == [False]


def test_reading_again_moves_nothing_and_is_another_use(directory: Path, compiler: Compiler) -> None:
    ran = run(directory, READ, READ, FINISH, compiler=compiler)

    assert (ran.told(1), ran.told(2)) == ([PAGE, PINNED, NOTES], [NOTES])
    assert [read.skill is None for read in ran.of(SkillRead)] == [False, True]
    assert [e.skill for e in ran.of(CodeExecution) if e.origin == "onUse"] == ["csv-tools"] * 2


def test_code_that_does_not_compile_keeps_nobody_from_the_prose(directory: Path, compiler: Compiler) -> None:
    broken = {"code": PARSE.replace("split", "splt"), "on_use": 'views.opnText("secret", "");\n'}
    write_skill(directory, "broken", "Read this.", **broken)
    reads = IMPORT + 'views.openText("body", skills.readSkill("broken"));\nskills.readSkill("broken");\n'

    ran = run(directory, reads, FINISH, compiler=compiler)

    pinned, body, notice = ran.told(1)
    assert (body, pinned) == ("View: body\n----\nRead this.", "Documentation: broken\n----\nRead this.")
    assert notice == (
        "Notice\n----\nCode of the skill `broken` does not compile, and was not loaded:\n"
        "broken.ts:3:15: error TS2551: Property 'splt' does not exist on type 'string'. Did you mean"
        " 'split'?\n"
        "  3 |   return line.splt(',');\n    |               ^\n"
        "broken.on-use.ts:1:7: error TS2551: Property 'opnText' does not exist on type"
        " 'typeof import(\"gg:views\")'. Did you mean 'openText'?"
    )
    assert [notice.kind for notice in ran.of(Notice)] == ["code_does_not_compile"]
    assert [read.loaded for read in ran.of(SkillRead)] == [False, False]


def test_one_failing_half_does_not_keep_the_other_from_loading(directory: Path, compiler: Compiler) -> None:
    deep = f"export const deep = {'[' * 101}{']' * 101};\n"
    write_skill(directory, "deep", code=deep, on_use='views.openText("ran", "yes");\n')

    ran = run(directory, IMPORT + 'skills.readSkill("deep");', FINISH, compiler=compiler)

    _, ran_view, notice = ran.told(1)
    assert ran_view == "View: ran\n----\nyes"
    assert "deep.ts:1:121: error: Brackets nested 101 deep, limit 100." in notice


def test_a_script_that_fails_is_a_notice_and_its_source_is_never_shown(
    directory: Path, compiler: Compiler
) -> None:
    write_skill(directory, "throws", on_use='const secret = 1;\nthrow new Error("no rows");\n')

    ran = run(directory, IMPORT + 'skills.readSkill("throws");', FINISH, compiler=compiler)

    assert ran.told(1)[-1] == (
        "Notice\n----\nThe onUse of the skill `throws` failed: Error: no rows\n    at throws.on-use.ts:2:11"
    )
    assert not any("secret" in message.text for message in ran.prompts[1])


def test_a_script_of_the_last_turn_runs_and_one_that_it_queues_is_told_to_the_operator(
    directory: Path, compiler: Compiler
) -> None:
    write_skill(directory, "outer", on_use='skills.readSkill("csv-tools");\n')

    ran = run(directory, IMPORT + 'skills.readSkill("outer");\nsession.finish("done");\n', compiler=compiler)

    assert [log.text for log in ran.of(OperatorLog)] == [
        "the session has ended, and the onUse of the skill `csv-tools` will not run"
    ]


def test_uses_of_memories_and_skills_count_together(directory: Path, compiler: Compiler) -> None:
    memory = '{ name: "m", description: "d", body: "b", onUse: "1;" }'
    reads = IMPORT + (
        f"memories.writeMemory({memory});\n"
        'for (let made = 1; made < 32; made++) skills.readSkill("csv-tools");\n'
        'skills.readSkill("style");\n'
        'skills.readSkill("csv-tools");\n'
    )

    ran = run(directory, reads, FINISH, compiler=compiler, memories=SCRATCHPAD)

    assert ran.told(1)[-1] == (
        "Runtime error\n----\nApiError: skills.readSkill (limit-exceeded): This would be use 33 of a memory"
        " or skill with an onUse in one turn, limit 32; go on in a later turn.\n    at program.ts:5:8"
    )
    assert [e.origin for e in ran.of(CodeExecution) if e.turn == 1] == ["program", *["onUse"] * 32]


@pytest.mark.parametrize("first", ["skill", "memory"])
def test_a_memory_of_the_same_name_gets_another_key(directory: Path, compiler: Compiler, first: str) -> None:
    code = json.dumps("export const own = 1;")
    write = f'memories.writeMemory({{ name: "csv-tools", description: "d", body: "b", code: {code} }});\n'
    read = 'skills.readSkill("csv-tools");\n'
    loads = IMPORT + (read + write if first == "skill" else write + read)
    of_skill, of_memory = ("csvTools", "csvTools2") if first == "skill" else ("csvTools2", "csvTools")
    both = (
        f'import {{ parse }} from "{of_skill}";\nimport {{ own }} from "{of_memory}";\n{IMPORT}'
        'views.openText("both", `${parse("a,b")} ${own}`);\n'
    )

    ran = run(directory, loads, both, FINISH, compiler=compiler, memories=SCRATCHPAD)

    assert ran.told(2) == ["View: both\n----\na,b 1"]


def test_a_memory_imports_the_module_of_a_skill(directory: Path, compiler: Compiler) -> None:
    code = json.dumps('import { parse } from "csvTools";\nexport const width = parse("a,b,c").length;\n')
    write = f'memories.writeMemory({{ name: "w", description: "d", body: "b", code: {code} }});\n'
    use = 'import { width } from "w";\n' + IMPORT + 'views.openText("width", String(width));\n'

    ran = run(directory, READ, IMPORT + write, use, FINISH, compiler=compiler, memories=SCRATCHPAD)

    assert ran.told(3) == ["View: width\n----\n3"]


def test_a_pinned_skill_cannot_be_closed_or_archived_and_outlasts_a_compaction(
    directory: Path, compiler: Compiler
) -> None:
    closes = IMPORT + (
        'const open = views.current().find((view) => view.kind === "skill");\n'
        'const closed = [open?.close(), views.close("csv-tools"), docs.close("csv-tools")];\n'
        "docs.closeAll();\n"
        "context.archiveThread([{ from: 1, to: 1 }]);\n"
        'views.openText("closed", closed.join());\n'
    )
    compacts = IMPORT + 'context.compact("Go on.");\n'

    ran = run(
        directory,
        READ,
        closes,
        compacts,
        READ,
        FINISH,
        compiler=compiler,
        others={"agent-managed-context": {}},
    )

    assert ran.told(2) == ["View: closed\n----\n0,0,0"]
    assert [message.text for message in ran.prompts[2][1:3]] == ["Task\n----\nDo it.", PINNED]
    after = [message.text for message in ran.prompts[3]]
    assert after[1:4] == [PINNED, "Task\n----\nDo it.", summary_message("Go on.")]
    assert PAGE not in after
    assert ran.told(4) == [PAGE, NOTES]  # the module is there all along, and its page is shown anew


def test_a_skill_that_is_read_in_the_turn_of_a_compaction_is_there_once(
    directory: Path, compiler: Compiler
) -> None:
    both = READ + 'context.compact("Go on.");\n'

    ran = run(directory, READ, both, both, FINISH, compiler=compiler, others={"agent-managed-context": {}})

    for reply in (1, 2, 3):
        assert [message.text for message in ran.prompts[reply]].count(PINNED) == 1


def test_a_copy_has_the_prose_and_reads_again_for_the_code(directory: Path, compiler: Compiler) -> None:
    capabilities = [
        {"id": "skills", "params": {"dir": str(directory)}},
        {"id": "agent-managed-context"},
        {"id": "memories", **SCRATCHPAD},
    ]
    memory = 'memories.writeMemory({ name: "m", description: "d", body: "b", code: "export {};" });\n'
    script = {
        "root": [
            READ + memory,
            DELEGATES + 'delegation.fork({ prompt: "Your half." });',
            DELEGATES + "delegation.waitForSubagents();",
            FINISH,
        ],
        "root-2": [
            USE,
            IMPORT + 'context.compact("Mine.");\n',
            READ,
            USE + 'session.finish("done");\n',
        ],
    }

    ran = run_team(
        directory.parent / "record",
        script,
        {"root": {"capabilities": capabilities}},
        execution="responses_as_code",
        compiler=compiler,
    )

    assert ran.result.status == "completed"
    first = ran.told("root-2", 0)
    assert PINNED in first
    assert PAGE not in first
    assert first[-1] == (
        "Notice\n----\nNo module of a memory is loaded here; read a memory again to load its code."
        " These were: `m`. No module of a skill is loaded here; read a skill again to load its code."
        " These were: `csvTools`."
    )
    assert ran.told("root-2", 1)[0].startswith("Compiler error\n")
    assert [message.text for message in ran.prompts["root-2"][2]][1:3] == [
        "Memories\n----\n- `m` — d\n```\nb\n```",
        PINNED,
    ]
    assert ran.told("root-2", 3) == [PAGE, NOTES]
    assert [read.skill is None for read in ran.of(SkillRead, "root-2")] == [True]


def test_a_reply_that_calls_tools_gets_the_prose_as_the_answer(directory: Path) -> None:
    reads = calls(("read_skill", {"name": "csv-tools"}), ("read_skill", {"name": "csv tools"}))
    ran = run(
        directory,
        reads,
        calls(("compact", {"summary": "Go on."})),
        calls(("read_skill", {"name": "csv-tools"})),
        FINISHES,
        execution="tool_calling",
        others={"agent-managed-context": {}},
    )

    assert "read it with `read_skill`" in " ".join(ran.prompts[0][0].text.split())
    assert (ran.told(1), ran.answers(1)) == (
        [],
        [
            json.dumps(BODY),
            "not-found: There is no skill `csv tools`. The skills there are: csv-tools and style.",
        ],
    )
    assert ran.told(2) == [PINNED, "Task\n----\nDo it.", summary_message("Go on.")]
    assert (ran.told(3), ran.answers(3)) == ([], [json.dumps(BODY)])
    assert [(read.name, read.hit, read.loaded) for read in ran.of(SkillRead)] == [
        ("csv-tools", True, False),
        ("csv tools", False, False),
        ("csv-tools", True, False),
    ]


def test_the_longest_prose_is_answered_whole(directory: Path) -> None:
    write_skill(directory, "long", '"' * 65_536)

    ran = run(directory, calls(("read_skill", {"name": "long"})), FINISHES, execution="tool_calling")

    assert [json.loads(answer) for answer in ran.answers(1)] == ['"' * 65_536]


@pytest.mark.parametrize("execution", ["responses_as_code", "tool_calling"])
@pytest.mark.parametrize("how", ["off", "empty"])
def test_without_skills_the_agent_is_told_of_none(
    directory: Path, compiler: Compiler, execution: str, how: str
) -> None:
    empty = directory.parent / "empty"
    empty.mkdir()
    skills = {"enabled": how != "off", "params": {"dir": str(empty if how == "empty" else directory)}}
    finish = FINISH if execution == "responses_as_code" else FINISHES

    ran = run(directory, finish, compiler=compiler, others={"skills": skills}, execution=execution)

    assert "skill" not in ran.prompts[0][0].text
    (surface,) = ran.of(AgentSurface)
    assert "skills.read_skill" in surface.withheld
    assert "read_skill" not in surface.tools


def test_without_the_capability_a_call_is_unavailable(directory: Path, compiler: Compiler) -> None:
    ran = run_agent(directory.parent / "record", [READ, FINISH], compiler=compiler, memories=MARKDOWN)

    assert "ApiError: skills.readSkill (unavailable): " in ran.told(1)[0]


def test_what_was_saved_since_the_launch_is_not_read(directory: Path, compiler: Compiler) -> None:
    def reply(messages: tuple[Message, ...], agent_id: str) -> str:
        if len(messages) == 2:
            (directory / "csv-tools" / "skill.md").write_text("changed")
            (directory / "style.md").unlink()
            return READ + 'skills.readSkill("style");\n'
        assert any(message.text == PINNED for message in messages)
        return FINISH

    agent = {
        "id": "root",
        "model": ScriptedModel(replies=reply),
        "capabilities": [{"id": "skills", "params": {"dir": "skills"}}],
    }
    plan = validate({"task": "Do it.", "root": "root", "agents": [agent]}, base=directory.parent)

    session = Session.create(plan, out=directory.parent / "record", compiler=compiler)
    assert session.run().status == "completed"


def test_a_folder_with_faults_refuses_the_launch_with_all_of_them(directory: Path) -> None:
    (directory / "style.md").write_text("no front matter")
    write_skill(directory, "two words")

    with pytest.raises(LaunchRefused) as raised:
        run(directory, FINISH)

    told = [(defect.place, defect.message.partition(": ")[0]) for defect in raised.value.defects]
    assert told == [
        ("agents[0].capabilities[0].params.dir", f"{directory}/style.md:1:1"),
        ("agents[0].capabilities[0].params.dir", f"{directory}/two words/skill.md:1:1"),
    ]


@pytest.mark.slow
@pytest.mark.parametrize(("config", "turns"), [("", 3), ("as-tools.json", 2)], ids=["code", "tools"])
def test_the_fixture_comes_to_the_same_in_both_modes(tmp_path: Path, config: str, turns: int) -> None:
    ran = gg("run", FIXTURE / config, "--out", "record", "--json", cwd=tmp_path)

    assert ran.returncode == 0, ran.stderr
    assert json.loads(ran.stdout)["ending"] == {"kind": "finish", "summary": "Ada 20.25, Bo 15.75"}
    told = RecordReader(tmp_path / "record").view()
    assert len(told.turns) == turns
    read = [(count.name, count.hits, count.misses) for count in told.turns[0].skills]
    assert read == [("timesheets", 1, 0), ("report-style", 1, 0)]
    assert gg("show", "record", "--verify", cwd=tmp_path).returncode == 0
    assert gg("check", FIXTURE / "skills", cwd=tmp_path).returncode == 0
