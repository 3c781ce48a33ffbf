"""On which line each key and entry of a TOML document stands, which the standard library does not tell."""

import re
import tomllib
from collections.abc import Mapping
from typing import Final

from host.launch.places import Path

_TOKEN: Final = re.compile(
    r'"""(?:[^\\]|\\.)*?"{3,5}'
    r"|'''.*?'{3,5}"
    r'|"(?:[^"\\\n]|\\.)*"'
    r"|'[^'\n]*'"
    r"|#[^\n]*"
    r"|[\[\]{}=,.\n]"
    r"|[^\s\[\]{}=,.#\"']+",
    re.DOTALL,
)


def toml_lines(text: str) -> Mapping[Path, int]:
    """The line, from 1, of each place of a text that has been parsed, and is therefore well-formed."""
    return _Walk(text).lines


class _Walk:
    """One pass over the tokens."""

    def __init__(self, text: str) -> None:
        self._tokens: Final = [match for match in _TOKEN.finditer(text) if not match[0].startswith("#")]
        self._text: Final = text
        self._at = 0
        self._line = 1
        self._counted = 0
        self._last_index: Final[dict[Path, int]] = {}  # of each `[[table]]`
        self.lines: Final[dict[Path, int]] = {(): 1}
        self._statements()

    def _statements(self) -> None:
        table: Path = ()
        while self._skip_line_ends():
            if self._token == "[":
                table = self._header()
            else:
                self._pair(table)

    def _header(self) -> Path:
        """`[a.b]` or `[[a.b]]`: the table that the pairs below it belong to."""
        line = self._line_here()
        self._at += 1
        is_entry = self._token == "["
        self._at += is_entry
        *outer, last = self._key()
        table: Path = ()
        for step in outer:
            table = self._inside((*table, step), line)
        table = (*table, last)
        self.lines.setdefault(table, line)
        if is_entry:
            self._last_index[table] = self._last_index.get(table, -1) + 1
            table = self._inside(table, line)
        self._at += 1 + is_entry
        return table

    def _inside(self, path: Path, line: int) -> Path:
        """The table at a path, of several the last."""
        self.lines.setdefault(path, line)
        if path in self._last_index:
            path = (*path, self._last_index[path])
            self.lines.setdefault(path, line)
        return path

    def _pair(self, table: Path) -> None:
        line = self._line_here()
        path = table
        for step in self._key():
            path = (*path, step)
            self.lines.setdefault(path, line)
        self._at += 1
        self._value(path)

    def _key(self) -> list[str]:
        """The steps of a dotted key; stops at what comes after it."""
        steps = [self._unquoted()]
        while self._token == ".":
            self._at += 1
            steps.append(self._unquoted())
        return steps

    def _unquoted(self) -> str:
        token = self._token
        self._at += 1
        if token[0] not in "\"'":
            return token
        read: str = tomllib.loads(f"k = {token}")["k"]
        return read

    def _value(self, path: Path) -> None:
        if self._token == "[":
            self._at += 1
            index = 0
            while self._skip_line_ends() and self._token != "]":
                self.lines[*path, index] = self._line_here()
                self._value((*path, index))
                index += 1
                self._skip_comma()
            self._at += 1
        elif self._token == "{":
            self._at += 1
            while self._skip_line_ends() and self._token != "}":
                self._pair(path)
                self._skip_comma()
            self._at += 1
        else:
            while self._at < len(self._tokens) and self._token not in (",", "]", "}", "\n"):
                self._at += 1

    def _skip_comma(self) -> None:
        if self._skip_line_ends() and self._token == ",":
            self._at += 1

    def _skip_line_ends(self) -> bool:
        """Whether there is a token after them."""
        while self._at < len(self._tokens) and self._token == "\n":
            self._at += 1
        return self._at < len(self._tokens)

    @property
    def _token(self) -> str:
        return self._tokens[self._at][0]

    def _line_here(self) -> int:
        position = self._tokens[self._at].start()
        self._line += self._text.count("\n", self._counted, position)
        self._counted = position
        return self._line
