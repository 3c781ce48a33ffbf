"""Faults of gg's own, with the real compilers and the real worker: the run ends, and the model is told
nothing.
"""

import hashlib
import threading
from pathlib import Path

import psutil
import pytest

from host.app import Session
from host.core.messages import Message
from host.events import ApiCall, CodeExecution, Defect, OperatorLog, SessionSummary, TurnOutcome, read_events
from host.launch import ScriptedModel, validate
from runtime_js import Compiler
from tests.helpers.runs import FINISH, MARKDOWN, SCRATCHPAD, run_agent

# Under every cap, no bracket to count, and esbuild needs many seconds for it.
ENDLESS = "export const f=" + "x=>" * 2000 + "1;"


@pytest.mark.slow
def test_a_program_that_esbuild_cannot_finish_ends_the_run(tmp_path: Path) -> None:
    with Compiler(timeout_s=1.0) as compiler:
        ran = run_agent(tmp_path / "record", [ENDLESS, FINISH], compiler=compiler)

    assert (ran.result.status, ran.result.exit_code, len(ran.prompts)) == ("internal_error", 1, 1)
    assert [(t.outcome, t.error, t.consecutive_errors) for t in ran.of(TurnOutcome)] == [("fatal", None, 0)]
    assert [(e.ok, e.outcome, e.error) for e in ran.of(CodeExecution)] == [(False, "defect", None)]
    assert ran.of(SessionSummary)[0].errors == 0
    (defect,) = ran.of(Defect)
    assert defect.kind == "compiler"
    assert defect.facts["compiler"] == "esbuild"
    assert defect.facts["inputSha256"] == hashlib.sha256(ENDLESS.encode()).hexdigest()
    assert (tmp_path / "record" / str(defect.facts["inputPath"])).read_text() == ENDLESS
    assert ran.result.error is not None
    assert "esbuild" in ran.result.error


@pytest.mark.slow
def test_a_code_half_that_esbuild_cannot_finish_refuses_the_call_and_ends_the_run(tmp_path: Path) -> None:
    write = f"""\
import {{ memories, views }} from "gg";
try {{
  memories.writeMemory({{ name: "a", description: "b", body: "c", code: {ENDLESS!r} }});
}} catch (error) {{
  views.openText("caught", String(error));
}}
"""
    with Compiler(timeout_s=1.0) as compiler:
        ran = run_agent(tmp_path / "record", [write, FINISH], compiler=compiler, memories=SCRATCHPAD)

    assert (ran.result.status, len(ran.prompts)) == ("internal_error", 1)
    assert [(c.code, c.message) for c in ran.of(ApiCall) if not c.ok] == [
        ("io-error", "memories.writeMemory could not be carried out.")
    ]
    assert [t.outcome for t in ran.of(TurnOutcome)] == ["fatal"]
    assert ran.result.memories == ()


@pytest.mark.slow
def test_a_code_half_that_esbuild_cannot_finish_refuses_the_read_that_loads_it(tmp_path: Path) -> None:
    create = f"""\
import {{ memories }} from "gg";
memories.createMemory({{ name: "a", description: "b", body: "never sent", code: {ENDLESS!r} }});
"""
    read = """\
import { memories, views } from "gg";
try { views.openText("body", memories.readMemory("a")); } catch (error) { console.log(String(error)); }
"""
    with Compiler(timeout_s=1.0) as compiler:
        ran = run_agent(tmp_path / "record", [create, read, FINISH], compiler=compiler, memories=MARKDOWN)

    assert (ran.result.status, len(ran.prompts)) == ("internal_error", 2)
    assert [(c.code, c.message) for c in ran.of(ApiCall) if not c.ok] == [
        ("io-error", "memories.readMemory could not be carried out.")
    ]
    assert [(t.outcome, t.error, t.consecutive_errors) for t in ran.of(TurnOutcome)] == [
        ("progressed", None, 0),
        ("fatal", None, 0),
    ]
    assert [defect.kind for defect in ran.of(Defect)] == ["compiler"]
    assert ran.of(SessionSummary)[0].errors == 0
    assert [log.text for log in ran.of(OperatorLog) if "never sent" in log.text] == []


@pytest.mark.parametrize("name", ["esbuild", "tsc"])
def test_a_compiler_killed_between_turns_is_replaced(name: str, tmp_path: Path) -> None:
    killed: list[int] = []
    others = children()

    def reply(messages: tuple[Message, ...], agent_id: str) -> str:
        if len(messages) == 2:
            return 'import { views } from "gg";\nviews.openText("a", "b");\n'
        for child in children() - others:
            if child.name() == name:
                child.kill()
                killed.append(child.pid)
        return FINISH

    with Compiler() as compiler:
        result = _run(tmp_path, reply, compiler)

    assert result == "completed"
    assert killed


def test_a_worker_killed_in_mid_program_is_a_defect(tmp_path: Path) -> None:
    others = children()

    def kill_worker() -> None:
        for child in children() - others:
            if "python" in child.name():
                child.kill()

    def reply(messages: tuple[Message, ...], agent_id: str) -> str:
        kill_timer.start()
        return "for (;;) {}\n"

    kill_timer = threading.Timer(0.5, kill_worker)
    with Compiler() as compiler:
        result = _run(tmp_path, reply, compiler)
    kill_timer.join()

    assert result == "internal_error"
    events = [stamped.event for stamped in read_events(tmp_path / "record" / "events.ndjson")]
    (defect,) = (event for event in events if isinstance(event, Defect))
    assert (defect.kind, defect.facts) == (
        "sandbox",
        {"exitStatus": -9, "stderrTail": "", "doing": "running a program"},
    )


def children() -> set[psutil.Process]:
    return set(psutil.Process().children(recursive=True))


def _run(tmp_path: Path, reply: object, compiler: Compiler) -> str:
    document = {
        "task": "Do it.",
        "root": "root",
        "limits": {"maxTurns": 5},
        "agents": [{"id": "root", "model": ScriptedModel(replies=reply)}],  # type: ignore[arg-type]
    }
    session = Session.create(validate(document, base=tmp_path), out=tmp_path / "record", compiler=compiler)
    return session.run().status
