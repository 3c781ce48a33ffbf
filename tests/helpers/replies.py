"""The corpus of whole replies in `fixtures/replies`, each with what becomes of it."""

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Final

FOLDER: Final = Path(__file__).parents[2] / "fixtures" / "replies"


@dataclass(frozen=True, kw_only=True)
class ReplyCase:
    """A reply, and the heading and first line of what the model reads next, or the summary that `ends` it."""

    name: str
    text: str
    healing: tuple[str, ...]
    healed: str
    reads: str = ""
    line: str = ""
    ends: str = ""


def reply_cases() -> list[ReplyCase]:
    """All of them by name; those of no file, and files of no case, are left to the tests."""
    expected = tomllib.loads((FOLDER / "expected.toml").read_text(encoding="utf-8"))
    return [_case(name, expected[name]) for name in sorted(expected)]


def _case(name: str, expected: dict[str, object]) -> ReplyCase:
    text, told = _text(f"{name}.txt"), dict(expected)
    healing = told.pop("healing")
    assert isinstance(healing, list)
    file = told.pop("healed", None)
    healed = text.removeprefix("\ufeff").rstrip() if file is None else _text(str(file)).removesuffix("\n")
    return ReplyCase(name=name, text=text, healing=tuple(healing), healed=healed, **told)  # type: ignore[arg-type]


def _text(name: str) -> str:
    """One reply holds half of a surrogate pair, and all line ends are kept."""
    return (FOLDER / name).read_bytes().decode("utf-8", "surrogatepass")
