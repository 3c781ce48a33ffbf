"""Who is compared, and of what the figures are."""

from typing import Final

from host.app.bench.peers.base import Peer, Work
from host.app.bench.peers.ours import open_compiled, open_sandbox
from host.app.bench.peers.programs import JAVASCRIPT, PYTHON, Texts
from host.app.bench.peers.theirs import (
    open_checked_monty,
    open_deno,
    open_deno_each,
    open_monty,
    open_pipe_pair,
    open_quickjs_rs,
)

INSTALL: Final = "pip install -e '.[bench]' in a clone of gg has it"

_COUNTS: Final = Texts(comment="#", sum="0", calls="COUNT", whole="0")

PEERS: Final = (
    Peer(
        name="gg",
        compared="a confined worker process, a fresh engine for each program; JavaScript as it is, unchecked",
        works=frozenset(Work),
        texts=JAVASCRIPT,
        open=open_sandbox,
    ),
    Peer(
        name="gg, type-checked",
        compared="the same after bundling and type checking TypeScript, uncached; its calls are the SDK's",
        works=frozenset({Work.WHOLE}),
        texts=JAVASCRIPT,
        open=open_compiled,
    ),
    Peer(
        name="quickjs-rs",
        package="quickjs-rs",
        compared="WebAssembly in the host's process, a fresh context for each program; unchecked",
        works=frozenset(Work),
        texts=JAVASCRIPT,
        open=open_quickjs_rs,
    ),
    Peer(
        name="Monty",
        package="pydantic-monty",
        compared="a subset of Python in a worker process, a session for each program; unchecked",
        works=frozenset(Work),
        texts=PYTHON,
        open=open_monty,
    ),
    Peer(
        name="Monty, type-checked",
        package="pydantic-monty",
        compared="the same with Monty's own type checker before each program",
        works=frozenset({Work.FRESH, Work.WHOLE}),
        texts=PYTHON,
        open=open_checked_monty,
    ),
    Peer(
        name="Deno, one process",
        package="deno",
        compared="V8 without permissions behind two pipes; programs share one global scope; unchecked",
        works=frozenset({Work.CALL, Work.COLD, Work.WHOLE}),
        texts=JAVASCRIPT,
        open=open_deno,
    ),
    Peer(
        name="Deno, one process each",
        package="deno",
        compared="the same, with a process for each program",
        works=frozenset({Work.FRESH, Work.WHOLE}),
        texts=JAVASCRIPT,
        open=open_deno_each,
    ),
    Peer(
        name="a bare pipe pair",
        compared="no sandbox: a Python behind two pipes that asks in lines of JSON, the floor of a call",
        works=frozenset({Work.CALL}),
        texts=_COUNTS,
        open=open_pipe_pair,
    ),
)


def peer_named(name: str) -> Peer:
    """Raises `KeyError`."""
    return {peer.name: peer for peer in PEERS}[name]
