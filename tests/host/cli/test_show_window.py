"""`gg show --window`: over records written by the real log, and over those of real runs."""

import json
import os
import re
import sys
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

from host.app import NotThere
from host.cli.commands.show import show
from host.cli.lines import to_text
from host.cli.window_lines import WindowLines, bar, dollars, percent
from host.events import AgentSpawned, Event, RecordUnreadable, View
from tests.host.app.runs.test_window_fold import folded
from tests.host.app.runs.windows import breakdown, message, prompt, usage
from tests.host.cli.events import HOSTILE
from tests.host.events.children import begin
from tests.host.events.runs import STARTED, SUMMARY
from tests.host.events.team import Story

GOLDEN = Path(__file__).parent / "golden"
COUNTED = {"counter": "characters / 4", "margin_percent": 30, "context_window": 4000, "window_tokens": 3400}

STORY: tuple[Event, ...] = (
    STARTED,
    AgentSpawned(profile="lead"),
    prompt(1, 2, message("system", 3096), message("task", 88)),
    breakdown(1, {"system": (1, 774), "task": (1, 22)}, tokens=1046, **COUNTED),
    usage(1, 812, 40, cost=0.0021),
    prompt(2, 5, message("program", 140), message("file_view", 216), message("omens", 4, source="sky")),
    breakdown(
        2,
        {"system": (1, 774), "task": (1, 22), "program": (1, 35), "file_view": (1, 54), "omens": (1, 1)},
        tokens=3178,
        **COUNTED,
    ),
    usage(2, 1300, 120, cached=1024, cost=0.0031),
    View(turn=2, action="closed", kind="file", selector="a.csv", bytes=0, tokens=0, origin="program"),
    prompt(2, 5, message("notice", 352), dropped=[3], purpose="summary"),
    breakdown(
        2,
        {"system": (1, 774), "task": (1, 22), "program": (1, 35), "omens": (1, 1), "notice": (1, 88)},
        purpose="summary",
        tokens=3500,
        **COUNTED,
    ),
    usage(2, 1290, 12, purpose="summary"),
    prompt(3, 4, dropped=[4]),
)


def written(path: Path, story: Story) -> Path:
    with begin(path) as record:
        for agent_id, event in story:
            record.log.emit(event, agent_id=agent_id)
    return path


def of_one(path: Path, *events: Event) -> Path:
    return written(path, [("lead", event) for event in events])


def team(path: Path) -> Path:
    """A lead, and a scout whose only request is answered in between."""
    of_scout: list[Event] = [
        AgentSpawned(profile="scout", spawner="lead"),
        prompt(1, 1, message("system", 400)),
        breakdown(1, {"system": (1, 100)}, tokens=104, counter="UTF-8 bytes", margin_percent=0),
        usage(1, 90, 2),
    ]
    story: Story = [("lead", event) for event in STORY]
    story[5:5] = [("scout", event) for event in of_scout]
    return written(path, [*story, ("lead", SUMMARY)])


def shown(path: Path, *options: str) -> str:
    result = CliRunner().invoke(show, [str(path), "--window", *options], catch_exceptions=False)
    assert (result.exit_code, result.stderr) == (0, "")
    return result.stdout


def headings(text: str) -> list[str]:
    return [row for row in text.splitlines() if re.match(r"Turn \d", row)]


def test_every_request_is_drawn_by_band_and_by_cost(
    tmp_path: Path, golden: Callable[[Path, str], None]
) -> None:
    golden(GOLDEN / "window_story.txt", shown(of_one(tmp_path / "r", *STORY)))


def test_requests_of_several_agents_name_them(tmp_path: Path, golden: Callable[[Path, str], None]) -> None:
    golden(GOLDEN / "window_agents.txt", shown(team(tmp_path / "r")))


def test_requests_of_one_agent(tmp_path: Path) -> None:
    record = team(tmp_path / "r")

    assert headings(shown(record, "--agent", "scout")) == ["Turn 1 · scout"]
    assert headings(shown(record, "--agent", "lead")) == [
        "Turn 1 · lead",
        "Turn 2 · lead",
        "Turn 2 · lead, summary",
        "Turn 3 · lead",
    ]
    assert "In all 4 requests" in shown(record, "--agent", "lead")


def test_one_turn_lists_its_messages(tmp_path: Path) -> None:
    text = shown(of_one(tmp_path / "r", *STORY), "--at", "2")

    assert headings(text) == ["Turn 2", "Turn 2, summary"]
    assert (
        """\
  message  band       tokens       trust      authority    source
        0  system        774       trusted    governance   gg
        1  task           22       trusted    user_intent  caller
        2  program        35  new  untrusted  evidence     model
        3  file_view      54  new  untrusted  evidence     model
        4  omens           1  new  untrusted  evidence     sky
"""
        in text
    )


