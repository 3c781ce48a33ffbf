"""Search and recall answer as a scan of every row does: the same lists, the same scores to the last bit, the
same counts.
"""

import json
from contextlib import ExitStack, suppress
from datetime import timedelta
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any, Final, Literal, NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from host.core.moments import moment_text
from host.records import Refused, Store
from tests.helpers.record_scan import (
    answer_of,
    index_of,
    indexed,
    scanned_recall,
    scanned_search,
    texts_of,
)
from tests.helpers.records import NOON, edit, opened

WORDS: Final = (
    *("refund", "refunds", "parcel", "damaged", "export", "naïve", "don't", "src/app.py", "C++", "v1.2"),
    *("東京", "京都", "🚀", "👩‍🔧", "€", "the", "of", "in"),
)
TAGS: Final = ("billing", "ops")
WRITERS: Final = ("agent:1", "agent:2", "user")

# What makes a small store go the ways of a large one: `None` leaves a threshold as it is.
Thresholds = dict[str, int]
AS_THEY_ARE: Final[Thresholds] = {}
LOOKED_UP: Final[Thresholds] = {
    "host.records.states._LISTED_SHARE": 0,
    "host.records.states._LISTED_LEAST": 1,
    "host.records.states._MANY": 1,
    "host.records.ranking._LOOKED_UP_SHARE": 0,
    "host.records.ranking._WALKED_LEAST": 0,
    "host.records.index._SCANNED_PLACES": 1,
}
READ_IN_A_ROW: Final[Thresholds] = {"host.records.ranking._LOOKED_UP_SHARE": 1_000_000}


class Act(NamedTuple):
    """One thing done to a store; `at` and `other` say which of its records, counted round and round."""

    op: Literal["put", "approve", "supersede", "forget", "tamper"]
    at: int
    other: int
    text: str
    writer: str
    is_lesson: bool
    tags: tuple[str, ...]
    stale_in_s: int | None


texts = st.lists(st.sampled_from(WORDS), min_size=1, max_size=8).map(" ".join)
tags = st.lists(st.sampled_from(TAGS), unique=True).map(tuple)
acts = st.builds(
    Act,
    op=st.sampled_from(["put"] * 7 + ["approve", "supersede", "supersede", "forget", "tamper"]),
    at=st.integers(0, 30),
    other=st.integers(0, 30),
    text=texts,
    writer=st.sampled_from(WRITERS),
    is_lesson=st.booleans(),
    tags=tags,
    stale_in_s=st.sampled_from([None, None, -1, 0, 1]),
)
kinds = st.sampled_from([None, None, "note", "lesson"])
limits = st.sampled_from([1, 2, 3, 5, 100])


class Scanned:
    """A store that acts are done to, and what a scan must know of it beside its rows."""

    def __init__(self, store: Store) -> None:
        self.store: Final = store
        self.ids: Final[list[str]] = []
        self.unreadable: Final[set[str]] = set()

    def do(self, act: Act) -> None:
        """What the store refuses is left undone, as a scan will find it."""
        if act.op == "put":
            stale_after = None if act.stale_in_s is None else NOON + timedelta(seconds=act.stale_in_s)
            with suppress(Refused):
                record, envelope = self.store.put(
                    text=act.text,
                    written_by=act.writer,
                    kind="lesson" if act.is_lesson else "note",
                    tags=act.tags,
                    stale_after=stale_after,
                )
                if not envelope.fields["existed"]:
                    self.ids.append(record.id)
            return
        if not self.ids:
            return
        id_, other = self.ids[act.at % len(self.ids)], self.ids[act.other % len(self.ids)]
        if act.op == "tamper":
            edit(self.store, "UPDATE records SET source = 'elsewhere' WHERE id = ?", id_)
            self.unreadable.add(id_)
            return
        with suppress(Refused):
            if act.op == "approve":
                self.store.approve(id_, reviewer="Sam Rivera", reason="agreed")
            elif act.op == "supersede":
                self.store.supersede(id_, other, "newer")
            else:
                self.store.forget(record_ids=[id_], reason="asked for")
                self.ids.remove(id_)
                self.unreadable.discard(id_)

    def compare_search(self, query: str, *, top_k: int, tags: tuple[str, ...], kind: str | None) -> None:
        scanned = scanned_search(
            self.store, query, now=NOON, top_k=top_k, tags=tags, kind=kind, unreadable=self.unreadable
        )
        assert answer_of(self.store.search(query, top_k=top_k, tags=tags, kind=kind)) == scanned

    def compare_recall(self, *, limit: int, tags: tuple[str, ...], kind: str | None, proposed: bool) -> None:
        for record_ids in ((), tuple(self.ids[::2])):
            scanned = scanned_recall(
                self.store,
                now=NOON,
                limit=limit,
                record_ids=record_ids,
                tags=tags,
                kind=kind,
                proposed=proposed,
                unreadable=self.unreadable,
            )
            found = self.store.recall(
                limit=limit, record_ids=record_ids, tags=tags, kind=kind, proposed=proposed
            )
            assert answer_of(found) == scanned


