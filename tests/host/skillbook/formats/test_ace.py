"""Books go from gg to ACE 0.13 and back: ACE itself, in a Python 3.12 of its own, loads and saves them."""

import json
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import pytest

from host.skillbook import BookFile, Skillbook
from host.testing.clock import FakeClock
from tests.helpers.skillbooks import own, source

ACE: Final = "ace-framework==0.13.0"
PYTHONS: Final = ("python3.12", *map(str, sorted(Path.home().glob(".pyenv/versions/3.12*/bin/python3.12"))))
INSTALL_S: Final = 300

LOADS: Final = """
import json, sys
from ace.core import Skillbook

book = Skillbook.load_from_file(sys.argv[1])
sections = {name: book._sections[name] for name in sorted(book._sections)}
print(json.dumps({
    "all": [skill.id for skill in book.skills(include_invalid=True)],
    "active": [skill.id for skill in book.skills()],
    "counters": {
        s.id: [s.used_count, s.helpful_count, s.harmful_count, s.neutral_count] for s in book.skills()
    },
    "listed": sections,
    "kept_apart": book.has_keep_decision("context-00001", "context-00002"),
    "sources": {s.id: [o.trace_uid for o in s.occurrences] for s in book.skills(include_invalid=True)},
    "prompt": book.as_prompt(),
}))
"""
CHANGES: Final = """
import sys
from ace.core import Skillbook

book = Skillbook.load_from_file(sys.argv[1])
book.add_skill("harness", "the tool is slow", keywords=["tool"])
book.tag_skill("context-00001", 1)
book.remove_skill("context-00002")
book.save_to_file(sys.argv[1])
"""
BEGINS: Final = """
import sys
from ace.core import InsightSource, SimilarityDecision, Skillbook

book = Skillbook()
seen = InsightSource(trace_uid="local:1", source_system="local", trace_id="1", learning_text="it hung")
book.add_skill(
    "context", "the lock is held", insight="wait for it", keywords=["File Lock"], insight_source=seen
)
book.add_skill("context", "a lock is held", insight="break it", keywords=["lock"])
book.add_skill("legacy words", "it broke")
book.remove_skill("context-00003", insight_source=seen)
book.mark_used(["context-00001"])
apart = SimilarityDecision(
    decision="KEEP", reasoning="other locks", decided_at="2026", similarity_at_decision=0.87654321
)
book.set_similarity_decision("context-00001", "context-00002", apart)
book.save_to_file(sys.argv[1])
"""


@pytest.fixture(scope="module")
def ace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A Python that has ACE, and of what it depends on as much as its skillbook imports."""
    pythons = [found for name in PYTHONS if (found := shutil.which(name)) and starts(found)]
    if not pythons:
        pytest.skip("ACE 0.13 takes Python 3.12, which is not on this machine")
    folder = tmp_path_factory.mktemp("ace")
    python = folder / "bin" / "python"
    installs = (
        [pythons[0], "-m", "venv", str(folder)],
        [str(python), "-m", "pip", "install", "-q", "--no-deps", ACE],
        [str(python), "-m", "pip", "install", "-q", "pydantic"],
    )
    for command in installs:
        done = subprocess.run(command, capture_output=True, text=True, timeout=INSTALL_S, check=False)
        if done.returncode != 0:
            pytest.skip(f"{ACE} cannot be installed here: {done.stderr.strip()[-300:]}")
    return python


def starts(python: str) -> bool:
    """Whether it is a Python, and no shim for one that is not there."""
    return subprocess.run([python, "-c", ""], capture_output=True, check=False).returncode == 0


def run(python: Path, program: str, book: Path) -> str:
    command: Sequence[str] = (str(python), "-c", program, str(book))
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def filled(book: Skillbook) -> None:
    """Some of everything that a book can have."""
    book.add_skill("context", "the lock is held", insight="wait for it", keywords=["lock"])
    book.add_skill("context", "a lock is held", insight="break it", keywords=["lock"], scope="shop")
    book.add_skill("harness", "設備 café 🚀", keywords=["emoji"], insight_source=source("run-1#3", "it hung"))
    book.add_skill("context", "a page says so", insight="obey", evidence_is="untrusted")
    book.add_skill("context", "it is gone", insight="forget it")
    book.remove_skill("context-00005", insight_source=source("run-2#1", "it misled"))
    book.tag_skill("context-00001", 1)
    book.tag_skill("context-00001", -1)
    book.mark_used(["context-00001"])
    book.set_similarity_decision(
        "context-00001", "context-00002", "other locks", similarity=8_765, measure="lexical/1"
    )


def with_strangers(payload: dict[str, Any]) -> dict[str, Any]:
    """The book with fields that are nobody's at every level, and with skills that gg cannot read."""
    payload["x_team"] = "ops"
    payload["gg"]["x_team"] = "ops"
    payload["skills"]["context-00001"]["x_team"] = "ops"
    payload["skills"]["harness-00003"]["occurrences"][0]["x_team"] = "ops"
    payload["skills"]["number"] = {"id": "number", "section": "context", "issue": 42, "insight": "x"}
    payload["skills"]["text"] = "no object"
    for note in payload["gg"]["decisions"].values():
        note["x_team"] = "ops"
    return payload


