"""What a run looks like while it happens, as golden files."""

from collections.abc import Callable
from pathlib import Path

import pytest

from host.cli.lines import to_text
from host.cli.live import LiveRenderer
from host.cli.turn_lines import Detail
from host.events import (
    AgentSurface,
    Compaction,
    Event,
    InjectedSkill,
    MemorySearch,
    ModelReply,
    Prompt,
    PromptImage,
    PromptMessage,
    RecordKept,
    RecordRead,
    RequestedCall,
    SkillbookChanged,
    SkillbookRead,
    SkillsInjected,
    View,
)
from tests.host.cli.events import (
    ATTACKS,
    CALLING,
    FAILING,
    QUICKSTART,
    answers,
    calling,
    execution,
    prompt,
    reply,
    stamped,
)

GOLDEN = Path(__file__).parent / "golden"
RUNS = [("quickstart", QUICKSTART), ("failing", FAILING), ("attacks", ATTACKS), ("calling", CALLING)]


def rendered(events: tuple[Event, ...], detail: Detail | None = None) -> str:
    renderer = LiveRenderer(detail)
    return to_text(line for event in stamped(*events) for line in renderer.lines(event))


@pytest.mark.parametrize(("name", "events"), RUNS)
def test_a_run_as_a_person_watches_it(
    name: str, events: tuple[Event, ...], golden: Callable[[Path, str], None]
) -> None:
    golden(GOLDEN / f"live_{name}.txt", rendered(events))


def test_foreign_text_sends_no_control_character() -> None:
    text = rendered(ATTACKS)

    assert {character for character in text if not character.isprintable()} == {"\n"}


def test_only_gg_begins_a_line_at_the_margin() -> None:
    margin = [line for line in rendered(ATTACKS).split("\n") if line and not line.startswith(" ")]

    assert [line[:16] for line in margin] == ["quickstart: task", "Turn 1"]


def test_the_detail_says_how_many_lines_are_shown() -> None:
    events = (prompt(1), reply(1, "a\nb\nc\nd"))

    assert rendered(events, Detail(program_lines=2)).split("\n")[3:] == [
        "           │ a",
        "           │ b",
        "           │ … 2 more lines",
        "",
    ]
    assert rendered(events, Detail(program_lines=None)).count("│") == 4


def test_one_line_too_many_is_shown_rather_than_counted() -> None:
    assert "more lines" not in rendered((prompt(1), reply(1, "a\nb\nc")), Detail(program_lines=2))


def test_a_picture_is_told_and_not_shown() -> None:
    opened = View(
        turn=1,
        action="opened",
        kind="file",
        selector="plan.png",
        bytes=12_288,
        tokens=1605,
        media_type="image/png",
        origin="program",
    )
    message = PromptMessage(
        role="user",
        band="file_view",
        text="File: plan.png\n----",
        images=(PromptImage(media_type="image/png", bytes=12_288, sha256="0" * 64),),
    )
    read = Prompt(turn=2, messages=1, new_messages=(message,), prompt_sha256="0" * 64)
    told = rendered((prompt(1), opened, execution(1), read)).split("\n")

    assert [line.strip() for line in told if "plan.png" in line] == [
        "opens    plan.png (picture image/png, 12 KiB)",
        "reads    File: plan.png, picture image/png, 12 KiB",
    ]


def test_a_compaction_is_told_with_its_summary() -> None:
    compacted = Compaction(
        turn=3,
        cause="agent",
        strategy="summary",
        memories_kept=0,
        summary="Rows 1 to 500 are clean;\n\u001b[2Jgo on at 501.",
        messages_before=1200,
        messages_after=3,
        tokens_before=45_000,
        tokens_after=610,
    )

    assert rendered((compacted,)).split("\n")[:3] == [
        "  compacts 1,200 messages, about 45,000 tokens, into 3, about 610",
        "           │ Rows 1 to 500 are clean;",
        "           │ \\u001b[2Jgo on at 501.",
    ]


