"""Calls of tools and what they gave, as lines."""

import pytest

from host.cli.lines import to_text
from host.cli.tool_lines import Shown, call_lines, is_failure, result_lines

NOTE = '{"name": "csv", "body": "Column 3\\n  is quoted.", "tags": ["a", 1, null], "n": {"b": 1.5}}'
LONG = f'{{"name": "csv", "body": "{"x" * 500}", "description": "About CSV."}}'

CALLS = [
    (NOTE, "named", ["  call     write_memory"]),
    (
        NOTE,
        "brief",
        [
            '  call     write_memory {"name": "csv", "body": "Column 3\\n  is quoted.", "tags": ["a", 1,'
            ' null], "n": {"b": 1.5}}'
        ],
    ),
    (
        NOTE,
        "whole",
        [
            "  call     write_memory",
            "           │ name: csv",
            "           │ body: Column 3",
            "           │     is quoted.",
            '           │ tags: ["a", 1, null]',
            '           │ n: {"b": 1.5}',
        ],
    ),
    (
        LONG,
        "brief",
        [
            f'  call     write_memory {{"name": "csv", "body": "{"x" * 60}…", "description": "About CSV."}}',
        ],
    ),
    (
        LONG,
        "whole",
        [
            "  call     write_memory",
            "           │ name: csv",
            f"           │ body: {'x' * 493}…",
            "           │ description: About CSV.",
        ],
    ),
    ("{}", "whole", ["  call     write_memory {}"]),
    ('["a"]', "whole", ['  call     write_memory ["a"]']),
    ("{odd\x1b[2J\nx", "whole", ["  call     write_memory {odd\\u001b[2J x"]),
    ("{odd\x1b[2J\nx", "brief", ["  call     write_memory {odd\\u001b[2J x"]),
    ("[" * 100_000, "brief", [f"  call     write_memory {'[' * 160}…"]),
    ('{"n": ' + "9" * 5000 + "}", "brief", ['  call     write_memory {"n": ' + "9" * 154 + "…"]),
    ('{"a": "\\u001b[2J\\u202e"}', "brief", ['  call     write_memory {"a": "\\u001b[2J\\u202e"}']),
    (
        '{"a\\nb": "\\ud800"}',
        "whole",
        ["  call     write_memory", "           │ a", "           │ b: \\ud800"],
    ),
]


@pytest.mark.parametrize(("arguments", "shown", "lines"), CALLS, ids=range(len(CALLS)))
def test_a_call_is_shown_as_it_was_written(arguments: str, shown: Shown, lines: list[str]) -> None:
    assert to_text(call_lines("write_memory", arguments, shown)).splitlines() == lines


RESULTS = [
    (
        '{"count":1,"max_count":null}',
        "brief",
        None,
        ['  result   read_memory {"count": 1, "max_count": null}'],
    ),
    ("null", "whole", None, ["  result   read_memory null"]),
    ("null", "brief", None, []),
    ('"Line 1\\nLine 2"', "brief", None, ['  result   read_memory "Line 1\\nLine 2"']),
    (
        '{"count":1,"max_count":null}',
        "whole",
        None,
        ['  result   read_memory {"count": 1, "max_count": null}'],
    ),
    (
        '[{"path":"a"},{"path":"b"}]',
        "whole",
        None,
        ["  result   read_memory", '           │ {"path": "a"}', '           │ {"path": "b"}'],
    ),
    ('{"text":"a\\n\\n"}', "whole", None, ["  result   read_memory", "           │ text: a", "           │"]),
    (f"[{'1,' * 99}1]", "whole", None, ["  result   read_memory", *["           │ 1"] * 100]),
    (f"[[{'1,' * 99}1]]", "whole", None, ["  result   read_memory", f"           │ [[{'1, ' * 99}1]]"]),
    (
        '"Line 1\\nLine 2\\nLine 3\\nLine 4"',
        "whole",
        2,
        [
            "  result   read_memory",
            "           │ Line 1",
            "           │ Line 2",
            "           │ … 2 more lines",
        ],
    ),
    (
        "not-found: There is no memory `a`.",
        "brief",
        None,
        ["  failed   read_memory not-found: There is no memory `a`."],
    ),
]


@pytest.mark.parametrize(("text", "shown", "most", "lines"), RESULTS, ids=range(len(RESULTS)))
def test_a_result_is_shown_as_it_was_read(
    text: str, shown: Shown, most: int | None, lines: list[str]
) -> None:
    assert to_text(result_lines("read_memory", text, shown, most=most)).splitlines() == lines


FAILURES = [
    ("not-found: no", True),
    ("limit-exceeded: no", True),
    ('"not-found: no"', False),
    ("null", False),
    ("not-found", False),
    ("nothing: such", False),
]


@pytest.mark.parametrize(("text", "failed"), FAILURES)
def test_a_failure_is_told_by_its_code(text: str, failed: bool) -> None:
    assert is_failure(text) == failed
