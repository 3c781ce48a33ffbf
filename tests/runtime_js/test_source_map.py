import pytest
from hypothesis import given
from hypothesis import strategies as st

from runtime_js.places import Place, SourceText
from runtime_js.source_map import Frame, Segment, SourceMap, decode_mappings, locate_stack, relocate_frames

BASE64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"

SEGMENTS = st.lists(
    st.lists(st.builds(Segment, *[st.integers(0, 2**31 - 1)] * 4), max_size=5).map(sorted),
    min_size=1,
    max_size=6,
)

PROGRAM = SourceText("program.ts", "const a = 'é😀';\nthrow a;\n")
MODULE = SourceText("csvTools.ts", "export const b = 1;\n")
# Line 1 has no segments, line 2 is the SDK's, line 3 starts at column 4, line 4 belongs to the module.
LINES: list[list[Segment]] = [
    [],
    [Segment(0, 0, 0, 0)],
    [Segment(4, 1, 0, 6), Segment(10, 1, 0, 13), Segment(20, 1, 1, 6)],
    [Segment(0, 2, 0, 13)],
]

LOCATED = [
    pytest.param(1, 1, None, id="the first line is gg's"),
    pytest.param(2, 1, None, id="SDK"),
    pytest.param(3, 5, Place("program.ts", 1, 7), id="at a segment"),
    pytest.param(3, 10, Place("program.ts", 1, 7), id="before the next segment"),
    pytest.param(3, 11, Place("program.ts", 1, 13), id="after a character of two units"),
    pytest.param(3, 99, Place("program.ts", 2, 7), id="after the last segment"),
    pytest.param(3, 1, Place("program.ts", 1, 7), id="before the first segment of a line"),
    pytest.param(4, 1, Place("csvTools.ts", 1, 14), id="module"),
    pytest.param(5, 1, None, id="beyond the map"),
    pytest.param(0, 0, None, id="before the first line"),
]

STACK = """\
    at call (program.js:1:200)
    at openText (program.js:2:1)
    at run (program.js:3:11)
    at map (native)
    at <eval> (<input>:4:1)
    at program.js:4:1
    at <anonymous> (program.js:4:1)
"""


@given(SEGMENTS)
def test_mappings_come_back_as_they_were(lines: list[list[Segment]]) -> None:
    assert decode_mappings(encode_mappings(lines)) == lines


@pytest.mark.parametrize("mappings", ["AAAg", "A!AA", "AAAA,,AAAA", "é"])
def test_what_is_no_mapping_is_refused(mappings: str) -> None:
    with pytest.raises(ValueError, match=r"is no digit of a source map$|ends within a number$"):
        decode_mappings(mappings)


def test_a_segment_without_a_source_is_left_out() -> None:
    assert decode_mappings("A,CAAA") == [[Segment(1, 0, 0, 0)]]


@pytest.mark.parametrize(("line", "column", "expected"), LOCATED)
def test_a_position_of_the_engine_has_a_place(line: int, column: int, expected: Place | None) -> None:
    assert map_of("\n" * 9).locate(line, column) == expected


def test_the_engine_counts_bytes_and_breaks_no_line_at_a_separator() -> None:
    # The map counts a line more, and in it a column less for each byte of a character but the first.
    source_map = map_of("// gg\n`\u2028\n    é字a.b`")
    lines = [[], [], [], [Segment(4, 1, 0, 0), Segment(6, 1, 1, 0)]]
    beyond = SourceMap(source_map.js, encode_mappings(lines), (None, PROGRAM, MODULE))

    assert beyond.locate(3, 5 + 2 + 3) == Place("program.ts", 2, 1)
    assert beyond.locate(3, 5 + 2) == Place("program.ts", 1, 1)


def test_a_map_is_decoded_at_the_first_question_only() -> None:
    source_map = SourceMap("x", "no mapping", ())

    with pytest.raises(ValueError, match=r"^' ' is no digit of a source map$"):
        source_map.locate(1, 1)


def test_a_stack_keeps_the_frames_of_the_guests_own_texts() -> None:
    assert locate_stack(STACK, map_of("\n" * 9)) == (
        Frame("run", "program.ts", 1, 13),
        Frame("", "csvTools.ts", 1, 14),
    )


def test_of_a_long_stack_ten_frames_are_kept() -> None:
    stack = f"    at {'f' * 500} (program.js:3:5)\n" * 20

    assert locate_stack(stack, map_of("\n" * 9)) == (Frame("f" * 80, "program.ts", 1, 7),) * 10


@given(st.text() | st.text(alphabet="at (program.js:123)\n", max_size=200))
def test_any_stack_names_places_of_the_guest_only(stack: str) -> None:
    for frame in locate_stack(stack, map_of("\n" * 9)):
        assert frame.file in ("program.ts", "csvTools.ts")


def test_a_text_with_frames_in_it_is_told_in_the_guests_own_places() -> None:
    text = f"x (program.js:3:5)\nError: e\n{STACK}\n    at x (program.js:3:5) y"

    assert relocate_frames(text, map_of("\n" * 9)) == (
        "x (program.js:3:5)\nError: e\n    at run (program.ts:1:13)\n    at map (native)\n"
        "    at <eval> (<input>:4:1)\n    at program.js:4:1\n    at csvTools.ts:1:14\n\n"
        "    at x (program.js:3:5) y"
    )


def map_of(js: str) -> SourceMap:
    return SourceMap(js, encode_mappings(LINES), (None, PROGRAM, MODULE))


def encode_mappings(lines: list[list[Segment]]) -> str:
    source = source_line = source_column = 0
    encoded = []
    for line in lines:
        column = 0
        texts = []
        for segment in line:
            deltas = (
                segment.column - column,
                segment.source - source,
                segment.source_line - source_line,
                segment.source_column - source_column,
            )
            texts.append("".join(map(encode_vlq, deltas)))
            column, source, source_line, source_column = segment
        encoded.append(",".join(texts))
    return ";".join(encoded)


def encode_vlq(number: int) -> str:
    rest = -number << 1 | 1 if number < 0 else number << 1
    text = ""
    while True:
        digit, rest = rest & 31, rest >> 5
        text += BASE64[digit | (32 if rest else 0)]
        if not rest:
            return text
