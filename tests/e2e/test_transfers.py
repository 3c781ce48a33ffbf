"""What becomes of memories where one agent hands over to another, and what the successor is told of it."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import pytest

from host.events import AgentTransition, HandedModule, Notice
from runtime_js import Compiler
from tests.helpers.acts import Act, creates, enters, execs, finishes, spawns, waits, writes
from tests.helpers.memory_turns import EXECUTIONS, Execution
from tests.helpers.teams import Script, TeamRan, failed_checks, memories, run_team, starts, stores

STARTS_EMPTY: Final = (
    "Your memories start empty. Those of the agent before you are organized as `markdown` and yours as `{}`,"
    " so they could not be handed over."
)
OF_THE_PROFILE: Final = (
    "Your memories are the ones that all agents of `next` share. Those of the agent before you were not"
    " handed over."
)
FIRST, SECOND = "memories-1", "memories-2"


@dataclass(frozen=True)
class Handed:
    """What a successor comes to hold. `before` is the scope of the agent before it, under markdown."""

    holds: dict[str, Any] | None
    disposition: str
    to_id: str | None
    origin: str | None
    told: str | None = None
    before: str | None = "isolated"
    writable: bool = True


# By either way, with memories in the list of the transition.
CASES: Final = {
    "carried": Handed(memories("isolated"), "carried", FIRST, "transferred"),
    "carried to be read": Handed(memories("read-only"), "carried", FIRST, "transferred", writable=False),
    "carried out of a profile's": Handed(
        memories("inherited"), "carried", FIRST, "transferred", before="shared"
    ),
    "none are kept": Handed(None, "dropped", None, None, writable=False),
    "as a scratchpad": Handed(
        memories("isolated", "scratchpad"),
        "initialized",
        SECOND,
        "created",
        STARTS_EMPTY.format("scratchpad"),
    ),
    "by a search": Handed(
        memories("inherited", "keyword-search"),
        "initialized",
        SECOND,
        "created",
        STARTS_EMPTY.format("keyword-search"),
    ),
    "as a scratchpad to be read": Handed(
        memories("read-only", "scratchpad"),
        "initialized",
        SECOND,
        "created",
        STARTS_EMPTY.format("scratchpad"),
    ),
    "its profile's own": Handed(memories("shared"), "initialized", SECOND, "profile", OF_THE_PROFILE),
    "its profile's own as a scratchpad": Handed(
        memories("shared", "scratchpad"), "initialized", SECOND, "profile", OF_THE_PROFILE
    ),
    "none were kept": Handed(memories("isolated"), "initialized", FIRST, "created", before=None),
    "none were kept to be read": Handed(memories("read-only"), "initialized", FIRST, "created", before=None),
    "none on either side": Handed(None, "absent", None, None, before=None, writable=False),
}


@pytest.mark.parametrize("execution", EXECUTIONS)
@pytest.mark.parametrize("by", ["exec", "transition"])
@pytest.mark.parametrize("case", CASES)
def test_what_a_successor_gets_and_is_told(
    case: str, by: str, execution: Execution, tmp_path: Path, compiler: Compiler
) -> None:
    handed = CASES[case]
    act = execs("next", "Go on.") if by == "exec" else enters("last")
    ran = run_over(tmp_path / "r", handed, act, ["memories"], execution, compiler)

    assert_handed(ran, handed)
    task = "Go on." if by == "exec" else "Do it."
    opened = [message.text for message in ran.prompts["next"][0][1:]]
    told = [f"Notice\n----\n{handed.told}"] if handed.told else []
    is_carried = handed.disposition == "carried"
    pinned = ["Memories\n----\n- `of-lead` — About of-lead."] if is_carried else []
    assert opened == [*pinned, f"Task\n----\n{task}", *told]
    assert [(notice.turn, notice.text) for notice in ran.of(Notice, "next")] == (
        [(1, handed.told)] if handed.told else []
    )


@pytest.mark.parametrize("scope", ["isolated", "inherited", "read-only"])
def test_a_transition_that_does_not_list_memories_takes_none_along(scope: str, tmp_path: Path) -> None:
    """The one before it lets go of them, and the successor has a store that it may write."""
    handed = Handed(memories(scope), "initialized", SECOND, "created")
    ran = run_over(tmp_path / "r", handed, enters("last"), [], "tool_calling", None)

    assert_handed(ran, handed)
    assert [message.text for message in ran.prompts["next"][0][1:]] == ["Task\n----\nDo it."]


def run_over(
    out: Path,
    handed: Handed,
    act: Act,
    transfer: list[str],
    execution: Execution,
    compiler: Compiler | None,
) -> TeamRan:
    """An agent that has made a memory, if it keeps any, and then hands over."""
    before = {**memories(handed.before or "isolated"), "enabled": handed.before is not None}
    first = (creates("of-lead"), act) if handed.before else (act,)
    script: Script = {"lead": [first], "next": [(waits(),), (finishes(),)]}
    agents = {
        "lead": {"capabilities": [before], "roster": [{"agent": "next", "as": "merge"}]},
        "next": {"capabilities": [handed.holds] if handed.holds else []},
    }
    states = {"first": {"agent": "lead", "to": {"last": {"transfer": transfer}}}, "last": {"agent": "next"}}
    return run_team(out, script, agents, execution=execution, compiler=compiler, states=states)


def assert_handed(ran: TeamRan, handed: Handed) -> None:
    assert (ran.result.error, failed_checks(ran)) == (None, [])
    (transition,) = ran.of(AgentTransition)
    assert transition.modules == (
        HandedModule(
            kind="memories",
            disposition=handed.disposition,  # type: ignore[arg-type]
            from_id=FIRST if handed.before else None,
            to_id=handed.to_id,
        ),
    )
    row = stores(ran)["next"]
    assert (row.module_id, row.origin, row.writable) == (handed.to_id, handed.origin, handed.writable)


def test_a_profile_that_shares_its_memories_hands_them_to_itself(tmp_path: Path) -> None:
    """Nothing is told, since it has what it had."""
    script: Script = {
        "lead": [(creates("of-lead"), execs("lead"))],
        "lead-2": [(creates("more"),), (finishes(),)],
    }
    agents = {"lead": {"capabilities": [memories("shared")], "roster": [{"agent": "lead", "as": "merge"}]}}
    ran = run_team(tmp_path / "r", script, agents)

    ((handed,),) = [event.modules for event in ran.of(AgentTransition)]
    assert (handed.disposition, handed.from_id, handed.to_id) == ("carried", FIRST, FIRST)
    assert [(row.module_id, row.origin) for row in stores(ran).values()] == [(FIRST, "profile")] * 2
    assert [message.text for message in ran.prompts["lead-2"][0][1:]] == [
        "Memories\n----\n- `of-lead` — About of-lead.",
        "Task\n----\nTake over.",
    ]


def test_a_successor_re_binds_the_store_that_its_profile_has_by_then(tmp_path: Path) -> None:
    script: Script = {
        "lead": [(spawns("next"), waits()), (creates("of-lead"), execs("next"))],
        "next": [(creates("of-profile"),), (finishes(),)],
        "next-2": [(waits(),), (finishes(),)],
    }
    agents = {
        "lead": {"capabilities": [memories("isolated")], "roster": starts("next")},
        "next": {"capabilities": [memories("shared")]},
    }
    ran = run_team(tmp_path / "r", script, agents)

    assert [(row.module_id, row.origin) for row in stores(ran).values()] == [
        (FIRST, "created"),
        (SECOND, "profile"),
        (SECOND, "profile"),
    ]
    assert [message.text for message in ran.prompts["next-2"][0][1:]] == [
        "Memories\n----\n- `of-profile` — About of-profile.",
        "Task\n----\nTake over.",
        f"Notice\n----\n{OF_THE_PROFILE}",
    ]


def test_limits_are_a_successor_s_where_nobody_else_holds_the_store(tmp_path: Path) -> None:
    """What is over them stays; what would go further over them is refused."""
    agents = {
        "lead": {"capabilities": [memories("isolated", "scratchpad")], "roster": starts("next")},
        "next": {"capabilities": [memories("isolated", "scratchpad", maxCount=1)]},
    }
    script: Script = {
        "lead": [(writes("a"), writes("b"), execs("next"))],
        "next": [(writes("c"),), (finishes(),)],
    }
    ran = run_team(tmp_path / "r", script, agents)

    (refused,) = ran.given("next", 1)
    assert refused.startswith("limit-exceeded: Cannot write `c`: there would be 3 of 1 memories.")
    assert [memory.name for memory in ran.result.memories] == ["a", "b"]
