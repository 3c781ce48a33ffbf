"""The compiler that runs share: one for all, gone with the last."""

import psutil
import pytest

from host.app.shared_compiler import shared_compiler
from runtime_js import Unit, UnitKind


def test_those_at_once_share_it_and_the_next_get_another() -> None:
    with shared_compiler() as first:
        with shared_compiler() as second:
            assert second is first
        with shared_compiler() as third:
            assert third is first
    with shared_compiler() as later:
        assert later is not first


def test_the_last_to_leave_ends_its_processes() -> None:
    with shared_compiler() as compiler:
        with shared_compiler():
            compiler.compile(Unit(kind=UnitKind.PROGRAM, source="1 + 1;\n", declarations=""))
        assert psutil.Process().children() != []

    assert psutil.Process().children() == []


def test_one_that_fails_leaves_as_well() -> None:
    with pytest.raises(ValueError, match="a run that failed"), shared_compiler() as first:
        raise ValueError("a run that failed")
    with shared_compiler() as second:
        assert second is not first
