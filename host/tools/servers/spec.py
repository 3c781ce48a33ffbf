"""What an MCP server is in a configuration, and what is said of one that cannot be used."""

import shlex
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from host.core.errors import HostError
from host.core.text import escape_line, shortened

_TARGET_CHARS: Final = 300
_PACKAGES: Final = ("mcp", "jsonschema")


@dataclass(frozen=True, kw_only=True)
class ServerSpec:
    """A server over stdio has a `command`, one over streamable HTTP a `url`; exactly one of them is set.

    Args:
        name: the namespace of its tools.
        command: the program and its arguments; no shell reads them.
        cwd: where the command runs; the host's own directory for `None`.
        env: names of environment variables that the command gets, beside `PATH`, `HOME` and the like.
        headers_env: headers of each request, and the environment variables that hold their values.
        start_timeout_s: how long it may take until it has told its tools, seconds.
        timeout_s: how long a call may take, seconds.
    """

    name: str
    command: tuple[str, ...] | None = None
    url: str | None = None
    cwd: Path | None = None
    env: tuple[str, ...] = ()
    headers_env: Mapping[str, str] = field(default_factory=dict)
    start_timeout_s: float = 30.0
    timeout_s: float = 60.0

    def __post_init__(self) -> None:
        if (self.command is None) == (self.url is None) or self.command == ():
            raise ValueError(f"the server {self.name!r} needs either a command or a url")

    @property
    def target(self) -> str:
        """The command or the URL, on a line; of a URL without what may be secret."""
        told = shlex.join(self.command) if self.command is not None else public_part(self.url or "")
        return escape_line(shortened(told, _TARGET_CHARS))


def public_part(url: str) -> str:
    """A URL without user, password, query and fragment."""
    scheme, separator, rest = url.partition("://")
    rest = rest.split("?")[0].split("#")[0]
    authority, slash, path = rest.partition("/")
    return f"{scheme}{separator}{authority.rpartition('@')[2]}{slash}{path}"


@dataclass(frozen=True, kw_only=True)
class UnusableTool:
    """A tool that a server offers and gg leaves out, and why: a phrase such as `its input schema …`."""

    server: str
    tool: str
    reason: str


@dataclass(frozen=True, kw_only=True)
class ServerFailure:
    """Why a server could not be started. `target` is its command or URL, `stderr` its last lines there.

    `reason` is a sentence without a subject, `remedy` a whole one.
    """

    server: str
    target: str
    reason: str
    remedy: str
    stderr: tuple[str, ...] = ()

    @property
    def told(self) -> str:
        """All of it, in lines."""
        lines = [f"The MCP server `{self.server}` {self.reason}.", f"  It is: {self.target}"]
        if self.stderr:
            lines += ["  Its last lines on stderr:", *(f"    {line}" for line in self.stderr)]
        return "\n".join([*lines, f"  {self.remedy}"])


class ServersFailed(HostError):
    """Servers that could not be started, every one of them. None is left running."""

    def __init__(self, failures: Iterable[ServerFailure]) -> None:
        self.failures: Final = tuple(failures)
        super().__init__("\n".join(failure.told for failure in self.failures))

    def masked(self, mask: Callable[[str], str]) -> "ServersFailed":
        """The same, as far as others may read it: `mask` hides secrets in a text."""
        return ServersFailed(
            replace(
                failure,
                target=mask(failure.target),
                reason=mask(failure.reason),
                stderr=tuple(mask("\n".join(failure.stderr)).split("\n")) if failure.stderr else (),
            )
            for failure in self.failures
        )


class ServersNotInstalled(HostError):
    """The libraries that speak with servers are not installed."""

    def __init__(self, missing: str) -> None:
        super().__init__(
            f"MCP servers need the package {missing}, which is not installed: pip install 'gg[mcp]'"
        )


def missing_package() -> str | None:
    """The first of the libraries that speak with servers that is not installed."""
    return next((package for package in _PACKAGES if find_spec(package) is None), None)
