"""The peers: the sandboxes of other projects and Deno, each driven as its documentation shows."""

import importlib
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, Final

from host.app.bench.peers.base import Report, Runner
from host.app.bench.peers.plain_process import LineProcess, python_argv
from host.app.bench.peers.programs import lookup

_MONTY_STUBS: Final = "def lookup(number: int) -> int: ...\ndef report(text: str) -> None: ...\n"

# Calls are synchronous on both sides, which is the fastest that a pipe of Deno's gives.
_DENO_SERVER: Final = """\
const encoder = new TextEncoder(), decoder = new TextDecoder(), chunk = new Uint8Array(65536);
let pending = "";
function receive() {
  for (;;) {
    const end = pending.indexOf("\\n");
    if (end >= 0) {
      const line = pending.slice(0, end);
      pending = pending.slice(end + 1);
      return JSON.parse(line);
    }
    const size = Deno.stdin.readSync(chunk);
    if (size === null) Deno.exit(0);
    pending += decoder.decode(chunk.subarray(0, size), { stream: true });
  }
}
function send(message) {
  const bytes = encoder.encode(JSON.stringify(message) + "\\n");
  for (let sent = 0; sent < bytes.length; ) sent += Deno.stdout.writeSync(bytes.subarray(sent));
}
function call(name, argument) {
  send({ call: name, argument });
  return receive().ok;
}
const lookup = (number) => call("lookup", number);
const report = (text) => call("report", text);
for (;;) {
  new Function("lookup", "report", receive().program)(lookup, report);
  send({ ended: true });
}
"""
_DENO_OPTIONS: Final = ("run", "--quiet", "--no-prompt", "--no-remote", "--no-config", "--no-lock")

_PIPE_SERVER: Final = """\
import json, sys
for line in sys.stdin.buffer:
    for number in range(int(json.loads(line)["program"].partition("#")[0])):
        sys.stdout.buffer.write(json.dumps({"call": "lookup", "argument": number}).encode() + b"\\n")
        sys.stdout.buffer.flush()
        json.loads(sys.stdin.buffer.readline())
    sys.stdout.buffer.write(b'{"ended": true}\\n')
    sys.stdout.buffer.flush()
"""


@contextmanager
def open_quickjs_rs(report: Report) -> Iterator[Runner]:
    """One runtime, a context for each program."""
    quickjs_rs: Any = importlib.import_module("quickjs_rs")
    with quickjs_rs.Runtime() as runtime:

        def run(program: str) -> None:
            with runtime.new_context() as context:
                context.register("lookup", lookup)
                context.register("report", report)
                context.eval(program)

        yield run


@contextmanager
def open_monty(report: Report) -> Iterator[Runner]:
    """One pool, a session for each program."""
    with _monty_pool() as pool:

        def run(program: str) -> None:
            with pool.checkout() as session:
                session.feed_run(program, external_lookup={"lookup": lookup, "report": report})

        yield run


@contextmanager
def open_checked_monty(report: Report) -> Iterator[Runner]:
    """The same with Monty's own type checker before each program."""
    with _monty_pool() as pool:

        def run(program: str) -> None:
            with pool.checkout(type_check=True, type_check_stubs=_MONTY_STUBS) as session:
                session.feed_run(program, external_lookup={"lookup": lookup, "report": report})

        yield run


@contextmanager
def open_deno(report: Report) -> Iterator[Runner]:
    """One process that evaluates each program in the same global scope."""
    with _deno_script() as argv, closing(_line_process(argv, report)) as process:
        yield process.run


@contextmanager
def open_deno_each(report: Report) -> Iterator[Runner]:
    """A process for each program."""
    with _deno_script() as argv:

        def run(program: str) -> None:
            with closing(_line_process(argv, report)) as process:
                process.run(program)

        yield run


@contextmanager
def open_pipe_pair(report: Report) -> Iterator[Runner]:
    """A Python that asks as often as it is told to: what any process behind two pipes with JSON costs."""
    with closing(_line_process(python_argv(_PIPE_SERVER), report)) as process:
        yield process.run


@contextmanager
def _monty_pool() -> Iterator[Any]:
    monty: Any = importlib.import_module("pydantic_monty")
    with monty.Monty() as pool:
        yield pool


@contextmanager
def _deno_script() -> Iterator[list[str]]:
    deno: Any = importlib.import_module("deno")
    with tempfile.TemporaryDirectory(prefix="gg-bench-") as folder:
        script = Path(folder, "server.js")
        script.write_text(_DENO_SERVER, encoding="utf-8")
        yield [deno.find_deno_bin(), *_DENO_OPTIONS, str(script)]


def _line_process(argv: list[str], report: Report) -> LineProcess:
    return LineProcess(argv, {"lookup": lookup, "report": report})
