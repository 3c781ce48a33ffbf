"""Configuration and launch validation: a document becomes a plan, or one refusal with every defect in it."""

from host.launch.capabilities import CAPABILITY_IDS, STRATEGIES
from host.launch.checking import load, try_launch, validate
from host.launch.embeddings import embeddings_missing
from host.launch.fields import Count, FilledText, Identifier, Line, Seconds, Settings, expected
from host.launch.models import AgentSettings, Execution, RunSettings
from host.launch.places import ABSENT, Problem, Source, render_place, to_defects, value_at
from host.launch.places import Path as Place
from host.launch.plan import (
    AgentPlan,
    BoardPlan,
    CodeModePlan,
    CompactionPlan,
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
    model_name,
)
from host.launch.reading import ConfigurationNotFound, Document, find_configuration, read_document
from host.launch.record_plans import PromotionPlan, RecordsPlan
from host.launch.rendering import defect_json, refusal, render_defects
from host.launch.schema import SCHEMA_KEY, config_schema
from host.launch.shipped import shipped_fixture
from host.launch.skillbook_plans import BOOK_FILE, SkillbookPlan
from host.launch.sources import FunctionNotFound, import_function, names_function
from host.launch.structure import read_settings
from host.launch.summary import summarize
from host.launch.tool_names import NATIVE_NAMES, SDK_NAMES, name_problem, unmatched_problems
from host.launch.tool_plans import FunctionPlan, ServerPlan, ShellPlan, SkillsPlan, ToolsPlan
from host.launch.written import agents_by_id, capabilities_at

__all__ = [
    "ABSENT",
    "BOOK_FILE",
    "CAPABILITY_IDS",
    "NATIVE_NAMES",
    "SCHEMA_KEY",
    "SDK_NAMES",
    "STRATEGIES",
    "AgentPlan",
    "AgentSettings",
    "BoardPlan",
    "CodeModePlan",
    "CompactionPlan",
    "ConfigurationNotFound",
    "Count",
    "Document",
    "ErrorRate",
    "Execution",
    "FilesPlan",
    "FilledText",
    "FunctionNotFound",
    "FunctionPlan",
    "HumanModel",
    "Identifier",
    "LaunchPlan",
    "Line",
    "MemoriesPlan",
    "Place",
    "Problem",
    "PromotionPlan",
    "RecordsPlan",
    "RosterEntry",
    "RunLimits",
    "RunSettings",
    "SandboxPlan",
    "ScriptedModel",
    "Seconds",
    "ServerPlan",
    "Settings",
    "ShellPlan",
    "SkillbookPlan",
    "SkillsPlan",
    "Source",
    "StatePlan",
    "ToolsPlan",
    "agents_by_id",
    "capabilities_at",
    "config_schema",
    "defect_json",
    "embeddings_missing",
    "expected",
    "find_configuration",
    "import_function",
    "load",
    "model_name",
    "name_problem",
    "names_function",
    "read_document",
    "read_settings",
    "refusal",
    "render_defects",
    "render_place",
    "shipped_fixture",
    "summarize",
    "to_defects",
    "try_launch",
    "unmatched_problems",
    "validate",
    "value_at",
]
