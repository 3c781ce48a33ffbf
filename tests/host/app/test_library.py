"""gg as a library: the same run from Python objects, blocking, awaited, and as a stream of events."""

import asyncio
import json
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import anyio.lowlevel
import psutil
import pytest

import host
from host import (
    Agent,
    ApprovalRequest,
    HostError,
    LaunchRefused,
    Message,
    ProviderError,
    Reply,
    Run,
    RunResult,
    StampedEvent,
    ToolCall,
    Usage,
    scripted,
)

FINISH = 'import { session } from "gg";\nsession.finish("done");\n'
SHOW = 'import { views } from "gg";\nviews.openText("a", "b");\n'
MEMORIES = {
    "implementation": "scratchpad",
    "params": {
        "scope": "isolated",
        "maxCount": 2,
        "maxLenPerMemory": 0,
        "maxTotalLen": 0,
        "maxLenIndex": 0,
        "maxLenDescription": 0,
        "maxResults": 0,
    },
}


def run_of(*replies: str | Reply, out: Path, **agent: object) -> Run:
    return Run("Do it.", [Agent(id="root", model=scripted(list(replies)), **agent)], out=out)  # type: ignore[arg-type]


async def approve_later(request: ApprovalRequest) -> bool:
    return True


@pytest.mark.parametrize("approve", [approve_later, "yes", True])
def test_what_cannot_be_asked_at_once_is_refused(approve: Any, tmp_path: Path) -> None:  # noqa: ANN401
    with pytest.raises(TypeError, match=r"^approve is a plain function of an ApprovalRequest, and this is "):
        Run("Do it.", [Agent(id="root", model=scripted([FINISH]))], out=tmp_path / "r", approve=approve)


def test_execute_gives_status_ending_memories_usage_and_record(tmp_path: Path) -> None:
    write = (
        'import { memories } from "gg";\nmemories.writeMemory({ name: "a", description: "b", body: "c" });\n'
    )
    run = run_of(
        Reply(text=write, usage=Usage(input_tokens=10, output_tokens=2)),
        Reply(text=FINISH, usage=Usage(input_tokens=20, output_tokens=3)),
        out=tmp_path / "record",
        memories=MEMORIES,
    )

    result = run.execute()

    assert (result.status, result.exit_code, result.error) == ("completed", 0, None)
    assert result.ending is not None
    assert (result.ending.kind, result.ending.summary) == ("finish", "done")
    assert [(m.name, m.description, m.body) for m in result.memories] == [("a", "b", "c")]
    assert result.usage == Usage(input_tokens=30, output_tokens=5)
    assert result.record == tmp_path / "record"
    assert (result.record / "events.ndjson").exists()
    assert run.result is result


def test_execute_inside_a_running_loop_names_execute_async(tmp_path: Path) -> None:
    run = run_of(FINISH, out=tmp_path / "record")

    async def inside() -> RunResult:
        with pytest.raises(RuntimeError, match=r"await execute_async\(\)"):
            run.execute()
        return await run.execute_async()

    assert asyncio.run(inside()).status == "completed"


def test_stream_gives_every_event_in_order_and_then_the_result(tmp_path: Path) -> None:
    run = run_of(SHOW, FINISH, out=tmp_path / "record")

    async def collect() -> list[StampedEvent]:
        return [event async for event in run.stream()]

    events = asyncio.run(collect())

    assert [event.seq for event in events] == list(range(1, len(events) + 1))
    assert events[0].event.type == "session_started"
    assert events[-1].event.type == "session_summary"
    assert run.result.status == "completed"


def test_leaving_the_stream_cancels_the_run_at_its_next_boundary(tmp_path: Path) -> None:
    run = run_of(*[SHOW] * 500, out=tmp_path / "record")

    async def leave_early() -> None:
        stream = run.stream()
        async for event in stream:
            if event.event.type == "turn_outcome":
                break
        await stream.aclose()  # type: ignore[attr-defined]

    asyncio.run(leave_early())

    assert run.result.status == "canceled"
    assert run.result.exit_code == 0


