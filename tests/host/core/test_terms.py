"""Terms: what a text is found by, the same in a record, in the index and in a query."""

import random
import sys
import unicodedata
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from host.core.terms import STOP_WORDS, VERSION, query_terms, terms
from host.core.unicode_text import visible
from tests.helpers.steps import steps

EXAMPLES = [
    pytest.param("", "", id="nothing"),
    pytest.param(" \t\n\u3000\u2028", "", id="white space"),
    pytest.param("Refunds are ISSUED, daily.", "refund are issu daili", id="words"),
    pytest.param("see src/app.py.", "see src app py src/app.py", id="path"),
    pytest.param("(src/app.py:42:7):", "src app py 42 7 src/app.py:42:7", id="place in a file"),
    pytest.param("C++, C# and C", "c c++ c c# and c", id="signs at the end"),
    pytest.param("C++. 'C#'", "c c++ c c#", id="signs at the end of a sentence and of a quotation"),
    pytest.param(".env ./run ../up -v --force", "env .env run ./run up ../up v -v forc --force", id="begin"),
    pytest.param("#tag foo::bar :smile:", "tag #tag foo bar foo::bar smile :smile", id="marks"),
    pytest.param("HTTP/2 10:30 3.14 v1.2.", "http 2 http/2 10 30 10:30 3 14 3.14 v1 2 v1.2", id="numbers"),
    pytest.param("The end. Key: value... e.g. etc.", "the end key valu e g e.g etc", id="ends of sentences"),
    pytest.param("user@host a,b x=1", "user host a b x 1", id="other punctuation"),
    pytest.param("foo_bar __init__ _so_ _", "foo_bar init __init__ so _so_", id="low lines"),
    pytest.param("- a -- b ... / + # :", "a b", id="signs by themselves"),
    pytest.param("don't don\u2019t don\u02bct", "don't don't don't", id="apostrophes"),
    pytest.param("'quoted' \u2018quoted\u2019 the boss's", "quot quot the boss", id="quotes"),
    pytest.param("caf\u00e9 cafe\u0301 CAFÉ cafés", "café café café cafés", id="accents are kept, unstemmed"),
    pytest.param("naïve Straße STRASSE ﬁle", "naïve strass strass file", id="letters taken apart"),
    pytest.param("\u0130stanbul istanbul ISTANBUL", "istanbul istanbul istanbul", id="Turkish capital"),
    pytest.param("\uff21\uff22\uff23\uff0d\uff11\uff12 x²", "abc 12 abc-12 x2", id="width"),
    pytest.param("½ \u22125 well\u2010known", "1 2 1/2 5 -5 well known well-known", id="typographic signs"),
    pytest.param("pass\u200bword so\u00adft \ufeffbom", "password soft bom", id="what is not seen"),
    pytest.param("設備", "設 備 設備", id="Han"),
    pytest.param("東京都へ", "東 京 東京 都 京都 へ 都へ", id="pairs run over scripts without spaces"),
    pytest.param("ｶﾞﾗｽ ガラス", "ガ ラ ガラ ス ラス ガ ラ ガラ ス ラス", id="half width"),
    pytest.param("한국어", "한 국 한국 어 국어", id="Hangul"),
    pytest.param("ก็ดี", "ก็ ดี ก็ดี", id="Thai, with its marks"),
    pytest.param("設備2号/a.txt", "設 備 設備 2 号 a txt 設備2号/a.txt", id="mixed"),
    pytest.param("\U0002a6e0\U00031350", "\U0002a6e0 \U00031350 \U0002a6e0\U00031350", id="rare Han"),
    pytest.param("हिन्दी में", "हिन्दी में", id="marks belong to words"),
    pytest.param("go🚀🚀 ❤️", "go 🚀 🚀 ❤", id="pictures"),
    pytest.param("👩\u200d💻 👍🏽 1️⃣ 🇩🇪🇫🇷", "👩 💻 👍 1 🇩🇪 🇫🇷", id="sequences"),
    pytest.param("$5 €7 a→b ≤ ©", "$ 5 € 7 a → b ≤ ©", id="symbols"),
    pytest.param("a < b | `c` ~ ^ «d» \u2013 “e”", "a b c d e", id="punctuation of code and of text"),
    pytest.param("\ud800x\udfff", "x", id="lone surrogates"),
    pytest.param("\u0301 x\u0301\u0301", "x\u0301\u0301", id="marks on nothing"),
]


