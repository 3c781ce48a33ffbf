"""From the language server's diagnostics to gg's: places in the model's own text, names the model knows.

Only errors count. Paths of the checker's folders become the names that diagnostics use elsewhere, advice on
compiler options goes, and an import of a file of the host reads the same whether or not that file exists.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from textwrap import dedent, indent
from typing import Final

from runtime_js.checker_project import ROOT, UNIT_NAME
from runtime_js.lsp import LspError
from runtime_js.places import SourceText
from runtime_js.units import Diagnostic

__all__ = ["Names", "mend_report", "read_report"]

FIRST_LINES: Final = 5
LAST_LINES: Final = 4
HELPFUL_LINES: Final = 2
MESSAGE_CHARS: Final = 2_000

_ERROR: Final = 1  # of the protocol's severities
_NEXT_ITEM: Final = b',{"range":{'
_PATH: Final = re.compile(rf"(?:{ROOT}/\d+|\.)/(\w+)")
_ADVICE: Final = re.compile(
    r"(?<=\.) (?:Do you need to (?:change your target library|install type definitions)"
    r"|Try changing the 'lib' compiler option|Did you mean to set the 'moduleResolution' option"
    r"|Consider using (?:'import \* as |'export default' or |'--)).*"
)
# A JavaScript file of the host is found, though never read: say what is said of one that does not exist.
_FOUND: Final[Mapping[int, tuple[re.Pattern[str], str, int]]] = {
    7016: (
        re.compile(
            r"Could not find a declaration file for module ('.*')\. '.*' implicitly has .*", re.DOTALL
        ),
        r"Cannot find module \1 or its corresponding type declarations.",
        2307,
    ),
    2665: (
        re.compile(r"(Invalid module name in augmentation)\. Module ('.*') resolves to .*", re.DOTALL),
        r"\1, module \2 cannot be found.",
        2664,
    ),
}
# Related places repeat what the message says; these say what to do.
_HELPFUL: Final = re.compile(
    r"(?:An argument|Arguments) for .* (?:was|were) not provided|Did you |Are you missing "
)


class Names:
    """What the checker's files are called outside of it. `keys` are those of the modules in the folder."""

    def __init__(self, unit_file: str, keys: Iterable[str]) -> None:
        self._names: Final = {f"m{key.encode().hex()}": key for key in keys}
        self._unit: Final = unit_file.removesuffix(".ts")

    def readable(self, text: str) -> str:
        """`text` with the paths of the checker's folders replaced by names."""
        return _PATH.sub(self._name, text)

    def _name(self, found: re.Match[str]) -> str:
        name = found[1]
        if name in self._names:
            return self._names[name]
        if not found[0].startswith(ROOT):
            return found[0]
        return self._unit if f"{name}.ts" == UNIT_NAME else name


def read_report(
    report: object, source: SourceText, names: Names, *, show_source: bool = True
) -> tuple[Diagnostic, ...]:
    """The errors of a report on `source`, in the order of their places. Raises `LspError` for no report."""
    match report:
        case {"items": [*items]}:
            errors = [item for item in items if isinstance(item, dict) and item.get("severity") == _ERROR]
        case _:
            raise LspError(f"no report: {report!r:.200}")
    diagnostics = [_diagnostic(error, source, names, show_source=show_source) for error in errors]
    return tuple(sorted(diagnostics, key=lambda diagnostic: (diagnostic.line, diagnostic.column)))


def mend_report(head: bytes) -> bytes:
    """Ends a report that was cut off after its last whole diagnostic; later ones are lost."""
    # Quotes within a message are escaped, so the text of a program cannot look like the start of an item.
    end = head.rfind(_NEXT_ITEM)
    if end < 0:
        raise LspError("a report whose first diagnostic is larger than a frame may be")
    return head[:end] + b"]}}"


def _diagnostic(
    error: dict[str, object], source: SourceText, names: Names, *, show_source: bool
) -> Diagnostic:
    match error:
        case {
            "range": {
                "start": {"line": int(line), "character": int(column)},
                "end": {"line": int(end_line), "character": int(end_column)},
            },
            "code": int(code),
            "message": str(message),
        }:
            code, message = _as_if_absent(code, message)
        case _:
            raise LspError(f"no diagnostic: {error!r:.200}")
    start = source.offset_of_editor(line, column)
    end = source.offset_of_editor(end_line, end_column)
    place = source.place(start)
    return Diagnostic(
        file=source.file,
        line=place.line,
        column=place.column,
        message=names.readable(_bounded(_ADVICE.sub("", message), _helpful(error))),
        code=f"TS{code}",
        source_line=source.line(place.line) if show_source else None,
        length=max(1, end - start) if line == end_line else 1,
    )


def _as_if_absent(code: int, message: str) -> tuple[int, str]:
    if code not in _FOUND:
        return code, message
    pattern, replacement, absent_code = _FOUND[code]
    found = pattern.fullmatch(message)
    return absent_code, found.expand(replacement) if found else "Cannot find this module."


def _helpful(error: dict[str, object]) -> Iterator[str]:
    match error:
        case {"relatedInformation": [*related]}:
            for information in related:
                match information:
                    case {"message": str(message)} if _HELPFUL.match(message):
                        yield f"  {message}"


def _bounded(message: str, helpful: Iterator[str]) -> str:
    """A message with its explanations, indented as the compiler does, and not more than fits."""
    lines = message.split("\n")
    if len(lines) > FIRST_LINES + LAST_LINES + 1:
        # The innermost explanation is the cause.
        cause = dedent("\n".join(lines[-LAST_LINES:]))
        lines[FIRST_LINES:] = indent(f"…\n{cause}", "  " * FIRST_LINES).split("\n")
    lines += islice(helpful, HELPFUL_LINES)
    text = "\n".join(lines)
    return text if len(text) <= MESSAGE_CHARS else text[: MESSAGE_CHARS - 1] + "…"
