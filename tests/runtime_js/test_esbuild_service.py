"""One real esbuild process, and processes that are none."""

import json
import os
import signal
import sys
from pathlib import Path

import psutil
import pytest

from runtime_js.errors import CompilerLost
from runtime_js.esbuild_service import PROTOCOL_VERSION, EsbuildService
from runtime_js.toolchain import HERE, find_toolchain
from runtime_js.virtual_modules import PLUGIN
from runtime_js.wire import Value, field

GIB = 2**30
# Kept and exported, or it would be dropped at once. 6,000 characters, no bracket.
ENDLESS = "export const f=" + "x=>" * 2_000 + "1;"
HUNGRY = "export const a = [" + "[1]," * 1_000_000 + "];"

ANSWERS: dict[str, Value] = {
    "on-start": {"errors": [], "warnings": []},
    "on-resolve": {"id": 0, "namespace": "n", "path": "p"},
    "on-load": {"id": 0, "contents": b"export const b = 1;", "loader": "ts"},
}

ILL_FORMED = [
    pytest.param("on-start", {}, id="fields that are missing"),
    pytest.param("on-load", {"id": 0, "contents": "text"}, id="a field of another type"),
]

SAY = "import os, sys; say = lambda data: os.write(1, data); wait = lambda: os.read(0, 1)\n"
WELCOME = f"say(({len(PROTOCOL_VERSION)}).to_bytes(4, 'little') + b'{PROTOCOL_VERSION}')\n"

NOT_ESBUILD = [
    pytest.param("", "ended", 0, id="says nothing"),
    pytest.param("sys.exit(3)", "ended", 3, id="fails"),
    pytest.param(
        "say(b'\\5\\0\\0\\0wrong'); wait()",
        "speaks protocol b'wrong', not '0.28.2'",
        -9,
        id="another version",
    ),
    pytest.param(
        "say(b'\\xff' * 4); wait()",
        "broke the protocol: a frame of 4294967295 bytes, limit 268435456",
        -9,
        id="a huge frame",
    ),
]

BROKEN_RESPONSES = [
    pytest.param("b'\\1\\0\\0\\0\\7'", "no packet: unpack_from requires", id="no packet"),
    pytest.param(
        "b'\\5\\0\\0\\0\\3\\0\\0\\0\\0'", "a response to request 1, expected one to 0", id="another"
    ),
    pytest.param("b'\\5\\0\\0\\0\\0\\0\\0\\0\\0'", "field 'command' is None, not str", id="no command"),
]


def test_the_version_of_the_protocol_is_the_one_that_is_pinned() -> None:
    pins = json.loads((HERE / "package.json").read_text())

    assert pins["dependencies"]["esbuild"] == PROTOCOL_VERSION
    assert find_toolchain().esbuild_version == PROTOCOL_VERSION


def test_a_request_is_answered_and_asks_back() -> None:
    service = start()
    asked: list[str] = []

    def answer(question: Value) -> Value:
        asked.append(field(question, "command", str))
        return ANSWERS[asked[-1]]

    for _ in range(2):
        response = service.request(build('import { b } from "x"; console.log(b);'), answer)
        assert field(response, "errors", list) == []
    service.close()

    assert asked == ["on-start", "on-resolve", "on-load"] * 2
    assert not psutil.pid_exists(service.pid)


@pytest.mark.parametrize(("command", "wrong"), ILL_FORMED)
def test_an_answer_it_cannot_read_makes_it_panic(command: str, wrong: Value) -> None:
    service = start()

    with pytest.raises(CompilerLost, match=r"^ended$") as lost:
        service.request(build('import "x";'), lambda question: answer_with(question, {command: wrong}))

    assert lost.value.exit_status == 2
    assert lost.value.stderr_tail.startswith("panic: interface conversion: interface {} is ")
    assert "goroutine" in lost.value.stderr_tail
    assert not psutil.pid_exists(service.pid)


