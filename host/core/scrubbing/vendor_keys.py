"""Keys and tokens that vendors give a shape of their own, which tells them wherever they stand."""

import re
import string
from collections.abc import Iterator
from functools import cache
from typing import Any, Final

import re2

# A kind and its shape in a line. One after `~` needs a capital letter and a digit, since words have it too.
_SHAPES: Final = r"""
openai            sk-[A-Za-z0-9]{20,}[A-Za-z0-9_-]*
openai            ~sk-[A-Za-z0-9_-]{20,}
openai            sk-(?:proj|svcacct|admin|None|ant|or|lf)-[A-Za-z0-9_-]{12,}
openai            sess-[A-Za-z0-9]{36,}
groq              gsk_[A-Za-z0-9]{20,}
xai               xai-[A-Za-z0-9]{40,}
perplexity        pplx-[A-Za-z0-9]{32,}
replicate         r8_[A-Za-z0-9]{32,}
hugging_face      (?:hf_|api_org_)[A-Za-z0-9]{20,}
nvidia            nvapi-[A-Za-z0-9_-]{32,}
cerebras          csk-[A-Za-z0-9]{32,}
pinecone          pcsk_[A-Za-z0-9_]{32,}
langsmith         lsv2_(?:pt|sk)_[A-Za-z0-9_]{32,}
tavily            tvly-[A-Za-z0-9-]{20,}
together          tgp_v1_[A-Za-z0-9_-]{32,}
elevenlabs        sk_[a-f0-9]{40,}
github            gh[pousr]_[A-Za-z0-9_]{20,}
github            github_pat_[A-Za-z0-9_]{20,}
gitlab            gl(?:pat|dt|rt|ptt|ft|imt|agent|oas|soat|cbt|ffct|rtr)-[A-Za-z0-9_.-]{18,}[A-Za-z0-9_-]
atlassian         A(?:TATT|TCTT|TBB|TSTT)[A-Za-z0-9_=-]{20,}
slack             xox[a-z](?:\.xox[a-z])?-[A-Za-z0-9-]{10,}
slack             xapp-\d-[A-Za-z0-9-]{10,}
slack             hooks\.slack\.com/(?:services|workflows|triggers)/[A-Za-z0-9+/]{20,}
discord           discord(?:app)?\.com/api/webhooks/\d{15,}/[A-Za-z0-9_-]{40,}
discord           ~[MNO][A-Za-z0-9_-]{23,27}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,}
telegram          \d{8,10}:AA[A-Za-z0-9_-]{32,}
aws               (?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16,}
aws               ABSK[A-Za-z0-9+/=]{80,}
aws               amzn\.mws\.[0-9a-f-]{36}
google            AIza[A-Za-z0-9_-]{35,}
google            GOCSPX-[A-Za-z0-9_-]{20,}
google            ya29\.[A-Za-z0-9_.-]{20,}
google            1//0[A-Za-z0-9_-]{30,}
azure             ~[A-Za-z0-9_~.-]{3}[78]Q~[A-Za-z0-9_~.-]{31,}
alibaba           LTAI[A-Za-z0-9]{12,}
tencent           AKID[A-Za-z0-9]{32,}
digitalocean      do[opr]_v1_[a-f0-9]{40,}
databricks        dapi[a-f0-9]{32}(?:-\d)?
planetscale       pscale_(?:tkn|pw|oauth)_[A-Za-z0-9_.=-]{20,}
supabase          (?:sbp_[a-f0-9]{40}|sb_secret_[A-Za-z0-9_-]{20,})
fly               fo1_[A-Za-z0-9_-]{40,}
fly               fm[12][ar]?_[A-Za-z0-9_/+=,-]{40,}
netlify           nf[pcu]_[A-Za-z0-9]{36,}
render            rnd_[A-Za-z0-9]{24,}
heroku            HRKU-[A-Za-z0-9_-]{30,}
vault             hv[sbr]\.[A-Za-z0-9_-]{20,}
terraform         [A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_=-]{40,}
pulumi            pul-[a-f0-9]{40}
doppler           dp\.(?:pt|st|ct|sa|scim|audit)\.(?:[a-z0-9_-]{2,35}\.)?[A-Za-z0-9]{40,}
onepassword       ops_eyJ[A-Za-z0-9+/=_-]{40,}
age               AGE-SECRET-KEY-1[A-Z0-9]{50,}
openshift         sha256~[A-Za-z0-9_-]{43}
npm               npm_[A-Za-z0-9]{30,}
pypi              ~pypi-[A-Za-z0-9_-]{32,}
rubygems          rubygems_[a-f0-9]{40,}
crates            ~cio[A-Za-z0-9]{32}
nuget             oy2[a-z0-9]{43}
docker            dckr_[a-z]{3}_[A-Za-z0-9_-]{20,}
artifactory       ~AKC[A-Za-z0-9]{60,}
stripe            (?:sk|rk)_(?:live|test|prod)_[A-Za-z0-9]{10,}
stripe            whsec_[A-Za-z0-9+/=]{24,}
square            sq0[a-z]{3}-[A-Za-z0-9_-]{20,}
square            ~EAAA[A-Za-z0-9_-]{56,}
meta              ~EAA[A-Za-z0-9]{80,}
shopify           shp(?:at|ca|pa|ss)_[A-Fa-f0-9]{32}
plaid             access-(?:sandbox|development|production)-[0-9a-f-]{36}
shippo            shippo_(?:live|test)_[a-f0-9]{32,}
easypost          EZ[AT]K[A-Za-z0-9]{50,}
flutterwave       FLWSECK(?:_TEST)?-[A-Za-z0-9-]{12,}
sendgrid          SG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}
mailgun           key-[0-9a-f]{32}
mailchimp         [0-9a-f]{32}-us\d{1,2}
brevo             x(?:keysib|smtpsib)-[a-f0-9]{40,}-[A-Za-z0-9]{10,}
twilio            SK[0-9a-f]{32}
mapbox            sk\.eyJ[A-Za-z0-9_-]{20,}\.[A-Za-z0-9_-]{16,}
grafana           gl(?:c|sa)_[A-Za-z0-9+/=_]{32,}
newrelic          NR(?:AK|JS|II|IK|RA|SP)-[A-Za-z0-9_-]{19,}
dynatrace         dt0[a-z]\d\d\.[A-Z0-9]{24}\.[A-Z0-9]{60,}
sentry            sntry[su]_[A-Za-z0-9+/=_-]{40,}
linear            lin_(?:api|oauth)_[A-Za-z0-9]{32,}
notion            (?:ntn_[A-Za-z0-9]{40,}|secret_[A-Za-z0-9]{43})
figma             fig[dou]r?_[A-Za-z0-9_-]{36,}
airtable          ~pat[A-Za-z0-9]{14}\.[a-f0-9]{60,}
postman           PMAK-[a-f0-9]{24}-[a-f0-9]{34}
typeform          tfp_[A-Za-z0-9_.=-]{40,}
contentful        CFPAT-[A-Za-z0-9_-]{40,}
sourcegraph       sgp_[A-Za-z0-9_]{40,}
readme            rdme_[a-z0-9]{64,}
prefect           pn[ub]_[A-Za-z0-9]{36}
adafruit          aio_[A-Za-z0-9]{28}
duffel            duffel_(?:test|live)_[A-Za-z0-9_=-]{40,}
json_web_token    ~eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]*)*
password_hash     \$(?:1|2[abxy]|5|6|7|y|apr1)\$[A-Za-z0-9./$=,+-]{20,}
password_hash     \$(?:argon2(?:id?|d)|scrypt|pbkdf2[a-z0-9-]*)\$[A-Za-z0-9./$=,+-]{20,}
"""

