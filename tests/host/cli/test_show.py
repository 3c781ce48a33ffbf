"""`gg show` over records written by the real log."""

import json
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

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
    SessionRecord,
)
from tests.host.cli.events import BODY, QUICKSTART, prompt, reply, revision, started

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
        index_len=sum(len(f"- `{name}` — d") for name in names),
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
