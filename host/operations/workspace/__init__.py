"""The one directory of an agent: read, written, edited, listed and searched, with no way out of it."""

from host.operations.workspace.attempt import OWN_FOLDER
from host.operations.workspace.file_lines import MAX_READ_BYTES, FileText
from host.operations.workspace.folder import Entry, EntryKind
from host.operations.workspace.pictures import Picture
from host.operations.workspace.tree_search import MAX_MATCHES, Match
from host.operations.workspace.workspace import Workspace

__all__ = [
    "MAX_MATCHES",
    "MAX_READ_BYTES",
    "OWN_FOLDER",
    "Entry",
    "EntryKind",
    "FileText",
    "Match",
    "Picture",
    "Workspace",
]
