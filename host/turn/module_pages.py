"""The pages of documentation of a loaded module: one for each export, and one that lists them."""

from typing import Final

from host.core.module_keys import Carrier
from host.core.text import escape_line, shortened
from host.operations import FAMILIES, Page, PageKind
from runtime_js import ExportDoc

_SUMMARY_CHARS: Final = 160
_FAMILY_NAMES: Final = frozenset(family.name for family in FAMILIES)
_KINDS: Final[dict[str, PageKind]] = {"function": "function", "constant": "function"}


def title_of(key: str) -> str:
    """What the keys of a module's pages begin with: its own key, marked where a family has that name."""
    return f"lib:{key}" if key in _FAMILY_NAMES else key


def module_pages(carrier: Carrier, key: str, exports: tuple[ExportDoc, ...]) -> tuple[Page, ...]:
    """The pages of the module that a memory or skill carries, the list first."""
    return (_list_page(carrier, key, exports), *(_export_page(key, export) for export in exports))


def _list_page(carrier: Carrier, key: str, exports: tuple[ExportDoc, ...]) -> Page:
    title = title_of(key)
    summary = f"The module of the {carrier.origin} `{carrier.name}`."
    lines = [f"- `{_declared(export)}`{_told(export)}" for export in exports]
    body = "\n".join(lines) or "It exports nothing."
    text = f'{summary}\n\n{body}\n\nimport * as {key} from "{key}"'
    return Page.of_module(title, summary, text, name=key)


def _export_page(key: str, export: ExportDoc) -> Page:
    comment = f"\n\n{export.comment}" if export.comment else ""
    title = title_of(key)
    return Page(
        key=f"{title}.{export.name}",
        kind=_KINDS.get(export.kind, "type"),
        module=title,
        name=export.name,
        signature=export.signature,
        summary=_brief(export) or _declared(export),
        text=f"{export.signature}{comment}\n\n{_import_line(key, export)}",
    )


def _import_line(key: str, export: ExportDoc) -> str:
    imported = key if export.name == "default" else f"{{ {export.name} }}"
    return f'import {"type " if export.kind == "type" else ""}{imported} from "{key}"'


def _told(export: ExportDoc) -> str:
    brief = _brief(export)
    return f": {brief}" if brief else ""


def _brief(export: ExportDoc) -> str:
    """The first line of an export's comment, unless that is a tag."""
    line = export.comment.partition("\n")[0]
    return "" if line.startswith("@") else _one_line(line)


def _declared(export: ExportDoc) -> str:
    """The first line of a signature, less the brace that opens its members."""
    return _one_line(export.signature.partition("\n")[0].removesuffix("{"))


def _one_line(text: str) -> str:
    line = escape_line(text.strip())
    return line if len(line) <= _SUMMARY_CHARS else shortened(line, _SUMMARY_CHARS - 1)
