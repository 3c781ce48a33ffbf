"""Benchmarks: each figure is printed beside the goal it has, each proof beside what was expected."""

from host.app.bench.compile_figures import compile_figures
from host.app.bench.figures import Figure, Machine, Tell, this_machine
from host.app.bench.limits_proofs import LimitProof, LimitsVerdict, limit_proofs, verdict_of
from host.app.bench.parallel_figures import session_figures
from host.app.bench.peers import Comparison, PeerNote, compare, peer_notes
from host.app.bench.sandbox_figures import sandbox_figures
from host.app.bench.turn_figures import turn_figures

__all__ = [
    "Comparison",
    "Figure",
    "LimitProof",
    "LimitsVerdict",
    "Machine",
    "PeerNote",
    "Tell",
    "compare",
    "compile_figures",
    "limit_proofs",
    "peer_notes",
    "sandbox_figures",
    "session_figures",
    "this_machine",
    "turn_figures",
    "verdict_of",
]
