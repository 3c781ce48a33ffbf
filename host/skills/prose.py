"""The prose of a skill: front matter between two lines `---`, and the text below it.

Of the front matter `description` is read, and `name` where it is there; what else other readers of such files
know is passed over. It is YAML of which nothing is built: keys and texts alone are taken.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import yaml

from host.core.source_text import place_of
from host.core.text import nearest, place_of_control, quoted, utf8_length
from host.skills.model import MAX_BODY_BYTES, MAX_DESCRIPTION_CHARS, MAX_FRONT_MATTER_CHARS, Fault

_FRONT: Final = re.compile(
    r"---[ \t]*(?:\r\n?|\n)(?P<yaml>.*?)^---[ \t]*(?:\r\n?|\n|\Z)", re.DOTALL | re.MULTILINE
)
_OPENED: Final = re.compile(r"---[ \t]*(?:\r|\n|\Z)")
_WRITE: Final = "a line ---, then description: with one line on what the skill is about, then a line ---"
# What the parser says of the commonest slips, and what helps.
_SAID: Final = {
    "mapping values are not allowed": "a colon that belongs to no key; set the text that holds it in quotes",
    r"character '\t' that cannot start": "a tab where a key or a value should begin; use spaces",
}


@dataclass(frozen=True, kw_only=True)
class Prose:
    """What a file of prose gives. Where it has `faults` its other values are no use."""

    description: str = ""
    body: str = ""
    faults: tuple[Fault, ...] = ()


def has_front_matter(text: str) -> bool:
    """Whether the text begins as the prose of a skill does."""
    return _OPENED.match(text) is not None


def parse_prose(text: str, *, file: Path, name: str) -> Prose:
    """The prose in a text; `name` is that of the skill, and `file` is what faults are placed in."""
    found = _FRONT.match(text)
    if found is None:
        if has_front_matter(text):
            message = "the front matter that begins here has no end; close it with a line ---"
        else:
            message = f"needs front matter above the prose: {_WRITE}"
        return Prose(faults=(Fault(file=file, message=message),))
    front = _FrontMatter(text, found.start("yaml"), found["yaml"], file)
    description = front.description()
    front.check_name(name)
    body = text[found.end() :].strip()
    front.check_body(body, found.end())
    return Prose(description=description, body=body, faults=tuple(front.faults))


class _FrontMatter:
    """Reads one, and gathers everything that is wrong."""

    def __init__(self, text: str, start: int, written: str, file: Path) -> None:
        self._text: Final = text
        self._start: Final = start
        self._file: Final = file
        self.faults: Final[list[Fault]] = []
        self._is_readable = True
        self._entries: Final = dict(self._read(written))

    def description(self) -> str:
        if not self._is_readable:
            return ""
        node = self._entries.get("description")
        if node is None:
            near = nearest("description", self._entries, count=1)
            hint = f"; {quoted(near[0])} is not read" if near else ""
            self._fault(self._start, f"needs a key description: one line on what the skill is about{hint}")
            return ""
        at, value = self._text_at(node, "description")
        line = " ".join(value.split())
        if value and not line:
            self._fault(at, "the description is blank; say in one line what the skill is about")
        elif (place := place_of_control(line)) is not None:
            self._fault(
                at, f"the description holds {quoted(line[place])}, which no line of text does; take it out"
            )
        elif len(line) > MAX_DESCRIPTION_CHARS:
            figures = f"{len(line):,} characters, limit {MAX_DESCRIPTION_CHARS:,}"
            self._fault(at, f"description: {figures}; say the rest in the prose")
        return line

    def check_name(self, name: str) -> None:
        node = self._entries.get("name")
        if node is None:
            return
        at, written = self._text_at(node, "name")
        if written and written.strip() != name:
            told = (
                f"the name is {quoted(written)}, and the skill is called {quoted(name)} by its file or folder"
            )
            self._fault(at, f"{told}; make them the same, or leave name out")

    def check_body(self, body: str, end: int) -> None:
        if not body:
            self._fault(end, "there is no prose below the front matter; say what an agent has to know")
        elif (size := utf8_length(body)) > MAX_BODY_BYTES:
            figures = f"{size:,} bytes, limit {MAX_BODY_BYTES:,}"
            self._fault(end, f"prose: {figures}; an agent reads it whole, so make two skills of it")

    def _read(self, written: str) -> Iterator[tuple[str, yaml.Node]]:
        if len(written) > MAX_FRONT_MATTER_CHARS:
            figures = f"{len(written):,} characters, limit {MAX_FRONT_MATTER_CHARS:,}"
            self._unreadable(0, f"front matter: {figures}")
            return
        try:
            root = yaml.compose(written, Loader=yaml.SafeLoader)
        except yaml.MarkedYAMLError as error:
            self._unreadable(_met_at(error), f"no YAML: {_told(error)}")
            return
        except yaml.reader.ReaderError as error:
            self._unreadable(error.position, "no YAML: a control character")
            return
        except (ValueError, OverflowError, RecursionError):
            self._unreadable(0, "no YAML: nested too deeply, or an escape that is out of range")
            return
        if root is None:
            return
        if not isinstance(root, yaml.MappingNode):
            self._unreadable(root.start_mark.index, f"needs keys: {_WRITE}")
            return
        seen: set[str] = set()
        for key, value in root.value:
            if not isinstance(key, yaml.ScalarNode):
                continue
            if key.value in seen and key.value in ("name", "description"):
                self._fault(self._start + key.start_mark.index, f"{key.value} is written twice; keep one")
            seen.add(key.value)
            yield key.value, value

    def _text_at(self, node: yaml.Node, key: str) -> tuple[int, str]:
        """Where a value stands, and its text; empty where it is none, which is a fault."""
        at = self._start + node.start_mark.index
        if isinstance(node, yaml.ScalarNode) and node.value:
            return at, node.value
        self._fault(at, f"{key} needs a text")
        return at, ""

    def _unreadable(self, index: int, message: str) -> None:
        self._is_readable = False
        self._fault(self._start + index, message)

    def _fault(self, index: int, message: str) -> None:
        line, column = place_of(self._text[:index])
        self.faults.append(Fault(file=self._file, message=message, line=line, column=column))


def _met_at(error: yaml.MarkedYAMLError) -> int:
    """Where the error is met, or where what has no end begins."""
    is_endless = "end of stream" in (error.problem or "")
    mark = (is_endless and error.context_mark) or error.problem_mark or error.context_mark
    return mark.index if mark else 0


def _told(error: yaml.MarkedYAMLError) -> str:
    problem = error.problem or "it cannot be read"
    return next((told for said, told in _SAID.items() if said in problem), problem)
