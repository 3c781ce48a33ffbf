"""Parts a reply into its fenced blocks and the lines outside of them, as Markdown does and as models do.

Beyond Markdown: the program of a block may hold fences in its comments and templates; code may stand on the
line of the opening fence; either fence may be glued to the text before it; the last block may stay open.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

from host.turn.healing.line_shapes import is_certainly_code, is_certainly_prose, may_be_code
from runtime_js import is_left_open, literal_lines

MAX_BLOCKS: Final = 20
PROGRAM_TAGS: Final = frozenset(
    ("ts", "typescript", "tsx", "mts", "cts", "js", "javascript", "jsx", "mjs", "cjs", "node")
)
_BLANK: Final = " \t\u200b\u2060\ufeff"
_OPENING: Final = re.compile(
    rf"(?P<indent>[{_BLANK}]*)(?P<fence>`{{3,}}(?=[^`]*$)|~{{3,}})[ \t]*(?P<info>.*)$"
)
_GLUED_OPENING: Final = re.compile(r"(?P<before>.*[^`\s])[ \t]*(?P<fence>`{3,})(?P<info>[A-Za-z]+)$")
_TAG: Final = re.compile(r"\{?\.?(?P<tag>[A-Za-z][\w+#-]*)(?P<rest>.*)$")
_ATTRIBUTES: Final = re.compile(r"([:{}=,#]\S*)?(\s+(\{[^}]*\}|[\w./-]+(=\S*)?\}?|\"[^\"]*\"))*\s*(//.*)?$")


@dataclass(frozen=True)
class Fence:
    """What opens a block. `first` is code on the same line; `plain` is false where the line may hold more."""

    mark: str
    indent: str
    tag: str
    first: str | None = None
    before: str | None = None
    plain: bool = True

    @property
    def may_open_a_program(self) -> bool:
        return not self.tag or self.tag in PROGRAM_TAGS

    def is_closed_by(self, line: str) -> bool:
        bare = line.strip(_BLANK + "\r")
        inset = len(line) - len(line.lstrip(_BLANK))
        return len(bare) >= len(self.mark) and not bare.strip(self.mark[0]) and inset <= len(self.indent) + 3


@dataclass(frozen=True)
class Block:
    """`lines` are those between the fences; `within` those of them that begin in a comment or a template."""

    fence: Fence
    lines: Sequence[str]
    closed: bool

    @cached_property
    def within(self) -> frozenset[int]:
        return literal_lines("\n".join(self.lines))

    @property
    def body(self) -> list[str]:
        """The lines without the indent of the fence, where all of them have it."""
        indent = self.fence.indent
        if not all(line.startswith(indent) for line in self.lines if line.strip()):
            return list(self.lines)
        return [line[len(indent) :] if line.strip() else line for line in self.lines]


@dataclass
class Parts:
    """A reply. `unclear` says that the end of a block could not be told, and that the reading ended there."""

    blocks: list[Block] = field(default_factory=list)
    outside: list[str] = field(default_factory=list)
    unclear: bool = False


def opening(line: str) -> Fence | None:
    """The fence that a line opens: alone, with a tag, with code after it, or after a sentence."""
    line = line.rstrip()
    if found := _OPENING.match(line):
        return _fence_of(found["fence"], found["indent"], found["info"])
    glued = _GLUED_OPENING.match(line)
    if glued and glued["info"].lower() in PROGRAM_TAGS and is_certainly_prose(glued["before"]):
        return Fence(glued["fence"], "", glued["info"].lower(), before=glued["before"])
    return None


def part(text: str) -> Parts:
    """Reads at most one block more than `MAX_BLOCKS`; linear in the length of the text."""
    return _Reader(text.split("\n")).read()


class _Reader:
    def __init__(self, lines: Sequence[str]) -> None:
        self._lines: Final = lines
        self._parts: Final = Parts()
        self._may_look_on = True

    def read(self) -> Parts:
        parts, place = self._parts, 0
        while place < len(self._lines) and len(parts.blocks) <= MAX_BLOCKS and not parts.unclear:
            fence = opening(self._lines[place])
            place += 1
            if fence is None:
                parts.outside.append(self._lines[place - 1])
                continue
            if fence.before is not None:
                parts.outside.append(fence.before)
            place = self._read_block(fence, place)
        return parts

    def _read_block(self, fence: Fence, start: int) -> int:
        """Reads the block that `fence` opened, and gives the place after it."""
        first = [] if fence.first is None else [fence.first]
        place = next((i for i in range(start, len(self._lines)) if fence.is_closed_by(self._lines[i])), None)
        if place is not None and fence.may_open_a_program:
            place = self._end_of_program(fence, first, start, place)
        if place is not None:
            self._parts.blocks.append(Block(fence, [*first, *self._lines[start:place]], closed=True))
            return place + 1
        return self._read_unclosed(fence, first, start)

    def _end_of_program(self, fence: Fence, first: list[str], start: int, nearest: int) -> int:
        """The place of the first closing fence that stands in no comment and no template of the program."""
        shift = len(first) - start
        if nearest + shift not in literal_lines("\n".join([*first, *self._lines[start : nearest + 1]])):
            return nearest
        within = self._look_on([*first, *self._lines[start:]])
        if within is None:
            self._parts.unclear = True
            return nearest
        closings = [i for i in range(nearest, len(self._lines)) if fence.is_closed_by(self._lines[i])]
        found = next((i for i in closings if i + shift not in within), None)
        self._parts.unclear = found is None and not self._closes_what_is_cut(fence, start, closings)
        return nearest if found is None else found

    def _look_on(self, lines: Sequence[str]) -> frozenset[int] | None:
        """The lines in literals to the end of the reply; `None` the second time: so reading stays linear."""
        may_look_on, self._may_look_on = self._may_look_on, False
        return literal_lines("\n".join(lines)) if may_look_on else None

    def _closes_what_is_cut(self, fence: Fence, start: int, closings: Sequence[int]) -> bool:
        """Whether the first of the fences, all in literals, closes a block whose last literal has no end.

        It does where that is the only fence and no literal ends below it, and where the block is a text.
        """
        nearest = closings[0]
        is_text = not fence.tag and not any(map(is_certainly_code, self._lines[start:nearest]))
        below = "\n".join(self._lines[nearest + 1 :])
        return is_text or (len(closings) == 1 and "*/" not in below and "`" not in below)

    def _read_unclosed(self, fence: Fence, first: list[str], start: int) -> int:
        """As `_read_block`, where no line is a closing fence; one may be glued to the last line of code."""
        lines = [*first, *self._lines[start:]]
        place = self._glued_closing(fence, lines)
        if place is None:
            self._parts.blocks.append(Block(fence, lines, closed=False))
            return len(self._lines)
        last = lines[place].rstrip().removesuffix(fence.mark)
        self._parts.blocks.append(Block(fence, [*lines[:place], last], closed=True))
        return start - len(first) + place + 1

    def _glued_closing(self, fence: Fence, lines: Sequence[str]) -> int | None:
        """The first line of code in no literal that ends with the fence; none if that is a template's end."""
        ends = (place for place, line in enumerate(lines) if _is_code_before(fence, line.rstrip()))
        place = next(ends, None)
        if place is not None and place in literal_lines("\n".join(lines[: place + 1])):
            within = self._look_on(lines)
            place = next((place for place in ends if within is not None and place not in within), None)
        if place is None:
            return None
        last = lines[place].rstrip().removesuffix(fence.mark)
        return None if is_left_open("\n".join([*lines[:place], last])) else place


def _is_code_before(fence: Fence, line: str) -> bool:
    code = line.removesuffix(fence.mark)
    is_glued = len(code) < len(line) and not code.endswith(fence.mark[0])
    return is_glued and "//" not in code and may_be_code(code)  # not in a comment


def _fence_of(mark: str, indent: str, info: str) -> Fence:
    tagged = _TAG.match(info)
    tag, rest = (tagged["tag"].lower(), tagged["rest"]) if tagged else ("", info)
    if tag in PROGRAM_TAGS and rest[:1].isspace() and is_certainly_code(rest):
        return Fence(mark, indent, tag, first=rest.strip())
    if is_certainly_code(info):
        return Fence(mark, indent, "", first=info)
    return Fence(mark, indent, tag, plain=_ATTRIBUTES.match(rest) is not None)
