"""One agent's parts for a test: real ones in memory, and the bracket over them."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from host.context import Window
from host.core.errors import HostDefect, Refusal
from host.core.messages import ToolCall
from host.core.module_keys import Carrier
from host.events import Event, RunOrigin
from host.memories import Holder
from host.operations import (
    OPERATIONS,
    Board,
    Bracket,
    Caller,
    CodeHalves,
    Delegation,
    Docs,
    EndingKind,
    Grants,
    Operation,
    Page,
    PreparedHalves,
    Programs,
    Shell,
    Thread,
    ToolAnswer,
    Workspace,
)
from host.operations.approvals import ApprovalPolicy, Approver, NobodyApproves
from host.operations.bracket import let_pass
from host.testing import CapturedEvents, FakeClock

AGENT = "root"
EVERYTHING = frozenset(OPERATIONS)


@dataclass
class Defects:
    """Keeps every defect that is recorded."""

    recorded: list[HostDefect] = field(default_factory=list)

    def record(self, defect: HostDefect) -> None:
        self.recorded.append(defect)


@dataclass
class Declared:
    """Keeps the endings that are declared."""

    endings: list[tuple[str, ...]] = field(default_factory=list)

    @property
    def declared(self) -> object | None:
        return self.endings[-1] if self.endings else None

    def declare(self, kind: EndingKind, summary: str = "", items: tuple[str, ...] = ()) -> None:
        self.endings.append((kind, summary, *items))


class NoCode:
    """For calls that have nothing to do with code."""

    def refuse_over_use_limit(self, on_use: str | None) -> None:
        raise AssertionError("no call of this test uses code")

    def refuse_deep_nesting(self, name: str, code: str | None, on_use: str | None) -> None:
        raise AssertionError("no call of this test uses code")

    def prepare(self, carrier: Carrier, code: str | None, on_use: str | None) -> PreparedHalves:
        raise AssertionError("no call of this test compiles")

    def is_loaded(self, carrier: Carrier) -> bool:
        raise AssertionError("no call of this test loads")

    def tell_problems(self, prepared: PreparedHalves) -> None:
        raise AssertionError("no call of this test compiles")

    def load(self, prepared: PreparedHalves) -> None:
        raise AssertionError("no call of this test loads")

    def unload(self, carrier: Carrier) -> None:
        raise AssertionError("no call of this test unloads")


class OnePage:
    """Documentation of one page, under the key `views`."""

    def pages(self) -> tuple[Page, ...]:
        return (
            Page(
                key="views",
                kind="module",
                module="views",
                name="views",
                signature="",
                summary="Shows.",
                text="Shows.",
            ),
        )

    def page(self, target: str) -> Page:
        if target != "views":
            raise Refusal("not-found", f"There is no page `{target}`.")
        return self.pages()[0]


def no_limit() -> None:
    """A run whose time is not spent."""


@dataclass
class Desk:
    """Makes calls as a program and as a reply does, and shows what they left behind."""

    operations: Mapping[str, Operation] = field(default_factory=lambda: OPERATIONS)
    granted: frozenset[str] = EVERYTHING
    barred: frozenset[str] = frozenset()
    gate: Callable[[Operation], None] = let_pass
    policy: ApprovalPolicy = field(default_factory=ApprovalPolicy)
    approver: Approver = field(default_factory=NobodyApproves)
    holder: Holder | None = None
    workspace: Workspace | None = None
    programs: Programs | None = None
    thread: Thread | None = None
    delegation: Delegation | None = None
    board: Board | None = None
    shell: Shell | None = None
    code: CodeHalves | None = field(default_factory=NoCode)
    docs: Docs = field(default_factory=OnePage)
    refuse_over_run_time: Callable[[], None] = no_limit
    emit: Callable[[Event], None] | None = None
    window: Window = field(default_factory=lambda: Window("system"))
    endings: Declared = field(default_factory=Declared)
    defects: Defects = field(default_factory=Defects)
    clock: FakeClock = field(default_factory=FakeClock)
    captured: CapturedEvents = field(default_factory=CapturedEvents)

    def call(
        self, operation_id: str, *arguments: object, origin: RunOrigin = "program", place: str | None = None
    ) -> dict[str, Any]:
        """The envelope of one call, decoded."""
        return self.send(operation_id, json.dumps(arguments), origin=origin, locate=lambda: place)

    def send(
        self,
        operation_id: str,
        arguments_json: str,
        *,
        origin: RunOrigin = "program",
        locate: Callable[[], str | None] = lambda: None,
    ) -> dict[str, Any]:
        bracket = self.bracket(native=False)
        envelope = bracket.answer(self.caller(origin), operation_id, arguments_json, locate)
        decoded: dict[str, Any] = json.loads(envelope)
        return decoded

    def tool(self, name: str, /, **arguments: object) -> str:
        """What a call of a tool is answered, as a reply makes it."""
        return self.send_tool(name, json.dumps(arguments)).text

    def send_tool(self, name: str, arguments_json: str) -> ToolAnswer:
        caller = replace(self.caller("tool"), code=None, docs=None, programs=None)
        call = ToolCall(id="call-1", name=name, arguments=arguments_json)
        return self.bracket(native=True).answer_tool(caller, call)

    def bracket(self, *, native: bool) -> Bracket:
        return Bracket(
            grants=Grants(self.operations, self.granted, native, self.barred),
            latch=self.defects,
            clock=self.clock,
            refuse_over_run_time=self.refuse_over_run_time,
            gate=self.gate,
            policy=self.policy,
            approver=self.approver,
        )

    def caller(self, origin: RunOrigin) -> Caller:
        return Caller(
            agent_id=AGENT,
            turn=3,
            origin=origin,
            window=self.window,
            endings=self.endings,
            code=self.code,
            docs=self.docs,
            holder=self.holder,
            workspace=self.workspace,
            programs=self.programs,
            thread=self.thread,
            delegation=self.delegation,
            board=self.board,
            shell=self.shell,
            emit=self.emit or (lambda event: self.captured.emit(event, agent_id=AGENT)),
        )

    def texts(self) -> list[str]:
        """What the model would read next."""
        self.window.end_turn()
        return [entry.text for entry in self.window.entries_from(1)]


def error(code: str, operation: str, message: str) -> dict[str, dict[str, str]]:
    """The envelope of a failure."""
    return {"error": {"code": code, "operation": operation, "message": message}}
