"""The watch, with real compilers and the system's real word of changes.

Between two passes the watch goes on, so what is changed before the next pass is asked for is not missed.
"""

import os
import resource
import shutil
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from host.app import CannotWatch, CheckRefused, watch_paths
from host.app.check.watch import Pass
from runtime_js import Compiler, UnitKind

GOOD = "export const x: number = 1;\n"
BAD = "export const x: number = true;\n"
GUARD_S = 60.0  # after which a watch that noticed nothing is ended, and the test with it

Seen = dict[str, list[str]]


@pytest.fixture(scope="module")
def compiler() -> Iterator[Compiler]:
    with Compiler() as compiler:
        yield compiler


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def stop() -> Iterator[threading.Event]:
    """Set when the test has waited for too long, so that it fails instead of waiting on."""
    event = threading.Event()
    guard = threading.Timer(GUARD_S, event.set)
    guard.start()
    yield event
    guard.cancel()


def watch(
    stop: threading.Event, compiler: Compiler, *paths: str, kind: UnitKind | None = None
) -> Iterator[Pass]:
    return watch_paths([Path(path) for path in paths], stop=stop, kind=kind, compiler=compiler)


def seen(passes: Iterator[Pass]) -> Seen:
    """The next pass: each text with the codes, or else the messages, of its errors."""
    checked = next(passes)
    return {each.name: [error.code or error.message for error in each.errors] for each in checked}


def write(path: str, text: str) -> None:
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    Path(path).write_text(text)


GONE = "nothing of that name is there any more"


def test_a_save_is_checked(stop: threading.Event, compiler: Compiler) -> None:
    write("a.ts", BAD)
    passes = watch(stop, compiler, "a.ts")
    assert seen(passes) == {"a.ts": ["TS2322"]}

    write("a.ts", GOOD)
    assert seen(passes) == {"a.ts": []}

    write("a.ts", BAD)
    assert seen(passes) == {"a.ts": ["TS2322"]}


def test_a_save_by_renaming_is_checked(stop: threading.Event, compiler: Compiler) -> None:
    write("a.ts", GOOD)
    passes = watch(stop, compiler, "a.ts")
    assert seen(passes) == {"a.ts": []}

    for text, codes in ((BAD, ["TS2322"]), (GOOD, []), (BAD, ["TS2322"])):
        write("a.ts.new", text)
        os.replace("a.ts.new", "a.ts")
        assert seen(passes) == {"a.ts": codes}


def test_a_file_that_goes_and_comes_back(stop: threading.Event, compiler: Compiler) -> None:
    write("a.ts", GOOD)
    passes = watch(stop, compiler, "a.ts")
    assert seen(passes) == {"a.ts": []}

    os.rename("a.ts", "b.ts")
    assert seen(passes) == {"a.ts": [GONE]}
    os.rename("b.ts", "a.ts")
    assert seen(passes) == {"a.ts": []}

    Path("a.ts").unlink()
    assert seen(passes) == {"a.ts": [GONE]}
    Path("a.ts").mkdir()
    assert seen(passes) == {}
    write("a.ts/inner.ts", BAD)
    assert seen(passes) == {"a.ts/inner.ts": ["TS2322"]}
    shutil.rmtree("a.ts")
    assert seen(passes) == {"a.ts": [GONE]}
    write("a.ts", GOOD)
    assert seen(passes) == {"a.ts": []}


def test_a_file_that_is_no_text_for_a_moment(stop: threading.Event, compiler: Compiler) -> None:
    write("a.ts", GOOD)
    passes = watch(stop, compiler, "a.ts")
    assert seen(passes) == {"a.ts": []}

    Path("a.ts").write_bytes(b"\xff")
    assert seen(passes) == {"a.ts": ["byte 1 is no UTF-8; save the file as UTF-8"]}
    Path("a.ts").unlink()
    os.mkfifo("a.ts")
    assert seen(passes) == {"a.ts": ["it is a pipe; save what is to be checked as a file"]}
    write("b.ts", GOOD)
    os.replace("b.ts", "a.ts")
    assert seen(passes) == {"a.ts": []}


