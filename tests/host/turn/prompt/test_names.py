"""Whatever a system prompt names exists, and is the agent's; and what it must not name is not there."""

import re
from collections.abc import Iterator
from itertools import product
from typing import get_args

import pytest

from host.context import Heading, docs_view, file_view, text_view
from host.context.views import Region
from host.core.module_keys import Carrier, KeyTable
from host.operations import OPERATIONS, Operation, render_declarations
from host.turn import OtherAgents, PromptFacts, SectionName, SubmittedProgram, system_prompt
from tests.host.turn.prompt.agents import ALONE, CODE, LIMITS, OTHERS, STRATEGIES, TOOLS, agent

# Capabilities, role, what is withheld, the agents that it may have to do with.
GRANTED = [
    ((), "worker", frozenset(), OtherAgents()),
    ((), "reviewer", frozenset(), OtherAgents()),
    (("files",), "worker", frozenset(), OtherAgents()),
    (("agent-managed-context",), "worker", frozenset(), OtherAgents()),
    (("files", "program-library", "agent-managed-context"), "worker", frozenset(), OtherAgents()),
    (("files", "skills"), "worker", frozenset(), OtherAgents()),
    (("records",), "worker", frozenset(), OtherAgents()),
    (("skillbook",), "worker", frozenset(), OtherAgents()),
    (("delegation",), "worker", frozenset(), OTHERS),
    (("delegation",), "reviewer", ALONE, OtherAgents()),
]
COMPACTIONS = [None, "summary", "memory-compaction"]
# Strategy, whether it may revise, whether it may write, whether others hold the store, limits.
HELD = [
    (None, True, True, False, {}),
    *(
        (strategy, *access, limits)
        for strategy in STRATEGIES
        for access in [(True, True, False), (False, True, True), (True, False, True)]
        for limits in [LIMITS, {}]
    ),
]
# Execution mode, delivery, whether types reject a program.
WAYS = [(CODE, "reply", True), (CODE, "tool", False), (TOOLS, "reply", True)]

SPAN = re.compile("`([^`]*)`")
IMPORT = re.compile(r'import \{ (\w+) \} from "gg"')
CALL = re.compile(r"([a-z]+\.[a-z]\w*)\([^()]*\)")
LITERALS = {
    CODE: {"import", "await", "return", "console", "<module>", "<module>.<name>"},
    TOOLS: {"null", "<code>: <message>"},
}
TITLES = {
    *get_args(Heading),
    *(
        view.title.partition(":")[0]
        for view in (text_view("x", ""), docs_view("x", ""), file_view("x", "", Region(1, 0, 0)))
    ),
}


HEADING_OF: dict[SectionName, str] = {
    "parent": "Context",
    "records": "Records",
    "skillbook": "Skillbook",
    "account": "Run",
}


def agents() -> Iterator[PromptFacts]:
    """One for each way in which prompts differ."""
    for way, held, granted, compaction in product(WAYS, HELD, GRANTED, COMPACTIONS):
        execution, delivery, rejects_types = way
        strategy, may_revise, writable, is_linked, limits = held
        capabilities, role, without, others = granted
        yield agent(
            execution,
            strategy,
            capabilities=capabilities,
            may_revise=may_revise,
            writable=writable,
            is_linked=is_linked,
            role=role,
            without=without,
            others=others,
            sections=frozenset(HEADING_OF if "records" in capabilities else ()),
            skills={"letters": "How they are written."} if "skills" in capabilities else {},
            limits=limits,
            delivery=delivery,
            rejects_types=rejects_types,
            compaction=compaction,
        )


@pytest.fixture(scope="module")
def told() -> list[tuple[PromptFacts, str]]:
    return [(facts, system_prompt(facts)) for facts in agents()]


Told = list[tuple[PromptFacts, str]]


def test_prompts_are_laid_out_for_reading(told: Told) -> None:
    for _, text in told:
        lines = text.split("\n")
        assert [line for line in lines if len(line) > 110 or line != line.rstrip()] == []
        assert "\n\n\n" not in text
        assert text == text.strip()


def test_every_name_exists_and_is_the_agents(told: Told) -> None:
    for facts, text in told:
        assert {span: text for span in SPAN.findall(text) if not is_known(span, facts)} == {}


def is_known(span: str, facts: PromptFacts) -> bool:
    """Whether what stands in backticks is a heading, a module or a call that the agent has, or a name that is
    explained where it stands.
    """
    module, call = IMPORT.fullmatch(span), CALL.fullmatch(span)
    if module:
        return module[1] in {id_.partition(".")[0] for id_ in facts.calls}
    if call:
        return call[1] in facts.calls.values()
    if span.partition(":")[0] in TITLES:
        return True
    others = facts.others
    names = {*LITERALS[facts.execution], *others.briefs, *others.states, *facts.skills}
    names |= {"evidence"} if "skillbook.tag_skill" in facts.calls else set()
    if facts.execution == TOOLS:
        return span in names | set(facts.calls.values())
    names |= {"ApiError", "operation", "code", "message"}
    if "delegation.fork" in facts.calls:
        names.add("delegation")
    if "records.put" in facts.calls:
        names.add("records")
    if "skillbook.tag_skill" in facts.calls:
        names.add("skillbook")
    if facts.memories:
        names |= {"memories", "onUse", "csv-tools", KeyTable().propose(Carrier("memory", "csv-tools"))}
    if facts.delivery == "tool":
        names |= {SubmittedProgram.forced_tool, "program"}
    return span in names


