"""Files are found by keywords, read anew at every call, and what is not looked at is told."""

import os
from datetime import UTC, datetime
from pathlib import Path

import pytest

from host.context import Retriever
from host.context.retrieval import retriever as module
from host.context.retrieval.findings import retrieval_evidence
from host.core.text import counted
from host.testing import FakeClock

KEY = "sk-abcdefghijklmnopqrstuv"
LONG_AGO = 1_000_000_000


def write(root: Path, **texts: str) -> None:
    for name, text in texts.items():
        (root / f"{name}.py").write_text(text, encoding="utf-8")


def found(retriever: Retriever, query: str) -> dict[str, str]:
    return {item.key: item.value for item in retriever.retrieve(query).items}


def warned(retriever: Retriever, query: str, *, shown: int = 0) -> list[tuple[str, str]]:
    evidence = retrieval_evidence(retriever.retrieve(query), shown)
    return [(warning.code.removeprefix("G6_E_CONTEXT_"), warning.detail) for warning in evidence]


def test_an_excerpt_is_untrusted_evidence_with_its_handle(tmp_path: Path) -> None:
    write(tmp_path, parser="# the parser\n", other="nothing\n")

    [item] = Retriever(tmp_path).retrieve("fix the parser").items
    assert (item.key, item.source, item.section, item.value) == (
        "parser.py",
        "parser.py",
        "repository",
        "# the parser",
    )
    assert (item.authority, item.kind, item.trust, item.freshness_class) == (
        "evidence",
        "evidence",
        "untrusted",
        "live",
    )
    assert item.metadata == {
        "handle": {"kind": "file_path", "file_path": "parser.py", "root": 0},
        "lines": (1, 1),
        "masked": False,
    }


def test_a_file_with_any_keyword_is_found_in_the_order_of_paths(tmp_path: Path) -> None:
    write(tmp_path, b="parser timeout", a="prefix", c="TIMEOUT", d="none of them")

    assert found(Retriever(tmp_path), "fix the parser timeout") == {
        "a.py": "prefix",
        "b.py": "parser timeout",
        "c.py": "TIMEOUT",
    }


