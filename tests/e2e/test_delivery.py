"""`delivery: "tool"`: the program is the argument of a call that the model has to make."""

import json
from pathlib import Path

from host.app import Session
from host.events import CodeExecution, ModelReply, Prompt, RequestedCall, TurnOutcome, read_events
from host.launch import validate
from runtime_js import Compiler

SHOWS = 'import { views } from "gg";\nviews.openText("sum", String(1 + 1));\n'
FINISHES = 'import { session } from "gg";\nsession.finish("done");\n'


def submitted(program: str) -> dict[str, object]:
    return {"toolCalls": [{"name": "submit_program", "arguments": {"program": program}}]}


def test_a_run_whose_programs_are_submitted(tmp_path: Path, compiler: Compiler) -> None:
    replies = tmp_path / "replies"
    replies.mkdir()
    written = [
        {"text": "I start.", **submitted(SHOWS)},
        submitted("const a = 1;\nconst a: number = 2;\n"),
        {"text": FINISHES},
        {"toolCalls": [{"name": "submit_program", "arguments": "import {"}]},
        submitted(FINISHES),
    ]
    for number, reply in enumerate(written):
        (replies / f"{number}.json").write_text(json.dumps(reply))
    document = {
        "task": "Add.",
        "model": {"provider": "scripted", "replies": "replies"},
        "agents": [{"id": "root", "codeMode": {"delivery": "tool"}}],
    }
    out = tmp_path / "record"
    result = Session.create(validate(document, base=tmp_path), out=out, compiler=compiler).run()
    events = [stamped.event for stamped in read_events(out / "events.ndjson")]

    assert result.status == "completed"
    assert [(e.outcome, e.error_type) for e in events if isinstance(e, TurnOutcome)] == [
        ("progressed", None),
        ("error", "transpile_compile"),
        ("error", "missing_completion_no_program"),
        ("error", "missing_completion_no_program"),
        ("finished", None),
    ]
    assert len([e for e in events if isinstance(e, CodeExecution)]) == 3
    first = next(e for e in events if isinstance(e, ModelReply))
    arguments = json.dumps({"program": SHOWS})
    assert (first.text, first.tool_calls) == (
        "I start.",
        (RequestedCall(id="call_1_1", name="submit_program", arguments=arguments),),
    )
    told = [[(m.role, m.text, m.answers) for m in e.new_messages] for e in events if isinstance(e, Prompt)]
    assert told[1] == [
        ("assistant", "I start.", None),
        ("tool", "received", "call_1_1"),
        ("user", "View: sum\n----\n2", None),
    ]
    assert told[2][:2] == [("assistant", "", None), ("tool", "received", "call_2_1")]
    assert told[2][2][1].startswith("Compiler error\n----\nprogram.ts:1:7: error TS2451:")
    assert told[3] == [
        ("assistant", FINISHES, None),
        (
            "user",
            "Notice\n----\nThe reply did not call submit_program. There was no program, and nothing ran.",
            None,
        ),
    ]
    assert [role for role, _, _ in told[4]] == ["assistant", "tool"]
    assert told[4][1][1].startswith("submit_program: its arguments are no JSON")
