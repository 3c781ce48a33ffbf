"""Packets: what goes into one model call, assembled within a budget."""

from host.context.packets.assembling import assemble_packet
from host.context.packets.building import REPOSITORY_SHARE, build_packet
from host.context.packets.packet import SECTIONS, Conflict, ContextPacket, Section
from host.context.packets.pruning import PRUNE_ORDER, prune_packet, select_within_budget
from host.context.packets.reranking import (
    Bm25Reranker,
    RerankDecision,
    Reranker,
    fingerprint,
    validate_rerank_decision,
)
from host.context.packets.scoring import ContextScorecard, score_packet
from host.context.packets.subagents import (
    MAX_SUBAGENT_TOKENS,
    subagent_packet,
    synthesize_subagent_results,
)
from host.context.packets.workspace import Workspace

__all__ = [
    "MAX_SUBAGENT_TOKENS",
    "PRUNE_ORDER",
    "REPOSITORY_SHARE",
    "SECTIONS",
    "Bm25Reranker",
    "Conflict",
    "ContextPacket",
    "ContextScorecard",
    "RerankDecision",
    "Reranker",
    "Section",
    "Workspace",
    "assemble_packet",
    "build_packet",
    "fingerprint",
    "prune_packet",
    "score_packet",
    "select_within_budget",
    "subagent_packet",
    "synthesize_subagent_results",
    "validate_rerank_decision",
]
