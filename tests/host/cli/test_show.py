"""`gg show` over records written by the real log."""

import json
import os
import sys
import tracemalloc
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest
from click.testing import CliRunner

from host.cli.commands.show import show
from host.core.masking import Masker
from host.events import (
    AgentSpawned,
    Event,
    MemoryCaps,
    MemoryEntry,
    MemoryPeak,
    MemoryState,
    RecordUnreadable,
    SessionRecord,
)
from tests.host.cli.events import (
    BODY,
    QUICKSTART,
    execution,
    outcome,
    prompt,
    reply,
    revision,
    started,
    summary,
)
from tests.host.cli.processes import gg
from tests.host.events.stores import PlainStore

GOLDEN = Path(__file__).parent / "golden"


class FixedClock:
    def now(self) -> datetime:
        return datetime(2026, 11, 30, 15, 24, 5, tzinfo=UTC)

    def monotonic(self) -> float:
        return 0.0


def written(path: Path, *events: Event) -> SessionRecord:
    record = SessionRecord.create(
        path, run_id="r", config={"name": "x"}, gg_version="0.1.0", clock=FixedClock(), masker=Masker({})
    )
    for event in events:
        record.log.emit(event, agent_id="analyst")
    record.log.flush()
    return record


def state(*names: str) -> MemoryState:
    entries = tuple(
        MemoryEntry(name=name, description="d", len=len(BODY), lines=1, code=True, on_use=True)
        for name in names
    )
    held = MemoryPeak(count=len(names), total_len=len(BODY) * len(names), total_lines=len(names))
    return MemoryState(
        module_id="m1",
        strategy="scratchpad",
        memories=entries,
        count=held.count,
        total_len=held.total_len,
        total_lines=held.total_lines,
        peak=held,
        caps=MemoryCaps(),
        scope="isolated",
        writable=True,
    )


def shown(path: Path, *options: str) -> str:
    result = CliRunner().invoke(show, [str(path), *options], catch_exceptions=False)
    assert (result.exit_code, result.stderr) == (0, "")
    return result.stdout


def test_a_record_is_shown_whole(tmp_path: Path, golden: Callable[[Path, str], None]) -> None:
    deleted = revision("csv-tools", change="deleted", number=2)
    again = revision("notes", code='views.openText("a", "b");')
    written(tmp_path / "r", *QUICKSTART[:-1], deleted, again, state("notes"), QUICKSTART[-1]).close()

    golden(GOLDEN / "show_quickstart.txt", shown(tmp_path / "r"))


def test_a_record_is_shown_as_one_json_object(tmp_path: Path) -> None:
    written(tmp_path / "r", *QUICKSTART).close()

    value = json.loads(shown(tmp_path / "r", "--json"))

    assert (value["record"], value["summary"]["status"], len(value["turns"])) == (
        str(tmp_path / "r"),
        "completed",
        3,
    )
    assert value["turns"][2]["diagnostics"][0]["code"] == "TS2551"


def test_a_run_that_goes_on_is_shown_as_far_as_it_came(tmp_path: Path) -> None:
    with written(tmp_path / "r", started(), AgentSpawned(profile="analyst"), prompt(1), reply(1, "x")):
        assert shown(tmp_path / "r").split("\n")[-3:] == ["", "the run is still going on after 4 events", ""]


def test_a_run_that_was_cut_off_says_so(tmp_path: Path) -> None:
    written(tmp_path / "r", started(), prompt(1)).close()
    with (tmp_path / "r" / "events.ndjson").open("a") as events:
        events.write('{"seq": 3, "at": "20')

    assert shown(tmp_path / "r").split("\n")[-4:] == [
        "",
        "the run was cut off after 2 events",
        "the last line of the record was cut short and is left out",
        "",
    ]


def three_revisions(path: Path) -> Path:
    """A run in whose turns 1 to 3 one memory is written, revised and deleted; another one stays."""
    store = PlainStore("m1", author="analyst")

    def first() -> list[Event]:
        return [
            *store.write("csv-tools", "First.", "About CSV", "export const a = 1;"),
            *store.write("b", "x"),
        ]

    acts = (
        first,
        lambda: store.write("csv-tools", "Second.\nOf two lines."),
        lambda: store.delete("csv-tools"),
    )
    events: list[Event] = [started(), AgentSpawned(profile="analyst"), store.state()]
    for turn, act in enumerate(acts, start=1):
        store.turn = turn
        told = prompt(turn, ("program", "let before;"), ("text_view", f"View: v\n----\nbody {turn}"))
        events += [told, reply(turn, f"let a{turn};"), *act(), execution(turn), outcome(turn)]
    written(path, *events, summary()).close()
    return path


