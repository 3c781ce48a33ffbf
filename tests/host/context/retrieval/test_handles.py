"""A handle loads a file that the query finds beneath the roots, and no other, whoever made the handle."""

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from host.context import MAX_LOADED_CHARS, Handle, LoadedText, Retriever, load_handle
from host.context.retrieval import handles as module

KEY = "sk-abcdefghijklmnopqrstuv"
QUERY = "fix the parser"
# What lies outside, what is ignored, what has another suffix and what does not match bears this word.
MUST_STAY = "CANARY"


def tree(base: Path) -> Path:
    """A root with what may be loaded, marked `parser of mine`, and much that may not be."""
    root = base / "root"
    for path, text in {
        "root/a.py": "parser of mine",
        "root/in/b.py": "parser of mine",
        "root/other.py": f"nothing, {MUST_STAY}",
        "root/a.txt": f"parser, {MUST_STAY}",
        "root/.git/c.py": f"parser, {MUST_STAY}",
        "root/out/d.py": f"parser, {MUST_STAY}",
        "root/.gitignore": "out/\n",
        "outside/e.py": f"parser, {MUST_STAY}",
        "root2/f.py": f"parser, {MUST_STAY}",
        "e.py": f"parser, {MUST_STAY}",
    }.items():
        (base / path).parent.mkdir(parents=True, exist_ok=True)
        (base / path).write_text(text)
    (root / "link.py").symlink_to("in/b.py")
    (root / "txt.py").symlink_to("a.txt")
    (root / "esc.py").symlink_to("../e.py")
    (root / "up").symlink_to("..")
    (root / "loop.py").symlink_to("loop.py")
    (root / "gone.py").symlink_to("nowhere.py")
    (root / os.fsdecode(b"in\xff")).mkdir()
    (root / os.fsdecode(b"in\xff") / "b.py").write_text(f"parser, {MUST_STAY}")
    (root / "bytes.py").symlink_to(os.fsdecode(b"in\xff/b.py"))
    (root / "dir.py").mkdir()
    (root / "latin.py").write_bytes(b"parser \xff")
    os.mkfifo(root / "pipe.py")
    return root


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tree(tmp_path_factory.mktemp("tree"))


def load(root: Path, path: object, query: str = QUERY) -> LoadedText:
    return load_handle(Retriever(root), {"kind": "file_path", "file_path": path, "root": 0}, query)


def test_a_file_is_loaded_as_untrusted_text(root: Path) -> None:
    loaded = load(root, "in/b.py")

    assert (loaded.completion_state, loaded.code) == ("qualified-draft", "G6_E_CONTEXT_UNVERIFIED")
    assert (loaded.text, loaded.source, loaded.trust) == ("parser of mine", "in/b.py", "untrusted")
    assert (loaded.truncated, loaded.masked, loaded.is_refusal) == (False, False, False)
    assert loaded.warning_card.not_checked == (
        "relevance",
        "truth",
        "instructions in the text",
        "secrets of unknown shapes",
    )


LOADED = ["a.py", "./a.py", "in/../a.py", "in//b.py", "link.py", "up/root/a.py", "a.py/"]


@pytest.mark.parametrize("path", LOADED)
def test_a_way_round_inside_the_root_is_one(root: Path, path: str) -> None:
    assert load(root, path).text == "parser of mine"


