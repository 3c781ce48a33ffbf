"""Replies carried out as programs: compiled, run in a worker, then the scripts that are due."""

import hashlib
from dataclasses import dataclass, field

import pytest

from host.context import Entry, Window
from host.core.errors import HostDefect
from host.core.messages import Reply
from host.events import ApiCall, CodeExecution, CompileDiagnostic, Event, OperatorLog, RunOrigin
from host.memories import Holder, MemoryLimits, MemoryStore, strategy_of
from host.operations import FAMILIES, OPERATIONS, Bracket, Caller, Grants, render_declarations
from host.testing import CapturedEvents, FakeClock
from host.turn import (
    AgentCode,
    AgentDocs,
    Delivery,
    Ending,
    EndingFlag,
    Latch,
    ProgramChain,
    ProgramLibrary,
    ProgramRunner,
    ResponsesAsCode,
    WholeReply,
)
from host.turn.modes import Carried
from runtime_js import Compiler, CompilerBroken
from sandbox import SandboxPool

DECLARATIONS = render_declarations(FAMILIES)
UNBOUNDED = MemoryLimits(
    max_count=0, max_len_per_memory=0, max_total_len=0, max_len_index=0, max_len_description=0, max_results=0
)


@dataclass
class Kept:
    """The texts that were kept for the record."""

    programs: list[tuple[int, str, str]] = field(default_factory=list)
    scripts: list[tuple[int, int, str]] = field(default_factory=list)
    reruns: list[tuple[int, int, str]] = field(default_factory=list)

    def program(self, turn: int, *, as_sent: str, as_run: str) -> str:
        self.programs.append((turn, as_sent, as_run))
        return f"programs/{turn}.ts"

    def rerun(self, turn: int, ordinal: int, *, source: str) -> str:
        self.reruns.append((turn, ordinal, source))
        return f"programs/{turn}-rerun-{ordinal}.ts"

    def script(self, turn: int, ordinal: int, *, source: str) -> str:
        self.scripts.append((turn, ordinal, source))
        return f"programs/{turn}.{ordinal}.ts"


class Agent:
    """One agent in code mode that keeps memories, without a loop around it."""

    def __init__(
        self,
        compiler: Compiler,
        pool: SandboxPool,
        delivery: Delivery | None = None,
        uses_budget_s: float = 30.0,
    ) -> None:
        self.window = Window("system")
        self.captured = CapturedEvents()
        self.notes: list[str] = []
        self.reports: list[int] = []
        self.kept = Kept()
        self.latch = Latch(lambda defect: None)
        self.endings = EndingFlag(self.notes.append)
        strategy = strategy_of("scratchpad")
        held = ("", "program-library")
        always = frozenset(id_ for id_, operation in OPERATIONS.items() if operation.capability in held)
        grants = Grants(OPERATIONS, always | strategy.calls)
        self.holder = Holder(
            MemoryStore(number=1, strategy=strategy, limits=UNBOUNDED),
            agent_id="root",
            access="write",
            scope="isolated",
            calls=grants.spellings(),
        )
        self.code = AgentCode(
            compiler=compiler,
            declarations=DECLARATIONS,
            typecheck="error",
            window=self.window,
            emit=self.emit,
            turn=lambda: 1,
            defect_of=defect_of,
        )
        bracket = Bracket(
            grants=grants, latch=self.latch, clock=FakeClock(), refuse_over_run_time=lambda: None
        )
        runner = ProgramRunner(
            compiler=compiler,
            pool=pool,
            bracket=bracket,
            code=self.code,
            latch=self.latch,
            emit=self.emit,
            defect_of=defect_of,
            report_state=lambda: self.reports.append(len(self.captured.events)),
        )
        self.library = ProgramLibrary()
        chain = ProgramChain(
            runner=runner,
            library=self.library,
            endings=self.endings,
            caller=self.caller,
            keeper=self.kept,
            seed_of=lambda turn, ordinal: 100 * turn + ordinal,
            note=self.notes.append,
        )
        self.mode = ResponsesAsCode(
            delivery=delivery or WholeReply(),
            chain=chain,
            runner=runner,
            code=self.code,
            endings=self.endings,
            caller=self.caller,
            keeper=self.kept,
            seed_of=lambda turn, ordinal: 100 * turn + ordinal,
            note=self.notes.append,
            note_at_end=self.notes.append,
            uses_budget_s=uses_budget_s,
        )

    def emit(self, event: Event) -> None:
        self.captured.emit(event, agent_id="root")

    def caller(self, turn: int, origin: RunOrigin) -> Caller:
        return Caller(
            agent_id="root",
            turn=turn,
            origin=origin,
            window=self.window,
            endings=self.endings,
            code=self.code,
            docs=AgentDocs(Grants(OPERATIONS, frozenset(OPERATIONS)), self.code.pages),
            holder=self.holder,
            workspace=None,
            programs=self.library,
            emit=self.emit,
        )

    def executions(self) -> list[tuple[str, str | None, str, bool]]:
        return [(e.origin, e.memory, e.outcome, e.ok) for e in self.captured.of(CodeExecution)]