def test_a_process_that_was_killed_at_rest_is_lost_at_the_next_request() -> None:
    service = start()
    os.kill(service.pid, signal.SIGKILL)

    with pytest.raises(CompilerLost, match=r"^ended$|^closed its input$") as lost:
        service.request(build("1;"), answer_with)

    assert lost.value.exit_status == -signal.SIGKILL


def test_a_process_that_is_killed_at_work_is_lost() -> None:
    service = start()

    def answer(question: Value) -> Value:
        os.kill(service.pid, signal.SIGKILL)
        return answer_with(question)

    with pytest.raises(CompilerLost, match=r"^ended$|^closed its input$") as lost:
        service.request(build("1;"), answer)

    assert lost.value.exit_status == -signal.SIGKILL


def test_an_input_it_cannot_finish_is_stopped() -> None:
    service = start(timeout_s=0.5)

    with pytest.raises(CompilerLost, match=r"^did not finish within 0\.5 s$") as lost:
        service.request(build(ENDLESS), answer_with)

    assert lost.value.exit_status == -signal.SIGKILL
    assert not psutil.pid_exists(service.pid)


def test_the_time_runs_for_each_request_anew() -> None:
    service = start(timeout_s=5)

    for _ in range(3):
        assert field(service.request(build("1;"), answer_with), "errors", list) == []
    service.close()


def test_an_input_that_takes_too_much_memory_is_stopped() -> None:
    service = start(memory_bytes=GIB // 8)

    with pytest.raises(CompilerLost, match=r"^ended$") as lost:
        service.request(build(HUNGRY), answer_with)

    assert lost.value.exit_status == 2
    assert "goroutine" in lost.value.stderr_tail


def test_a_failure_of_the_caller_is_the_callers() -> None:
    service = start()

    def answer(question: Value) -> Value:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        service.request(build("1;"), answer)
    service.close()


@pytest.mark.parametrize(("script", "detail", "status"), NOT_ESBUILD)
def test_a_program_that_is_not_esbuild_is_lost(tmp_path: Path, script: str, detail: str, status: int) -> None:
    with pytest.raises(CompilerLost) as lost:
        start(executable=write_script(tmp_path, script))

    assert (lost.value.detail, lost.value.exit_status) == (detail, status)


@pytest.mark.parametrize(("packet", "detail"), BROKEN_RESPONSES)
def test_a_broken_response_loses_the_process(tmp_path: Path, packet: str, detail: str) -> None:
    service = start(executable=write_script(tmp_path, f"{WELCOME}say({packet})\nwhile wait(): pass"))

    with pytest.raises(CompilerLost) as lost:
        service.request(build("1;"), answer_with)

    assert lost.value.detail.startswith(f"broke the protocol: {detail}")
    assert lost.value.exit_status == -signal.SIGKILL


def test_an_executable_that_is_missing_says_so(tmp_path: Path) -> None:
    with pytest.raises(CompilerLost) as lost:
        start(executable=tmp_path / "esbuild")

    assert lost.value.exit_status == 127
    assert lost.value.stderr_tail == f"cannot execute {tmp_path / 'esbuild'}: No such file or directory\n"


def start(
    *, timeout_s: float = 60, memory_bytes: int = GIB, executable: Path | None = None
) -> EsbuildService:
    esbuild = executable or find_toolchain().esbuild
    return EsbuildService(esbuild, timeout_s=timeout_s, memory_bytes=memory_bytes)


def write_script(folder: Path, text: str) -> Path:
    path = folder / "esbuild"
    path.write_text(f"#!{sys.executable} -IS\n{SAY}{text}\n")
    path.chmod(0o755)
    return path


def answer_with(question: Value, replaced: dict[str, Value] | None = None) -> Value:
    return {**ANSWERS, **(replaced or {})}[field(question, "command", str)]


def build(source: str) -> Value:
    return {
        "command": "build",
        "key": 0,
        "entries": [],
        "flags": ["--bundle", "--format=esm", "--loader=ts", "--log-level=silent", "--outfile=a.js"],
        "write": False,
        "stdinContents": source.encode(),
        "stdinResolveDir": None,
        "absWorkingDir": "",
        "nodePaths": [],
        "context": False,
        "plugins": [PLUGIN],
    }