REFUSED = [
    pytest.param("", "INVALID", id="no path"),
    pytest.param("a\0.py", "INVALID", id="a NUL"),
    pytest.param(7, "INVALID", id="a number"),
    pytest.param(None, "INVALID", id="null"),
    pytest.param("a\ud800.py", "INVALID", id="half a pair"),
    pytest.param("a\udcff.py", "INVALID", id="a byte that is no text"),
    pytest.param("../e.py", "ESCAPES_ROOT", id="above"),
    pytest.param("../root2/f.py", "ESCAPES_ROOT", id="a name that begins with the root's"),
    pytest.param("../absent.py", "ESCAPES_ROOT", id="absent above"),
    pytest.param("/etc/passwd", "ESCAPES_ROOT", id="absolute"),
    pytest.param("esc.py", "ESCAPES_ROOT", id="a link out"),
    pytest.param("up/e.py", "ESCAPES_ROOT", id="a directory that is a link out"),
    pytest.param("absent.py", "NOT_FOUND", id="absent"),
    pytest.param("a.py/b.py", "NOT_FOUND", id="below a file"),
    pytest.param("absent.txt", "NOT_FOUND", id="absent, of another suffix"),
    pytest.param("loop.py", "NOT_FOUND", id="a loop of links"),
    pytest.param("gone.py", "NOT_FOUND", id="a link to nothing"),
    pytest.param("x" * 300 + ".py", "NOT_FOUND", id="a name longer than any"),
    pytest.param("x/" * 3000, "NOT_FOUND", id="a path longer than any"),
    pytest.param("other.py", "NOT_CANDIDATE", id="no keyword in it"),
    pytest.param("a.txt", "NOT_CANDIDATE", id="another suffix"),
    pytest.param("txt.py", "NOT_CANDIDATE", id="a link to another suffix"),
    pytest.param(".git/c.py", "NOT_CANDIDATE", id="a directory that is ignored"),
    pytest.param("out/d.py", "NOT_CANDIDATE", id="a file that is ignored"),
    pytest.param("bytes.py", "NOT_CANDIDATE", id="a link to a name that is no text"),
    pytest.param("dir.py", "NOT_CANDIDATE", id="a directory"),
    pytest.param(".", "NOT_CANDIDATE", id="the root"),
    pytest.param("pipe.py", "NOT_CANDIDATE", id="a pipe"),
    pytest.param("latin.py", "NOT_CANDIDATE", id="no text"),
]


@pytest.mark.parametrize(("path", "code"), REFUSED)
def test_what_is_refused(root: Path, path: object, code: str) -> None:
    loaded = load(root, path)

    assert (loaded.completion_state, loaded.code) == ("blocked-escalated", f"G6_E_CONTEXT_HANDLE_{code}")
    assert (loaded.text, loaded.source) == ("", "")
    assert loaded.message.endswith("; take a handle from a packet for the same query")


SHAPES = [
    pytest.param([], id="a list"),
    pytest.param("a.py", id="a text"),
    pytest.param(None, id="null"),
    pytest.param({}, id="nothing in it"),
    pytest.param({"kind": "file_path"}, id="no path"),
    pytest.param({"file_path": "a.py"}, id="no kind"),
    pytest.param({"kind": "file", "file_path": "a.py"}, id="another kind"),
    pytest.param({"kind": "file_path", "file_path": "a.py", "mode": "w"}, id="another field"),
    pytest.param({"kind": "file_path", "file_path": "a.py", 7: 7}, id="a field that is a number"),
    *[
        pytest.param({"kind": "file_path", "file_path": "a.py", "root": number}, id=f"root {number!r}")
        for number in (1, -1, True, False, "0", None, 0.0, 10**30)
    ],
]


@pytest.mark.parametrize("handle", SHAPES)
def test_the_shape_is_looked_at_first(root: Path, handle: Handle) -> None:
    loaded = load_handle(Retriever(root), handle, QUERY)

    assert (loaded.code, loaded.text) == ("G6_E_CONTEXT_HANDLE_INVALID", "")


def test_the_first_root_is_meant_where_none_is_named(root: Path) -> None:
    assert load_handle(Retriever(root), {"kind": "file_path", "file_path": "a.py"}, QUERY).text


def test_every_file_that_a_query_finds_can_be_loaded(root: Path) -> None:
    retriever = Retriever(root)
    found = [item.metadata["handle"] for item in retriever.retrieve(QUERY).items]

    assert [load_handle(retriever, handle, QUERY).text for handle in found] == ["parser of mine"] * 2  # type: ignore[arg-type]


def test_a_missing_root(tmp_path: Path) -> None:
    assert load(tmp_path / "gone", "a.py").code == "G6_E_CONTEXT_HANDLE_NOT_FOUND"


def test_a_query_without_keywords_finds_nothing(root: Path) -> None:
    assert load(root, "a.py", "do it").code == "G6_E_CONTEXT_HANDLE_NOT_CANDIDATE"


LENGTHS = [
    pytest.param(MAX_LOADED_CHARS, MAX_LOADED_CHARS, False, id="as long as it may be"),
    pytest.param(MAX_LOADED_CHARS + 1, MAX_LOADED_CHARS, True, id="one character too long"),
    pytest.param(3 * 2**20, MAX_LOADED_CHARS, True, id="longer than what is read"),
]


