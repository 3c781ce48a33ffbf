"""What can be opened as a record, and what is said of the rest."""

import json
import os
from pathlib import Path

import pytest

from host.events import (
    AgentModules,
    RecordError,
    RecordReader,
    RecordTooNew,
    RecordUnreadable,
    record_reader,
)
from tests.host.events.children import begin
from tests.host.events.samples import line
from tests.host.events.test_record import held


@pytest.fixture
def record(tmp_path: Path) -> Path:
    with begin(tmp_path / "out") as record:
        record.log.emit(held("store-1"), agent_id="root")
        record.log.emit(line("one"), agent_id="root")
        record.save_program("root", 1, as_sent="a", as_run="a")
    return record.path


def refusal(path: Path, kind: type[RecordError]) -> str:
    with pytest.raises(kind) as exc_info:
        RecordReader(path)
    return str(exc_info.value)


def test_a_record_opens_by_its_directory_or_its_events(record: Path) -> None:
    for path in (record, record / "events.ndjson"):
        reader = RecordReader(path)

        assert reader.config == {"name": "study"}
        assert reader.header["ggVersion"] == "0.1.0"
        assert [s.seq for s in reader.events()] == [1, 2]
        assert (reader.torn, reader.writer) == (False, None)
        assert reader.view().events == 2


def test_events_alone_can_be_read_and_their_configuration_is_said_to_be_missing(record: Path) -> None:
    (record / "run.json").unlink()
    reader = RecordReader(record / "events.ndjson")

    assert reader.view().events == 2
    with pytest.raises(RecordUnreadable) as exc_info:
        _ = reader.config
    assert str(exc_info.value) == f"{record / 'run.json'}: missing, so the configuration is not known"


def test_a_torn_record_says_so(record: Path) -> None:
    events = record / "events.ndjson"
    events.write_bytes(events.read_bytes()[:-5])
    reader = RecordReader(record)

    assert (reader.torn, reader.view().torn, reader.view().events) == (True, True, 1)


def test_what_is_no_record_is_refused(tmp_path: Path) -> None:
    folder, text = tmp_path / "folder", tmp_path / "notes.txt"
    folder.mkdir()
    text.write_text("notes")

    assert refusal(folder, RecordUnreadable) == f"{folder}: no session record: it holds no events.ndjson"
    assert (
        refusal(text, RecordUnreadable)
        == f"{text}, line 1: not an event log: its first line is no JSON object"
    )
    assert (
        refusal(tmp_path / "absent", RecordUnreadable) == f"{tmp_path / 'absent'}: No such file or directory"
    )


def test_a_newer_format_is_refused_naming_both(record: Path) -> None:
    file = record / "run.json"
    file.write_text(json.dumps(json.loads(file.read_text()) | {"formatVersion": 2}))

    assert refusal(record, RecordTooNew) == (
        f"{file} has format version 2, and this gg reads up to 1; read it with a newer gg"
    )


HEADERS = [
    ("[]", "not a JSON object"),
    ("{", "Expecting property name enclosed in double quotes: line 1 column 2 (char 1)"),
    ("{}", "formatVersion is None, not a whole number from 1"),
    ('{"formatVersion": true}', "formatVersion is True, not a whole number from 1"),
    ('{"formatVersion": 1}', "it holds no config"),
]


@pytest.mark.parametrize(("text", "message"), HEADERS)
def test_a_damaged_header_is_refused(record: Path, text: str, message: str) -> None:
    (record / "run.json").write_text(text)

    assert refusal(record, RecordUnreadable) == f"{record / 'run.json'}: {message}"


def test_the_state_of_a_store_is_rebuilt_where_its_file_is_absent(record: Path) -> None:
    assert not (record / "agents").exists()

    state = RecordReader(record).module_state("root")

    assert state is not None
    assert (state["moduleId"], state["access"], state["coHolders"]) == ("store-1", "write", [])
    assert RecordReader(record).module_state("nobody") is None
    assert not (record / "agents").exists()


def test_a_file_that_is_there_says_the_same(tmp_path: Path) -> None:
    with begin(tmp_path / "out") as record:
        record.log.emit(held("store-1"), agent_id="root")
        record.write_module_state("root")
    from_file = RecordReader(record.path).module_state("root")
    (record.path / "agents/root/modules/memories.json").unlink()

    assert RecordReader(record.path).module_state("root") == from_file


def test_a_program_is_read_within_the_record_only(record: Path, tmp_path: Path) -> None:
    (tmp_path / "secret.ts").write_text("secret")
    reader = RecordReader(record)

    assert reader.program("programs/root/0001.ts") == "a"
    for path in ("../secret.ts", str(tmp_path / "secret.ts")):
        with pytest.raises(RecordUnreadable) as exc_info:
            reader.program(path)
        assert str(exc_info.value) == f"{tmp_path / 'secret.ts'}: it lies outside the record"
    with pytest.raises(RecordUnreadable) as exc_info:
        reader.program("programs/root/0002.ts")
    assert str(exc_info.value) == f"{record / 'programs/root/0002.ts'}: No such file or directory"


def test_what_is_no_program_is_refused_and_not_waited_for(
    record: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    programs = record / "programs" / "root"
    os.mkfifo(programs / "pipe.ts")
    (programs / "outside.ts").symlink_to("/etc/passwd")
    (programs / "device.ts").symlink_to("/dev/zero")
    (programs / "long.ts").write_text("x" * 101)
    reader = RecordReader(record)
    monkeypatch.setattr(record_reader, "MAX_FILE_BYTES", 100)
    reasons = {}
    for name in ("pipe.ts", "outside.ts", "device.ts", "long.ts", "a\0b.ts"):
        with pytest.raises(RecordUnreadable) as exc_info:
            reader.program(f"programs/root/{name}")
        reasons[name] = str(exc_info.value).rpartition(": ")[2]

    assert reasons == {
        "pipe.ts": "not a regular file",
        "outside.ts": "it lies outside the record",
        "device.ts": "it lies outside the record",
        "long.ts": "larger than 100 bytes",
        "a\0b.ts": "embedded null byte",
    }


def test_a_reader_does_not_hold_up_a_writer(tmp_path: Path) -> None:
    with begin(tmp_path / "out") as record:
        record.log.emit(AgentModules(modules=()), agent_id="root")
        record.log.flush()
        reader = RecordReader(record.path)

        assert reader.writer is not None
        assert reader.view().events == 1
