"""Secrets that their place tells: in a URL, in a header of HTTP, in the options of a few commands."""

import re
from collections.abc import Callable, Iterator
from typing import Final

import re2

from host.core.scrubbing.value_shapes import Context, is_given, is_mixed, is_reference, is_secret

URL: Final = "url_credentials"
HEADER: Final = "authorization"
COOKIE: Final = "cookie"
QUERY: Final = "signed_url"
COMMAND: Final = "command_option"
Found = tuple[int, int, str]

_FIRST: Final = r"[^\s/?#@:\"'`<>\\]{0,128}+"
_URL: Final = re.compile(rf"://({_FIRST}):([^\s\"'`<>@]{{1,512}}+(?:@[^\s\"'`<>@/]{{0,256}}+)*)")
_PORT: Final = re.compile(r"\d{1,5}(?:[/?#]|$)")
_TOKEN_USER: Final = re.compile(r"://([A-Za-z0-9_-]{20,256}+)@")
_PREFIX: Final = r"(?:(?:f|b|rb|br)(?=[\\\"']))?\\{0,7}"
_AUTHORIZATION: Final = re.compile(
    rf"(?:proxy-?)?authorization\\{{0,7}}[\"'`]?[\])]?\s{{0,4}}(?:(?:=>|[:=])\s{{0,8}}{_PREFIX}[\"'`]?|,\s{{0,8}}{_PREFIX}[\"'`])"
    r"\s{0,4}(?:(bearer|basic|token|api-?key|digest|negotiate|ntlm|key|geniekey|oauth|splunk|bot|hmac|sso-key|aws4-hmac-sha256)"
    r"[ \t:]{1,4})?",
    re.IGNORECASE,
)
_SCHEME: Final = re.compile(r"\b(bearer|basic)(?:[ \t]{1,4}|%20|\+)(?=[A-Za-z0-9])", re.IGNORECASE)
_CREDENTIALS: Final = re.compile(r"[^\s\"'`,;<>\\]+")
_TOKEN: Final = re.compile(r"[A-Za-z0-9._~+/=:-]+")
_WORDS: Final = re.compile(r"[A-Za-z]+(?:[-_][A-Za-z]+\d{0,4})*")
_PLACE: Final = re.compile(
    r"(?:\$?\{|\$\()[^})]*+|\$?\{[^}]*+\}|\$\w+|\{\{[^}]*+\}\}|%\w+%|%s|\w{0,10}(?:\*{3,}|\.{3})|\*+|\.{2,}"
    r"|\[[A-Za-z_: -]*+\]?"
)
_TO_LINE_END: Final = re.compile(r"[^\r\n`]{1,4096}")
_WITH_PARAMETERS: Final = frozenset({"digest", "aws4-hmac-sha256", "oauth", "hmac"})
_COOKIES: Final = re.compile(
    r"\b(set-?)?cookies?\\{0,7}[\"']?\]?\s{0,4}(?:=>|[:=,])\s{0,8}\\{0,7}[\"']?(?=[\w.!#$%&*^|~-]{1,128}=)",
    re.IGNORECASE,
)
_COOKIE: Final = re.compile(r"[\w.!#$%&*^|~-]{1,128}+=([^;\s\"'\\]*+)(;\s{0,4})?")
_SIGNED: Final = re.compile(
    r"[?&](?:amp;)?(?:sig|signature|x-(?:amz|goog)-(?:signature|security-token|credential)|key|code|auth|apikey|jwt"
    r"|sessionid|sid|access_?key|hmac|ticket)=([^\s&#\"'`<>\\]{6,4096}+)",
    re.IGNORECASE,
)
_COMMANDS: Final = re.compile(
    r"\b(?:curl|wget|https?|httpie)\b[^\n|;&]{0,256}?\s(?:-u|--user|-a|--auth|--proxy-user)[ =]?[\"']?"
    r"[^\s:\"'$]{1,64}:([^\s\"']{1,256})"
    r"|\bmysql\w{0,12}\b[^\n|;&]{0,256}?\s-p([^\s\"'=-][^\s\"']{0,128})"
    r"|\bsshpass\s{1,4}-p\s{0,4}[\"']?([^\s\"']{1,128})"
    r"|\bredis-cli\b[^\n|;&]{0,128}?\s-a\s{1,4}[\"']?([^\s\"']{1,128})"
)


