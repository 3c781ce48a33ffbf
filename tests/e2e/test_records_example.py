"""The record store as a program uses it that knows it under the name `g6`."""

from pathlib import Path

import pytest


def test_the_documented_example_runs_as_it_stands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)

    from datetime import UTC, datetime

    from g6.memory.ctx_ace import Store

    store = Store("memory.db", clock=lambda: datetime(2026, 11, 1, tzinfo=UTC))
    store.put(
        text="Refunds for damaged parcels are issued within 14 days.",
        written_by="agent:run-1",
        source="ticket:4411",
    )
    for n in range(30):
        store.put(text=f"Note {n}: the team lunch moved to Friday.", written_by="agent:run-2")
    store.put(text="The office opens at 8am.", written_by="user", stale_after="2026-10-01T00:00:00Z")
    found = store.search("when is a damaged parcel refunded?")
    record, score = found.current[0]
    assert record.text.startswith("Refunds")
    assert record.trust == "untrusted"
    assert record.to_context_item().may_instruct is False
    assert [r.text for r, _ in store.search("when does the office open").stale] == [
        "The office opens at 8am."
    ]
    lesson, _ = store.put(
        text="Escalate refund disputes to a person.", written_by="model:planner", kind="lesson"
    )
    assert store.search("refund disputes").held_back == 1
    store.approve(lesson.id, reviewer="Sam Rivera", reason="agreed in the support review")
    assert store.recall(kind="lesson").current[0][0].status == "approved"

    assert isinstance(score, float)
    assert (tmp_path / "memory.db").is_file()
    store.close()
