"""Export and import: what goes out comes back the same, and what comes in is a claim."""

import io
import json
from collections.abc import Iterable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from host.records import Store, read_lines
from tests.helpers.records import ABSENT_ID, MovableClock, edit, kept, opened, refused

SUPERSEDED_AT: Final = "2026-10-01T00:00:00Z"


def exported(store: Store, **filters: object) -> list[str]:
    lines: list[str] = []
    store.export(lines.append, target="-", **filters)  # type: ignore[arg-type]
    return lines


def line(text: str = "a", written_by: str = "b", **more: object) -> str:
    return json.dumps({"text": text, "written_by": written_by, **more})


def imported(store: Store, lines: Iterable[str | bytes], **how: object) -> dict[str, object]:
    return store.import_lines(lines, **how).to_json()  # type: ignore[arg-type]


def fill(store: Store, clock: MovableClock) -> None:
    """Records of every kind and state."""
    old = kept(store, "Opens at 8.", tags=["office", "é"], stale_after="2026-12-01T00:00:00+09:00")
    clock.pass_by(seconds=1, microseconds=7)
    new = kept(store, "Opens at 9.\u2028\r\n\0", written_by="user", source="ticket:1")
    clock.pass_by(days=1)
    passage = {"text": "🚀 " * 1_000, "provenance": {"url": "https://a.example", "頁": "3"}}
    approved = kept(store, "Ask first.", kind="lesson", passage=passage)
    kept(store, "Never ask.", kind="lesson", written_by="web")
    clock.pass_by(days=1)
    store.approve(approved.id, reviewer="Zoë R.", reason="agreed")
    store.supersede(old.id, new.id, "moved")
    store.supersede(approved.id, old.id, "odd")


def test_what_goes_out_comes_back_the_same(tmp_path: Path) -> None:
    clock = MovableClock()
    with opened(tmp_path / "a", clock=clock) as one, opened(tmp_path / "b", clock=clock) as two:
        fill(one, clock)
        lines = exported(one)
        clock.pass_by(days=30)
        answer = imported(two, read_lines(io.BytesIO("".join(lines).encode())), keeps_approvals=True)
        assert answer == {
            "completion_state": "qualified-draft",
            "code": "G6_E_MEMORY_IMPORTED",
            "message": "4 records kept.",
            "evidence": [],
            "warning_card": {"checks_run": [], "not_checked": [], "warnings": []},
            "kept": 4,
            "existed": 0,
            "unapproved": 0,
            "bad": 0,
            "bad_lines": [],
        }
        assert exported(two) == lines
        assert two.recall().current == one.recall().current
        assert two.recall().superseded == one.recall().superseded
        again = imported(two, lines, keeps_approvals=True)
        assert (again["kept"], again["existed"], again["message"]) == (
            0,
            4,
            "0 records kept, 4 there already.",
        )
        assert two.status().evidence == ()


def test_an_approval_is_not_taken_over_unless_it_is_vouched_for(tmp_path: Path) -> None:
    clock = MovableClock()
    with opened(tmp_path / "a", clock=clock) as one, opened(tmp_path / "b", clock=clock) as two:
        fill(one, clock)
        answer = imported(two, exported(one))
        assert (answer["kept"], answer["unapproved"]) == (4, 1)
        assert answer["message"] == "4 records kept; 1 lesson held back until an approval is recorded here."
        assert two.status().fields["by_status"] == {"note": 2, "proposed": 2, "approved": 0}
        again = imported(two, exported(one), keeps_approvals=True)
        assert (again["existed"], two.status().fields["by_status"]["approved"]) == (4, 0)  # type: ignore[index]


