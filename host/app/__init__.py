"""The composition root: the only place that builds a run out of the parts."""

from host.app.bench import Figure, Machine, compile_figures, sandbox_figures, this_machine
from host.app.check import CheckedFile, SourceUnreadable, check_paths
from host.app.doctor import Finding, examine
from host.app.library import Agent, Run, scripted
from host.app.session import EXIT_CODES, RunResult, Session
from host.app.version import VERSION

__all__ = [
    "EXIT_CODES",
    "VERSION",
    "Agent",
    "CheckedFile",
    "Figure",
    "Finding",
    "Machine",
    "Run",
    "RunResult",
    "Session",
    "SourceUnreadable",
    "check_paths",
    "compile_figures",
    "examine",
    "sandbox_figures",
    "scripted",
    "this_machine",
]
