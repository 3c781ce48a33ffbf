"""The protocol between a host and one worker: this docstring is the specification.

**Frames.** Two pipes, the worker's stdin and stdout. A frame is a length (4 bytes, unsigned, big
endian) and that many bytes of body. A body is a *head*, one JSON object in UTF-8 on one line; where the
table says so, a newline and a *value* follow: text that this layer passes on unread. A head has at most
256 KiB from a worker, its values nest at most 4 deep; a value has at most `value_bytes`.

**Alternation.** The host sends one message and then reads until the message that ends the exchange.
A worker never sends unasked and the host never sends while a worker computes, so neither pipe holds
messages of two exchanges.

    host → worker    value      worker → host           ended by
    configure        prelude                            ready | fatal
    run              program    called*, started*,      ended | fatal
                                waiting*, logged*
    (answer)                    answers one called
    (ticket)                    answers one started
    (completion)                answers one waiting
    (end of input)                                      end of file

    configure   {"type", "memory_bytes", "stack_bytes", "value_bytes", "log_line_bytes",
                 "lazy": {name: source}}
    run         {"type", "seed", "look"}               value: the program, one ES module; `look`: whether an
                                                       answer is looked for before the worker sleeps
    (answer)    the body is the envelope, `{"ok": …}` or `{"error": {"code", "operation", "message"}}`
    (ticket)    the body is a whole number in digits, or the envelope of an error: nothing was started
    (completion)  the body is a ticket, a newline and the envelope of its call
    ready       {"type", "confinement": {"seccomp", "no_new_privs", "rlimits", "reason"}}   truth values, text
    called      {"type", "operation", "stack"}         value: the arguments, JSON text of an array, or of
                                                       a string that says why they cannot be encoded
    called      {"type", "operation", "stack", "bytes"}      arguments too large to send, their size
    started     as called                              a call whose answer the program does not wait for
    waiting     {"type"}                               no job is left, and tickets are open
    logged      {"type", "level", "text"}              one line for the operator, at most `log_line_bytes`
    ended       {"type", "outcome": {"kind": "ended" | "never-settled" | "out-of-memory" | "threw", "error"?}}
                error: {"name", "message", "stack", "isError", "code"?, "operation"?, "ceiling"?}
    fatal       {"type", "reason"}                     the worker cannot go on; it ends by itself

**Started calls.** A `started` is answered at once, before its call is carried out. Its ticket is open until
the completion that names it; tickets are completed in any order, one for each `waiting`. The worker says
`ended` only when no ticket is open, whatever became of the program: what it started is complete by then.

**Trust.** The worker trusts the host. The host trusts nothing: `sandbox.frames` turns every body into a
message or into `WorkerBrokeProtocol`, and a worker that sent something else is killed. A worker whose
memory is used up ends with status `EXIT_OUT_OF_MEMORY`.

**Time.** The host's clock runs from sending a `run`, an answer, a ticket or a completion to receiving the
next `called`, `started` or `waiting`, or the `ended`. Logged lines do not stop it, nor do calls at work.
"""

from __future__ import annotations

TYPE_CHECKING = False  # what only annotations name takes long to import
if TYPE_CHECKING:
    from typing import Final

__all__ = [
    "EXIT_OUT_OF_MEMORY",
    "HEAD_BYTES",
    "LENGTH_BYTES",
    "LOG_LEVELS",
    "frame",
]

LENGTH_BYTES: Final = 4
HEAD_BYTES: Final = 256 * 2**10
LOG_LEVELS: Final = frozenset({"log", "info", "warn", "error", "debug", "trace", "dir"})
EXIT_OUT_OF_MEMORY: Final = 71


def frame(head: bytes, value: bytes | None = None) -> bytes:
    """The bytes of one frame."""
    body = head if value is None else b"%b\n%b" % (head, value)
    return len(body).to_bytes(LENGTH_BYTES) + body
