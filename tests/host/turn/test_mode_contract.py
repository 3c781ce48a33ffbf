"""What holds of every mode: programs as the reply, programs as an argument, and calls of tools.

A mode decides how a reply becomes calls. Endings, effects, refusals, events, ceilings and the shape of
prompts are the same whichever way a model writes.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any, Literal

import pytest

from host.core.messages import Message, Reply
from host.events import (
    ApiCall,
    Event,
    LimitExceeded,
    MemoryRead,
    MemoryRefusal,
    MemoryRevision,
    MemoryState,
    OperatorLog,
    RecordReader,
    TurnOutcome,
    verify_record,
)
from host.turn import Ending
from runtime_js import Compiler
from tests.helpers.runs import MARKDOWN, SCRATCHPAD, Ran, calls, run_agent

IMPORTS = 'import { files, memories, session } from "gg";\n'


@dataclass(frozen=True)
class Act:
    """One call: as a statement of a program, and as a call of a tool."""

    statement: str
    tool: str
    arguments: Mapping[str, Any]


def write(name: str, body: str = "b") -> Act:
    memory = {"name": name, "description": f"About {name}.", "body": body}
    return Act(f"memories.writeMemory({json.dumps(memory)});", "write_memory", memory)


def update(name: str, body: str) -> Act:
    memory = {"name": name, "description": f"Again {name}.", "body": body}
    return Act(f"memories.updateMemory({json.dumps(memory)});", "update_memory", memory)


def delete(name: str) -> Act:
    return Act(f"memories.deleteMemory({json.dumps(name)});", "delete_memory", {"name": name})


def create(name: str, body: str) -> Act:
    memory = {"name": name, "description": f"About {name}."}
    statement = f"memories.createMemory({json.dumps({**memory, 'body': body})});"
    return Act(statement, "create_memory", {**memory, "contents": body})


def edit(name: str, old: str, new: str) -> Act:
    statement = f"memories.editMemory({json.dumps({'name': name, 'search': old, 'replace': new})});"
    return Act(statement, "edit_memory", {"name": name, "old_string": old, "new_string": new})


def read(name: str) -> Act:
    return Act(f"memories.readMemory({json.dumps(name)});", "read_memory", {"name": name})


def finish(summary: str) -> Act:
    return Act(f"session.finish({json.dumps(summary)});", "finish", {"summary": summary})


def tried(act: Act) -> Act:
    """The same call, whose failure a program catches. One that calls tools has nothing to catch."""
    return Act(f"try {{ {act.statement} }} catch {{}}", act.tool, act.arguments)


@dataclass(frozen=True)
class Way:
    """One way in which a model writes its replies. `mistake` is one in which nothing can be carried out."""

    execution: Literal["responses_as_code", "tool_calling"]
    delivery: Literal["reply", "tool"] = "reply"

    def reply(self, *acts: Act) -> str | Reply:
        if self.execution == "tool_calling":
            return calls(*((act.tool, act.arguments) for act in acts))
        program = IMPORTS + "\n".join(act.statement for act in acts)
        return calls(("submit_program", {"program": program})) if self.delivery == "tool" else program

    @property
    def mistake(self) -> str | Reply:
        return "const = 5;" if self == Way("responses_as_code") else Reply(text="Hm.")

    def run(
        self,
        out: Path,
        compiler: Compiler,
        *replies: str | Reply,
        memories: Mapping[str, Any] = SCRATCHPAD,
        files: Mapping[str, Any] | None = None,
        limits: Mapping[str, Any] | None = None,
    ) -> Ran:
        return run_agent(
            out,
            replies,
            compiler=compiler,
            execution=self.execution,
            code_mode={"delivery": self.delivery} if self.execution == "responses_as_code" else None,
            memories=memories,
            files=files,
            limits=limits,
        )


WAYS = {
    "reply": Way("responses_as_code"),
    "submitted": Way("responses_as_code", "tool"),
    "tools": Way("tool_calling"),
}


@pytest.fixture(params=WAYS.values(), ids=WAYS.keys())
def way(request: pytest.FixtureRequest) -> Way:
    chosen: Way = request.param
    return chosen


def outcomes(ran: Ran) -> list[str]:
    return [outcome.outcome for outcome in ran.of(TurnOutcome)]


def test_an_ending_ends_the_session(way: Way, tmp_path: Path, compiler: Compiler) -> None:
    ran = way.run(tmp_path / "r", compiler, way.reply(write("a"), finish(" All done. ")), "never asked for")

    assert (ran.result.status, ran.result.ending) == ("completed", Ending("finish", "All done."))
    assert outcomes(ran) == ["finished"]


def test_the_latest_ending_counts(way: Way, tmp_path: Path, compiler: Compiler) -> None:
    ran = way.run(tmp_path / "r", compiler, way.reply(finish("one"), finish("two")))

    assert ran.result.ending == Ending("finish", "two")
    assert [log.text for log in ran.of(OperatorLog)] == [
        "the ending was declared again; the latest counts: two"
    ]


def test_a_failure_revokes_the_ending_and_the_session_goes_on(
    way: Way, tmp_path: Path, compiler: Compiler
) -> None:
    ran = way.run(
        tmp_path / "r", compiler, way.reply(finish("too soon"), delete("no")), way.reply(finish("now"))
    )

    assert (ran.result.status, ran.result.ending) == ("completed", Ending("finish", "now"))
    (note,) = [log.text for log in ran.of(OperatorLog)]
    assert note.startswith("the ending was revoked: ")
    assert len(ran.prompts) == 2


def test_an_ending_that_fails_ends_nothing(way: Way, tmp_path: Path, compiler: Compiler) -> None:
    ran = way.run(tmp_path / "r", compiler, way.reply(tried(finish(" "))), way.reply(finish("now")))

    assert ran.result.ending == Ending("finish", "now")
    assert outcomes(ran) == ["progressed", "finished"]


def test_a_failed_call_within_a_reply_is_no_error_turn(way: Way, tmp_path: Path, compiler: Compiler) -> None:
    acts = (tried(delete("no")), tried(delete("no")), write("a"))
    ran = way.run(tmp_path / "r", compiler, way.reply(*acts), limits={"maxTurns": 1})

    assert outcomes(ran) == ["progressed"]
    assert [(call.operation, call.code) for call in ran.of(ApiCall)] == [
        ("memories.delete_memory", "not-found"),
        ("memories.delete_memory", "not-found"),
        ("memories.write_memory", None),
    ]


def test_what_a_call_did_stands_whatever_fails_later(way: Way, tmp_path: Path, compiler: Compiler) -> None:
    ran = way.run(tmp_path / "r", compiler, way.reply(write("a"), delete("no")), way.mistake)

    assert [memory.name for memory in ran.result.memories] == ["a"]
    assert "memory_revision" in [stamped.event.type for stamped in ran.events]


MEMORY_STORIES = {
    "scratchpad": (
        SCRATCHPAD,
        [
            [write("a", "one"), write("b", "two"), tried(write("a", "again"))],
            [update("a", "longer than before"), tried(update("c", "none")), tried(write("x y", "slug"))],
            [delete("b"), tried(delete("b")), write("b", "back")],
            [tried(write("long", "x" * 200)), tried(write("d", " "))],
            [finish("done")],
        ],
    ),
    "markdown": (
        MARKDOWN,
        [
            [create("a", "one two"), create("b", "three"), tried(create("a", "again"))],
            [read("a"), tried(read("none")), edit("a", "one", "1"), tried(edit("a", "one", "1"))],
            [delete("b"), tried(edit("b", "t", "")), read("a")],
            [finish("done")],
        ],
    ),
}


def of_memories(ran: Ran) -> Iterator[tuple[str, dict[str, Any]]]:
    """What the events say of the memories; how a refusal spells a call is the mode's own."""
    for stamped in ran.events:
        event: Event = stamped.event
        if isinstance(event, MemoryRevision | MemoryState | MemoryRead):
            yield event.type, event.model_dump()
        elif isinstance(event, MemoryRefusal):
            yield event.type, event.model_dump(exclude={"message"})


