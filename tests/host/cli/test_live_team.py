"""What a run of several agents looks like while it happens."""

from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

from host.cli.doing import Doing
from host.cli.lines import to_text
from host.cli.live import LiveRenderer
from host.cli.turn_lines import Detail
from host.events import AgentEnded, Defect, Ending, LimitExceeded, OperatorLog, StampedEvent
from tests.host.events.runs import STARTED
from tests.host.events.team import (
    Story,
    asks,
    begun,
    closes,
    ended,
    handed,
    issue,
    of,
    stamp,
    team_run,
    team_summary,
    transition,
)

GOLDEN = Path(__file__).parent / "golden"
HOSTILE = "\x1b[2J\u202e x\nTurn 9 · root"


def rendered(story: Story, *, names_agents: bool = False, detail: Detail | None = None) -> str:
    renderer = LiveRenderer(detail, names_agents=names_agents)
    shown = (line for event in stamp(story) for line in renderer.lines(event))
    return to_text([*shown, *renderer.rest()])


def margin(text: str) -> list[str]:
    """The lines that are gg's own."""
    return [line for line in text.split("\n") if line and not line.startswith(" ")]


def test_a_run_of_several_agents_as_a_person_watches_it(golden: Callable[[Path, str], None]) -> None:
    golden(GOLDEN / "live_team.txt", rendered(team_run(), names_agents=True))


def test_until_there_is_another_agent_headings_name_none_unless_there_may_be_one() -> None:
    story = [*begun("a", None), *asks("a", 1, "x"), *begun("b", None, spawner="a", started_as="subagent")]
    story += [*asks("b", 1, "y"), *closes("b", 1), *closes("a", 1, "files.read_file")]

    assert margin(rendered(story)) == [
        "Turn 1",
        "b starts as a subagent of a",
        "Turn 1 · b",
        "Turn 1 · a, continued",
    ]
    assert margin(rendered(story, names_agents=True))[0] == "Turn 1 · a"
    assert margin(rendered(story[:5], names_agents=True)) == ["Turn 1 · a"]


def interleaved() -> Story:
    """Two turns at once, each with a line of the other's between any two."""
    a, b = asks("a", 1, "of a") + closes("a", 1, "files.a"), asks("b", 1, "of b") + closes("b", 1, "files.b")
    both = [event for pair in zip(a, b, strict=True) for event in pair]
    return [*begun("a", None), *begun("b", None, spawner="a", started_as="subagent"), *both]


def test_no_line_of_one_agent_stands_among_those_of_another() -> None:
    assert rendered(interleaved()).split("\n") == [
        "",
        "b starts as a subagent of a",
        "",
        "Turn 1 · a",
        "  program  1 line",
        "           │ of a",
        "  calls    files.a",
        "  time     model 5 ms, run 4 ms",
        "",
        "Turn 1 · b",
        "  program  1 line",
        "           │ of b",
        "  calls    files.b",
        "  time     model 5 ms, run 4 ms",
        "",
    ]


def test_a_turn_is_shown_with_the_event_that_ends_it() -> None:
    renderer = LiveRenderer()
    shown = [(event.event.type, bool(renderer.lines(event))) for event in stamp(interleaved())]

    assert [kind for kind, is_shown in shown if is_shown] == ["agent_spawned", "turn_timing", "turn_timing"]


def test_an_agent_that_is_alone_again_is_watched_as_it_goes() -> None:
    story = [*interleaved(), *ended("b"), *asks("a", 2, "again")]
    renderer = LiveRenderer()
    shown = [to_text(renderer.lines(event)) for event in stamp(story)]

    assert shown[-2:] == ["\nTurn 2 · a\n", "  program  1 line\n           │ again\n"]


def test_what_was_gathered_is_shown_when_the_others_have_ended() -> None:
    story = [*begun("a", None), *begun("b", None, spawner="a", started_as="subagent"), *asks("a", 1, "x")]
    assert margin(rendered([*story, *ended("b"), *closes("a", 1)])) == [
        "b starts as a subagent of a",
        "b ends: completed",
        "Turn 1 · a",
    ]


def test_turns_that_were_cut_off_are_shown_at_the_end() -> None:
    cut = interleaved()[:-10]
    renderer = LiveRenderer()
    for event in stamp(cut):
        renderer.lines(event)

    assert margin(to_text(renderer.rest())) == ["Turn 1 · a", "Turn 1 · b"]
    assert renderer.rest() == ()
    summed = rendered([*cut, *of("a", team_summary("internal_error", agents=2, turns=0))])
    assert margin(summed)[1:] == [
        "Turn 1 · a",
        "Turn 1 · b",
        "internal_error after 0 turns of 2 agents, 1 min 30 s",
    ]


def test_a_line_that_belongs_to_no_turn_has_its_agent_s_name_above_it() -> None:
    note = OperatorLog(level="warn", text="not started", source="host")
    text = rendered([*interleaved(), *of("a", note), *of("a", note), *of("b", note)])

    assert text.split("Turn 1 · b")[1].split("\n", 5)[5] == (
        "\na\n  gg       not started\n  gg       not started\n\nb\n  gg       not started\n"
    )


def test_a_limit_says_whose_it_is() -> None:
    limit = LimitExceeded(limit="maxTurns", threshold=1, observed=1, turns=1)

    assert margin(rendered([*interleaved(), *of("b", limit)]))[-1] == "maxTurns of b reached: 1, limit 1"


