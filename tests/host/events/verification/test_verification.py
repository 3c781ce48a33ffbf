"""A record held against itself: a real run is right in everything, and each kind of damage is found."""

import json
import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from host.app import Session
from host.events import Check, RecordReader, SessionRecord, sha256_of, verify_record
from host.launch import validate
from runtime_js import Compiler
from tests.helpers.runs import FINISH, SCRATCHPAD, run_agent
from tests.host.events.samples import NO_SECRETS, StillClock, line

SECRET = "hunter2-hunter2"
WRITE = """\
import { memories, views } from "gg";
memories.writeMemory({
  name: "notes", description: "d", body: "Line one.\\nLine two.",
  code: "export const a = 1;", onUse: 'import { views } from "gg";\\nviews.openText("used", "x");',
});
views.openText("one", "1");
"""
CLOSE = """\
```ts
import { memories, views } from "gg";
memories.updateMemory({ name: "notes", description: "d", body: "Other." });
views.openText("two", "2");
views.close("one");
```
"""
REJECTED = "const a: number = 'x';"
MASKED = f"""\
import {{ memories, views }} from "gg";
memories.writeMemory({{
  name: "key", description: "{SECRET}", body: "It is {SECRET}.", onUse: "console.log('{SECRET}');",
}});
views.openText("key", "{SECRET}");
"""
NAMES = ["events", "last line", "run.json", "agents", "prompts", "memories", "stores", "programs", "totals"]


@pytest.fixture(scope="module")
def compiler() -> Iterator[Compiler]:
    with Compiler() as compiler:
        yield compiler


@pytest.fixture(scope="module")
def ended(tmp_path_factory: pytest.TempPathFactory, compiler: Compiler) -> Path:
    out = tmp_path_factory.mktemp("runs") / "ended"
    run_agent(out, [WRITE, CLOSE, REJECTED, FINISH], compiler=compiler, memories=SCRATCHPAD)
    return out


@pytest.fixture
def record(ended: Path, tmp_path: Path) -> Path:
    """A copy to damage."""
    return Path(shutil.copytree(ended, tmp_path / "r"))


def checks(record: Path) -> tuple[Check, ...]:
    return verify_record(RecordReader(record))


def problems(record: Path) -> list[tuple[str, tuple[str, ...]]]:
    return [(check.name, check.problems) for check in checks(record) if not check.ok]


def test_a_run_is_right_in_everything(record: Path) -> None:
    found = checks(record)

    assert [(check.name, check.ok) for check in found] == [(name, True) for name in NAMES]
    run = RecordReader(record).header["id"]
    count = RecordReader(record).view().events
    assert [check.looked_at for check in found] == [
        f"{count} events, numbered without a gap, all of run {run}",
        "whether it is whole",
        "its hash, and the run's id",
        "1 agent, what each held, how it ended",
        "hashes of 4 prompts",
        "3 snapshots against 2 revisions",
        "1 file under agents/",
        "hashes of 5 texts",
        "4 turns, 0 tokens",
    ]


def test_what_is_masked_is_compared_as_masked(
    tmp_path: Path, compiler: Compiler, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("A_TOKEN", SECRET)
    run_agent(tmp_path / "r", [MASKED, f"```\n{MASKED}```\n", FINISH], compiler=compiler, memories=SCRATCHPAD)

    found = {check.name: check.looked_at for check in checks(tmp_path / "r")}

    assert SECRET not in "".join(path.read_text() for path in (tmp_path / "r").rglob("*") if path.is_file())
    assert problems(tmp_path / "r") == []
    # Of a program that was healed there is no hash as it was before masking.
    assert found["programs"] == "hashes of 4 texts, 2 of them masked and not compared"


def changed_event(record: Path, kind: str, **fields: object) -> int:
    """Changes the last event of a type; its number."""
    path = record / "events.ndjson"
    events = [json.loads(line) for line in path.read_text().splitlines()]
    event = [event for event in events if event["type"] == kind][-1]
    event.update(fields)
    path.write_text("".join(json.dumps(event) + "\n" for event in events))
    return int(event["seq"])


def replaced(path: Path, old: str, new: str) -> None:
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))