def test_a_run_that_is_canceled_as_it_begins_leaves_nothing_behind(tmp_path: Path) -> None:
    run = run_of(FINISH, out=tmp_path / "record")

    async def cancel_early() -> None:
        task = asyncio.create_task(run.execute_async())
        while not psutil.Process().children():  # until a worker is being started for it
            await anyio.lowlevel.checkpoint()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(cancel_early())
    for thread in threading.enumerate():
        if thread is not threading.main_thread() and not thread.daemon:
            thread.join()

    assert psutil.Process().children() == []
    with pytest.raises(RuntimeError, match="has not ended"):
        _ = run.result


def test_a_run_is_executed_once(tmp_path: Path) -> None:
    run = run_of(FINISH, out=tmp_path / "record")
    run.execute()

    with pytest.raises(RuntimeError, match="executed once"):
        run.execute()


def test_a_result_before_the_end_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(RuntimeError, match="has not ended"):
        _ = run_of(FINISH, out=tmp_path / "record").result


def sync_reply(messages: tuple[Message, ...], agent_id: str) -> str:
    return FINISH.replace("done", f"{agent_id} read {len(messages)}")


async def async_reply(messages: tuple[Message, ...], agent_id: str) -> Reply:
    return Reply(text=sync_reply(messages, agent_id))


@pytest.mark.parametrize("function", [sync_reply, async_reply])
def test_a_python_function_is_a_model(function: Callable[..., object], tmp_path: Path) -> None:
    result = Run("x", [Agent(id="a", model=scripted(function))], out=tmp_path / "r").execute()  # type: ignore[arg-type]

    assert result.ending is not None
    assert result.ending.summary == "a read 2"


def test_a_failing_provider_ends_the_run(tmp_path: Path) -> None:
    def reply(messages: tuple[Message, ...], agent_id: str) -> str:
        raise ProviderError("no credit")

    result = Run("x", [Agent(id="a", model=scripted(reply))], out=tmp_path / "r").execute()

    assert (result.status, result.exit_code, result.error) == ("model_error", 1, "no credit")


def test_used_up_replies_end_the_run(tmp_path: Path) -> None:
    result = run_of(SHOW, out=tmp_path / "record").execute()

    assert (result.status, result.error) == ("model_error", "scripted replies used up after 1")


@pytest.mark.parametrize("raised", [KeyboardInterrupt, SystemExit])
def test_what_is_meant_to_end_the_process_is_raised_as_itself(
    raised: type[BaseException], tmp_path: Path
) -> None:
    def reply(messages: tuple[Message, ...], agent_id: str) -> str:
        raise raised

    with pytest.raises(raised):
        Run("x", [Agent(id="a", model=scripted(reply))], out=tmp_path / "r").execute()


AGENT = Agent(id="a", model=scripted([FINISH]))


@pytest.mark.parametrize("agents", [AGENT, None, "root", [AGENT, "root"], [{"id": "a"}]])
def test_what_is_no_list_of_agents_is_refused(agents: object) -> None:
    with pytest.raises(TypeError, match="agents is a list of Agent objects, and this is "):
        Run("x", agents)  # type: ignore[arg-type]


def test_every_defect_is_told_at_once(tmp_path: Path) -> None:
    with pytest.raises(LaunchRefused) as refused:
        Run(
            "",
            [Agent(id="a b", model=scripted([FINISH]), memories={**MEMORIES, "implementation": "scratch"})],
            limits={"maxTurn": 3},
        )

    assert [defect.place for defect in refused.value.defects] == [
        "task",
        "limits.maxTurn",
        "agents[0].id",
        "agents[0].capabilities[0].implementation",
    ]
    assert str(refused.value).split("\n")[:6] == [
        "the configuration cannot be run: 4 defects",
        "task: needs text that is not empty",
        '    found  ""',
        'limits.maxTurn: unknown key; did you mean "maxTurns"?',
        "    found  3",
        "    known  maxTurns, maxRuntimeSecs, maxConsecutiveErrors, maxErrorRate, errorRateWindow, maxCost",
    ]


def test_further_capabilities_are_given_as_a_configuration_writes_them(tmp_path: Path) -> None:
    program = 'import { programs, session } from "gg";\nsession.finish(String(programs.history().length));\n'
    run = run_of(SHOW, program, out=tmp_path / "r", capabilities=[{"id": "program-library"}])

    result = run.execute()
    assert result.ending is not None
    assert result.ending.summary == "1"