@pytest.mark.slow
def test_ace_loads_what_gg_writes_and_serves_what_runs_may_see(tmp_path: Path, ace: Path) -> None:
    path = tmp_path / "book.json"
    BookFile(path, clock=FakeClock()).apply(filled)
    payload = with_strangers(json.loads(path.read_text()))
    path.write_text(json.dumps(payload, ensure_ascii=False))
    BookFile(path, clock=FakeClock()).apply(lambda book: book.mark_used(["context-00001"]))

    seen = json.loads(run(ace, LOADS, path))

    # ACE makes a text of a number, and passes over what is no object.
    assert seen["all"] == [
        "context-00001",
        "context-00002",
        "harness-00003",
        "context-00004",
        "context-00005",
        "number",
    ]
    assert seen["active"] == ["context-00001", "context-00002", "harness-00003", "number"]
    assert seen["counters"]["context-00001"] == [2, 1, 1, 0]
    assert seen["kept_apart"] is True
    assert seen["sources"]["harness-00003"] == ["gg:run-1#3"]
    assert seen["sources"]["context-00005"] == ["gg:run-2#1"]
    listed = {id_ for ids in seen["listed"].values() for id_ in ids}
    assert listed <= set(seen["all"])
    assert "設備 café 🚀" in seen["prompt"]
    assert "a page says so" not in seen["prompt"]


@pytest.mark.slow
def test_gg_reads_what_ace_has_changed_in_its_book(tmp_path: Path, ace: Path) -> None:
    path = tmp_path / "book.json"
    BookFile(path, clock=FakeClock()).apply(filled)

    run(ace, CHANGES, path)
    loaded = BookFile(path).read()

    assert loaded.problems == ()
    assert [skill.id for skill in loaded.skillbook.skills()] == [
        "context-00001",
        "harness-00003",
        "harness-00006",
    ]
    assert own(loaded.skillbook, "context-00001").helpful_count == 2
    assert loaded.skillbook.has_keep_decision("context-00001", "context-00002")
    held_before = own(loaded.skillbook, "context-00004")  # ACE has no word for what is held back
    assert (held_before.active, held_before.review) == (False, None)


@pytest.mark.slow
def test_a_book_of_ace_goes_through_gg_without_loss(tmp_path: Path, ace: Path) -> None:
    path = tmp_path / "book.json"
    run(ace, BEGINS, path)
    before = json.loads(path.read_text())

    loaded = BookFile(path).read()
    assert loaded.problems == ()
    loaded.skillbook.save_to_file(tmp_path / "copy.json")
    copied = json.loads((tmp_path / "copy.json").read_text())
    own_words = copied.pop("gg")

    assert copied == before
    assert list(own_words) == ["decisions"]
    assert json.loads(run(ace, LOADS, tmp_path / "copy.json")) == json.loads(run(ace, LOADS, path))


@pytest.mark.slow
@pytest.mark.parametrize("key", ["skills", "bullets"])
def test_ace_loads_a_book_of_the_first_format_that_gg_has_carried_over(
    tmp_path: Path, ace: Path, key: str
) -> None:
    path = tmp_path / "old.json"
    old = {
        "id": "git-00001",
        "section": "git hooks",
        "content": "run the hooks first",
        "justification": "it failed",
        "evidence": "exit 1",
        "helpful": 3,
        "harmful": 1,
        "neutral": 2,
        "created_at": "2026-01-01",
        "updated_at": "2026-01-02",
        "embedding": [0.5],
        "status": "active",
        "sources": [{"trace_uid": "local:1", "source_system": "local", "trace_id": "1"}],
    }
    path.write_text(
        json.dumps({key: {"git-00001": old}, "sections": {"git hooks": ["git-00001"]}, "next_id": 1})
    )

    BookFile(path).apply(lambda book: book.mark_used(["git-00001"]))
    seen = json.loads(run(ace, LOADS, path))

    assert seen["active"] == ["git-00001"]
    assert seen["counters"]["git-00001"] == [1, 3, 1, 2]
    assert seen["sources"]["git-00001"][0] == "local:1"
    assert len(seen["sources"]["git-00001"]) == 3
    assert "run the hooks first" in seen["prompt"]
