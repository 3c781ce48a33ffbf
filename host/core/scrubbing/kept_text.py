"""Everything that is masked in a text that is kept beyond the work it came from, in one list."""

from collections.abc import Iterable
from typing import Final, NamedTuple

from host.core.scrubbing.addresses import EMAIL, HOST, IP, USER, mask_emails, mask_hosts
from host.core.scrubbing.paths import HOME, TEMPORARY, mask_paths
from host.core.scrubbing.scrub import PLACEHOLDER, scrub
from host.core.scrubbing.spans import settled_text


class TextMask(NamedTuple):
    """What is masked, by what, and an example of it."""

    name: str
    placeholder: str
    example: str


KEPT_TEXT_MASKS: Final = (
    TextMask("secret", PLACEHOLDER, "password = 'hunter2'"),
    TextMask("e-mail address", EMAIL, "ada@example.com"),
    TextMask("e-mail address in a URL", EMAIL, "?to=ada%40example"),
    TextMask("e-mail address on this machine", EMAIL, "root@localhost"),
    TextMask("user of a URL", USER, "ssh://ada@build/repo"),
    TextMask("host of a URL", HOST, "https://build:8443/status"),
    TextMask("host name", HOST, "db1.internal.example.com"),
    TextMask("IPv4 address", IP, "10.0.0.7"),
    TextMask("IPv6 address", IP, "fe80::1ff:fe23:4567:890a"),
    TextMask("temporary root", TEMPORARY, "/tmp/work/a.txt"),
    TextMask("temporary root of macOS", TEMPORARY, "/var/folders/zz/abc123/T/a.txt"),
    TextMask("temporary root of Windows", TEMPORARY, "C:\\Users\\ada\\AppData\\Local\\Temp\\a.txt"),
    TextMask("home directory", HOME, "/home/ada/notes.md"),
    TextMask("home directory of macOS", HOME, "/Users/ada/notes.md"),
    TextMask("home directory of Windows", HOME, "C:\\Users\\ada\\notes.md"),
    TextMask("home directory of root", HOME, "/root/notes.md"),
    TextMask("home directory by its user", HOME, "~ada/notes.md"),
)
"""Each shape that `mask_kept_text` masks."""


def mask_kept_text(
    text: str, literals: Iterable[str] = (), *, temporary: Iterable[str] = (), homes: Iterable[str] = ()
) -> str:
    """The text after `scrub`, `mask_emails`, `mask_hosts` and `mask_paths`, in this order.

    Masking twice changes nothing. `temporary` and `homes` are roots of this machine, as in `mask_paths`.
    """
    literals, temporary, homes = tuple(literals), tuple(temporary), tuple(homes)

    def mask(text: str) -> str:
        addressed = mask_hosts(mask_emails(scrub(text, literals)))
        return mask_paths(addressed, temporary=temporary, homes=homes)

    return settled_text(text, mask)
