"""The quickstart is found wherever gg is installed and whatever the current directory is."""

from pathlib import Path

import pytest

from host.launch import find_configuration
from host.launch.shipped import shipped_fixture

ROOT = Path(__file__).parents[3]


@pytest.mark.parametrize("place", ["site/host/_fixtures", "site/fixtures"])
def test_a_fixture_is_found_in_the_package_or_beside_it(place: str, tmp_path: Path) -> None:
    (tmp_path / place / "quickstart").mkdir(parents=True)

    found = shipped_fixture(Path("fixtures/quickstart"), host=tmp_path / "site" / "host")

    assert found == tmp_path / place / "quickstart"


@pytest.mark.parametrize("path", ["fixtures/other", "quickstart", "/fixtures/quickstart", "."])
def test_nothing_else_is_looked_up_there(path: str, tmp_path: Path) -> None:
    (tmp_path / "site" / "fixtures" / "quickstart").mkdir(parents=True)

    assert shipped_fixture(Path(path), host=tmp_path / "site" / "host") is None


def test_the_quickstart_is_found_from_any_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)

    assert find_configuration(Path("fixtures/quickstart")) == ROOT / "fixtures" / "quickstart" / "run.json"


def test_what_stands_in_the_current_directory_comes_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "fixtures" / "quickstart").mkdir(parents=True)
    (tmp_path / "fixtures" / "quickstart" / "run.json").write_text("{}")
    monkeypatch.chdir(tmp_path)

    assert find_configuration(Path("fixtures/quickstart")) == Path("fixtures/quickstart/run.json")
