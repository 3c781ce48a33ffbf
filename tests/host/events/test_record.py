"""A record is begun once, by one writer, and holds what its run needs to be shown again."""

import contextlib
import fcntl
import json
import stat
from pathlib import Path

import pytest

from host.core.clock import SystemClock
from host.events import (
    AgentModules,
    RecordLocked,
    RecordNotCreated,
    RecordReader,
    RecordUnwritable,
    SessionRecord,
    read_events,
    sha256_of,
)
from host.events.lock import RecordLock, writer_of
from host.events.types import AgentModule
from tests.host.events import children
from tests.host.events.children import begin
from tests.host.events.samples import SECRETS, StillClock, line
from tests.host.events.test_append_file import read_only, small_disk

__all__ = ["small_disk"]


def masked_record(out: Path) -> SessionRecord:
    config = {"name": "study", "agents": [{"prompt": "use sesame-open"}], "seed": 7}
    return SessionRecord.create(
        out, run_id="run-1", config=config, gg_version="0.1.0", clock=StillClock(), masker=SECRETS
    )


def held(module_id: str | None, *, writable: bool = True) -> AgentModules:
    row = AgentModule(
        kind="memories",
        module_id=module_id,
        enabled=module_id is not None,
        origin="created" if module_id else None,
        writable=writable,
        scope="isolated" if module_id else None,
    )
    return AgentModules(modules=(row,))


def test_everything_in_a_record_is_for_its_owner_alone(tmp_path: Path) -> None:
    out = tmp_path / "runs" / "one"
    with begin(out) as record:
        record.log.emit(held("store-1"), agent_id="root")
        record.save_program("root", 1, as_sent="a", as_run="a")
        record.save_defect_input("0ab1", "x")
        record.write_module_state("root")

    places = {
        str(path.relative_to(out)): oct(stat.S_IMODE(path.stat().st_mode)) for path in (out, *out.rglob("*"))
    }
    assert places == {
        ".": "0o700",
        "lock": "0o600",
        "run.json": "0o600",
        "events.ndjson": "0o600",
        "programs": "0o700",
        "programs/root": "0o700",
        "programs/root/0001.ts": "0o600",
        "programs/root/0001.sent.txt": "0o600",
        "defects": "0o700",
        "defects/0ab1.txt": "0o600",
        "agents": "0o700",
        "agents/root": "0o700",
        "agents/root/modules": "0o700",
        "agents/root/modules/memories.json": "0o600",
    }


def test_the_header_says_what_was_run_and_is_masked(tmp_path: Path) -> None:
    masked_record(tmp_path / "out").close()

    assert json.loads((tmp_path / "out" / "run.json").read_text()) == {
        "formatVersion": 1,
        "id": "run-1",
        "createdAt": "2026-11-30T15:24:05.000123Z",
        "ggVersion": "0.1.0",
        "config": {"name": "study", "agents": [{"prompt": "use [masked:OTHER_TOKEN]"}], "seed": 7},
        "masked": True,
        "originals": [
            {"field": "config.agents[0].prompt", "length": 15, "sha256": sha256_of("use sesame-open")}
        ],
    }


def test_an_empty_directory_is_taken_and_made_private(tmp_path: Path) -> None:
    out = tmp_path / "out"
    out.mkdir(mode=0o755)
    begin(out).close()

    assert stat.S_IMODE(out.stat().st_mode) == 0o700


def refused(out: Path) -> str:
    with pytest.raises(RecordNotCreated) as exc_info:
        begin(out)
    return str(exc_info.value)


