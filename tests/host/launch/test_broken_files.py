"""Broken documents of every kind, in all three formats, each with the refusal that it gets."""

from pathlib import Path

import pytest

from host.core.errors import Defect, LaunchRefused
from host.launch import load

# A document that may be launched, but for what is put into its second line; NINES are 400 digits.
FRAMES = {
    "json": (
        '{"task": "t",\n%s,\n"model": {"provider": "scripted", "replies": ["x"]},\n"agents": [{"id": "a"}]}'
    ),
    "yaml": "task: t\n%s\nmodel: {provider: scripted, replies: [x]}\nagents: [{id: a}]\n",
    "toml": ('task = "t"\n%s\nmodel = {provider = "scripted", replies = ["x"]}\nagents = [{id = "a"}]\n'),
}

# format, line and place and message of each defect, what is put into the document
DEFECTS: list[tuple[str, list[str], list[str]]] = [
    (
        "json",
        ["2: seed: not a finite number"],
        ['"seed": Infinity', '"seed": -Infinity', '"seed": NaN', '"seed": 1e999', '"seed": -1e999'],
    ),
    ("json", ["2: seed: larger than any number that a key takes"], ['"seed": NINES', '"seed": -NINES']),
    (
        "json",
        ["2: seed: needs a whole number from 0 to 9223372036854775807"],
        ['"seed": 1e3', '"seed": 1.0', '"seed": "7"', '"seed": true', '"seed": [7]', '"seed": {}'],
    ),
    ("json", ["2: name: needs one line of 1 to 200 printable characters"], ['"name": "\\ud800"']),
    ("json", ["2: seed: written more than once; keep one"], ['"seed": 1, "seed": 1']),
    ("json", ["2: task: written more than once; keep one"], ['"task": "again"']),
    (
        "json",
        [
            "2: limits.maxTurns: written more than once; keep one",
            "2: limits.maxTurns: needs a whole number, 1 or more",
        ],
        ['"limits": {"maxTurns": 1, "maxTurns": "x"}'],
    ),
    ("json", ['2: [""]: unknown key'], ['"": 1']),
    ("json", ['2: [" task"]: unknown key; did you mean "task"?'], ['" task": 1']),
    ("json", ['2: Task: unknown key; did you mean "task"?'], ['"Task": 1']),
    ("json", ['2: ["\\u001b[31m"]: unknown key'], ['"\\u001b[31m": 1']),
    ("json", ["2: limits: needs an object"], ['"limits": null', '"limits": [{"maxTurns": 1}]']),
    ("json", ["2: sandbox: needs an object"], ['"sandbox": null']),
    ("json", ["4: agents: written more than once; keep one"], ['"agents": [{"id": "b"}]']),
    ("json", ['2: ["$schema"]: needs text'], ['"$schema": 5', '"$schema": null']),
    ("json", ['2: limits["$schema"]: unknown key'], ['"limits": {"$schema": "x"}']),
    (
        "json",
        [
            "2: limits.maxErrorRate: needs a number, 0 or more and below 1",
            "2: limits.errorRateWindow: required, since maxErrorRate is written",
        ],
        ['"limits": {"maxErrorRate": 1}'],
    ),
    (
        "json",
        [
            "2: limits.maxErrorRate: not a finite number",
            "2: limits.errorRateWindow: required, since maxErrorRate is written",
        ],
        ['"limits": {"maxErrorRate": NaN}'],
    ),
    (
        "yaml",
        ["2: seed: a number with a leading 0; leave the 0 out, or set the value in quotes"],
        ["seed: 07"],
    ),
    (
        "yaml",
        ["2: seed: needs a whole number from 0 to 9223372036854775807"],
        [
            "seed: 0o17x",
            "seed: 1_000",
            "seed: 1e3",
            'seed: "7"',
            "seed: yes",
            "seed: 0b11",
            "seed: 12:30:45",
            "seed: 2026-11-30",
            "seed: 7 8",
            "seed: 7.0",
            "seed: 7.",
        ],
    ),
    ("yaml", ["2: seed: not a finite number"], ["seed: .inf", "seed: -.INF", "seed: .nan"]),
    ("yaml", ["2: seed: larger than any number that a key takes"], ["seed: NINES", "seed: 0xNINES"]),
    (
        "yaml",
        ["2: seed: tags are not read; write the plain value"],
        [
            'seed: !!int "7"',
            'seed: !!python/object/apply:os.system ["echo hi"]',
            "seed: !mine 7",
            "seed: ! 7",
            "seed: !!binary aGk=",
        ],
    ),
    ("yaml", ["2: seed: aliases are not read; write the value out"], ["seed: *x"]),
    ("yaml", ["3: name: aliases are not read; write the value out"], ["seed: &x 7\nname: *x"]),
    (
        "yaml",
        ['3: sandbox["<<"]: merge keys are not read; write the keys out'],
        ["limits: &l {maxTurns: 1}\nsandbox: {<<: *l}"],
    ),
    (
        "yaml",
        ['2: limits["<<"]: merge keys are not read; write the keys out'],
        ["limits: {<<: {maxTurns: 1}}"],
    ),
    ("yaml", ['2: limits["<<"]: unknown key'], ['limits: {"<<": 1}']),
    ("yaml", ["3: seed: written more than once; keep one"], ["seed: 1\nseed: 2"]),
    (
        "yaml",
        [
            "2: limits.maxTurns: written more than once; keep one",
            "2: limits.maxTurns: needs a whole number, 1 or more",
        ],
        ["limits: {maxTurns: 1, maxTurns: x}"],
    ),
    (
        "yaml",
        ["2: name: needs one line of 1 to 200 printable characters"],
        ['name: "\\ud800"', "name: |\n  two\n  lines\n", "name: 5", 'name: "\u2028"'],
    ),
    ("yaml", ['2: ["1"]: unknown key'], ["1: x"]),
    ("yaml", ["2: true: unknown key"], ["true: x"]),
    ("yaml", ["2: null: unknown key"], ["null: x"]),
    ("yaml", ['2: ["~"]: unknown key'], ["~: x"]),
    ("yaml", ['2: ["2026-11-30"]: unknown key'], ["2026-11-30: x"]),
    ("yaml", ["3: limits: needs an object"], ["seed: 1 # ok\nlimits: # nothing"]),
    ("yaml", ["2: sandbox: needs an object"], ["sandbox:"]),
    ("yaml", ['2: ["$schema"]: needs text'], ["$schema: 5", "$schema: [x]", '"$schema": null']),
    ("yaml", ["2: limits: needs an object"], ["limits: [maxTurns: 1]"]),
    ("yaml", ['2: [""]: unknown key'], ["'': 1"]),
    ("yaml", ["4: agents: written more than once; keep one"], ["agents: []"]),
    (
        "yaml",
        ["2: limits: tags are not read; write the plain value"],
        ["limits: !!map {}", "limits: !!omap []", "limits: !!set {a}"],
    ),
    ("toml", ["2: seed: needs a whole number from 0 to 9223372036854775807"], ["seed = 1e3", 'seed = "7"']),
    ("toml", ["2: seed: not a finite number"], ["seed = inf", "seed = -nan", "seed = +inf", "seed = 1e999"]),
    ("toml", ["2: seed: larger than any number that a key takes"], ["seed = NINES", "seed = 0xNINES"]),
    (
        "toml",
        ["2: seed: a date or a time; set it in quotes, as text"],
        ["seed = 2026-11-30", "seed = 07:30:00", "seed = 2026-11-30T07:30:00Z", "seed = 2026-11-30 07:30:00"],
    ),
    (
        "toml",
        ["2: limits.maxTurns: a date or a time; set it in quotes, as text"],
        ["limits = {maxTurns = 2026-11-30}"],
    ),
    ("toml", ['2: [""]: unknown key'], ['"" = 1']),
    ("toml", ['2: ["a b"]: unknown key'], ['"a b" = 1']),
    ("toml", ["2: a: unknown key"], ["a.b.c = 1"]),
    (
        "toml",
        [
            "4: limits.model: unknown key; it belongs beside limits",
            "5: limits.agents: unknown key; it belongs beside limits",
            "1: agents: required",
        ],
        ["[limits]\nmaxTurns = 1"],
    ),
    ("toml", ["2: limits: needs an object", "1: agents: required"], ["[[limits]]\nmaxTurns = 1"]),
    ("toml", ["5: agents[0].agents: unknown key"], ['[[agents]]\nid = "b"']),
    ("toml", ['2: ["$schema"]: needs text'], ['"$schema" = 5']),
    ("toml", ['2: ["$schema"]: a date or a time; set it in quotes, as text'], ['"$schema" = 2026-11-30']),
    ("toml", ["2: limits: needs an object"], ["limits = []", "limits = [[]]"]),
    ("toml", ["4: limits: needs an object"], ["seed = 7 # c\n# c\nlimits = 1"]),
]

