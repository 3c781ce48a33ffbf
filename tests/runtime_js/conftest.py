"""The compilers that tests share: each started once for each test module."""

from collections.abc import Iterator

import pytest

from runtime_js.bundler import Bundler
from runtime_js.checker import TypeChecker
from runtime_js.toolchain import find_toolchain
from tests.runtime_js.bundling import SDK


@pytest.fixture(scope="module")
def checker() -> Iterator[TypeChecker]:
    checker = TypeChecker(find_toolchain(), timeout_s=60, memory_bytes=2**30)
    yield checker
    checker.close()


@pytest.fixture(scope="module")
def bundler() -> Iterator[Bundler]:
    bundler = Bundler(find_toolchain().esbuild, SDK, timeout_s=60, memory_bytes=2**30)
    yield bundler
    bundler.close()