def test_an_agent_writes_the_document_of_a_configuration() -> None:
    model = scripted(["x"], context_window_tokens=8000)
    agent = Agent(
        id="a",
        model=model,
        execution="tool_calling",
        memories={**MEMORIES, "features": {"reviseMemories": False}},
        files={"params": {"dir": Path("w")}},
        compaction={"implementation": "summary"},
        records={"params": {"topK": 3}},
        skillbook={"params": {"book": Path("b.json")}},
        capabilities=[{"id": "program-library", "enabled": False}],
    )

    assert agent.document() == {
        "id": "a",
        "model": model,
        "prompt": "",
        "execution": "tool_calling",
        "capabilities": [
            {"id": "memories", "enabled": True, **MEMORIES, "features": {"reviseMemories": False}},
            {"id": "files", "enabled": True, "params": {"dir": "w"}},
            {"id": "compaction", "enabled": True, "implementation": "summary"},
            {"id": "records", "enabled": True, "params": {"topK": 3}},
            {"id": "skillbook", "enabled": True, "params": {"book": "b.json"}},
            {"id": "program-library", "enabled": False},
        ],
    }
    assert model.context_window_tokens == 8000


def test_several_agents_write_the_document_of_a_configuration(tmp_path: Path) -> None:
    roster = [{"agent": "reader", "as": "subagent"}]
    states = {"plan": {"agent": "lead", "to": {"do": {"transfer": ["memories"]}}}, "do": {"agent": "reader"}}
    board = {"implementer": "reader", "reviewer": "lead", "merge": "lead"}
    lead = Agent(id="lead", model=scripted([FINISH]), memories=MEMORIES, delegates=True, roster=roster)
    reader = Agent(id="reader", model=scripted(["x"]))

    run = Run(
        "Do it.",
        [reader, lead],
        root="lead",
        states=states,
        board=board,
        max_parallel=2,
        out=tmp_path / "r",
    )

    assert run.execute().status == "completed"
    assert json.loads((tmp_path / "r" / "run.json").read_text())["config"] == {
        "task": "Do it.",
        "root": "lead",
        "maxParallel": 2,
        "agents": [
            {
                "id": "reader",
                "model": {"provider": "scripted", "replies": ["x"]},
                "prompt": "",
                "execution": "responses_as_code",
                "capabilities": [],
            },
            {
                "id": "lead",
                "model": {"provider": "scripted", "replies": [FINISH]},
                "prompt": "",
                "execution": "responses_as_code",
                "roster": roster,
                "capabilities": [
                    {"id": "memories", "enabled": True, **MEMORIES},
                    {"id": "delegation", "enabled": True},
                ],
            },
        ],
        "states": states,
        "board": board,
    }


TWICE = """
import { delegation, session } from "gg";
const ids = [1, 2].map(() => delegation.spawnSubagent({ agent: "reader", prompt: "Read." }).id);
session.finish(delegation.waitForSubagents(ids).map((end) => `${end.id} ${end.summary}`).join("; "));
"""


def finish_as(messages: tuple[Message, ...], agent_id: str) -> str:
    return FINISH.replace("done", f"as {agent_id}")


@pytest.mark.parametrize(
    ("replies", "summary"),
    [([FINISH], "reader done; reader-2 done"), (finish_as, "reader as reader; reader-2 as reader-2")],
    ids=["list", "function"],
)
def test_each_instance_starts_at_the_first_reply_and_a_function_is_told_which_one_asks(
    replies: list[str] | Callable[..., str], summary: str, tmp_path: Path
) -> None:
    roster = [{"agent": "reader", "as": "subagent"}]
    lead = Agent(id="lead", model=scripted([TWICE]), delegates=True, roster=roster)

    result = Run("Do it.", [lead, Agent(id="reader", model=scripted(replies))], out=tmp_path / "r").execute()

    assert (result.status, result.ending and result.ending.summary) == ("completed", summary)


