"""Several processes change one book, and some of them are killed: nothing that was kept is lost."""

import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

from host.skillbook import BookFile
from tests.helpers.skillbook_children import add

ROOT: Final = Path(__file__).parents[3]


def start(command: str, path: Path, *arguments: object) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "tests.helpers.skillbook_children", command, path, *map(str, arguments)],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


@pytest.mark.slow
def test_two_processes_of_two_hundred_adds_lose_nothing(tmp_path: Path) -> None:
    path = tmp_path / "book.json"
    with start("adds", path, "one", 200) as one, start("adds", path, "other", 200) as other:
        for child in (one, other):  # both stand at the beginning
            assert child.stdout is not None
            assert child.stdout.readline() == "begins\n"
        said = [child.communicate("go\n")[0].split() for child in (one, other)]

    loaded = BookFile(path).read()
    by_label = {skill.issue: skill.id for skill in loaded.skillbook.skills()}
    assert (one.returncode, other.returncode, loaded.problems) == (0, 0, ())
    assert said == [[by_label[f"{label} {n}"] for n in range(200)] for label in ("one", "other")]
    assert len({*said[0], *said[1]}) == len(loaded.skillbook.skills()) == 400


@pytest.mark.slow
def test_a_process_that_is_killed_at_the_rename_leaves_the_book_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "book.json"
    BookFile(path).apply(add("before", 0))
    before = path.read_bytes()

    with start("dies_at_rename", path, "dead") as child:
        child.communicate()

    assert (child.returncode, path.read_bytes()) == (-signal.SIGKILL, before)
    assert sorted(each.name for each in tmp_path.iterdir()) == [
        ".book.json.new",
        "book.json",
        "book.json.lock",
    ]
    assert BookFile(path).apply(add("after", 0)) == "context-00002"
    assert sorted(each.name for each in tmp_path.iterdir()) == ["book.json", "book.json.lock"]


@pytest.mark.slow
def test_a_process_that_is_killed_anywhere_leaves_the_book_with_its_change_or_without(tmp_path: Path) -> None:
    deaths = lost = 0
    kept = ""
    while kept != "kept\n":
        path = tmp_path / str(deaths) / "book.json"
        BookFile(path).apply(add("before", 0))
        with start("dies_at", path, "new", deaths) as child:
            kept, _ = child.communicate()
        assert child.returncode == (0 if kept else -signal.SIGKILL)
        loaded = BookFile(path).read()
        issues = [skill.issue for skill in loaded.skillbook.skills()]
        assert loaded.problems == ()
        assert issues in (["before 0"], ["before 0", "new 0"])
        lost += len(issues) == 1
        BookFile(path).apply(add("after", 0))
        assert [skill.issue for skill in BookFile(path).read().skillbook.skills()] == [*issues, "after 0"]
        deaths += not kept

    assert len(issues) == 2
    assert 10 < lost < deaths  # before the rename, and after it
