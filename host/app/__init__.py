"""The composition root: the only place that builds a run out of the parts."""

from host.app.bench import Figure, Machine, compile_figures, sandbox_figures, this_machine
from host.app.check import Checked, check_paths, check_targets
from host.app.check_finding import CheckRefused, find_targets
from host.app.check_sources import SourceReader
from host.app.check_watch import CannotWatch, watch_paths
from host.app.doctor import Finding, examine
from host.app.library import Agent, Run, scripted
from host.app.session import EXIT_CODES, RunResult, Session
from host.app.version import VERSION

__all__ = [
    "EXIT_CODES",
    "VERSION",
    "Agent",
    "CannotWatch",
    "CheckRefused",
    "Checked",
    "Figure",
    "Finding",
    "Machine",
    "Run",
    "RunResult",
    "Session",
    "SourceReader",
    "check_paths",
    "check_targets",
    "compile_figures",
    "examine",
    "find_targets",
    "sandbox_figures",
    "scripted",
    "this_machine",
    "watch_paths",
]
