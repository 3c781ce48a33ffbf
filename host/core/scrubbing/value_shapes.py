"""What stands behind a name such as `password`: a secret, or what only speaks of one."""

import re
from dataclasses import dataclass
from typing import Final

MOST_OF_A_NAME: Final = 256
"""Characters of the longest value that may be the name of a variable, an expression or a path."""


def words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Values that say which type or state something has. Also in quotes, as schemas have them.
_WORDS: Final = words(
    """
    any array binary bool boolean bytes char default disabled double empty enabled false float function
    hidden int integer invalid long masked missing never nil no none null number object off on optional
    password redacted required secret self str string text token true undefined unknown unset uuid
    varchar void yes
    """
)
# Words that are no secrets where nothing says that a value begins there.
_SAID: Final = words(
    """
    a above absent again all also an and any argument are as at auth authentication base64 base32 be
    been below bcrypt bearer both but by can cannot case changed command confirmation correct digest
    does encrypted env environment expired field file flag for format from generated given has hash
    hashed hex hs256 http2 https i18n id if in incorrect input invalid is it its json length local lost
    manager md5 missing must new not oauth oauth2 of ok old on only option or parameter path placeholder
    needs policy prompt prompts protected protection provided remote requires reset reused rs256 rotated
    same screen
    set sha1 sha256 sha512 should so stored system than that the their them then there these they this
    to too type unchanged unset utf8 utf-8 valid value variable via visible was weak when where which
    will with without wrong x509 you your
    """
)
_UNITS: Final = words(
    "bits bytes characters chars days digits hours letters minutes months seconds times words"
)

_TEMPLATE: Final = re.compile(
    r"\$\{[^}]*+\}?+|\$\([^)]*+\)?+|\{\{[^}]*+\}{0,2}|#\{[^}]*+\}|\{[^{}]*+\}|%\([^)]*+\)[sdr]|%[A-Za-z_]++%|%[sdr]"
    r"|\$(?:[A-Z_][A-Z0-9_]*+|[A-Za-z_]++)(?!\w)|<[^<>]*+>|\[[A-Za-z_ -]*+\]"
)
_FILLER: Final = re.compile(r"[\w-]{0,10}(?:\*{3,}|\.{3}|…)|[*x.X_#\-•]{2,}+[A-Za-z0-9]{0,4}|[\W_]*+")
_VARIABLE: Final = re.compile(r"(?:[A-Z]{1,40}\d{0,2}_){1,12}[A-Z]{1,40}\d{0,2}")
_EXPRESSION: Final = re.compile(
    r"!?(?:await\b|new\b|lambda\b|!?\(|&mut\b|[A-Za-z_$][\w$]{0,63}(?:(?:\??\.|::|->)[A-Za-z_$][\w$]{0,63}){0,12}[(\[]"
    r"|[A-Za-z_$][\w$]{0,63}(?:(?:\??\.|::|->)[A-Za-z_$][\w$]{0,63}){1,12}[?!]?$)"
)
_TAG: Final = re.compile(r"!(?:vault|Ref|Sub|GetAtt|secret|env|ENV|reference|include)\b|[*&][A-Za-z]\w*$|\$")
_PATH: Final = re.compile(r"(?:~|\.{0,2})/[\w.@-]*(?:/[\w.@-]*)*$|[A-Za-z]:\\{1,2}[^/]*$")
_NAMES_ONE: Final = re.compile(r"[A-Za-z_$][A-Za-z_$]*\d{0,2}$")
_NAMES_ONE_OR_HEADER: Final = re.compile(r"\.{0,2}[A-Za-z_$][A-Za-z_$-]*\d{0,2}$")
_OF_SECRETS: Final = re.compile(r"pass|token|secret|key|cred|pwd", re.IGNORECASE)
_OF_AUTHORITY: Final = re.compile(rf"{_OF_SECRETS.pattern}|auth", re.IGNORECASE)
_LIKE_A_KEY: Final = re.compile(r"[\w+/=.@:~!$%^&*-]+[,;.!?]?$")
_NAMED_FOR_ONE: Final = re.compile(
    r"(?:[A-Z]{1,20}[-_]){0,4}(?:TOKEN|KEY|SECRET|PASSWORD|CREDENTIALS?)(?:[-_][A-Z]{1,20}){0,4}"
)
_CLASS: Final = re.compile(r"(?:[A-Z][a-z]{2,24}+\d{0,5}|[A-Z]{1,6}(?=[A-Z][a-z])){2,12}(?:[A-Z]{1,5})?")
_HEX_NUMBER: Final = re.compile(r"0x[0-9A-Fa-f]{1,8}")
_SPEAKS_OF_ONE: Final = re.compile(
    r"\b(?:pass(?:word|phrase|code)|passwort|token|secret|key)s?\b", re.IGNORECASE
)
_FOR_THE_READER: Final = re.compile(r"<?your[-_ ]", re.IGNORECASE)
_WORD: Final = re.compile(r"[A-Za-z]+(?:[-'][A-Za-z]+)*$")
_BETWEEN_STRINGS: Final = re.compile(r"\s*+[+,;)\]}%]\s|\s*+[,;)\]}]*+$")
_STRONG_SIGN: Final = re.compile(r"[!@#$%^&*+=~?]")


