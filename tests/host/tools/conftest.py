"""One pair of compilers for the tests of a module."""

from collections.abc import Iterator

import pytest

from runtime_js import Compiler


@pytest.fixture(scope="module")
def compiler() -> Iterator[Compiler]:
    compiler = Compiler(processes=1, timeout_s=60)
    yield compiler
    compiler.close()
