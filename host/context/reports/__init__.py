"""What may be told of a traceback: its frames, and an error report that has nothing of the caller's."""

from host.context.reports.decoding import decode_trace
from host.context.reports.report import MOST_FRAMES, OwnCode, build_error_report
from host.context.reports.traces import (
    ExceptionLine,
    StackFrame,
    StackTrace,
    read_trace,
    sanitize_stack_trace,
)

__all__ = [
    "MOST_FRAMES",
    "ExceptionLine",
    "OwnCode",
    "StackFrame",
    "StackTrace",
    "build_error_report",
    "decode_trace",
    "read_trace",
    "sanitize_stack_trace",
]
