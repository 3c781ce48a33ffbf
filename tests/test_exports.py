"""The front doors: what a package lists is there, sorted, and all that it offers."""

import importlib
from pathlib import Path
from types import ModuleType
from typing import Final

import pytest

from tests.test_architecture import MAY_IMPORT

ROOT: Final = Path(__file__).parents[1]
TOPS: Final = ("host", "sandbox", "runtime_js")


def packages() -> list[str]:
    """Every package that lists what it offers."""
    doors = sorted(path for top in TOPS for path in (ROOT / top).rglob("__init__.py"))
    return [
        ".".join(door.parent.relative_to(ROOT).parts)
        for door in doors
        if "node_modules" not in door.parts and "__all__" in door.read_text(encoding="utf-8")
    ]


def sort_key(name: str) -> tuple[int, str]:
    """Constants, then classes, then functions, each by name: the order that the linter keeps."""
    kind = 0 if name.isupper() else 1 if name[0].isupper() else 2
    return kind, name


@pytest.mark.parametrize("package", packages())
def test_a_front_door_lists_what_it_offers(package: str) -> None:
    door = importlib.import_module(package)

    assert sorted(set(door.__all__), key=sort_key) == list(door.__all__)
    assert [name for name in door.__all__ if not hasattr(door, name)] == []
    if package in MAY_IMPORT:  # what other packages may enter offers nothing by accident
        assert set(door.__all__) == offered(door)


def offered(door: ModuleType) -> set[str]:
    """The public names of a package, less its own modules."""
    folder = Path(str(door.__file__)).parent
    modules = {path.stem for path in folder.glob("*.py")} | {
        path.name for path in folder.iterdir() if path.is_dir()
    }
    return {
        name
        for name, value in vars(door).items()
        if not name.startswith("_") and not (isinstance(value, ModuleType) and name in modules)
    }