def placed_secrets(text: str, data: bytes) -> Iterator[Found]:
    """Start, end and rule of each in the text, which has `?` for what is not ASCII; `data` is its bytes."""
    for may_find, find in SEARCHES:
        if may_find(text, data):
            yield from find(text)


def _in_queries(text: str) -> Iterator[Found]:
    for signed in _SIGNED.finditer(text):
        if is_mixed(signed[1]) and not is_reference(signed[1]):
            yield signed.start(1), signed.end(1), QUERY


def _in_commands(text: str) -> Iterator[Found]:
    for command in _COMMANDS.finditer(text):
        value = command[command.lastindex or 0]
        if is_secret(value, Context(is_password=True)) or (value.isalpha() and value.islower()):
            yield *command.span(command.lastindex or 0), COMMAND


def _in_urls(text: str) -> Iterator[Found]:
    for match in _URL.finditer(text):
        at = match[2].rfind("@")
        host_begins = match[2].find("@")
        if at < 0 or (_PORT.match(match[2]) and "/" in match[2][:host_begins]):
            continue
        start = match.start(2)
        password = match[2][:at]
        if password and is_secret_part(password):
            yield start, start + at, URL
    for token in _TOKEN_USER.finditer(text):
        if is_mixed(token[1]) and not is_reference(token[1]):
            yield *token.span(1), URL


def is_secret_part(password: str) -> bool:
    """Whether it is one and no place for one."""
    return not _PLACE.fullmatch(password)


def _in_headers(text: str) -> Iterator[Found]:
    done = 0
    for match in _AUTHORIZATION.finditer(text):
        scheme = (match[1] or "").casefold()
        shape = _TO_LINE_END if scheme in _WITH_PARAMETERS else _CREDENTIALS
        found = shape.match(text, match.end())
        if found is None:
            continue
        value = found[0]
        if (
            is_secret_part(value)
            and not is_reference(value)
            and (is_given(value) if scheme else is_mixed(value) and _WORDS.fullmatch(value) is None)
        ):
            yield found.start(), found.start() + len(value.rstrip(")]}")), HEADER
            done = found.end()
    for match in _SCHEME.finditer(text):
        found = _TOKEN.match(text, match.end())
        if found is not None and match.start() >= done and not is_reference(found[0]):
            value = found[0].rstrip(".)]}")
            if is_mixed(value) and (len(value) >= 16 or match[1].casefold() == "bearer") and len(value) >= 8:
                yield found.start(), found.start() + len(value), HEADER


def _in_cookies(text: str) -> Iterator[Found]:
    for header in _COOKIES.finditer(text):
        at = header.end()
        while (cookie := _COOKIE.match(text, at)) is not None:
            if len(cookie[1]) >= 1 and is_secret_part(cookie[1]) and not is_reference(cookie[1]):
                yield *cookie.span(1), COOKIE
            if header[1] or cookie[2] is None:
                break
            at = cookie.end()


def _speaks(pattern: str, *, case_sensitive: bool = False) -> Callable[[str, bytes], bool]:
    options = re2.Options()
    options.case_sensitive = case_sensitive
    options.never_capture = True
    options.encoding = re2.Options.Encoding.LATIN1
    compiled = re2.compile(pattern.encode(), options)
    return lambda _, data: compiled.search(data) is not None


_speaks_of_commands: Final = _speaks("curl|wget|http|mysql|sshpass|redis-cli", case_sensitive=True)
_has_options: Final = _speaks(r"[\s\x0b\x1c-\x1f]-(?:u|p|a|-user|-auth|-proxy-user)", case_sensitive=True)

SEARCHES: Final[tuple[tuple[Callable[[str, bytes], bool], Callable[[str], Iterator[Found]]], ...]] = (
    (lambda text, _: "://" in text, _in_urls),
    (_speaks("authorization|bearer|basic"), _in_headers),
    (_speaks("cookie"), _in_cookies),
    (lambda text, _: "=" in text and ("?" in text or "&" in text), _in_queries),
    (lambda text, data: _has_options(text, data) and _speaks_of_commands(text, data), _in_commands),
)
"""Whether a text can hold what a search finds, which is known in a tenth of the time, and the search."""
