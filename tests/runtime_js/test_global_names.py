"""The names that programs have without an import, against what declares and installs them."""

import re

from runtime_js import GLOBAL_NAMES, find_toolchain, guest_globals

DECLARED = re.compile(
    r"^declare (?:var|let|const|function|(?:abstract )?class|namespace) (\w+)", re.MULTILINE
)


def test_they_are_those_of_the_checkers_library_and_of_the_prelude() -> None:
    declared = set(DECLARED.findall(find_toolchain().guest_library.read_text(encoding="utf-8")))

    assert declared | set(guest_globals().lazy) | {"globalThis", "undefined"} == GLOBAL_NAMES
