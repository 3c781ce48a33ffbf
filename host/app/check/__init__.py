"""Programs, skills and the code memories of records: found, compiled and type-checked as a run would."""

from host.app.check.checking import Checked, check_paths, check_targets
from host.app.check.configured import configured
from host.app.check.finding import CheckRefused, find_targets
from host.app.check.settings import CheckSettings
from host.app.check.sources import SourceReader
from host.app.check.targets import CheckKind, HeldMemory
from host.app.check.watch import CannotWatch, watch_paths

__all__ = [
    "CannotWatch",
    "CheckKind",
    "CheckRefused",
    "CheckSettings",
    "Checked",
    "HeldMemory",
    "SourceReader",
    "check_paths",
    "check_targets",
    "configured",
    "find_targets",
    "watch_paths",
]
