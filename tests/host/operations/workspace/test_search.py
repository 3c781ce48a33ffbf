"""Searches over a real directory: what is found, in which order, what is left out, and each bound."""

import os
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from host.core.errors import Refusal
from host.operations.workspace import MAX_MATCHES, Match, Workspace
from host.operations.workspace.line_search import MAX_LINE_BYTES
from host.operations.workspace.tree_search import MAX_ENTRIES
from host.testing import FakeClock


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    return Workspace(tmp_path, writable=False)


def lay(root: Path, files: dict[str, str | bytes]) -> None:
    for path, contents in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_bytes(contents if isinstance(contents, bytes) else contents.encode())


def refusal_of(act: Callable[[], object]) -> tuple[str, str, str]:
    with pytest.raises(Refusal) as caught:
        act()
    return caught.value.code, caught.value.kind, caught.value.message


def places(workspace: Workspace, query: str, path: str | None = None, limit: int = 50) -> list[str]:
    return [f"{match.path}:{match.line}" for match in workspace.search(query, path, limit=limit)]


LINES = "alpha 1\r\nBeta\r\n\r\n\tgamma_2 é\r\nlast"
QUERIES = [
    pytest.param("a", [1, 2, 4, 5], id="a letter"),
    pytest.param(r"^\w+ \d$", [1], id="classes between the ends of a line"),
    pytest.param("a$", [2], id="the end is before CRLF"),
    pytest.param("^$", [3], id="an empty line"),
    pytest.param(r"^\s", [4], id="white space"),
    pytest.param(r"\bgamma_2\b", [4], id="words"),
    pytest.param("(?i)beta|ALPHA", [1, 2], id="without case"),
    pytest.param("beta", [], id="with case"),
    pytest.param("(al|ga)(ph|mm)a", [1, 4], id="groups"),
    pytest.param("é", [4], id="beyond ASCII"),
    pytest.param(r"[^\x00-\x7f]", [4], id="all that is beyond ASCII"),
    pytest.param(r"1\s*Beta|1[^x]*Beta|(?s)1.*Beta", [], id="no match goes over a line's end"),
    pytest.param(r"\Alast\z|\ABeta", [2, 5], id="the ends of the text are a line's"),
    pytest.param("x*", [1, 2, 3, 4, 5], id="what matches nothing matches each line once"),
    pytest.param("st", [5], id="a last line without an end"),
]


@pytest.mark.parametrize(("query", "expected"), QUERIES)
def test_lines_that_match(workspace: Workspace, tmp_path: Path, query: str, expected: list[int]) -> None:
    lay(tmp_path, {"f": LINES})

    found = workspace.search(query, limit=50)

    texts = [line.removesuffix("\r") for line in LINES.split("\n")]
    assert found == tuple(Match("f", line, texts[line - 1]) for line in expected)


@given(
    st.lists(st.text("ab é", max_size=6), max_size=12), st.sampled_from(["a", "^a", "b$", "a.b", "é", "^$"])
)
def test_lines_agree_with_matching_them_one_by_one(
    tmp_path_factory: pytest.TempPathFactory, lines: list[str], query: str
) -> None:
    root = tmp_path_factory.getbasetemp()
    lay(root, {"searched.txt": "".join(f"{line}\n" for line in lines)})
    wants: dict[str, Callable[[str], bool]] = {
        "a": lambda line: "a" in line,
        "^a": lambda line: line.startswith("a"),
        "b$": lambda line: line.endswith("b"),
        "a.b": lambda line: any(line[i] == "a" and line[i + 2] == "b" for i in range(len(line) - 2)),
        "é": lambda line: "é" in line,
        "^$": lambda line: line == "",
    }

    found = Workspace(root, writable=False).search(query, "searched.txt", limit=50)

    expected = [number for number, line in enumerate(lines, start=1) if wants[query](line)]
    assert [match.line for match in found] == expected


LONG = [
    pytest.param("b" * 200, "b" * 200, id="at the bound"),
    pytest.param("b" * 201, "b" * 200 + "… (1 more character)", id="over it"),
    pytest.param("a" * 300 + "b", "(101 characters) …" + "a" * 199 + "b", id="at the end"),
    pytest.param(
        "a" * 300 + "b" + "c" * 300,
        "(260 characters) …" + "a" * 40 + "b" + "c" * 159 + "… (141 more characters)",
        id="in the middle",
    ),
    pytest.param(
        "é" * 300 + "b" * 300, "(260 characters) …" + "é" * 40 + "b" * 160 + "… (140 more characters)", id="é"
    ),
]


