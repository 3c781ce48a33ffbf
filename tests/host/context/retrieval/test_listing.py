"""Which files are searched, and in which order."""

import os
from pathlib import Path

import pytest

from host.context.retrieval import listing as listing_module
from host.context.retrieval.listing import IGNORED_NAMES, Listing, is_ignored, list_files


def write(root: Path, *paths: str, text: str = "x") -> None:
    for path in paths:
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)


def listed(root: Path, *suffixes: str, listing: Listing | None = None) -> list[str]:
    found = list_files(str(root.resolve()), suffixes or (".py",), Listing() if listing is None else listing)
    return [file.path for file in found]


def test_files_come_in_the_order_of_their_paths(tmp_path: Path) -> None:
    write(tmp_path, "b.py", "a/z.py", "a/b/c.py", "a.py", "B.py", "c/a.py")

    assert listed(tmp_path) == ["B.py", "a/b/c.py", "a/z.py", "a.py", "b.py", "c/a.py"]


def test_suffixes_are_those_of_the_name_whatever_the_case(tmp_path: Path) -> None:
    write(tmp_path, "a.py", "B.PY", "c.pyc", "d.tar.gz", "e.gz", "py")

    assert listed(tmp_path, ".py", ".tar.gz") == ["B.PY", "a.py", "d.tar.gz"]


@pytest.mark.parametrize("name", sorted(IGNORED_NAMES))
def test_some_directories_are_ignored_at_any_depth(tmp_path: Path, name: str) -> None:
    write(tmp_path, f"{name}/a.py", f"x/{name}/a.py", "x/a.py", f"{name}.py")

    assert listed(tmp_path) == sorted(["x/a.py", f"{name}.py"])
    assert is_ignored(str(tmp_path), ("x", name, "a.py"))


def test_ignore_files_hold_for_what_is_below_them(tmp_path: Path) -> None:
    write(tmp_path, "secret.py", "x/secret.py", "x/y/gen.py", "gen.py", "out/a.py", "x/keep/out/a.py")
    write(tmp_path, ".gitignore", text="/secret.py\nout/\n")
    write(tmp_path, "x/.gitignore", text="gen.py\n!keep/out/\n")

    assert listed(tmp_path) == ["gen.py", "x/keep/out/a.py", "x/secret.py"]


@pytest.mark.parametrize(
    "path", ["secret.py", "x/secret.py", "x/y/gen.py", "gen.py", "out/a.py", "x/keep/out/a.py", "build"]
)
def test_one_file_is_judged_as_the_walk_judges_it(tmp_path: Path, path: str) -> None:
    write(tmp_path, path)
    write(tmp_path, ".gitignore", text="/secret.py\nout/\n")
    write(tmp_path, "x/.gitignore", text="gen.py\n!keep/out/\n")

    walked = list_files(str(tmp_path.resolve()), ("",), Listing())
    assert is_ignored(str(tmp_path.resolve()), path.split("/")) == (
        path not in [file.path for file in walked]
    )


def test_links_loops_pipes_and_sockets_are_passed_over(tmp_path: Path) -> None:
    root = tmp_path / "root"
    write(root, "a/b.py")
    write(tmp_path, "outside.py")
    (root / "link.py").symlink_to("a/b.py")
    (root / "out.py").symlink_to(tmp_path / "outside.py")
    (root / "a" / "up").symlink_to("..")
    (root / "loop.py").symlink_to("loop.py")
    os.mkfifo(root / "pipe.py")
    listing = Listing()

    assert listed(root, listing=listing) == ["a/b.py"]
    assert listing.unreadable == []


def test_an_ignore_file_that_is_a_link_is_not_read(tmp_path: Path) -> None:
    write(tmp_path, "root/a.py")
    write(tmp_path, "rules", text="*.py\n")
    (tmp_path / "root" / ".gitignore").symlink_to(tmp_path / "rules")

    assert listed(tmp_path / "root") == ["a.py"]


def test_other_suffixes_are_counted(tmp_path: Path) -> None:
    write(tmp_path, "a.txt", "b/c.TXT", "Makefile", "d.py", ".git/x.txt")
    listing = Listing()
    listed(tmp_path, listing=listing)

    assert listing.excluded == {".txt": 2, "": 1}


def test_a_name_that_is_no_text_is_told_and_not_listed(tmp_path: Path) -> None:
    (tmp_path / os.fsdecode(b"a\xff.py")).write_text("x")
    listing = Listing()

    assert listed(tmp_path, listing=listing) == []
    assert listing.unreadable == ["a\\udcff.py"]


def test_so_many_entries_and_no_more(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path, *(f"{name}/{number}.py" for name in "abc" for number in range(5)))
    monkeypatch.setattr(listing_module, "MAX_ENTRIES", 8)
    listing = Listing()

    assert len(listed(tmp_path, listing=listing)) == 5
    assert listing.is_cut


def test_hundreds_of_levels_down(tmp_path: Path) -> None:
    directory = os.open(tmp_path, os.O_RDONLY)
    for _ in range(300):
        os.mkdir("a", dir_fd=directory)
        inner = os.open("a", os.O_RDONLY, dir_fd=directory)
        os.close(directory)
        directory = inner
    os.close(os.open("deep.py", os.O_CREAT | os.O_WRONLY, dir_fd=directory))
    os.close(directory)

    assert listed(tmp_path) == ["/".join(["a"] * 300 + ["deep.py"])]
