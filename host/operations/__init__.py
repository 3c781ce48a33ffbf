"""What a program may call: the table of operations, grants, the bracket, and what is generated from the
table.
"""

from host.operations.approvals import (
    ApprovalAnswer,
    ApprovalDecision,
    ApprovalPolicy,
    ApprovalRequest,
    ApprovalRule,
    ApprovalScope,
    Approver,
    NobodyApproves,
    fits,
    unmatched_patterns,
)
from host.operations.bracket import Bracket, ToolAnswer
from host.operations.declarations import NO_TOOLS, render_declarations, render_sdk
from host.operations.dialects import VALUE_CAP
from host.operations.docs_search import name_modules, near_keys
from host.operations.families.memories import (
    limit_notes,
    memory_revision_event,
    memory_state_event,
    native_fields,
)
from host.operations.families.opened_views import view_event
from host.operations.families.records import record_read_event
from host.operations.families.shell import COMMAND_OUTPUT_BYTES
from host.operations.families.tools import open_attachments, operation_id, tool_operations
from host.operations.grants import Grants, granted_by
from host.operations.model import Family, Operation, Role
from host.operations.native import tool_specs
from host.operations.pages import family_page, operation_page, sdk_pages
from host.operations.reference import render_operations
from host.operations.services import (
    Board,
    BookChange,
    Caller,
    ChildEnd,
    CodeHalves,
    CommandEnd,
    Delegation,
    Docs,
    EndingKind,
    Endings,
    FoundIn,
    IssueEnd,
    Page,
    PageKind,
    PastProgram,
    PreparedHalves,
    Programs,
    Records,
    Reflection,
    Shell,
    Thread,
)
from host.operations.table import FAMILIES, OPERATIONS
from host.operations.tool_pages import tool_pages
from host.operations.workspace import OWN_FOLDER, Workspace

__all__ = [
    "COMMAND_OUTPUT_BYTES",
    "FAMILIES",
    "NO_TOOLS",
    "OPERATIONS",
    "OWN_FOLDER",
    "VALUE_CAP",
    "ApprovalAnswer",
    "ApprovalDecision",
    "ApprovalPolicy",
    "ApprovalRequest",
    "ApprovalRule",
    "ApprovalScope",
    "Approver",
    "Board",
    "BookChange",
    "Bracket",
    "Caller",
    "ChildEnd",
    "CodeHalves",
    "CommandEnd",
    "Delegation",
    "Docs",
    "EndingKind",
    "Endings",
    "Family",
    "FoundIn",
    "Grants",
    "IssueEnd",
    "NobodyApproves",
    "Operation",
    "Page",
    "PageKind",
    "PastProgram",
    "PreparedHalves",
    "Programs",
    "Records",
    "Reflection",
    "Role",
    "Shell",
    "Thread",
    "ToolAnswer",
    "Workspace",
    "family_page",
    "fits",
    "granted_by",
    "limit_notes",
    "memory_revision_event",
    "memory_state_event",
    "name_modules",
    "native_fields",
    "near_keys",
    "open_attachments",
    "operation_id",
    "operation_page",
    "record_read_event",
    "render_declarations",
    "render_operations",
    "render_sdk",
    "sdk_pages",
    "tool_operations",
    "tool_pages",
    "tool_specs",
    "unmatched_patterns",
    "view_event",
]
