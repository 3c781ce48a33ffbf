"""What a child imports before it is ready: each module of its half, and nothing that is slow."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sandbox.light_json import parse, quote

SANDBOX: Final = Path(__file__).parents[2] / "sandbox"
ENTER_BESIDE: Final = f"""
import sys
package = type(sys)("sandbox")
package.__path__ = [{str(SANDBOX)!r}]
sys.modules["sandbox"] = package
"""
CHILD_HALF: Final = ("confine", "light_json", "patience", "protocol", "seccomp", "start")
SLOW: Final = (
    "collections",
    "contextlib",
    "enum",
    "functools",
    "json",
    "re",
    "signal",
    "threading",
    "typing",
)


@pytest.mark.parametrize("module", CHILD_HALF)
def test_a_module_of_the_childs_half_imports_nothing_that_is_slow(module: str) -> None:
    assert imported_slow_by(f"import sandbox.{module}") == []


def test_neither_does_the_engine() -> None:
    engine = f"sys.path.append({str(Path(_engine()).parent)!r})\nimport sandbox.worker"

    assert imported_slow_by(engine) == []


def imported_slow_by(code: str) -> list[str]:
    program = f"{ENTER_BESIDE}\n{code}\nprint(*(name for name in {SLOW!r} if name in sys.modules))"
    ran = subprocess.run(
        [sys.executable, "-I", "-S", "-c", program], capture_output=True, text=True, check=True
    )
    return ran.stdout.split()


def _engine() -> str:
    import _quickjs  # only here: no host loads it

    return str(_quickjs.__file__)


JSON: Final = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


@given(JSON)
def test_json_is_read_as_the_package_reads_it(value: object) -> None:
    assert parse(json.dumps(value)) == value


@given(st.text(st.characters(exclude_categories=[])))
def test_a_text_is_written_as_the_package_writes_it(text: str) -> None:
    assert quote(text) == json.dumps(text)
