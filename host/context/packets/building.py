"""Builds the packet of a task: what the caller gives, what its workspace remembers, what its files say."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final

from host.context.codes import RERANKER_FALLBACK, RERANKER_USED
from host.context.packets.assembling import assemble_packet
from host.context.packets.packet import ContextPacket
from host.context.packets.pruning import checked_budget, enveloped, select_within_budget
from host.context.packets.reranking import Reranker, validate_rerank_decision
from host.context.packets.workspace import Remembered, Workspace
from host.context.retrieval import Retriever
from host.context.retrieval.excerpts import EXCERPT_CHARS
from host.context.retrieval.findings import retrieval_evidence, unreadable_evidence
from host.core.context_item import ContextItem
from host.core.envelope import Evidence
from host.core.scrubbing import scrub
from host.core.text import quoted
from host.core.tokens import CHARACTERS_PER_TOKEN

REPOSITORY_SHARE: Final = 24
"""Percent of the budget that excerpts of the repository may take."""

_MIN_EXCERPT_CHARS: Final = 40  # less of a file says nothing
_NOTHING_REMEMBERED: Final = Remembered(items=(), unreadable=())


def build_packet(
    task: str,
    retriever: Retriever,
    budget: int,
    *,
    workspace: Workspace | None = None,
    components: Iterable[ContextItem | str] = (),
    output_contract: ContextItem | str | None = None,
    reranker: Reranker | None = None,
) -> ContextPacket:
    """A packet for a task: its keywords' excerpts from the retriever's files, in the order of the files or of
    `reranker`, within `REPOSITORY_SHARE` of the budget; the notes and exemplars of `workspace`; `components`,
    of which those of the kind `verification` have a section of their own; and what the answer must look like.

    Texts among these are the caller's own and trusted. With a workspace the retrieval and the scorecard are
    written there. Raises `ValueError` for a budget that is no whole number, and `OSError` where the workspace
    cannot be written.
    """
    share = checked_budget(budget) * REPOSITORY_SHARE // 100
    excerpt_chars = max(_MIN_EXCERPT_CHARS, min(EXCERPT_CHARS, share * CHARACTERS_PER_TOKEN))
    retrieval = retriever.retrieve(task, excerpt_chars=excerpt_chars)
    ranked, reranked = _ranked(task, retrieval.items, reranker)
    remembered = workspace.remembered(retriever.literals) if workspace else _NOTHING_REMEMBERED
    packet = assemble_packet(
        [
            *_given(task, components, output_contract),
            *remembered.items,
            *select_within_budget(ranked, share),
        ],
        budget,
        literals=retriever.literals,
    )
    unreadable = [unreadable_evidence(remembered.unreadable)] if remembered.unreadable else []
    packet = enveloped(
        packet,
        evidence=(*retrieval_evidence(retrieval, len(packet.repository)), *unreadable, *reranked),
        checks_run=("retrieval", *(["the re-ranker's decision"] if reranked else [])),
        not_checked=["whether the re-ranker's order is better"] if reranked else [],
    )
    if workspace is not None:
        workspace.write_retrieval_log(packet)
        workspace.write_scorecard(packet)
    return packet


def _given(
    task: str, components: Iterable[ContextItem | str], output_contract: ContextItem | str | None
) -> Iterable[ContextItem]:
    if task.strip():
        yield ContextItem(
            key="task",
            value=task,
            source="caller",
            section="task",
            authority="user_intent",
            kind="instruction",
            trust="trusted",
            freshness_class="live",
        )
    for number, component in enumerate(components, start=1):
        yield _component(component, number)
    if isinstance(output_contract, ContextItem):
        yield replace(output_contract, section="output_contract")
    elif output_contract is not None:
        yield ContextItem(
            key="output_contract",
            value=output_contract,
            source="caller",
            section="output_contract",
            authority="task_contract",
            kind="output_contract",
            trust="trusted",
            freshness_class="live",
        )


def _component(component: ContextItem | str, number: int) -> ContextItem:
    if isinstance(component, ContextItem):
        section = "verification" if component.kind == "verification" else "components"
        return replace(component, section=section)
    return ContextItem(
        key=f"component_{number}",
        value=component,
        source="caller",
        section="components",
        authority="operational",
        kind="component",
        trust="trusted",
        freshness_class="live",
    )


def _ranked(
    task: str, candidates: Sequence[ContextItem], reranker: Reranker | None
) -> tuple[Sequence[ContextItem], list[Evidence]]:
    """The candidates in the re-ranker's order, or in their own where it gives no order that holds."""
    if reranker is None or not candidates:
        return candidates, []
    try:
        kept = validate_rerank_decision(reranker(scrub(task), tuple(candidates)), candidates)
    except Exception as error:  # whatever a caller's re-ranker raises
        reason = quoted(scrub(f"{type(error).__name__}: {error}"))
        detail = f"the re-ranker's decision was not used, the order is that of the files: {reason}"
        return candidates, [Evidence(code=RERANKER_FALLBACK, detail=detail)]
    detail = f"the re-ranker kept {len(kept):,} of {len(candidates):,} candidates"
    return [candidates[index] for index in kept], [Evidence(code=RERANKER_USED, detail=detail)]