@pytest.mark.parametrize("reviewer", ["", "agent:7", "Claude", "B", "planner"])
def test_an_approval_that_could_not_be_recorded_is_not_imported(tmp_path: Path, reviewer: str) -> None:
    approval = {"reviewer": reviewer, "at": SUPERSEDED_AT, "reason": "ok"}
    lesson = line(kind="lesson", status="approved", approval=approval)
    with opened(tmp_path) as store:
        kept(store, "x", written_by="model:planner")
        answer = imported(store, [lesson], keeps_approvals=True)
        assert (answer["code"], answer["bad_lines"][0]["code"]) == (
            "G6_E_MEMORY_INPUT",
            "G6_E_MEMORY_REVIEWER",
        )  # type: ignore[index]
        assert imported(store, [lesson])["unapproved"] == 1


def test_bad_lines_are_told_by_number_and_the_others_are_kept(tmp_path: Path) -> None:
    lines = [
        b"\xef\xbb\xbf" + line("one").encode() + b"\r\n",
        b"\n",
        b"{\n",
        line("two").encode(),
        line("two").encode(),
        b'{"text": "\xff"}',
        line("x" * 4_001).encode(),
        line("three", weight=1).encode(),
        line("four").encode()[:-3],
    ]
    with opened(tmp_path) as store:
        answer = imported(store, lines)
        assert answer["completion_state"] == "blocked-escalated"
        assert answer["code"] == "G6_E_MEMORY_INPUT"
        assert answer["message"] == "2 records kept, 1 there already; not taken: lines 3, 6, 7, 8 and 9."
        assert [each["line"] for each in answer["bad_lines"]] == [3, 6, 7, 8, 9]  # type: ignore[attr-defined]
        assert (answer["kept"], answer["existed"], answer["bad"]) == (2, 1, 5)
        assert [hit.record.text for hit in store.recall().current] == ["two", "one"]
        assert imported(store, [line("\t")])["message"] == "0 records kept; not taken: line 1."


def test_of_many_bad_lines_a_hundred_are_told(tmp_path: Path) -> None:
    with opened(tmp_path) as store:
        answer = imported(store, ["{"] * 250)
        assert (answer["bad"], len(answer["bad_lines"])) == (250, 100)  # type: ignore[arg-type]
        assert (
            answer["message"]
            == "0 records kept; not taken: lines 1, 2, 3, 4, 5, 6, 7, 8, 9 and 10 and 240 more."
        )


def test_a_file_of_another_encoding_says_so_once_it_begins(tmp_path: Path) -> None:
    with opened(tmp_path) as store:
        answer = imported(store, read_lines(io.BytesIO(f"{line()}\n{line('c')}\n".encode("utf-16"))))
        assert answer["kept"] == 0
        assert answer["bad_lines"][0]["message"] == "the file is in UTF-16; write it in UTF-8"  # type: ignore[index]


def test_a_full_store_ends_the_import_at_its_line(tmp_path: Path) -> None:
    told: list[int] = []
    with opened(tmp_path, max_records=3) as store:
        kept(store, "there")
        lines = [
            line("one"),
            "{",
            line("there", "agent:run-1"),
            line("two"),
            line("three"),
            line("one"),
            line("four"),
        ]
        answer = imported(store, lines, progress=told.append)
        assert answer["code"] == "G6_E_MEMORY_FULL"
        assert answer["completion_state"] == "blocked-escalated"
        assert answer["message"] == (
            "2 records kept, 1 there already; stopped at line 5: the store holds 3 records, limit 3;"
            " forget some first."
        )
        assert [each["line"] for each in answer["bad_lines"]] == [2, 5]  # type: ignore[attr-defined]
        assert told == [5]
        assert store.status().fields["kept"] == 3


def test_dates_are_those_of_the_lines_and_the_order_is_theirs(tmp_path: Path) -> None:
    with opened(tmp_path) as store:
        imported(
            store,
            [
                line("new", created_at="2026-10-01T09:00:00+09:00", stale_after="2026-10-02T00:00:00Z"),
                line("old", created_at="1999-01-01T00:00:00Z"),
                line("now"),
            ],
        )
        found = store.recall()
        assert [(hit.record.text, hit.record.to_json()["created_at"]) for hit in found.current] == [
            ("now", "2026-11-01T12:00:00.000000Z"),
            ("old", "1999-01-01T00:00:00.000000Z"),
        ]
        assert found.stale[0].record.to_json()["created_at"] == "2026-10-01T00:00:00.000000Z"