EVENTS = [
    ("memory_state", {"count": 7}, "memories", "event {n}, store memories-1: count is 7, not 1"),
    (
        "memory_revision",
        {"body": "Else."},
        "memories",
        "event {n}, store memories-1: notes.len is 6, not 5",
    ),
    ("prompt", {"messages": 5}, "prompts", "event {n}, turn 4: messages is 5, and the events add up to 8"),
    (
        "prompt",
        {"promptSha256": "0"},
        "prompts",
        "event {n}, turn 4: promptSha256 is not that of the messages that the events add up to",
    ),
    ("session_summary", {"errors": 0}, "totals", "event {n}: errors is 0, not 1"),
    (
        "session_summary",
        {"errorTypes": {}},
        "totals",
        "event {n}: errorTypes is {{}}, not {{'transpile_compile': 1}}",
    ),
    ("turn_outcome", {"turns": 5}, "totals", "event {n}: turns is 5, not 4"),
    ("turn_outcome", {"consecutiveErrors": 1}, "totals", "event {n}: consecutiveErrors is 1, not 0"),
    (
        "usage",
        {"totalInputTokens": 3},
        "totals",
        "event {n}: tokens are 3 and 0, and the replies add up to 0 and 0",
    ),
]


@pytest.mark.parametrize(("kind", "fields", "name", "told"), EVENTS)
def test_an_event_that_contradicts_the_others_is_found(
    kind: str, fields: dict[str, object], name: str, told: str, record: Path
) -> None:
    number = changed_event(record, kind, **fields)

    assert problems(record)[0] == (name, (told.format(n=number),))
    assert {found for found, _ in problems(record)} == {name}


def test_a_reply_is_held_against_the_file_of_it(record: Path) -> None:
    changed_event(record, "model_reply", text="else")

    [(name, [problem])] = problems(record)
    assert name == "programs"
    assert re.fullmatch(r"programs/root/0004\.sent\.txt is not the text of event \d+", problem)


def damage_program(record: Path) -> None:
    replaced(record / "programs/root/0003.ts", "'x'", "'y'")


def lose_program(record: Path) -> None:
    (record / "programs/root/0003.ts").unlink()


def add_program(record: Path) -> None:
    (record / "programs/root/0009.ts").write_text("x")


def change_script(record: Path) -> None:
    replaced(record / "programs/root/0001.on-use-1.ts", "used", "lost")


def change_store(record: Path) -> None:
    replaced(record / "agents/root/modules/memories.json", '"write"', '"read"')


def break_store(record: Path) -> None:
    (record / "agents/root/modules/memories.json").write_text("{")


def add_store(record: Path) -> None:
    path = record / "agents/other/modules/memories.json"
    path.parent.mkdir(parents=True)
    path.write_text("{}")


def change_config(record: Path) -> None:
    replaced(record / "run.json", '"Do it."', '"Do not."')


def take_over(record: Path) -> None:
    replaced(record / "run.json", '"id": "', '"id": "x')


def lose_header(record: Path) -> None:
    (record / "run.json").unlink()


FILES: list[tuple[Callable[[Path], None], str, str]] = [
    (
        damage_program,
        "programs",
        "programs/root/0003.ts: its SHA-256 is "
        + sha256_of("const a: number = 'y';")
        + ", and event N has "
        + sha256_of(REJECTED),
    ),
    (lose_program, "programs", "event N: …/programs/root/0003.ts: No such file or directory"),
    (add_program, "programs", "programs/root/0009.ts is a text that no event names"),
    (
        break_store,
        "stores",
        "…/agents/root/modules/memories.json:"
        " Expecting property name enclosed in double quotes: line 1 column 2 (char 1)",
    ),
    (
        add_store,
        "stores",
        "agents/other/modules/memories.json is of an agent or a store that no event tells of",
    ),
    (lose_header, "run.json", "…/run.json: missing, so the configuration is not known"),
]


@pytest.mark.parametrize(("damage", "name", "told"), FILES)
def test_a_file_that_is_not_what_the_events_say_is_found(
    damage: Callable[[Path], None], name: str, told: str, record: Path
) -> None:
    damage(record)

    [(found, [problem])] = problems(record)
    settled = re.sub(r"event \d+", "event N", problem.replace(str(record), "…"))
    assert (found, settled) == (name, told)