@pytest.mark.parametrize(("length", "loaded_length", "truncated"), LENGTHS)
def test_twenty_thousand_characters(tmp_path: Path, length: int, loaded_length: int, truncated: bool) -> None:
    (tmp_path / "a.py").write_text("parser ".ljust(length, "é"))
    loaded = load(tmp_path, "a.py")

    assert (len(loaded.text), loaded.truncated) == (loaded_length, truncated)


def test_two_gigabytes(tmp_path: Path) -> None:
    with open(tmp_path / "a.py", "wb") as file:
        file.write(b"parser\n")
        file.truncate(2 * 2**30)
    loaded = load(tmp_path, "a.py")

    assert (loaded.text[:8], len(loaded.text), loaded.truncated) == ("parser\n\0", MAX_LOADED_CHARS, True)


def test_utf_16(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_bytes("the parser 解析器".encode("utf-16"))

    assert load(tmp_path, "a.py").text == "the parser 解析器"


def test_secrets_are_masked_also_where_the_text_is_cut(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("parser ".ljust(MAX_LOADED_CHARS - 20, ".") + f" token {KEY} after")
    loaded = load(tmp_path, "a.py")

    assert loaded.text.endswith(". token [REDACTED]")
    assert (loaded.masked, loaded.truncated) == (True, True)


def test_a_file_that_a_link_replaces_between_the_check_and_the_open(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = tree(tmp_path)
    opened = module.open_beneath

    def replaced(base: str, parts: tuple[str, ...]) -> int:
        (root / "in" / "b.py").unlink()
        (root / "in" / "b.py").symlink_to(tmp_path / "e.py")
        return opened(base, parts)

    monkeypatch.setattr(module, "open_beneath", replaced)
    loaded = load(root, "in/b.py")

    assert (loaded.code, loaded.text) == ("G6_E_CONTEXT_HANDLE_NOT_FOUND", "")


def test_a_directory_that_a_link_replaces_between_the_check_and_the_open(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = tree(tmp_path)
    (tmp_path / "outside" / "b.py").write_text(f"parser, {MUST_STAY}")
    opened = module.open_beneath

    def replaced(base: str, parts: tuple[str, ...]) -> int:
        (root / "in").rename(root / "moved")
        (root / "in").symlink_to(tmp_path / "outside")
        return opened(base, parts)

    monkeypatch.setattr(module, "open_beneath", replaced)
    loaded = load(root, "in/b.py")

    assert (loaded.code, loaded.text) == ("G6_E_CONTEXT_HANDLE_NOT_FOUND", "")


PARTS = [
    ".",
    "..",
    "",
    "in",
    "up",
    "out",
    ".git",
    "root",
    "root2",
    "outside",
    "dir.py",
    "a.py",
    "b.py",
    "e.py",
]
PARTS += ["other.py", "a.txt", "link.py", "txt.py", "esc.py", "loop.py", "gone.py", "pipe.py", "x\ud800", "~"]
PATHS = st.one_of(
    st.lists(st.sampled_from(PARTS), min_size=1, max_size=6).map("/".join),
    st.lists(st.sampled_from(PARTS), min_size=1, max_size=6).map(lambda parts: "/" + "/".join(parts)),
    st.text(max_size=20),
)
ANYTHING = st.one_of(st.none(), st.booleans(), st.integers(-2, 2), st.floats(), st.text(max_size=5))
HANDLES = st.one_of(
    st.fixed_dictionaries({"kind": st.just("file_path"), "file_path": PATHS}, optional={"root": ANYTHING}),
    st.fixed_dictionaries({"kind": ANYTHING, "file_path": st.one_of(ANYTHING, PATHS)}),
    st.dictionaries(st.sampled_from(["kind", "file_path", "root", "x"]), st.one_of(ANYTHING, PATHS)),
    st.lists(ANYTHING, max_size=2),
    ANYTHING,
)


@given(HANDLES, st.sampled_from([QUERY, "parser", "do it", "canary"]))
def test_a_forged_handle_is_refused_or_names_what_may_be_loaded(
    root: Path, handle: Handle, query: str
) -> None:
    loaded = load_handle(Retriever(root), handle, query)

    if loaded.is_refusal:
        assert (loaded.text, loaded.source) == ("", "")
        assert loaded.code.startswith("G6_E_CONTEXT_HANDLE_")
    elif query == "canary":
        assert loaded.source == "other.py"
    else:
        assert loaded.source in {"a.py", "in/b.py"}
        assert loaded.text == "parser of mine"
