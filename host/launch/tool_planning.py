"""From checked settings to the plans of the capabilities that reach outside."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from host.core.errors import Defect
from host.launch.rendering import refusal
from host.launch.sources import import_function
from host.launch.tool_plans import FunctionPlan, ServerPlan, ShellPlan, SkillsPlan, ToolsPlan
from host.launch.tool_settings import (
    PythonToolSettings,
    ServerSettings,
    ShellCapability,
    SkillsCapability,
    ToolsCapability,
)
from host.skills import read_skills


def tools_plan(capability: ToolsCapability, base: Path) -> ToolsPlan:
    params = capability.params
    return ToolsPlan(
        functions=tuple(_function(settings, base) for settings in params.python),
        servers=tuple(_server(name, settings, base) for name, settings in params.mcp.items()),
        approval=dict(params.approval),
    )


def shell_plan(capability: ShellCapability, base: Path) -> ShellPlan:
    params = capability.params
    return ShellPlan(
        directory=None if params.dir is None else (base / params.dir).resolve(),
        timeout_s=params.timeout_secs,
        env=tuple(params.env),
        approval=params.approval,
    )


def skills_plan(capability: SkillsCapability, base: Path) -> SkillsPlan:
    assert capability.params.dir is not None, "the rules refuse an enabled capability that leaves this out"
    read = read_skills(base / capability.params.dir)
    if read.faults:  # the files were saved since they were checked
        told = tuple(Defect(place="skills", message=str(fault)) for fault in read.faults)
        raise refusal(told)
    return SkillsPlan(directory=(base / capability.params.dir).resolve(), skills=read.skills)


def _function(settings: PythonToolSettings, base: Path) -> FunctionPlan:
    given: Any = settings.function
    function: Callable[..., Any] = import_function(given, base=base) if isinstance(given, str) else given
    return FunctionPlan(function=function, name=settings.name, timeout_s=settings.timeout_secs)


def _server(name: str, settings: ServerSettings, base: Path) -> ServerPlan:
    return ServerPlan(
        name=name,
        command=None if settings.command is None else tuple(settings.command),
        url=settings.url,
        cwd=(base / (settings.cwd or ".")).resolve(),
        env=tuple(settings.env),
        headers_from=dict(settings.headers_from),
        only=None if settings.only is None else tuple(settings.only),
        rename=dict(settings.rename),
        timeout_s=settings.timeout_secs,
        start_s=settings.start_secs,
    )
