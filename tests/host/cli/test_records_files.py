"""`gg records export`, `import`, `init`, `verify` and `promote`."""

import json
import sqlite3
import stat
from pathlib import Path
from typing import Any, Final

import pytest

from host.cli.commands.records.files import target_of
from host.cli.output import Output
from host.records import Store
from tests.host.app.runs.records import begun
from tests.host.cli.in_process import Ran, gg_here
from tests.host.events.stores import PlainStore

NOTE: Final = "The billing export runs at 02:00 UTC."


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The home of a store of the test's own."""
    monkeypatch.setenv("G6_HOME", str(tmp_path / "g6"))
    monkeypatch.chdir(tmp_path)
    return tmp_path / "g6"


def records(*arguments: str | Path, typed: str | bytes = "") -> Ran:
    return gg_here("records", *arguments, typed=typed)


def filled(path: str = "a.db") -> list[str]:
    """Keeps a note, another one that supersedes it, and an approved lesson; their ids."""
    with Store(path) as store:
        old, _ = store.put(text="At 01:00.", written_by="user", tags=["billing"])
        new, _ = store.put(text=f"{NOTE} \x9b\u202e", written_by="user", passage="it does")
        lesson, _ = store.put(text="Ask first.", written_by="model:planner", kind="lesson")
        store.supersede(old.id, new.id, "it moved")
        store.approve(lesson.id, reviewer="Sam Rivera", reason="it is so")
    return [old.id, new.id, lesson.id]


def whole(path: str) -> list[dict[str, Any]]:
    found = json.loads(records("recall", "--store", path, "--json").out)
    return [*found["records"], *found["superseded"]]


def test_what_is_exported_is_imported_as_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GG_SENSITIVE", "1")
    filled()
    exported = records("export", "a.jsonl", "--store", "a.db")
    imported = records("import", "a.jsonl", "--store", "b.db", "--keep-approvals")
    again = records("import", "a.jsonl", "--store", "b.db", "--keep-approvals")

    assert (exported.code, exported.out, exported.err) == (0, "3 records exported.\n", "")
    assert (imported.code, imported.out) == (0, "3 records kept.\n")
    assert again.out == "0 records kept, 3 there already.\n"
    assert whole("b.db") == whole("a.db")
    assert stat.S_IMODE(Path("a.jsonl").stat().st_mode) == 0o600


def test_without_a_word_for_them_approvals_are_not_taken_over() -> None:
    filled()
    records("export", "a.jsonl", "--store", "a.db")
    imported = records("import", "a.jsonl", "--store", "b.db")

    assert imported.out == "3 records kept; 1 lesson held back until an approval is recorded here.\n"


def test_approvals_are_not_taken_over_where_no_person_says_so() -> None:
    filled()
    records("export", "a.jsonl", "--store", "a.db")
    imported = records("import", "a.jsonl", "--store", "b.db", "--keep-approvals")

    assert (imported.code, imported.out) == (1, "")
    assert imported.err.startswith("gg: G6_E_SENSITIVE: import --keep-approvals takes a person's word")
    assert not Path("b.db").exists()


def test_lines_go_to_stdout_and_come_from_stdin() -> None:
    ids = filled()
    exported = records("export", "-", "--store", "a.db", "--id", ids[1][:8])
    imported = records("import", "-", "--store", "b.db", typed=exported.out)

    assert [json.loads(row)["id"] for row in exported.out.splitlines()] == [ids[1]]
    assert exported.err == "records 1 record exported.\n"
    assert (imported.code, imported.out) == (0, "1 record kept.\n")


FILTERS = [(("--tag", "billing"), 1), (("--kind", "lesson"), 1), (("--kind", "note"), 2), ((), 3)]


@pytest.mark.parametrize(("options", "count"), FILTERS)
def test_only_some_are_exported(options: tuple[str, ...], count: int) -> None:
    filled()

    assert records("export", "-", *options, "--store", "a.db").out.count("\n") == count


