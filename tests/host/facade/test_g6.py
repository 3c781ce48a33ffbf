"""What there is under the name `g6`: context packets and the record store, and no other block."""

import pkgutil
from importlib.util import find_spec

import g6
import g6.memory
import pytest


def test_it_has_two_blocks() -> None:
    assert {each.name for each in pkgutil.iter_modules(g6.__path__)} == {"context", "memory"}
    assert {each.name for each in pkgutil.iter_modules(g6.memory.__path__)} == {"ctx_ace"}


@pytest.mark.parametrize(
    "name", ["grounding", "guards", "knowledge_chunker", "knowledge_manifest", "metaharness"]
)
def test_blocks_that_gg_does_not_have_cannot_be_imported(name: str) -> None:
    assert find_spec(f"g6.{name}") is None