# A shape begins where a word does, or after an escape: of JSON, of a URL, of a terminal's colour.
_BEGINS: Final = rb"(?:\b|_|\\[nrt]|%[0-9A-Fa-f]{2}|\x1b\[[0-9;]{0,12}m)"
# What is left of a key: a mark behind it, characters of keys, and no word.
_MARK: Final = re.compile(rb"\.\.\.|\n\([\d,]{1,20} more bytes\)")
_OF_KEYS: Final = (string.ascii_letters + string.digits + "_+/=~-").encode()
_LIKE_A_KEY: Final = re.compile(rb"\d.*\d|[A-Z].*\d|\d.*[A-Z]|[a-z][A-Z]")
_FILLERS: Final = (b"a7" * 40, b"A7" * 40)
_LEAST_CUT: Final = 8
_MOST_CUT: Final = 512
CUT: Final = "key:cut"
_MAX_MEMORY: Final = 128 * 2**20


def _compiled(pattern: bytes, *, capture: bool) -> Any:  # noqa: ANN401 - the library has no types
    options = re2.Options()
    options.never_capture = not capture
    options.max_mem = _MAX_MEMORY
    options.encoding = re2.Options.Encoding.LATIN1
    return re2.compile(pattern, options)


def _rows() -> Iterator[tuple[str, bool, bytes]]:
    for row in filter(None, _SHAPES.splitlines()):
        kind, _, shape = row.partition(" ")
        yield kind, shape.strip().startswith("~"), shape.strip().removeprefix("~").encode()


