"""JSON in a child, as far as it needs it.

Runs in the child: what the package `json` imports takes longer than all else that a child does before it is
ready, so this goes to the C code behind that package, and to the package where there is none.
"""

from __future__ import annotations

TYPE_CHECKING = False  # what only annotations name takes long to import
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Final

try:
    from _json import encode_basestring_ascii, make_scanner
except ImportError:  # another Python than CPython
    import json

    quote: Callable[[str], str] = json.dumps
    parse: Callable[[str], Any] = json.loads
else:
    quote = encode_basestring_ascii

    class _Settings:
        """Those of `json.loads` without arguments."""

        strict = True
        object_hook = None
        object_pairs_hook = None
        parse_float = float
        parse_int = int
        parse_constant = float
        memo: Final[dict[str, str]] = {}

    _settings: Any = _Settings()
    _scan: Final = make_scanner(_settings)

    def parse(text: str) -> Any:  # noqa: ANN401 - JSON
        """One JSON value, which begins at the first character. Raises `ValueError` or `StopIteration`."""
        return _scan(text, 0)[0]


__all__ = ["parse", "quote"]
