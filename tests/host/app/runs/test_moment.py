"""A run as it stood when a turn had ended."""

import pytest

from host.app import NotThere, moment_at, windows_at
from host.events import AgentSpawned, AgentSurface, Event, MemoryRevision, Prompt
from tests.host.app.runs.windows import breakdown, message, prompt, usage
from tests.host.events.runs import STARTED, first_turn, second_turn, stamp, whole_run
from tests.host.events.stores import PlainStore


def story() -> list[Event]:
    """Three turns: a memory written, revised and deleted."""
    store = PlainStore("store-1")
    surface = AgentSurface(execution_mode="tool_calling", operations=())
    events: list[Event] = [STARTED, AgentSpawned(profile="root"), surface, store.state()]
    acts = (lambda: store.write("a", "one"), lambda: store.write("a", "two"), lambda: store.delete("a"))
    for turn, act in enumerate(acts, start=1):
        store.turn = turn
        events += [Prompt(turn=turn, messages=0, new_messages=(), prompt_sha256="0"), *act()]
    return events


@pytest.mark.parametrize(("turn", "held"), [(1, {"a": "one"}), (2, {"a": "two"}), (3, {})])
def test_the_memories_are_as_they_were_then(turn: int, held: dict[str, str]) -> None:
    moment = moment_at(stamp(story()), turn)

    assert {name: memory.body for name, memory in moment.stores["store-1"].memories.items()} == held
    assert moment.stores["store-1"].history == ()


def test_what_belongs_to_the_turn_is_kept_and_nothing_else() -> None:
    moment = moment_at(stamp(story()), 2)

    assert [type(stamped.event) for stamped in moment.events] == [Prompt, MemoryRevision]
    assert [type(stamped.event) for stamped in moment.surfaces] == [AgentSurface]
    assert (moment.agent_id, [prompt.turn for prompt in moment.prompts]) == ("root", [2])
    assert [(turn.turn, len(turn.revisions)) for turn in moment.turns] == [(2, 1)]


def test_a_turn_is_shown_with_all_that_belongs_to_it() -> None:
    [turn] = moment_at(stamp(whole_run()), 1).turns

    assert turn.reply is not None
    assert turn.outcome is not None
    assert (turn.reply.text, turn.outcome.outcome, len(turn.failed_calls)) == (
        "throw new Error()",
        "error",
        2,
    )


TURNS = [
    (story(), 4, "there is no turn 4; the run has turns 1 to 3"),
    (
        [STARTED, AgentSpawned(profile="root"), *first_turn()],
        2,
        "there is no turn 2; the run has turn 1 alone",
    ),
    ([STARTED], 1, "there is no turn 1; the run has no turns"),
    ([], 1, "there is no turn 1; the run has no turns"),
]


@pytest.mark.parametrize(("events", "turn", "told"), TURNS)
def test_a_turn_that_is_not_there_names_those_that_are(events: list[Event], turn: int, told: str) -> None:
    with pytest.raises(NotThere) as exc_info:
        moment_at(stamp(events), turn)
    assert str(exc_info.value) == told


def test_of_a_turn_that_was_cut_off_there_is_what_was_recorded() -> None:
    cut = [STARTED, AgentSpawned(profile="root"), *first_turn(), *second_turn()[:2]]

    [turn] = moment_at(stamp(cut), 2).turns

    assert (turn.reply is not None, turn.outcome) == (True, None)


WINDOWS: list[Event] = [
    STARTED,
    AgentSpawned(profile="root"),
    prompt(1, 1, message("system", 4)),
    breakdown(1, {"system": (1, 1)}),
    usage(1),
    prompt(2, 2, message("task", 4)),
    breakdown(2, {"system": (1, 1), "task": (1, 1)}),
    usage(2),
    prompt(2, 3, message("notice", 4), purpose="summary"),
]


@pytest.mark.parametrize("agent_id", [None, "root"])
def test_the_requests_of_a_turn_are_all_that_it_made(agent_id: str | None) -> None:
    requests = windows_at(stamp(WINDOWS), 2, agent_id)

    assert [(each.turn, each.purpose, len(each.listed)) for each in requests] == [
        (2, "turn", 2),
        (2, "summary", 3),
    ]
    assert requests[0].new.messages == 1


def test_of_a_turn_that_is_not_there_there_are_no_requests() -> None:
    with pytest.raises(NotThere) as exc_info:
        windows_at(stamp(WINDOWS), 3)
    assert str(exc_info.value) == "there is no turn 3; the run has turns 1 to 2"
