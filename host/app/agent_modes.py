"""Builds what carries out the replies of one agent."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from host.app.agent_parts import AgentParts
from host.app.declarations import declarations_of
from host.app.defects import compiler_defects
from host.app.recorded_sources import RecordedSources
from host.app.run_parts import ProgramParts
from host.core.module_keys import Origin
from host.core.text import join_words
from host.events import RunOrigin
from host.launch import CodeModePlan
from host.operations import (
    OPERATIONS,
    Caller,
    Grants,
    Page,
    limit_notes,
    native_fields,
    tool_pages,
    tool_specs,
)
from host.turn import (
    AgentCode,
    AgentDocs,
    Delivery,
    Mode,
    ProgramChain,
    ProgramLibrary,
    ProgramRunner,
    ProgramsAndCalls,
    ResponsesAsCode,
    SubmittedProgram,
    ToolCalling,
    WholeReply,
    program_seed,
)
from sandbox import Background


@dataclass(frozen=True, kw_only=True)
class Acting:
    """A mode, and what belongs to its programs: the code that they load, the library of them, the pages of
    the modules, and what carries each module, by its title.
    """

    mode: Mode
    code: AgentCode | None = None
    library: ProgramLibrary | None = None
    pages: Callable[[], tuple[Page, ...]] = tuple
    loaded: Callable[[], Mapping[str, Origin]] = dict


def acting_of(agent: AgentParts) -> Acting:
    """The mode that the agent's plan names."""
    if agent.plan.execution == "tool_calling":
        return Acting(mode=_tool_calling(agent))
    programs = agent.of_run.programs
    assert programs is not None, "a run of programs has what they need"
    return _responses_as_code(agent, programs)


def _tool_calling(agent: AgentParts) -> ToolCalling:
    run = agent.of_run.run
    return ToolCalling(
        tools=tool_specs(agent.grants, agent.holder),
        ends=_ends(agent.grants),
        bracket=agent.bracket,
        latch=run.latch,
        endings=agent.endings,
        caller=agent.caller,
        report_state=agent.report_state,
        note=agent.note,
        clock=run.clock,
        earlier=(call for entry in agent.window.entries_from(1) for call in entry.tool_calls),
    )


def _ends(grants: Grants) -> str:
    """The calls that end the agent's session, in a sentence."""
    held = (row for row in OPERATIONS.values() if row.family == "session" and grants.permits(row.id))
    return join_words((f"`{grants.spelling(row.id)}`" for row in held), "or")


def _responses_as_code(agent: AgentParts, parts: ProgramParts) -> Acting:
    record, plan = agent.of_run.record, agent.plan
    code = _code(agent, parts)
    docs = AgentDocs(
        agent.grants,
        code.pages,
        limit_notes(agent.holder),
        tool_pages(agent.tools.callable_by(agent.grants)),
    )
    library = _library(agent)

    def caller(turn: int, origin: RunOrigin) -> Caller:
        return agent.caller(turn, origin, docs=docs, code=code, programs=library)

    def seed_of(turn: int, ordinal: int) -> int:
        return program_seed(agent.of_run.run_seed, agent.agent_id, turn, ordinal)

    runner = _runner(agent, parts, code)
    keeper = RecordedSources(record, agent.agent_id)
    chain = ProgramChain(
        runner=runner,
        library=library,
        endings=agent.endings,
        caller=caller,
        keeper=keeper,
        seed_of=seed_of,
        note=agent.note,
    )
    programs = ResponsesAsCode(
        delivery=_delivery(plan.code_mode),
        chain=chain,
        runner=runner,
        code=code,
        endings=agent.endings,
        caller=caller,
        keeper=keeper,
        seed_of=seed_of,
        note=agent.note,
        note_at_end=agent.note_at_end,
    )
    mode = programs if agent.driven is None else _with_calls(agent, programs, code)
    return Acting(mode=mode, code=code, library=library, pages=code.pages, loaded=code.loaded)


def _with_calls(agent: AgentParts, programs: ResponsesAsCode, code: AgentCode) -> ProgramsAndCalls:
    """The programs, and the calls of its memories as tools, under their names and spellings there."""
    held = agent.grants
    of_memories = frozenset(id_ for id_ in held.granted if id_.startswith("memories."))
    grants = replace(held, granted=of_memories, native=True)
    holder = agent.holder and agent.holder.spelled(grants.spellings(), native_fields(agent.holder.strategy))
    run = agent.of_run.run
    calls = ToolCalling(
        tools=tool_specs(grants, holder),
        ends="",
        bracket=agent.bracket_of(grants),
        latch=run.latch,
        endings=agent.endings,
        caller=lambda turn, origin: replace(agent.caller(turn, origin, code=code), holder=holder),
        report_state=agent.report_state,
        note=agent.note,
        clock=run.clock,
    )
    return ProgramsAndCalls(programs=programs, calls=calls, latch=run.latch)


def _code(agent: AgentParts, parts: ProgramParts) -> AgentCode:
    return AgentCode(
        compiler=parts.compiler,
        declarations=declarations_of(agent.plan, agent.access, agent.tools.declarations),
        tools=agent.tools.guest_namespaces,
        typecheck=agent.plan.code_mode.typecheck,
        window=agent.window,
        emit=agent.emit,
        turn=agent.turn,
        defect_of=compiler_defects(agent.of_run.record),
    )


def _runner(agent: AgentParts, parts: ProgramParts, code: AgentCode) -> ProgramRunner:
    return ProgramRunner(
        compiler=parts.compiler,
        pool=parts.pool,
        bracket=agent.bracket,
        code=code,
        latch=agent.of_run.run.latch,
        emit=agent.emit,
        defect_of=compiler_defects(agent.of_run.record),
        report_state=agent.report_state,
        background=_background(agent),
        stop=agent.driven.stop if agent.driven else None,
    )


def _background(agent: AgentParts) -> Background:
    """The calls that give a promise: other agents may run while the program waits for them."""
    operations = agent.grants.operations

    def may(operation_id: str) -> bool:
        operation = operations.get(operation_id)
        return operation is not None and operation.in_background

    return Background(may=may, while_waiting=agent.order.patience.without_slot)


def _library(agent: AgentParts) -> ProgramLibrary | None:
    if not agent.plan.keeps_programs:
        return None
    copied = agent.order.copied
    return copied.library if copied and copied.library else ProgramLibrary()


def _delivery(plan: CodeModePlan) -> Delivery:
    return SubmittedProgram() if plan.delivery == "tool" else WholeReply(plan.healing)