# format, message (a parser's own words are left out), what is put into the document and where it is told
FAULTS: list[tuple[str, str, list[tuple[str, str]]]] = [
    (
        "json",
        "no JSON:…",
        [
            ('"seed": 1 "name": "x"', "2:11"),
            ('"seed": 01', "2:10"),
            ('"seed": .5', "2:9"),
            ('"seed": 1.', "2:10"),
            ('"seed": +1', "2:9"),
            ('"seed": 0x1F', "2:10"),
            ('"name": "a\tb"', "2:11"),
            ('"name": "a\\x"', "2:11"),
            ("\"name\": 'x'", "2:9"),
            ('name: "x"', "2:1"),
            ('"name": "x', "2:12"),
            ('// c\n"seed": 1', "2:1"),
            ('/* c */ "seed": 1', "2:1"),
            ('"seed": undefined', "2:9"),
            ('"seed": True', "2:9"),
            ('"seed": 7}', "2:11"),
            ('"seed": [1, 2', "3:8"),
            ('"a": "\x00"', "2:7"),
        ],
    ),
    (
        "yaml",
        "no YAML:…",
        [
            ("limits: {maxTurns: 1", "3:6"),
            ("limits: }", "2:9"),
            ('name: "a', "2:7"),
            ('name: "\\q"', "2:9"),
            ("name: |x\n  y", "2:8"),
            ("seed: ,", "2:7"),
            ("seed: [,]", "2:8"),
        ],
    ),
    (
        "yaml",
        "no YAML: a colon that belongs to no key; set text that holds one in quotes",
        [("name: a: b", "2:8")],
    ),
    ("yaml", "no YAML: an escape or a number that is out of range", [('name: "\\UFFFFFFFF"', "2:10")]),
    (
        "yaml",
        "no YAML: a tab where a key or a value should begin; use spaces",
        [("\tname: x", "2:1"), ("name:\tx", "2:6"), ("limits:\n\tmaxTurns: 1", "3:1")],
    ),
    (
        "yaml",
        "no YAML: what stands here does not fit the indentation or the kind of what is around it",
        [
            ("limits:\n  maxTurns: 1\n maxRuntimeSecs: 1", "4:2"),
            ("- seed", "2:1"),
            ("name: >9\n x", "3:2"),
            ("seed: &a &b 7", "2:10"),
        ],
    ),
    ("yaml", "a second document begins here; keep one", [("---\nseed: 1", "2:1")]),
    (
        "yaml",
        "no YAML: more stands here after the end of the document",
        [("...\nseed: 1", "3:1"), ("...\n", "4:1"), ("%YAML 1.3", "3:1"), ("%TAG ! tag:x", "3:1")],
    ),
    (
        "yaml",
        "a key is one plain text",
        [
            ("? [a]\n: 1", "2:3"),
            ("[a]: 1", "2:1"),
            ("{a: 1}: 1", "2:1"),
            ("? {a: 1}", "2:3"),
            ("!!str seed: 1", "2:1"),
            ("*x : 1", "2:1"),
        ],
    ),
    ("yaml", "no YAML: @ cannot begin a key or a value; set the text in quotes", [("name: @x", "2:7")]),
    ("yaml", "no YAML: ` cannot begin a key or a value; set the text in quotes", [("name: `x`", "2:7")]),
    ("yaml", "no YAML: % cannot begin a key or a value; set the text in quotes", [("name: %x", "2:7")]),
    ("yaml", "no YAML: a control character", [("name: \x07", "2:7")]),
    (
        "toml",
        "no TOML:…",
        [
            ("seed = 07", "2:9"),
            ("seed = ", "2:8"),
            ("seed", "2:5"),
            ("= 7", "2:1"),
            ("seed = true false", "2:13"),
            ("seed = True", "2:8"),
            ("seed = null", "2:8"),
            ("seed = 7 7", "2:10"),
            ('name = "x', "2:10"),
            ("name = 'x", "4:22"),
            ('name = """x', "4:22"),
            ('name = "\\q"', "2:11"),
            ('name = "\\ud800"', "2:15"),
            ('name = "a\tb\x01"', "2:12"),
            ("[limits\nmaxTurns = 1", "2:8"),
            ("[]", "2:2"),
            ("name = x", "2:8"),
            ("seed : 7", "2:6"),
            ("seed = 0x", "2:9"),
            ("seed = 1__0", "2:9"),
            ("seed = [1, 2", "3:1"),
            ("seed = {", "2:9"),
            ("# c \x07", "2:5"),
            ("seed\r= 1", "2:5"),
        ],
    ),
    (
        "toml",
        "no TOML: a key or a table that is written already; keep one",
        [
            ("seed = 1\nseed = 2", "3:9"),
            ("limits.maxTurns = 1\nlimits.maxTurns = 2", "3:20"),
            ("limits = {maxTurns = 1, maxTurns = 2}", "2:37"),
            ("limits = {maxTurns = 1}\nlimits.maxErrors = 1", "3:21"),
        ],
    ),
]