ASKED = st.fixed_dictionaries(
    {"query": texts, "tags": tags, "kind": kinds, "limit": limits, "proposed": st.booleans()}
)


@pytest.mark.parametrize("thresholds", [AS_THEY_ARE, LOOKED_UP, READ_IN_A_ROW])
@given(acts=st.lists(acts, max_size=30), asked=ASKED)
@settings(max_examples=15)
def test_any_small_store(thresholds: Thresholds, acts: list[Act], asked: dict[str, Any]) -> None:
    _compare(thresholds, acts, **asked)


@pytest.mark.slow
@pytest.mark.parametrize("thresholds", [AS_THEY_ARE, LOOKED_UP, READ_IN_A_ROW])
@given(acts=st.lists(acts, min_size=10, max_size=60), asked=ASKED)
@settings(max_examples=200)
def test_many_small_stores(thresholds: Thresholds, acts: list[Act], asked: dict[str, Any]) -> None:
    _compare(thresholds, acts, **asked)


def _compare(
    thresholds: Thresholds,
    acts: list[Act],
    query: str,
    tags: tuple[str, ...],
    kind: str | None,
    limit: int,
    proposed: bool,
) -> None:
    with ExitStack() as stack:
        patch = stack.enter_context(pytest.MonkeyPatch.context())
        for name, value in thresholds.items():
            patch.setattr(name, value)
        folder = Path(stack.enter_context(TemporaryDirectory()))
        scanned = Scanned(stack.enter_context(opened(folder)))
        for act in acts:
            scanned.do(act)
        for words in (query, "the refund of the parcel", "the of"):
            scanned.compare_search(words, top_k=limit, tags=tags, kind=kind)
            scanned.compare_search(words, top_k=limit, tags=(), kind=None)
        scanned.compare_recall(limit=limit, tags=tags, kind=kind, proposed=proposed)
        scanned.compare_recall(limit=limit, tags=(), kind=None, proposed=proposed)
        assert indexed(scanned.store) == index_of(texts_of(scanned.store))


@pytest.mark.slow
@pytest.mark.parametrize("thresholds", [AS_THEY_ARE, LOOKED_UP])
def test_a_store_of_thousands(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, thresholds: Thresholds
) -> None:
    """Frequent and rare words, so that most rows are left out of the ranking, and many equal scores."""
    for name, value in thresholds.items():
        monkeypatch.setattr(name, value)
    random = Random(7)
    words = [f"word{number}" for number in range(400)]
    shares = [1 / (number + 2) for number in range(400)]
    ways: tuple[dict[str, object], ...] = ({}, {"tags": ("ops",)}, {"kind": "note"}, {"kind": "lesson"})
    with opened(tmp_path) as store:
        scanned = Scanned(store)
        lines = []
        for number in range(4_000):
            text = " ".join(random.choices(words, shares, k=random.randint(3, 40)))
            lines.append(_line(text, number))
        store.import_lines(lines)
        scanned.ids += [hit.record.id for hit in store.recall(limit=100).current]
        for number in range(0, 60, 2):
            scanned.do(_act("supersede", at=number, other=number + 1))
            scanned.do(_act("approve", at=number))
        for _ in range(12):
            query = " ".join(random.choices(words, shares, k=random.randint(1, 5)))
            for way in ways:
                for top_k in (1, 5, 100):
                    values = {"tags": (), "kind": None, **way}
                    scanned.compare_search(query, top_k=top_k, **values)  # type: ignore[arg-type]


def _act(op: Literal["approve", "supersede"], *, at: int, other: int = 0) -> Act:
    return Act(op=op, at=at, other=other, text="", writer="", is_lesson=False, tags=(), stale_in_s=None)


def _line(text: str, number: int) -> str:
    said: dict[str, object] = {"text": text, "written_by": f"agent:{number}"}
    if number % 9 == 0:
        said["kind"] = "lesson"
    if number % 7 == 0:
        said["stale_after"] = moment_text(NOON + timedelta(seconds=number % 3))
    if number % 5 == 0:
        said["tags"] = ["ops", "billing"]
    return json.dumps(said)
