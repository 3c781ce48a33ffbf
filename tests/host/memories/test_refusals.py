"""The rules of names, descriptions and surrogates case by case, and what a reader is refused."""

import pytest

from host.core.text import quoted
from tests.helpers.memories import draft, holder_of, refusal_of, store_of


def test_a_reader_is_refused_every_change_before_anything_else() -> None:
    store = store_of("markdown")
    holder_of(store).create(draft("there"), turn=1)
    reader = holder_of(store, access="read", withheld=("create_memory", "edit_memory", "delete_memory"))
    told = "the memories are another agent's, to be read only. The calls there are: memories.readMemory."
    acts = [
        ("create", "a memory", lambda: reader.create(draft(""), turn=2)),
        ("create", "`new`", lambda: reader.check_write(draft("new"))),
        ("update", "`there`", lambda: reader.check_update(draft("there"))),
        ("update", "`there`", lambda: reader.commit_update(draft("there"), turn=2)),
        ("edit", "`there`", lambda: reader.edit("there", "", "\ud800", turn=2)),
        ("delete", "`absent`", lambda: reader.delete("absent", turn=2)),
    ]

    for verb, subject, act in acts:
        refusal = refusal_of(act)
        assert (str(refusal), refusal.code, refusal.kind) == (
            f"Cannot {verb} {subject}: {told}",
            "refused",
            "read_only",
        )
    assert reader.read("there").body == "note"
    assert (reader.state().writable, holder_of(store).state().writable) == (False, True)


def test_a_reader_is_pointed_at_no_call_that_writes() -> None:
    """Whatever it was granted."""
    reader = holder_of(store_of("markdown"), access="read")

    assert str(refusal_of(lambda: reader.delete("a", turn=1))) == (
        "Cannot delete `a`: the memories are another agent's, to be read only. "
        "The calls there are: memories.readMemory."
    )


def test_a_reader_without_a_call_reads_in_its_window() -> None:
    reader = holder_of(
        store_of("scratchpad"), access="read", withheld=("write_memory", "update_memory", "delete_memory")
    )

    assert str(refusal_of(lambda: reader.check_write(draft("new")))) == (
        "Cannot write `new`: the memories are another agent's, to be read only. "
        "They are read in the window alone."
    )


@pytest.mark.parametrize(
    ("field_name", "shown"),
    [
        ("name", "name"),
        ("description", "description"),
        ("body", "body"),
        ("code", "code"),
        ("on_use", "onUse"),
    ],
)
@pytest.mark.parametrize("call", ["write", "update"])
def test_a_lone_surrogate_is_refused_in_every_field(field_name: str, shown: str, call: str) -> None:
    holder = holder_of(store_of("scratchpad"))
    wrong = draft(**{"name": "new", field_name: "a\udfff"})
    check = holder.check_write if call == "write" else holder.check_update

    refusal = refusal_of(lambda: check(wrong))

    subject = "`a\\udfff`" if field_name == "name" else "`new`"
    assert str(refusal) == (
        f"Cannot {call} {subject}: {shown} holds the lone surrogate U+DFFF at character 2. "
        f"Take it out and call memories.{call}Memory again."
    )
    assert refusal.name == ("a\\udfff" if field_name == "name" else "new")


SLUGS = ["a", "A", "0", "-", "_", ".", "...", "..", "2fa", ".hidden", "csv-tools", "a.b_c-D9", "x" * 64]
NO_SLUGS = [
    ("a b", " ", 2),
    ("../escape", "/", 3),
    ("a/b", "/", 2),
    ('a"b', '"', 2),
    ("é", "é", 1),
    ("\u0661", "\u0661", 1),
    ("a\tb", "\\u0009", 2),
    ("a\nb", "\\u000a", 2),
    ("a\0", "\\u0000", 2),
    ("a:b", ":", 2),
    ("../x", "/", 3),
    ("a\0b", "\\u0000", 2),
    ("a\U0001f600", "\U0001f600", 2),
    ("`", "`", 1),
    ("\uff41", "\uff41", 1),
]


