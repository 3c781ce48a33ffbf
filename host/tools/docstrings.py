"""What the docstring of a function says of the function, and of each parameter."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from inspect import cleandoc

from docstring_parser import Docstring, ParseError, parse
from docstring_parser.common import DocstringMeta, DocstringParam, DocstringRaises, DocstringReturns


@dataclass(frozen=True)
class Documented:
    """The text of a docstring, less what it says of `parameters`."""

    text: str = ""
    parameters: Mapping[str, str] = field(default_factory=dict)


def read_docstring(docstring: str | None) -> Documented:
    """Reads the styles of Google, NumPy, reST and Epydoc; a docstring that says nothing of parameters is
    taken as it is.
    """
    whole = cleandoc(docstring or "")
    try:
        parsed = parse(whole)
    except ParseError:
        return Documented(whole)
    parameters = {
        part.arg_name.lstrip("*"): (part.description or "").strip()
        for part in parsed.meta
        if isinstance(part, DocstringParam)
    }
    if not parameters:
        return Documented(whole)
    return Documented("\n".join(_lines(parsed)).strip(), parameters)


def _lines(parsed: Docstring) -> Iterator[str]:
    yield parsed.short_description or ""
    if parsed.long_description:
        yield f"\n{parsed.long_description}"
    others = [told for part in parsed.meta if (told := _told(part))]
    yield from ["", *others] if others else []


def _told(part: DocstringMeta) -> str:
    said = (part.description or "").strip()
    match part:
        case DocstringParam():
            return ""
        case DocstringReturns():
            kind = part.type_name if part.type_name and part.type_name != said else ""
            return f"Returns: {said or kind}" if said or kind else ""
        case DocstringRaises():
            return f"Raises {part.type_name or 'an error'}{f': {said}' if said else '.'}"
        case _:
            return f"{part.args[0].capitalize()}:\n{said}" if part.args else said
