"""A memory compaction that is pending: what is refused, what satisfies it, what does not, how it ends."""

import re
from pathlib import Path

import pytest

from host.core.messages import Reply
from host.events import ApiCall, CodeExecution, Compaction, MemoryRefusal, Notice, TurnOutcome, View
from runtime_js import Compiler
from tests.helpers.compacting import EXECUTIONS, IMPORT, Arm, Execution, heads, run_compacting
from tests.helpers.runs import FINISH, FINISHES, Ran, calls

CODE = Arm("responses_as_code", "scratchpad")
TOOLS = Arm("tool_calling", "markdown")
WRITES = 'memories.writeMemory({ name: "state", description: "d", body: "b" });'
WANTED = {
    CODE: "memories.writeMemory, memories.updateMemory or memories.deleteMemory",
    TOOLS: "create_memory, edit_memory or delete_memory",
}
ARMS = {arm.execution: arm for arm in WANTED}


def pending(out: Path, arm: Arm, replies: list[str | Reply], compiler: Compiler, **others: object) -> Ran:
    """A run in which a compaction is pending from the end of turn 2 on."""
    full = [arm.reads("one"), arm.reads("two")]
    return run_compacting(out, arm, "memory-compaction", [*full, *replies], compiler=compiler, **others)


def judged(ran: Ran) -> list[str | None]:
    """The turns after the second by their errors."""
    return [outcome.error_type for outcome in ran.of(TurnOutcome)[2:]]


def refused(name: str, arm: Arm) -> str:
    return (
        f"{name} is not carried out while a compaction is pending: record what you need to go on first, with"
        f" {WANTED[arm]}."
    )


def still(found: str, arm: Arm) -> str:
    return (
        f"The compaction is still pending: {found}. Make at least one call of {WANTED[arm]}, in a reply whose"
        " calls all succeed."
    )


REFUSED_PROGRAMS = [
    ('views.openText("a", "b");', "views.open_text", "views.openText"),
    ('docs.search("memories");', "docs.search", "docs.search"),
    ('files.readTextFile("one");', "files.read_text_file", "files.readTextFile"),
    ('session.finish("done");', "session.finish", "session.finish"),
    ('context.compact("all");', "context.compact", "context.compact"),
    ("programs.history();", "programs.history", "programs.history"),
]
ALL = {"agent-managed-context": {}, "program-library": {}}


@pytest.mark.parametrize(("statement", "operation", "spelling"), REFUSED_PROGRAMS)
def test_no_other_call_of_a_program_is_carried_out(
    statement: str, operation: str, spelling: str, tmp_path: Path, compiler: Compiler
) -> None:
    replies: list[str | Reply] = [f"{IMPORT}{statement}\n", f"{IMPORT}{WRITES}\n", FINISH]
    ran = pending(tmp_path / "r", CODE, replies, compiler, others=ALL)

    assert judged(ran) == ["program_api_error", None, None]
    (call,) = (call for call in ran.of(ApiCall) if not call.ok)
    assert (call.operation, call.code, call.message) == (operation, "refused", refused(spelling, CODE))
    assert ran.result.status == "completed"


REFUSED_TOOLS = [
    ("read_file", {"path": "one"}),
    ("read_memory", {"name": "a"}),
    ("list_dir", {}),
    ("compact", {"summary": "all"}),
    ("finish", {"summary": "done"}),
]


@pytest.mark.parametrize(("name", "arguments"), REFUSED_TOOLS)
def test_no_other_call_of_a_tool_is_carried_out(
    name: str, arguments: dict[str, str], tmp_path: Path, compiler: Compiler
) -> None:
    replies = [calls((name, arguments)), TOOLS.records("state"), FINISHES]
    ran = pending(tmp_path / "r", TOOLS, replies, compiler, others=ALL)

    assert ran.answers(3) == [f"refused: {refused(name, TOOLS)}"]
    assert ran.told(3) == [f"Notice\n----\n{still('1 of 1 call in this reply did not succeed', TOOLS)}"]
    assert judged(ran) == ["missing_completion_compaction", None, None]
    assert ran.result.status == "completed"