@pytest.mark.parametrize(("line", "shown"), LONG)
def test_a_long_line_is_cut_around_the_match(
    workspace: Workspace, tmp_path: Path, line: str, shown: str
) -> None:
    lay(tmp_path, {"f": f"x\n{line}\n"})

    assert workspace.search("b+", limit=50) == (Match("f", 2, shown),)


def test_of_a_very_long_line_the_beginning_is_searched(workspace: Workspace, tmp_path: Path) -> None:
    line = "b" + "é" * MAX_LINE_BYTES + "c"
    lay(tmp_path, {"f": f"{line}\nc\n{line}\nbc"})

    assert [(match.line, match.text[-30:]) for match in workspace.search("b", limit=50)] == [
        (1, "… (at least 32,568 more characters)"[-30:]),
        (3, "… (at least 32,568 more characters)"[-30:]),
        (4, "bc"),
    ]
    assert places(workspace, "c") == ["f:2", "f:4"]


def test_matches_come_in_the_order_of_their_paths_and_lines(workspace: Workspace, tmp_path: Path) -> None:
    files = ("a/b", "a.txt", "a-b/c", "Z", "a/B/c", "b", "é/x", "0")
    lay(tmp_path, dict.fromkeys(files, "x\nx\n"))

    found = [(match.path, match.line) for match in workspace.search("x", limit=50)]

    assert found == sorted(found)
    assert found == [(path, line) for path in sorted(files) for line in (1, 2)]


def test_the_limit_cuts_off_and_is_itself_cut_at_the_most(workspace: Workspace, tmp_path: Path) -> None:
    lay(tmp_path, {"a": "x\n" * 150, "b": "x\n" * 150})

    assert places(workspace, "x", limit=151)[-2:] == ["a:150", "b:1"]
    assert places(workspace, "x", limit=1) == ["a:1"]
    assert len(places(workspace, "x", limit=10**30)) == MAX_MATCHES


def test_a_path_is_a_folder_or_a_file(workspace: Workspace, tmp_path: Path) -> None:
    lay(tmp_path, {"a/x": "q", "a/b/x": "q", "c": "q\nq"})

    assert places(workspace, "q", "./a") == ["a/b/x:1", "a/x:1"]
    assert places(workspace, "q", "c") == ["c:1", "c:2"]
    assert places(workspace, "q", ".") == places(workspace, "q") == ["a/b/x:1", "a/x:1", "c:1", "c:2"]


def test_what_no_search_looks_into(workspace: Workspace, tmp_path: Path) -> None:
    lay(
        tmp_path,
        {
            ".git/config": "q",
            "a/.git/config": "q",
            ".gg/runs/1/events.ndjson": "q",
            "nul": b"q\n" * 100_000 + b"\0",
            "latin": b"q\n" * 100_000 + b"\xe9",
            "cut": "qé".encode()[:-1],
            "empty": "",
            ".hidden/x": "q",
            "seen": "q",
        },
    )
    (tmp_path / "link").symlink_to("seen")
    (tmp_path / "outside").symlink_to("/etc")
    os.mkfifo(tmp_path / "pipe")

    assert places(workspace, "q|root") == [".hidden/x:1", "seen:1"]


def test_the_record_of_the_run_is_left_out(tmp_path: Path) -> None:
    lay(tmp_path, {"a/record/events.ndjson": "q", "a/x": "q"})
    workspace = Workspace(tmp_path, writable=True, record=tmp_path / "a" / "record")

    assert places(workspace, "q") == ["a/x:1"]
    assert refusal_of(lambda: workspace.search("q", "a/record", limit=5))[1] == "own_folder"


def test_ignore_files_hold_in_their_folder_and_below(workspace: Workspace, tmp_path: Path) -> None:
    files = (
        "a.log",
        "keep.log",
        "build/x",
        "src/a.log",
        "src/gen/x",
        "src/lib/build/x",
        "src/b.tmp",
        "c.tmp",
    )
    lay(tmp_path, dict.fromkeys(files, "q"))
    lay(
        tmp_path,
        {
            ".gitignore": "*.log\n!keep.log\n/build\n",
            "src/.gitignore": "gen/\n!a.log\n",
            "src/.ignore": "*.tmp\n",
        },
    )

    assert places(workspace, "q") == ["c.tmp:1", "keep.log:1", "src/a.log:1", "src/lib/build/x:1"]
    assert places(workspace, "q", "src") == ["src/a.log:1", "src/lib/build/x:1"]


