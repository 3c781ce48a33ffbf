"""Masks the parts of paths that tell who a person is: home directories, and where temporary files are."""

import re
from collections.abc import Iterable
from typing import Final

from host.core.scrubbing.spans import settled_text

HOME: Final = "~"
TEMPORARY: Final = "<temp>"

_SLASH: Final = r"(?:/|\\{1,4}|%2[Ff]|%5[Cc])"
_USER: Final = r"(?![{$<%*\[]|\.{1,3}(?![\w]))(?:[^\s/\\:\"'`<>|*?,;()\[\]{}%&#=]|%(?!2[Ff]|5[Cc]))+"
_SPACED_USER: Final = rf"{_USER}(?: {_USER}){{1,3}}(?={_SLASH})"
_BEGINS: Final = r"(?<![\w~.>-])(?<![\w~.>-][/\\])"
_AFTER: Final = r"(?![\w.-])"
_DRIVE: Final = (
    rf"(?:{_SLASH}{{1,2}}[?.]{_SLASH})?"
    rf"(?:[A-Za-z]:{_SLASH}|{_SLASH}(?:mnt{_SLASH}|cygdrive{_SLASH})?[A-Za-z]{_SLASH})"
)

_TEMPORARY: Final = re.compile(
    rf"{_BEGINS}(?:{_SLASH}(?:private{_SLASH})?(?:var{_SLASH}folders{_SLASH}\w{{1,4}}{_SLASH}\w{{1,64}}{_SLASH}[TC]"
    rf"|(?:var{_SLASH}|usr{_SLASH})?tmp|dev{_SLASH}shm|run{_SLASH}user{_SLASH}\d{{1,10}})"
    rf"|{_DRIVE}(?:(?i:Users|Documents and Settings){_SLASH}(?:{_SPACED_USER}|{_USER}){_SLASH}"
    rf"(?i:AppData{_SLASH}Local|Local Settings){_SLASH}Temp|(?i:Windows{_SLASH})?(?i:Temp|tmp))"
    rf"|(?i:%TE?MP%)|\$\{{?TMPDIR\}}?){_AFTER}"
)
_HOME: Final = re.compile(
    rf"{_BEGINS}(?:{_DRIVE}(?i:Users|Documents and Settings){_SLASH}(?:{_SPACED_USER}|{_USER})"
    rf"|{_SLASH}(?:(?:var|usr|export|data|mnt|System{_SLASH}Volumes{_SLASH}Data){_SLASH})?(?:home|Users|users|homes){_SLASH}{_USER}"
    rf"|{_SLASH}(?:var{_SLASH})?root{_AFTER}|(?i:%USERPROFILE%|%HOMEPATH%)|\$\{{?HOME\}}?(?!\w))"
)
_NAMED_HOME: Final = re.compile(r"(?<![\w~./-])~[A-Za-z_][\w-]{0,31}(?=/)")


def mask_paths(text: str, *, temporary: Iterable[str] = (), homes: Iterable[str] = ()) -> str:
    """The text with `<temp>` for the root of temporary files and `~` for a person's home directory.

    Known by their shapes; `temporary` and `homes` are roots of this machine beside these. What follows the
    root stays.
    """
    temporary, homes = tuple(temporary), tuple(homes)
    return settled_text(text, lambda text: _without_homes(_without_temporary(text, temporary), homes))


def _without_temporary(text: str, roots: tuple[str, ...]) -> str:
    return _TEMPORARY.sub(TEMPORARY, _without(text, roots, TEMPORARY))


def _without_homes(text: str, roots: tuple[str, ...]) -> str:
    return _NAMED_HOME.sub(HOME, _HOME.sub(HOME, _without(text, roots, HOME)))


def _without(text: str, roots: tuple[str, ...], placeholder: str) -> str:
    named = [root.rstrip("/\\") for root in roots]
    longest_first = sorted((root for root in named if root), key=len, reverse=True)
    for root in longest_first:
        text = re.sub(rf"{_BEGINS}{re.escape(root)}{_AFTER}", lambda _: placeholder, text)
    return text
