"""What healing makes of the replies of the corpus, and of anything that is like them."""

import re
from collections.abc import Callable
from itertools import product
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from host.core.healing import HealingSettings
from host.turn.healing import Healed, heal
from tests.helpers.replies import FOLDER, ReplyCase, reply_cases
from tests.helpers.steps import steps

FIXTURES: Final = FOLDER.parent
CASES: Final = reply_cases()
SETTINGS: Final = [
    HealingSettings(strip_fences=fences, strip_prose=prose, drop_doubled_response=doubled)
    for fences, prose, doubled in product((True, False), repeat=3)
]
PROGRAMS: Final = [
    path.read_text(encoding="utf-8").strip()
    for path in sorted([*FIXTURES.glob("programs/*.ts"), *FIXTURES.glob("quickstart/replies/*.ts")])
] + [case.healed for case in CASES if case.name.startswith("program_") and case.reads == "View: rows"]


def test_every_reply_has_its_case() -> None:
    files = {path.stem for path in FOLDER.glob("*.txt")}

    assert files == {case.name for case in CASES}
    assert len(files) >= 180
    kept = {path.name for path in (FOLDER / "healed").iterdir()}
    assert kept <= {f"{case.name}.ts" for case in CASES if case.healing}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_what_a_reply_is_healed_to(case: ReplyCase) -> None:
    healed = heal(case.text)

    assert (healed.strategies, healed.text) == (case.healing, case.healed)
    assert healed.did_not_converge is (case.name == "fence_five_deep")


@pytest.mark.parametrize("settings", SETTINGS, ids=str)
def test_under_any_settings_the_corpus_is_only_deleted_from(settings: HealingSettings) -> None:
    for case in CASES:
        healed = heal(case.text, settings)
        assert set(healed.strategies) <= settings.enabled, case.name
        assert is_subsequence(bare(healed.text), bare(case.text)), case.name
        assert heal(healed.text, settings) == settled(healed), case.name


def test_all_off_leaves_every_reply() -> None:
    off = HealingSettings(strip_fences=False, strip_prose=False)

    assert [heal(case.text, off).text for case in CASES] == [
        case.text.removeprefix("\ufeff").rstrip() for case in CASES
    ]


@pytest.mark.parametrize("settings", SETTINGS, ids=str)
def test_a_program_alone_is_never_changed(settings: HealingSettings) -> None:
    assert [heal(program, settings) for program in PROGRAMS] == [Healed(program) for program in PROGRAMS]


# What stands around programs: lines that go, whatever stands beside them.
AROUND = st.sampled_from(
    (
        "Here is the program:",
        "Sure! I'll read the file first.",
        "It doesn't close the view (that is for later).",
        "- Read the vendor's file with `files.readTextFile(path)`.",
        "# The program",
        "\u4ee5\u4e0b\u662f\u7a0b\u5e8f\uff1a",
        "Done.",
        "**Note:**",
        "---",
        "",
        "| a | b |",
        "\U0001f680",
        "I will then go on and count the rows of it, so that the next",
    )
)
SENTENCE: Final = "Let me know if anything else is needed."
FENCES = st.sampled_from(("```", "````", "~~~"))
TAGS = st.sampled_from(("ts", "typescript", "TS", "js", "", 'ts title="program.ts"', " typescript "))

# Statements whose literals hold what healing looks for.
TEXTS = st.sampled_from(
    (
        "Here is the list of rows:",
        "This program counts the rows, and then it shows them.",
        "- one item",
        "# Heading",
        "```",
        "```ts",
        "~~~",
        "foo();",
        "import { a } from 'b';",
        "};",
        "",
        "it's",
        "---",
        "Done.",
        "1. First of all",
        "(see above",
    )
)
LINES = st.lists(TEXTS, max_size=5).map("\n".join)


def template(text: str) -> str:
    return "`" + text.replace("`", "\\`") + "`"


STATEMENTS = st.one_of(
    LINES.map(lambda text: f"/*\n{text}\n*/"),
    LINES.map(lambda text: f"/** {text} */"),
    LINES.map(lambda text: "\n".join(f"// {line}" for line in text.split("\n"))),
    LINES.map(lambda text: "/**\n" + "\n".join(f" * {line}" for line in text.split("\n")) + "\n */"),
    LINES.map(lambda text: f"views.openText({template(text)}, {template(text)});"),
    LINES.map(lambda text: f"const text =\n  {template(text)}\n"),
    LINES.map(lambda text: f"views.openText(\n  'a',\n  {template(text)},\n);"),
    LINES.map(lambda text: f"const text = tag{template(text)} + `${{{template(text)}}}`;"),
    LINES.map(
        lambda text: "const lines = [\n" + "\n".join(f"{line!r}," for line in text.split("\n")) + "\n];"
    ),
    st.just("const fence = /^```$/m, tick = /`/g, quote = /[\"']/, slash = a / b / c;"),
    st.just("let count, total, first, last"),
    st.just("class Rows extends Base implements Shown\n{\n}"),
    st.just("const a = b +\n  c"),
    st.just("if (a) {\n  b();\n} else {\n  c();\n}"),
    st.just("value as unknown as Row"),
    st.just(""),
)
GENERATED = st.lists(STATEMENTS, max_size=6).map(lambda parts: "\n".join(["foo();", *parts]).strip())
ANY_PROGRAM = st.sampled_from(PROGRAMS) | GENERATED


