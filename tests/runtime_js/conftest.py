"""The type checker that tests share: started once for each test module."""

from collections.abc import Iterator

import pytest

from runtime_js.checker import TypeChecker
from runtime_js.toolchain import find_toolchain


@pytest.fixture(scope="module")
def checker() -> Iterator[TypeChecker]:
    checker = TypeChecker(find_toolchain(), timeout_s=60, memory_bytes=2**30)
    yield checker
    checker.close()
