"""Skills, decisions and files of the formats, for Hypothesis."""

from typing import Any, Final

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from host.skillbook import Occurrence, Pair, SimilarityDecision, Skill
from host.skillbook.normal import keywords_of

letters: Final = st.characters(codec="utf-8")
words: Final = st.text(letters, min_size=1, max_size=12).filter(lambda text: text.strip() != "")
stripped: Final = words.map(str.strip)
ids: Final = st.from_regex(r"(context|harness|s)-[0-9]{1,5}", fullmatch=True)
moments: Final = st.just("") | st.datetimes().map(lambda at: f"{at.isoformat()}Z")
json_values: Final = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | words,
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(words, inner, max_size=2),
    max_leaves=4,
)
others: Final = st.dictionaries(words.map(lambda name: f"x_{name}"), json_values, max_size=2)
counts: Final = st.integers(0, 9)


def occurrences() -> SearchStrategy[Occurrence]:
    optional = st.none() | words
    return st.builds(
        Occurrence,
        trace_uid=words,
        source_system=words,
        trace_id=words,
        display_name=optional,
        relation=optional,
        sample_question=optional,
        epoch=st.none() | counts,
        operation_type=optional,
        error_identification=optional,
        learning_text=optional,
        extra=others,
    )


def skills(id_: str) -> SearchStrategy[Skill]:
    return st.builds(
        Skill,
        id=st.just(id_),
        section=st.sampled_from(["context", "harness"]),
        issue=stripped,
        insight=st.none() | stripped,
        keywords=st.lists(words, min_size=1, max_size=3).map(keywords_of),
        occurrences=st.lists(occurrences(), max_size=2, unique_by=repr).map(tuple),
        active=st.booleans(),
        used_count=counts,
        helpful_count=counts,
        harmful_count=counts,
        neutral_count=counts,
        created_at=moments,
        updated_at=moments,
        scope=st.none() | words,
        merged_into=st.none() | ids,
        evidence_is=st.sampled_from([None, "host", "untrusted"]),
        review=st.sampled_from([None, "pending", "rejected"]),
        extra=others,
    )


@st.composite
def skill_lists(draw: st.DrawFn) -> list[Skill]:
    return [draw(skills(id_)) for id_ in draw(st.lists(ids, max_size=4, unique=True))]


@st.composite
def decisions(draw: st.DrawFn, of: list[Skill]) -> dict[Pair, SimilarityDecision]:
    """Some pairs of the skills, kept apart."""
    pairs = [frozenset((a.id, b.id)) for at, a in enumerate(of) for b in of[at + 1 :]]
    chosen = draw(st.lists(st.sampled_from(pairs), max_size=3, unique=True)) if pairs else []
    return {pair: draw(decisions_about(pair)) for pair in chosen}


@st.composite
def decisions_about(draw: st.DrawFn, pair: Pair) -> SimilarityDecision:
    similarity = draw(st.none() | st.integers(0, 10_000))
    return SimilarityDecision(
        reasoning=draw(words),
        decided_at=draw(moments),
        similarity=similarity,
        measure=None if similarity is None else draw(words),
        hashes={id_: draw(words) for id_ in sorted(pair)},
        extra=draw(others),
        noted_extra=draw(others),
    )


@st.composite
def v1_payloads(draw: st.DrawFn, key: str = "skills") -> dict[str, Any]:
    """Files of the first format, with fields of others at every level."""
    chosen = draw(st.lists(ids, max_size=4, unique=True))
    skills = {id_: draw(v1_skills(id_)) for id_ in chosen}
    sections: dict[str, list[str]] = draw(st.dictionaries(words, st.just([]), max_size=1))
    for id_, raw in skills.items():
        sections.setdefault(raw["section"], []).append(id_)
    pairs = [",".join(sorted((a, b))) for at, a in enumerate(chosen) for b in chosen[at + 1 :]]
    kept = draw(st.lists(st.sampled_from(pairs), max_size=2, unique=True)) if pairs else []
    return {
        key: skills,
        "sections": sections,
        "next_id": draw(counts),
        "similarity_decisions": {
            pair: {
                "decision": "KEEP",
                "reasoning": draw(words),
                "decided_at": draw(moments),
                "similarity_at_decision": draw(st.floats(0, 1)),
                **draw(others),
            }
            for pair in kept
        },
        **draw(others),
    }


def v1_skills(id_: str) -> SearchStrategy[dict[str, Any]]:
    needed = {"id": st.just(id_), "section": words, "content": words}
    return st.fixed_dictionaries(
        needed,
        optional={
            "justification": st.none() | words,
            "evidence": st.none() | words,
            "helpful": counts,
            "harmful": counts,
            "neutral": counts,
            "created_at": moments,
            "updated_at": moments,
            "embedding": st.none(),
            "status": st.sampled_from(["active", "invalid"]),
            "sources": st.lists(words | v1_sources(), max_size=2),
            "issue": json_values,
            "x_team": st.just("ops"),
        },
    )


def v1_sources() -> SearchStrategy[dict[str, Any]]:
    return st.fixed_dictionaries(
        {},
        optional={
            "trace_uid": words,
            "trace_id": json_values,
            "epoch": json_values,
            "x_team": st.just("ops"),
        },
    )