def test_several_roots_have_numbers(tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        write(tmp_path / name, a=f"parser {name}")
    retrieval = Retriever([tmp_path / "one", str(tmp_path / "two")]).retrieve("parser")

    assert [(item.key, item.value) for item in retrieval.items] == [
        ("0:a.py", "parser one"),
        ("1:a.py", "parser two"),
    ]
    assert [item.metadata["handle"] for item in retrieval.items] == [
        {"kind": "file_path", "file_path": "a.py", "root": number} for number in (0, 1)
    ]


def test_other_suffixes(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("parser")
    write(tmp_path, b="parser")

    assert list(found(Retriever(tmp_path, suffixes=[".TXT"]), "parser")) == ["a.txt"]
    assert list(found(Retriever(tmp_path, suffixes=".txt"), "parser")) == ["a.txt"]


@pytest.mark.parametrize("suffix", ["txt", "", "*.txt", "./txt"])
def test_a_suffix_begins_with_a_dot(tmp_path: Path, suffix: str) -> None:
    with pytest.raises(ValueError, match=r"does not begin with a dot; write it as '\.txt'$"):
        Retriever(tmp_path, suffixes=[suffix])


def test_a_root_is_needed() -> None:
    with pytest.raises(ValueError, match=r"^no root is given; name a directory to search$"):
        Retriever([])


def test_chinese_and_utf_16(tmp_path: Path) -> None:
    write(tmp_path, a="# 修复解析器的超时问题")
    (tmp_path / "b.py").write_bytes("# 超时 parser\r\n".encode("utf-16"))

    assert found(Retriever(tmp_path), "解析器超时") == {
        "a.py": "# 修复解析器的超时问题",
        "b.py": "# 超时 parser\r",
    }


def test_secrets_are_masked_and_so_are_those_that_are_told(tmp_path: Path) -> None:
    write(tmp_path, a=f"parser\nkey = '{KEY}'\nmine = velvet-otter-41")

    assert found(Retriever(tmp_path, literals=["velvet-otter-41"]), "parser") == {
        "a.py": "parser\nkey = '[REDACTED]'\nmine = [REDACTED]"
    }


def test_a_file_that_changes_is_read_anew(tmp_path: Path) -> None:
    retriever = Retriever(tmp_path)
    write(tmp_path, a="parser one", b="nothing")
    assert found(retriever, "parser") == {"a.py": "parser one"}

    write(tmp_path, a="nothing two", b="parser two")
    assert found(retriever, "parser") == {"b.py": "parser two"}


def test_what_is_remembered_of_a_file_holds_while_it_stays_as_it_is(tmp_path: Path) -> None:
    clock = FakeClock(datetime(2100, 1, 1, tzinfo=UTC))
    retriever = Retriever(tmp_path, clock=clock)
    write(tmp_path, a="parser one", b="nothing one", c="parser")
    for _ in range(2):
        assert list(found(retriever, "parser")) == ["a.py", "c.py"]

    # Of the same length, under the old time of the file: the time of the change tells it still.
    for name, text in (("a", "nothing on"), ("b", "parser one.")):
        write(tmp_path, **{name: text})
        os.utime(tmp_path / f"{name}.py", ns=(LONG_AGO, LONG_AGO))
    (tmp_path / "c.py").unlink()
    assert list(found(retriever, "parser")) == ["b.py"]


def test_what_is_remembered_is_of_one_query(tmp_path: Path) -> None:
    retriever = Retriever(tmp_path, clock=FakeClock(datetime(2100, 1, 1, tzinfo=UTC)))
    write(tmp_path, a="parser", b="timeout")

    for query, name in [("parser", "a.py"), ("timeout", "b.py"), ("parser", "a.py"), ("reader", None)] * 2:
        assert list(found(retriever, query)) == ([name] if name else [])


def test_a_settled_file_is_matched_once_and_cut_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    looks: list[str] = []
    look = module._looked_at
    monkeypatch.setattr(
        module, "_looked_at", lambda path, wanted: (looks.append(path), look(path, wanted))[1]
    )
    write(tmp_path, a="parser", b="nothing")
    settled = Retriever(tmp_path, clock=FakeClock(datetime(2100, 1, 1, tzinfo=UTC)))
    young = Retriever(tmp_path)

    for retriever, count in ((settled, 2), (young, 4)):
        looks.clear()
        for _ in range(2):
            retriever.retrieve("parser")
        assert len(looks) == count


def test_of_many_files_those_with_most_keywords(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_CANDIDATES", 3)
    write(tmp_path, a="fix", b="fix parser", c="fix", d="fix parser timeout", e="parser fix")
    retriever = Retriever(tmp_path)

    assert list(found(retriever, "fix parser timeout")) == ["b.py", "d.py", "e.py"]
    assert warned(retriever, "fix parser timeout", shown=3) == [
        ("RETRIEVAL_TRUNCATED", "5 files with a keyword, and excerpts of 3 in the packet")
    ]


def test_a_retrieval_of_everything_warns_of_nothing(tmp_path: Path) -> None:
    write(tmp_path, a="parser")

    assert warned(Retriever(tmp_path), "parser", shown=1) == []


def test_a_missing_root_is_told(tmp_path: Path) -> None:
    write(tmp_path, a="parser")

    assert warned(Retriever([tmp_path, tmp_path / "gone"]), "parser", shown=1) == [
        ("ROOT_MISSING", f"no directory is there: `{tmp_path / 'gone'}`")
    ]


def test_unreadable_files_are_counted_and_named(tmp_path: Path) -> None:
    write(tmp_path, a="parser")
    for number in range(7):
        (tmp_path / f"b{number}.py").write_bytes(b"\xff\xfe\xff")

    assert warned(Retriever(tmp_path), "parser", shown=1) == [
        (
            "UNREADABLE_FILES",
            "7 files cannot be read as UTF-8 or UTF-16: `b0.py`, `b1.py`, `b2.py`, `b3.py`, `b4.py` "
            "and 2 more",
        )
    ]


EMPTY = [
    pytest.param("reader", "none of 1 file holds a keyword of the task", id="nothing matches"),
    pytest.param(
        "do it",
        "the task has no keyword: no word of 3 or more characters that says anything",
        id="no keyword",
    ),
]


@pytest.mark.parametrize(("query", "reason"), EMPTY)
def test_an_empty_retrieval_tells_what_was_not_searched(tmp_path: Path, query: str, reason: str) -> None:
    write(tmp_path, a="parser")
    for name in ("b.txt", "c.txt", "Makefile"):
        (tmp_path / name).write_text("reader")

    assert warned(Retriever(tmp_path), query) == [
        (
            "EMPTY_RETRIEVAL",
            f"{reason}; not searched for their suffix: `.txt` (2), none (1); pass `suffixes` to search them",
        )
    ]


def test_of_two_gigabytes_the_beginning_is_searched(tmp_path: Path) -> None:
    with open(tmp_path / "a.py", "wb") as file:
        file.write(b"the parser\n")
        file.truncate(2 * 2**30)
    retriever = Retriever(tmp_path)

    assert found(retriever, "parser") == {"a.py": "the parser"}
    assert warned(retriever, "parser", shown=1) == [
        ("RETRIEVAL_TRUNCATED", f"of {counted(1, 'file')} only the beginning was searched")
    ]


def test_a_file_that_a_link_replaces_after_the_match_is_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "root").mkdir()
    write(tmp_path, outside="parser of others")
    write(tmp_path / "root", a="parser", b="parser")
    look = module._looked_at

    def looked_at(path: str, wanted: tuple[str, ...]) -> object:
        found = look(path, wanted)
        if path.endswith("a.py"):
            os.unlink(path)
            os.symlink(tmp_path / "outside.py", path)
        return found

    monkeypatch.setattr(module, "_looked_at", looked_at)

    assert found(Retriever(tmp_path / "root"), "parser") == {"b.py": "parser"}
