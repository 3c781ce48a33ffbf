"""Benchmarks: each figure is printed beside the goal it has, each proof beside what was expected."""

from host.app.bench.benches import (
    FIGURE_BENCHES,
    compare_peers,
    judge_learning,
    judge_retrieval,
    measure,
    prove_limits,
)
from host.app.bench.figures import Figure, Machine, Tell, this_machine
from host.app.bench.limits_proofs import LimitProof, LimitsVerdict, verdict_of
from host.app.bench.peers import Comparison, PeerNote, peer_notes
from host.app.bench.retrieval import Latency, Misserved, Quality, RetrievalReport
from host.app.bench.skillbook import Kind, LearnedSkill, LearningReport, Tally

__all__ = [
    "FIGURE_BENCHES",
    "Comparison",
    "Figure",
    "Kind",
    "Latency",
    "LearnedSkill",
    "LearningReport",
    "LimitProof",
    "LimitsVerdict",
    "Machine",
    "Misserved",
    "PeerNote",
    "Quality",
    "RetrievalReport",
    "Tally",
    "Tell",
    "compare_peers",
    "judge_learning",
    "judge_retrieval",
    "measure",
    "peer_notes",
    "prove_limits",
    "this_machine",
    "verdict_of",
]
