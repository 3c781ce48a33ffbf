"""The events of a run of several agents: subagents, a fork, a successor, an issue; stores linked, copied."""

from datetime import timedelta

from host.events import (
    AgentEnded,
    AgentModule,
    AgentModules,
    AgentSpawned,
    AgentSurface,
    AgentTransition,
    Ending,
    Event,
    HandedModule,
    IssueState,
    ModelReply,
    Notice,
    Prompt,
    PromptMessage,
    SessionSummary,
    StampedEvent,
    TokenTotals,
    TurnOutcome,
    TurnTiming,
    Usage,
)
from tests.host.events.runs import STARTED, execution
from tests.host.events.samples import START, call
from tests.host.events.stores import PlainStore

Story = list[tuple[str, Event]]
"""Events with the agents that they are of, in order."""

SURFACE = AgentSurface(execution_mode="responses_as_code", operations=())


def stamp(story: Story) -> list[StampedEvent]:
    """A second apart, from 1."""
    return [
        StampedEvent(seq=n, at=START + timedelta(seconds=n), run="run-1", agent_id=agent_id, event=event)
        for n, (agent_id, event) in enumerate(story, start=1)
    ]


def begun(agent_id: str, module_id: str | None, origin: str = "created", **fields: object) -> Story:
    """An agent begins: `scope` and `writable` of its hold, the rest of what `agent_spawned` has."""
    scope, writable = fields.pop("scope", "isolated"), fields.pop("writable", True)
    profile = fields.pop("profile", agent_id.rpartition("-")[0] or agent_id)
    row = AgentModule.model_validate(
        {
            "kind": "memories",
            "module_id": module_id,
            "enabled": module_id is not None,
            "origin": origin if module_id else None,
            "writable": writable and module_id is not None,
            "scope": scope if module_id else None,
        }
    )
    spawned = AgentSpawned.model_validate({"profile": profile, **fields})
    return [(agent_id, spawned), (agent_id, AgentModules(modules=(row,))), (agent_id, SURFACE)]


def asks(agent_id: str, turn: int, program: str, *read: tuple[str, str]) -> Story:
    """The beginning of a turn: the prompt with what is read, and the reply."""
    messages = tuple(PromptMessage(role="user", band=band, text=text) for band, text in read)
    reply = ModelReply(
        turn=turn, text=program, finish_reason="stop", input_tokens=10, output_tokens=2, duration_ms=5.0
    )
    return [
        (agent_id, Prompt(turn=turn, messages=9, new_messages=messages, prompt_sha256="0")),
        (agent_id, reply),
    ]


def closes(agent_id: str, turn: int, *operations: str, finished: bool = False) -> Story:
    """The rest of a turn, in which the operations were called."""
    billed = Usage(turn=turn, input_tokens=10, output_tokens=2, total_input_tokens=0, total_output_tokens=0)
    outcome = TurnOutcome.model_validate(
        {
            "turn": turn,
            "outcome": "finished" if finished else "progressed",
            "consecutive_errors": 0,
            "turns": turn,
        }
    )
    timing = TurnTiming(turn=turn, prompt_ms=0.0, request_ms=5.0, response_ms=9.0, run_ms=4.0)
    path = f"programs/{agent_id}/{turn:04d}.ts"
    events: list[Event] = [
        *(call(turn, operation=operation) for operation in operations),
        execution(turn, source_path=path, api_calls=len(operations), finished=finished),
        billed,
        outcome,
        timing,
    ]
    return [(agent_id, event) for event in events]


def ended(agent_id: str, status: str = "completed", summary: str | None = None, **fields: object) -> Story:
    ending = Ending(kind="finish", summary=summary) if summary is not None else None
    return [(agent_id, AgentEnded.model_validate({"status": status, "ending": ending, **fields}))]


def handed(disposition: str, from_id: str | None, to_id: str | None) -> tuple[HandedModule, ...]:
    row = {"kind": "memories", "disposition": disposition, "from_id": from_id, "to_id": to_id}
    return (HandedModule.model_validate(row),)


def transition(agent_id: str, by: str, modules: tuple[HandedModule, ...], **fields: object) -> Story:
    """An agent is copied to `b`, or hands over to it."""
    event = {"turn": 1, "by": by, "to": "b", "profile": "b", "modules": modules, **fields}
    return [(agent_id, AgentTransition.model_validate(event))]


def issue(agent_id: str, status: str, **fields: object) -> Story:
    state = {"issue": "issue-1", "title": "Fix the parser", "status": status, **fields}
    return [(agent_id, IssueState.model_validate(state))]


def of(agent_id: str, *events: Event) -> Story:
    return [(agent_id, event) for event in events]


def team_summary(status: str = "completed", *, agents: int, turns: int) -> SessionSummary:
    return SessionSummary.model_validate(
        {
            "status": status,
            "exit_code": 0,
            "ending": Ending(kind="finish", summary="Two vendors."),
            "agents": agents,
            "turns": turns,
            "errors": 0,
            "usage": TokenTotals(input_tokens=10 * turns, output_tokens=2 * turns),
            "duration_s": 90.0,
        }
    )