def test_a_line_may_say_what_superseded_its_own_record_alone(tmp_path: Path) -> None:
    with opened(tmp_path) as store:
        there = kept(store, "there", written_by="b")
        one = json.loads(exported_of("one"))["id"]
        two = json.loads(exported_of("two"))["id"]

        def superseded(by: str) -> dict[str, str]:
            return {"by": by, "at": SUPERSEDED_AT, "reason": "newer"}

        answer = imported(
            store,
            [
                line("there", superseded=superseded(two)),
                line("one", superseded=superseded(two)),
                line("two", superseded=superseded(one)),
                line("three", superseded=superseded(ABSENT_ID)),
                line("four", superseded=superseded(there.id)),
            ],
        )
        assert (answer["kept"], answer["existed"]) == (3, 1)
        assert [each["line"] for each in answer["bad_lines"]] == [3]  # type: ignore[attr-defined]
        found = store.recall()
        assert [hit.record.text for hit in found.current] == ["there"]
        assert [hit.record.text for hit in found.superseded] == ["four", "three", "one"]


def exported_of(text: str) -> str:
    with TemporaryDirectory() as folder, opened(Path(folder)) as store:
        kept(store, text, written_by="b")
        return exported(store)[0]


def test_rows_that_cannot_be_read_are_passed_over_by_an_export_and_told_by_an_import(tmp_path: Path) -> None:
    with opened(tmp_path / "a") as store, opened(tmp_path / "b") as other:
        record, rest = kept(store, "one"), kept(store, "two")
        lines = exported(store)
        edit(store, "UPDATE records SET text = 'else' WHERE id = ?", record.id)
        left: list[str] = []
        answer = store.export(left.append, target="x.jsonl").to_json()
        assert answer["message"] == "1 record exported; 1 cannot be read and were passed over."
        assert (answer["exported"], answer["unreadable"]) == (1, 1)
        assert left == lines[1:]
        told = imported(store, lines)
        assert (told["existed"], told["bad_lines"][0]["code"]) == (1, "G6_E_MEMORY_STORE")  # type: ignore[index]
        receipt = store.forget(record_ids=record.id, reason="edited").fields["receipt"]
        assert [each["number"] for each in receipt["exports"]] == [1]  # type: ignore[index]
        receipt = store.forget(record_ids=rest.id, reason="tidy").fields["receipt"]
        assert [each["number"] for each in receipt["exports"]] == [1, 2]  # type: ignore[index]
        assert imported(other, lines)["kept"] == 2


def test_an_export_takes_a_filter_and_says_how_far_it_is(tmp_path: Path) -> None:
    told: list[tuple[int, int]] = []
    with opened(tmp_path, max_records=20_000) as store:
        imported(store, (line(f"note {n}", tags=["a"] if n % 2 else []) for n in range(11_000)))
        kept(store, "a lesson", kind="lesson", tags=["a"])
        assert [json.loads(each)["text"] for each in exported(store, kind="lesson")] == ["a lesson"]
        assert len(exported(store, tags=["a"], kind="note")) == 5_500
        assert exported(store, record_ids=[ABSENT_ID]) == []
        lines: list[str] = []
        answer = store.export(lines.append, target="all.jsonl", progress=lambda *both: told.append(both))
        assert answer.fields["exported"] == len(lines) == 11_001
        assert told == [*((500 * n, 11_001) for n in range(1, 23)), (11_001, 11_001)]
        assert answer.fields["number"] == 4


def test_a_writer_of_lines_may_use_the_store(tmp_path: Path) -> None:
    with opened(tmp_path) as store:
        for n in range(3):
            kept(store, f"note {n}")
        counts: list[object] = []
        store.export(lambda _: counts.append(store.status().fields["kept"]), target="-")
        assert counts == [3, 3, 3]