@pytest.mark.parametrize(("text", "expected"), EXAMPLES)
def test_the_terms_of_a_text(text: str, expected: str) -> None:
    assert list(terms(text)) == expected.split()


QUERIES = [
    pytest.param("when is a damaged parcel refunded?", "damag parcel refund", id="stop words leave"),
    pytest.param("What is the", "what is the", id="unless nothing else is there"),
    pytest.param("what's it about", "what it about", id="with an ending"),
    pytest.param("the parcel, the parcels", "parcel", id="once each"),
    pytest.param("b a b c++ C++", "b c c++", id="in the order of appearance"),
    pytest.param("why not never", "not never", id="negations stay"),
    pytest.param("does a doe", "doe", id="a word that a stop word's stem hides"),
    pytest.param(" \n", "", id="white space"),
    pytest.param("?!", "", id="no term"),
    pytest.param("🚀 設備", "🚀 設 備 設備", id="no English"),
]


@pytest.mark.parametrize(("query", "expected"), QUERIES)
def test_the_terms_of_a_query(query: str, expected: str) -> None:
    assert list(query_terms(query)) == expected.split()


# Beyond plurals and tenses; `docs/records.md` lists some of them.
JOINED = [
    "refund refunds refunded refunding refund's",
    "organize organization organizations",
    "universe universes",
    "general generally generalize",
    "politics political polite",
    "iron ironic",
    "several sever",
    "animal animate",
    "moral morale",
    "ration rational",
    "import important importance",
    "author authority authorize authorization",
    "relate relation relative relativity",
    "operate operation operator operational operative",
    "execute execution executive",
    "inform information",
    "custom customs customer customers",
    "access accessible accession",
    "capital capitalize",
    "commit commitment",
    "depart department",
    "direct direction",
    "format formation",
    "nation national nationality",
    "posit position positive",
    "process procession",
    "public publication publicity",
    "use used useful",
    "busy business",
    "numeric numerical",
    "probable probably",
]
APART = [
    "organ organize",
    "universe university",
    "universe universal",
    "new news",
    "policy police",
    "past paste",
    "arm army",
    "factor factory",
    "gene genetic",
    "generate general",
    "communism communication",
    "hop hope",
    "index indices",
    "run ran",
    "go went",
    "real reality",
    "serve service",
    "user use",
]


@pytest.mark.parametrize("words", JOINED)
def test_what_the_stemmer_joins(words: str) -> None:
    assert len(set(terms(words))) == 1, terms(words)


@pytest.mark.parametrize("words", APART)
def test_what_the_stemmer_keeps_apart(words: str) -> None:
    assert len(set(terms(words))) == 2


def test_stop_words_are_about_sixty_and_hold_no_negation() -> None:
    assert 55 <= len(STOP_WORDS) <= 70
    assert {"no", "not", "nor", "none", "never", "without", "cannot", "don't", "won't"} & STOP_WORDS == set()
    assert all(word == word.casefold() and len(terms(word)) == 1 for word in STOP_WORDS)


def test_terms_name_what_they_depend_on() -> None:
    assert VERSION.startswith("1; Snowball 3.")
    assert VERSION.endswith(f"Unicode {unicodedata.unidata_version}")


ANY_CHAR = st.characters()  # lone surrogates are among them
OFTEN = st.sampled_from("aZ09_'\u2019-./+#:.,!$ \n\u00ad\u200d\ufe0fé\u0301\u0316ßİΣς設備ガﾞ한ก็ि🚀🏽🇩\u20e3½Å")
TEXTS = st.text(ANY_CHAR | OFTEN, max_size=40)
WORDS = st.text(st.characters(categories=("L", "Nd", "Zs", "Po")), max_size=40)


