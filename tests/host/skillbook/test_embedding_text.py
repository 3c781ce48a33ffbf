"""What a skill is found and compared by, and when it says something else."""

import pytest

from host.skillbook import embedding_text, text_hash
from tests.helpers.skillbooks import skill

TEXTS = [
    ({}, "the lock is held\n\nwait for it\n\nKeywords: lock"),
    ({"keywords": ("lock", "two_words")}, "the lock is held\n\nwait for it\n\nKeywords: lock, two_words"),
    ({"insight": None}, "the lock is held\n\nKeywords: lock"),
    ({"keywords": ()}, "the lock is held\n\nwait for it"),
]


@pytest.mark.parametrize(("fields", "text"), TEXTS)
def test_an_embedding_text_is_the_issue_the_insight_and_the_keywords(
    fields: dict[str, object], text: str
) -> None:
    assert embedding_text(skill("a", **fields)) == text


SAME: list[dict[str, object]] = [
    {"issue": " the  lock\nis held "},
    {"keywords": ("other",)},
    {"id_": "b"},
]
OTHER: list[dict[str, object]] = [
    {"issue": "the lock is Held"},
    {"insight": None},
    {"issue": "the lock is held wait for it", "insight": None},
    {"issue": "the lock is held wait", "insight": "for it"},
]


def hash_of(fields: dict[str, object]) -> str:
    return text_hash(skill(**{"id_": "a", **fields}))  # type: ignore[arg-type]


@pytest.mark.parametrize("fields", SAME)
def test_the_hash_is_of_the_words_of_the_issue_and_the_insight(fields: dict[str, object]) -> None:
    assert hash_of(fields) == hash_of({})


@pytest.mark.parametrize("fields", OTHER)
def test_other_words_have_another_hash(fields: dict[str, object]) -> None:
    assert hash_of(fields) != hash_of({})


def test_a_composed_letter_is_the_same_as_its_parts() -> None:
    assert hash_of({"issue": "caf\u00e9"}) == hash_of({"issue": "cafe\u0301"})
