"""Makes the system prompt of one agent out of its templates."""

from host.context import MAX_SUBAGENT_TOKENS
from host.core.text import join_words
from host.turn.prompt.facts import MemoryFacts, PromptFacts
from host.turn.prompt.layout import lay_out
from host.turn.prompt.rendering import render


def system_prompt(facts: PromptFacts) -> str:
    """The first message of an agent. Its own part stands first, as it was written."""
    told = lay_out(render(f"{facts.execution}.j2", _of_mode(facts)))
    own = facts.agent_prompt.strip()
    return f"{own}\n\n{told}" if own else told


def _of_mode(facts: PromptFacts) -> dict[str, object]:
    variables: dict[str, object] = {
        "calls": facts.calls,
        "compaction": facts.compaction,
        "compacts": facts.compacts,
        "delegation": _delegation(facts),
        "in_code": facts.execution == "responses_as_code",
        "memories": _memories(facts),
        "namespaces": facts.namespaces,
        "pins_memories": _pins_memories(facts),
        "reviews": "session.approve" in facts.calls,
        "sections": facts.sections,
        "reads_files": facts.reads_files,
        "records": _records(facts),
        "skillbook": _skillbook(facts),
        "skills": _skills(facts),
    }
    if facts.execution == "responses_as_code":
        variables["delivery"] = facts.delivery
        variables["modules"] = facts.modules
        variables["rejects_types"] = facts.rejects_types
    return variables


def _memories(facts: PromptFacts) -> str:
    """What it is told of its memories; empty where it keeps none."""
    held = facts.memories
    if held is None:
        return ""
    strategy = held.strategy
    looking = {"reads": strategy.reads, "searches": strategy.searches}
    return render(
        f"memories/{strategy.name}.j2",
        {
            "in_code": facts.execution == "responses_as_code",
            "is_bounded": held.is_bounded,
            "is_linked": held.is_linked,
            "max_len_description": held.caps.max_len_description,
            "may_revise": not strategy.revising.isdisjoint(facts.calls),
            "writable": held.writable,
            "writing": _writing(held, facts),
            **{role: facts.calls[call] for role, call in looking.items() if call},
        },
    )


def _skills(facts: PromptFacts) -> str:
    """What it is told of its skills; empty where it has none."""
    if not facts.skills:
        return ""
    variables = {
        "compacts": facts.compacts,
        "in_code": facts.execution == "responses_as_code",
        "reads": facts.calls["skills.read_skill"],
        "skills": facts.skills,
    }
    return render("skills.j2", variables)


def _records(facts: PromptFacts) -> str:
    """What it is told of the record store; empty where it has no call of it."""
    if "records.put" not in facts.calls:
        return ""
    names = {name: facts.calls[f"records.{name}"] for name in ("put", "search")}
    return render("records.j2", {"in_code": facts.execution == "responses_as_code", **names})


def _skillbook(facts: PromptFacts) -> str:
    """What a reflector is told of the book that it keeps; empty for any other agent."""
    if "skillbook.tag_skill" not in facts.calls:
        return ""
    in_code = facts.execution == "responses_as_code"
    calls = {name: facts.calls[f"skillbook.{name}_skill"] for name in ("add", "remove", "tag", "update")}
    calls["search"] = facts.calls["skillbook.search_skills"]
    named = {f"by_{name}": "" if in_code else f" by `{call}`" for name, call in calls.items()}
    return render("skillbook.j2", {"in_code": in_code, **named})


def _writing(held: MemoryFacts, facts: PromptFacts) -> str:
    """The calls that write memories, in the order in which one needs them."""
    strategy = held.strategy
    calls = (strategy.creates, strategy.revises, strategy.edits, strategy.deletes)
    return join_words(f"`{facts.calls[call]}`" for call in calls if call and call in facts.calls)


def _delegation(facts: PromptFacts) -> str:
    """What it is told of other agents; empty where it has nothing to do with them."""
    variables: dict[str, object] = {"calls": facts.calls, "in_code": facts.execution == "responses_as_code"}
    parts = []
    if "delegation.fork" in facts.calls:
        others = facts.others
        of_others = {
            "briefs": others.briefs,
            "subagent_tokens": f"{MAX_SUBAGENT_TOKENS:,}",
            "states": join_words(f"`{state}` of `{agent}`" for state, agent in others.states.items()),
            "subagents": _one_of(others.subagents),
            "successors": _one_of(others.successors),
        }
        parts.append(render("delegation.j2", variables | of_others))
    if "board.create_issue" in facts.calls:
        parts.append(render("board.j2", variables))
    return "\n\n".join(parts)


def _one_of(agents: tuple[str, ...]) -> str:
    several = "one of " if len(agents) > 1 else ""
    return several + join_words((f"`{agent}`" for agent in agents), "or")


def _pins_memories(facts: PromptFacts) -> bool:
    """Whether its window can hold a block of memories: opened on those there are, or once it is compacted."""
    held = facts.memories
    if held is None or held.strategy.block(()) is None:
        return False
    return facts.compacts or held.is_linked or held.is_filled