def test_stream_says_of_each_event_which_agent_it_is_of(tmp_path: Path) -> None:
    roster = [{"agent": "reader", "as": "subagent"}]
    lead = Agent(id="lead", model=scripted([TWICE]), delegates=True, roster=roster)
    run = Run("Do it.", [lead, Agent(id="reader", model=scripted([FINISH]))], out=tmp_path / "r")

    async def collect() -> list[StampedEvent]:
        return [event async for event in run.stream()]

    events = asyncio.run(collect())

    began = [event.agent_id for event in events if event.event.type == "agent_spawned"]
    assert began == ["lead", "reader", "reader-2"]
    ended = {event.agent_id for event in events if event.event.type == "agent_ended"}
    assert (ended, events[-1].agent_id) == ({"reader", "reader-2"}, "lead")
    assert [event.seq for event in events] == list(range(1, len(events) + 1))


def test_what_is_wrong_between_agents_is_told_when_the_run_is_made() -> None:
    inherited = {**MEMORIES, "params": {**MEMORIES["params"], "scope": "inherited"}}  # type: ignore[dict-item]
    reader = Agent(id="reader", model=scripted(["x"]), memories={**inherited, "implementation": "markdown"})
    roster = [{"agent": "reader", "as": "subagent"}, {"agent": "writer", "as": "subagent"}]
    lead = Agent(id="lead", model=scripted(["x"]), memories=MEMORIES, delegates=True, roster=roster)

    with pytest.raises(LaunchRefused) as refused:
        Run("Do it.", [lead, reader], board={"implementer": "lead"}, max_parallel=0)

    assert [(defect.agent, defect.place) for defect in refused.value.defects] == [
        (None, "maxParallel"),
        ("lead", "agents[0].roster[1].agent"),
        ("reader", "agents[1].capabilities[0].implementation"),
        (None, "board.reviewer"),
        (None, "board.merge"),
    ]


def test_an_agent_may_call_tools_and_have_its_window_compacted(tmp_path: Path) -> None:
    finish = Reply(tool_calls=(ToolCall(id="a", name="finish", arguments='{"summary": "done"}'),))
    agent = Agent(
        id="root",
        model=scripted([finish], context_window_tokens=8000),
        execution="tool_calling",
        memories={**MEMORIES, "implementation": "keyword-search"},
        compaction={"implementation": "memory-compaction"},
    )

    result = Run("Do it.", [agent], out=tmp_path / "r").execute()

    assert (result.status, result.ending and result.ending.summary) == ("completed", "done")
    document = json.loads((tmp_path / "r" / "run.json").read_text())["config"]
    assert document["agents"][0]["execution"] == "tool_calling"
    assert document["agents"][0]["model"]["contextWindow"] == 8000


def test_a_program_may_be_submitted_by_a_call(tmp_path: Path) -> None:
    call = ToolCall(id="a", name="submit_program", arguments=json.dumps({"program": FINISH}))
    run = run_of(Reply(tool_calls=(call,)), out=tmp_path / "r", code_mode={"delivery": "tool"})

    assert run.execute().status == "completed"
    document = json.loads((tmp_path / "r" / "run.json").read_text())["config"]
    assert document["agents"][0]["model"]["replies"][0]["toolCalls"] == [
        {"name": "submit_program", "arguments": json.dumps({"program": FINISH})}
    ]


def test_a_human_model_needs_somebody_to_ask(tmp_path: Path) -> None:
    run = Run("Do it.", [Agent(id="root", model={"provider": "human"})], out=tmp_path / "r")

    with pytest.raises(HostError, match=r"^agent root has a human model, and nobody is there to be asked; "):
        run.execute()
    assert not (tmp_path / "r").exists()


def test_the_public_names_are_few_and_documented() -> None:
    assert host.__all__ == sorted(host.__all__)
    assert [name for name in host.__all__ if not getattr(host, name).__doc__] == []
    page = (Path(__file__).parents[3] / "docs" / "library.md").read_text()
    assert [name for name in host.__all__ if f"`{name}`" not in page] == []


def test_a_directory_may_be_a_path(tmp_path: Path) -> None:
    (tmp_path / "w").mkdir()
    (tmp_path / "w" / "a.txt").write_text("read")
    program = FINISH.replace("import { session }", "import { files, session }").replace(
        '"done"', 'files.readTextFile("a.txt")'
    )

    result = run_of(program, out=tmp_path / "record", files={"params": {"dir": tmp_path / "w"}}).execute()

    assert result.ending is not None
    assert result.ending.summary == "read"