def test_an_export_that_broke_off_is_named_on_receipts_all_the_same(tmp_path: Path) -> None:
    def write(_: str) -> None:
        raise BrokenPipeError

    with opened(tmp_path) as store:
        record = kept(store, "one")
        with pytest.raises(BrokenPipeError):
            store.export(write, target="pipe")
        receipt = store.forget(record_ids=record.id, reason="tidy").fields["receipt"]
        assert [each["target"] for each in receipt["exports"]] == ["pipe"]  # type: ignore[index]


def test_an_import_whose_source_fails_keeps_what_was_whole(tmp_path: Path) -> None:
    def lines() -> Iterable[str]:
        for n in range(5_001):
            yield line(f"note {n}")
        raise OSError("gone")

    with opened(tmp_path) as store:
        with pytest.raises(OSError, match="gone"):
            store.import_lines(lines())
        assert store.status().fields["kept"] == 5_000
        assert imported(store, [line(f"note {n}") for n in range(5_002)])["kept"] == 2


def test_long_lines_are_kept_few_at_a_time(tmp_path: Path) -> None:
    told: list[int] = []
    with opened(tmp_path) as store:
        lines = [line(f"note {n}") + " " * 3 * 2**20 for n in range(14)]
        assert imported(store, lines, progress=told.append)["kept"] == 14
    assert told == [6, 12, 14]


@pytest.mark.parametrize("text", ['{"text": "a", "written_by": "b"}', b"{}"])
def test_a_text_is_no_lines(tmp_path: Path, text: str | bytes) -> None:
    with opened(tmp_path) as store, refused("G6_E_MEMORY_INPUT"):
        store.import_lines(text)  # type: ignore[arg-type]


texts = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=40).filter(str.strip)
lines_of_records = st.builds(
    lambda text, written_by, kind, tags, source, provenance: {
        "text": text,
        "written_by": written_by,
        "kind": kind,
        "tags": tags,
        "source": source,
        "passage": {"text": text, "provenance": provenance} if provenance else None,
    },
    texts,
    texts,
    st.sampled_from(["note", "lesson"]),
    st.lists(texts, max_size=3),
    st.none() | texts,
    st.dictionaries(texts, texts, max_size=2),
)


@settings(max_examples=15)
@given(st.lists(lines_of_records, max_size=8), st.booleans())
def test_any_records_come_back_the_same(
    tmp_path_factory: pytest.TempPathFactory, records: list[dict[str, object]], is_ascii: bool
) -> None:
    folder = tmp_path_factory.mktemp("stores")
    with opened(folder / "a") as one, opened(folder / "b") as two:
        answer = imported(one, [json.dumps(each, ensure_ascii=is_ascii) for each in records])
        assert answer["bad"] == 0
        lines = exported(one)
        assert imported(two, read_lines(io.BytesIO("".join(lines).encode())))["kept"] == len(lines)
        assert exported(two) == lines
        assert two.recall(limit=100).current == one.recall(limit=100).current


junk = st.one_of(
    st.binary(max_size=60),
    st.text(max_size=60),
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    ).map(json.dumps),
    st.dictionaries(
        st.sampled_from(
            ["text", "written_by", "kind", "tags", "status", "approval", "superseded", "id", "passage"]
        ),
        st.none()
        | st.text(max_size=5)
        | st.integers()
        | st.lists(st.text(max_size=3))
        | st.just({"text": "a"}),
    ).map(json.dumps),
)


@settings(max_examples=60)
@given(st.lists(junk, max_size=20))
def test_no_lines_stop_an_import(tmp_path_factory: pytest.TempPathFactory, lines: list[str | bytes]) -> None:
    with opened(tmp_path_factory.mktemp("store")) as store:
        answer = imported(store, [*lines, line("last")], keeps_approvals=True)
        blank = sum(not each.strip() for each in lines)
        assert answer["kept"] + answer["existed"] + answer["bad"] + blank == len(lines) + 1  # type: ignore[operator]
        assert store.recall(limit=1).current[0].record.text == "last"
        assert store.status().evidence == ()
        json.dumps(answer, allow_nan=False).encode()