def test_whose_turn_is_meant_has_to_be_clear(tmp_path: Path) -> None:
    record = team(tmp_path / "r")

    with pytest.raises(NotThere, match=r"turn 1 is one of `lead` and `scout`; say which with --agent"):
        shown(record, "--at", "1")
    assert headings(shown(record, "--at", "1", "--agent", "scout")) == ["Turn 1 · scout"]


def test_the_same_as_json(tmp_path: Path) -> None:
    record = team(tmp_path / "r")

    value = json.loads(shown(record, "--json"))

    assert set(value) == {"record", "requests", "bands", "agents"}
    assert [(each["agentId"], each["turn"], each["purpose"]) for each in value["requests"]] == [
        ("lead", 1, "turn"),
        ("scout", 1, "turn"),
        ("lead", 2, "turn"),
        ("lead", 2, "summary"),
        ("lead", 3, "turn"),
    ]
    second = value["requests"][2]
    assert (second["tokens"], second["windowTokens"], second["contextWindow"]) == (3178, 3400, 4000)
    assert (second["usage"]["cachedInputTokens"], second["usage"]["cost"]) == (1024, 0.0031)
    assert second["bands"]["file_view"] == {
        "messages": 1,
        "chars": 216,
        "tokens": 54,
        "share": 0.0609,
        "untrustedTokens": 54,
        "new": {"messages": 1, "tokens": 54},
        "gone": {"messages": 0, "tokens": 0},
        "billedTokens": 79,
        "cost": 0.000188939,
    }
    assert (second["trust"], second["listed"]) == ({"trusted": 796, "untrusted": 90}, [])
    assert (value["requests"][3]["closed"], value["requests"][4]["usage"]) == (["a.csv"], None)
    assert value["agents"]["lead"]["inputTokens"] == 812 + 1300 + 1290
    assert value["bands"]["system"]["requests"] == 5


def test_one_turn_as_json_has_its_messages(tmp_path: Path) -> None:
    value = json.loads(shown(of_one(tmp_path / "r", *STORY), "--at", "1", "--json"))

    [request] = value["requests"]
    assert request["listed"][1] == {
        "position": 1,
        "role": "user",
        "band": "task",
        "source": "caller",
        "authority": "user_intent",
        "trust": "trusted",
        "chars": 88,
        "tokens": 22,
        "isNew": True,
    }


def test_a_record_of_earlier_days_is_drawn_without_what_it_does_not_say(tmp_path: Path) -> None:
    older = (prompt(1, 1, message("system", 40, says=False)), breakdown(1, {"system": (1, 10)}), usage(1))

    lines = shown(of_one(tmp_path / "r", STARTED, *older, SUMMARY)).splitlines()

    assert lines[lines.index("Turn 1") :] == [
        "Turn 1",
        "  window   about 10 tokens in 1 message",
        "  band    messages  tokens  new  share",
        "  system         1      10  +10  100 %  ██████████",
        "  billed   nothing",
    ]


def test_a_run_that_was_cut_off_says_so(tmp_path: Path) -> None:
    record = of_one(tmp_path / "r", *STORY)
    with (record / "events.ndjson").open("a") as events:
        events.write('{"seq": 15, "at": "20')

    assert shown(record).splitlines()[-3:] == [
        "",
        "the run was cut off after 13 events",
        "the last line of the record was cut short and is left out",
    ]


def test_of_a_run_without_a_request_nothing_is_drawn(tmp_path: Path) -> None:
    assert shown(of_one(tmp_path / "r", STARTED, SUMMARY)) == ""


def test_what_stands_before_damage_is_drawn_before_it_is_met(tmp_path: Path) -> None:
    record = of_one(tmp_path / "r", *STORY)
    with (record / "events.ndjson").open("a") as events:
        events.write("damage\n")

    ran = CliRunner().invoke(show, [str(record), "--window"])

    assert isinstance(ran.exception, RecordUnreadable)
    assert headings(ran.stdout) == ["Turn 1", "Turn 2", "Turn 2, summary"]


WIDTHS = [
    (None, "  band       messages  tokens  new  left  billed      cost  share"),
    (80, "  band       messages  tokens  new  left  billed      cost  share"),
    (60, "  band       messages  tokens  new  left  share"),
    (50, "  band       tokens  new  share"),
    (40, "  band       tokens  share"),
]


