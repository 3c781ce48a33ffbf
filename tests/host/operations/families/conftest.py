"""One warm pair of compilers for the tests of calls that compile."""

from collections.abc import Iterator

import pytest

from runtime_js import Compiler


@pytest.fixture(scope="module")
def compiler() -> Iterator[Compiler]:
    compiler = Compiler()
    yield compiler
    compiler.close()
