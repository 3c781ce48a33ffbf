"""Runs with a skillbook: a root that has it, and a reflector that keeps it."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

from host.events import OperatorLog
from host.skillbook import BookFile, Skill
from runtime_js import Compiler
from tests.helpers.acts import finishes
from tests.helpers.memory_turns import Execution
from tests.helpers.teams import Said, TeamRan, run_team

Turn = Said | Callable[[], Said]

TASK: Final = "Sum the prices of the Berlin export."
COMMA: Final = "The prices of an export have a decimal comma."


def book_in(tmp_path: Path) -> BookFile:
    return BookFile(tmp_path / "book.json")


def fill_book(
    tmp_path: Path, *issues: str, scope: str | None = None, insight: str = "Put a dot there."
) -> None:
    for issue in issues or (COMMA,):
        done = book_in(
            tmp_path
        ).apply(
            lambda skills, issue=issue: skills.add_skill(  # type: ignore[misc]
                "context", issue, keywords=issue.split()[1:3], insight=insight, scope=scope
            )
        )
        assert done.ok, done.why


def skills_in(tmp_path: Path) -> dict[str, Skill]:
    """All of the book, also those that are held back or removed."""
    return {skill.id: skill for skill in book_in(tmp_path).read().skillbook.skills(include_invalid=True)}


def run_with_book(
    tmp_path: Path,
    execution: Execution,
    compiler: Compiler,
    *turns: Turn,
    reflects: tuple[Turn, ...] | None = (),
    reflector: Mapping[str, Any] | None = None,
    others: tuple[dict[str, Any], ...] = (),
    params: Mapping[str, Any] | None = None,
    name: str = "record",
    **document: Any,  # noqa: ANN401  (keys of a configuration)
) -> TeamRan:
    """A root that has the book, and a reflector unless that is `None`."""
    own: dict[str, Any] = {"book": "book.json", **(params or {})}
    agents: dict[str, Mapping[str, Any]] = {}
    script: dict[str, tuple[Turn, ...]] = {"root": turns}
    if reflects is not None:
        own["reflector"] = "keeper"
        script["keeper"] = reflects or ((finishes("kept"),),)
        agents["keeper"] = reflector or {}
    root = {"capabilities": [{"id": "skillbook", "params": own}, *others]}
    return run_team(
        tmp_path / name,
        script,
        {"root": root, **agents},
        execution=execution,
        compiler=compiler,
        **{"task": TASK, **document},
    )


def section_of(ran: TeamRan, agent_id: str = "root", reply: int = 0, title: str = "Skillbook") -> str | None:
    found = [m.text for m in ran.prompts[agent_id][reply] if m.text.startswith(f"{title}\n----\n")]
    assert len(found) <= 1
    return found[0] if found else None


def told_operator(ran: TeamRan) -> list[str]:
    """What the operator was told."""
    return [log.text for log in ran.of(OperatorLog)]