@pytest.mark.parametrize(("width", "heading"), WIDTHS)
def test_columns_go_where_there_is_no_room_for_them(width: int | None, heading: str) -> None:
    closed = View(turn=2, action="closed", kind="file", selector="a.csv", bytes=0, tokens=0, origin="program")
    last = (
        prompt(3, 3, message("text_view", 4), dropped=[3, 4]),
        breakdown(3, {"system": (1, 774), "task": (1, 22), "program": (1, 35), "text_view": (1, 1)}),
        usage(3, 900, 4, cost=0.0021),
    )
    requests = folded(*STORY[2:8], closed, *last)
    lines = WindowLines(names_agents=False, width=width, colours=False)

    drawn = [*lines.of(requests[-1])]

    [row] = [each.text for each in drawn if each.text.startswith("  band")]
    assert row == heading
    rows = [each.text for each in drawn[drawn.index(next(r for r in drawn if r.text == row)) :]]
    assert all(len(text) <= (width or 100) for text in rows[:6])


def test_what_the_colours_mean_is_said_where_there_are_any() -> None:
    [request] = folded(*STORY[2:5])
    told = "Green bars are of trusted messages; yellow ones are of data, or hold some."

    coloured, plain = (
        [each.text for each in WindowLines(names_agents=False, width=80, colours=colours).of(request)]
        for colours in (True, False)
    )

    assert (told in coloured, told in plain) == (True, False)
    assert all(len(text) <= 80 for text in coloured)


def test_the_legend_is_said_once_and_the_counter_where_it_is_new(tmp_path: Path) -> None:
    text = shown(team(tmp_path / "r"))

    assert text.count("tokens are an estimate") == 1
    assert [row for row in text.splitlines() if row.startswith("  counter")] == [
        "  counter  characters / 4, margin 30 %",
        "  counter  UTF-8 bytes",
    ]


def test_no_text_of_a_record_reaches_a_terminal_as_it_is(tmp_path: Path) -> None:
    odd = message("task", 4, source=HOSTILE).model_copy(
        update={"band": HOSTILE, "trust": HOSTILE, "authority": HOSTILE}
    )
    closed = View(turn=1, action="closed", kind="text", selector=HOSTILE, bytes=0, tokens=0, origin="host")
    story = (
        prompt(1, 1, odd),
        breakdown(1, {HOSTILE: (1, 5)}, counter=HOSTILE, margin_percent=0),
        closed,
        prompt(2, 0, dropped=[0]),
    )
    record = of_one(tmp_path / "r", STARTED, AgentSpawned(profile="lead"), *story)

    for options in ((), ("--at", "1"), ("--at", "2"), ("--json",)):
        text = shown(record, *options)
        assert [char for char in text if char != "\n" and not char.isprintable()] == []
        assert headings(text) == [] if "--json" in options else headings(text) != ["Turn 99"]


def test_shares_and_bars_and_dollars() -> None:
    assert [percent(share) for share in (0, 0.001, 0.005, 0.494, 1, 1.5)] == [
        "0 %",
        "<1 %",
        "0 %",
        "49 %",
        "100 %",
        "150 %",
    ]
    assert [bar(share, 2) for share in (0, 0.001, 0.25, 0.5, 0.56, 1, 3)] == [
        "",
        "▏",
        "▌",
        "█",
        "█▏",
        "██",
        "██",
    ]
    assert [dollars(cost) for cost in (None, 0, 0.00001, 0.00005, 1234.5)] == [
        "",
        "$0.0000",
        "<$0.0001",
        "$0.0001",
        "$1,234.5000",
    ]


@pytest.mark.slow
def test_the_memory_that_drawing_takes_does_not_grow_with_the_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def of(turns: int) -> Path:
        events: list[Event] = [STARTED, AgentSpawned(profile="lead")]
        for turn in range(1, turns + 1):
            came = message("text_view", 20_000)
            left = [0] if turn > 1 else []
            events += [
                prompt(turn, 1, came, dropped=left),
                breakdown(turn, {"text_view": (1, 5000)}),
                usage(turn),
            ]
        return of_one(tmp_path / str(turns), *events)

    def peak(record: Path) -> int:
        with open(os.devnull, "w") as nowhere, monkeypatch.context() as patch:
            patch.setattr(sys, "stdout", nowhere)
            tracemalloc.start()
            try:
                show.main([str(record), "--window"], standalone_mode=False)
                return tracemalloc.get_traced_memory()[1]
            finally:
                tracemalloc.stop()

    peak(of(10))  # whatever is built once
    short, long = (peak(of(turns)) for turns in (50, 500))
    assert long - short < 500_000  # of 10,000,000 that the long one holds


def test_lines_are_plain_text_where_no_colours_are() -> None:
    [request] = folded(*STORY[2:5])

    assert "\x1b" not in to_text(WindowLines(names_agents=True, width=None, colours=False).of(request))
