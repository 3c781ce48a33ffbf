"""What search is timed beside finds what search finds."""

from pathlib import Path
from typing import Final

from host.app.bench.records import peers
from tests.helpers.records import kept, opened

TEXTS: Final = ("The parcel is damaged.", "A parcel was late.", "The gate is open.")


def test_a_scan_scores_as_the_store_does(tmp_path: Path) -> None:
    with opened(tmp_path) as store:
        for text in TEXTS:
            kept(store, text)
        hits = store.search("damaged parcel").current

        found = peers.scan(store.path, "damaged parcel", 2)

    assert found == [(hit.score, hit.record.id) for hit in hits]


def test_full_text_of_the_same_words(tmp_path: Path) -> None:
    with peers.full_text(tmp_path / "words.db", TEXTS) as words:
        assert [row for row, _ in words.best("damaged parcel", 5)] == [1, 2]
        assert [row for row, _ in words.best("damaged parcel", 1)] == [1]
        assert words.count("damaged parcel") == 2
        assert words.count("elephant") == 0
