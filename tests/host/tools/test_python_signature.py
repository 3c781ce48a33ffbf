"""Functions that cannot be tools, each with every reason; docstrings in their styles."""

import math
from collections.abc import Callable, Iterator
from typing import Any, TypedDict, Unpack

import pytest

from host.tools import NotATool, python_tool
from host.tools.docstrings import read_docstring
from tests.host.tools.functions import Counter


class Extra(TypedDict):
    a: int


def variadic(*texts: str) -> None: ...


def positional(a: int, /) -> None: ...


def bare(a, b=1, **more) -> None: ...  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN003


def unpacked(**more: Unpack[Extra]) -> None: ...


def callback(then: Callable[[], int]) -> None: ...


def thing(a: Counter) -> None: ...


def gives_thing() -> Counter:
    return Counter()


def unknown_type(a: "Nowhere") -> None: ...  # type: ignore[name-defined]  # noqa: F821


def yields() -> Iterator[int]:
    yield 1


async def yields_async() -> Any:  # noqa: ANN401
    yield 1


def wrong_limit(a: int, *rest: int, b) -> Counter:  # type: ignore[no-untyped-def]  # noqa: ANN001
    raise NotImplementedError


LIST = "but arguments are given by name; give it a parameter of a list's type instead"
COUNTER = "`tests.host.tools.functions.Counter`, of which JSON has no form"
REASON = "Unable to generate pydantic-core schema for <class 'tests.host.tools.functions.Counter'>"
REFUSED: list[Any] = [
    (variadic, "variadic", [f"it takes `*texts`, {LIST}"]),
    (positional, "positional", ["its parameter `a` is positional only, but arguments are given by name"]),
    (
        bare,
        "bare",
        [
            "its parameter `a` has no type; write one, such as `a: str`",
            "its parameter `b` has no type; write one, such as `b: str`",
            "its parameter `**more` has no type; write one, such as `**more: str`",
        ],
    ),
    (unpacked, "unpacked", ["it takes `**more` of several types; write the parameters one by one"]),
    (
        callback,
        "callback",
        [
            "its parameter `then` has the type `collections.abc.Callable[[], int]`, of which JSON has no form"
            ": Cannot generate a JsonSchema for core_schema.CallableSchema"
        ],
    ),
    (thing, "thing", [f"its parameter `a` has the type {COUNTER}: {REASON}"]),
    (gives_thing, "gives_thing", [f"it gives the type {COUNTER}: {REASON}"]),
    (
        unknown_type,
        "unknown_type",
        ["one of its types cannot be read: name 'Nowhere' is not defined; it has to be known in its module"],
    ),
    (yields, "yields", ["it yields values one by one; return a list of them"]),
    (yields_async, "yields_async", ["it yields values one by one; return a list of them"]),
    (Counter, "Counter", ["it is a class; give a function that makes and uses its objects"]),
    (Counter.add, "add", ["it is a method without its object; give that of an object"]),
    (lambda: 3, "", ["it has no name; give it one"]),
    (5, "int", ["it is `int`, which cannot be called"]),
    (math.hypot, "hypot", ["Python cannot tell its parameters; wrap it in a function that has types"]),
    (
        wrong_limit,
        "wrong_limit",
        [
            f"it takes `*rest`, {LIST}",
            "its parameter `b` has no type; write one, such as `b: str`",
            f"it gives the type {COUNTER}: {REASON}",
        ],
    ),
]


@pytest.mark.parametrize(("function", "name", "faults"), REFUSED, ids=[f"{n}" for _, n, _ in REFUSED])
def test_what_keeps_a_function_from_being_a_tool(
    function: Callable[..., Any], name: str, faults: list[str]
) -> None:
    with pytest.raises(NotATool) as caught:
        python_tool(function, timeout_s=1)

    assert (caught.value.name, list(caught.value.faults)) == (name, faults)


def test_the_message_has_all_of_it() -> None:
    with pytest.raises(NotATool) as caught:
        python_tool(lambda a: a, timeout_s=1)

    assert str(caught.value) == "the function cannot be a tool: it has no name; give it one"
    with pytest.raises(NotATool) as caught:
        python_tool(lambda a, b: a, name="pick", timeout_s=1)

    assert str(caught.value) == (
        "`pick` cannot be a tool: its parameter `a` has no type; write one, such as `a: str`;"
        " its parameter `b` has no type; write one, such as `b: str`"
    )


def test_a_lambda_with_a_name_and_no_parameters_is_a_tool() -> None:
    assert python_tool(lambda: 3, name="three", timeout_s=1).name == "three"


GOOGLE = """\
Finds things.

Note:
    Careful.

Args:
    query: What,
        over two lines.
    limit (int, optional): How many.
    **more: Others.

Returns:
    list[str]: The hits.

Example:
    find("a")
"""
NUMPY = """\
Finds things.

Parameters
----------
query : str
    What.

Returns
-------
list of str
    The hits.

Notes
-----
Careful.
"""
DOCSTRINGS: list[Any] = [
    pytest.param(None, "", {}, id="none"),
    pytest.param("  Finds.\n\n    More: text.\n", "Finds.\n\nMore: text.", {}, id="plain"),
    pytest.param(
        GOOGLE,
        'Finds things.\n\nNote:\n    Careful.\n\nReturns: The hits.\nExamples:\nfind("a")',
        {"query": "What,\nover two lines.", "limit": "How many.", "more": "Others."},
        id="Google",
    ),
    pytest.param(
        NUMPY, "Finds things.\n\nReturns: The hits.\nNotes:\nCareful.", {"query": "What."}, id="NumPy"
    ),
    pytest.param(
        "Finds.\n\n:param query: What.\n:raises ValueError: if odd\n",
        "Finds.\n\nRaises ValueError: if odd",
        {"query": "What."},
        id="reST",
    ),
    pytest.param("Finds.\n\nReturns:\n    Hits.\n", "Finds.\n\nReturns:\n    Hits.", {}, id="no parameters"),
]


@pytest.mark.parametrize(("docstring", "text", "parameters"), DOCSTRINGS)
def test_a_docstring_tells_of_parameters(
    docstring: str | None, text: str, parameters: dict[str, str]
) -> None:
    documented = read_docstring(docstring)

    assert (documented.text, documented.parameters) == (text, parameters)