def refusal(suffix: str, line: str, folder: Path) -> tuple[Defect, ...]:
    file = folder / f"run.{suffix}"
    file.write_text(FRAMES[suffix] % line.replace("NINES", "9" * 400), encoding="utf-8", newline="")
    with pytest.raises(LaunchRefused) as exc_info:
        load(file)
    return exc_info.value.defects


@pytest.mark.parametrize(
    ("suffix", "heads", "line"),
    [(suffix, heads, line) for suffix, heads, lines in DEFECTS for line in lines],
)
def test_a_broken_document_is_refused_with_every_defect(
    suffix: str, heads: list[str], line: str, tmp_path: Path
) -> None:
    defects = refusal(suffix, line, tmp_path)

    assert [f"{d.line}: {d.place}: {d.message}" for d in defects] == heads
    assert {d.file for d in defects} == {str(tmp_path / f"run.{suffix}")}


@pytest.mark.parametrize(
    ("suffix", "told", "line", "position"),
    [(suffix, told, *one) for suffix, told, lines in FAULTS for one in lines],
)
def test_a_text_that_is_not_of_its_format_is_refused_with_its_line(
    suffix: str, told: str, line: str, position: str, tmp_path: Path
) -> None:
    (defect,) = refusal(suffix, line, tmp_path)

    number = int(position.partition(":")[0])
    written = (FRAMES[suffix] % line).split("\n")[number - 1]
    assert defect.message.startswith(told.rstrip("…"))
    assert told.endswith("…") or defect.message == told
    assert (defect.place, defect.line, defect.file, defect.found) == (
        f"{tmp_path / f'run.{suffix}'}:{position}",
        number,
        None,
        written.strip(),
    )
    assert "\n" not in defect.message
