"""How well the record store finds what answers a question, and whether it serves what it must not."""

from host.app.bench.retrieval.judged_set import CATEGORIES, STATES
from host.app.bench.retrieval.measuring import Latency, RetrievalReport, measure_retrieval
from host.app.bench.retrieval.scoring import Misserved, Quality

__all__ = [
    "CATEGORIES",
    "STATES",
    "Latency",
    "Misserved",
    "Quality",
    "RetrievalReport",
    "measure_retrieval",
]
