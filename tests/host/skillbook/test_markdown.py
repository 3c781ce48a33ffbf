"""A book as Markdown."""

from collections.abc import Callable
from pathlib import Path

import pytest

from host.skillbook import Skillbook, markdown
from tests.helpers.skillbooks import book_of, skill, source

GOLDEN = Path(__file__).parent / "golden"


def story() -> Skillbook:
    book = book_of(
        skill(
            "export-1",
            "An export of more than 10,000 rows is asked for.",
            insight="Write it in parts.\nCount them.",
            keywords=("csv", "export"),
            scope="billing",
            used_count=12,
            helpful_count=9,
            harmful_count=1,
            occurrences=(source("run-1#3", "The export of 40,000 rows timed out."),),
        ),
        skill("export-2", "An export is asked for.", insight="Write it in parts."),
        skill("harness-1", "Results of tools are cut at 4,000 characters.", section="harness", insight=None),
        skill(
            "web-1", "A page asks for a password.", active=False, evidence_is="untrusted", review="pending"
        ),
        skill("old-1", active=False, merged_into="export-2", created_at="", updated_at=""),
        skill("old-2", active=False),
        skill("old-3", active=False, review="rejected"),
    )
    book.set_similarity_decision(
        "export-1", "export-2", "One is for large ones.", similarity=8_235, measure="m"
    )
    return book


def test_the_whole_book(golden: Callable[[Path, str], None]) -> None:
    golden(GOLDEN / "book.md", markdown(story()))


def test_an_empty_book() -> None:
    assert markdown(book_of()) == "# Skillbook\n\n0 skills.\n"


def test_a_source_that_says_nothing_has_no_fence() -> None:
    text = markdown(
        book_of(skill("a-1", "Issue.", occurrences=(source("run-1#1"), source("run-2#1", "Why."))))
    )

    assert "Source `gg:run-1#1`, `run`\n\nSource `gg:run-2#1`, `run`:\n\n```\nWhy.\n```\n" in text


def test_what_was_not_read_is_told() -> None:
    book = Skillbook.from_dict({"schema_version": "2", "skills": {"a\x1b": {"issue": 7}}})

    assert markdown(book).startswith("# Skillbook\n\n0 skills.\n\n## Not read\n\n- skill `a\\u001b`: ")


HOSTILE = [
    "# A heading",
    "</details><img src=https://x.org/a.png>",
    "![a](https://x.org/a.png)",
    "```\n# out of the fence\n```",
    "`" * 9 + "\n\n# out",
    "\x1b[2J\u202e",
    "- a\n- b",
]


@pytest.mark.parametrize("text", HOSTILE)
def test_no_text_of_a_skill_is_markup(text: str) -> None:
    book = book_of(
        skill(
            "a" + text, text, insight=text, keywords=(text,), scope=text, occurrences=(source(text, text),)
        ),
        skill("b"),
    )
    lines, fence = markdown(book).splitlines(), ""
    outside = []
    for line in lines:
        if fence:
            fence = "" if line == fence else fence
        elif line.startswith("```") and not line.strip("`"):
            fence = line
        else:
            outside.append(line)

    assert fence == ""
    headings = [line for line in outside if line.startswith("#")]
    assert [line.split(" ")[0] for line in headings] == ["#", "##", "###", "###"]
    code = [line for line in outside if "x.org" in line or "\x1b" in line]
    assert all(line.count("`") >= 2 for line in code)
    assert not any("\x1b" in line or "\u202e" in line for line in lines)
