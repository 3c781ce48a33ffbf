"""One warm pair of compilers for all end-to-end tests of a process."""

from collections.abc import Iterator

import pytest

from runtime_js import Compiler


@pytest.fixture(scope="session")
def compiler() -> Iterator[Compiler]:
    with Compiler() as compiler:
        yield compiler
