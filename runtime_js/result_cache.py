"""Results of compilations by the content they were made from.

A key covers everything a result depends on: the unit, its modules, the declarations, how it is checked, and
the versions of the compilers and of the SDK. The least recently used results leave first.
"""

import hashlib
import threading
from collections import OrderedDict
from collections.abc import Iterable
from typing import Final

from runtime_js.units import Compiled, Diagnostic, Unit

__all__ = ["Result", "ResultCache", "content_key"]

Result = Compiled | tuple[Diagnostic, ...]  # the errors of a unit that was rejected

_FIXED_BYTES: Final = 2_000  # of an entry besides its texts


def content_key(unit: Unit, versions: Iterable[str]) -> bytes:
    """A digest of the unit and of what compiles it."""
    modules = sorted((module.key, module.source) for module in unit.modules)
    texts = (
        *versions,
        unit.kind,
        unit.key,
        unit.typecheck,
        unit.declarations,
        unit.source,
        repr(unit.tools),
        *(text for module in modules for text in module),
    )
    digest = hashlib.sha256()
    for text in texts:
        data = text.encode()
        digest.update(len(data).to_bytes(8))  # so that no two lists of texts run together to the same bytes
        digest.update(data)
    return digest.digest()


class ResultCache:
    """A bounded map that several threads may use."""

    def __init__(self, *, max_bytes: int) -> None:
        self._max_bytes: Final = max_bytes
        self._bytes = 0
        self._results: Final[OrderedDict[bytes, Result]] = OrderedDict()
        self._lock: Final = threading.Lock()

    def find(self, key: bytes) -> Result | None:
        with self._lock:
            if key not in self._results:
                return None
            self._results.move_to_end(key)
            return self._results[key]

    def put(self, key: bytes, result: Result) -> None:
        with self._lock:
            if key in self._results:
                return
            self._results[key] = result
            self._bytes += _size(result)
            while self._bytes > self._max_bytes:
                _, oldest = self._results.popitem(last=False)
                self._bytes -= _size(oldest)

    def clear(self) -> None:
        """Leaves nothing to be found."""
        with self._lock:
            self._results.clear()
            self._bytes = 0


def _size(result: Result) -> int:
    if isinstance(result, Compiled):
        return _FIXED_BYTES + len(result.js) + result.source_map.size_chars + _size_of_errors(result.warnings)
    return _FIXED_BYTES + _size_of_errors(result)


def _size_of_errors(errors: tuple[Diagnostic, ...]) -> int:
    return sum(len(error.message) + len(error.source_line or "") for error in errors)
