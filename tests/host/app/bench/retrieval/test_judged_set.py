"""The judged set of `fixtures/retrieval`: it is what its README says, and each trap is asked about."""

import hashlib
import json
from collections import Counter
from itertools import chain
from pathlib import Path
from typing import Any, Final

from host.core.terms import query_terms, terms

FOLDER: Final = Path(__file__).parents[5] / "fixtures" / "retrieval"
KEPT_AT: Final = "2026-10-01T09:00:00Z"
ASKED_AT: Final = "2026-12-01T09:00:00Z"

FROZEN: Final = {
    "records.jsonl": "7bbe373371af4c460d412926683f047d3e461ad7d1444156dc86fbe3f1ea47e4",
    "questions.jsonl": "75a4a6f6bba25da57ba16f8536321f0d977808245bee118f2e7b61a9054808eb",
}
RECORD_FIELDS: Final = {"key", "text", "written_by", "source", "tags", "state"}
MORE_RECORD_FIELDS: Final = {"kind", "passage", "stale_after", "superseded_by"}
QUESTION_FIELDS: Final = {"key", "query", "category", "relevant", "forbidden", "held_out"}
STATES: Final = {
    "current": 543,
    "stale": 35,
    "superseded": 35,
    "proposed": 16,
    "forgotten": 16,
    "unreadable": 16,
}
CATEGORIES: Final = {"fact": 237, "identifier": 115, "cjk": 53, "paraphrase": 125, "abstention": 40}


def rows(name: str) -> list[dict[str, Any]]:
    return [json.loads(row) for row in (FOLDER / name).read_text(encoding="utf-8").splitlines()]


RECORDS: Final = {row["key"]: row for row in rows("records.jsonl")}
QUESTIONS: Final = rows("questions.jsonl")


def doubled(values: list[str]) -> list[str]:
    return [value for value, count in Counter(values).items() if count > 1]


def test_the_set_is_frozen() -> None:
    """Whoever changes it measures anew: figures under `benchmarks/results` are of these two files."""
    assert {name: hashlib.sha256((FOLDER / name).read_bytes()).hexdigest() for name in FROZEN} == FROZEN


def test_the_records_are_as_many_in_each_state_as_the_readme_says() -> None:
    assert Counter(record["state"] for record in RECORDS.values()) == STATES
    assert list(RECORDS) == [f"r{number:03d}" for number in range(1, len(RECORDS) + 1)]
    assert len(rows("records.jsonl")) == len(RECORDS)


def test_the_questions_are_as_many_in_each_category_as_the_readme_says() -> None:
    assert Counter(question["category"] for question in QUESTIONS) == CATEGORIES
    assert [question["key"] for question in QUESTIONS] == [
        f"q{number:03d}" for number in range(1, len(QUESTIONS) + 1)
    ]


def test_the_readme_has_the_numbers() -> None:
    readme = (FOLDER / "README.md").read_text(encoding="utf-8")
    rows_of_tables = [f"| `{name}` | {count} |" for name, count in chain(STATES.items(), CATEGORIES.items())]

    assert [row for row in rows_of_tables if row not in readme] == []


def test_fields() -> None:
    assert [key for key, record in RECORDS.items() if RECORD_FIELDS - set(record)] == []
    assert [key for key, record in RECORDS.items() if set(record) - RECORD_FIELDS - MORE_RECORD_FIELDS] == []
    assert [question["key"] for question in QUESTIONS if set(question) != QUESTION_FIELDS] == []


def test_no_text_and_no_query_stands_twice() -> None:
    assert doubled([" ".join(record["text"].casefold().split()) for record in RECORDS.values()]) == []
    assert doubled([question["query"].casefold() for question in QUESTIONS]) == []


def test_the_texts_are_as_long_as_the_readme_says() -> None:
    lengths = {key: len(record["text"].split()) for key, record in RECORDS.items()}
    english = {key: length for key, length in lengths.items() if RECORDS[key]["text"].isascii()}

    assert (min(english.values()), max(lengths.values())) == (5, 120)


def test_a_state_agrees_with_what_makes_it() -> None:
    for key, record in RECORDS.items():
        moment = record.get("stale_after")
        is_stale = moment is not None and moment <= ASKED_AT
        assert moment is None or moment > KEPT_AT, key
        assert is_stale == (record["state"] == "stale"), key
        assert ("superseded_by" in record) == (record["state"] == "superseded"), key
        assert record["state"] != "proposed" or record["kind"] == "lesson", key


def test_what_stands_in_a_place_is_current() -> None:
    replacements = [record["superseded_by"] for record in RECORDS.values() if "superseded_by" in record]

    assert [key for key in replacements if RECORDS[key]["state"] != "current"] == []


def test_half_of_each_category_is_held_out() -> None:
    held_out = Counter(question["category"] for question in QUESTIONS if question["held_out"])

    assert held_out.total() * 2 == len(QUESTIONS)
    assert [name for name, count in CATEGORIES.items() if abs(held_out[name] * 2 - count) > 1] == []


def test_relevant_records_are_current_and_there_are_some_unless_nothing_must_be_found() -> None:
    for question in QUESTIONS:
        assert bool(question["relevant"]) == (question["category"] != "abstention"), question
        assert doubled(question["relevant"] + question["forbidden"]) == [], question
        assert {RECORDS[key]["state"] for key in question["relevant"]} <= {"current"}, question


def test_forbidden_records_are_not_current_and_each_is_asked_about() -> None:
    forbidden = set(chain.from_iterable(question["forbidden"] for question in QUESTIONS))

    assert forbidden == {key for key, record in RECORDS.items() if record["state"] != "current"}


def test_a_forbidden_record_shares_a_term_with_its_question() -> None:
    apart = [
        (question["query"], key)
        for question in QUESTIONS
        for key in question["forbidden"]
        if not set(query_terms(question["query"])) & set(terms(RECORDS[key]["text"]))
    ]

    assert apart == []


def test_as_many_paraphrases_as_the_readme_says_share_no_term_with_their_answer() -> None:
    shared = Counter(
        max(
            len(set(query_terms(question["query"])) & set(terms(RECORDS[key]["text"])))
            for key in question["relevant"]
        )
        for question in QUESTIONS
        if question["category"] == "paraphrase"
    )

    assert (shared[0], shared[1]) == (56, 37)


def test_an_abstention_shares_no_term_with_any_record() -> None:
    known = set(
        chain.from_iterable(
            terms(f"{record['text']} {record.get('passage', '')}") for record in RECORDS.values()
        )
    )
    shared = {
        question["query"]: known.intersection(query_terms(question["query"]))
        for question in QUESTIONS
        if question["category"] == "abstention"
    }

    assert {query: found for query, found in shared.items() if found} == {}
