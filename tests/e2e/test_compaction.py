"""A window that fills and is compacted, in real runs: both ways, each memory strategy, both modes."""

from pathlib import Path
from typing import Literal

import pytest

from host.app import moment_at
from host.core.messages import Reply
from host.events import (
    Compaction,
    ContextBreakdown,
    ModelReply,
    Prompt,
    RecordReader,
    TurnOutcome,
    verify_record,
)
from runtime_js import Compiler
from tests.helpers.compacting import (
    EXECUTIONS,
    STRATEGIES,
    THRESHOLD_TOKENS,
    Arm,
    Execution,
    Strategy,
    heads,
    run_compacting,
)
from tests.helpers.runs import FINISH, calls
from tests.helpers.summaries import summary_message

# What a window holds of one note under each strategy, beside the task.
PINNED = {"scratchpad": ["Memories"], "markdown": ["Memories"], "keyword-search": []}
# What is read of one file: in code mode a view, in tool-calling mode the answer to the call.
READ = {"responses_as_code": ["assistant", "File: {}:1-1 of 1 lines"], "tool_calling": ["assistant", "tool"]}
SHOWED_NOTHING = {"responses_as_code": ["assistant", "Notice"], "tool_calling": ["assistant", "tool"]}


def read(execution: Execution, name: str) -> list[str]:
    return [each.format(name) for each in READ[execution]]


@pytest.mark.parametrize("execution", EXECUTIONS)
@pytest.mark.parametrize("strategy", STRATEGIES)
def test_a_model_s_summary_takes_the_place_of_what_was_said(
    strategy: Strategy, execution: Execution, tmp_path: Path, compiler: Compiler
) -> None:
    arm = Arm(execution, strategy)
    replies = [
        arm.records("kept"),
        arm.reads("one"),
        arm.reads("two"),
        " The gist.\n",
        arm.records("more"),
        arm.finishes,
    ]
    ran = run_compacting(tmp_path / "r", arm, "summary", replies, compiler=compiler)

    assert [outcome.outcome for outcome in ran.of(TurnOutcome)] == ["progressed"] * 4 + ["finished"]
    before, asked, after, last = ran.prompts[2:]
    assert heads(before) == ["Task", *SHOWED_NOTHING[execution], *read(execution, "one")]
    assert (asked[: len(before)], heads(asked[len(before) :])) == (before, ["Notice"])
    assert heads(after) == [*PINNED[strategy], "Task", "Summary", *read(execution, "two")]
    assert after[1 + len(PINNED[strategy]) + 1].text == summary_message("The gist.")
    assert last[: len(after)] == after
    (compaction,) = ran.of(Compaction)
    assert (compaction.turn, compaction.cause, compaction.strategy) == (3, "threshold", "summary")
    assert (compaction.summary, compaction.memories_kept) == ("The gist.", 1)
    assert (compaction.messages_before, compaction.messages_after) == (
        len(asked),
        1 + len(PINNED[strategy]) + 2,
    )
    assert compaction.threshold_tokens == THRESHOLD_TOKENS <= (compaction.observed_tokens or 0)
    assert compaction.tokens_after < compaction.tokens_before < THRESHOLD_TOKENS
    assert [(r.turn, r.purpose) for r in ran.of(ModelReply)] == [
        (1, "turn"),
        (2, "turn"),
        (3, "turn"),
        (3, "summary"),
        (4, "turn"),
        (5, "turn"),
    ]
    assert all(check.ok for check in verify_record(RecordReader(ran.result.record)))


WHERE = {
    "scratchpad": "You hold 2 memories: whole above, under Memories.",
    "markdown": "You hold 2 memories: the index above, under Memories, is up to date, and {} reads one.",
    "keyword-search": "You hold 2 memories: {} finds them, and {} reads one.",
}
READS = {
    "responses_as_code": ("memories.searchMemories", "memories.readMemory"),
    "tool_calling": ("search_memories", "read_memory"),
}


def note(arm: Arm) -> str:
    calls = READS[arm.execution]
    return summary_message(
        "Your window was full. You recorded your state in your memories, and everything that"
        " was said before is gone from the window. "
        + WHERE[arm.strategy].format(*(calls[1:] if arm.strategy == "markdown" else calls))
    )


