"""Takes a program out of what a model wrapped it in. It deletes, nothing else; when unsure, not even that.

A reply that is left as it is meets the compiler, and the model reads where; code deleted by mistake is lost.
So one block must hold the program, and no line outside it may be code. A byte order mark at the start and
white space at the end are taken off without being counted as a repair.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from host.turn.line_shapes import is_certainly_code, is_certainly_prose

STRIP_FENCES: Final = "strip-fences"

_PASSES: Final = 4
_MAX_BLOCKS: Final = 20
_PROGRAM_TAGS: Final = frozenset(
    ("ts", "typescript", "tsx", "mts", "cts", "js", "javascript", "jsx", "mjs", "cjs", "node")
)
_START: Final = re.compile("\ufeff*(?:(?:[^\\S\n]|\ufeff)*\n)*\ufeff*")
_OPENING: Final = re.compile(r"(?P<indent>[ \t]*)(?P<fence>`{3,}(?=[^`]*$)|~{3,})[ \t]*(?P<info>.*)$")
_GLUED_OPENING: Final = re.compile(r"(?P<before>.*[^`\s])[ \t]*(?P<fence>`{3,})(?P<info>[A-Za-z]+)$")
_TAG: Final = re.compile(r"\{?\.?(?P<tag>[A-Za-z]+)(?P<rest>.*)$")
_ATTRIBUTES: Final = re.compile(r"([:{}=,#]\S*)?(\s+(\{[^}]*\}|[\w./-]+(=\S*)?|\"[^\"]*\"))*\s*$")


@dataclass(frozen=True)
class Healed:
    """The program to compile, and the repairs that were made to get it."""

    text: str
    strategies: tuple[str, ...]


def heal(reply: str, *, strip_fences: bool) -> Healed:
    """The reply as a program. A repair is repeated until it finds nothing; after four times none is made."""
    # What is not repaired keeps its first lines, blank or not, so that a line told is the line of the reply.
    untouched = Healed(reply.lstrip("\ufeff").rstrip(), ())
    text = whole = _without_margins(reply)
    for _ in range(_PASSES if strip_fences else 0):
        stripped = _fenced_program(text)
        if stripped is None:
            return Healed(text, (STRIP_FENCES,)) if text != whole else untouched
        text = stripped
    return untouched


def _without_margins(text: str) -> str:
    return _START.sub("", text, count=1).rstrip()


@dataclass(frozen=True)
class _Fence:
    """What opens a block. `first` is code on the same line; `plain` is false where the line may hold more."""

    mark: str
    indent: str
    tag: str
    first: str | None = None
    before: str | None = None
    plain: bool = True

    def is_closed_by(self, line: str) -> bool:
        bare = line.strip(" \t\r")
        inset = len(line) - len(line.lstrip(" \t"))
        return len(bare) >= len(self.mark) and not bare.strip(self.mark[0]) and inset <= len(self.indent) + 3


@dataclass
class _Block:
    fence: _Fence
    lines: list[str]
    closed: bool = False

    @property
    def body(self) -> list[str]:
        """The lines without the indent of the fence, where all of them have it."""
        indent = self.fence.indent
        if not all(line.startswith(indent) for line in self.lines if line.strip()):
            return self.lines
        return [line[len(indent) :] if line.strip() else line for line in self.lines]


@dataclass
class _Scan:
    blocks: list[_Block] = field(default_factory=list)
    outside: list[str] = field(default_factory=list)


def _fenced_program(text: str) -> str | None:
    """The body of the one block that holds the program; `None` where that is not certain."""
    scan = _scan(text.split("\n"))
    block = _candidate(scan.blocks)
    if block is None or not block.fence.plain or _holds_another(block) or len(scan.blocks) > _MAX_BLOCKS:
        return None
    others = [line for other in scan.blocks if other is not block for line in other.lines]
    if any(map(is_certainly_code, scan.outside + others)):
        return None
    if not block.closed and not (len(scan.blocks) == 1 and all(map(_is_prose_or_blank, scan.outside))):
        return None
    return _without_margins("\n".join(block.body))


def _candidate(blocks: Sequence[_Block]) -> _Block | None:
    """The only block of the first sort there is: tagged as a program, untagged, another tag over code."""
    filled = [block for block in blocks if any(line.strip() for line in block.lines)]
    tagged = [block for block in filled if block.fence.tag in _PROGRAM_TAGS]
    untagged = [block for block in filled if not block.fence.tag]
    code = [block for block in filled if any(map(is_certainly_code, block.lines))]
    found = tagged or untagged or code
    return found[0] if len(found) == 1 else None


def _holds_another(block: _Block) -> bool:
    """Whether a second program opens inside, since the first block was not closed."""
    fences = [_opening(line) for line in block.lines if line.strip()]
    return any(fence is not None and fence.tag in _PROGRAM_TAGS for fence in fences[1:])


def _is_prose_or_blank(line: str) -> bool:
    return not line.strip() or is_certainly_prose(line)


def _scan(lines: Sequence[str]) -> _Scan:
    scan = _Scan()
    place = 0
    while place < len(lines) and len(scan.blocks) <= _MAX_BLOCKS:
        fence = _opening(lines[place])
        place += 1
        if fence is None:
            scan.outside.append(lines[place - 1])
            continue
        if fence.before is not None:
            scan.outside.append(fence.before)
        block, place = _read_block(fence, lines, place)
        scan.blocks.append(block)
    return scan


def _read_block(fence: _Fence, lines: Sequence[str], start: int) -> tuple[_Block, int]:
    """The block that `fence` opened, and the place after it."""
    first = [] if fence.first is None else [fence.first]
    for place in range(start, len(lines)):
        if fence.is_closed_by(lines[place]):
            return _Block(fence, [*first, *lines[start:place]], closed=True), place + 1
    ticks = sum(line.count("`") for line in first)
    for place in range(start, len(lines)):
        code = lines[place].rstrip().removesuffix(fence.mark)
        ends_here = len(code) < len(lines[place].rstrip()) and not code.endswith(fence.mark[0])
        ticks += code.count("`")
        # An odd count of backticks leaves a template open, and the run would belong to it.
        if ends_here and ticks % 2 == 0 and is_certainly_code(code):
            return _Block(fence, [*first, *lines[start:place], code], closed=True), place + 1
    return _Block(fence, [*first, *lines[start:]]), len(lines)


def _opening(line: str) -> _Fence | None:
    """The fence that a line opens: alone, with a tag, with code after it, or after a sentence."""
    line = line.rstrip()
    if found := _OPENING.match(line):
        return _fence_of(found["fence"], found["indent"], found["info"])
    glued = _GLUED_OPENING.match(line)
    if glued and glued["info"].lower() in _PROGRAM_TAGS and is_certainly_prose(glued["before"]):
        return _Fence(glued["fence"], "", glued["info"].lower(), before=glued["before"])
    return None


def _fence_of(mark: str, indent: str, info: str) -> _Fence:
    tagged = _TAG.match(info)
    tag, rest = (tagged["tag"].lower(), tagged["rest"]) if tagged else ("", info)
    if tag in _PROGRAM_TAGS and rest[:1].isspace() and is_certainly_code(rest):
        return _Fence(mark, indent, tag, first=rest.strip())
    if is_certainly_code(info):
        return _Fence(mark, indent, "", first=info)
    return _Fence(mark, indent, tag, plain=_ATTRIBUTES.match(rest) is not None)