@dataclass(frozen=True, kw_only=True)
class Context:
    """How a value stands behind its name.

    `is_password`: the name is of a secret whatever the value. `is_common`: it is of other things as well, as
    `token` by itself is. `is_variable`: it is given to a variable of the environment. `goes_on`: more words
    follow.
    """

    is_password: bool
    is_common: bool = False
    is_variable: bool = False
    goes_on: bool = False


def is_quoted_secret(value: str, context: Context) -> bool:
    """Whether what stands in quotes is one."""
    if _is_filled_in(value) or value.casefold() in _WORDS:
        return False
    if _BETWEEN_STRINGS.match(value) or (_names_a_secret(value) and not context.is_password):
        return False
    if value.count("|") > 1 and not context.is_password:
        return False  # words one of which it may be
    parts = value.split()
    has_digit = any(map(str.isdigit, value))
    if len(parts) > 2 and not has_digit:
        return context.is_password and not _SPEAKS_OF_ONE.search(value)
    if len(parts) > 2 and not context.is_password:
        return any(_LIKE_A_KEY.match(part) and is_mixed(part) for part in parts)
    return context.is_password or has_digit or len(value) >= (6 if context.is_common else 3)


def is_secret(value: str, context: Context) -> bool:
    """Whether what stands there without quotes is one."""
    if _is_filled_in(value) or value.casefold() in _WORDS:
        return False
    if len(value) > MOST_OF_A_NAME:
        return True
    if is_reference(value) or value.startswith(("http://", "https://")):
        return False
    if _HEX_NUMBER.fullmatch(value):
        return False
    if value.replace(".", "").replace(",", "").isdigit():
        return context.is_password and len(value) >= 4
    if _WORD.match(value):
        return _is_secret_word(value, context)
    has_digit = any(map(str.isdigit, value))
    if _NAMES_ONE.match(value) and not has_digit and not context.is_password:
        return context.is_variable and not _OF_SECRETS.search(value) and len(value) >= 6
    if _NAMES_ONE.match(value) and not has_digit and _OF_SECRETS.search(value):
        return False
    if context.is_password:
        return len(value) >= 3
    names_one = value.isidentifier() and _OF_SECRETS.search(value) and sum(map(str.isdigit, value)) <= 4
    return is_mixed(value) and not names_one


def is_type(value: str, context: Context, *, after: str) -> bool:
    """Whether it is the name of a class, behind the name of a parameter or a field. `after` is what follows;
    a password that stands alone in its line may look like one.
    """
    if _CLASS.fullmatch(value) is None:
        return False
    return not context.is_password or after[:1] in (";", ",", ")", "]", ">") or after in (" |", " =")


