"""Vendors of models and kinds of failures, as tables."""

from host.core.errors import PROVIDER_FAILURES
from host.core.text import join_words
from host.providers import VENDORS, Vendor

_ENDS = {"model_auth": "auth_error"}


def render_vendors() -> str:
    """A row for each vendor: what has to be in the environment, and what is installed for it."""
    rows = ["| vendor | key | besides | `baseUrl` | client |", "| --- | --- | --- | --- | --- |"]
    rows += [_row(name, vendor) for name, vendor in VENDORS.items()]
    return "\n".join(rows)


def render_provider_failures() -> str:
    """A row for each kind of failure that ends a run."""
    rows = ["| `errorType` | status of the run | what failed |", "| --- | --- | --- |"]
    rows += [
        f"| `{kind}` | `{_ENDS.get(kind, 'model_error')}` | {told} |"
        for kind, told in PROVIDER_FAILURES.items()
    ]
    return "\n".join(rows)


def _row(name: str, vendor: Vendor) -> str:
    cells = (
        f"`{name}:`",
        join_words((f"`{key}`" for key in vendor.keys), "or"),
        ", ".join(f"`{want}`" for want in vendor.wants),
        "yes" if vendor.takes_base_url else "",
        "" if vendor.extra in ("openai", "anthropic") else f"`pydantic-ai-slim[{vendor.extra}]`",
    )
    return f"| {' | '.join(cells)} |"
