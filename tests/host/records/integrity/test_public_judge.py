"""What `agent-memory-integrity` says of the store: its edits of the file, looked for where an agent reads."""

from typing import Final

import pytest

from tests.helpers.record_judge import RecordStoreAdapter, judged, judged_in_search

EDITS: Final = (
    "tamper",
    "truncate",
    "delete_middle",
    "reorder",
    "forge",
    "cross_replay",
    "rollback_replay",
    "metadata_tamper",
    "snapshot_rollback",
)


def test_with_a_key_each_of_the_nine_edits_is_rejected_on_the_read_path() -> None:
    verdicts = judged(is_keyed=True)

    assert RecordStoreAdapter.detection_point == "read"
    assert {name: verdict for name, (verdict, _) in verdicts.items()} == dict.fromkeys(EDITS, "rejected")


def test_by_hash_alone_an_older_copy_of_the_whole_file_is_taken() -> None:
    verdicts = {name: verdict for name, (verdict, _) in judged(is_keyed=False).items()}

    assert verdicts == {**dict.fromkeys(EDITS, "rejected"), "snapshot_rollback": "accepted"}


@pytest.mark.slow
def test_what_who_may_write_records_plants_is_served_as_a_claim_and_not_kept_out() -> None:
    verdicts = {name: verdict for name, (verdict, _) in judged_in_search().items()}

    assert verdicts == {
        "memory_injection": "surfaced",
        "cross_session_bleed": "kept out",
        "retrieval_hijack": "surfaced",
        "indirect_prompt_injection": "surfaced",
        "update_poisoning": "surfaced",
        "metadata_poisoning": "n/a",
    }