@pytest.mark.parametrize(("memories", "story"), MEMORY_STORIES.values(), ids=MEMORY_STORIES.keys())
def test_the_same_acts_leave_the_same_events_of_memories(
    memories: dict[str, Any], story: list[list[Act]], tmp_path: Path, compiler: Compiler
) -> None:
    limited = {**memories, "params": {**memories["params"], "maxLenPerMemory": 100}}
    told, held = [], []
    for name, way in WAYS.items():
        replies = [way.reply(*acts) for acts in story]
        ran = way.run(tmp_path / name, compiler, *replies, memories=limited)
        assert ran.result.status == "completed"
        told.append(list(of_memories(ran)))
        held.append(ran.result.memories)

    assert {kind for kind, _ in told[0]} >= {"memory_revision", "memory_state", "memory_refusal"}
    assert told[1:] == [told[0], told[0]]
    assert held[1:] == [held[0], held[0]]


def test_each_refusal_is_recorded_once_with_its_call(way: Way, tmp_path: Path, compiler: Compiler) -> None:
    acts = (write("a"), tried(write("a")), tried(delete("no")), tried(write("")))
    ran = way.run(tmp_path / "r", compiler, way.reply(*acts), limits={"maxTurns": 1})

    refused = [call for call in ran.of(ApiCall) if not call.ok]
    assert [(event.call, event.code, event.message) for event in ran.of(MemoryRefusal)] == [
        (call.operation, call.code, call.message) for call in refused
    ]
    assert [event.name for event in ran.of(MemoryRefusal)] == ["a", "no", ""]