def test_a_directory_in_use_is_refused_and_left_alone(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine")

    assert refused(tmp_path) == (
        f"no session record can be begun in {tmp_path}: "
        "it is not empty; name an absent or an empty directory with --out"
    )
    assert [path.name for path in tmp_path.iterdir()] == ["notes.txt"]


def test_a_file_is_no_place_for_a_record(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("mine")

    assert refused(file) == (
        f"no session record can be begun in {file}: it is not a directory; name another with --out"
    )
    assert refused(file / "below") == (
        f"no session record can be begun in {file / 'below'}: "
        f"{file} is not a directory; name another with --out"
    )


def test_a_read_only_disk_is_refused(small_disk: Path) -> None:
    read_only(small_disk)

    assert refused(small_disk / "run") == (
        f"no session record can be begun in {small_disk / 'run'}: "
        "read-only file system; name another with --out"
    )


def test_a_refusal_on_a_full_disk_leaves_nothing(small_disk: Path) -> None:
    with contextlib.suppress(OSError), (small_disk / "filler").open("wb", buffering=0) as file:
        while True:
            file.write(b"x" * 4096)

    assert refused(small_disk / "run").endswith(": no space left on device; name another with --out")
    assert [path.name for path in small_disk.iterdir()] == ["filler"]


def test_a_second_writer_is_refused_and_told_of_the_first(tmp_path: Path) -> None:
    out = tmp_path / "out"
    with children.start("hold_record", out) as holder:
        assert holder.stdout is not None
        pid = int(holder.stdout.readline())

        assert RecordReader(out).writer == pid
        assert refused(out).endswith(": it is not empty; name an absent or an empty directory with --out")
        with pytest.raises(RecordLocked) as exc_info:
            RecordLock(out)
        assert str(exc_info.value) == (
            f"{out} is being written by process {pid}; wait for it to end or choose another --out"
        )
        holder.communicate()
    assert RecordReader(out).writer is None


def test_the_lock_of_a_dead_writer_stops_nobody(tmp_path: Path) -> None:
    out = tmp_path / "out"
    with children.start("hold_record", out) as holder:
        assert holder.stdout is not None
        holder.stdout.readline()
        holder.kill()

    assert RecordReader(out).writer is None
    assert RecordReader(out).config == {"name": "study"}
    RecordLock(out).release()


def test_programs_are_kept_as_sent_and_as_run(tmp_path: Path) -> None:
    with masked_record(tmp_path / "out") as record:
        path = record.save_program("root", 3, as_sent="```\nrun\n```", as_run="run")

    assert path == "programs/root/0003.ts"
    assert (record.path / path).read_text() == "run"
    assert (record.path / "programs/root/0003.sent.txt").read_text() == "```\nrun\n```"


def test_a_script_has_a_suffix_and_no_text_as_sent(tmp_path: Path) -> None:
    with masked_record(tmp_path / "out") as record:
        paths = [
            record.save_program("root", 3, as_sent="x", as_run="x", origin="onUse", suffix=suffix)
            for suffix in ("on-use-1", "on-use-2", "on-use-1")
        ]

    assert paths == [
        "programs/root/0003.on-use-1.ts",
        "programs/root/0003.on-use-2.ts",
        "programs/root/0003.on-use-1-2.ts",
    ]
    assert sorted(path.name for path in (record.path / "programs/root").iterdir()) == sorted(
        Path(path).name for path in paths
    )


def test_a_turn_that_is_run_again_keeps_both_programs(tmp_path: Path) -> None:
    with masked_record(tmp_path / "out") as record:
        paths = [record.save_program("root", 1, as_sent=text, as_run=text) for text in ("a", "b", "c")]

    assert paths == ["programs/root/0001.ts", "programs/root/0001-2.ts", "programs/root/0001-3.ts"]
    assert [RecordReader(record.path).program(path) for path in paths] == ["a", "b", "c"]
    assert (record.path / "programs/root/0001-3.sent.txt").read_text() == "c"


def test_programs_are_masked_and_kept_to_the_character(tmp_path: Path) -> None:
    text = 'const a = "sesame-open"\r\n// \ud800 \0 é\n'
    with masked_record(tmp_path / "out") as record:
        path = record.save_program("root", 1, as_sent=text, as_run=text)
        record.save_defect_input("0ab1", text)

    masked = text.replace("sesame-open", "[masked:OTHER_TOKEN]")
    stored = masked.encode("utf-8", "surrogatepass")
    assert (record.path / path).read_bytes() == stored
    assert (record.path / "programs/root/0001.sent.txt").read_bytes() == stored
    assert (record.path / "defects/0ab1.txt").read_bytes() == stored
    assert RecordReader(record.path).program(path) == masked


@pytest.mark.parametrize("agent", ["..", "../../out", "/etc", "a\0b", "x" * 5000, "%2F", "\ud800", ""])
def test_no_name_of_an_agent_leads_out_of_the_record(tmp_path: Path, agent: str) -> None:
    with begin(tmp_path / "out") as record:
        record.log.emit(held("store-1"), agent_id=agent)
        path = record.save_program(agent, 1, as_sent="a", as_run="a")
        record.write_module_state(agent)

    assert [p.name for p in tmp_path.iterdir()] == ["out"]
    assert len(list((tmp_path / "out" / "programs").iterdir())) == 1
    assert RecordReader(record.path).program(path) == "a"
    assert RecordReader(record.path).module_state(agent) is not None


def test_a_full_disk_leaves_no_half_written_program(small_disk: Path) -> None:
    with begin(small_disk / "out") as record:
        with pytest.raises(RecordUnwritable) as exc_info:
            record.save_program("root", 1, as_sent="", as_run="x" * 100_000)
        assert list((record.path / "programs/root").iterdir()) == []
        assert str(exc_info.value) == (
            f"record_unwritable: {record.path / 'programs/root/0001.ts'}: No space left on device"
        )


def test_the_state_of_a_store_is_derived_from_the_events(tmp_path: Path) -> None:
    with begin(tmp_path / "out") as record:
        record.log.emit(held("store-1"), agent_id="root")
        record.log.emit(held("store-1", writable=False), agent_id="helper")
        record.log.emit(held(None), agent_id="bare")
        for agent in ("root", "helper", "bare"):
            record.write_module_state(agent)

    assert sorted(path.name for path in (record.path / "agents").iterdir()) == ["helper", "root"]
    assert json.loads((record.path / "agents/helper/modules/memories.json").read_text()) == {
        "agentId": "helper",
        "kind": "memories",
        "moduleId": "store-1",
        "origin": "created",
        "scope": "isolated",
        "access": "read",
        "since": "2026-11-30T15:24:05.000123Z",
        "until": None,
        "coHolders": ["root"],
        "earlierCoHolders": [],
    }


def test_all_states_are_brought_up_to_the_events_at_once(tmp_path: Path) -> None:
    with begin(tmp_path / "out") as record:
        for agent in ("root", "helper"):
            record.log.emit(held("store-1"), agent_id=agent)
            record.write_module_state(agent)
        record.log.emit(held("store-2"), agent_id="other")
        record.write_module_states()

    files = {
        path.parent.parent.name: json.loads(path.read_text()) for path in record.path.glob("agents/*/*/*")
    }
    assert {agent: (file["moduleId"], file["coHolders"]) for agent, file in files.items()} == {
        "root": ("store-1", ["helper"]),
        "helper": ("store-1", ["root"]),
        "other": ("store-2", []),
    }


def test_a_state_is_replaced_in_one_step_and_only_when_it_changed(tmp_path: Path) -> None:
    with begin(tmp_path / "out") as record:
        record.log.emit(held("store-1"), agent_id="root")
        record.write_module_state("root")
        file = record.path / "agents/root/modules/memories.json"
        first = file.stat().st_ino
        record.write_module_state("root")
        unchanged = file.stat().st_ino
        (file.parent / ".memories.json.new").write_text("left by a killed process")
        record.log.emit(held("store-2"), agent_id="root")
        record.write_module_state("root")

    assert unchanged == first
    assert file.stat().st_ino != first
    assert json.loads(file.read_text())["moduleId"] == "store-2"
    assert [path.name for path in file.parent.iterdir()] == ["memories.json"]


def test_a_state_is_written_when_the_events_that_it_comes_of_are(tmp_path: Path) -> None:
    with begin(tmp_path / "out") as record:
        for number in range(20):
            record.log.emit(held(f"store-{number}"), agent_id="root")
            record.write_module_state("root")
            *_, last = read_events(record.path / "events.ndjson")
            assert last.event == held(f"store-{number}")


def test_a_record_that_fails_at_its_end_lets_go_of_its_lock(small_disk: Path) -> None:
    record = begin(small_disk / "out")
    record.log.emit(line("x" * 70_000), agent_id="root")

    with pytest.raises(RecordUnwritable):
        record.close()
    assert RecordReader(record.path).writer is None


def test_the_clock_of_the_machine_serves(tmp_path: Path) -> None:
    record = SessionRecord.create(
        tmp_path / "out", run_id="r", config={}, gg_version="0.1.0", clock=SystemClock(), masker=SECRETS
    )
    record.log.emit(line("now"), agent_id="root")
    record.close()

    assert [s.at.utcoffset() is not None for s in RecordReader(record.path).events()] == [True]


def test_a_look_keeps_nobody_from_taking_the_lock(tmp_path: Path) -> None:
    (tmp_path / "lock").touch()  # as it is between its making and the taking of the lock
    with (tmp_path / "lock").open() as file:
        fcntl.flock(file, fcntl.LOCK_EX)

        assert writer_of(tmp_path) is None