def test_files_and_folders_that_come_to_be(stop: threading.Event, compiler: Compiler) -> None:
    write("src/a.ts", GOOD)
    passes = watch(stop, compiler, "src")
    assert seen(passes) == {"src/a.ts": []}

    write("src/b.ts", BAD)
    assert seen(passes) == {"src/a.ts": [], "src/b.ts": ["TS2322"]}
    write("new/deep/c.ts", BAD)
    os.rename("new", "src/new")
    assert seen(passes) == {"src/a.ts": [], "src/b.ts": ["TS2322"], "src/new/deep/c.ts": ["TS2322"]}
    write("src/new/deep/c.ts", GOOD)
    assert seen(passes) == {"src/a.ts": [], "src/b.ts": ["TS2322"], "src/new/deep/c.ts": []}
    os.rename("src/new", "elsewhere")
    assert seen(passes) == {"src/a.ts": [], "src/b.ts": ["TS2322"]}


def test_a_folder_that_is_replaced_is_watched_again(stop: threading.Event, compiler: Compiler) -> None:
    write("top/src/a.ts", GOOD)
    write("top/other/a.ts", BAD)
    passes = watch(stop, compiler, "top/src")
    assert seen(passes) == {"top/src/a.ts": []}

    os.rename("top/src", "top/old")
    assert seen(passes) == {"top/src": [GONE]}
    os.rename("top/other", "top/src")
    assert seen(passes) == {"top/src/a.ts": ["TS2322"]}
    write("top/src/a.ts", GOOD)
    assert seen(passes) == {"top/src/a.ts": []}
    shutil.rmtree("top")
    assert seen(passes) == {"top/src": [GONE]}
    write("top/src/b.ts", BAD)
    assert seen(passes) == {"top/src/b.ts": ["TS2322"]}


def test_what_depends_on_a_file_is_checked_with_it(stop: threading.Event, compiler: Compiler) -> None:
    write("csv/skill.md", "# CSV")
    write("csv/skill.ts", "export function parse(): string {\n  return '';\n}\n")
    write("csv/on-use.ts", 'import { parse } from "csv";\nviews.openText("a", parse());\n')
    write("other.ts", GOOD)
    passes = watch(stop, compiler, "csv/on-use.ts", "other.ts")
    (on_use, other) = next(passes)
    assert (on_use.errors, other.errors) == ((), ())

    write("csv/skill.ts", "export function parse(): number {\n  return 1;\n}\n")
    (changed, same) = next(passes)

    assert [error.code for error in changed.errors] == ["TS2345"]
    assert same == other


def test_a_skill_is_mended_while_its_folder_is_watched(stop: threading.Event, compiler: Compiler) -> None:
    module = "skills/csv/skill.ts"
    write("skills/csv/skill.md", "---\ndescription: Reads exports.\n---\nFields are quoted.\n")
    write(module, "export const parse = (line: string) => line.split(',');\n")
    passes = watch(stop, compiler, "skills")
    healthy = {"skills/csv/skill.md": [], module: []}
    assert seen(passes) == healthy

    write(module, "export const parse = (line: string) => line.splt(',');\n")
    _, broken = next(passes)
    assert [(error.line, error.column, error.code) for error in broken.errors] == [(1, 45, "TS2551")]
    write(module, "export const parse = (line: string) => line.split(';');\n")
    assert seen(passes) == healthy

    write("skills/csv/skill.md", "---\ndescription: Reads: exports.\n---\nFields are quoted.\n")
    broken, _ = next(passes)
    assert [(error.line, error.column) for error in broken.errors] == [(2, 19)]
    write("skills/style.md", "How reports are written.")
    assert [name for name, errors in seen(passes).items() if errors] == [
        "skills/style.md",
        "skills/csv/skill.md",
    ]


def test_what_is_saved_unchanged_is_no_news(stop: threading.Event, compiler: Compiler) -> None:
    write("src/a.ts", GOOD)
    passes = watch(stop, compiler, "src")
    assert seen(passes) == {"src/a.ts": []}

    write("src/a.ts", GOOD)
    write("src/readme.md", "# no program")
    write("beside.ts", BAD)
    write("src/b.ts", GOOD)

    assert seen(passes) == {"src/a.ts": [], "src/b.ts": []}


