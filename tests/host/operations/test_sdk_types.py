"""The generated TypeScript under the real checker: what it lets through, and what it refuses."""

import json
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from host.memories import strategy_of
from host.operations import FAMILIES, OPERATIONS, render_declarations
from runtime_js import Compiler, CompileRejected, Unit, UnitKind, find_toolchain

SDK = Path(__file__).parents[3] / "runtime_js" / "sdk"
DECLARATIONS = render_declarations(FAMILIES)
EVERY_CALL = """\
import { ApiError, board, context, delegation, docs, files, memories, programs } from "gg";
import { records, session, shell, skillbook, skills, views } from "gg";
import * as same from "gg:views";

const written: memories.MemoryUsage = memories.writeMemory({ name: "a", description: "b", body: "c" });
memories.updateMemory({ name: "a", description: "b", body: "c", code: "d", onUse: "e", expectedRevision: 1 });
memories.createMemory({ name: "a", body: "c" });
memories.editMemory({ name: "a", search: "b", replace: "c", expectedRevision: 2 });
const found = memories.searchMemories(["b"]);
const best: memories.MemoryHit[] = found;
const matched: number = found.total + found.length + (found[0]?.matched ?? 0);
const excerpts: string[] = found.map((hit) => hit.read() + hit.excerpt);
const body: string = memories.readMemory("a");
const most: number | undefined = memories.deleteMemory("a", { expectedRevision: written.revision }).maxCount;
const put: records.RecordPut = records.put("a note", { source: "b", kind: "lesson", tags: ["c"] });
const cites: records.PassageDraft = { text: "e", provenance: { page: "7" } };
records.put("another", { passage: "f" });
const kept: records.KeptRecord = records.put("one more", { staleAfter: "2027-06-30", passage: cites }).record;
const marks: "memory_note" | "claim" | "none" = put.existed ? kept.as : kept.writtenByIs;
const relevant: records.RecordsFound = records.search("export", { topK: 3, tags: ["c"], kind: "note" });
const score: number | undefined = relevant.records[0]?.score ?? relevant.stale.length + relevant.heldBack;
const waiting: number = records.recall({ proposed: true, recordIds: [kept.id], limit: 1 }).records.length;
const room: number = records.status().maxRecords - records.recall().more;
same.openText("label", body + skills.readSkill("csv"));
const read: files.FileRead = views.openFile("a.txt", { offset: 1, limit: 2 });
views.openDocsView(files.readFile);
views.openDocsView("views");
views.openDocsView(memories);
views.openDocsView(same);
views.openDocsView(ApiError);
const pages: docs.DocSearch = docs.search("file", { modules: ["files"], offset: 0, limit: 5 });
const keys: string[] = docs.search(undefined, { kind: "type" }).hits.map((hit: docs.DocHit) => hit.key);
const gone: number = docs.close(keys[0] ?? "") + docs.closeAll() + pages.total;
const sources: string[] = programs.history().map((program) => program.error ?? program.source());
programs.rerun(programs.get(sources.length));
const archived: context.ReclaimReport = context.archiveThread([{ from: 1, to: 2 }]);
const freed: number = archived.reclaimedTokens + context.evictFileView().items;
const texts: string[] = context.searchArchive("price").hits.map((hit: context.ArchiveHit) => hit.text);
context.compact("What is done.", ["notes.md"]);
const closed: number = views.close("label");
const regions: (number | undefined)[] = views.current().map((view) => view.region?.limit ?? view.close());
const again: files.TextRead | files.ImageRead = files.readFile("a.txt");
const lines: number = again.kind === "text" && read.kind === "text" ? again.totalLines + read.firstLine : 0;
const reason: string | undefined = again.kind === "image" && !again.shown ? again.notShownReason : undefined;
const text: string = files.readTextFile("a.txt", { limit: 1 });
const bytes: number = files.writeFile("b.txt", text);
const kinds: ("file" | "directory" | "other")[] = files.listDir("folder").map((entry) => entry.kind);
files.listDir();
files.editFile("b.txt", "old", "new");
const matches: files.SearchMatch[] = files.search("TODO", { path: "src", limit: 5 });
const end: shell.ShellOutput = shell.shell("ls *.txt | wc -l", { timeoutSecs: 1.5 });
const code: number | undefined = shell.shell(["ls", "--", end.output]).exitCode ?? end.cutBytes;
const started: string = delegation.spawnSubagent({ agent: "reader", prompt: "Read." }).id;
delegation.sendMessage(started, "Read twice.");
const ends: delegation.SubagentEnd[] = delegation.waitForSubagents([started]);
ends.push(...delegation.waitForSubagents());
const good: boolean = ends.every((end) => end.status === "completed" && end.summary !== undefined);
delegation.fork();
delegation.fork({ prompt: "Go on." });
delegation.exec({ agent: "writer", prompt: "Write." });
delegation.transitionState("review");
const issue: board.Issue = board.createIssue({ title: "Clean", body: "All of it.", blockedBy: [] });
const issues: board.IssueEnd[] = board.waitForIssue([issue.id]).concat(board.waitForIssue());
const failed: boolean = issues.some((end) => end.status === "failed");
const known: skillbook.SkillsFound = skillbook.searchSkills("prices", { topK: 2, section: "context" });
const whole: skillbook.SkillGiven = skillbook.readSkill(known.skills[0].skillId);
const added: skillbook.SkillDone = skillbook.addSkill("context", "A case.", ["case"], { insight: "Do it." });
skillbook.updateSkill(added.skillId ?? "", { issue: "Another case.", evidence: "words of the run" });
const tags: string | undefined = skillbook.tagSkill("context-00001", -1).did;
const kept_: string | undefined = skillbook.removeSkill("context-00001", whole.skill?.issue ?? "why").why;
session.approve();
session.requestChanges(["Row 3 has no price."]);
try {
  session.finish("done");
} catch (error) {
  if (error instanceof ApiError && error.code === "unavailable") console.log(error.operation, error.message);
}
console.log(best, matched, excerpts, most, closed, regions, lines, reason);
console.log(marks, score, waiting, room, tags, kept_);
console.log(bytes, kinds, matches, gone, freed, texts, good, failed, code);
"""


