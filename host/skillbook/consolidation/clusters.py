"""Similar pairs joined into groups of skills, so that one question settles what belongs together."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from host.skillbook.similarity import SimilarPair

MAX_SKILLS: Final = 20
"""The most skills that one question is about."""


@dataclass(frozen=True, kw_only=True)
class Cluster:
    """Skills, by their ids in order, and the pairs of them that are similar, the most similar first."""

    skill_ids: tuple[str, ...]
    pairs: tuple[SimilarPair, ...]


@dataclass(frozen=True, kw_only=True)
class Clusters:
    """Clusters, the one with the most similar pair first; `left` are the pairs whose two skills stand in
    different ones, which together would have been too large.
    """

    clusters: tuple[Cluster, ...]
    left: tuple[SimilarPair, ...]


def clusters_of(pairs: Sequence[SimilarPair], *, max_skills: int = MAX_SKILLS) -> Clusters:
    """Joins pairs, which come the most similar first, as long as no cluster outgrows `max_skills`."""
    members: dict[str, list[str]] = {}  # one list for all skills of a cluster
    for pair in pairs:
        one = members.setdefault(pair.first_id, [pair.first_id])
        other = members.setdefault(pair.second_id, [pair.second_id])
        if one is not other and len(one) + len(other) <= max_skills:
            one += other
            members.update(dict.fromkeys(other, one))
    within: dict[int, list[SimilarPair]] = {}
    left = []
    for pair in pairs:
        cluster = members[pair.first_id]
        if cluster is members[pair.second_id]:
            within.setdefault(id(cluster), []).append(pair)
        else:
            left.append(pair)
    return Clusters(
        clusters=tuple(
            Cluster(skill_ids=tuple(sorted(members[found[0].first_id])), pairs=tuple(found))
            for found in within.values()
        ),
        left=tuple(left),
    )