def test_a_memory_that_is_read_while_a_compaction_is_pending_is_a_refusal_of_a_memory_call(
    tmp_path: Path, compiler: Compiler
) -> None:
    replies = [calls(("read_memory", {"name": "a"})), TOOLS.records("state"), FINISHES]
    ran = pending(tmp_path / "r", TOOLS, replies, compiler)

    (found,) = ran.of(MemoryRefusal)
    assert (found.call, found.name, found.code, found.kind) == (
        "memories.read_memory",
        "a",
        "refused",
        "pending_compaction",
    )


UNSATISFYING = [
    pytest.param("", "this reply recorded nothing", id="no call"),
    pytest.param(
        'try { views.openText("a", "b"); } catch {}',
        "1 of 1 call in this reply did not succeed",
        id="a refused call that is caught",
    ),
    pytest.param(
        f'{WRITES}\ntry {{ views.openText("a", "b"); }} catch {{}}',
        "1 of 2 calls in this reply did not succeed",
        id="a refused call beside one that records",
    ),
    pytest.param(
        f'try {{ memories.deleteMemory("none"); }} catch {{}}\n{WRITES}',
        "1 of 2 calls in this reply did not succeed",
        id="a failed call beside one that records",
    ),
]


@pytest.mark.parametrize(("statements", "found"), UNSATISFYING)
def test_a_program_that_does_not_satisfy_it_is_told_why(
    statements: str, found: str, tmp_path: Path, compiler: Compiler
) -> None:
    again = WRITES.replace('"state"', '"again"')
    replies: list[str | Reply] = [f"{IMPORT}{statements}\n", f"{IMPORT}{again}\n", FINISH]
    ran = pending(tmp_path / "r", CODE, replies, compiler)

    assert judged(ran) == ["missing_completion_compaction", None, None]
    assert ran.told(3) == [f"Notice\n----\n{still(found, CODE)}"]
    assert ran.prompts[3][: len(ran.prompts[2])] == ran.prompts[2]
    assert [compaction.turn for compaction in ran.of(Compaction)] == [4]


ERRORS = [
    (CODE, f"{IMPORT}{WRITES}\nthrow new Error('no');\n", "program_throw"),
    (CODE, "not a program", "transpile_compile"),
    (CODE, Reply(text="cut", finish_reason="length"), "model_length_capped"),
    (TOOLS, Reply(text="I will."), "missing_completion_no_call"),
    (TOOLS, calls(("create_memory", "{")), "model_parse"),
]


@pytest.mark.parametrize(("arm", "reply", "error_type"), ERRORS)
def test_an_error_turn_stays_what_it_is_and_does_not_satisfy_it(
    arm: Arm, reply: str | Reply, error_type: str, tmp_path: Path, compiler: Compiler
) -> None:
    ran = pending(tmp_path / "r", arm, [reply, arm.records("more"), arm.finishes], compiler)

    assert judged(ran) == [error_type, None, None]
    assert [compaction.turn for compaction in ran.of(Compaction)] == [4]


def test_all_calls_of_the_satisfying_reply_are_carried_out(tmp_path: Path, compiler: Compiler) -> None:
    arguments = {"name": "a", "description": "d", "contents": "one"}
    edits = {"name": "a", "old_string": "one", "new_string": "two"}
    replies = [
        calls(("create_memory", arguments), ("edit_memory", edits), ("delete_memory", {"name": "a"})),
        FINISHES,
    ]
    ran = pending(tmp_path / "r", TOOLS, replies, compiler)

    assert ran.result.memories == ()
    assert ran.prompts[3][-1].text.endswith("gone from the window. You hold no memories now.")
    assert heads(ran.prompts[3]) == ["Task", "Summary"]


