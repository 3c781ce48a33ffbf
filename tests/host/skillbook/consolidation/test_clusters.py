from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from host.skillbook import SimilarPair
from host.skillbook.consolidation import MAX_SKILLS, clusters_of


def pair(first: str, second: str, similarity: int = 9_000) -> SimilarPair:
    return SimilarPair(first_id=first, second_id=second, similarity=similarity)


def all_pairs(count: int) -> list[SimilarPair]:
    return [pair(*ids, 10_000) for ids in combinations([f"s{n:02}" for n in range(count)], 2)]


PAIRS = st.lists(
    st.tuples(st.integers(0, 30), st.integers(0, 30), st.integers(4_200, 10_000)).filter(
        lambda t: t[0] < t[1]
    ),
    unique_by=lambda drawn: drawn[:2],
    max_size=60,
).map(lambda drawn: sorted((pair(f"{a:02}", f"{b:02}", s) for a, b, s in drawn), key=lambda p: -p.similarity))


def test_pairs_that_share_a_skill_are_one_cluster() -> None:
    found = clusters_of([pair("a", "b", 9_000), pair("x", "y", 8_000), pair("b", "c", 7_000)])

    assert [cluster.skill_ids for cluster in found.clusters] == [("a", "b", "c"), ("x", "y")]
    assert [len(cluster.pairs) for cluster in found.clusters] == [2, 1]
    assert found.left == ()


def test_fifty_skills_that_say_the_same_are_three_clusters() -> None:
    found = clusters_of(all_pairs(50))

    assert [len(cluster.skill_ids) for cluster in found.clusters] == [20, 20, 10]
    assert len(found.left) == 20 * 20 + 20 * 10 + 20 * 10
    assert MAX_SKILLS == 20


def test_what_would_be_too_large_is_left_at_its_least_similar_pair() -> None:
    found = clusters_of([pair("a", "b", 9_000), pair("c", "d", 8_000), pair("b", "c", 7_000)], max_skills=3)

    assert [cluster.skill_ids for cluster in found.clusters] == [("a", "b"), ("c", "d")]
    assert found.left == (pair("b", "c", 7_000),)


@given(PAIRS, st.integers(2, 20))
def test_each_pair_is_within_a_cluster_or_left(pairs: list[SimilarPair], max_skills: int) -> None:
    found = clusters_of(pairs, max_skills=max_skills)
    ids = [id_ for cluster in found.clusters for id_ in cluster.skill_ids]

    assert sorted([*found.left, *(p for c in found.clusters for p in c.pairs)], key=repr) == sorted(
        pairs, key=repr
    )
    assert len(ids) == len(set(ids))
    assert all(len(cluster.skill_ids) <= max_skills for cluster in found.clusters)
    assert all(p.ids <= set(c.skill_ids) for c in found.clusters for p in c.pairs)
    assert [c.pairs[0].similarity for c in found.clusters] == sorted(
        (c.pairs[0].similarity for c in found.clusters), reverse=True
    )


@pytest.mark.parametrize("pairs", [[]])
def test_no_pairs_are_no_clusters(pairs: list[SimilarPair]) -> None:
    assert clusters_of(pairs).clusters == ()
