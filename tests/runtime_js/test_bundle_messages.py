"""What esbuild reports, and what it could not report."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runtime_js.bundle_messages import read_errors
from runtime_js.errors import CompilerLost
from runtime_js.unit_texts import UnitTexts
from runtime_js.wire import Value, WireError
from tests.runtime_js.bundling import SDK, told, unit

TEXTS = UnitTexts(unit("first;\nsecond;\n", {"a": "third;\n"}), SDK)


def message(text: str, location: Value, plugin: str = "", id: str = "") -> dict[str, Value]:
    return {"id": id, "pluginName": plugin, "text": text, "location": location, "notes": []}


def at(file: str, line: int = 1, column: int = 0, length: int = 1) -> Value:
    return {"file": file, "line": line, "column": column, "length": length}


LOST = [
    pytest.param(message("no place", None), "reported an error without a place: ", id="no place"),
    pytest.param(message("in gg", at("gg:sdk/gg")), "reported an error without a place: ", id="in the SDK"),
    pytest.param(
        message("panic: oh (while parsing)", at("program.mts")),
        "reported 'panic: oh (while parsing)'",
        id="a panic that was recovered from",
    ),
    pytest.param(
        message("The service was stopped", None), "reported an error without a place: ", id="stopped"
    ),
]

MALFORMED: list[Value] = [
    None,
    {},
    {"errors": None},
    {"errors": ["text"]},
    {"errors": [{"text": 5}]},
    {"errors": [message("a", {"file": "program.mts"})]},
    {"errors": [message("a", {"file": 5, "line": 1, "column": 1, "length": 1})]},
    {"errors": [{"text": "a", "location": at("program.mts")}]},
]


def test_errors_are_told_once_and_in_order() -> None:
    errors: list[Value] = [
        message("third", at("lib:a.mts")),
        message("second", at("program.mts", 2)),
        message("first", at("program.mts")),
        message("second", at("program.mts", 2)),
        message("no place", None),
    ]

    assert told(read_errors({"errors": errors}, TEXTS)) == [
        "SYNTAX program.ts:1:1: first",
        "SYNTAX program.ts:2:1: second",
        "SYNTAX a.ts:1:1: third",
    ]


@pytest.mark.parametrize(("error", "detail"), LOST)
def test_what_is_not_the_guests_doing_loses_the_process(error: Value, detail: str) -> None:
    with pytest.raises(CompilerLost) as lost:
        read_errors({"errors": [error]}, TEXTS)

    assert lost.value.detail.startswith(detail)


@pytest.mark.parametrize("response", MALFORMED)
def test_a_response_of_another_shape_breaks_the_protocol(response: Value) -> None:
    with pytest.raises(WireError):
        read_errors(response, TEXTS)


@given(
    st.fixed_dictionaries(
        {"text": st.text()},
        optional={
            "id": st.text() | st.none(),
            "pluginName": st.sampled_from(["", "gg"]) | st.integers(0, 9),
            "location": st.none()
            | st.fixed_dictionaries(
                {"file": st.sampled_from(["program.mts", "lib:a.mts", "gg:gg", "x"])},
                optional={key: st.integers(0, 2**32 - 1) | st.none() for key in ("line", "column", "length")},
            ),
        },
    )
)
def test_any_message_is_read_or_refused(error: Value) -> None:
    try:
        errors = read_errors({"errors": [error]}, TEXTS)
    except (WireError, CompilerLost):
        return
    assert [found.diagnostic.file for found in errors] in (["program.ts"], ["a.ts"])