@pytest.mark.parametrize(
    ("damage", "name"),
    [
        (change_script, "programs"),
        (change_store, "stores"),
        (change_config, "run.json"),
        (take_over, "run.json"),
    ],
)
def test_a_change_of_a_file_is_found(damage: Callable[[Path], None], name: str, record: Path) -> None:
    damage(record)

    assert [found for found, _ in problems(record)] == [name]


def test_a_store_whose_file_is_absent_is_rebuilt_and_right(record: Path) -> None:
    (record / "agents/root/modules/memories.json").unlink()

    assert problems(record) == []
    assert checks(record)[6].looked_at == "0 files under agents/, 1 absent and rebuilt"


def test_what_a_killed_process_was_writing_of_a_store_is_passed_over(record: Path) -> None:
    for name in (".memories.json.new", ".other.json.new"):
        (record / "agents/root/modules" / name).write_text("{")

    assert problems(record) == [
        ("stores", ("agents/root/modules/.other.json.new is of an agent or a store that no event tells of",))
    ]


def test_a_torn_line_is_wrong_and_what_stands_before_it_is_not(record: Path) -> None:
    events = record / "events.ndjson"
    events.write_bytes(events.read_bytes()[:-20])

    assert problems(record) == [
        ("last line", ("it was cut short, as by a crash; the events before it are whole",))
    ]


def test_a_run_that_was_cut_off_may_have_more_files_than_events(record: Path) -> None:
    path = record / "events.ndjson"
    lines = path.read_text().splitlines(keepends=True)
    cut = next(n for n, line in enumerate(lines) if '"code_execution"' in line)
    path.write_text("".join(lines[:cut]))

    assert problems(record) == []


def test_before_damage_in_the_middle_everything_is_checked(record: Path) -> None:
    path = record / "events.ndjson"
    lines = path.read_text().splitlines(keepends=True)
    path.write_text("".join([*lines[:20], *lines[21:]]))

    assert problems(record) == [("events", (f"{path}, line 21: seq is 22, not 21",))]
    assert checks(record)[0].looked_at.startswith("20 events, ")


def test_a_record_that_is_being_written_is_right_as_far_as_it_goes(record: Path, tmp_path: Path) -> None:
    with SessionRecord.create(
        tmp_path / "w", run_id="run-1", config={}, gg_version="0", clock=StillClock(), masker=NO_SECRETS
    ) as writing:
        writing.log.emit(line("one"), agent_id="root")
        writing.log.flush()
        with (tmp_path / "w/events.ndjson").open("a") as events:
            events.write('{"seq":')
        assert problems(tmp_path / "w") == []


def test_many_problems_are_counted_and_the_first_shown(record: Path) -> None:
    for number in range(30):
        (record / f"programs/root/1{number:03}.ts").write_text("x")

    programs = checks(record)[7]

    assert (programs.wrong, len(programs.problems)) == (30, 20)


def test_a_change_that_contradicts_nothing_is_not_found(record: Path) -> None:
    changed_event(record, "memory_revision", body="Etwas.")  # as long as what it replaces

    assert problems(record) == []


def test_a_run_whose_programs_came_by_calls_is_right(tmp_path: Path, compiler: Compiler) -> None:
    calls = [{"name": "submit_program", "arguments": {"program": text}} for text in (WRITE, FINISH)]
    replies = tmp_path / "replies"
    replies.mkdir()
    for number, call in enumerate(calls):
        (replies / f"{number}.json").write_text(json.dumps({"text": "Now.", "toolCalls": [call]}))
    document = {
        "task": "t",
        "model": {"provider": "scripted", "replies": "replies"},
        "agents": [
            {
                "id": "root",
                "codeMode": {"delivery": "tool"},
                "capabilities": [{"id": "memories", "enabled": True, **SCRATCHPAD}],
            }
        ],
    }
    plan = validate(document, base=tmp_path)
    result = Session.create(plan, out=tmp_path / "r", compiler=compiler).run()

    assert (result.status, problems(tmp_path / "r")) == ("completed", [])
    assert checks(tmp_path / "r")[7].looked_at == "hashes of 3 texts"
