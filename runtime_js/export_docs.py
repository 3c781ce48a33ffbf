"""What a module exports, as the language server describes it: completion gives the names, hover the rest.

The questions are asked in a unit that imports the module as a namespace. A signature is TypeScript text, of
classes, interfaces, enums and namespaces with their members; a comment is the text of the JSDoc comment with
its tags, free of the mark-up that the server adds.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from runtime_js.checker_project import ROOT
from runtime_js.checker_report import Names
from runtime_js.lsp import LspError
from runtime_js.units import ExportDoc, ExportKind

__all__ = ["Ask", "ExportReader"]

EXPORTS: Final = 200
SIGNATURE_CHARS: Final = 2_000
COMMENT_CHARS: Final = 4_000

Ask = Callable[[str, int, int, Mapping[str, object]], object]

_ALIAS: Final = "$module"
_IDENTIFIER: Final = re.compile(r"(?:[^\W\d]|\$)[\w$]*")
_HOVER: Final = re.compile(r"```typescript\n(.*?)\n```\n?(.*)", re.DOTALL)

# The first keyword of these with which a signature declares something tells the kind.
_KINDS: Final[Mapping[str, ExportKind]] = {
    "class": "class",
    "function": "function",
    "const": "constant",
    "let": "constant",
    "var": "constant",
    "enum": "constant",
    "namespace": "constant",
    "interface": "type",
    "type": "type",
}
_DECLARED: Final = re.compile(rf"^((?:abstract |const (?=enum))?)({'|'.join(_KINDS)}) ([\w$]+)", re.MULTILINE)
_WITHOUT_MEMBERS: Final = frozenset({"class", "interface", "enum", "namespace"})
_HIDDEN_MEMBER: Final = re.compile(r"^ +(?:private |#|namespace [\w$]+ \{ \}).*\n", re.MULTILINE)
_OPTIONAL: Final = re.compile(r"(\?: [^;,(){}\n]+) \| undefined(?=[;,)])")
_NAMED_TYPE: Final = re.compile(r"(?:const|let|var) [\w$]+: (?![(<{]|(?:abstract )?new )")

_LINK: Final = re.compile(rf"\[`?([^\]\n]*?)`?\]\(file://{ROOT}[^)\n]*\)")
_TAG: Final = re.compile(r"\n*^\*@(\w+)\*(?: `([^`\n]*)`)?(?: [—-](?= ))?", re.MULTILINE)
_EXAMPLE: Final = re.compile(r"^@example\n```tsx\n(.*?)\n```$", re.MULTILINE | re.DOTALL)


class ExportReader:
    """Reads the exports of one module.

    `show` replaces the unit's text; `ask` puts a question (method, line, column, more) about a place in it.
    Raises `LspError` where an answer is none.
    """

    def __init__(self, key: str, names: Names, *, show: Callable[[str], None], ask: Ask) -> None:
        self._import: Final = f'import * as {_ALIAS} from "{key}";'
        self._names: Final = names
        self._show: Final = show
        self._ask: Final = ask

    def read(self) -> tuple[ExportDoc, ...]:
        """The exports by name, at most `EXPORTS`; a name that is no identifier is left out."""
        any_value, any_type = f"{_ALIAS}.", f";type $Type = {_ALIAS}."
        self._show("\n".join([self._import, any_value, any_type]))
        values = self._complete(1, len(any_value))
        types = self._complete(2, len(any_type)) - values
        exports = [_Export(name, n, name in types) for n, name in enumerate(sorted(values | types)[:EXPORTS])]
        self._show("\n".join([self._import, *(line for export in exports for line in export.lines)]))
        return tuple(self._describe(export) for export in exports)

    def _complete(self, line: int, column: int) -> set[str]:
        match self._ask("completion", line, column, {}):
            case {"items": [*items]}:
                labels = [item.get("label") for item in items if isinstance(item, dict)]
                return {label for label in labels if isinstance(label, str) and _IDENTIFIER.fullmatch(label)}
            case None:
                return set()
            case answer:
                raise LspError(f"no completion: {answer!r:.200}")

    def _describe(self, export: "_Export") -> ExportDoc:
        signature, comment = self._hover(*export.use) or (f"const {export.name}: any", "")
        keyword = _keyword(signature)
        if keyword in _WITHOUT_MEMBERS:
            signature, _ = self._hover(*export.use, with_members=True) or (signature, "")
        kind = _KINDS[keyword]
        if kind == "constant" and not export.is_type and self._is_callable(export):
            kind = "function"
            if _NAMED_TYPE.match(signature):
                # A name says little where it is not exported itself.
                signature = self._calls(export) or signature
        return ExportDoc(
            name=export.name,
            kind=kind,
            signature=_cut(_renamed(signature, export.name), SIGNATURE_CHARS),
            comment=_cut(comment, COMMENT_CHARS),
        )

    def _hover(self, line: int, column: int, *, with_members: bool = False) -> tuple[str, str] | None:
        """Signature and comment of the name at a place; None where the name means nothing."""
        match self._ask("hover", line, column, {"verbosityLevel": int(with_members)}):
            case {"contents": {"value": str(text)}}:
                found = _HOVER.fullmatch(text)
                return (self._signature(found[1]), self._comment(found[2])) if found else None
            case None:
                return None
            case answer:
                raise LspError(f"no hover: {answer!r:.200}")

    def _is_callable(self, export: "_Export") -> bool:
        answer = self._hover(*export.test)
        return answer is not None and answer[0].endswith("= 1")

    def _calls(self, export: "_Export") -> str:
        """The call signatures, one a line."""
        match self._ask("signatureHelp", *export.call, {}):
            case {"signatures": [*signatures]}:
                labels = [signature.get("label") for signature in signatures if isinstance(signature, dict)]
                return self._signature("\n".join(f"function {label}" for label in labels))
            case _:
                return ""

    def _signature(self, text: str) -> str:
        text = text.removeprefix("(alias) ").removeprefix("default ").replace(f"{_ALIAS}.", "")
        text = re.sub(r"^\(property\) ", "const ", text)
        text = re.sub(r'^module "[^"\n]*"', "namespace $", text)
        text = _OPTIONAL.sub(r"\1", _HIDDEN_MEMBER.sub("", text))
        return self._names.readable(text).strip()

    def _comment(self, text: str) -> str:
        text = _TAG.sub(_tag, _LINK.sub(r"\1", text))
        return self._names.readable(_EXAMPLE.sub(r"@example\n\1", text.strip())).strip()


@dataclass(frozen=True)
class _Export:
    """One export and the places to ask at: `number` counts from 0, lines follow the import."""

    name: str
    number: int
    is_type: bool

    @property
    def lines(self) -> tuple[str, str, str]:
        path = f"{_ALIAS}.{self.name}"
        if self.is_type:
            return f"type $T{self.number} = {path};", "", ""
        test = f"type $C{self.number} = typeof {path} extends (...args: never) => unknown ? 1 : 0;"
        return f"{path};", test, f"{path}();"

    @property
    def use(self) -> tuple[int, int]:
        return self._place(0, self.lines[0].index(f"{_ALIAS}.") + len(f"{_ALIAS}."))

    @property
    def test(self) -> tuple[int, int]:
        return self._place(1, len("type "))

    @property
    def call(self) -> tuple[int, int]:
        return self._place(2, self.lines[2].index("(") + 1)

    def _place(self, line: int, column: int) -> tuple[int, int]:
        return 1 + len(self.lines) * self.number + line, column


def _keyword(signature: str) -> str:
    found = _DECLARED.search(signature)
    return found[2] if found else "const"


def _renamed(signature: str, name: str) -> str:
    """`signature` under the name it is exported by. A default export keeps the name it has."""
    first = _DECLARED.search(signature)
    if first is None or (name == "default" and first[3] != "$"):
        return signature
    return _DECLARED.sub(
        lambda found: f"{found[1]}{found[2]} {name}" if found[3] == first[3] else found[0], signature
    )


def _tag(found: re.Match[str]) -> str:
    return f"\n@{found[1]}" + (f" {found[2]} -" if found[2] else "")


def _cut(text: str, limit: int) -> str:
    return text if len(text) <= limit else text[: limit - 1] + "…"