def team_run() -> Story:
    """`planner` keeps notes that `scout` may write and `reader` may read; a copy of it goes on apart, and
    `writer` follows it and takes the notes over. `dev` works on an issue. Turns of agents are interleaved.
    """
    notes = PlainStore("memories-1", author="planner")
    ours = PlainStore("memories-2", author="scout-2")
    linked, reads = {"scope": "inherited"}, {"scope": "read-only", "writable": False}
    story = [
        *of("planner", STARTED),
        *begun("planner", "memories-1"),
        *of("planner", notes.state()),
        *asks("planner", 1, 'memories.createMemory({ name: "plan" });\ndelegation.spawnSubagent();'),
        *of("planner", *notes.write("plan", "Look at both vendors.", "What to do")),
        *begun(
            "scout",
            "memories-1",
            "inherited",
            spawner="planner",
            started_as="subagent",
            task="Look.",
            **linked,
        ),
        *of("scout", notes.state(**linked)),
        *begun(
            "scout-2", "memories-2", spawner="planner", started_as="subagent", task="Look\nas well.", **linked
        ),
        *of("scout-2", ours.state(**linked)),
        *asks("scout", 1, "let scout = 1;"),
        *asks("scout-2", 1, "let other = 1;"),
        *begun(
            "reader",
            "memories-1",
            "inherited",
            spawner="planner",
            started_as="subagent",
            task="Read.",
            **reads,
        ),
        *of("reader", notes.state(**reads)),
    ]
    notes.author = "scout"
    story += [
        *of("scout", notes.write("csv", "Quoted.", "The exports")[0], notes.state(**linked)),
        *of("scout-2", ours.write("own", "Mine.")[0], ours.state(**linked)),
        *closes("scout-2", 1, "memories.create_memory", finished=True),
        *ended("scout-2", summary="Nothing\nthere."),
        *of("reader", Notice(turn=1, kind="memories", text="Another agent sharing your memories …")),
        *asks("reader", 1, "let reader = 1;"),
        *of("reader", notes.state(**reads)),
        *closes("scout", 1, "memories.create_memory", finished=True),
        *ended("scout", summary="Quoted."),
        *closes("reader", 1, "memories.read_memory"),
        *ended("reader", "exhausted", error="maxTurns: 1, limit 1"),
        *of("planner", notes.state()),
        *closes("planner", 1, "memories.create_memory", "delegation.spawn_subagent", "delegation.fork"),
    ]
    return story + _second_half(notes)


def _second_half(notes: PlainStore) -> Story:
    """From the copy of `planner` on."""
    copy = notes.copy("memories-3")
    copy.author = "planner-2"
    forked = AgentTransition(
        turn=1,
        by="fork",
        to="planner-2",
        profile="planner",
        modules=handed("copied", "memories-1", "memories-3"),
    )
    follows = AgentTransition(
        turn=2,
        by="transition",
        to="writer",
        profile="writer",
        state="write",
        modules=handed("carried", "memories-1", "memories-1"),
    )
    story = [
        *of("planner", forked),
        *begun("planner-2", "memories-3", "forked", spawner="planner", started_as="fork"),
        *of("planner-2", copy.state()),
        *asks("planner-2", 1, "let copy = 1;"),
        *asks("planner", 2, "board.createIssue();"),
        *issue("planner", "open"),
        *begun("dev", None, started_as="implementer", issue="issue-1", task="Fix the parser\n\nIt fails."),
        *issue("dev", "implementing", worker="dev"),
        *of(
            "planner-2",
            copy.write("csv", "Not quoted.", "The exports")[0],
            copy.delete("plan")[0],
            copy.state(),
        ),
        *closes("planner-2", 1, "memories.update_memory", "memories.delete_memory", finished=True),
        *ended("planner-2", summary="Done."),
        *closes("planner", 2, "board.create_issue", "delegation.transition_state"),
        *of("planner", follows),
        *begun("writer", "memories-1", "transferred", spawner="planner", started_as="successor"),
        *of("writer", notes.state()),
        *ended("planner", successor="writer"),
        *asks("dev", 1, "let dev = 1;"),
        *asks("writer", 1, "memories.readMemory();", ("memories", "Memories\n----\n- `csv` — The exports")),
        *closes("dev", 1, "session.finish", finished=True),
        *issue("dev", "failed", worker="dev", summary="Fixed."),
        *ended("dev", summary="Fixed."),
    ]
    notes.author, notes.turn = "writer", 1
    return [
        *story,
        *of("writer", *notes.write("csv", "Quoted.\nAlways.", "The exports")),
        *closes(
            "writer", 1, "memories.read_memory", "memories.update_memory", "session.finish", finished=True
        ),
        *of("planner", team_summary(agents=7, turns=8)),
    ]
