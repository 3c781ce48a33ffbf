"""Warm compilers and a warm worker for the tests of turns that run programs."""

from collections.abc import Iterator

import pytest

from runtime_js import Compiler, guest_globals
from sandbox import SandboxPool


@pytest.fixture(scope="module")
def compiler() -> Iterator[Compiler]:
    compiler = Compiler()
    yield compiler
    compiler.close()


@pytest.fixture(scope="module")
def pool() -> Iterator[SandboxPool]:
    with SandboxPool(globals=guest_globals()) as pool:
        yield pool
