"""Front matter and what stands below it: what is read, what is passed over, and where each fault stands."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from host.skills import Prose, parse_prose
from host.skills.model import MAX_BODY_BYTES, MAX_DESCRIPTION_CHARS, MAX_FRONT_MATTER_CHARS

FILE = Path("skills/csv/skill.md")


def parse(text: str) -> Prose:
    return parse_prose(text, file=FILE, name="csv")


def faults(text: str) -> list[tuple[int, int, str]]:
    assert all(fault.file == FILE for fault in parse(text).faults)
    return [(fault.line, fault.column, fault.message) for fault in parse(text).faults]


READ = [
    pytest.param("---\ndescription: Reads.\n---\nBody.\n", "Reads.", "Body.", id="least"),
    pytest.param("---\r\ndescription: Reads.\r\n---\r\nA\r\nB\r\n", "Reads.", "A\r\nB", id="line ends"),
    pytest.param("--- \ndescription: Reads.\n--- \n\n\nBody.\n\n", "Reads.", "Body.", id="blanks"),
    pytest.param('---\nname: csv\ndescription: "A: b"\n---\nB', "A: b", "B", id="named"),
    pytest.param("---\ndescription: >-\n  One\n  two.\n---\nB", "One two.", "B", id="folded"),
    pytest.param("---\ndescription: |\n  One\n   two.\n\n---\nB", "One two.", "B", id="literal"),
    pytest.param("---\ndescription: 2026-11-30\n---\nB", "2026-11-30", "B", id="a date is its text"),
    pytest.param("---\ndescription: yes\n---\nB", "yes", "B", id="so is a truth"),
    pytest.param("---\ndescription: D\n---\nB\n---\nC", "D", "B\n---\nC", id="a rule in the prose"),
    pytest.param(
        "---\nname: csv\ndescription: D\nlicense: MIT\nallowed-tools: [Read]\nmetadata:\n  version: 1\n"
        "1: 2\n? [a]\n: b\n---\nB",
        "D",
        "B",
        id="other keys are passed over",
    ),
    pytest.param("---\ndescription: &a D\nalso: *a\n---\nB", "D", "B", id="an anchor"),
]


@pytest.mark.parametrize(("text", "description", "body"), READ)
def test_prose_is_read(text: str, description: str, body: str) -> None:
    assert parse(text) == Prose(description=description, body=body)


NEEDED = "needs a key description: one line on what the skill is about"
FRONT = "a line ---, then description: with one line on what the skill is about, then a line ---"
NAMED = (
    "the name is `xls`, and the skill is called `csv` by its file or folder; make them the same,"
    " or leave name out"
)
RANGE = "no YAML: nested too deeply, or an escape that is out of range"
DEEP = f"metadata: {'[' * 5_000}"
FAULTS = [
    pytest.param("", [(1, 1, f"needs front matter above the prose: {FRONT}")], id="empty"),
    pytest.param("# CSV\n", [(1, 1, f"needs front matter above the prose: {FRONT}")], id="none"),
    pytest.param(
        "---\ndescription: D\nBody.\n",
        [(1, 1, "the front matter that begins here has no end; close it with a line ---")],
        id="unclosed",
    ),
    pytest.param("---\n---\nB", [(2, 1, NEEDED)], id="nothing in it"),
    pytest.param("---\nDescription: D\n---\nB", [(2, 1, f"{NEEDED}; `Description` is not read")], id="case"),
    pytest.param("---\nd: D\n---\nB", [(2, 1, NEEDED)], id="another key"),
    pytest.param("---\n- a\n---\nB", [(2, 1, f"needs keys: {FRONT}")], id="a list"),
    pytest.param(
        "---\nname: csv\ndescription: Use it: now\n---\nB",
        [(3, 20, "no YAML: a colon that belongs to no key; set the text that holds it in quotes")],
        id="a colon",
    ),
    pytest.param(
        "---\ndescription:\n\tD\n---\nB",
        [(3, 1, "no YAML: a tab where a key or a value should begin; use spaces")],
        id="a tab",
    ),
    pytest.param(
        "---\ndescription: 'D\n---\nB", [(2, 14, "no YAML: found unexpected end of stream")], id="quote"
    ),
    pytest.param("---\ndescription: a\x07b\n---\nB", [(2, 15, "no YAML: a control character")], id="bell"),
    pytest.param(
        '---\ndescription: "\\UFFFFFFFF"\n---\nB',
        [(2, 1, RANGE)],
        id="escape",
    ),
    pytest.param(
        f"---\n{DEEP}\n---\nB",
        [(2, 1, RANGE)],
        id="deep",
    ),
    pytest.param("---\ndescription:\n---\nB", [(2, 13, "description needs a text")], id="null"),
    pytest.param("---\ndescription: [a]\n---\nB", [(2, 14, "description needs a text")], id="a list as text"),
    pytest.param(
        '---\ndescription: "  "\n---\nB',
        [(2, 14, "the description is blank; say in one line what the skill is about")],
        id="blank",
    ),
    pytest.param(
        '---\ndescription: "a\\u202eb"\n---\nB',
        [(2, 14, "the description holds `\\u202e`, which no line of text does; take it out")],
        id="right to left",
    ),
    pytest.param(
        "---\ndescription: a\ndescription: b\n---\nB",
        [(3, 1, "description is written twice; keep one")],
        id="twice",
    ),
    pytest.param(
        "---\nname: xls\ndescription: D\n---\nB",
        [
            (
                2,
                7,
                NAMED,
            )
        ],
        id="another name",
    ),
    pytest.param("---\nname: [csv]\ndescription: D\n---\nB", [(2, 7, "name needs a text")], id="no name"),
    pytest.param(
        "---\ndescription: D\n---\n \n",
        [(4, 1, "there is no prose below the front matter; say what an agent has to know")],
        id="no prose",
    ),
    pytest.param(
        "---\nname: xls\ndescripton: D\n---\n",
        [
            (2, 1, f"{NEEDED}; `descripton` is not read"),
            (
                2,
                7,
                NAMED,
            ),
            (5, 1, "there is no prose below the front matter; say what an agent has to know"),
        ],
        id="all at once",
    ),
]


@pytest.mark.slow
@pytest.mark.parametrize(("text", "expected"), FAULTS)
def test_what_is_wrong_is_told_where_it_stands(text: str, expected: list[tuple[int, int, str]]) -> None:
    assert faults(text) == expected


LENGTHS = [
    (f"---\ndescription: {'x' * MAX_DESCRIPTION_CHARS}\n---\nB", []),
    (
        f"---\ndescription: {'x' * (MAX_DESCRIPTION_CHARS + 1)}\n---\nB",
        [(2, 14, "description: 1,025 characters, limit 1,024; say the rest in the prose")],
    ),
    ("---\ndescription: D\n---\n" + "é" * (MAX_BODY_BYTES // 2), []),
    (
        "---\ndescription: D\n---\n" + "é" * (MAX_BODY_BYTES // 2) + "x",
        [(4, 1, "prose: 65,537 bytes, limit 65,536; an agent reads it whole, so make two skills of it")],
    ),
    (f"---\ndescription: D\n#{'x' * (MAX_FRONT_MATTER_CHARS - 17)}\n---\nB", []),
    (
        f"---\ndescription: D\n#{'x' * (MAX_FRONT_MATTER_CHARS - 16)}\n---\nB",
        [(2, 1, "front matter: 16,385 characters, limit 16,384")],
    ),
]


@pytest.mark.parametrize(("text", "expected"), LENGTHS, ids=range(len(LENGTHS)))
def test_lengths_are_bounded(text: str, expected: list[tuple[int, int, str]]) -> None:
    assert faults(text) == expected


@given(st.text(alphabet="-: \n\t'\"[]{}&*!|>#%@`\\ab\x00\u2028é", max_size=60))
def test_any_front_matter_is_read_or_faulted_at_a_place_in_it(written: str) -> None:
    text = f"---\n{written}\n---\nB"
    prose = parse(text)

    assert bool(prose.faults) != bool(prose.description)
    for fault in prose.faults:
        assert 1 <= fault.line <= text.count("\n") + 2