@pytest.fixture(scope="module")
def compiler() -> Iterator[Compiler]:
    compiler = Compiler()
    yield compiler
    compiler.close()


def test_a_program_may_make_every_call(compiler: Compiler) -> None:
    unit = Unit(kind=UnitKind.PROGRAM, source=EVERY_CALL, declarations=DECLARATIONS)

    assert compiler.compile(unit).warnings == ()
    for operation in OPERATIONS.values():
        assert f".{operation.name}(" in EVERY_CALL, operation.spelling


WRONG = [
    ('views.openText("label");', "TS2554"),
    ('views.openText("label", 5);', "TS2345"),
    ('memories.writeMemory({ name: "a", body: "c" });', "TS2741"),
    ('memories.searchMemories("csv");', "TS2345"),
    ('memories.searchMemories(["csv"]).hits;', "TS2339"),
    ('memories.writeMemory({ name: "a", description: "b", body: "c", expectedRevision: 1 });', "TS2353"),
    ('files.readFile("a", { ofset: 1 });', "TS2561"),
    ("session.finish();", "TS2554"),
    ('views.openText("a", "b").then();', "TS2339"),
    ("views.openDocsView(123);", "TS2345"),
    ('docs.search("a", { kind: "class" });', "TS2322"),
    ('docs.search({ query: "a" });', "TS2345"),
    ('files.readFile("a").kind === "video";', "TS2367"),
    ('files.readFile("a").contents;', "TS2339"),
    ('files.search("a", { limit: "5" });', "TS2322"),
    ('shell.shell(["ls", 1]);', "TS2322"),
    ('shell.shell("ls", { timeout: 1 });', "TS2353"),
    ('delegation.spawnSubagent("reader", "Read.");', "TS2554"),
    ('delegation.spawnSubagent({ agent: "reader" });', "TS2741"),
    ('delegation.waitForSubagents("reader");', "TS2345"),
    ('delegation.waitForSubagents()[0]?.status === "done";', "TS2367"),
    ('board.createIssue({ title: "a", body: "b", blocked_by: [] });', "TS2561"),
    ('records.put({ text: "a" });', "TS2345"),
    ('records.put("a", { writtenBy: "user" });', "TS2353"),
    ('records.put("a", { kind: "rule" });', "TS2322"),
    ('records.search("a", { top_k: 3 });', "TS2561"),
    ('records.forget(["a"]);', "TS2339"),
    ('session.approve("good");', "TS2554"),
    ('session.requestChanges("Row 3");', "TS2345"),
]


