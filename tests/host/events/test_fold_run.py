"""A run as a person looks at it."""

from datetime import timedelta
from typing import Literal

from host.events import (
    AgentSpawned,
    ApiCall,
    CallAnswer,
    CallCount,
    Compaction,
    Event,
    MemoryRevision,
    MemorySearch,
    OperatorLog,
    Prompt,
    PromptMessage,
    ReadCount,
    RecordKept,
    RecordRead,
    RequestedCall,
    RunFold,
    SearchCount,
    SkillbookChanged,
    SkillbookRead,
    SkillsInjected,
    StampedEvent,
    Usage,
    fold_run,
    plain,
    until_turn,
)
from host.events.fold_turn import FAILED_CALLS_KEPT
from tests.host.events.runs import (
    DEFECT,
    LIMIT,
    STARTED,
    SUMMARY,
    execution,
    first_turn,
    reply,
    stamp,
    timing,
    whole_run,
)
from tests.host.events.samples import START, call, line


def of_type(events: list[Event], *kinds: type[Event]) -> tuple[Event, ...]:
    return tuple(event for event in events if isinstance(event, kinds))


def test_a_run_has_its_agents_turns_stores_and_end() -> None:
    view = fold_run(stamp(whole_run()), torn=True)

    assert (view.run, view.started, view.summary, view.torn) == ("run-1", STARTED, SUMMARY, True)
    assert [(agent.agent_id, agent.spawned) for agent in view.agents] == [
        ("root", AgentSpawned(profile="root"))
    ]
    (root,) = view.agents
    assert (root.surface, root.modules, root.transitions, root.ended) == (None, None, (), None)
    assert root.logs == (OperatorLog(level="warn", text="hint", source="host"),)
    assert (root.limits, root.notices) == ((LIMIT,), ())
    assert (root.status, root.turns, root.errors) == ("completed", 2, 1)
    assert (view.defects, view.mismatches, view.issues) == ((DEFECT,), (), ())
    assert view.events == len(whole_run())
    assert view.first_at == START + timedelta(seconds=1)
    assert view.last_at == START + timedelta(seconds=view.events)
    assert [(turn.agent_id, turn.turn) for turn in view.turns] == [("root", 1), ("root", 2)]
    assert view.stores["store-1"].memories["a"].body == "one"


def test_a_turn_has_all_that_belongs_to_it() -> None:
    first, second = fold_run(stamp(whole_run())).turns

    assert first.started_at == START + timedelta(seconds=4)
    assert first.reply == reply(1, "throw new Error()")
    assert [e.outcome for e in first.executions] == ["threw"]
    assert [d.code for d in first.diagnostics] == ["TS1"]
    assert first.calls == (
        CallCount(operation="files.read_file", calls=2, failed=1),
        CallCount(operation="memories.read_memory", calls=1, failed=1),
    )
    assert [c.message for c in first.failed_calls] == ["no file", "no memory"]
    assert first.reads == (ReadCount(name="a", hits=0, misses=1),)
    assert [entry.text for entry in first.logs] == ["hello"]
    assert [r.name for r in second.revisions] == ["a"]
    assert (first.views, first.notices, first.refusals, first.revisions, first.defects) == (
        (),
        (),
        (),
        (),
        (),
    )
    assert first.usage is not None
    assert first.outcome is not None
    assert (first.outcome.error_type, first.timing) == ("program_throw", timing(1))

    assert second.executions == (execution(2, finished=True, api_calls=1),)
    assert [v.selector for v in second.views] == ["a"]
    assert [n.kind for n in second.notices] == ["no_view"]
    assert [r.code for r in second.refusals] == ["conflict"]
    assert second.reads == (ReadCount(name="a", hits=1, misses=0),)
    assert second.defects == (DEFECT,)