def test_error_turns_in_a_row_reach_their_ceiling(way: Way, tmp_path: Path, compiler: Compiler) -> None:
    failed = way.reply(tried(delete("no")))
    replies = (way.mistake, failed, way.mistake, way.mistake, "never asked for")
    ran = way.run(tmp_path / "r", compiler, *replies, limits={"maxConsecutiveErrors": 2})

    assert ran.result.status == "limit_exceeded"
    assert outcomes(ran) == ["error", "progressed", "error", "error"]
    assert ran.of(LimitExceeded) == [
        LimitExceeded(limit="maxConsecutiveErrors", threshold=2, observed=2, turns=4)
    ]


def test_the_share_of_error_turns_reaches_its_ceiling(way: Way, tmp_path: Path, compiler: Compiler) -> None:
    limits = {"maxErrorRate": 0.5, "errorRateWindow": 3}
    replies = (way.mistake, way.reply(write("a")), way.mistake, "never asked for")
    ran = way.run(tmp_path / "r", compiler, *replies, limits=limits)

    assert (ran.result.status, outcomes(ran)) == ("limit_exceeded", ["error", "progressed", "error"])


def test_a_reply_that_was_cut_off_leaves_nothing(way: Way, tmp_path: Path, compiler: Compiler) -> None:
    whole = way.reply(write("a"), finish("done"))
    cut = Reply(text=whole, finish_reason="length") if isinstance(whole, str) else None
    cut = cut or Reply(tool_calls=whole.tool_calls, finish_reason="length")  # type: ignore[union-attr]
    ran = way.run(tmp_path / "r", compiler, cut, way.reply(finish("again")))

    assert ran.prompts[0] == ran.prompts[1]
    assert (ran.result.ending, ran.result.memories) == (Ending("finish", "again"), ())
    assert [outcome.error_type for outcome in ran.of(TurnOutcome)] == ["model_length_capped", None]


def on_the_wire(messages: tuple[Message, ...]) -> bytes:
    """A request as a provider would write it, message after message."""
    return b"".join(json.dumps(asdict(message), default=bytes.hex).encode() + b"\n" for message in messages)


def test_each_request_begins_with_the_bytes_of_the_one_before(
    way: Way, tmp_path: Path, compiler: Compiler
) -> None:
    picture = tmp_path / "files" / "dot.png"
    picture.parent.mkdir()
    picture.write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(64))
    look = Act('files.readFile("dot.png");', "read_file", {"path": "dot.png"})
    replies = (
        way.reply(write("a"), write("b", "\u202e\U0001f600 é")),
        way.reply(tried(write("a")), update("a", "more")),
        way.mistake,
        way.reply(finish("too soon"), delete("no")),
        Reply(finish_reason="length"),
        way.reply(look),
        way.reply(delete("b"), finish("done")),
    )
    ran = way.run(tmp_path / "r", compiler, *replies, files={"params": {"dir": "files"}})

    assert ran.result.status == "completed"
    assert len(ran.prompts) == 7
    requests = [on_the_wire(prompt) for prompt in ran.prompts]
    assert all(later.startswith(earlier) for earlier, later in pairwise(requests))
    assert [earlier == later for earlier, later in pairwise(requests)] == [False] * 4 + [True, False]


def test_a_record_is_right_whichever_way_it_came_to_be(way: Way, tmp_path: Path, compiler: Compiler) -> None:
    acts = way.reply(write("a"), tried(write("a"))), way.mistake, way.reply(delete("a"), finish("done"))
    way.run(tmp_path / "r", compiler, *acts)

    assert [check.name for check in verify_record(RecordReader(tmp_path / "r")) if not check.ok] == []
