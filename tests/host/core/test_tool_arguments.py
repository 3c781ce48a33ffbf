import pytest

from host.core.tool_arguments import parse_arguments

READ = [
    ('{"program": "a;\nb;"}', {"program": "a;\nb;"}),
    ('\ufeff{"program": "a;"}', {"program": "a;"}),
    (f'{{"program": "a;", "n": {"1" * 5000}}}', {"program": "a;", "n": float("inf")}),
    ("[]", []),
]


@pytest.mark.parametrize(("text", "value"), READ)
def test_what_models_write_is_read(text: str, value: object) -> None:
    assert parse_arguments(text) == value


UNREADABLE = [
    ("", ValueError),
    ("const a = 1;", ValueError),
    ('{"program": "x', ValueError),
    ("[" * 100_000, RecursionError),
]


@pytest.mark.parametrize(("text", "kind"), UNREADABLE)
def test_what_is_no_json_is_told_apart_from_what_is_too_deep(text: str, kind: type[Exception]) -> None:
    with pytest.raises(kind):
        parse_arguments(text)