FAILED = [
    ([("b", LimitExceeded(limit="maxTurns", threshold=1, observed=1, turns=1))], True),
    ([("a", LimitExceeded(limit="maxTurns", threshold=1, observed=1, turns=1))], False),
    ([("b", Defect(kind="compiler", detail="lost"))], False),
    ([], True),
]


@pytest.mark.parametrize(("events", "is_told"), FAILED)
def test_what_ended_the_run_is_told_once(events: Story, is_told: bool) -> None:
    summary = team_summary("model_error", agents=2, turns=2).model_copy(update={"error": "used up"})
    text = rendered([*interleaved(), *events, *of("a", summary)])

    assert ("model_error: used up" in text) == is_told


LINES: list[tuple[Story, list[str]]] = [
    (
        begun("a", None, started_as="implementer", issue="issue-1", task="Fix"),
        ["a starts as an implementer of issue-1: Fix"],
    ),
    (begun("a", None, started_as="reviewer", issue="issue-1"), ["a starts as a reviewer of issue-1"]),
    (begun("a", None, started_as="merge", issue="issue-1"), ["a starts as the merge agent of issue-1"]),
    (
        begun("a", None, started_as="subagent", spawner="b", task="x" * 200),
        [f"a starts as a subagent of b: {'x' * 120}…"],
    ),
    (begun("a", None), []),
    (
        transition("a", "exec", handed("initialized", "memories-1", "memories-2")),
        ["a hands over to b, memories-2 new"],
    ),
    (
        transition("a", "exec", handed("dropped", "memories-1", None)),
        ["a hands over to b, memories-1 dropped"],
    ),
    (transition("a", "exec", handed("absent", None, None)), ["a hands over to b"]),
    (
        transition("a", "fork", handed("linked", "memories-1", "memories-1")),
        ["a is copied to b, memories-1 linked"],
    ),
    (ended("a", "model_error", error="used up"), ["a ends: model_error: used up"]),
    (ended("a", summary="Done.\nWell."), ["a ends: completed", "           │ Done.", "           │ Well."]),
    (ended("a", successor="b"), []),
    (
        issue("a", "blocked", blocked_by=["issue-2", "issue-3"]),
        ["issue-1 blocked, behind issue-2, issue-3: Fix the parser"],
    ),
    (
        issue("a", "implementing", worker="b", items=["One", "Two"]),
        ["issue-1 implementing by b, 2 changes requested"],
    ),
    (issue("a", "reviewing", worker="b"), ["issue-1 reviewing by b"]),
    (issue("a", "done", worker="b", summary="Merged."), ["issue-1 done"]),
    (issue("a", "failed"), ["issue-1 failed: Fix the parser"]),
]


@pytest.mark.parametrize(("story", "lines"), LINES, ids=range(len(LINES)))
def test_what_becomes_of_an_agent_or_an_issue_is_a_line_at_the_margin(story: Story, lines: list[str]) -> None:
    assert rendered(story, names_agents=True).split("\n")[1:-1] == lines


def test_a_review_that_requests_changes_says_which() -> None:
    ending = Ending(kind="request_changes", summary="", items=("Name it.", "Test it."))
    story: Story = [("a", AgentEnded(status="completed", ending=ending))]

    assert rendered(story, names_agents=True).split("\n")[1:-1] == [
        "a ends: completed by request_changes",
        "           │ - Name it.",
        "           │ - Test it.",
    ]


def test_names_and_texts_of_others_send_no_control_character_and_begin_no_line() -> None:
    story = [
        *of("a", STARTED),
        *begun("a", None),
        *begun(HOSTILE, None, spawner=HOSTILE, started_as="subagent", task=HOSTILE),
        *asks(HOSTILE, 1, "x"),
        *closes(HOSTILE, 1),
        *issue("a", "open", issue=HOSTILE, title=HOSTILE),
        *issue("a", "implementing", issue=HOSTILE, worker=HOSTILE),
        *transition(HOSTILE, "transition", handed("carried", HOSTILE, HOSTILE), state=HOSTILE),
        *ended(HOSTILE, "model_error", summary=HOSTILE, error=HOSTILE),
    ]
    text = rendered(story)

    assert {character for character in text if not character.isprintable()} == {"\n"}
    assert [line for line in margin(text) if line.startswith("Turn 9")] == []


def doings(story: Iterable[StampedEvent]) -> list[str]:
    doing = Doing()
    return [told for event in story if (told := doing.at(event)) is not None]


def test_what_is_waited_for_is_that_of_the_agent_that_began_something_last() -> None:
    assert doings(stamp([*begun("a", None), *asks("a", 1, "x")])) == [
        "turn 1: waiting for the model",
        "turn 1: carrying out the reply",
    ]
    assert doings(stamp([*interleaved(), *ended("b"), *asks("a", 2, "x")])) == [
        "2 agents; a, turn 1: waiting for the model",
        "2 agents; b, turn 1: waiting for the model",
        "2 agents; a, turn 1: carrying out the reply",
        "2 agents; b, turn 1: carrying out the reply",
        "2 agents; a, turn 1: done",
        "2 agents; b, turn 1: done",
        "turn 2: waiting for the model",
        "turn 2: carrying out the reply",
    ]