@pytest.mark.parametrize("execution", EXECUTIONS)
@pytest.mark.parametrize("strategy", STRATEGIES)
def test_an_agent_goes_on_from_what_it_recorded(
    strategy: Strategy, execution: Execution, tmp_path: Path, compiler: Compiler
) -> None:
    arm = Arm(execution, strategy)
    replies = [
        arm.records("kept"),
        arm.reads("one"),
        arm.reads("two"),
        arm.records("state"),
        arm.reads("one"),
        arm.finishes,
    ]
    ran = run_compacting(tmp_path / "r", arm, "memory-compaction", replies, compiler=compiler)

    assert [outcome.outcome for outcome in ran.of(TurnOutcome)] == ["progressed"] * 5 + ["finished"]
    before, asked, after, last = ran.prompts[2:]
    assert (asked[: len(before)], heads(asked[len(before) :])) == (
        before,
        [*read(execution, "two"), "Notice"],
    )
    assert arm.creates in asked[-1].text
    assert heads(after) == [*PINNED[strategy], "Task", "Summary"]
    assert after[-1].text == note(arm)
    assert last[: len(after)] == after
    (compaction,) = ran.of(Compaction)
    assert (compaction.turn, compaction.cause, compaction.strategy) == (4, "threshold", "memory-compaction")
    assert (compaction.memories_kept, compaction.threshold_tokens) == (2, THRESHOLD_TOKENS)
    assert [reply.purpose for reply in ran.of(ModelReply)] == ["turn"] * 6
    assert [prompt.messages for prompt in ran.of(Prompt)] == [len(prompt) for prompt in ran.prompts]
    assert all(check.ok for check in verify_record(RecordReader(ran.result.record)))


def submits(program: str) -> Reply:
    return calls(("submit_program", {"program": program}))


@pytest.mark.parametrize("implementation", ["summary", "memory-compaction"])
def test_no_answer_is_left_without_its_call_where_programs_are_submitted(
    implementation: Literal["summary", "memory-compaction"], tmp_path: Path, compiler: Compiler
) -> None:
    arm = Arm()
    between = "The gist." if implementation == "summary" else submits(str(arm.records("state")))
    replies = [submits(str(arm.reads("one"))), submits(str(arm.reads("two"))), between, submits(FINISH)]
    ran = run_compacting(
        tmp_path / "r", arm, implementation, replies, compiler=compiler, code_mode={"delivery": "tool"}
    )

    assert ran.result.status == "completed"
    turn = ["assistant", "tool", "File: two:1-1 of 1 lines"] if implementation == "summary" else []
    pinned = [] if implementation == "summary" else ["Memories"]
    assert heads(ran.prompts[3]) == [*pinned, "Task", "Summary", *turn]


def test_the_moments_before_and_after_a_compaction_can_be_looked_at(
    tmp_path: Path, compiler: Compiler
) -> None:
    arm = Arm()
    replies = [arm.reads("one"), arm.reads("two"), "The gist.", arm.records("kept"), arm.finishes]
    ran = run_compacting(tmp_path / "r", arm, "summary", replies, compiler=compiler)
    before, after = (moment_at(RecordReader(ran.result.record).events(), turn) for turn in (2, 3))

    assert [(p.purpose, p.messages) for p in before.prompts] == [("turn", 4), ("summary", 5)]
    assert [(turn.turn, turn.reply and turn.reply.text) for turn in before.turns] == [(2, replies[1])]
    assert [reply.text for reply in before.turns[0].summaries] == ["The gist."]
    assert before.turns[0].compaction == ran.of(Compaction)[0]
    assert [(p.purpose, p.messages, len(p.dropped)) for p in after.prompts] == [("turn", 5, 4)]
    assert (after.turns[0].compaction, after.turns[0].summaries) == (None, ())
    assert [list(store.memories) for store in after.stores.values()] == [["kept"]]


@pytest.mark.parametrize("implementation", ["summary", "memory-compaction"])
def test_a_run_that_is_compacted_again_and_again_stays_small_and_its_record_whole(
    implementation: Literal["summary", "memory-compaction"], tmp_path: Path, compiler: Compiler
) -> None:
    arm = Arm(strategy="markdown")
    cycles = 15
    replies: list[str | Reply] = []
    for cycle in range(cycles):
        replies += [arm.reads("one"), arm.reads("two")] if cycle == 0 or implementation != "summary" else []
        replies += [f"after {cycle}", arm.reads("one")] if implementation == "summary" else []
        replies += [] if implementation == "summary" else [arm.records(f"state-{cycle}")]
    if implementation == "summary":
        replies.append(f"after {cycles}")
    ran = run_compacting(
        tmp_path / "r", arm, implementation, [*replies, arm.finishes], compiler=compiler, limits={}
    )

    assert ran.result.status == "completed"
    compactions = ran.of(Compaction)
    assert len(compactions) == cycles + (implementation == "summary")
    assert max(len(prompt) for prompt in ran.prompts) <= 9
    assert max(breakdown.bands["system"].messages for breakdown in ran.of(ContextBreakdown)) == 1
    assert {prompt.dropped == () for prompt in ran.of(Prompt)} == {True, False}
    last_turn = ran.of(TurnOutcome)[-1].turn
    for turn in (compactions[-1].turn or 0, last_turn):
        assert moment_at(RecordReader(ran.result.record).events(), turn).turn == turn
    assert all(check.ok for check in verify_record(RecordReader(ran.result.record)))
