"""Masks addresses in texts that are kept: of e-mail, of users and hosts in URLs, names of hosts, IP."""

import ipaddress
import re
from typing import Final

from host.core.scrubbing.spans import settled_text
from host.core.scrubbing.value_shapes import words

EMAIL: Final = "[REDACTED_EMAIL]"
USER: Final = "[REDACTED]"
HOST: Final = "<host>"
IP: Final = "<ip>"
_MOST_LOCAL: Final = 256

_AT: Final = re.compile(r"@|%40")
_LOCAL_BACKWARDS: Final = re.compile(r"[\w.+%'-]*")
_DOMAIN: Final = re.compile(r"(?:[^\W_](?:[\w-]{0,62})\.){0,8}[^\W_][\w-]{0,62}|\[[0-9A-Fa-f:.]{3,45}\]")
_FOUR_NUMBERS: Final = re.compile(r"\d{1,3}(?:\.\d{1,3}){3}")
_NO_DOMAINS: Final = words(
    """
    png jpg jpeg gif svg webp avif ico css js ts py service socket timer mount target slice scope device
    """
)

_URL: Final = re.compile(
    r"(?<![A-Za-z0-9+.-])([A-Za-z][A-Za-z0-9+.-]{0,31}):(\\?/\\?/)"
    r"(?:([^\s/?#@\"'`<>\\]{1,256})@)?"
    r"(\[[0-9A-Fa-f:.%]{2,60}\]|[^\s/?#:@\"'`<>\\()\[\]{},;|$*~]{1,253})"
)
_SCHEMES_OF_PLACES: Final = frozenset(
    {"file", "gg", "g6", "data", "about", "urn", "node", "npm", "webpack", "vscode"}
)

# Names end so beyond doubt; names that end so may be files or parts of programs as well.
_ENDINGS: Final = words(
    """
    com net org edu gov mil int eu de fr uk nl ch au jp cn ru br us ca dk fi ie nz kr za mx ar cz hu gr
    pt tr ua il sg hk tw th vn ph my arpa onion biz cloud online site tech company network systems
    hosting academy agency bank berlin digital email engineering global group institute london paris
    software solutions university ventures
    """
)
_INTERNAL: Final = words(
    """
    internal local lan corp intranet localdomain home private svc cluster consul invalid example test
    localhost
    """
)
_AMBIGUOUS: Final = words(
    """
    io ai co dev app me tv it es se no pl at be is in to so id us info page live run cc sh rs md py xyz
    zone network world today life space store shop blog news pro name ro sk si hr lt lv ee lu li ly gl
    gg fm im
    """
)
_DOTTED: Final = re.compile(
    r"(?<![\w@/\\.%-])(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,62}))(?:\.[A-Za-z0-9-]{1,63}){1,10}(?![\w/\\(@-]|\.\w|\[|\.py)"
)
_WITH_SLASH: Final = re.compile(
    r"(?<![\w@/\\.%-])((?:[A-Za-z0-9-]{1,63}\.){1,8}(?:com|net|org|edu|gov|io|dev|de|uk|eu))(?=/)"
)
_NAMED: Final = re.compile(
    r"(?<![\w.-])(?:hostname|host|server_name|server|fqdn|nodename|node_name|machine|ssh|ping|telnet)"
    r"(?:[\"']?\s{0,3}[:=]\s{0,3}[\"']?|\s(?:at\s)?[\"']?)([A-Za-z][A-Za-z0-9-]{1,62})(?![\w.(\[<-])",
    re.IGNORECASE,
)
_IPV4: Final = re.compile(r"(?<![\w.])(?<!\d-)(\d{1,3}(?:\.\d{1,3}){3})(?![\w]|\.\d)")
_OF_A_VERSION: Final = re.compile(
    r"(?:version|release|==|[<>~^!]=?|\bv|[a-z]-|@)[ \t:=\"']{0,3}$", re.IGNORECASE
)
_IPV6: Final = re.compile(
    r"(?<![\w:.])([0-9A-Fa-f]{0,4}(?::[0-9A-Fa-f]{0,4}){2,7}(?:\.\d{1,3}){0,3})(%[\w-]{1,16})?(?![\w:])"
)


def mask_emails(text: str) -> str:
    """The text with `[REDACTED_EMAIL]` for each address, also `ada%40host` and `ada@localhost`.

    The user of a URL is `mask_hosts`'s.
    """
    return settled_text(text, _without_emails)


