"""The vendors that can be named, against what the model library has."""

import ast
import inspect
from importlib.util import find_spec

import pytest
from pydantic_ai.providers import infer_provider_class

from host.providers.models.catalogue import LEFT_OUT, LIBRARY, OF_LIBRARY, VENDORS, Vendor, split_name


def library_names() -> set[str]:
    """Every name that the library's own table of providers has."""
    tree = ast.parse(inspect.getsource(infer_provider_class))
    cases = [case.pattern for node in ast.walk(tree) if isinstance(node, ast.Match) for case in node.cases]
    values = [
        value.value
        for case in cases
        for value in ast.walk(case)
        if isinstance(value, ast.Constant) and isinstance(value.value, str)
    ]
    return set(values)


def test_every_vendor_of_the_library_is_offered_or_left_out_for_a_reason() -> None:
    assert library_names() == set(VENDORS) | set(LEFT_OUT)
    assert set(VENDORS) & set(LEFT_OUT) == set()


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", [name for name, row in VENDORS.items() if row.client in ("openai", "anthropic")]
)
def test_what_a_vendor_takes_is_what_the_library_takes(name: str) -> None:
    kind = infer_provider_class(name)
    takes = inspect.signature(kind.__init__).parameters

    assert VENDORS[name].takes_base_url == ("base_url" in takes and name != "snowflake")
    assert {"http_client"} & set(takes)
    assert {"api_key", "token"} & set(takes)


@pytest.mark.parametrize(
    "name", [name for name, row in VENDORS.items() if row.client in ("openai", "anthropic")]
)
def test_the_library_asks_for_the_variables_that_are_listed(name: str) -> None:
    source = inspect.getsource(inspect.getmodule(infer_provider_class(name)) or ast)

    assert [each for each in (*VENDORS[name].keys, *VENDORS[name].wants) if each not in source] == []


def test_what_is_not_installed_is_told_with_the_command_that_installs_it() -> None:
    there = Vendor(client="json", extra="x")
    absent = Vendor(client="no_such_client", extra="google")
    within = Vendor(client="no_such_package.genai", extra="google")

    assert find_spec(LIBRARY) is not None
    assert there.missing is None
    assert absent.missing == within.missing == "pip install 'pydantic-ai-slim[google]'"


def test_without_the_library_its_extra_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("host.providers.models.catalogue.find_spec", lambda name: None)

    assert VENDORS["openai"].missing == OF_LIBRARY == "pip install 'gg[models]'"


@pytest.mark.parametrize(
    ("name", "halves"),
    [
        ("openai:gpt-5", ("openai", "gpt-5")),
        ("bedrock:anthropic.claude-v1:0", ("bedrock", "anthropic.claude-v1:0")),
        ("gpt-5", ("", "gpt-5")),
        (":gpt-5", ("", "gpt-5")),
        ("openai:", ("openai", "")),
    ],
)
def test_a_name_is_split_at_its_first_colon(name: str, halves: tuple[str, str]) -> None:
    assert split_name(name) == halves
