"""What came out of a consolidation: what was decided and done, what it cost, and what is left."""

from dataclasses import dataclass
from typing import Any, Literal

from host.core.messages import Usage, dollars
from host.skillbook.decisions import Ended, Reopened
from host.skillbook.merging import Decision, Merge, Rewrite
from host.skillbook.model import Done, Pair
from host.skillbook.similarity import SAME, SimilarPair

Outcome = Literal["done", "could_not", "stopped_by_ceiling"]


@dataclass(frozen=True, kw_only=True)
class Settled:
    """A decision and what became of it."""

    decision: Decision
    done: Done


@dataclass(frozen=True, kw_only=True)
class Open:
    """A question that was asked and had no answer that could be carried out."""

    skill_ids: tuple[str, ...]
    why: str


@dataclass(frozen=True, kw_only=True)
class Report:
    """What came out.

    Args:
        outcome: `done` where everything that was to be asked was asked, answered and carried out;
            `stopped_by_ceiling` where questions are left because no more may be asked; `could_not` where
            something could not be done, which `why` says. A pass that found nothing to do is done.
        why: each reason for which it is not done, a line each; none where it is. measure: by which skills
        were compared, and `threshold` from which similarity on they were asked about. compared: how many
        skills were; `unread` are those that the measure cannot go by. asked: how many questions.
        settled_before: how many similar pairs were not asked about, as they are kept apart. reopened: why
        pairs were asked again that were kept apart; `ended` and `stamped` as of `Tended`. results: each
        decision and what became of it, in order. open: questions without an answer. unsettled: pairs that
        an answer left open. left: pairs that were not asked about, the most similar first. is_whole:
        whether the pairs that were looked at are all that are similar. usage: what the decider cost. diff:
        with a dry run, what would change in the file; else empty.
    """

    outcome: Outcome
    why: tuple[str, ...]
    is_dry_run: bool
    measure: str
    threshold: int
    compared: int
    unread: tuple[str, ...]
    asked: int
    settled_before: int
    reopened: tuple[Reopened, ...]
    ended: tuple[Ended, ...]
    stamped: tuple[Pair, ...]
    results: tuple[Settled, ...]
    open: tuple[Open, ...]
    unsettled: tuple[SimilarPair, ...]
    left: tuple[SimilarPair, ...]
    is_whole: bool
    usage: Usage
    diff: str

    def to_json(self) -> dict[str, Any]:
        return {
            "outcome": self.outcome,
            "why": list(self.why),
            "dry_run": self.is_dry_run,
            "measure": self.measure,
            "threshold": self.threshold / SAME,
            "compared": self.compared,
            "unread": list(self.unread),
            "asked": self.asked,
            "settled_before": self.settled_before,
            "reopened": [_reopened(each) for each in self.reopened],
            "ended": [{"skill_ids": sorted(each.pair), "why": str(each)} for each in self.ended],
            "stamped": [sorted(pair) for pair in self.stamped],
            "decisions": [_settled(each) for each in self.results],
            "open": [{"skill_ids": list(each.skill_ids), "why": each.why} for each in self.open],
            "unsettled": list(map(_pair, self.unsettled)),
            "left": list(map(_pair, self.left)),
            "whole": self.is_whole,
            "usage": {
                "input_tokens": self.usage.input_tokens,
                "output_tokens": self.usage.output_tokens,
                "cost": dollars(self.usage.cost),
            },
            "diff": self.diff,
        }


def _pair(pair: SimilarPair) -> dict[str, Any]:
    return {"skill_ids": [pair.first_id, pair.second_id], "similarity": pair.similarity / SAME}


def _reopened(why: Reopened) -> dict[str, Any]:
    figures = (
        {"was": why.was / SAME, "now": why.now / SAME} if why.was is not None and why.now is not None else {}
    )
    return {"skill_ids": sorted(why.pair), "changed": list(why.changed), **figures, "why": str(why)}


def _settled(settled: Settled) -> dict[str, Any]:
    decision, done = settled.decision, settled.done
    said: dict[str, Any] = {"type": decision.type, "skill_ids": list(decision.skill_ids)}
    match decision:
        case Merge():
            said |= {"keep_id": decision.keep_id, "merged_content": decision.merged_content}
        case Rewrite():
            said |= {"new_content": decision.new_content}
        case _:
            pass
    return {**said, "reasoning": decision.reasoning, "ok": done.ok, "did": done.did, "why": done.why}
