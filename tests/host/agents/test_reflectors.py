"""What follows the end of the root: agents that nobody started, and what may break there."""

import pytest

from host.agents import Team
from host.events import RecordUnwritable
from host.turn import AgentEnd
from tests.host.agents.crew import Crew, Turn


def test_a_reflector_runs_when_all_others_have_ended() -> None:
    ended: list[tuple[str, AgentEnd | None]] = []
    begun: list[str] = []

    async def at_end(team: Team, end: AgentEnd) -> None:
        begun.extend(crew.orders)
        assert end.status == "completed"
        ended.append(await team.reflect("b", "Reflect."))
        ended.append(await team.reflect("b", "Again."))

    def root(turn: Turn) -> None:
        turn.spawn("a")
        turn.finish()

    crew = Crew({"root": root}, at_end=at_end)
    end = crew.run()

    assert end is not None
    assert (end.status, begun) == ("completed", ["root", "a"])
    assert [(id_, its.status if its else None) for id_, its in ended] == [
        ("b", "completed"),
        ("b-2", "completed"),
    ]
    order = crew.orders["b"]
    assert (order.started_as, order.place, order.spawner, order.task) == (
        "reflector",
        "reflector",
        None,
        "Reflect.",
    )
    assert [agent for agent, _ in crew.ends()] == ["a", "b", "b-2"]


def test_how_a_reflector_ends_is_not_how_the_root_has_ended() -> None:
    ended: list[tuple[str, AgentEnd | None]] = []

    async def at_end(team: Team, _: AgentEnd) -> None:
        ended.append(await team.reflect("b", "Reflect."))

    crew = Crew({"b": Turn.fail}, at_end=at_end, ceilings=Crew.turns(3))
    end = crew.run()

    assert end is not None
    assert end.status == "completed"
    [(id_, its)] = ended
    assert (id_, its.status if its else None) == ("b", "exhausted")


def test_one_that_cannot_begin_is_a_defect() -> None:
    ended: list[tuple[str, AgentEnd | None]] = []

    async def at_end(team: Team, _: AgentEnd) -> None:
        ended.append(await team.reflect("b", "Reflect."))

    crew = Crew(at_end=at_end, fails_to_build=frozenset({"b"}))
    crew.run()

    assert ended == [("b", None)]
    assert [defect.detail for defect in crew.defects] == ["b cannot be built"]


def test_what_breaks_there_is_a_defect() -> None:
    async def at_end(team: Team, _: AgentEnd) -> None:
        raise LookupError("nothing there")

    crew = Crew(at_end=at_end)
    end = crew.run()

    assert end is not None
    assert [(defect.kind, defect.detail) for defect in crew.defects] == [
        ("agents", "what follows the end of the root raised LookupError('nothing there')")
    ]


def test_a_record_that_cannot_be_written_ends_it() -> None:
    async def at_end(team: Team, _: AgentEnd) -> None:
        await team.reflect("b", "Reflect.")

    crew = Crew(at_end=at_end, unwritable="agent_ended")

    with pytest.raises(BaseExceptionGroup) as raised:
        crew.run()
    assert raised.group_contains(RecordUnwritable)


def test_without_a_root_nothing_follows() -> None:
    async def at_end(team: Team, _: AgentEnd) -> None:
        raise AssertionError("there was no root")

    crew = Crew(at_end=at_end, fails_to_build=frozenset({"root"}))

    assert crew.run() is None
    assert len(crew.defects) == 1
