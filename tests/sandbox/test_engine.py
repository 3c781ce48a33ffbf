"""The engine that is there is the one that gg was built for, or no program runs."""

import tomllib
from pathlib import Path
from typing import Final

import pytest

from sandbox import engine

PYPROJECT: Final = Path(__file__).parents[2] / "pyproject.toml"


def test_the_engine_that_is_pinned_is_the_one_that_is_checked_for() -> None:
    dependencies = tomllib.loads(PYPROJECT.read_text("utf-8"))["project"]["dependencies"]
    pins = [found for found in dependencies if found.startswith("quickjs-ng")]

    assert [pin.rpartition(".")[0] for pin in pins] == [f"quickjs-ng=={engine.ENGINE_VERSION.decode()}"]
    engine.check_engine()


def test_another_version_is_unfit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "ENGINE_VERSION", b"0.18.0")

    with pytest.raises(engine.EngineUnfit, match=r"^quickjs-ng 0\.17\.0, expected 0\.18\.0$"):
        engine.check_engine()


def test_one_that_misses_a_rejection_is_unfit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "_UNHANDLED", ("Promise.resolve(1)",))

    with pytest.raises(engine.EngineUnfit) as exc_info:
        engine.check_engine()
    assert str(exc_info.value) == ("the engine reports [true,0] instead of [true,1] for: Promise.resolve(1)")
