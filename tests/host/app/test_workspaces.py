"""The copy that an agent works on: what is in it, and what cannot be."""

import os
import resource
from pathlib import Path

import pytest

from host.app.workspaces import Workspaces
from host.core.errors import HostDefect, Refusal
from host.launch import FilesPlan


@pytest.fixture
def source(tmp_path: Path) -> Path:
    source = tmp_path / "source"
    (source / "folder").mkdir(parents=True)
    (source / "folder" / "a.txt").write_text("a")
    return source


def copied(source: Path, record: Path) -> list[str]:
    """Paths in the copy, sorted."""
    Workspaces(record).open(FilesPlan(directory=source, copy=True), agent_id="root")
    copy = record / "workspace" / "root"
    return sorted(str(path.relative_to(copy)) for path in copy.rglob("*"))


def test_without_a_copy_the_directory_itself_is_worked_on(source: Path, tmp_path: Path) -> None:
    record = tmp_path / "record"
    record.mkdir()
    plan = FilesPlan(directory=source, write=True)

    Workspaces(record).open(plan, agent_id="root").write_text("b.txt", "b")

    assert (source / "b.txt").read_text() == "b"
    assert list(record.iterdir()) == []


def test_a_record_within_the_directory_is_kept_from_programs(source: Path) -> None:
    record = source / "folder" / "record"
    record.mkdir()
    (record / "events.ndjson").write_text("1")
    workspace = Workspaces(record).open(FilesPlan(directory=source, write=True), agent_id="root")

    with pytest.raises(Refusal) as caught:
        workspace.write_text("folder/record/events.ndjson", "2")

    assert (caught.value.code, caught.value.message) == (
        "refused",
        "Cannot write `folder/record/events.ndjson`: it is the record of the run.",
    )
    assert (record / "events.ndjson").read_text() == "1"


def test_a_copy_is_written_to_and_the_original_stays(source: Path, tmp_path: Path) -> None:
    record = tmp_path / "record"
    record.mkdir()
    plan = FilesPlan(directory=source, write=True, copy=True)

    Workspaces(record).open(plan, agent_id="root").write_text("folder/a.txt", "new")

    assert (source / "folder" / "a.txt").read_text() == "a"
    assert (record / "workspace" / "root" / "folder" / "a.txt").read_text() == "new"
    assert (record / "workspace").stat().st_mode & 0o777 == 0o700


def test_agents_that_name_one_directory_share_its_copy(source: Path, tmp_path: Path) -> None:
    record, other = tmp_path / "record", tmp_path / "other"
    record.mkdir()
    other.mkdir()
    workspaces = Workspaces(record)
    writer = workspaces.open(FilesPlan(directory=source, write=True, copy=True), agent_id="writer")
    reader = workspaces.open(FilesPlan(directory=source, copy=True), agent_id="reader")
    workspaces.open(FilesPlan(directory=other, copy=True), agent_id="reader-2")

    writer.write_text("b.txt", "b")

    assert reader.read_text("b.txt").contents == "b"
    with pytest.raises(Refusal):
        reader.write_text("b.txt", "c")
    assert sorted(path.name for path in (record / "workspace").iterdir()) == ["reader-2", "writer"]


def test_a_directory_is_one_however_it_is_spelt(source: Path, tmp_path: Path) -> None:
    record = tmp_path / "record"
    record.mkdir()
    (tmp_path / "link").symlink_to(source)
    workspaces = Workspaces(record)

    for number, spelt in enumerate((source, source / "folder" / "..", tmp_path / "link")):
        workspaces.open(FilesPlan(directory=spelt, copy=True), agent_id=f"a{number}")

    assert [path.name for path in (record / "workspace").iterdir()] == ["a0"]


def test_links_are_copied_as_links_and_special_files_stay_out(source: Path, tmp_path: Path) -> None:
    record = tmp_path / "record"
    record.mkdir()
    (source / "link").symlink_to("nowhere")
    os.mkfifo(source / "folder" / "pipe")

    assert copied(source, record) == ["folder", "folder/a.txt", "link"]
    assert (record / "workspace" / "root" / "link").readlink() == Path("nowhere")


def test_a_record_within_the_directory_is_not_copied_into_itself(source: Path) -> None:
    record = source / "folder" / "record"
    record.mkdir()
    earlier = source / ".gg" / "runs" / "1"
    earlier.mkdir(parents=True)
    (earlier / "events.ndjson").touch()

    assert copied(source, record) == ["folder", "folder/a.txt"]


def test_a_directory_that_is_gone_is_named(source: Path, tmp_path: Path) -> None:
    with pytest.raises(HostDefect) as caught:
        copied(source / "gone", tmp_path)

    assert str(caught.value) == (
        f"workspace: {source}/gone cannot be copied into the record: No such file or directory"
    )


def test_a_place_that_cannot_be_made_is_named(source: Path, tmp_path: Path) -> None:
    with pytest.raises(HostDefect) as caught:
        copied(source, tmp_path / "gone")

    assert str(caught.value) == (
        f"workspace: {source} cannot be copied into the record: No such file or directory"
    )


def test_a_file_that_cannot_be_copied_is_named(
    source: Path, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    (source / "large.bin").write_bytes(b"x" * 2000)
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    request.addfinalizer(lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard)))
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, hard))

    with pytest.raises(HostDefect) as caught:
        copied(source, tmp_path)

    assert str(caught.value) == (
        f"workspace: {source}/large.bin cannot be copied into the record: [Errno 27] File too large:"
        f" '{source}/large.bin' -> '{tmp_path}/workspace/root/large.bin'"
    )


def test_the_record_store_within_the_directory_is_kept_from_programs(source: Path, tmp_path: Path) -> None:
    record, store, keys = tmp_path / "record", source / "home" / "memory", source / "home" / "keys"
    for folder in (record, store):
        folder.mkdir(parents=True)
    (store / "ctx_ace.db").write_text("1")
    workspaces = Workspaces(record, store_folders=[store, keys])
    workspace = workspaces.open(FilesPlan(directory=source, write=True), agent_id="root")
    keys.mkdir()  # made while the agent is at work
    (keys / "records.key").write_text("1")

    said = []
    for path in ("home/memory/ctx_ace.db", "home/keys/records.key"):
        for act in (workspace.read_text, lambda path: workspace.write_text(path, "2")):
            with pytest.raises(Refusal) as caught:
                act(path)
            said.append(caught.value.message.partition(": ")[2])

    assert said == ["it belongs to the record store."] * 4
    assert workspace.search("1", limit=9) == ()
    assert (store / "ctx_ace.db").read_text() == (keys / "records.key").read_text() == "1"


def test_a_copy_has_no_record_store(source: Path, tmp_path: Path) -> None:
    record, store = tmp_path / "record", source / "home" / "memory"
    record.mkdir()
    store.mkdir(parents=True)
    (store / "ctx_ace.db").write_text("1")

    Workspaces(record, store_folders=[store]).open(FilesPlan(directory=source, copy=True), agent_id="root")

    copy = record / "workspace" / "root"
    assert sorted(str(path.relative_to(copy)) for path in copy.rglob("*")) == [
        "folder",
        "folder/a.txt",
        "home",
    ]