def test_a_reply_that_is_a_summary_stands_beside_that_of_its_turn() -> None:
    summaries = [reply(1, text).model_copy(update={"purpose": "summary"}) for text in ("", "so far")]
    billed = Usage(turn=1, input_tokens=10, output_tokens=3, total_input_tokens=10, total_output_tokens=3)
    asked = billed.model_copy(update={"purpose": "summary"})
    compacted = Compaction(
        turn=1,
        cause="threshold",
        strategy="summary",
        summary="so far",
        memories_kept=0,
        messages_before=5,
        messages_after=3,
        tokens_before=90,
        tokens_after=9,
    )
    events = [reply(1, "export {}"), billed, summaries[0], asked, summaries[1], asked, compacted]
    (turn,) = fold_run(stamp(events)).turns

    assert (turn.reply, turn.usage, turn.compaction) == (reply(1, "export {}"), billed, compacted)
    assert turn.summaries == tuple(summaries)


def test_a_run_that_was_cut_off_is_a_view_without_an_end() -> None:
    for cut in range(len(whole_run())):
        view = fold_run(stamp(whole_run()[:cut]))

        assert view.summary is None
        assert view.events == cut
    view = fold_run(stamp(whole_run()[:8]))
    assert [(turn.turn, turn.outcome) for turn in view.turns] == [(1, None)]
    assert fold_run([]).run is None


def test_a_fold_can_be_looked_at_while_it_grows() -> None:
    fold = RunFold()
    events = stamp(whole_run())
    for n, stamped in enumerate(events, start=1):
        fold.add(stamped)
        assert fold.view() == fold_run(events[:n])


def test_a_run_as_it_stood_after_a_turn_of_its_root() -> None:
    events = stamp(whole_run())
    at_first = fold_run(events, at_turn=1)

    assert at_first == fold_run(stamp([*whole_run()[:3], *first_turn()]))
    assert list(until_turn(events, 2)) == events[:-2]  # the limit was met, and the run ended, after it
    assert list(until_turn(events, 2, "root")) == events[:-2]
    assert list(until_turn(events, 3)) == events
    assert list(until_turn(events, 1, "nobody")) == events
    assert [s.seq for s in until_turn(events, 0)] == [1, 2, 3]


def test_a_turn_of_another_agent_does_not_end_the_root_s() -> None:
    own = [AgentSpawned(profile="root"), call(1)]
    others = [AgentSpawned(profile="helper"), call(5)]
    events = [
        *stamp(list(own)),
        *(
            StampedEvent(seq=n, at=START, run="run-1", agent_id="helper", event=e)
            for n, e in enumerate(others, 3)
        ),
        StampedEvent(seq=5, at=START, run="run-1", agent_id="root", event=call(1)),
        StampedEvent(seq=6, at=START, run="run-1", agent_id="root", event=call(2)),
    ]

    assert [s.seq for s in until_turn(events, 1)] == [1, 2, 3, 4, 5]
    assert [(turn.agent_id, turn.turn) for turn in fold_run(events).turns] == [
        ("root", 1),
        ("helper", 5),
        ("root", 2),
    ]


def test_of_many_failed_calls_the_first_are_kept_and_all_are_counted() -> None:
    events: list[Event] = [
        call(1, ok=False, code="other", message=str(n)) for n in range(FAILED_CALLS_KEPT + 10)
    ]
    (turn,) = fold_run(stamp(events)).turns

    assert [c.message for c in turn.failed_calls] == [str(n) for n in range(FAILED_CALLS_KEPT)]
    assert turn.calls == (
        CallCount(operation="files.read_file", calls=FAILED_CALLS_KEPT + 10, failed=FAILED_CALLS_KEPT + 10),
    )


def test_a_view_as_plain_values() -> None:
    view = plain(fold_run(stamp(whole_run())))

    assert view["started"] == {
        "type": "session_started",
        "name": "study",
        "task": "Count.",
        "configSha256": "0",
        "ggVersion": "0.1.0",
        "pythonVersion": "3.11.7",
        "seed": 7,
    }
    assert view["firstAt"] == "2026-11-30T15:24:06.000123Z"
    assert view["turns"][0]["calls"][0] == {"operation": "files.read_file", "calls": 2, "failed": 1}
    assert view["stores"]["store-1"]["memories"]["a"]["body"] == "one"
    assert view["stores"]["store-1"]["history"][0]["revision"]["moduleId"] == "store-1"
    assert view["summary"]["ending"] == {"kind": "finish", "summary": "Done.", "items": None}