def is_code_in_prose(value: str, context: Context) -> bool:
    """Whether what stands between back quotes is a command or a name, as documentation has them."""
    is_name = value.removesuffix("()").isidentifier() and not any(map(str.isdigit, value))
    return " " in value or (is_name and not context.is_password)


def is_reference(value: str) -> bool:
    """Whether it names a variable or a path, or is an expression."""
    if _PATH.match(value):
        return is_path(value)
    return bool(_VARIABLE.fullmatch(value) or _EXPRESSION.match(value) or _TAG.match(value))


def is_path(value: str) -> bool:
    """Whether it is one, and no long key that has slashes in it."""
    return _PATH.match(value) is not None and not (
        len(value) >= 32 and "." not in value and _has_all_kinds(value)
    )


def is_said_secret(value: str, context: Context, *, is_quoted: bool, next_word: str = "") -> bool:
    """Whether a word of a sentence is one, as in `the password is hunter2`."""
    if _is_filled_in(value) or value.casefold() in _WORDS | _SAID or next_word.casefold() in _UNITS:
        return False
    if is_reference(value) or "://" in value or _names_a_secret(value):
        return False
    if is_quoted:
        return context.is_password or is_mixed(value)
    if value.isdigit():
        return context.is_password and len(value) >= 4 and not next_word
    has_letter = any(map(str.isalpha, value))
    has_digit = any(map(str.isdigit, value))
    if has_letter and has_digit and re.fullmatch(r"\d+-?[A-Za-z]+", value):
        return False  # 2nd, 30-day, 256bit
    return len(value) >= 5 and has_letter and (has_digit or _STRONG_SIGN.search(value) is not None)


def is_given(value: str) -> bool:
    """Whether credentials stand for themselves, and are no word that speaks of them, nor a name in their
    place, as `THE-TOKEN` is.
    """
    return value.casefold() not in _SAID | _WORDS and _NAMED_FOR_ONE.fullmatch(value) is None


def is_mixed(value: str) -> bool:
    """Whether it is long enough for a secret and no word."""
    has_digit = any(map(str.isdigit, value))
    has_letter = any(map(str.isalpha, value))
    return (has_digit and has_letter and len(value) >= 6) or (len(value) >= 16 and _WORD.match(value) is None)


def is_said(word: str) -> bool:
    """Whether it is an ordinary word behind the name of an option."""
    return word.casefold() in _SAID or word.casefold() in _WORDS or (word.isalpha() and word.isupper())


def _names_a_secret(value: str) -> bool:
    """Whether it is a name itself, as `refresh_token` is."""
    return (
        _NAMES_ONE_OR_HEADER.match(value) is not None
        and _OF_AUTHORITY.search(value) is not None
        and not value[-1].isdigit()
    )


def _is_secret_word(word: str, context: Context) -> bool:
    if context.goes_on or len(word) < 3 or _OF_SECRETS.fullmatch(word):
        return False
    if context.is_password:
        return word.casefold() not in _SAID and not re.search(r"passw|token|secret", word, re.IGNORECASE)
    return (context.is_variable and len(word) >= 6) or (len(word) >= 20 and "-" not in word)


def _is_filled_in(value: str) -> bool:
    """Whether it is a place for a value, or its asterisks: `${TOKEN}`, `<your key>`, `****`."""
    if _FOR_THE_READER.match(value) and _OF_SECRETS.search(value):
        return True
    rest = _TEMPLATE.sub("", value)
    if rest != value and sum(map(str.isalnum, rest)) < 4:
        return True
    return _FILLER.fullmatch(value) is not None and not (len(value) > 40)


def _has_all_kinds(value: str) -> bool:
    return any(map(str.isdigit, value)) and any(map(str.isupper, value)) and any(map(str.islower, value))
