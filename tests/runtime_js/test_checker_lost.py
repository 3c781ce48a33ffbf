"""What a unit, or an accident, can do to a checker process."""

import os
import signal
from dataclasses import replace
from pathlib import Path

import psutil
import pytest

from runtime_js.checker import DeclarationsBroken, TypeChecker
from runtime_js.errors import CompilerLost
from runtime_js.toolchain import find_toolchain
from tests.runtime_js.checking import DECLARATIONS, program, told

GIB = 2**30

ENDLESS = "const x = " + "1+" * 100_000 + "1;"
HUNGRY = (
    "type D = 0|1|2|3|4|5|6|7|8|9; type P<T extends any[]> ="
    " T extends [infer A, ...infer R] ? A extends any ? [A, ...P<R>] : never : [];"
    "const q: P<[D,D,D,D,D,D,D]> = 1;"
)
# Each of these a compiler without bounds of its own would not survive.
BOUNDED = [
    pytest.param(
        "type D = 0|1|2|3|4|5|6|7|8|9; const e: `${D}${D}${D}${D}${D}${D}` = 1;",
        ["program.ts:1:40: TS2590: Expression produces a union type that is too complex to represent."],
        id="union",
    ),
    pytest.param(
        "type T<A> = A extends string ? { x: T<[A]> } : { x: T<[A]> };"
        "type G<X> = X extends object ? { [K in keyof X]: G<X[K]> | G<[X[K]]> } : X;"
        "declare const a: G<T<string>>; const b: G<T<number>> = a;",
        [
            "program.ts:1:121: TS2589: Type instantiation is excessively deep and possibly infinite.",
        ],
        id="recursive type",
    ),
]


def test_a_checker_that_was_killed_is_lost() -> None:
    checker = start()
    os.kill(checker.pid, signal.SIGKILL)

    with pytest.raises(CompilerLost, match=r"^ended$|^closed its input$") as lost:
        checker.check(program("1;"))

    assert lost.value.exit_status == -signal.SIGKILL
    assert_ended(checker)


@pytest.mark.slow
def test_a_unit_that_takes_too_long_is_stopped() -> None:
    checker = start(timeout_s=1)

    with pytest.raises(CompilerLost, match=r"^did not finish within 1 s$") as lost:
        checker.check(program(ENDLESS))

    assert lost.value.exit_status == -signal.SIGKILL
    assert_ended(checker)


@pytest.mark.slow
def test_a_unit_that_takes_too_much_memory_is_stopped() -> None:
    checker = start(memory_bytes=GIB // 4)

    with pytest.raises(CompilerLost, match=r"^ended$") as lost:
        checker.check(program(HUNGRY))

    assert lost.value.exit_status == 2
    assert "goroutine" in lost.value.stderr_tail
    assert_ended(checker)


@pytest.mark.parametrize(("source", "expected"), BOUNDED)
def test_types_that_would_never_end(checker: TypeChecker, source: str, expected: list[str]) -> None:
    assert told(checker.check(program(source))) == expected


@pytest.mark.slow
def test_of_more_errors_than_fit_the_first_are_told(checker: TypeChecker) -> None:
    count = 30_000
    errors = checker.check(program("x;" * count))

    assert 20_000 < len(errors) < count
    assert told(errors[:2]) == [
        "program.ts:1:1: TS2304: Cannot find name 'x'.",
        "program.ts:1:3: TS2304: Cannot find name 'x'.",
    ]
    # One line of 60 kB stands behind each error.
    assert len({id(error.source_line) for error in errors}) == 1


def test_a_checker_that_holds_much_memory_is_worn_out(
    checker: TypeChecker, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert not checker.worn_out

    monkeypatch.setattr("runtime_js.checker.RESIDENT_BYTES", 2**20)
    assert checker.worn_out


def test_broken_declarations_are_not_the_units_fault() -> None:
    checker = start()
    declarations = DECLARATIONS + 'declare module "gg:files" { export function read(): Nothing }\n'

    with pytest.raises(DeclarationsBroken) as broken:
        checker.check(program("1;", declarations=declarations))

    assert str(broken.value) == "gg.d.ts:18:53: TS2304: Cannot find name 'Nothing'."
    assert_ended(checker)


def test_a_library_that_is_none_is_refused_at_the_start(tmp_path: Path) -> None:
    (tmp_path / "lib.d.ts").write_text("interface Array<T> {}\n")

    with pytest.raises(DeclarationsBroken) as broken:
        TypeChecker(
            replace(find_toolchain(), guest_library=tmp_path / "lib.d.ts"), timeout_s=60, memory_bytes=GIB
        )

    assert str(broken.value) == ("program.ts:1:26: TS2339: Property 'map' does not exist on type 'number[]'.")


def test_a_checker_that_cannot_be_executed_says_why(tmp_path: Path) -> None:
    with pytest.raises(CompilerLost) as lost:
        start(tsc=tmp_path / "tsc")

    assert lost.value.exit_status == 127
    assert lost.value.stderr_tail == f"cannot execute {tmp_path / 'tsc'}: No such file or directory\n"


def test_a_program_that_is_no_language_server_is_lost(tmp_path: Path) -> None:
    greeter = tmp_path / "tsc"
    greeter.write_text("#!/bin/sh\nprintf 'hello\\r\\n\\r\\n'\nwhile read line; do :; done\n")
    greeter.chmod(0o755)

    with pytest.raises(CompilerLost) as lost:
        start(tsc=greeter)

    assert str(lost.value) == ("broke the protocol at initialize: no header: b'hello\\r\\n\\r\\n'")


def test_a_closed_checker_refuses_and_leaves_no_process() -> None:
    checker = start()
    checker.close()
    checker.close()

    with pytest.raises(CompilerLost, match=r"^was used after its end$"):
        checker.check(program("1;"))
    assert_ended(checker)


def start(*, timeout_s: float = 60, memory_bytes: int = GIB, tsc: Path | None = None) -> TypeChecker:
    toolchain = find_toolchain()
    return TypeChecker(
        replace(toolchain, tsc=tsc or toolchain.tsc), timeout_s=timeout_s, memory_bytes=memory_bytes
    )


def assert_ended(checker: TypeChecker) -> None:
    assert not psutil.pid_exists(checker.pid)