@given(ANY_PROGRAM, st.sampled_from(SETTINGS))
def test_a_generated_program_alone_is_never_changed(program: str, settings: HealingSettings) -> None:
    assert heal(program, settings) == Healed(program)


@given(ANY_PROGRAM, st.lists(AROUND, max_size=4), st.lists(AROUND, max_size=4), FENCES, TAGS)
def test_a_program_comes_back_from_a_fence(
    program: str, before: list[str], after: list[str], fence: str, tag: str
) -> None:
    reply = "\n".join([*before, f"{fence}{tag}", program, fence, *after])

    assert heal(reply) == Healed(program, ("strip-fences",))


@given(ANY_PROGRAM, st.lists(AROUND, max_size=4), st.lists(AROUND, max_size=4))
def test_a_program_comes_back_from_prose(program: str, before: list[str], after: list[str]) -> None:
    reply = "\n".join([*before, SENTENCE, program, SENTENCE, *after])
    holds_fence = re.search("^ *(```|~~~)", program, re.MULTILINE) is not None

    assert heal(reply) == (Healed(reply.rstrip()) if holds_fence else Healed(program, ("strip-prose",)))


@given(ANY_PROGRAM, FENCES, TAGS, st.booleans())
def test_a_program_comes_back_from_an_open_fence(
    program: str, fence: str, tag: str, is_announced: bool
) -> None:
    reply = f"{SENTENCE}\n\n" * is_announced + f"{fence}{tag}\n{program}\n"

    healed = heal(reply)
    assert healed in (Healed(program, ("strip-fences",)), Healed(reply.rstrip()))
    # Where it stays, a line of the program might be the closing fence.
    assert healed.strategies or any(
        line.strip() and not line.strip().strip(fence[0]) for line in program.split("\n")
    )


PIECES = st.sampled_from(
    ("```", "```ts\n", "\n```\n", "~~~", "`", "/*", "*/", "\n", "Here it is:\n", "foo();", "\ud83d")
)
EDITS = st.lists(st.tuples(st.integers(0, 400), st.integers(0, 60), PIECES | st.text(max_size=8)), max_size=4)


@given(
    st.sampled_from([case.text for case in CASES if len(case.text) < 2000]), EDITS, st.sampled_from(SETTINGS)
)
def test_whatever_is_sent_is_only_deleted_from_and_once(
    reply: str, edits: list[tuple[int, int, str]], settings: HealingSettings
) -> None:
    for place, length, piece in edits:
        place %= len(reply) + 1
        reply = reply[:place] + piece + reply[place + length :]

    healed = heal(reply, settings)
    assert is_subsequence(bare(healed.text), bare(reply))
    assert heal(healed.text, settings) == settled(healed)
    assert not (healed.did_not_converge and healed.strategies)


# Replies that make a reader look far ahead, or back, again and again.
HOSTILE: list[Callable[[int], str]] = [
    lambda n: "`" * n,
    lambda n: "~" * n,
    lambda n: "\n" * n,
    lambda n: "x\n" * n,
    lambda n: "(" * n,
    lambda n: "[{(" * n,
    lambda n: ")\n" * n,
    lambda n: "```\n" * n,
    lambda n: "```ts\n" * n,
    lambda n: "```ts\n/*\n" + "```\n" * n,
    lambda n: "```ts\n`\n```\n" * n,
    lambda n: "```ts\n(\n" + "foo();```\n" * n,
    lambda n: "> \n" * n,
    lambda n: f"{SENTENCE}\n" * n + "foo();\n" + f"{SENTENCE}\n" * n,
    lambda n: "---\n" * n,
    lambda n: "import { a } from 'b';\n" * n + "foo();",
    lambda n: "a `b " * n,
    lambda n: "/*" * n,
    lambda n: "if" + " " * n + "()" + "/)" * n,
]


@pytest.mark.parametrize("hostile", HOSTILE, ids=lambda hostile: repr(hostile(2)))
def test_the_work_grows_with_the_length_of_the_reply(hostile: Callable[[int], str]) -> None:
    every = HealingSettings(drop_doubled_response=True)

    few, many = hostile(250), hostile(500)
    assert steps(lambda: heal(many, every)) < 2.2 * steps(lambda: heal(few, every)) + 200


def bare(text: str) -> str:
    return "".join(text.split())


def is_subsequence(part: str, whole: str) -> bool:
    rest = iter(whole)
    return all(character in rest for character in part)


def settled(healed: Healed) -> Healed:
    """What healing what is healed gives: the same, and nothing was done."""
    return Healed(healed.text, did_not_converge=healed.did_not_converge)
