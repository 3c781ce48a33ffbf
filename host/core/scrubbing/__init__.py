"""Takes out of texts what must not leave: secrets, and in texts that are kept addresses, hosts and homes."""

from host.core.scrubbing.addresses import mask_emails, mask_hosts
from host.core.scrubbing.kept_text import KEPT_TEXT_MASKS, TextMask, mask_kept_text
from host.core.scrubbing.names import names_secret
from host.core.scrubbing.paths import mask_paths
from host.core.scrubbing.scrub import PLACEHOLDER, Scrubbed, scrub, scrub_report
from host.core.scrubbing.variables import MIN_SECRET_CHARS, literals_from, secrets_from

__all__ = [
    "KEPT_TEXT_MASKS",
    "MIN_SECRET_CHARS",
    "PLACEHOLDER",
    "Scrubbed",
    "TextMask",
    "literals_from",
    "mask_emails",
    "mask_hosts",
    "mask_kept_text",
    "mask_paths",
    "names_secret",
    "scrub",
    "scrub_report",
    "secrets_from",
]