def test_a_compaction_of_a_full_window_is_told_with_its_cause_and_what_was_asked_for() -> None:
    asked = Prompt(turn=3, purpose="summary", messages=9, new_messages=(), prompt_sha256="")
    compacted = Compaction(
        turn=3,
        cause="threshold",
        strategy="summary",
        memories_kept=2,
        summary="Go on at 501.",
        observed_tokens=870,
        threshold_tokens=850,
        messages_before=9,
        messages_after=4,
        tokens_before=800,
        tokens_after=61,
    )
    answers = [reply(3, text).model_copy(update={"purpose": "summary"}) for text in ("", "Go on at 501.")]

    assert rendered((asked, answers[0], asked, answers[1], compacted)).split("\n") == [
        "  asks     for a summary of the window",
        "  answers  nothing",
        "  asks     for a summary of the window",
        "  answers  1 line",
        "  compacts 9 messages, about 800 tokens, into 4, about 61; 2 memories kept",
        "  because  summary at 870 tokens, threshold 850",
        "           │ Go on at 501.",
        "",
    ]


def called(*arguments: str, text: str = "") -> ModelReply:
    calls = tuple(
        RequestedCall(id=str(n), name="submit_program", arguments=each) for n, each in enumerate(arguments)
    )
    return reply(1, text).model_copy(update={"tool_calls": calls})


REPLIES = [
    (reply(1, "let a;\nlet b;"), ["program  2 lines", "│ let a;", "│ let b;"]),
    (reply(1, ""), ["program  1 line", "│"]),
    (called('{"program": "let a;"}'), ["program  1 line", "│ let a;"]),
    (called('{"program": "let\na;"}'), ["program  2 lines", "│ let", "│ a;"]),
    (
        called('{"program": "let a;"}', text="Here it is."),
        ["says     1 line", "│ Here it is.", "program  1 line", "│ let a;"],
    ),
    (called('\ufeff{"program": "let a;"}'), ["program  1 line", "│ let a;"]),
    (called("{odd\x1b"), ["call     submit_program {odd\\u001b"]),
    (
        called('{"program": 5}', text="x"),
        ["program  1 line", "│ x", 'call     submit_program {"program": 5}'],
    ),
    (called("[" * 100_000), [f"call     submit_program {'[' * 160}…"]),
]


@pytest.mark.parametrize(("event", "lines"), REPLIES, ids=range(len(REPLIES)))
def test_a_program_is_shown_wherever_it_stands_in_a_reply(event: ModelReply, lines: list[str]) -> None:
    assert [row.strip() for row in rendered((event,)).splitlines()] == lines


def test_a_whole_prompt_is_shown_where_that_is_asked_for() -> None:
    event = prompt(
        2, ("system", "You are."), ("program", "let a;\nlet b;"), ("text_view", "View: v\n----\nx")
    )
    events = (event.model_copy(update={"dropped": (1, 4)}),)

    assert rendered(events, Detail(whole_prompt=True)).splitlines()[2:] == [
        "  drops    2 messages of the previous prompt",
        "  prompt   system, 1 line",
        "           │ You are.",
        "  prompt   program, 2 lines",
        "           │ let a;",
        "           │ let b;",
        "  reads    View: v",
        "           │ x",
    ]
    assert rendered(events).splitlines()[2:] == ["  reads    View: v", "           │ x"]


@pytest.mark.parametrize(
    ("total", "told"),
    [(0, "csv, quote found nothing"), (1, "csv, quote found 1 memory"), (12, "csv, quote found 12 memories")],
)
def test_a_search_of_memories_is_told_with_what_it_found(total: int, told: str) -> None:
    search = MemorySearch(module_id="m1", keywords=("csv", "quote"), total=total, names=(), turn=1)

    assert rendered((search,)) == f"  memory   {told}\n"