def test_an_export_takes_no_files_place() -> None:
    filled()
    Path("a.jsonl").write_text("mine")
    Path("link.jsonl").symlink_to("nowhere")
    there = records("export", "a.jsonl", "--store", "a.db")
    linked = records("export", "link.jsonl", "--store", "a.db")

    assert (there.code, linked.code) == (2, 2)
    assert there.err.startswith("gg records export: `a.jsonl` is there; name a file that is not.")
    assert Path("a.jsonl").read_text() == "mine"
    assert not Path("nowhere").exists()


def test_a_folder_that_cannot_be_written_to_is_told() -> None:
    filled()
    ran = records("export", "none/a.jsonl", "--store", "a.db")

    assert (ran.code, ran.err) == (1, "gg: `none/a.jsonl` cannot be written: no such file or directory\n")


def test_an_export_that_is_cut_off_leaves_nothing(tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()

    def cut_off() -> None:
        with target_of(tmp_path / "out/a.jsonl", Output()) as (write, _):
            write("{}\n")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        cut_off()
    assert list((tmp_path / "out").iterdir()) == []


BAD_LINES: Final = b"""\
{"text": "one", "written_by": "user"}

{"text": "", "written_by": "user"}
no json
{"text": "two", "written_by": "user"}
{"text": "\xff", "written_by": "user"}
[]
"""


def test_lines_that_cannot_be_taken_are_told_by_their_numbers() -> None:
    ran = records("import", "-", typed=BAD_LINES)

    assert (ran.code, ran.out) == (1, "")
    assert [row.partition(": ")[0] for row in ran.err.splitlines()] == [
        "line 3  G6_E_MEMORY_NO_TEXT",
        "line 4  G6_E_MEMORY_INPUT",
        "line 6  G6_E_MEMORY_INPUT",
        "line 7  G6_E_MEMORY_INPUT",
        "gg",
    ]
    assert ran.err.splitlines()[-1] == (
        "gg: G6_E_MEMORY_INPUT: 2 records kept; not taken: lines 3, 4, 6 and 7."
    )


def test_an_import_answers_in_json_too() -> None:
    value = json.loads(records("import", "-", "--json", typed=BAD_LINES).out)

    assert (value["completion_state"], value["kept"], value["bad"]) == ("blocked-escalated", 2, 4)


def test_a_key_is_made_once(home: Path) -> None:
    records("put", NOTE, "--written-by", "user")
    first, again = records("init"), records("init")
    key = home / "keys/records.key"

    assert (first.code, first.out) == (0, f"{key}\n")
    assert first.err == (
        "records the key is made; mode 0600, for this user alone\n"
        f"records runs of gg and gg records use it for {home}/memory/ctx_ace.db\n"
    )
    assert again.out == first.out
    assert again.err.startswith("records the key is there, and is left as it is; mode 0600")
    assert json.loads(records("init", "--json").out) == {
        "key": str(key),
        "made": False,
        "store": f"{home}/memory/ctx_ace.db",
    }
    assert json.loads(records("status", "--json").out)["integrity"] == "keyed"


def test_a_store_that_is_whole_is_said_to_be() -> None:
    records("init")
    records("put", NOTE, "--written-by", "user")
    ran = records("verify")

    assert (ran.code, ran.out.splitlines()[0]) == (0, "looked at    1 record, 2 entries of the ledger")
    assert ran.out.splitlines()[-1] == "whole        nothing was changed outside gg"
    assert json.loads(records("verify", "--json").out)["code"] == "G6_E_MEMORY_VERIFIED"


def tampered(home: Path) -> str:
    """The id of a record of which another text stands in the file."""
    records("init")
    record_id = records("put", NOTE, "--written-by", "user").out.strip()
    connection = sqlite3.connect(home / "memory/ctx_ace.db")
    with connection:
        connection.execute("UPDATE records SET text = 'At 05:00.'")
    connection.close()
    return record_id


def test_what_was_changed_is_found_and_accepted_with_a_reason(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GG_SENSITIVE", "1")
    tampered(home)
    found, read = records("verify"), records("search", "05:00")
    accepted = records("verify", "--accept", "it was me")

    assert found.code == 1
    assert next(row for row in found.out.splitlines() if row.startswith("wrong")) == (
        "wrong        the row at place 1 was changed, or put there, outside gg; it is not served"
    )
    assert found.err.startswith("gg: G6_E_MEMORY_STORE: the store is not whole: ")
    assert read.out == (
        "unreadable   1 row changed or lost outside gg, and not served; gg records verify says which\n"
    )
    assert (accepted.code, accepted.out.startswith("The store is accepted as it is")) == (0, True)
    assert json.loads(records("verify", "--json").out)["acceptances"][0]["reason"] == "it was me"


def test_a_record_that_was_changed_can_be_forgotten(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GG_SENSITIVE", "1")
    record_id = tampered(home)

    assert records("forget", record_id[:8], "--reason", "changed").code == 0
    assert json.loads(records("status", "--json").out)["unreadable"] == 0


@pytest.fixture
def run(tmp_path: Path) -> Path:
    """The record of a run of which an agent held three memories in the end, one of them too long."""
    store = PlainStore("one", turn=3)
    events = [
        *store.write("csv-tools", "Exports have no header.", "CSV", code="export {}"),
        *store.write("csv-notes", "x" * 4_001),
        *store.write("billing", "use hunter22-hunter22"),
        *store.write("gone", "x"),
        *store.delete("gone"),
    ]
    begun(tmp_path / ".gg/runs/20261201-aa", *events).close()
    return tmp_path


def test_memories_of_a_run_become_records(run: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("API_KEY", "hunter22-hunter22")
    ran = records("promote", "last", "--kind", "lesson", "--tag", "exports")
    again = records("promote", "20261201", "--kind", "lesson", "--tag", "exports", "--slug", "csv-t*")
    waiting = json.loads(records("recall", "--proposed", "--json").out)["records"]
    by_text = {each["text"]: each for each in waiting}

    assert ran.code == 1
    assert by_text.keys() == {"CSV\n\nExports have no header.", "use [masked:API_KEY]"}
    record = by_text["CSV\n\nExports have no header."]
    assert (record["written_by"], record["source"]) == ("agent:20261201-aa/root", "run:20261201-aa#3")
    assert (record["kind"], record["tags"]) == ("lesson", ["exports"])
    assert ran.out == (
        "memory     agent  became   record\n"
        f"billing    root   kept     {by_text['use [masked:API_KEY]']['id'][:12]}\n"
        "csv-notes  root   refused  G6_E_MEMORY_INPUT\n"
        f"csv-tools  root   kept     {record['id'][:12]}\n"
    )
    assert ran.err == (
        "csv-notes  text has 4,001 characters; at most 4,000 are kept\nrecords 2 kept and 1 refused\n"
    )
    assert (again.code, again.err) == (0, "records 0 kept and 1 there already\n")


def test_promotion_answers_in_json(run: Path) -> None:
    ran = records("promote", "last", "--slug", "csv-*", "--json")
    value = json.loads(ran.out)

    assert (ran.code, value["record"]) == (1, ".gg/runs/20261201-aa")
    assert [(each["memory"], each["agent"], each["outcome"]) for each in value["promoted"]] == [
        ("csv-notes", "root", "refused"),
        ("csv-tools", "root", "kept"),
    ]
    assert value["promoted"][0]["code"] == "G6_E_MEMORY_INPUT"
    assert value["promoted"][1]["record"]["text"] == "CSV\n\nExports have no header."


NOT_THERE = [
    (("none",), "there is no record `none`; gg runs lists the records under .gg/runs"),
    (("last", "--slug", "csv-tool"), "no memory is called `csv-tool`; did you mean `csv-tools`?"),
    (
        ("last", "--slug", "zzz"),
        "no memory is called `zzz`; the stores held `billing`, `csv-notes` and `csv-tools`",
    ),
]


@pytest.mark.parametrize(("arguments", "told"), NOT_THERE)
def test_what_is_not_there_is_wrong_use(run: Path, arguments: tuple[str, ...], told: str) -> None:
    ran = records("promote", *arguments)

    assert (ran.code, ran.out) == (2, "")
    assert told in ran.err
