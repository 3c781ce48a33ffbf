"""Sources: what ACE writes, what older files have, and fields of another type."""

import pytest
from hypothesis import given

from host.skillbook import Occurrence
from host.skillbook.formats.fields import Unreadable
from host.skillbook.formats.sources import read_source, written_source
from tests.helpers.skillbook_strategies import occurrences

READ = [
    ({"trace_uid": "gg:1#2", "source_system": "gg", "trace_id": "1#2"}, ("gg:1#2", "gg", "1#2")),
    ({"trace_uid": "gg:1#2"}, ("gg:1#2", "gg", "1#2")),
    ({"trace_uid": "bench:a:b"}, ("bench:a:b", "bench", "a:b")),
    ({"source_system": "bench", "trace_id": "7"}, ("bench:7", "bench", "7")),
    ({"sample_id": 7}, ("legacy:7", "legacy", "7")),
    ({"id": "run-1"}, ("legacy:run-1", "legacy", "run-1")),
    ({"trace_uid": "plain"}, ("plain", "legacy", "unknown")),
    ({}, ("legacy:unknown", "legacy", "unknown")),
]


@pytest.mark.parametrize(("raw", "identity"), READ)
def test_what_does_not_say_where_it_comes_from_is_told_from_what_it_does(
    raw: dict[str, object], identity: tuple[str, str, str]
) -> None:
    source = read_source(raw)

    assert (source.trace_uid, source.source_system, source.trace_id) == identity
    assert written_source(source).items() >= raw.items()


@given(occurrences())
def test_a_source_comes_back_as_it_was_written(source: Occurrence) -> None:
    assert read_source(written_source(source)) == source


def test_a_field_of_another_type_is_kept_as_it_stands() -> None:
    raw = {"trace_uid": 5, "epoch": "3", "relation": None, "learning_text": ["x"], "x_team": "ops"}

    source = read_source(raw)

    assert (source.trace_uid, source.epoch, source.learning_text) == ("legacy:unknown", None, None)
    assert written_source(source) == {"source_system": "legacy", "trace_id": "unknown", **raw}


@pytest.mark.parametrize("value", [None, "run 1", 5, []])
def test_what_is_no_object_is_none(value: object) -> None:
    with pytest.raises(Unreadable, match=r"^one of its sources is .*, not an object$"):
        read_source(value)