def defect_of(broken: CompilerBroken) -> HostDefect:
    return HostDefect("compiler", broken.detail)


def remembering(slug: str, on_use: str) -> str:
    """A statement that writes a memory whose script is `on_use`."""
    return f'memories.writeMemory({{ name: "{slug}", description: "d", body: "b", onUse: `{on_use}` }});\n'


IMPORT = 'import { memories, session, views } from "gg";\n'


@pytest.fixture
def agent(compiler: Compiler, pool: SandboxPool) -> Agent:
    return Agent(compiler, pool)


def said(text: str) -> tuple[Entry, ...]:
    return (Entry(role="assistant", band="program", text=text),)


def sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def test_a_program_that_runs_to_its_end(agent: Agent) -> None:
    reply = f'```ts\n{IMPORT}views.openText("a", "1");\nconsole.warn("w\\u0000");\n```\n'
    program = f'{IMPORT}views.openText("a", "1");\nconsole.warn("w\\u0000");'
    carried = agent.mode.carry_out(Reply(text=reply), turn=2)

    assert (carried.kept, carried.fault, carried.notices) == (said(program), None, ())
    assert agent.kept.programs == [(2, reply, program)]
    assert agent.captured.types == ("view", "api_call", "operator_log", "code_execution")
    assert agent.captured.of(OperatorLog) == (
        OperatorLog(level="warn", text="w\\u0000", turn=2, source="program"),
    )
    assert agent.reports == [3]  # what was changed is reported before the execution is
    (execution,) = agent.captured.of(CodeExecution)
    timed = {"compile_ms", "check_ms", "run_ms", "guest_ms", "compile_cached"}
    assert execution.model_dump(exclude=timed) == {
        "turn": 2,
        "origin": "program",
        "memory": None,
        "skill": None,
        "rerun": 0,
        "source_path": "programs/2.ts",
        "sha256": sha256(program),
        "ok": True,
        "outcome": "ended",
        "error_type": None,
        "error": None,
        "finished": False,
        "api_calls": 1,
        "seed": 200,
        "healing": ("strip-fences",),
        "healing_did_not_converge": False,
        "logs_dropped": 0,
    }


def test_a_program_that_the_compiler_rejects(agent: Agent) -> None:
    carried = agent.mode.carry_out(Reply(text="const n: number = 'x';\nreturn n;"), turn=1)

    assert carried.fault is not None
    assert (carried.fault.kind, carried.fault.error_type, carried.fault.heading) == (
        "rejected",
        "transpile_compile",
        "Compiler error",
    )
    assert carried.fault.text.startswith("program.ts:")
    assert [(d.file, d.severity, d.origin) for d in agent.captured.of(CompileDiagnostic)] == [
        ("program.ts", "error", "program")
    ] * len(agent.captured.of(CompileDiagnostic))
    (execution,) = agent.captured.of(CodeExecution)
    assert (execution.ok, execution.outcome, execution.error, execution.api_calls) == (
        False,
        "rejected",
        carried.fault.text,
        0,
    )


def test_of_many_diagnostics_the_first_are_recorded_and_the_text_counts_the_rest(agent: Agent) -> None:
    agent.mode.carry_out(Reply(text="missing;\n" * 300), turn=1)

    assert [found.line for found in agent.captured.of(CompileDiagnostic)] == list(range(1, 101))
    (execution,) = agent.captured.of(CodeExecution)
    assert execution.error is not None
    assert execution.error.endswith("\n280 more errors not shown")


ENDINGS = [
    ('session.finish("done");', Ending("finish", "done")),
    ("session.approve();", Ending("approve")),
    ('session.requestChanges(["a", "b"]);', Ending("request_changes", items=("a", "b"))),
]


@pytest.mark.parametrize(("statement", "ending"), ENDINGS)
def test_each_ending_stands_when_its_program_has_run_to_its_end(
    agent: Agent, statement: str, ending: Ending
) -> None:
    carried = agent.mode.carry_out(Reply(text=IMPORT + statement), turn=1)

    assert (carried.fault, agent.endings.declared, agent.notes) == (None, ending, [])


@pytest.mark.parametrize(("statement", "ending"), ENDINGS)
def test_a_failure_revokes_the_ending(agent: Agent, statement: str, ending: Ending) -> None:
    carried = agent.mode.carry_out(Reply(text=f'{IMPORT}{statement}\nthrow new Error("late");'), turn=1)

    assert carried.fault is not None
    assert carried.fault.text == "Error: late\n    at program.ts:3:11"
    assert agent.endings.declared is None
    assert agent.notes == ["the ending was revoked: the program failed after it had declared it"]


def test_a_failed_call_is_placed_in_the_record(agent: Agent) -> None:
    agent.mode.carry_out(Reply(text=f'{IMPORT}try {{ views.close(""); }} catch {{}}\n'), turn=1)

    assert [(call.code, call.place) for call in agent.captured.of(ApiCall)] == [
        ("invalid-argument", "program.ts:2:13")
    ]