@pytest.mark.parametrize(("call", "code"), WRONG)
def test_a_wrong_call_is_a_compile_error(compiler: Compiler, call: str, code: str) -> None:
    names = "board, delegation, docs, files, memories, records, session, shell, views"
    source = f'import {{ {names} }} from "gg";\n{call}\n'

    with pytest.raises(CompileRejected) as caught:
        compiler.compile(Unit(kind=UnitKind.PROGRAM, source=source, declarations=DECLARATIONS))

    assert [(found.line, found.code) for found in caught.value.diagnostics] == [(2, code)]


def test_the_sdks_own_sources_are_well_typed(tmp_path: Path) -> None:
    toolchain = find_toolchain()
    options = {
        "strict": True,
        "noEmit": True,
        "target": "es2024",
        "module": "esnext",
        "moduleResolution": "bundler",
        "types": [],
    }
    files = [str(SDK / name) for name in ("gg.ts", "gg.d.ts")]
    (tmp_path / "tsconfig.json").write_text(json.dumps({"compilerOptions": options, "files": files}))
    checked = subprocess.run(
        [toolchain.tsc, "-p", tmp_path], capture_output=True, text=True, check=False, cwd=tmp_path
    )

    assert (checked.stdout, checked.stderr, checked.returncode) == ("", "", 0)


APPEND_ONLY = render_declarations(FAMILIES, strategy_of("keyword-search").revising)
WITHHELD = [
    (
        'memories.editMemory({ name: "a", search: "b", replace: "c" });',
        "TS2551",
        "Property 'editMemory' does not exist",
    ),
    ('memories.deleteMemory("a");', "TS2339", "Property 'deleteMemory' does not exist"),
]


@pytest.mark.parametrize(("call", "code", "message"), WITHHELD)
def test_a_call_that_is_withheld_does_not_exist_for_the_checker(
    compiler: Compiler, call: str, code: str, message: str
) -> None:
    source = f'import {{ memories }} from "gg";\n{call}\n'

    with pytest.raises(CompileRejected) as caught:
        compiler.compile(Unit(kind=UnitKind.PROGRAM, source=source, declarations=APPEND_ONLY))

    (found,) = caught.value.diagnostics
    assert (found.line, found.code, found.message[: len(message)]) == (2, code, message)


def test_the_calls_that_are_left_are_as_they_were(compiler: Compiler) -> None:
    source = (
        'import { memories } from "gg";\nimport { createMemory } from "gg:memories";\n'
        'createMemory({ name: "a", body: "b" });\n'
        'console.log(memories.searchMemories(["b"]).map((hit) => hit.read()));\n'
    )

    assert (
        compiler.compile(Unit(kind=UnitKind.PROGRAM, source=source, declarations=APPEND_ONLY)).warnings == ()
    )


def test_a_family_of_which_all_is_withheld_can_be_imported_and_has_nothing(compiler: Compiler) -> None:
    nothing = frozenset(id_ for id_ in OPERATIONS if id_.startswith("memories."))
    source = 'import { memories } from "gg";\nmemories.writeMemory({});\n'
    unit = Unit(kind=UnitKind.PROGRAM, source=source, declarations=render_declarations(FAMILIES, nothing))

    with pytest.raises(CompileRejected) as caught:
        compiler.compile(unit)

    assert [(found.line, found.code) for found in caught.value.diagnostics] == [(2, "TS2339")]
