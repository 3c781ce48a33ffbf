"""WordLlama as an embedder: what it holds to be alike, always the same, from its files alone."""

import importlib.util
import logging
import subprocess
import sys
import threading
from pathlib import Path
from textwrap import dedent
from typing import Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from host.app import record_embedder
from host.app.embedding import WordLlamaEmbedder
from host.records import Refused
from tests.helpers.records import kept, opened

pytest.importorskip("wordllama", reason="the extra embeddings is not installed")

REFUNDS: Final = "Refunds for damaged parcels are issued within 14 days."
QUESTION: Final = "money back for a broken package"
UNKNOWN: Final = ("", "\u706b\u5c71", "\U0001f984", "0xDEADBEEF 42 7", "a b c", "벚꽃 12:30")


def cosine(one: str, other: str) -> float:
    embedder = record_embedder()
    first, second = embedder.embed([one, other])
    return embedder.similarities(first, second)[0]


def test_the_same_in_other_words_is_near_and_another_thing_is_not() -> None:
    least = record_embedder().least

    assert cosine(QUESTION, REFUNDS) > least
    assert cosine(QUESTION, "The office opens at 8am.") < least / 2
    assert cosine(REFUNDS, REFUNDS) == pytest.approx(1, abs=1e-6)


def test_of_what_the_model_does_not_speak_there_is_no_vector() -> None:
    assert record_embedder().embed(UNKNOWN) == [b""] * len(UNKNOWN)
    assert record_embedder().embed([]) == []


def test_a_vector_has_its_size_and_a_text_of_any_length_one() -> None:
    embedder = record_embedder()
    vectors = embedder.embed([REFUNDS, "refund " * 100_000])

    assert [len(vector) for vector in vectors] == [embedder.vector_bytes] * 2 == [256, 256]
    assert embedder.model.startswith("wordllama 0.4.")


@settings(max_examples=30, deadline=None)
@given(st.lists(st.text(max_size=60), min_size=1, max_size=8), st.integers(0, 7))
def test_a_vector_and_a_cosine_do_not_depend_on_what_stands_beside(texts: list[str], at: int) -> None:
    embedder = record_embedder()
    asked = embedder.embed([QUESTION])[0]
    text = texts[at % len(texts)]
    vectors = embedder.embed(texts)
    [alone] = embedder.embed([text])

    assert vectors[at % len(texts)] == alone
    held = [vector for vector in vectors if vector]
    cosines = embedder.similarities(asked, b"".join(held))
    assert cosines == [embedder.similarities(asked, vector)[0] for vector in held]
    assert all(-1.000001 <= found <= 1.000001 for found in cosines)


def test_a_store_finds_it_by_the_real_model(tmp_path: Path) -> None:
    with opened(tmp_path) as store:
        record = kept(store, REFUNDS)
        kept(store, "The office opens at 8am.")

        assert [hit.record.id for hit in store.search(QUESTION).current] == []
        found = store.search_hybrid(QUESTION, embedder=record_embedder())

    assert [hit.record.id for hit in found.current] == [record.id]


def test_threads_load_one_model() -> None:
    embedder = WordLlamaEmbedder()
    found: list[bytes] = []
    begin = threading.Barrier(4)

    def embed() -> None:
        begin.wait()
        found.extend(embedder.embed([REFUNDS]))

    threads = [threading.Thread(target=embed) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert found == [record_embedder().embed([REFUNDS])[0]] * 4


WITHOUT_NETWORK: Final = """
    import logging
    import sys

    # Every way to a socket fails, before anything of gg or of the package is imported.
    def audit(event, arguments):
        if event.startswith("socket."):
            raise AssertionError(f"{event} {arguments}")

    sys.addaudithook(audit)
    from host.app import record_embedder

    embedder = record_embedder()
    assert "wordllama" not in sys.modules and "numpy" not in sys.modules
    assert len(embedder.embed(["a parcel was refunded"])[0]) == 256
    assert logging.getLogger().handlers == []
    assert logging.getLogger().level == logging.WARNING
    print("made")
"""


def test_nothing_is_downloaded_and_no_logging_is_set_up(tmp_path: Path) -> None:
    """In a process of its own with an empty home, where no cache of an earlier download can be."""
    ran = subprocess.run(
        [sys.executable, "-W", "error", "-c", dedent(WITHOUT_NETWORK)],
        capture_output=True,
        text=True,
        env={"HOME": str(tmp_path), "PATH": "/usr/bin:/bin"},
        cwd=Path(__file__).parents[3],
        timeout=60,
        check=False,
    )

    assert (ran.stdout, ran.stderr, ran.returncode) == ("made\n", "", 0)
    assert list(tmp_path.iterdir()) == []


def test_files_that_are_not_there_are_named_and_not_downloaded(monkeypatch: pytest.MonkeyPatch) -> None:
    import wordllama

    monkeypatch.setattr(wordllama.WordLlama, "get_filename", lambda *given, **more: "absent.safetensors")
    with pytest.raises(Refused) as caught:
        WordLlamaEmbedder().embed(["a parcel"])

    assert caught.value.code == "G6_E_MEMORY_INPUT"
    assert "absent.safetensors" in caught.value.message
    assert caught.value.message.endswith("pip install --force-reinstall wordllama")


@pytest.mark.parametrize("package", ["numpy", "tokenizers", "wordllama"])
def test_without_the_extra_it_is_named(monkeypatch: pytest.MonkeyPatch, package: str) -> None:
    find = importlib.util.find_spec
    monkeypatch.setattr(
        "host.launch.embeddings.find_spec", lambda name: None if name == package else find(name)
    )
    with pytest.raises(Refused) as caught:
        record_embedder()

    assert caught.value.message == (
        f"a hybrid search needs the extra `embeddings`, whose package {package} is not installed:"
        " pip install 'gg[embeddings]'"
    )


def test_logging_is_left_as_it_was() -> None:
    before = list(logging.getLogger().handlers)
    WordLlamaEmbedder().embed([REFUNDS])

    assert logging.getLogger().handlers == before
