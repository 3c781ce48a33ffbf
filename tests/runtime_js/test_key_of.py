"""Which page a value of a program asks for: what `views.openDocsView` sends of what it is given."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from runtime_js import Compiler, ModuleSource, Unit, UnitKind, guest_globals
from sandbox import Call, Ended, GuestProgram, SandboxPool

DECLARATIONS = (Path(__file__).parents[2] / "runtime_js" / "sdk" / "gg.d.ts").read_text(encoding="utf-8")
MODULE = ModuleSource(
    "csvTools",
    "export function parse() {}\nexport { parse as other };\n"
    "export class Table {}\nexport const arrow = () => 1;\n",
)

SENT = [
    pytest.param("'files.readFile'", "files.readFile", id="a key"),
    pytest.param("views.close", "views.close", id="a function whose name two families have"),
    pytest.param("docs.close", "docs.close", id="the function of the other family"),
    pytest.param("closeAll", "docs.closeAll", id="a function imported by its name"),
    pytest.param("closeAll.bind(null)", "lib:bound closeAll", id="a function made of one"),
    pytest.param("views", "views", id="a family"),
    pytest.param("same", "views", id="a family by its own specifier"),
    pytest.param("{ ...docs }", "docs", id="the members of a family"),
    pytest.param("ApiError", "ApiError", id="the error"),
    pytest.param("parse", "lib:parse", id="a function of a module"),
    pytest.param("Table", "lib:Table", id="a class of a module"),
    pytest.param("arrow", "lib:arrow", id="a constant of a module"),
    pytest.param("other", "lib:parse", id="a function of a module under another name"),
    pytest.param("csvTools", {}, id="a module"),
    pytest.param("function close() {}", "lib:close", id="a function of the program"),
    pytest.param("() => 1", "", id="a function without a name"),
    pytest.param("class { static name = 5; }", "", id="a class whose name is no text"),
    pytest.param("{}", {}, id="an empty object"),
    pytest.param("{ close: views.close }", {}, id="a part of a family"),
    pytest.param("{ ...views, close: docs.close }", {}, id="nearly a family"),
    pytest.param("new Map()", {}, id="a map"),
    pytest.param("[views]", [], id="an array"),
    pytest.param("123", 123, id="a number"),
    pytest.param("true", True, id="a boolean"),
]
PROGRAM = """\
import { ApiError, docs, views } from "gg";
import * as same from "gg:views";
import { close, closeAll } from "gg:docs";
import * as csvTools from "csvTools";
import { arrow, other, parse, Table } from "csvTools";
void [ApiError, docs, same, close, closeAll, csvTools, arrow, other, parse, Table];
"""


@pytest.fixture(scope="module")
def compiler() -> Iterator[Compiler]:
    with Compiler(processes=1) as compiler:
        yield compiler


@pytest.fixture(scope="module")
def pool() -> Iterator[SandboxPool]:
    with SandboxPool(globals=guest_globals()) as pool:
        yield pool


@pytest.mark.parametrize(("target", "sent"), SENT)
def test_what_is_sent(target: str, sent: object, compiler: Compiler, pool: SandboxPool) -> None:
    assert calls_of(f"views.openDocsView(({target}) as any);", compiler, pool) == [[sent]]


def test_what_a_program_replaces_cannot_mislead(compiler: Compiler, pool: SandboxPool) -> None:
    spoiled = "Object.keys = () => []; Array.isArray = (() => true) as any;\nviews.openDocsView(docs);"

    assert calls_of(spoiled, compiler, pool) == [["docs"]]


def test_a_getter_that_throws_is_the_programs_own_error(compiler: Compiler, pool: SandboxPool) -> None:
    proxy = "new Proxy({}, { getOwnPropertyDescriptor() { throw new RangeError('mine'); } })"
    caught = f"try {{ views.openDocsView({proxy} as any); }} catch (error) {{ views.close(String(error)); }}"

    assert calls_of(caught, compiler, pool) == [["RangeError: mine"]]


def calls_of(source: str, compiler: Compiler, pool: SandboxPool) -> list[object]:
    """The arguments of each call that a program makes; every answer is nothing."""
    unit = Unit(kind=UnitKind.PROGRAM, source=PROGRAM + source, modules=(MODULE,), declarations=DECLARATIONS)
    calls: list[Call] = []

    def answer(call: Call) -> str:
        calls.append(call)
        return '{"ok":null}'

    outcome = pool.run(GuestProgram(js=compiler.compile(unit).js, seed=1), answer)

    assert isinstance(outcome, Ended)
    return [json.loads(call.arguments) for call in calls]