def test_a_link_is_followed_to_where_it_is_saved(stop: threading.Event, compiler: Compiler) -> None:
    write("real/a.ts", GOOD)
    Path("link.ts").symlink_to("real/a.ts")
    passes = watch(stop, compiler, "link.ts")
    assert seen(passes) == {"link.ts": []}

    write("real/a.ts", BAD)
    assert seen(passes) == {"link.ts": ["TS2322"]}


def test_where_the_system_says_nothing_of_changes_it_is_asked(
    stop: threading.Event, compiler: Compiler, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WATCHFILES_FORCE_POLLING", "1")
    write("src/a.ts", GOOD)
    passes = watch(stop, compiler, "src/a.ts")
    assert seen(passes) == {"src/a.ts": []}

    os.rename("src/a.ts", "src/b.ts")
    assert seen(passes) == {"src/a.ts": [GONE]}
    write("src/a.ts", BAD)
    assert seen(passes) == {"src/a.ts": ["TS2322"]}


def test_a_name_that_is_no_utf8_does_not_end_the_watch(stop: threading.Event, compiler: Compiler) -> None:
    write("src/a.ts", GOOD)
    passes = watch(stop, compiler, "src")
    assert seen(passes) == {"src/a.ts": []}
    odd = os.fsdecode(b"src/\xff")

    write(f"{odd}/b.ts", BAD)
    assert seen(passes) == {"src/a.ts": [], f"{odd}/b.ts": ["TS2322"]}
    write("src/a.ts", BAD)
    assert seen(passes) == {"src/a.ts": ["TS2322"], f"{odd}/b.ts": ["TS2322"]}
    shutil.rmtree(odd)
    assert seen(passes) == {"src/a.ts": ["TS2322"]}


def test_a_kind_holds_for_what_comes_to_be(stop: threading.Event, compiler: Compiler) -> None:
    write("src/a.ts", 'views.openText("a", "b");\n')
    passes = watch(stop, compiler, "src", kind=UnitKind.ON_USE)
    assert seen(passes) == {"src/a.ts": []}

    write("skill/skill.md", "# A skill")
    os.rename("skill", "src/skill")
    refused = "--as says what a file is, and src/skill is a skill; leave --as out"
    assert seen(passes) == {"src/a.ts": [], "src/skill": [refused]}


def test_it_ends_when_it_is_told_to(compiler: Compiler) -> None:
    write("a.ts", GOOD)
    stop = threading.Event()
    passes = watch(stop, compiler, "a.ts")
    assert seen(passes) == {"a.ts": []}

    stop.set()

    assert list(passes) == []


def test_that_nothing_can_be_watched_is_told(stop: threading.Event, compiler: Compiler) -> None:
    write("a.ts", GOOD)
    passes = watch(stop, compiler, "a.ts")
    limits = resource.getrlimit(resource.RLIMIT_NOFILE)
    with open(os.devnull) as file:
        lowest = file.fileno()
    resource.setrlimit(resource.RLIMIT_NOFILE, (lowest + 1, limits[1]))  # room for a file, not for a watch
    try:
        with pytest.raises(
            CannotWatch, match=r"^the system gives no word of changes: .*; set WATCHFILES_FORCE"
        ):
            next(passes)
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, limits)


REFUSALS = [
    pytest.param(
        "nope.ts", "there is no nope.ts; name a file, a folder, a skill or a session record", id="missing"
    ),
    pytest.param(
        "record",
        "--watch waits for files to be saved, and record is a session record; leave --watch out",
        id="record",
    ),
]


@pytest.mark.parametrize(("path", "told"), REFUSALS)
def test_what_cannot_be_watched_is_refused_at_once(compiler: Compiler, path: str, told: str) -> None:
    write("record/events.ndjson", "")

    with pytest.raises(CheckRefused) as raised:
        watch(threading.Event(), compiler, path)

    assert str(raised.value) == told
