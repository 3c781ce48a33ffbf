"""Several processes on one record store, and killed ones: nothing that was told as kept is lost."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import pytest

from host.records import Store, make_keys
from host.records.journal import Journal
from tests.helpers import record_children

RECORDS: Final = [200, pytest.param(2_000, marks=pytest.mark.slow)]
MOMENTS: Final = [10, pytest.param(100, marks=pytest.mark.slow)]
STEPS: Final = [60, pytest.param(1, marks=pytest.mark.slow)]


@pytest.fixture(params=["hash", "keyed"])
def keys(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The folder of a key, or `-`."""
    return "-" if request.param == "hash" else str(make_keys(tmp_path / "keys").folder)


@contextmanager
def child(command: str, path: Path, keys: str, *more: object) -> Iterator["subprocess.Popen[str]"]:
    arguments = [sys.executable, "-m", "tests.helpers.record_children", command, str(path), keys]
    with subprocess.Popen(
        [*arguments, *map(str, more)],
        env=record_children.environment(),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            yield process
        finally:
            process.kill()


def ended(process: "subprocess.Popen[str]") -> list[str]:
    out, told = process.communicate(timeout=600)
    assert (process.returncode, told) == (0, "")
    return out.splitlines()


@pytest.mark.parametrize("count", RECORDS)
def test_two_processes_that_write_lose_nothing_while_a_third_one_reads(
    count: int, keys: str, tmp_path: Path
) -> None:
    path = tmp_path / "memory.db"
    with (
        child("read", path, keys) as reader,
        child("write", path, keys, "one", count) as one,
        child("write", path, keys, "two", count) as two,
    ):
        ids = [*ended(one), *ended(two)]
        began, looks = ended(reader)

    assert (began, int(looks) > 0) == ("reads", True)
    assert len(set(ids)) == 2 * count
    with record_children.opened(str(path), keys) as store:
        assert store.recall(record_ids=ids, limit=100).missing == ()
        verified = store.verify()
    assert (verified.is_refusal, verified.fields["rows"]) == (False, 2 * count)


@pytest.mark.parametrize("count", MOMENTS)
def test_a_writer_that_is_killed_at_any_moment_loses_nothing_that_it_was_told_is_kept(
    count: int, keys: str, tmp_path: Path, fuzz_seed: int
) -> None:
    with child("killed_at_moments", tmp_path / "memory.db", keys, fuzz_seed, count) as driver:
        assert ended(driver) == []


@pytest.mark.parametrize("step", STEPS)
def test_a_writer_that_is_killed_between_any_two_of_its_doings_loses_nothing(
    step: int, keys: str, tmp_path: Path
) -> None:
    with child("killed_at_points", tmp_path / "memory.db", keys, 0, step) as driver:
        (points,) = ended(driver)

    assert int(points) > 200


@pytest.mark.parametrize("step", STEPS)
def test_a_process_that_is_killed_while_it_makes_a_store_or_takes_it_under_a_key(
    step: int, tmp_path: Path
) -> None:
    keys = str(make_keys(tmp_path / "keys").folder)
    with child("killed_while_it_opens", tmp_path / "memory.db", keys, step) as driver:
        made, taken = ended(driver)

    assert min(int(made), int(taken)) > 60


def test_a_store_that_another_process_holds_is_refused_and_left_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    with Store(path) as store:
        store.put(text="A word.", written_by="agent:1")
    before = path.read_bytes()
    with child("lock", path, "-") as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "locked\n"
        with pytest.raises(ValueError, match="another process holds it") as caught:
            Journal(path, None, wait_s=0.05)
        assert ended(holder) == []

    assert "0.05 s" in str(caught.value)
    assert path.read_bytes() == before
