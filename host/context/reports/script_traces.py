"""Lines of the stacks of JavaScript engines, and of the diagnostics of esbuild and TypeScript."""

import re
from typing import Final

Place = tuple[str, int, str]
"""File, line and function."""
Named = tuple[str, str]
"""Type and message of an exception."""

_AT: Final = re.compile(
    r"(?:[^\n]{0,200}?[\s|\]:>])?\s{0,64}at (?:async )?(?:(?P<function>[^()\n]{1,256}?) )?"
    r"\((?P<file>[^()\n]{1,2048}?):(?P<line>\d{1,9})(?::\d{1,9})?\)\s*$"
)
_AT_BARE: Final = re.compile(
    r"\s+at (?:async )?(?P<file>[^()\s][^()\n]{0,2048}?):(?P<line>\d{1,9}):\d{1,9}\s*$"
)
_FILE: Final = r"(?P<file>[^\s:()][^:()\n]{0,2048}?|[A-Za-z]:[^:()\n]{1,2048}?)"
_AT_SIGN: Final = re.compile(
    r"\s*(?P<function>[\w$.<>/]{0,256})@(?P<file>[^\s@]{1,2048}?):(?P<line>\d{1,9}):\d{1,9}\s*$"
)
_THROWN: Final = re.compile(
    r"\s*(?:Uncaught (?:\(in promise\) )?|Unhandled[\w ]{0,40}: )?"
    r"(?P<type>[A-Za-z_$][\w$.]{0,127}?(?:Error|Exception)|Error)(?: \[[A-Z_]+\])?(?:: (?P<message>.*))?$"
)
_TYPESCRIPT: Final = re.compile(
    rf"\s*{_FILE}(?:\((?P<line>\d{{1,9}}),\d{{1,9}}\): |:(?P<line2>\d{{1,9}}):\d{{1,9}} - )"
    r"error (?P<type>TS\d{1,6}): (?P<message>.*)$"
)
_ESBUILD_LINE: Final = re.compile(
    rf"(?:> )?{_FILE}:(?P<line>\d{{1,9}}):\d{{1,9}}: (?:ERROR|error): (?P<message>.*)$"
)
_ESBUILD_TITLE: Final = re.compile(r"\s*(?:✘|X|x|>)? ?\[ERROR\] (?P<message>.*)$")
_ESBUILD_PLACE: Final = re.compile(rf" {{4}}{_FILE}:(?P<line>\d{{1,9}}):\d{{1,9}}:\s*$")


class ScriptTrace:
    """Reads such lines one after another: an exception is one where places follow its line."""

    def __init__(self) -> None:
        self._thrown: Named | None = None
        self._in_esbuild = False

    def read(self, line: str) -> tuple[Place | None, Named | None]:
        """The place that the line is of, and the exception that it tells of or is the first place of."""
        if " at " in line or line.startswith("at ") or "\tat " in line or "@" in line:
            found = _AT.match(line) or _AT_BARE.match(line) or _AT_SIGN.match(line)
            if found is not None and not found["file"].isdigit():
                thrown, self._thrown = self._thrown, None
                return (found["file"], int(found["line"]), found.groupdict().get("function") or ""), thrown
        if "rror" in line or "xception" in line or "ERROR" in line:
            return self._read_message(line)
        if self._in_esbuild and (place := _ESBUILD_PLACE.match(line)):
            self._in_esbuild = False
            return (place["file"], int(place["line"]), ""), None
        return None, None

    def _read_message(self, line: str) -> tuple[Place | None, Named | None]:
        if found := _TYPESCRIPT.match(line):
            at = int(found["line"] or found["line2"])
            return (found["file"], at, ""), (found["type"], found["message"])
        if found := _ESBUILD_LINE.match(line):
            return (found["file"], int(found["line"]), ""), ("esbuild", found["message"])
        if title := _ESBUILD_TITLE.match(line):
            self._in_esbuild = True
            return None, ("esbuild", title["message"])
        if thrown := _THROWN.match(line):
            self._thrown = (thrown["type"], thrown["message"] or "")
        return None, None
