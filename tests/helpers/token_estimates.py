"""How far the counters that need no extra are from the tokens of an encoding; as a program it prints a table.

A text is one file, one turn of a conversation or one record, as it would be one message of a window.
"""

import hashlib
import json
import re
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from host.context import BpeCounter, CharacterCounter, Counter, Utf8Counter
from host.core.tokens import ENCODINGS

ROOT: Final = Path(__file__).parents[2]
_CHINESE: Final = re.compile("[\u4e00-\u9fff]")
_LEAST_CHARS: Final = 20  # of fewer a quarter says nothing


def corpora() -> dict[str, list[str]]:
    """Texts of a kind, each kind from files of this repository."""
    turns = _lines("conversations/importer.jsonl", "content")
    records = _lines("retrieval/records.jsonl", "text")
    chinese = [text for text in records if _CHINESE.search(text)]
    return {
        "system prompts": _files("tests/host/turn/golden/prompt", "*.txt"),
        "programs, TypeScript": _files("fixtures", "*.ts"),
        "modules, Python": _files("host", "*.py"),
        "pages, Markdown": _files("docs", "*.md"),
        "a conversation": turns,
        "records, English": [text for text in records if text.isascii()],
        "records, Chinese": chinese,
        "JSON": _files("fixtures", "*.json"),
        "TOML": _files("fixtures", "*.toml"),
        "CSV": _files("fixtures", "*.csv"),
        "SHA-256 in hexadecimal": [hashlib.sha256(bytes([n])).hexdigest() for n in range(100)],
    }


def _files(folder: str, pattern: str) -> list[str]:
    paths = sorted((ROOT / folder).rglob(pattern))
    return [path.read_bytes().decode("utf-8", "replace") for path in paths if path.is_file()]


def _lines(path: str, key: str) -> list[str]:
    lines = (ROOT / "fixtures" / path).read_text(encoding="utf-8").splitlines()
    return [json.loads(line)[key] for line in lines]


def withheld(counter: Counter, text: str) -> int:
    """Tokens that a window sets aside for the text, margin included."""
    return -(-counter.count(text) * (100 + counter.margin_percent) // 100)


def row(texts: Iterable[str], encoding: str) -> tuple[str, ...]:
    """Texts, their tokens by the encoding; what characters / 4 says of these, bare and with the margin; the
    share of texts, in percent, of which it says too little with the margin, and the furthest; bytes.
    """
    exact, characters, utf8 = BpeCounter(encoding), CharacterCounter(), Utf8Counter()
    kept = [text for text in texts if len(text) >= _LEAST_CHARS]
    tokens = [exact.count(text) for text in kept]
    shares = [withheld(characters, text) / count for text, count in zip(kept, tokens, strict=True)]
    below = sum(share < 1 for share in shares)
    figures = [
        sum(characters.count(text) for text in kept) / sum(tokens),
        sum(withheld(characters, text) for text in kept) / sum(tokens),
        below / len(kept),
        min(shares),
        sum(utf8.count(text) for text in kept) / sum(tokens),
    ]
    return (f"{len(kept):,}", f"{sum(tokens):,}", *(f"{figure:.0%}" for figure in figures))


def table() -> Iterator[str]:
    heads = ("texts", "tokens", "chars / 4", "+ 30 %", "too low", "lowest", "bytes")
    yield "estimates in percent of the tokens; too low: texts of which characters / 4 and 30 % say too little"
    for encoding in ENCODINGS:
        yield ""
        yield f"{encoding:24}" + "".join(f"{head:>11}" for head in heads)
        for kind, texts in corpora().items():
            yield f"{kind:24}" + "".join(f"{part:>11}" for part in row(texts, encoding))


if __name__ == "__main__":
    sys.stdout.write("\n".join(("python -m tests.helpers.token_estimates", *table())) + "\n")
