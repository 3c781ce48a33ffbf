"""What the capabilities that reach outside come to in a plan."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from host.operations import ApprovalRule
from host.skills import Skill


@dataclass(frozen=True, kw_only=True)
class FunctionPlan:
    """A Python function that is given as a tool; `name` is its own where that is `None`."""

    function: Callable[..., Any]
    name: str | None
    timeout_s: float


@dataclass(frozen=True, kw_only=True)
class ServerPlan:
    """An MCP server: a `command`, or a `url`. `cwd` is absolute.

    `env` and the values of `headers_from` name environment variables. `only` are the tools that are taken,
    all for `None`; `rename` has other names for some, by the server's own.
    """

    name: str
    command: tuple[str, ...] | None
    url: str | None
    cwd: Path
    env: tuple[str, ...]
    headers_from: Mapping[str, str]
    only: tuple[str, ...] | None
    rename: Mapping[str, str]
    timeout_s: float
    start_s: float


@dataclass(frozen=True, kw_only=True)
class ToolsPlan:
    """An enabled tools capability. `approval` has patterns of `<namespace>.<tool>`."""

    functions: tuple[FunctionPlan, ...] = ()
    servers: tuple[ServerPlan, ...] = ()
    approval: Mapping[str, ApprovalRule] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class ShellPlan:
    """An enabled shell capability. `directory` is absolute, `None` where it is that of the files."""

    directory: Path | None
    timeout_s: float
    env: tuple[str, ...]
    approval: ApprovalRule


@dataclass(frozen=True, kw_only=True)
class SkillsPlan:
    """An enabled skills capability: `skills` are those in the folder, as they were at the launch."""

    directory: Path
    skills: tuple[Skill, ...] = ()
