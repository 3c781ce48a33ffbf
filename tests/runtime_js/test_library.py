"""The checker's library against the engine it describes."""

import importlib.util
import json
import os
import re
import sys
from pathlib import Path

import pytest

from runtime_js.globals import guest_globals
from runtime_js.library import library_text, write_library
from runtime_js.toolchain import find_toolchain
from sandbox import Ended, GuestProgram, SandboxPool
from sandbox.process import ResourceLimits, spawn

# Members that only values have, and not the prototype or constructor they are declared beside.
OF_VALUES = {
    "Function": {"prototype"},
    "RegExp": {"lastIndex"},
    "Error": {"cause"},
    "AggregateError": {"errors"},
    "Iterator": {"next", "return", "throw"},
}
ABSENT = ["Intl", "SharedArrayBuffer", "Atomics", "setTimeout", "fetch", "require", "process", "document"]

_DECLARED = re.compile(r"^declare (?:var|function) (\w+)|^var (Iterator)\b", re.MULTILINE)
_INTERFACE = re.compile(
    r"^(?:declare )?(?:interface|namespace) (\w+)[^\n]*\{\n(.*?)^\}$", re.MULTILINE | re.DOTALL
)
_TYPE = re.compile(r"^(?:declare )?var (\w+): (\w+)?", re.MULTILINE)
_MEMBER = re.compile(
    r"(?:readonly |get |set |function )*(?:(\w+)|\[Symbol\.(\w+)\])\??(?:<[^(]*>)?[(:]", re.MULTILINE
)


@pytest.fixture(scope="module")
def library() -> str:
    return library_text(find_toolchain().library)


def test_the_installed_library_is_the_generated_one(library: str) -> None:
    assert find_toolchain().guest_library.read_text(encoding="utf-8") == library


def test_it_is_written_into_a_folder_that_is_made(library: str, tmp_path: Path) -> None:
    out = tmp_path / "a" / "lib.d.ts"
    write_library(find_toolchain().library, out)

    assert out.read_text(encoding="utf-8") == library


def test_a_folder_without_typescripts_library_is_named(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match=re.escape(str(tmp_path / "lib.es2025.d.ts"))):
        write_library(tmp_path, tmp_path / "out")


def test_it_is_generated_with_the_standard_library_only() -> None:
    spec = importlib.util.find_spec("runtime_js.library")
    assert spec is not None
    assert spec.origin is not None
    imported = re.findall(r"^(?:from|import) (\w+)", Path(spec.origin).read_text(), re.MULTILINE)

    assert set(imported) <= sys.stdlib_module_names


def test_it_has_no_type_errors() -> None:
    toolchain = find_toolchain()
    argv = ["--ignoreConfig", "--noEmit", "--noLib", "--strict", "--pretty", "false", "--target", "esnext"]
    tsc = spawn([str(toolchain.tsc), *argv, str(toolchain.guest_library)], rlimits=ResourceLimits())
    said = os.read(tsc.stdout_fd, 10_000)

    assert (said, tsc.wait(60)) == (b"", 0)
    tsc.close()


def test_nothing_absent_is_declared(library: str) -> None:
    assert [name for name in ABSENT if re.search(rf"\b{name}\b", library)] == []


def test_every_global_exists_in_the_engine(library: str) -> None:
    names = sorted({first or second for first, second in _DECLARED.findall(library)})

    assert len(names) > 60
    assert run(f"{json.dumps(names)}.filter((name) => !(name in globalThis))") == []


def test_every_member_exists_in_the_engine(library: str) -> None:
    assert len(members(library)) > 800
    assert missing_members(library) == []


def test_the_comparison_sees_what_is_missing(library: str) -> None:
    more = (
        "interface Array<T> {\nfirst(): T;\n}\ninterface Math {\nbig: number;\n}\n"
        "interface URL {\nreadonly [Symbol.species]: URL;\n}\n"
        "interface DateConstructor {\nlater: number;\n}\n"
    )

    assert missing_members(library + more) == [
        "Array.prototype.first",
        "Date.own.later",
        "Math.own.big",
        "URL.prototype.@species",
    ]


def test_the_guests_own_objects_have_what_is_declared() -> None:
    """What is no property of a prototype or constructor."""
    assert run(
        "[Object.keys(new URL('a:b?c=d#e')).length, new URL('http://u:p@h:1/p?q=1#f').searchParams.get('q'),"
        " new TextDecoder().encoding, new TextEncoder().encodeInto('é', new Uint8Array(2)),"
        " typeof performance.now(), crypto.randomUUID().length,"
        " crypto.getRandomValues(new Uint8Array(2)).length,"
        " Object.keys(console).sort(), URL.canParse('x'), [...new URLSearchParams('a=1').entries()]]"
    ) == [
        0,
        "1",
        "utf-8",
        {"read": 1, "written": 2},
        "number",
        36,
        2,
        ["debug", "dir", "error", "info", "log", "trace", "warn"],
        False,
        [["a", "1"]],
    ]


def missing_members(library: str) -> object:
    declared = sorted(f"{owner}.{member}" for owner, member in members(library))
    return run(
        f"{json.dumps(declared)}.filter((path) => {{"
        " const [owner, end, member] = path.split('.');"
        " const value = globalThis[owner];"
        " const key = member.startsWith('@') ? Symbol[member.slice(1)] : member;"
        " return !(key in Object(end === 'prototype' ? value.prototype : value)); })"
    )


def members(library: str) -> set[tuple[str, str]]:
    """`(owner.prototype | owner.own, member)` of every global object, function and constructor."""
    interfaces: dict[str, set[str]] = {}
    for name, body in _INTERFACE.findall(library):
        found = interfaces.setdefault(name, set())
        for line in outer_lines(body):
            if member := _MEMBER.match(line):
                found.add(member[1] or f"@{member[2]}")
    result = {("Reflect.own", member) for member in interfaces["Reflect"]}
    for name, constructor in _TYPE.findall(library):
        is_constructor = constructor != name
        own = interfaces.get(constructor, set()) - {"new"}
        result |= {(f"{name}.own", member) for member in own - OF_VALUES.get(name, set())}
        if is_constructor:
            of_values = interfaces.get(name, set()) - OF_VALUES.get(name, set())
            result |= {(f"{name}.prototype", member) for member in of_values}
    return result


def outer_lines(body: str) -> list[str]:
    """The lines of a declaration that are in no bracket that an earlier line opened."""
    depth = 0
    lines = []
    for line in body.splitlines():
        if depth == 0:
            lines.append(line)
        text = re.sub(r'"[^"]*"|=>', "", line)
        depth += sum(text.count(opening) for opening in "{(<[") - sum(text.count(end) for end in "})>]")
    return lines


def run(expression: str) -> object:
    """The value of an expression in the guest's engine, with its prelude."""
    program = GuestProgram(js=f"//\nconsole.log(JSON.stringify({expression}));", seed=1)
    with SandboxPool(globals=guest_globals(), size=1, confine="best-effort") as pool:
        outcome = pool.run(program, lambda call: "")
    assert isinstance(outcome, Ended)
    (line,) = outcome.stats.logs
    return json.loads(line.text)
