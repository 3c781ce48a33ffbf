"""On which line each place of a document stands."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from host.launch.formats import Parsed, parse_json, parse_toml, parse_yaml
from host.launch.places import Path
from tests.host.launch.documents import written

JSON = """{
  "a": 1, "b": [1,
  {"c": "x,{\\"]"}, [],
    2],
  "d": {"e":
    5},
  "a": {"f": 6}
}"""
YAML = """# c
a:
  - 1
  -
    b: "x: y
      # z"
    c: {d: 1,
      e: 2}
f: |
  a: b

  c
? g
: - h
i: &x
  j
"""
TOML = '''a = """
b = 1
""\\"""" # c = 1
"c.d" = 'e=[' # "
f.g = [1, [
  2, # 3, {x = 1}
  {h = 1.5, i.j = [
    1979-05-27 07:32:00, "]"]}]
]

[k]
l = {}
[k.m.n]
o = \'\'\'
p = 1\'\'\'

[[q]]
r = 1
  [q.s]
  t = [
  ]
[[q]]
  [[q.u]]
  v = 1
  [[q.u]]
[k.w]
'''
EXPECTED: list[tuple[Callable[[str], Parsed], str, dict[Path, int]]] = [
    (
        parse_json,
        JSON,
        {
            (): 1,
            ("a",): 7,
            ("a", "f"): 7,
            ("b",): 2,
            ("b", 0): 2,
            ("b", 1): 3,
            ("b", 1, "c"): 3,
            ("b", 2): 3,
            ("b", 3): 4,
            ("d",): 5,
            ("d", "e"): 5,
        },
    ),
    (
        parse_yaml,
        YAML,
        {
            (): 1,
            ("a",): 2,
            ("a", 0): 3,
            ("a", 1): 5,
            ("a", 1, "b"): 5,
            ("a", 1, "c"): 7,
            ("a", 1, "c", "d"): 7,
            ("a", 1, "c", "e"): 8,
            ("f",): 9,
            ("g",): 13,
            ("g", 0): 14,
            ("i",): 15,
        },
    ),
    (
        parse_toml,
        TOML,
        {
            (): 1,
            ("a",): 1,
            ("c.d",): 4,
            ("f",): 5,
            ("f", "g"): 5,
            ("f", "g", 0): 5,
            ("f", "g", 1): 5,
            ("f", "g", 1, 0): 6,
            ("f", "g", 1, 1): 7,
            ("f", "g", 1, 1, "h"): 7,
            ("f", "g", 1, 1, "i"): 7,
            ("f", "g", 1, 1, "i", "j"): 7,
            ("f", "g", 1, 1, "i", "j", 0): 8,
            ("f", "g", 1, 1, "i", "j", 1): 8,
            ("k",): 11,
            ("k", "l"): 12,
            ("k", "m"): 13,
            ("k", "m", "n"): 13,
            ("k", "m", "n", "o"): 14,
            ("q",): 17,
            ("q", 0): 17,
            ("q", 0, "r"): 18,
            ("q", 0, "s"): 19,
            ("q", 0, "s", "t"): 20,
            ("q", 1): 22,
            ("q", 1, "u"): 23,
            ("q", 1, "u", 0): 23,
            ("q", 1, "u", 0, "v"): 24,
            ("q", 1, "u", 1): 25,
            ("k", "w"): 26,
        },
    ),
]


@pytest.mark.parametrize(("parse", "text", "lines"), EXPECTED, ids=["json", "yaml", "toml"])
def test_each_place_has_its_line(parse: Callable[[str], Parsed], text: str, lines: dict[Path, int]) -> None:
    assert parse(text).lines == lines
    assert parse(text.replace("\n", "\r\n")).lines == lines


@pytest.mark.parametrize("line_break", ["\x85", "\u2028", "\u2029"])
def test_what_editors_do_not_take_for_a_line_end_is_none(line_break: str) -> None:
    assert parse_yaml(f"a: '{line_break}'\nb: 1").lines == {(): 1, ("a",): 1, ("b",): 2}


TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=6)
VALUES = st.recursive(
    st.one_of(st.booleans(), st.integers(), st.floats(allow_nan=False, allow_infinity=False), TEXTS),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(TEXTS, inner, max_size=3)),
    max_leaves=10,
)


@pytest.mark.slow
@settings(deadline=None, max_examples=100)
@given(document=st.dictionaries(TEXTS, VALUES, max_size=4))
def test_every_place_of_any_document_has_a_line(document: dict[str, Any]) -> None:
    for suffix, parse in ((".json", parse_json), (".yaml", parse_yaml), (".toml", parse_toml)):
        parsed = parse(written(document, suffix))

        assert (parsed.value, parsed.problems) == (document, ())
        assert set(parsed.lines) == set(_places(document, ()))


def _places(value: object, path: Path) -> Iterator[Path]:
    yield path
    if isinstance(value, dict):
        for key, item in value.items():
            yield from _places(item, (*path, key))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from _places(item, (*path, index))
