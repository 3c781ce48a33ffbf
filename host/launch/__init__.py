"""Configuration and launch validation: a document becomes a plan, or one refusal with every defect in it."""

from host.launch.capabilities import STRATEGIES
from host.launch.checking import load, validate
from host.launch.plan import (
    AgentPlan,
    BoardPlan,
    CodeModePlan,
    ErrorRate,
    FilesPlan,
    HumanModel,
    LaunchPlan,
    MemoriesPlan,
    RosterEntry,
    RunLimits,
    SandboxPlan,
    ScriptedModel,
    StatePlan,
)
from host.launch.reading import ConfigurationNotFound, find_configuration
from host.launch.rendering import defect_json, render_defects
from host.launch.schema import config_schema
from host.launch.shipped import shipped_fixture
from host.launch.summary import summarize

__all__ = [
    "STRATEGIES",
    "AgentPlan",
    "BoardPlan",
    "CodeModePlan",
    "ConfigurationNotFound",
    "ErrorRate",
    "FilesPlan",
    "HumanModel",
    "LaunchPlan",
    "MemoriesPlan",
    "RosterEntry",
    "RunLimits",
    "SandboxPlan",
    "ScriptedModel",
    "StatePlan",
    "config_schema",
    "defect_json",
    "find_configuration",
    "load",
    "render_defects",
    "shipped_fixture",
    "summarize",
    "validate",
]