def test_an_event_as_a_plain_value_is_its_line() -> None:
    assert plain(stamp([line("x")])[0]) == {
        "seq": 1,
        "at": "2026-11-30T15:24:06.000123Z",
        "run": "run-1",
        "agentId": "root",
        "type": "operator_log",
        "level": "log",
        "text": "x",
        "turn": None,
        "source": "program",
    }


def test_every_event_of_the_run_is_in_its_view() -> None:
    revisions = of_type(whole_run(), MemoryRevision)
    calls = of_type(whole_run(), ApiCall)
    view = fold_run(stamp(whole_run()))

    assert tuple(r for turn in view.turns for r in turn.revisions) == revisions
    assert sum(count.calls for turn in view.turns for count in turn.calls) == len(calls)


def test_searches_of_a_turn_are_counted_by_what_was_looked_for() -> None:
    def search(total: int, *keywords: str) -> MemorySearch:
        return MemorySearch(module_id="store-1", keywords=keywords, total=total, names=(), turn=1)

    events = [search(0, "a"), search(2, "a", "b"), search(3, "a"), search(0, "a")]

    (turn,) = fold_run(stamp(events)).turns
    assert turn.searches == (
        SearchCount(keywords=("a",), hits=1, misses=2),
        SearchCount(keywords=("a", "b"), hits=1, misses=0),
    )


def test_what_a_turn_read_and_kept_in_the_record_store_is_in_its_view() -> None:
    read = RecordRead(operation="records.search", query="a", current=("x",), turn=2)
    kept = RecordKept(id="y", kind="note", existed=False, turn=2)
    opened = RecordRead(operation="section", current=("x",), turn=0)
    promoted = RecordKept(id="z", kind="note", existed=False, memory="m", author="root")

    (turn,) = fold_run(stamp([opened, read, kept, promoted])).turns

    assert (turn.turn, turn.record_reads, turn.records_kept) == (2, (read,), (kept,))


def test_what_a_turn_read_and_changed_in_the_skillbook_is_in_its_view() -> None:
    opened = SkillsInjected(book="b.json", skills=(), used=False, turn=0)
    read = SkillbookRead(operation="skillbook.search_skills", query="a", skill_ids=("x",), turn=1)
    changed = SkillbookChanged(operation="skillbook.tag_skill", ok=False, why="no", turn=1)

    (turn,) = fold_run(stamp([opened, read, changed])).turns

    assert (turn.turn, turn.skillbook_reads, turn.skillbook_changes) == (1, (read,), (changed,))


def answered(
    turn: int, *answers: tuple[str, str, str], purpose: Literal["turn", "summary"] = "turn"
) -> Prompt:
    """A prompt with the calls of the turn before and what they were answered: id, tool, text."""
    calls = tuple(RequestedCall(id=id_, name=tool, arguments="{}") for id_, tool, _ in answers)
    asked = PromptMessage(role="assistant", band="calls", text="", tool_calls=calls)
    results = [PromptMessage(role="tool", band="result", text=text, answers=id_) for id_, _, text in answers]
    return Prompt(turn=turn, purpose=purpose, messages=9, new_messages=(asked, *results), prompt_sha256="0")


def test_what_calls_were_answered_belongs_to_the_turn_that_made_them() -> None:
    events: list[Event] = [
        STARTED,
        answered(1),
        reply(1, ""),
        answered(2, ("b", "list_dir", "[]"), ("a", "finish", "not-found: no")),
        reply(2, ""),
        answered(3, ("c", "list_dir", "null"), purpose="summary"),
    ]
    first, second, _ = fold_run(stamp(events)).turns

    assert first.answers == (
        CallAnswer(id="b", tool="list_dir", text="[]"),
        CallAnswer(id="a", tool="finish", text="not-found: no"),
    )
    assert second.answers == (CallAnswer(id="c", tool="list_dir", text="null"),)


def test_the_answer_to_a_submitted_program_is_no_answer_of_a_tool() -> None:
    received = PromptMessage(role="tool", band="answer", text="received", answers="1")
    prompt = Prompt(turn=2, messages=1, new_messages=(received,), prompt_sha256="0")
    first, _ = fold_run(stamp([STARTED, answered(1), reply(1, ""), prompt])).turns

    assert first.answers == ()
