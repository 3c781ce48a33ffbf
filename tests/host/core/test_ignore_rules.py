"""Which entries ignore-files name. Every verdict of the table is that of git 2.39."""

import pytest

from host.core.ignore_rules import IgnoreRules

# A rule, the entries that it ignores, and those that it leaves; a directory ends with a slash.
RULES = [
    pytest.param("a", ["a", "a/", "x/a", "x/y/a/"], ["ab", "ba", "x/ab"], id="a name, anywhere"),
    pytest.param("a/", ["a/", "x/a/"], ["a", "x/a"], id="a directory, anywhere"),
    pytest.param("/a", ["a", "a/"], ["x/a"], id="beside the file"),
    pytest.param("x/a", ["x/a"], ["a", "y/x/a"], id="a path starts beside the file"),
    pytest.param("*.log", ["a.log", "x/.log"], ["a.logs", "log"], id="a star"),
    pytest.param("a*", ["a", "abc", "x/ab"], ["ba"], id="a star at the end"),
    pytest.param("/*", ["a", "x/"], ["x/a"], id="all that is beside the file"),
    pytest.param("x/*.txt", ["x/a.txt"], ["x/y/a.txt"], id="a star stands for no slash"),
    pytest.param("a?c", ["abc", "a c"], ["ac", "a/c", "abbc"], id="one character"),
    pytest.param("**/a", ["a", "x/a", "x/y/a"], ["ba"], id="stars before a slash"),
    pytest.param("x/**", ["x/a", "x/y/", "x/y/b"], ["x/", "x", "a"], id="stars after a slash"),
    pytest.param("x/**/a", ["x/a", "x/y/a", "x/y/z/a"], ["a", "xa", "x/ya"], id="stars between slashes"),
    pytest.param("/**", ["a", "x/", "x/a"], [], id="stars alone after a slash"),
    pytest.param("x**y", ["xy", "xaby"], ["xa/y"], id="stars beside a letter are a star"),
    pytest.param("[ab]", ["a", "b", "x/a"], ["c", "ab"], id="a class"),
    pytest.param("[!ab]", ["c", "x/c"], ["a", "x/b"], id="none of a class"),
    pytest.param("[^a]", ["b"], ["a"], id="none, spelled otherwise"),
    pytest.param("[a-c]", ["b"], ["d", "-"], id="a range"),
    pytest.param("[c-a]", ["c"], ["a", "b", "-"], id="a range upside down has its first"),
    pytest.param("[]a]", ["]", "a"], ["b"], id="a bracket first"),
    pytest.param(r"[\]]", ["]"], ["\\"], id="a bracket behind a backslash"),
    pytest.param("[a-]", ["a", "-"], ["b"], id="a dash last"),
    pytest.param("[[:digit:]]", ["1"], ["a"], id="a named class"),
    pytest.param("[[:punct:]]", [".", "-", "["], ["a"], id="a named class that holds the slash"),
    pytest.param("x[.-0]y", ["x.y", "x0y"], ["x/y"], id="no range holds the slash"),
    pytest.param("[[:none:]]a", [], ["na", "[a"], id="a name of no class"),
    pytest.param("[a", [], ["a", "[a"], id="a class that does not end"),
    pytest.param(r"\*", ["*"], ["a"], id="a backslash"),
    pytest.param("a\\", [], ["a", "a\\"], id="a backslash last"),
    pytest.param(r"\#a", ["#a"], ["a"], id="a hash behind a backslash"),
    pytest.param("#a", [], ["#a", "a"], id="a comment"),
    pytest.param("a  ", ["a"], ["a  "], id="spaces at the end"),
    pytest.param("a\\  ", ["a "], ["a", "a  "], id="a space behind a backslash"),
    pytest.param("a\r", ["a"], ["a\r"], id="a carriage return"),
    pytest.param("(a|b)+", ["(a|b)+"], ["a"], id="what is special to others is not"),
    pytest.param("é", ["é"], ["e"], id="beyond ASCII"),
    pytest.param("/", [], ["a", "a/"], id="a slash alone"),
    pytest.param("!", [], ["a", "!"], id="an exclamation mark alone"),
    pytest.param("!a", [], ["a", "!a"], id="taken back and never ignored"),
    pytest.param("", [], ["a"], id="nothing"),
    pytest.param("*.txt\n!keep.txt", ["a.txt"], ["keep.txt", "x/keep.txt"], id="taken back"),
    pytest.param("!a\na", ["a"], [], id="the last rule decides"),
    pytest.param("*\n!*/\n!*.py", ["a.txt", "x/a.txt"], ["x/", "a.py", "x/a.py"], id="all but one kind"),
    pytest.param("/*\n!/x\n/x/*\n!/x/y", ["a", "x/a"], ["x/", "x/y/"], id="all but one path"),
    pytest.param("a" * 1025 + "\nb", ["b"], ["a" * 255], id="a rule longer than any path"),
]


@pytest.mark.parametrize(("text", "ignored", "left"), RULES)
def test_what_rules_ignore(text: str, ignored: list[str], left: list[str]) -> None:
    rules = IgnoreRules().with_file(text.encode("utf-8", "surrogatepass"), 0)

    assert [path for path in (*ignored, *left) if is_ignored(rules, path)] == ignored


def is_ignored(rules: IgnoreRules, path: str) -> bool:
    return rules.ignores(path.removesuffix("/").split("/"), is_directory=path.endswith("/"))


def test_a_deeper_file_decides_over_a_higher_one() -> None:
    rules = IgnoreRules().with_file(b"*.txt\n/x/b", 0).with_file(b"!a.txt\n/c", 1)

    told = {path: is_ignored(rules, path) for path in ("x/a.txt", "x/b.txt", "x/b", "x/c", "x/y/c")}
    assert told == {"x/a.txt": False, "x/b.txt": True, "x/b": True, "x/c": True, "x/y/c": False}


def test_a_mark_before_the_first_rule_and_lines_that_are_no_text() -> None:
    rules = IgnoreRules().with_file(b"\xef\xbb\xbfa\n\xff\nb", 0)

    assert [path for path in "ab" if is_ignored(rules, path)] == ["a", "b"]


def test_rules_that_no_expression_can_hold_at_once() -> None:
    lines = [f"{letter}{'?' * 1000}" for letter in "abcdefghijklmnopqrst" for _ in range(3)]
    rules = IgnoreRules().with_file("\n".join(lines).encode(), 0)

    assert is_ignored(rules, "a" + "y" * 1000)
    assert is_ignored(rules, "t" + "y" * 1000)
    assert not is_ignored(rules, "u" + "y" * 1000)


def test_a_rule_that_would_backtrack_for_years() -> None:
    rules = IgnoreRules().with_file(b"*a" * 100 + b"b", 0)

    assert not is_ignored(rules, "a" * 250)
