"""Which model answers, as a value: its name, where it is, and how long it is waited for."""

from collections.abc import Mapping
from dataclasses import dataclass

from host.providers.models.catalogue import VENDORS, Vendor, split_name

TIMEOUT_S = 900.0
STREAM_IDLE_S = 60.0
MAX_RETRIES = 10
RETRY_MAX_DELAY_S = 60.0


@dataclass(frozen=True, kw_only=True)
class RealModel:
    """A model of a vendor.

    Args:
        name: `vendor:model`, such as `openai:gpt-5`.
        base_url: the server that answers in the vendor's place. What the vendor's own variable holds is
            never sent to it.
        counter: how the tokens of a window are counted, as a configuration names it.
        key_variable: the environment variable that holds the key, where it is not the vendor's own.
        timeout_s: how long one attempt may take from the request to the end of the reply.
        stream_idle_s: how long a reply that has begun may pause.
        max_retries: how often a request is sent again that failed in a way another attempt might not.
        retry_max_delay_s: the longest wait before that, unless the provider asks for a longer one.
    """

    name: str
    base_url: str | None = None
    context_window_tokens: int | None = None
    counter: str = "characters"
    max_output_tokens: int | None = None
    temperature: float | None = None
    key_variable: str | None = None
    timeout_s: float = TIMEOUT_S
    stream_idle_s: float = STREAM_IDLE_S
    max_retries: int = MAX_RETRIES
    retry_max_delay_s: float = RETRY_MAX_DELAY_S

    @property
    def vendor(self) -> Vendor:
        return VENDORS[split_name(self.name)[0]]

    @property
    def key_variables(self) -> tuple[str, ...]:
        """The variables of which any one may hold the key; none where no key is sent, or none of gg's."""
        if self.key_variable is not None:
            return (self.key_variable,)
        return () if self.base_url is not None else self.vendor.keys

    def key_from(self, environ: Mapping[str, str]) -> str | None:
        """The key that is to be sent, where there is one."""
        return next((key for name in self.key_variables if (key := environ.get(name, "").strip())), None)

    def missing_variables(self, environ: Mapping[str, str]) -> tuple[tuple[str, ...], ...]:
        """What has to be in the environment and is not: of each group any one is enough."""
        wants = () if self.base_url is not None else self.vendor.wants
        groups = ((name,) for name in wants)
        needed = [*([self.key_variables] if self.key_variables else []), *groups]
        return tuple(group for group in needed if not any(environ.get(name, "").strip() for name in group))