def test_one_memory_is_shown_with_all_its_revisions(tmp_path: Path) -> None:
    assert (
        shown(three_revisions(tmp_path / "r"), "--memory", "csv-tools")
        == """\
csv-tools (deleted)
    #1     written by analyst, turn 1, 6 characters
    #2     updated by analyst, turn 2, 21 characters
    #3     deleted by analyst, turn 3
"""
    )


def test_one_memory_is_shown_as_a_revision_left_it(tmp_path: Path) -> None:
    record = three_revisions(tmp_path / "r")

    assert (
        shown(record, "--memory", "csv-tools@1")
        == """\
csv-tools: About CSV
    #1     written by analyst, turn 1, 6 characters
           │ First.
    code
           │ export const a = 1;
"""
    )
    assert (
        shown(record, "--memory", "csv-tools@2")
        == """\
csv-tools
    #2     updated by analyst, turn 2, 21 characters
           │ Second.
           │ Of two lines.
"""
    )
    assert (
        shown(record, "--memory", "csv-tools@3")
        == """\
csv-tools (deleted)
    #3     deleted by analyst, turn 3
"""
    )


def test_one_memory_is_shown_as_a_turn_left_it(tmp_path: Path) -> None:
    text = shown(three_revisions(tmp_path / "r"), "--memory", "csv-tools", "--at", "2")

    assert (
        text
        == """\
csv-tools
    #1     written by analyst, turn 1, 6 characters
    #2     updated by analyst, turn 2, 21 characters
           │ Second.
           │ Of two lines.
"""
    )


def test_no_line_of_a_memory_is_cut(tmp_path: Path) -> None:
    written(tmp_path / "r", *PlainStore("m1").write("long", "x" * 2000, code=f"// {'y' * 2000}")).close()

    lines = shown(tmp_path / "r", "--memory", "long").splitlines()

    assert [len(line.strip(" │")) for line in lines[2:]] == [2000, len("code"), 2003]


def test_a_memory_as_json(tmp_path: Path) -> None:
    record = three_revisions(tmp_path / "r")

    value = json.loads(shown(record, "--memory", "csv-tools@1", "--json"))

    [store] = value.pop("stores")
    assert value == {"record": str(record), "name": "csv-tools", "revision": 1, "turn": None}
    assert (store["moduleId"], store["strategy"], store["scope"], store["held"]) == (
        "m1",
        "markdown",
        "isolated",
        False,
    )
    assert (store["shown"]["body"], store["shown"]["code"]) == ("First.", "export const a = 1;")
    assert [(row["revision"], row["change"], row["len"]) for row in store["revisions"]] == [
        (1, "written", 6),
        (2, "updated", 21),
        (3, "deleted", 0),
    ]


def test_of_several_stores_each_is_named(tmp_path: Path) -> None:
    one, two = PlainStore("one"), PlainStore("two")
    written(tmp_path / "r", *one.write("a", "1"), *two.write("a", "2"), summary()).close()

    assert [line for line in shown(tmp_path / "r", "--memory", "a").splitlines() if line.startswith("a")] == [
        "a, in one",
        "a, in two",
    ]
    assert [line for line in shown(tmp_path / "r").splitlines() if line.startswith("Memories")] == [
        "Memories of one (markdown): 1 memory",
        "Memories of two (markdown): 1 memory",
    ]


def test_one_turn_is_shown_whole_with_the_memories_of_then(tmp_path: Path) -> None:
    assert (
        shown(three_revisions(tmp_path / "r"), "--at", "2")
        == """\

Turn 2
  prompt   program, 1 line
           │ let before;
  reads    View: v
           │ body 2
  program  1 line
           │ let a2;
  memory   csv-tools updated, revision 2, 21 characters

Memories (markdown, isolated): 2 memories
  b
    #1     1 character
           │ x
  csv-tools
    #2     21 characters
           │ Second.
           │ Of two lines.
"""
    )