def test_names_outside_of_backticks_are_none(told: Told) -> None:
    """So that the test above sees all of them."""
    spelled = [name for operation in OPERATIONS.values() for name in spellings(operation)]
    names = re.compile("|".join(rf"\b{re.escape(name)}\b" for name in spelled if re.search("[._]", name)))

    for _, text in told:
        assert names.findall(SPAN.sub("", text)) == []


def spellings(operation: Operation) -> list[str]:
    """The call as programs write it, and as a tool."""
    return [operation.spelling, *([operation.native.name] if operation.native else [])]


def test_what_the_prompt_says_of_errors_and_code_is_so() -> None:
    declarations = render_declarations(agent(CODE).families)

    assert [
        name for name in ("class ApiError", "operation: ", "code: ", "message: ") if name not in declarations
    ] == []
    write = OPERATIONS["memories.write_memory"].arguments.model_fields
    assert {"code", "onUse"} <= {field.alias for field in write.values()}
    [submit] = SubmittedProgram.tools
    assert '"required": ["program"]' in submit.parameters


EVERYBODY_NEEDS = {"views.openText", "views.openDocsView", "docs.search"}


def test_of_functions_a_prompt_for_programs_names_those_alone_that_every_agent_needs(told: Told) -> None:
    for facts, text in told:
        if facts.execution == CODE:
            ends = {call for call in facts.calls.values() if call.startswith("session.")}
            reads = {"skills.readSkill"} if facts.skills else set()
            assert set(CALL.findall(text)) == EVERYBODY_NEEDS | ends | reads


def test_a_prompt_for_programs_lists_the_modules_of_which_the_agent_has_a_call(told: Told) -> None:
    for facts, text in told:
        if facts.execution == CODE:
            listed = re.findall(r'^- `import \{ (\w+) \} from "gg"`: ', text, re.MULTILINE)
            assert set(listed) == {id_.partition(".")[0] for id_ in facts.calls}
            assert len(set(listed)) == len(listed)


OF_PROGRAMS = re.compile(
    r"\b(imports?|programs?|views?|modules?|TypeScript|compile\w*|console|onUse|scripts?|SDK|camel|csv\w*|docs"
    r"|documentation|functions?)\b",
    re.IGNORECASE,
)
OF_TOOLS = re.compile(r"\b(tools?|JSON|[a-z]+_[a-z_]+)\b")
OF_GUARDRAILS = re.compile(
    r"\b(ceilings?|budgets?|timeouts?|seconds|heal\w*|hooks?|loops?|consecutive|turns left|max\w*)\b",
    re.IGNORECASE,
)


def test_a_mode_is_told_nothing_of_another(told: Told) -> None:
    for facts, text in told:
        if facts.execution == TOOLS:
            assert OF_PROGRAMS.findall(text.replace("`Documentation: <name>`", "")) == []
        else:
            submitting = ["tool", "submit_program"] if facts.delivery == "tool" else []
            assert OF_TOOLS.findall(text.replace("`csv-tools`", "")) == submitting


def test_no_guardrail_is_spoken_of(told: Told) -> None:
    for _, text in told:
        assert OF_GUARDRAILS.findall(text) == []


def test_calls_that_are_withheld_are_not_named(told: Told) -> None:
    for facts, text in told:
        withheld = [
            name
            for operation in OPERATIONS.values()
            if operation.id not in facts.calls
            for name in spellings(operation)
        ]
        held = set(facts.calls.values())  # two families have a tool of one name
        assert [name for name in withheld if f"`{name}" in text and name not in held] == []


def test_headings_are_described_where_they_can_be_sent(told: Told) -> None:
    for facts, text in told:
        headings = {
            span.partition(":")[0] for span in re.findall(r"^- `([^`]*)`: ", text, re.MULTILINE)
        } & TITLES
        assert headings == expected_headings(facts)


def expected_headings(facts: PromptFacts) -> set[str]:
    compacts = facts.compaction is not None or "context.compact" in facts.calls
    held = facts.memories
    pinned = held is not None and held.strategy.name != "keyword-search"
    reads = facts.calls.keys() & {"files.read_file"}
    return {
        "Task",
        "Notice",
        *(("View", "Documentation", "Compiler error", "Runtime error") if facts.execution == CODE else ()),
        *(("File",) if reads else ()),
        *(("Documentation",) if facts.skills and compacts else ()),
        *(("Summary",) if compacts else ()),
        *(HEADING_OF[section] for section in facts.sections),
        *(("Memories",) if held and pinned and (compacts or held.is_linked) else ()),
    }