def test_scripts_run_after_the_program_in_the_order_of_use_each_in_its_own_engine(agent: Agent) -> None:
    first = 'Object.assign(globalThis, { left: 1 }); views.openText("s", "1");'
    second = 'views.openText("s", typeof (globalThis as any).left + " 2");'
    program = (
        IMPORT + remembering("one", first) + remembering("two", second) + 'views.openText("s", "program");\n'
    )
    carried = agent.mode.carry_out(Reply(text=program), turn=3)
    agent.window.end_turn()

    assert (carried.fault, carried.notices) == (None, ())
    assert agent.executions() == [
        ("program", None, "ended", True),
        ("onUse", "one", "ended", True),
        ("onUse", "two", "ended", True),
    ]
    assert agent.kept.scripts == [(3, 1, first), (3, 2, second)]
    assert [execution.seed for execution in agent.captured.of(CodeExecution)] == [300, 301, 302]
    assert [entry.text for entry in agent.window.entries_from(1)] == ["View: s\n----\nundefined 2"]


def test_scripts_run_though_the_program_failed_and_before_an_ending(agent: Agent) -> None:
    program = IMPORT + remembering("one", 'views.openText("s", "1");')
    failed = agent.mode.carry_out(Reply(text=program + 'throw new Error("no");'), turn=1)
    ended = agent.mode.carry_out(
        Reply(text=program.replace('"one"', '"two"') + 'session.finish("done");'), turn=2
    )

    assert (failed.fault is None, ended.fault) == (False, None)
    assert agent.executions() == [
        ("program", None, "threw", False),
        ("onUse", "one", "ended", True),
        ("program", None, "ended", True),
        ("onUse", "two", "ended", True),
    ]
    assert agent.endings.declared == Ending("finish", "done")


def test_a_script_that_fails_is_a_notice_and_the_others_run(agent: Agent) -> None:
    program = (
        IMPORT
        + remembering("bad", 'views.close("");')
        + remembering("good", 'views.openText("s", "1");')
        + 'session.finish("done");\n'
    )
    carried = agent.mode.carry_out(Reply(text=program), turn=1)

    assert carried.fault is None
    assert carried.notices == (
        (
            "on_use_failed",
            "The onUse of `bad` failed: ApiError: views.close (invalid-argument): The selector is empty;"
            " name a label or a path.\n    at bad.on-use.ts:1:7",
        ),
    )
    assert agent.executions()[1:] == [("onUse", "bad", "threw", False), ("onUse", "good", "ended", True)]
    assert agent.endings.declared == Ending("finish", "done")


def test_scripts_of_a_turn_share_one_budget_of_guest_time(compiler: Compiler, pool: SandboxPool) -> None:
    agent = Agent(compiler, pool, uses_budget_s=0.2)
    program = (
        IMPORT + remembering("spins", "while (true) {}") + remembering("late", 'views.openText("s", "");')
    )
    carried = agent.mode.carry_out(Reply(text=program), turn=1)

    assert carried.notices == (
        ("on_use_failed", "The onUse of `spins` failed: Guest time: 0.2 s used, limit 0.2 s."),
        (
            "on_use_failed",
            "The onUse of `late` failed: the scripts of one turn share 0.2 s of guest time, and those before"
            " it used them up.",
        ),
    )
    assert agent.executions()[1:] == [
        ("onUse", "spins", "hit_ceiling", False),
        ("onUse", "late", "hit_ceiling", False),
    ]


QUEUES = remembering("inner", 'views.openText("s", "inner");').replace("`", "\\`")


def test_a_use_within_a_script_is_due_at_the_end_of_the_next_turn(agent: Agent) -> None:
    agent.mode.carry_out(Reply(text=IMPORT + remembering("outer", QUEUES)), turn=1)
    assert agent.executions()[1:] == [("onUse", "outer", "ended", True)]
    agent.captured.clear()

    agent.mode.carry_out(Reply(text="export {};"), turn=2)
    assert agent.executions() == [("program", None, "ended", True), ("onUse", "inner", "ended", True)]
    assert agent.notes == []


def test_a_use_within_a_script_is_dropped_where_no_turn_follows(agent: Agent) -> None:
    agent.mode.carry_out(
        Reply(text=IMPORT + remembering("outer", QUEUES) + 'session.finish("done");'), turn=1
    )

    agent.mode.ended()

    assert agent.notes == ["the session has ended, and the onUse of `inner` will not run"]


def test_after_a_defect_nothing_more_runs(agent: Agent) -> None:
    agent.latch.record(HostDefect("compiler", "gone"))
    carried = agent.mode.carry_out(
        Reply(text=IMPORT + remembering("one", 'views.openText("s", "1");')), turn=1
    )

    assert carried == Carried(kept=carried.kept, times=carried.times)
    assert agent.executions() == [("program", None, "defect", False)]