@cache  # at the first use: to compile them takes a while that not every run of gg needs
def _kinds() -> tuple[tuple[str, bool, Any], ...]:
    return tuple(
        (
            f"key:{kind}",
            is_word_like,
            _compiled((b"" if shape.startswith(b"\\$") else _BEGINS) + b"(" + shape + b")", capture=True),
        )
        for kind, is_word_like, shape in _rows()
    )


@cache
def _any() -> Any:  # noqa: ANN401 - the library has no types
    return _compiled(b"|".join(shape for _, _, shape in _rows()), capture=False)


@cache
def _all() -> Any:  # noqa: ANN401 - the library has no types
    shapes = b"|".join(shape for _, _, shape in _rows() if not shape.startswith(b"\\$"))
    return _compiled(_BEGINS + b"(" + shapes + b")", capture=True)


def vendor_keys(data: bytes) -> Iterator[tuple[int, int, str]]:
    """Start, end and rule of each key in the text, which is ASCII."""
    if not _any().search(data):
        return
    for rule, is_word_like, shape in _kinds():
        for match in shape.finditer(data):
            start, end = match.span(1)
            if not is_word_like or _has_capital_and_digit(data[start:end]):
                yield start, end, rule


def cut_keys(data: bytes) -> Iterator[tuple[int, int, str]]:
    """The same of each beginning of a key that was cut off, which a mark tells: `...`, as `…` is read, or the
    count of the bytes that are missing.
    """
    for mark in _MARK.finditer(data) if b"..." in data or b" more bytes)" in data else ():
        before = data[max(0, mark.start() - _MOST_CUT) : mark.start()]
        kept = before[len(before.rstrip(_OF_KEYS)) :]
        if len(kept) < _LEAST_CUT or not _LIKE_A_KEY.search(kept):
            continue
        starts = [_start_of_cut(kept, filler) for filler in _FILLERS]
        if found := [start for start in starts if start is not None]:
            yield mark.start() - len(kept) + min(found), mark.start(), CUT


def _start_of_cut(kept: bytes, filler: bytes) -> int | None:
    """Where a key begins in what is kept that would go on with the filler."""
    if not _any().search(kept + filler):
        return None
    for match in _all().finditer(kept + filler):
        start, end = match.span(1)
        if start <= len(kept) - _LEAST_CUT and end > len(kept):
            return int(start)
    return None


def _has_capital_and_digit(key: bytes) -> bool:
    return any(65 <= byte <= 90 for byte in key) and any(48 <= byte <= 57 for byte in key)