READ = RecordRead(operation="section", current=("a" * 64, "b" * 64), turn=1)
KEPT = RecordKept(id="a" * 64, kind="note", existed=False, turn=1)
OF_RECORDS: list[tuple[Event, str]] = [
    (READ, "of the task: 2 current"),
    (
        READ.model_copy(update={"stale": ("c",), "superseded": ("d",), "more": 2, "left_out": 1}),
        "of the task: 2 current, 1 stale, 1 superseded, 3 more",
    ),
    (
        READ.model_copy(update={"operation": "records.search", "query": "x\x1b[2J", "held_back": 1}),
        "x\\u001b[2J found 2 current, 1 held back",
    ),
    (
        RecordRead(operation="records.recall", current=(), unreadable=1_000, turn=1),
        "recalled: 1,000 unreadable",
    ),
    (RecordRead(operation="records.search", query="q" * 100, current=(), turn=1), f"{'q' * 80}… found none"),
    (KEPT, "note aaaaaaaaaaaa kept"),
    (KEPT.model_copy(update={"existed": True}), "note aaaaaaaaaaaa was kept before"),
    (
        RecordKept(id="b" * 64, kind="lesson", existed=False, memory="how-to", author="root"),
        "lesson bbbbbbbbbbbb made of how-to kept",
    ),
]


@pytest.mark.parametrize(("event", "told"), OF_RECORDS)
def test_what_is_read_and_kept_in_the_record_store_is_told_briefly(event: Event, told: str) -> None:
    assert rendered((event,)) == f"  records  {told}\n"


INJECTED = InjectedSkill(id="context-1\x1b[2J", text_sha256="a" * 64, score=1.5)
ADDED = SkillbookChanged(
    operation="skillbook.add_skill",
    ok=True,
    skill_id="context-1",
    did="added context-1",
    evidence_is="host",
    evidence_kind="outcome",
    turn=1,
)
OF_SKILLS: list[tuple[Event, str]] = [
    (
        SkillsInjected(book="b", skills=(INJECTED,), left_out=(INJECTED,), used=True, turn=1),
        "of the task: context-1\\u001b[2J, 1 without room",
    ),
    (SkillsInjected(book="b", skills=(), used=False, turn=1), "of the task: none"),
    (
        SkillbookRead(operation="skillbook.search_skills", query="x\x1b", skill_ids=(), turn=1),
        "x\\u001b found nothing",
    ),
    (
        SkillbookRead(operation="skillbook.read_skill", skill_ids=("a", "b"), turn=1),
        "read a, b",
    ),
    (ADDED, "added context-1 (evidence: outcome)"),
    (
        SkillbookChanged(operation="skillbook.tag_skill", ok=False, why="no\x1bskill", turn=1),
        "tag_skill: no\\u001bskill",
    ),
]


@pytest.mark.parametrize(("event", "told"), OF_SKILLS)
def test_what_is_shown_and_kept_of_the_skillbook_is_told_briefly(event: Event, told: str) -> None:
    assert rendered((event,)) == f"  skills   {told}\n"


HOSTILE_CALL = ("x\x1b[2J\nTurn 9", '{"a\x1b": "\x1b[2J\nTurn 9"}')


@pytest.mark.parametrize(
    "detail", [Detail(), Detail(calls="whole"), Detail(calls="named"), Detail(whole_prompt=True)]
)
def test_calls_and_answers_send_no_control_character(detail: Detail) -> None:
    asked = calling(1, HOSTILE_CALL, HOSTILE_CALL, HOSTILE_CALL, text="\x1b[2J")
    told = answers(asked, '"\x1b[2J\nTurn 9"', "io-error: \x1b[2J\nTurn 9", '{"a": "\x1b[2J\nTurn 9"}')
    surface = AgentSurface(execution_mode="tool_calling", operations=())
    text = rendered((surface, prompt(1), asked, told), detail)

    assert {character for character in text if not character.isprintable()} == {"\n"}
    assert [line for line in text.split("\n") if line.startswith("Turn")] == ["Turn 1", "Turn 2"]
