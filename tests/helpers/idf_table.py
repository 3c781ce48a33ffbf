"""Makes the table of `lexical/1`: in how many of some 40,000 short texts each word and each 4-gram stands.

The texts are the docstrings of the standard library of CPython 3.11 and of the packages below, whose
licences (PSF, BSD, MIT, Apache 2.0, HPND) let everybody count their words: prose about files, requests,
models, plots and numbers, which is what skills are about too. A docstring is cut into texts of 40 words and
more, the length of a skill, and a text that stands twice is counted once.

    python -m tests.helpers.idf_table

writes `host/skillbook/similarity/lexical_1.json` anew. With the versions that stand in the file it comes out
the same, byte for byte. The measure's name says which table it goes with: a table that differs belongs to
another measure.
"""

import ast
import inspect
import json
import pydoc_data.topics
import sys
import sysconfig
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from importlib.metadata import version
from pathlib import Path
from typing import Final

from host.core.bm25 import idf
from host.core.terms import VERSION
from host.skillbook.similarity.features import grams, words

TABLE: Final = Path(__file__).parents[2] / "host" / "skillbook" / "similarity" / "lexical_1.json"

PACKAGES: Final = {  # by the name of the folder, the name of the distribution
    "PIL": "pillow",
    "anthropic": "anthropic",
    "anyio": "anyio",
    "click": "click",
    "fsspec": "fsspec",
    "huggingface_hub": "huggingface_hub",
    "jinja2": "Jinja2",
    "matplotlib": "matplotlib",
    "mcp": "mcp",
    "numpy": "numpy",
    "openai": "openai",
    "prompt_toolkit": "prompt_toolkit",
    "pydantic": "pydantic",
    "pydantic_ai": "pydantic-ai-slim",
    "pygments": "Pygments",
    "requests": "requests",
    "rich": "rich",
    "urllib3": "urllib3",
}
LEAST_WORDS: Final = 40
LEAST_DF: Final = {"words": 3, "grams": 12}
_NOT_READ: Final = frozenset({"site-packages", "test", "tests", "testing", "lib2to3", "ensurepip"})


def table() -> str:
    """The file's text."""
    texts = sorted(set(_texts()))
    made_of = {"python": sys.version.split()[0], **{name: version(name) for name in PACKAGES.values()}}
    counted = {
        "words": Counter(word for text in texts for word in words(text)),
        "grams": Counter(gram for text in texts for gram in grams(text)),
    }
    return json.dumps(
        {
            "texts": len(texts),
            "terms": VERSION,
            "made_of": dict(sorted(made_of.items())),
            **{kind: _bands(df, len(texts), LEAST_DF[kind]) for kind, df in counted.items()},
        },
        ensure_ascii=False,
        indent=0,
    )


def _bands(df: Counter[str], count: int, least: int) -> dict[str, object]:
    """What stands in `least` texts at least, by its idf in tenths; what does not has one idf, the highest."""
    bands: dict[int, list[str]] = defaultdict(list)
    for term, its_df in df.items():
        if its_df >= least:
            bands[round(10 * idf(count, its_df))].append(term)
    unknown = round(10 * idf(count, least - 1))
    return {"unknown": unknown, **{str(band): " ".join(sorted(bands[band])) for band in sorted(bands)}}


def _texts() -> Iterator[str]:
    for topic in pydoc_data.topics.topics.values():
        yield from _cut(topic)
    roots = [Path(sysconfig.get_path("stdlib"))]
    roots += [Path(sysconfig.get_path("purelib"), name) for name in PACKAGES]
    for root in roots:
        for path in sorted(root.rglob("*.py")):
            if not _NOT_READ & set(path.relative_to(root).parts):
                yield from _docstrings(path)


def _docstrings(path: Path) -> Iterator[str]:
    """Those of the module and all in it, and the texts that stand under attributes."""
    for node in ast.walk(ast.parse(path.read_bytes())):
        match node:
            case ast.Expr(value=ast.Constant(value=str(text))):
                yield from _cut(inspect.cleandoc(text))


def _cut(text: str) -> Iterator[str]:
    """Whole paragraphs, as many as it takes; a session of the interpreter is no prose."""
    prose = (part.split() for part in text.split("\n\n") if ">>>" not in part)
    return map(" ".join, _filled(prose))


def _filled(parts: Iterable[list[str]]) -> Iterator[list[str]]:
    text: list[str] = []
    for part in parts:
        text += part
        if len(text) >= LEAST_WORDS:
            yield text
            text = []
    if len(text) >= LEAST_WORDS // 4:
        yield text


if __name__ == "__main__":
    TABLE.write_text(table() + "\n", encoding="utf-8")
    sys.stdout.write(f"{TABLE.name}: {TABLE.stat().st_size:,} bytes\n")
