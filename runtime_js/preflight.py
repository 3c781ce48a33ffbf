"""What is refused before either compiler sees it: texts they cannot finish, and forms they would let pass."""

import re
from typing import Final

from runtime_js.bundle_messages import diagnostic_at
from runtime_js.guest_sdk import GuestSdk
from runtime_js.places import SourceText
from runtime_js.scan import BRACKET_LIMIT, Fault, Form, needs_scan, scan
from runtime_js.specifiers import COMPUTED_IMPORT
from runtime_js.unit_texts import UnitTexts
from runtime_js.units import Diagnostic, Unit

__all__ = ["PROGRAM_BYTES", "preflight"]

PROGRAM_BYTES: Final = 2**20

_SURROGATE: Final = re.compile("[\ud800-\udfff]")


def preflight(unit: Unit, sdk: GuestSdk) -> tuple[Diagnostic, ...]:
    """What is wrong with the unit or one of its modules; nothing for almost all."""
    own = SourceText(unit.file_name, unit.source)
    modules = [SourceText(module.file_name, module.source) for module in unit.modules]
    unreadable = [fault for source in (own, *modules) for fault in _unreadable(source)]
    if unreadable:
        return tuple(unreadable)
    if not any(needs_scan(source.text) for source in (own, *modules)):
        return ()
    texts = UnitTexts(unit, sdk)
    found = (fault for name in texts.sources for fault in _faults(name, texts))
    return tuple(dict.fromkeys(found))


def _unreadable(source: SourceText) -> tuple[Diagnostic, ...]:
    if source.text.isascii():
        size = len(source.text)
    elif found := _SURROGATE.search(source.text):
        code = f"U+{ord(found[0]):04X}"
        return (diagnostic_at(source, found.start(), f"Lone surrogate {code}: a program is Unicode text."),)
    else:
        size = len(source.text.encode())
    if size > PROGRAM_BYTES:
        return (diagnostic_at(source, 0, f"Program: {size:,} bytes, limit {PROGRAM_BYTES:,}."),)
    return ()


def _faults(name: str, texts: UnitTexts) -> tuple[Diagnostic, ...]:
    source = texts.sources[name]
    if not needs_scan(source.text):
        return ()
    found = scan(source.text)
    if found.too_deep is not None:
        message = f"Brackets nested {found.depth:,} deep, limit {BRACKET_LIMIT}."
        return (diagnostic_at(source, found.too_deep, message),)
    return tuple(
        diagnostic_at(source, fault.offset, _sentence(fault, name, texts), fault.offset + len("import"))
        for fault in found.faults
    )


def _sentence(fault: Fault, name: str, texts: UnitTexts) -> str:
    match fault.form:
        case Form.NO_CHECK:
            return "@ts-nocheck cannot be used."
        case Form.EXPORT_ASSIGNMENT:
            return "export = does not exist here; write export."
        case Form.COMPUTED_IMPORT:
            return f"{COMPUTED_IMPORT} {texts.importables(name).all()}"