def test_one_turn_as_json(tmp_path: Path) -> None:
    record = three_revisions(tmp_path / "r")

    value = json.loads(shown(record, "--at", "3", "--json"))

    assert (value["record"], value["turn"]) == (str(record), 3)
    assert [(prompt["agentId"], len(prompt["newMessages"])) for prompt in value["prompts"]] == [
        ("analyst", 2)
    ]
    assert [(turn["turn"], turn["reply"]["text"]) for turn in value["turns"]] == [(3, "let a3;")]
    assert list(value["stores"]["m1"]["memories"]) == ["b"]


def test_a_record_is_held_against_itself(tmp_path: Path) -> None:
    written(tmp_path / "r", *PlainStore("m1").write("a", "x")).close()

    ran = CliRunner().invoke(show, [str(tmp_path / "r"), "--verify"], catch_exceptions=False)

    assert (ran.exit_code, ran.stderr) == (0, "the record is right in everything\n")
    assert (
        ran.stdout
        == """\
ok     events     2 events, numbered without a gap, all of run r
ok     last line  whether it is whole
ok     run.json   its hash, and the run's id
ok     agents     0 agents, what each held, how it ended
ok     prompts    hashes of 0 prompts
ok     memories   1 snapshot against 1 revision
ok     stores     0 files under agents/
ok     programs   hashes of 0 texts
ok     totals     0 turns, 0 tokens
"""
    )


@pytest.mark.slow
def test_a_record_that_is_wrong_is_told_and_exits_with_1(tmp_path: Path) -> None:
    record = three_revisions(tmp_path / "r")

    text = gg("show", record, "--verify", cwd=tmp_path)
    as_json = gg("show", record, "--verify", "--json", "--quiet", cwd=tmp_path)

    # The prompts, turns and hashes of these events were made up.
    assert (text.returncode, text.stderr) == (1, "3 checks wrong\n")
    wrong = [line.split()[1] for line in text.stdout.splitlines() if line.startswith("wrong")]
    assert wrong == ["run.json", "prompts", "totals"]
    assert "\n                  - event 4, turn 1: promptSha256 is not that of" in text.stdout
    value = json.loads(as_json.stdout)
    assert (as_json.returncode, as_json.stderr, value["record"], value["ok"]) == (1, "", str(record), False)
    assert [check["name"] for check in value["checks"] if not check["ok"]] == wrong
    assert value["checks"][0] == {
        "ok": True,
        "name": "events",
        "lookedAt": "24 events, numbered without a gap, all of run r",
        "wrong": 0,
        "problems": [],
    }


def test_a_long_list_of_problems_is_counted(tmp_path: Path) -> None:
    record = three_revisions(tmp_path / "r")
    (record / "programs").mkdir()
    for number in range(30):
        (record / f"programs/{number}.ts").write_text("x")

    text = CliRunner().invoke(show, [str(record), "--verify"], catch_exceptions=False).stdout

    assert "                  … 10 more\n" in text


def test_what_stands_before_damage_is_shown_before_it_is_met(tmp_path: Path) -> None:
    written(tmp_path / "r", *QUICKSTART[:-1]).close()
    with (tmp_path / "r/events.ndjson").open("a") as events:
        events.write("damage\n")

    ran = CliRunner().invoke(show, [str(tmp_path / "r")])

    assert isinstance(ran.exception, RecordUnreadable)
    assert ran.stdout.startswith("quickstart: Summarise exports.csv\n\nTurn 1\n")
    assert "Turn 3" in ran.stdout


def peak_of_showing(record: Path, monkeypatch: pytest.MonkeyPatch) -> int:
    """The most memory, in bytes, that was held at once."""
    with open(os.devnull, "w") as nowhere, monkeypatch.context() as patch:
        patch.setattr(sys, "stdout", nowhere)
        tracemalloc.start()
        try:
            show.main([str(record)], standalone_mode=False)
            return tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()


@pytest.mark.slow
def test_the_memory_that_showing_takes_does_not_grow_with_the_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def of(turns: int) -> Path:
        store = PlainStore("m1", author="analyst")
        record = written(tmp_path / str(turns), started(), AgentSpawned(profile="analyst"))
        for turn in range(1, turns + 1):
            text = f"// {turn} {'x' * 5000}"
            for event in (prompt(turn, ("text_view", text)), reply(turn, text), *store.write("a", text)):
                record.log.emit(event, agent_id="analyst")
        record.close()
        return record.path

    peak_of_showing(of(10), monkeypatch)  # whatever is built once
    short, long = (peak_of_showing(of(turns), monkeypatch) for turns in (50, 1000))

    assert long - short < 1_000_000  # of 15,000,000 that the long one holds
