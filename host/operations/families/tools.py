"""The tools of one agent as operations: Python functions, and what MCP servers offer.

Unlike the rows of the table these are made for each run, from what is given to its agents.
"""

import json
from typing import Any, Final

from pydantic import Field

from host.context import MAX_IMAGE_BYTES, MAX_LABEL_BYTES, MAX_VIEW_BYTES, View, text_view
from host.core.errors import Refusal
from host.core.messages import Image
from host.core.text import escape_line, format_over, format_size, shortened, utf8_length
from host.events import OperatorLog
from host.operations.families.opened_views import open_view
from host.operations.model import Arguments, Native, Operation
from host.operations.services import Caller
from host.operations.tool_values import ToolValue, beginning
from host.tools import Attachment, Namespace, Tool, TypedTool, described, failures, summary

_MORE_BYTES: Final = 200  # for the line that says how much of a text is shown
_SHOWN_LABEL_CHARS: Final = MAX_LABEL_BYTES // 4 - 1  # of four bytes each, and the mark of a cut


class ToolArguments(Arguments):
    """The arguments of a tool, by name."""

    args: dict[str, Any] = Field(default={}, description="The arguments, by name.")


def tool_operation(typed: TypedTool) -> Operation:
    """A tool as a row."""
    tool = typed.tool

    def run(caller: Caller, bound: object) -> ToolValue:
        if caller.toolbox is None:
            raise Refusal("unavailable", "This agent has no tools.", kind="no_tools")
        output = caller.toolbox.call(tool, bound)
        if caller.origin == "tool":
            _show(caller, output.attachments)
        else:
            caller.toolbox.keep(output.attachments)
        return ToolValue(output.value)

    return Operation(
        id=operation_id(tool),
        summary=summary(tool),
        arguments=ToolArguments,
        check=lambda arguments: tool.bind(arguments.args),
        run=run,
        capability="tools",
        spelled=f"{tool.namespace}.{typed.identifier}",
        failures=failures(tool),
        native=Native(
            typed.native_name,
            summary=described(tool),
            schema=json.dumps(tool.parameters, ensure_ascii=False),
            failures=(),
            is_capped=False,
        ),
        in_background=True,
    )


def operation_id(tool: Tool) -> str:
    """The name of a tool in the record: `tools.<namespace>.<name>`, the name as its source has it."""
    return f"tools.{tool.namespace}.{tool.name}"


def tool_operations(namespaces: tuple[Namespace, ...]) -> dict[str, Operation]:
    """The rows of all tools of an agent, by their ids."""
    rows = (tool_operation(typed) for namespace in namespaces for typed in namespace.tools)
    return {row.id: row for row in rows}


def open_attachments(caller: Caller) -> None:
    """Opens views of what the tools gave that were called since; from the thread that has the window."""
    if caller.toolbox is not None:
        _show(caller, caller.toolbox.take_kept())


def _show(caller: Caller, attachments: tuple[Attachment, ...]) -> None:
    for attachment in attachments:
        view = _view_of(attachment)
        try:
            open_view(caller, view)
        except Refusal as refused:  # the call has done what it did, whatever can be shown of it
            told = f"{view.selector} is not shown: {refused.message}"
            caller.emit(OperatorLog(level="warn", text=told, turn=caller.turn, source="host"))


def _view_of(attachment: Attachment) -> View:
    label = escape_line(attachment.label).strip() or "attachment"
    if utf8_length(label) > MAX_LABEL_BYTES:
        label = shortened(label, _SHOWN_LABEL_CHARS)
    data = attachment.data
    if data is None:
        return text_view(label, beginning(attachment.text or "", MAX_VIEW_BYTES - _MORE_BYTES))
    described = f"A picture, {escape_line(attachment.media_type)}, {format_size(len(data))}."
    if len(data) > MAX_IMAGE_BYTES:
        return text_view(label, f"{described} Not shown: it has {format_over(len(data), MAX_IMAGE_BYTES)}.")
    image = Image(attachment.media_type, data)
    return View(kind="file", selector=label, title=f"File: {label}", body="", image=image)
