"""One warm pair of compilers for each module of end-to-end tests."""

from collections.abc import Iterator

import pytest

from runtime_js import Compiler


@pytest.fixture(scope="module")
def compiler() -> Iterator[Compiler]:
    with Compiler() as compiler:
        yield compiler