def test_an_ignore_file_above_the_directory_says_nothing(tmp_path: Path) -> None:
    lay(tmp_path, {".gitignore": "*", "inside/x": "q"})

    assert places(Workspace(tmp_path / "inside", writable=False), "q") == ["x:1"]


def test_a_path_that_is_named_is_searched_though_it_is_ignored(workspace: Workspace, tmp_path: Path) -> None:
    lay(tmp_path, {".gitignore": "dist/\n*.log\n", "dist/a/x": "q", "dist/b.log": "q", "c.log": "q"})

    assert places(workspace, "q") == []
    assert (
        places(workspace, "q", "dist") == places(workspace, "q", "./dist/.") == ["dist/a/x:1", "dist/b.log:1"]
    )
    assert places(workspace, "q", "dist/a") == ["dist/a/x:1"]
    assert places(workspace, "q", "c.log") == ["c.log:1"]


def test_an_ignore_file_that_is_no_file_says_nothing(workspace: Workspace, tmp_path: Path) -> None:
    lay(tmp_path, {"rules": "x", "a/x": "q", "b/.gitignore/y": "q", "x": "q"})
    (tmp_path / ".gitignore").symlink_to("rules")

    assert places(workspace, "q") == ["a/x:1", "b/.gitignore/y:1", "x:1"]


@pytest.mark.skipif(os.geteuid() == 0, reason="nothing is closed to the superuser")
def test_what_is_closed_to_gg_is_left_out(workspace: Workspace, tmp_path: Path) -> None:
    lay(tmp_path, {"a/x": "q", "b": "q", "c": "q"})
    (tmp_path / "a").chmod(0)
    (tmp_path / "b").chmod(0)

    assert places(workspace, "q") == ["c:1"]
    assert refusal_of(lambda: workspace.search("q", "b", limit=5))[0] == "io-error"
    (tmp_path / "a").chmod(0o700)


NO_PATH = [
    pytest.param("none", "not-found", "there is no such file or directory", id="no file"),
    pytest.param("a/none", "not-found", "there is no such file or directory", id="no file in a folder"),
    pytest.param("", "invalid-argument", "the path is empty", id="empty"),
    pytest.param("f/x", "invalid-argument", "`f` is not a directory", id="below a file"),
    pytest.param("nul", "invalid-argument", "it is no UTF-8 text, or it holds a NUL", id="NUL"),
    pytest.param("latin", "invalid-argument", "it is no UTF-8 text, or it holds a NUL", id="no UTF-8"),
    pytest.param("link", "refused", "it is a link, and links are not followed", id="a link"),
    pytest.param("pipe", "refused", "it is a pipe, a socket or a device, not a file", id="a pipe"),
    pytest.param(".gg", "refused", "`.gg` holds the records of runs", id="records"),
]


@pytest.mark.parametrize(("path", "code", "reason"), NO_PATH)
def test_a_path_that_cannot_be_searched(
    workspace: Workspace, tmp_path: Path, path: str, code: str, reason: str
) -> None:
    lay(tmp_path, {"a/x": "q", "f": "q", "nul": b"q\0", "latin": b"q\xe9"})
    (tmp_path / "link").symlink_to("f")
    os.mkfifo(tmp_path / "pipe")

    told = refusal_of(lambda: workspace.search("q", path, limit=5))

    assert (told[0], told[2]) == (code, f"Cannot search `{path}`: {reason}.")