def _without_emails(text: str) -> str:
    parts: list[str] = []
    done = 0
    for at in _AT.finditer(text):
        if at.start() < done:
            continue
        local = _LOCAL_BACKWARDS.match(text[max(done, at.start() - _MOST_LOCAL) : at.start()][::-1])
        domain = _DOMAIN.match(text, at.end())
        if local is None or domain is None:
            continue
        name = local[0][::-1].lstrip(".'-+%")
        start = at.start() - len(name)
        if (
            name
            and _is_domain(domain[0], at[0])
            and (at[0] != "@" or text[max(0, start - 2) : start] != "//")
        ):
            parts += (text[done:start], EMAIL)
            done = domain.end()
    return "".join((*parts, text[done:]))


def _is_domain(domain: str, at: str) -> bool:
    if domain.startswith("[") or _FOUR_NUMBERS.fullmatch(domain):
        return True
    first, _, last = domain.rpartition(".")
    if not first:
        return at != "@" or domain.lower() == "localhost"
    return len(last) >= 2 and not last[:1].isdigit() and last.lower() not in _NO_DOMAINS


def mask_hosts(text: str) -> str:
    """The text with `<host>` for names of hosts and `<ip>` for addresses; users in URLs are `[REDACTED]`.

    A name that stands alone is one by its ending; where names of files and programs end so too, three parts
    make one, or a digit or hyphen. `localhost` by itself tells nothing and stays.
    """
    return settled_text(text, _without_hosts)


def _without_hosts(text: str) -> str:
    text = _URL.sub(_masked_url, text)
    text = _IPV6.sub(_masked_ipv6, text)
    text = _without_versions(text)
    text = _NAMED.sub(
        lambda found: found[0][: found.start(1) - found.start()] + HOST if _is_single(found[1]) else found[0],
        text,
    )
    text = _WITH_SLASH.sub(lambda found: HOST, text)
    return _DOTTED.sub(lambda found: HOST if _is_host(found[0]) else found[0], text)


def _masked_url(url: re.Match[str]) -> str:
    scheme, slashes, user, host = url.groups()
    if scheme.lower() in _SCHEMES_OF_PLACES:
        return url[0]
    if user is None:
        before = ""
    elif user in (USER, EMAIL, f"{USER}:{USER}"):
        before = f"{user}@"
    else:
        name, colon, password = user.partition(":")
        before = f"{USER if name else ''}{colon}{USER if password else ''}@"
    return f"{scheme}:{slashes}{before}{_host_or_ip(host)}"


def _host_or_ip(host: str) -> str:
    bare = host.strip("[]").partition("%")[0]
    try:
        ipaddress.ip_address(bare)
    except ValueError:
        return HOST
    return IP


def _masked_ipv6(found: re.Match[str]) -> str:
    address = found[1]
    before = found.string[max(0, found.start() - 2) : found.start()]
    if before.endswith("[") and (before[0].isalnum() or before[0] in "_])"):
        return found[0]  # a slice
    groups = [group for group in address.split(":") if group]
    if not any(map(str.isdigit, address)) and len(groups) < 4:
        return found[0]
    try:
        ipaddress.IPv6Address(address)
    except ValueError:
        return found[0]
    return IP


def _without_versions(text: str) -> str:
    """IPv4 addresses masked, versions of four numbers left."""

    def masked(found: re.Match[str]) -> str:
        is_version = _OF_A_VERSION.search(text, max(0, found.start() - 12), found.start())
        numbers = [int(number) for number in found[1].split(".")]
        if is_version or any(number > 255 for number in numbers) or (numbers[0] == 0 and any(numbers)):
            return found[0]
        return IP

    return _IPV4.sub(masked, text)


def _is_single(name: str) -> bool:
    """Whether one word after `host` is the name of one: it has a digit or a hyphen."""
    return any(map(str.isdigit, name)) or "-" in name.strip("-")


def _is_host(name: str) -> bool:
    labels = name.lower().split(".")
    ending = labels[-1]
    is_like_a_machine = any(map(str.isdigit, labels[0])) or "-" in labels[0]
    if ending in _ENDINGS:
        return not name[0].isupper() or len(labels) > 2 or name.isupper()
    if ending in _INTERNAL:
        return len(labels) >= 3 or is_like_a_machine
    return (
        ending in _AMBIGUOUS and ending not in _SOURCE_ENDINGS and len(labels) >= 3 and name == name.lower()
    )


_SOURCE_ENDINGS: Final = words("py rs sh md so pl cc info name run id is in to")