@given(TEXTS)
def test_every_text_has_terms_and_no_term_is_blank(text: str) -> None:
    found = terms(text)

    assert all(term and not any(char.isspace() for char in term) for term in found)
    assert set(query_terms(text)) <= set(found)
    assert bool(query_terms(text)) == bool(found)


@given(WORDS)
def test_composed_and_decomposed_texts_have_the_same_terms(text: str) -> None:
    assert (
        terms(unicodedata.normalize("NFD", text)) == terms(unicodedata.normalize("NFC", text)) == terms(text)
    )


@given(TEXTS)
def test_case_does_not_matter(text: str) -> None:
    assert terms(text.casefold()) == terms(text)


@given(st.text(st.characters(min_codepoint=0x21, max_codepoint=0x7E)))
def test_width_does_not_matter(text: str) -> None:
    wide = "".join(chr(ord(char) + 0xFEE0) for char in text)

    assert terms(wide) == terms(text)


@given(st.lists(TEXTS, max_size=5), st.data())
def test_what_stands_between_white_space_is_found_in_the_whole(
    pieces: list[str], data: st.DataObject
) -> None:
    text = " ".join(pieces)
    begin = data.draw(st.integers(0, len(pieces)))
    end = data.draw(st.integers(begin, len(pieces)))

    assert set(query_terms(" ".join(pieces[begin:end]))) <= set(terms(text))
    assert terms(text) == tuple(term for piece in pieces for term in terms(piece))


@given(st.text(st.sampled_from("ab1's.,:;!?\"`*()[]é"), min_size=1, max_size=12))
def test_a_piece_of_one_word_is_read_as_any_other(piece: str) -> None:
    # A symbol ends the run, and sends the piece the long way.
    assert terms(f"{piece}€") == (*terms(piece), "€")


@given(TEXTS)
def test_what_a_term_says_is_found_by_it(text: str) -> None:
    # Stems are no words; what is not stemmed is its own term.
    for term in terms(text):
        if not term.isascii():
            assert term in terms(term)


@pytest.mark.slow
def test_no_character_is_lost_and_none_differs_by_its_case() -> None:
    for code in range(sys.maxunicode + 1):
        char = chr(code)
        found = terms(f"{char} x{char}")
        assert terms(f"{char} x{char}".casefold()) == found, hex(code)
        if unicodedata.category(unicodedata.normalize("NFKC", char)[-1])[0] in "LN":
            assert terms(char) or not visible(char) or char == "\u02bc", hex(code)


HOSTILE = [
    "a",
    "a'",
    "'a",
    "_",
    "a_",
    "-",
    "a-",
    ".a",
    "設",
    "e\u0301",
    "\u0301\u0316",
    "ﾞ\u0334",
    "🇩",
    "' ",
    "İ",
    "'.",
]


@pytest.mark.parametrize("unit", HOSTILE)
def test_work_grows_with_the_text(unit: str) -> None:
    text = unit * 2_000
    terms(text)  # kinds of characters are kept

    assert steps(lambda: terms(text * 2)) <= 2 * steps(lambda: terms(text)) + 50


@pytest.mark.parametrize("unit", HOSTILE)
def test_a_hostile_text_is_read(unit: str) -> None:
    text = (unit * 200_000)[:200_000]  # in minutes, were what runs in C not linear in it

    assert len(terms(text)) <= 2 * len(text)


def test_threads_stem_alike() -> None:
    words = [
        f"{stem}{suffix}" for stem in ("relat", "organiz", "fish", "run") for suffix in ("ing", "s", "ion")
    ]
    texts = [" ".join(random.Random(seed).choices(words, k=200)) + f" {seed}" for seed in range(50)]

    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(terms, texts)) == [terms(text) for text in texts]
