"""Takes a program out of the one block that holds it. No line outside the block may be code."""

import re
from collections.abc import Sequence
from typing import Final

from host.turn.healing.blocks import MAX_BLOCKS, PROGRAM_TAGS, Block, opening, part
from host.turn.healing.line_shapes import (
    is_certainly_code,
    is_certainly_prose,
    is_idle,
    is_ornament,
    may_be_code,
)

# Blocks in these languages hold no program, whatever their lines look like.
_OTHER_LANGUAGE: Final = re.compile(
    r"bash|bat|c|cmd|console|cpp|cs|csharp|css|csv|diff|dockerfile|go|graphql|html|ini|java|json|json5|jsonc"
    r"|jsonl|kotlin|lua|makefile|mermaid|patch|perl|php|powershell|ps1|py|python|r|rb|ruby|rust|scala|sh|shell"
    r"|sql|svg|swift|toml|tsv|xml|yaml|yml|zsh"
)


def strip_fences(text: str) -> str | None:
    """The body of the block that holds the program; `None` where that is not certain."""
    parts = part(text)
    block = _candidate(parts.blocks)
    if block is None or parts.unclear or len(parts.blocks) > MAX_BLOCKS:
        return None
    if not block.fence.plain or _holds_another(block) or any(map(may_be_code, parts.outside)):
        return None
    if any(_is_code(other) for other in parts.blocks if other is not block):
        return None
    if not block.closed and not (len(parts.blocks) == 1 and all(map(_is_no_more_than_prose, parts.outside))):
        return None
    return "\n".join(block.body)


def _candidate(blocks: Sequence[Block]) -> Block | None:
    """The only block of the first sort there is: tagged as a program, untagged, another tag over code."""
    filled = [block for block in blocks if any(line.strip() for line in block.lines)]
    tagged = [block for block in filled if block.fence.tag in PROGRAM_TAGS]
    untagged = [block for block in filled if not block.fence.tag and _may_be_program(block)]
    found = tagged or untagged or [block for block in filled if _is_code(block)]
    return found[0] if len(found) == 1 else None


def _is_code(block: Block) -> bool:
    return not _OTHER_LANGUAGE.fullmatch(block.fence.tag) and any(map(is_certainly_code, block.lines))


def _may_be_program(block: Block) -> bool:
    """Whether the lines, though nobody says so, can be those of a program rather than of a text."""
    return any(may_be_code(line) or is_idle(line) for line in block.lines)


def _holds_another(block: Block) -> bool:
    """Whether a second program opens inside, since the block of the first was not closed."""
    if not block.fence.may_open_a_program:
        return False
    lines = [line for number, line in enumerate(block.lines) if number not in block.within and line.strip()]
    fences = [opening(line) for line in lines]
    return any(fence is not None and fence.tag in PROGRAM_TAGS for fence in fences[1:])


def _is_no_more_than_prose(line: str) -> bool:
    return not line.strip() or is_certainly_prose(line) or is_ornament(line)