HINT = r"(the character itself is \( or \))"
NO_QUERY = [
    pytest.param("", "the query is blank; give a regular expression", id="empty"),
    pytest.param(" \t", "the query is blank; give a regular expression", id="blank"),
    pytest.param("a" * 1001, "the query has 1,001 of 1,000 characters", id="long"),
    pytest.param("\ud800", "the query holds a lone surrogate", id="half a character"),
    pytest.param(r"\pL{0,9}", r"the query is too large; repeat less in `\pL{0,9}`", id="large"),
    pytest.param("foo(bar", f"at character 4: missing ) {HINT}", id="a bracket that does not close"),
    pytest.param(r"(é)[(]\((", f"at character 9: missing ) {HINT}", id="after others that do"),
    pytest.param("(a))b", f"at character 4: unexpected ) {HINT}", id="a bracket that does not open"),
    pytest.param("x[ab", "at character 2: missing ] `[ab`", id="a class that does not close"),
    pytest.param("éa**", "at character 3: bad repetition operator `**`", id="two stars"),
    pytest.param(
        "a|*",
        "at character 3: no argument for repetition operator `*` (the character itself has a backslash",
        id="a star of nothing",
    ),
    pytest.param(
        "(?=a)b",
        "at character 1: invalid perl operator `(?=` (RE2 has no look-ahead and no look-behind)",
        id="look-ahead",
    ),
    pytest.param(
        r"(a)\1", r"at character 4: invalid escape sequence `\1` (RE2 has no back-references)", id="back"
    ),
    pytest.param(
        r"\\u\u00e9",
        r"at character 4: invalid escape sequence `\u` (a character by its number is \x{e9})",
        id="a character by number",
    ),
    pytest.param("a{1001}", "at character 2: invalid repetition size `{1001}`", id="a repetition too large"),
    pytest.param("*", "at character 1: no argument for repetition operator", id="a star alone"),
]


@pytest.mark.parametrize(("query", "reason"), NO_QUERY)
def test_a_query_that_is_no_regular_expression(workspace: Workspace, query: str, reason: str) -> None:
    code, kind, message = refusal_of(lambda: workspace.search(query, limit=5))

    assert (code, kind) == ("invalid-argument", "query")
    if reason.startswith("at character"):
        reason = f"the query `{query}` is no regular expression, {reason}"
    assert message.startswith(f"Cannot search: {reason}")


NASTY = ["(a+)+$", "(a|a)*b", "(.*)(.*)(.*)(.*)(.*)z", "(a?){500}a{500}b", "(x+x+)+y"]


@pytest.mark.parametrize("query", NASTY)
def test_a_pattern_that_would_backtrack_for_years(workspace: Workspace, tmp_path: Path, query: str) -> None:
    lay(tmp_path, {"f": "a" * 50_000 + "!\n" + "x" * 50_000})

    assert workspace.search(query, limit=5) == ()


class Ticking(FakeClock):
    """A clock that moves by `step_s` each time it is read."""

    def __init__(self, step_s: float) -> None:
        super().__init__()
        self._step_s = step_s

    def monotonic(self) -> float:
        self.advance(self._step_s)
        return super().monotonic()


def test_a_search_ends_at_its_time(tmp_path: Path) -> None:
    lay(tmp_path, {"a": "x" * 70_000, "b/c": "q", "d": "q"})
    workspace = Workspace(tmp_path, writable=False, clock=Ticking(0.7))

    assert refusal_of(lambda: workspace.search("q", limit=5)) == (
        "limit-exceeded",
        "search_bound",
        "Cannot search `.`: it takes more than 5 s. Looked at: 4 entries with 68.4 KiB, the last of it in"
        " `a`. Search a part with path, or name what is generated in a .gitignore.",
    )
    in_time = Workspace(tmp_path, writable=False, clock=Ticking(0.1))
    assert places(in_time, "q") == ["b/c:1", "d:1"]


def test_a_search_ends_at_its_entries(
    workspace: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lay(tmp_path, dict.fromkeys(("a", "b", "c"), "q"))
    monkeypatch.setattr("host.operations.workspace.tree_search.MAX_ENTRIES", 2)

    assert MAX_ENTRIES == 100_000
    assert refusal_of(lambda: workspace.search("q", limit=5))[2] == (
        "Cannot search `.`: there are more than 2 entries. Looked at: 3 entries with 0 bytes."
        " Search a part with path, or name what is generated in a .gitignore."
    )


def test_a_search_ends_at_its_bytes(workspace: Workspace, tmp_path: Path) -> None:
    (tmp_path / "huge").touch()
    os.truncate(tmp_path / "huge", 2**31)
    lay(tmp_path, {"a": "q"})

    assert places(workspace, "q") == ["a:1"]  # the hole in the other one reads as NUL


def test_memory_stays_flat_however_large_a_file_is(workspace: Workspace, tmp_path: Path) -> None:
    lay(tmp_path, {"lines": "x" * 63 + "\n", "line": "x"})
    os.truncate(tmp_path / "line", 0)
    with open(tmp_path / "lines", "ab") as lines, open(tmp_path / "line", "ab") as line:
        for _ in range(256):
            lines.write((b"x" * 63 + b"\n") * 1024)
            line.write(b"x" * 65_536)

    tracemalloc.start()
    assert places(workspace, "q") == []
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()

    assert peak < 2 * 2**20
