"""The names of secrets, as programs, configurations, commands and people write them."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

import re2

_PASSWORDS: Final = (
    r"passw(?:or)?d|passwd|pass[_ -]?phrase|passcode|passwort|contrase.a|mot[_ -]de[_ -]passe"
    r"|senha|pwd|pass|identified by"
)
_KINDS_OF_KEY: Final = (
    "api|access|secret|private|signing|signature|encryption|master|shared|pre-?shared|account|storage|service"
    "|subscription|consumer|client|app|application|auth|session|deploy|ssh|admin|root|license|webhook|hmac|aes"
    "|jwt|bot|write|read|user|project|team|ingest|integration|function|host|server|functions|developer"
    "|publisher|stripe|openai|anthropic|azure|aws|gcp|google|github|gitlab|slack|sendgrid|twilio|datadog|dd"
    "|cloudflare|algolia|mapbox|mailgun|sentry|openrouter|mistral|gemini|cohere|deepseek|groq"
)
_OTHERS: Final = (
    rf"(?:{_KINDS_OF_KEY})[_ .-]?key|secret|token|credential|shared_?access_?signature"
    r"|session[_-]?id|sess(?:ion)?_?id|_auth|connection[_ -]?string|fernet[_-]?key|cookie[_-]?value"
)
_BEFORE: Final = 64
"""Characters of a name that are looked at before the word that tells."""

_SHORT: Final = frozenset({b"pwd", b"pass", b"senha"})
"""Names that are parts of other words as well."""
_IDENTIFIER_BEFORE: Final = re.compile(r"[A-Za-z0-9_.$-]*")
_NOT_SECRET: Final = re.compile(
    r"(?:public[_-]?(?:key)?|forgot(?:ten)?[_-]?|invalid[_-]?|unexpected[_ -]?|wrong[_-]?|missing[_-]?"
    r"|expired[_-]?"
    r"|(?:next|prev|previous)[_-]?page[_-]?|continuation[_-]?|page[_-]?|next[_-]?|sync[_-]?|cancell?ation[_-]?)$",
    re.IGNORECASE,
)
_QUALIFIER: Final = (
    r"(?:[_-]?(?:\d{1,3}|v\d{1,2}|b64|base64|value|val|plain(?:text)?|str(?:ing)?|raw|default|dev|prod(?:uction)?"
    r"|staging|test|live|old|new|current|previous|primary|secondary|main|field)){0,2}"
)
_REST: Final = re.compile(rf"{_QUALIFIER}(s?){_QUALIFIER}(?![A-Za-z0-9_])", re.IGNORECASE)


@dataclass(frozen=True, kw_only=True)
class SecretName:
    """Characters `start` to `end` name a secret; `is_password` unless the name is of other things as well."""

    start: int
    end: int
    is_password: bool
    is_plural: bool
    text: str


def _compiled(pattern: str) -> Any:  # noqa: ANN401 - the library has no types
    options = re2.Options()
    options.case_sensitive = False
    options.encoding = re2.Options.Encoding.LATIN1
    return re2.compile(pattern.encode(), options)


_NAME: Final = _compiled(f"({_PASSWORDS})|({_OTHERS})")


def secret_names(data: bytes, text: str) -> Iterator[SecretName]:
    """Each name in `text`, which is ASCII, and `data` its bytes."""
    for match in _NAME.finditer(data):
        rest = _REST.match(text, match.end())
        if rest is None:
            continue
        begin = max(0, match.start() - _BEFORE)
        before = _IDENTIFIER_BEFORE.match(text[begin : match.start()][::-1])
        assert before is not None, "it matches nothing as well"
        start = match.start() - before.end()
        if match[0].lower() in _SHORT and not _stands_alone(text, match.start()):
            continue
        if text.startswith("/etc/", max(0, match.start() - 5)):
            continue
        if not _NOT_SECRET.search(text, max(begin, start - 12), match.start()):
            yield SecretName(
                start=start,
                end=rest.end(),
                is_password=match.span(1) != (-1, -1),
                is_plural=bool(rest[1]),
                text=text[start : rest.end()],
            )


def names_secret(text: str) -> bool:
    """Whether a name, such as a key of an object, says that a secret is behind it."""
    data = text.encode("ascii", "replace")
    return any(secret_names(data, data.decode("ascii")))


def _stands_alone(text: str, at: int) -> bool:
    before = text[max(0, at - 2) : at]
    return (
        not before[-1:].isalnum() or (text[at].isupper() and before[-1:].islower()) or before in ("db", "DB")
    )