@pytest.mark.parametrize("strategy", ["scratchpad", "markdown", "keyword-search"])
@pytest.mark.parametrize("name", SLUGS)
def test_a_slug_is_taken_as_it_is(strategy: str, name: str) -> None:
    assert holder_of(store_of(strategy)).create(draft(f" {name}\n"), turn=1).revision.name == name


@pytest.mark.parametrize("strategy", ["scratchpad", "markdown", "keyword-search"])
@pytest.mark.parametrize(("name", "character", "place"), NO_SLUGS)
def test_what_is_no_slug_is_refused_where_a_memory_is_made(
    strategy: str, name: str, character: str, place: int
) -> None:
    refusal = refusal_of(lambda: holder_of(store_of(strategy)).check_write(draft(name)))

    assert refusal.kind == "invalid_name"
    assert f": name holds {quoted(character)} at character {place}. " in str(refusal)


def test_names_differ_in_case() -> None:
    holder = holder_of(store_of("scratchpad"))
    holder.commit_write(draft("Notes"), turn=1)

    assert holder.commit_write(draft("notes"), turn=1).usage.count == 2


def test_a_name_that_is_no_slug_is_not_found() -> None:
    holder = holder_of(store_of("markdown"))

    assert refusal_of(lambda: holder.read("../escape")).kind == "not_found"
    assert refusal_of(lambda: holder.edit("a b", "x", "y", turn=1)).kind == "not_found"
    assert str(refusal_of(lambda: holder.delete("x" * 1_000_000, turn=1))) == (
        f"Cannot delete `{'x' * 64}…`: there is no memory of that name. "
        "Give memories.deleteMemory the name of one that there is."
    )


@pytest.mark.parametrize(
    "code_point",
    [
        *(0x00, 0x09, 0x0A, 0x0B, 0x0C, 0x0D, 0x1B, 0x1F, 0x7F, 0x80, 0x85, 0x9F, 0x2028, 0x2029),
        *(0x061C, 0x200E, 0x200F, 0x202A, 0x202D, 0x202E, 0x2066, 0x2067, 0x2069),
    ],
)
def test_a_description_is_one_line(code_point: int) -> None:
    holder = holder_of(store_of("scratchpad"))

    refusal = refusal_of(lambda: holder.check_write(draft("new", description=f"a{chr(code_point)}b")))

    assert (refusal.code, refusal.kind) == ("invalid-argument", "description_line")
    assert f": description is not one line, character 2 is U+{code_point:04X}. " in str(refusal)


@pytest.mark.parametrize(
    "text", ["\U0001f469\u200d\U0001f4bb", "e\u0301", "a\u00a0b", "\u05d0\u200b", "a — b", "`x`"]
)
def test_a_description_may_hold_what_breaks_no_line(text: str) -> None:
    assert holder_of(store_of("scratchpad")).check_write(draft("new", description=text)).description == text


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ("csv-tool", "there is no memory of that name, the nearest is `csv-tools`."),
        ("CSV-TOOLS", "there is no memory of that name, the nearest is `csv-tools`."),
        ("deploy", "there is no memory of that name."),
    ],
)
def test_a_name_that_is_not_there_is_answered_with_the_nearest(asked: str, told: str) -> None:
    holder = holder_of(store_of("markdown"))
    for name in ("csv-tools", "api-conventions"):
        holder.create(draft(name), turn=1)

    assert str(refusal_of(lambda: holder.read(asked))).startswith(f"Cannot read `{asked}`: {told} Give ")


def test_figures_are_values_of_the_refusal() -> None:
    holder = holder_of(store_of("scratchpad", max_len_description=4))
    long = refusal_of(lambda: holder.check_write(draft("new")))
    holder.commit_write(draft("there", description="d"), turn=1)
    stale = refusal_of(lambda: holder.delete("there", expected_revision=3, turn=1))

    assert (long.name, long.figure, long.limit) == ("new", 5, 4)
    assert (stale.name, stale.figure, stale.limit) == ("there", 3, 1)
    assert refusal_of(lambda: holder.check_write(draft("x" * 500))).name == f"{'x' * 64}…"
