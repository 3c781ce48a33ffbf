"""The tables that `docs/errors.md` is made of are whole: one row for each word that the code can say."""

from collections.abc import Iterable
from typing import Any, get_args

import pytest

from docs.render_errors import SENTENCES
from host.app.statuses import EXIT_CODES, STATUSES
from host.cli.exit_codes import EXIT_CODES as COMMAND_EXIT_CODES
from host.core.errors import API_ERRORS, DEFECTS, ApiErrorCode, DefectKind
from host.events import Status
from host.operations import OPERATIONS
from host.turn.error_types import TURN_ERRORS, TurnErrorType
from host.turn.outcome import CEILING_TYPES
from sandbox import Ceiling

TABLES = [
    pytest.param(API_ERRORS, ApiErrorCode, id="codes"),
    pytest.param(TURN_ERRORS, TurnErrorType, id="error turns"),
    pytest.param(STATUSES, Status, id="statuses"),
    pytest.param(DEFECTS, DefectKind, id="defects"),
    pytest.param(CEILING_TYPES, Ceiling, id="ceilings"),
    pytest.param(SENTENCES, Ceiling, id="sentences of ceilings"),
]


@pytest.mark.parametrize(("table", "words"), TABLES)
def test_a_table_has_a_row_for_each_word(table: Iterable[str], words: Any) -> None:  # noqa: ANN401  (a Literal)
    assert sorted(table) == sorted(get_args(words))


def test_every_ceiling_has_its_own_type_of_error_turn() -> None:
    assert set(CEILING_TYPES.values()) == {name for name in TURN_ERRORS if name.startswith("sandbox_")}


def test_the_exit_code_of_a_run_is_one_of_the_commands() -> None:
    assert set(EXIT_CODES.values()) <= set(COMMAND_EXIT_CODES)


def test_no_call_says_that_it_fails_with_a_code_that_none_fails_with() -> None:
    told = {code for operation in OPERATIONS.values() for code, _ in operation.failures}

    assert told == set(API_ERRORS) - {"other"}
