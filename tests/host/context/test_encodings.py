"""Tokens by a vendor's encoding: exact, for any text, from installed files alone."""

import sys
from pathlib import Path

import pytest
from g6.context import BpeCounter, ConversationWindow, Counter, Utf8Counter
from hypothesis import given
from hypothesis import strategies as st

from sandbox import run_command

ROOT = Path(__file__).parents[3]

NO_EXTRA = "the extra tokens is not installed"
NAMES = ("o200k_base", "cl100k_base")

# the text, its tokens by o200k_base and by cl100k_base
COUNTED = [
    pytest.param("", 0, 0, id="nothing"),
    pytest.param("hello world", 2, 2, id="words"),
    pytest.param("解析器超时", 4, 5, id="Chinese"),
    pytest.param("<|endoftext|>", 7, 7, id="the spelling of a special token"),
    pytest.param("<|fim_prefix|><|endofprompt|>", 12, 13, id="two of them"),
    pytest.param("1234567", 3, 3, id="figures by three"),
    pytest.param("\ufffd", 1, 1, id="replaced"),
    pytest.param("\ud83d", 1, 1, id="half of a pair"),
    pytest.param("\ud83d\ude00", 1, 2, id="halves that meet"),
    pytest.param("\0", 1, 1, id="NUL"),
]


@pytest.fixture(autouse=True, scope="module")
def installed() -> None:
    pytest.importorskip("bpe_openai", reason=NO_EXTRA)


@pytest.mark.parametrize(("text", "o200k", "cl100k"), COUNTED)
def test_texts_are_counted_as_the_encoding_makes_them(text: str, o200k: int, cl100k: int) -> None:
    assert [BpeCounter(name).count(text) for name in NAMES] == [o200k, cl100k]


@pytest.mark.parametrize("name", NAMES)
def test_an_encoding_is_a_counter_without_a_margin(name: str) -> None:
    counter = BpeCounter(name)

    assert isinstance(counter, Counter)
    assert (counter.name, counter.margin_percent) == (name, 0)


@pytest.mark.parametrize("name", NAMES)
@given(text=st.text(max_size=200))
def test_no_text_takes_more_tokens_than_bytes(name: str, text: str) -> None:
    tokens = BpeCounter(name).count(text)

    assert (tokens > 0) is bool(text)
    assert tokens <= Utf8Counter().count(text)


LONG = [
    pytest.param("a" * 10_000_000, 1_250_000, id="a letter"),
    pytest.param(" " * 10_000_000, 78_125, id="blanks"),
    pytest.param("1" * 10_000_000, 3_333_334, id="figures"),
    pytest.param("\n" * 10_000_000, 625_000, id="line feeds"),
    pytest.param("-" * 1_000_000, 15_625, id="hyphens, the slowest"),
]


@pytest.mark.slow
@pytest.mark.parametrize(("text", "tokens"), LONG)
def test_a_character_millions_of_times_is_counted(text: str, tokens: int) -> None:
    assert BpeCounter("o200k_base").count(text) == tokens


def test_a_window_is_counted_by_it() -> None:
    window = ConversationWindow(100, counter=BpeCounter("o200k_base"))
    window.add("user", "hello world")

    assert window.report().tokens == 2 + 4


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_the_counts_are_those_of_the_vendor_s_own_tokenizer(name: str) -> None:
    tiktoken = pytest.importorskip("tiktoken", reason="comes with the client of OpenAI")
    registry = pytest.importorskip("bpe_openai.registry", reason=NO_EXTRA)
    own = tiktoken.Encoding(**registry.ENCODING_CONSTRUCTORS[name]())
    counter = BpeCounter(name)

    for path in sorted((ROOT / "fixtures").rglob("*.*")):
        if path.is_file() and path.suffix in {".md", ".ts", ".json", ".txt", ".csv", ".toml"}:
            text = path.read_text(encoding="utf-8", errors="replace")
            assert counter.count(text) == len(own.encode_ordinary(text)), path


def test_the_package_is_loaded_by_the_first_count() -> None:
    program = (
        "import sys; from g6.context import BpeCounter; counter = BpeCounter('o200k_base')\n"
        "before = 'bpe_openai' in sys.modules; counter.count(''); still = 'bpe_openai' in sys.modules\n"
        "counter.count('x'); sys.stdout.write(str((before, still, 'bpe_openai' in sys.modules)))"
    )
    ended = run_command(
        [sys.executable, "-c", program],
        cwd=ROOT,
        env={"PYTHONPATH": f"{ROOT}:{ROOT}/host/facade"},
        timeout_s=30,
        keep_bytes=4096,
    )

    assert ended.output == "(False, False, True)"


@pytest.mark.parametrize("name", ["", "o200k", "O200K_BASE", "gpt2", "voyage3_base"])
def test_an_unknown_encoding_is_refused_with_the_known(name: str) -> None:
    with pytest.raises(ValueError, match=r"is unknown; known are o200k_base, cl100k_base$"):
        BpeCounter(name)
