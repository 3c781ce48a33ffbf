"""Keys: the camel case of a name, who got one first, and how long it stays."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from host.core.module_keys import Carrier, KeyTable

KEYS = [
    ("csv-tools", "csvTools"),
    ("CSV-Tools", "csvTools"),
    ("Csv.tools", "csvTools"),
    ("foo_BAR", "fooBAR"),
    ("FooBar", "fooBar"),
    ("fooBar", "fooBar"),
    ("FOO", "foo"),
    ("A1", "a1"),
    ("URLs", "uRLs"),
    ("a", "a"),
    ("X", "x"),
    ("2fa", "_2fa"),
    ("2FA-codes", "_2faCodes"),
    ("7-zip", "_7Zip"),
    ("v2.1", "v21"),
    ("--a--b--", "aB"),
    ("...", "memory"),
    ("..", "memory"),
    ("-", "memory"),
    ("gg", "_gg"),
    ("GG", "_gg"),
    ("gg-tools", "ggTools"),
    ("class", "_class"),
    ("Class", "_class"),
    ("CLASS", "_class"),
    ("_class", "_class"),
    ("class-names", "classNames"),
    ("instance-of", "instanceOf"),
    ("instanceof", "_instanceof"),
    ("__proto__", "proto"),
    ("constructor", "constructor"),
]

RESERVED = """
break case catch class const continue debugger default delete do else enum export extends false finally for
function if import in instanceof new null return super switch this throw true try typeof var void while with
await yield let static implements interface package private protected public arguments eval undefined
"""

IDENTIFIERS = ["async", "of", "get", "type", "declare", "module", "string", "any", "readonly", "from"]


def memory(name: str) -> Carrier:
    return Carrier("memory", name)


def skill(name: str) -> Carrier:
    return Carrier("skill", name)


def take(table: KeyTable, carrier: Carrier) -> str:
    return table.take(carrier)


@pytest.mark.parametrize(("name", "key"), KEYS)
def test_a_key_is_the_name_in_camel_case(name: str, key: str) -> None:
    assert KeyTable().propose(memory(name)) == key


@pytest.mark.parametrize("word", RESERVED.split())
def test_a_reserved_word_gets_an_underscore(word: str) -> None:
    assert KeyTable().propose(memory(word)) == f"_{word}"


@pytest.mark.parametrize("word", IDENTIFIERS)
def test_a_word_that_code_can_bind_is_no_reserved_word(word: str) -> None:
    assert KeyTable().propose(memory(word)) == word


def test_a_clash_is_told_apart_by_a_number() -> None:
    table = KeyTable()

    assert [take(table, memory(name)) for name in ("csv-tools", "CSV-Tools", "csv.tools", "csv-tools2")] == [
        "csvTools",
        "csvTools2",
        "csvTools3",
        "csvTools22",
    ]
    assert [take(table, memory(name)) for name in ("...", "memory", "class", "_class")] == [
        "memory",
        "memory2",
        "_class",
        "_class2",
    ]


def test_a_memory_and_a_skill_of_one_name_are_two() -> None:
    table = KeyTable()

    assert [take(table, skill("csv-tools")), take(table, memory("csv-tools"))] == ["csvTools", "csvTools2"]
    assert [take(table, skill("csv-tools")), take(table, memory("csv-tools"))] == ["csvTools", "csvTools2"]
    assert [take(table, skill("...")), take(table, memory("..."))] == ["skill", "memory"]


def test_a_proposal_takes_nothing() -> None:
    table = KeyTable()

    assert (table.propose(memory("csv-tools")), table.propose(memory("CSV-Tools"))) == (
        "csvTools",
        "csvTools",
    )
    assert table.key_of(memory("csv-tools")) is None


def test_a_key_stays_with_its_name() -> None:
    table = KeyTable()
    take(table, memory("csv-tools"))
    take(table, memory("CSV-Tools"))

    assert take(table, memory("csv-tools")) == "csvTools"
    assert (table.propose(memory("CSV-Tools")), table.key_of(memory("CSV-Tools"))) == (
        "csvTools2",
        "csvTools2",
    )


def test_a_key_that_was_not_proposed_is_not_given() -> None:
    table = KeyTable()
    take(table, memory("csv-tools"))

    with pytest.raises(ValueError, match=re.escape("'csvTools' is not the one proposed for 'CSV-Tools'")):
        table.commit(memory("CSV-Tools"), "csvTools")
    assert table.propose(memory("CSV-Tools")) == "csvTools2"


@given(st.lists(st.from_regex(r"[A-Za-z0-9\-_.]{1,64}", fullmatch=True), max_size=30))
def test_every_name_has_one_key_and_every_key_one_name(names: list[str]) -> None:
    table = KeyTable()
    keys = {name: take(table, memory(name)) for name in names}

    assert len(set(keys.values())) == len(keys)
    assert all(re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", key) for key in keys.values())
    assert {name: table.key_of(memory(name)) for name in keys} == keys
