"""Folds texts that look alike into one, to compare names and claims, and to find phrases that were disguised.

The table is kept by hand: of each script that is used to disguise Latin letters, those that pass for them, in
lower case. Where a capital passes for another letter than its small one does, it is read as such beside a
Latin letter. The one library, `confusable-homoglyphs` 3.3.1 of January 2024, takes 35 ms to import,
distinguishes letters by their case, makes `l` of `I`, and keeps accents.
"""
# ruff: noqa: RUF001 - these are the letters that are taken for others

import re
import unicodedata
from typing import Final

from host.core.unicode_text import nfkc, visible

_LETTERS: Final = (
    # Cyrillic
    ("авгекмнопрстухшьѕіјѡѵүһҽӏԁԍԛԝꙇ", "abrekmhonpctyxwbsijwvyheldgqwi"),
    # Greek
    ("αβγεζηικμνοπρστυχωϝϳϻ", "abyeznikuvonpotuxwfjm"),
    # Armenian
    ("ագզլհյոռստցքօ", "wqqlhjnnusgfo"),
    # Cherokee, whose capitals are what its letters fold to
    ("ᎠᎡᎢᎥᎩᎪᎫᎬᎳᎷᎻᎽᎱᏀᏂᏃᏏᏒᏔᏕᏙᏚᏞᏟᏢᏦᏧᏳᏴ", "drtiyajewmhyrghzbrwsvslcpkdgb"),
    # Coptic
    ("ⲁⲃⲅⲉⲏⲓⲕⲙⲛⲟⲣⲥⲧⲩⲭⳑ", "abrehikmnopctyxl"),
    # Lisu
    ("ꓐꓑꓒꓓꓔꓖꓗꓙꓚꓜꓝꓟꓠꓡꓢꓣꓦꓧꓪꓫꓬꓮꓰꓲꓳꓴ", "bpddtgkjczfmnlsrvhwxyaeiou"),
    # Syllabics of Canada, Georgian, Deseret
    ("ᐯᑌᑭᑯᑲᒍᒪᕁᕼᖇᖴᗅᗞᗰᗷყჿ𐐬𐐽𐑈", "vupdbjlxhrfadmbyoocs"),
    # Latin itself: small capitals, letters of phonetics, strokes
    ("ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘꞯʀꜱᴛᴜᴠᴡʏᴢ", "abcdefghijklmnopqrstuvwyz"),
    ("ıɑɡɩɨɣɯʋʉƅɓɖɗƒɠɦɲƙƥɾʂƭʐ", "iagiiywuubbddfghnkprstz"),
    ("øđłħŧƀǥɉɍɏƶⱥɇɫ", "odlhtbgjryzael"),
)
_BESIDE_LATIN: Final = {"Η": "h", "Μ": "m", "Ν": "n", "Υ": "y"}
_BEFORE_NFKC: Final = str.maketrans("ϲϹϒ", "ccy")  # which has them lose their looks
_PUNCTUATION: Final = (("‘’ʼ′‛", "'"), ("“”„″", '"'), ("‐‑‒–—―−", "-"), ("⁄∕", "/"))

_TABLE: Final = {
    **{ord(char): latin for chars, letters in _LETTERS for char, latin in zip(chars, letters, strict=True)},
    **{ord(char): sign for chars, sign in _PUNCTUATION for char in chars},
    **{first + n: chr(ord("a") + n) for first in (0x1F150, 0x1F170) for n in range(26)},  # white on black
}
_CAPITAL: Final = re.compile("(?<=[A-Za-z])[ΗΜΝΥ]|[ΗΜΝΥ](?=[A-Za-z])")
# The blocks of marks that go on any letter, and Cyrillic's.
_DECORATED: Final = re.compile(
    "([0-9a-z])[\u0300-\u036f\u0483-\u0489\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]+"
)


def fold(text: str) -> str:
    """The text in a form that does not depend on what a reader hardly sees.

    What is not visible goes; the rest is NFKC and casefolded. Letters that look like Latin ones become those,
    and lose accents and other marks, as Latin letters do; quotes and dashes are ASCII's. Runs of white space
    are one space, with none at the ends. Digits stay apart from letters. Takes time in proportion to the
    text; never fails. Folding twice changes nothing.
    """
    if text.isascii():
        return " ".join(text.lower().split())
    seen = _CAPITAL.sub(
        lambda capital: _BESIDE_LATIN[capital[0]], nfkc(visible(text).translate(_BEFORE_NFKC))
    )
    apart = unicodedata.normalize("NFKD", nfkc(seen.casefold()))
    plain = _DECORATED.sub(r"\1", apart.translate(_TABLE))
    return " ".join(unicodedata.normalize("NFKC", plain).split())