@pytest.mark.parametrize("execution", EXECUTIONS)
def test_a_model_that_never_complies_reaches_the_ceiling_of_errors(
    execution: Execution, tmp_path: Path, compiler: Compiler
) -> None:
    arm = ARMS[execution]
    ran = pending(tmp_path / "r", arm, [arm.finishes] * 9, compiler, limits={"maxConsecutiveErrors": 3})

    assert (ran.result.status, ran.result.error) == (
        "limit_exceeded",
        "maxConsecutiveErrors: 3, limit 3",
    )
    assert len(ran.prompts) == 5
    assert ran.of(Compaction) == []


def test_without_a_ceiling_of_errors_the_run_ends_when_the_window_has_no_room(
    tmp_path: Path, compiler: Compiler
) -> None:
    wordy = f"{IMPORT}// {'x' * 8_000}\nsession.finish('done');\n"
    ran = pending(tmp_path / "r", CODE, [wordy] * 9, compiler, limits={"maxRuntimeSecs": 60})

    assert (ran.result.status, ran.result.exit_code) == ("compaction_failed", 1)
    assert re.sub(r"\d\d,\d{3} tokens", "N tokens", str(ran.result.error)) == (
        "nothing was recorded in memories since that was asked for after turn 2, and the window holds about"
        " N tokens, of a contextWindow of 12,000; a lower threshold, which leaves more room, or a larger"
        " contextWindow would help"
    )
    assert [outcome.outcome for outcome in ran.of(TurnOutcome)[-1:]] == ["error"]


ON_USE = (
    'memories.writeMemory({ name: "state", description: "d", body: "b",'
    " code: 'export function tax(n: number) { return n; }', onUse: ON_USE });"
)


def using(script: str) -> str:
    return f"{IMPORT}const ON_USE = {script!r};\n{ON_USE}\n"


def test_a_module_and_what_a_script_shows_outlive_the_compaction_that_their_memory_satisfied(
    tmp_path: Path, compiler: Compiler
) -> None:
    script = 'views.openText("again", "Row 1."); memories.deleteMemory("none");'
    imports = f'import {{ tax }} from "state";\n{IMPORT}session.finish(`${{tax(3)}}`);\n'
    ran = pending(tmp_path / "r", CODE, [using(script), imports], compiler)

    assert judged(ran) == [None, None]
    assert ran.result.ending is not None
    assert ran.result.ending.summary == "3"
    assert heads(ran.prompts[3]) == [
        "Memories",
        "Task",
        "Summary",
        "Documentation: state.tax",
        "View: again",
        "Notice",
    ]
    assert [notice.kind for notice in ran.of(Notice)] == ["compaction_pending", "on_use_failed"]
    assert [(view.selector, view.origin) for view in ran.of(View)[2:]] == [
        ("state.tax", "host"),
        ("again", "onUse"),
    ]


def test_a_script_cannot_have_the_window_rewritten_meanwhile(tmp_path: Path, compiler: Compiler) -> None:
    fails = using('context.compact("mine", ["three"]);') + "throw 1;\n"
    replies: list[str | Reply] = [fails, f"{IMPORT}{WRITES.replace('write', 'update')}\n", FINISH]
    ran = pending(tmp_path / "r", CODE, replies, compiler, others=ALL)

    assert judged(ran) == ["program_throw", None, None]
    assert [execution.ok for execution in ran.of(CodeExecution) if execution.origin == "onUse"] == [False]
    (call,) = (call for call in ran.of(ApiCall) if not call.ok)
    assert (call.operation, call.origin, call.message) == (
        "context.compact",
        "onUse",
        "A compaction is pending already, and takes every earlier turn with it.",
    )
    assert [(c.turn, c.strategy) for c in ran.of(Compaction)] == [(4, "memory-compaction")]
    assert not any(view.selector == "three" for view in ran.of(View))


def test_after_it_the_agent_has_all_its_calls_again_and_is_asked_anew(
    tmp_path: Path, compiler: Compiler
) -> None:
    replies = [
        CODE.records("first"),
        CODE.reads("one"),
        CODE.reads("two"),
        CODE.records("second"),
        FINISH,
    ]
    ran = pending(tmp_path / "r", CODE, replies, compiler)

    assert judged(ran) == [None] * 5
    assert [compaction.memories_kept for compaction in ran.of(Compaction)] == [1, 2]
