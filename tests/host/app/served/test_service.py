"""An agent that is driven from outside: what is answered, what stays, what stops, what begins anew."""

import json
import os
import shutil
import signal
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any, Final

import anyio
import psutil
import pytest

from host.app import list_runs
from host.app.served import Answer, FolderTaken, Service, Shown, served_plan
from host.events import Defect, RecordReader, StampedEvent, View, verify_record
from host.launch import validate
from tests.helpers.hosts import kind_of

SHOWS: Final = 'import { views } from "gg"; views.openText("a", "b\\nc");'
KEEPS: Final = """
import { memories } from "gg";
memories.writeMemory({ name: "sums", description: "d", body: "b",
  code: "export function add(a: number, b: number) { return a + b; }",
  onUse: 'views.openText("used", "yes");' });
"""
IMPORTS: Final = (
    'import { add } from "sums"; import { views } from "gg"; views.openText("sum", String(add(1, 2)));'
)
ENDLESS: Final = "for (;;);"
FINISHES: Final = 'import { session } from "gg"; session.finish("done");'
LIMITS: Final = {
    "scope": "isolated",
    "maxCount": 0,
    "maxLenPerMemory": 0,
    "maxTotalLen": 0,
    "maxLenIndex": 0,
    "maxLenDescription": 0,
    "maxResults": 0,
}


class Server:
    """A service over one folder of records, and what its operator was told."""

    def __init__(self, folder: Path, **changes: object) -> None:
        self.folder = folder
        self.events: list[StampedEvent] = []
        self.told: list[str] = []
        self.document: dict[str, object] = {"task": "t", "model": "human", **changes}

    def run(self, act: Callable[[Service], Awaitable[object]]) -> None:
        async def main() -> None:
            plan = validate(self.document, base=self.folder.parent) if "agents" in self.document else None
            with Service(
                plan or served_plan(None), self.folder, watch=self.events.append, tell=self.told.append
            ) as service:
                await act(service)

        anyio.run(main)

    def programs(self, *programs: str) -> list[Answer]:
        answers = []

        async def act(service: Service) -> None:
            for program in programs:
                answers.append(await service.run_program(program))

        self.run(act)
        return answers

    @property
    def records(self) -> list[Path]:
        """Oldest first."""
        return [run.path for run in reversed(list_runs(self.folder))]


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    """Every record that is left behind is right in everything."""
    made = Server(tmp_path / "mcp")
    yield made
    for record in made.records:
        assert [check.problems for check in verify_record(RecordReader(record)) if check.problems] == []


def keeps(strategy: str) -> dict[str, Any]:
    memories = {"id": "memories", "implementation": strategy, "params": LIMITS}
    return {"agents": [{"id": "agent", "capabilities": [memories]}]}


def test_a_program_is_answered_with_what_an_agent_would_read(server: Server) -> None:
    rejected = "program.ts:1:7: error TS2322: Type 'string' is not assignable to type 'number'."
    shown, compiler, thrown, nothing = server.programs(
        SHOWS, 'const a: number = "";', 'throw new Error("no");', "1;"
    )

    assert shown == Answer(views=(Shown(title="View: a", text="b\nc"),))
    assert compiler.error is not None
    assert compiler.error.title == "Compiler error"
    assert compiler.error.text.splitlines()[0] == rejected
    assert thrown == Answer(error=Shown(title="Runtime error", text="Error: no\n    at program.ts:1:11"))
    assert [answer.failed for answer in (shown, compiler, thrown, nothing)] == [False, True, True, False]
    assert nothing.notices[0].startswith("The program ran and opened no view.")


def test_calls_of_its_memories_are_answered_as_tools_are(server: Server) -> None:
    note = json.dumps({"name": "n", "description": "d", "body": "b"})
    answers = []

    async def act(service: Service) -> None:
        assert [tool.name for tool in service.tools] == ["write_memory", "update_memory", "delete_memory"]
        for tool, arguments in (("write_memory", note), ("write_memory", note), ("read_file", "{}")):
            answers.append(await service.call(tool, arguments))

    server.run(act)

    written, again, other = answers
    assert json.loads(written.result or "")["revision"] == 1
    assert again.result == (
        "conflict: Cannot write `n`: there is one of that name, at revision 1."
        " Revise it with update_memory, or give write_memory another name."
    )
    assert other.result == "unavailable: read_file is not available to this agent."
    assert [answer.failed for answer in answers] == [False, True, True]


@pytest.mark.parametrize(
    ("strategy", "tools"),
    [
        ("markdown", ["create_memory", "read_memory", "edit_memory", "delete_memory"]),
        (
            "keyword-search",
            ["create_memory", "read_memory", "edit_memory", "delete_memory", "search_memories"],
        ),
    ],
)
def test_the_tools_are_those_of_the_strategy(server: Server, strategy: str, tools: list[str]) -> None:
    server.document |= keeps(strategy)

    async def act(service: Service) -> None:
        assert [tool.name for tool in service.tools] == tools

    server.run(act)


def test_a_read_by_a_call_loads_the_code_and_runs_its_script(server: Server) -> None:
    server.document |= keeps("markdown")
    creates = KEEPS.replace("writeMemory", "createMemory")
    answers = []

    async def act(service: Service) -> None:
        await service.run_program(creates)
        answers.append(await service.call("read_memory", '{"name": "sums"}'))
        answers.append(await service.run_program(IMPORTS))

    server.run(act)

    read, imported = answers
    assert read.result == '"b"'
    assert [view.title for view in read.views] == ["Documentation: sums.add", "View: used"]
    assert imported.views == (Shown(title="View: sum", text="3"),)


def test_an_update_by_a_call_leaves_the_code_and_a_deletion_takes_it_away(server: Server) -> None:
    answers = []

    async def act(service: Service) -> None:
        await service.run_program(KEEPS)
        update = json.dumps({"name": "sums", "description": "d", "body": "other"})
        await service.call("update_memory", update)
        answers.append(await service.run_program(IMPORTS))
        await service.call("delete_memory", '{"name": "sums"}')
        answers.append(await service.run_program(IMPORTS))

    server.run(act)

    kept, gone = answers
    assert kept.views == (Shown(title="View: sum", text="3"),)
    assert gone.error is not None
    assert 'Cannot import "sums"' in gone.error.text


def test_memories_and_their_code_outlive_the_server(server: Server) -> None:
    server.programs(KEEPS)

    (again,) = server.programs(IMPORTS)

    assert [view.title for view in again.views] == ["Documentation: sums.add", "View: sum"]
    assert again.views[-1].text == "3"
    assert len(server.records) == 2
    (store,) = RecordReader(server.records[-1]).view().stores.values()
    assert store.memories["sums"].on_use == 'views.openText("used", "yes");'


def test_modules_that_import_one_another_are_loaded_again_in_any_order(server: Server) -> None:
    write = (
        'import { memories } from "gg"; memories.%s({ name: "%s", description: "d", body: "b", code: `%s` });'
    )
    first = write % ("writeMemory", "one", "export const one = () => 1;")
    second = write % ("writeMemory", "two", 'import { one } from "one"; export const two = () => one() + 1;')
    changed = write % ("updateMemory", "one", "export const one = () => 10;")
    server.programs(first, second, changed)

    (again,) = server.programs(
        'import { two } from "two"; import { views } from "gg"; views.openText("a", String(two()));'
    )

    assert again.error is None
    assert again.views[-1].text == "11"


def test_a_run_that_was_finished_is_followed_by_another_with_its_memories(server: Server) -> None:
    _, finished, after = server.programs(KEEPS, FINISHES, IMPORTS)

    assert finished.end is not None
    assert finished.end.ending is not None
    assert (finished.end.status, finished.end.ending.summary) == ("completed", "done")
    assert after.views[-1].text == "3"


def test_a_call_that_is_canceled_stops_its_program(server: Server) -> None:
    answers = []

    async def act(service: Service) -> None:
        with anyio.move_on_after(0.3) as scope:
            await service.run_program(ENDLESS)
        assert scope.cancelled_caught
        answers.append(await service.run_program(SHOWS))

    server.run(act)

    assert answers[0].views == (Shown(title="View: a", text="b\nc"),)
    outcomes = [e.event for e in server.events if e.event.type == "turn_outcome"]
    assert [getattr(outcome, "error_type", None) for outcome in outcomes] == ["sandbox_stopped", None]


def test_a_call_that_is_canceled_while_it_waits_is_not_carried_out(server: Server) -> None:
    answers: list[Answer] = []

    async def act(service: Service) -> None:
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(service.run_program, ENDLESS)
            while not any(event.event.type == "model_reply" for event in server.events):
                await anyio.lowlevel.checkpoint()
            with anyio.move_on_after(0.2):
                await service.run_program(KEEPS)
            tasks.cancel_scope.cancel()
        answers.append(await service.call("delete_memory", '{"name": "sums"}'))

    server.run(act)

    assert answers[0].failed
    assert (answers[0].result or "").startswith("not-found: ")


def test_a_call_that_is_canceled_as_a_run_begins_leaves_one_run(server: Server) -> None:
    async def act(service: Service) -> None:
        await service.run_program(KEEPS)
        await service.run_program(FINISHES)
        with anyio.CancelScope() as scope:
            scope.cancel()
            await service.run_program(SHOWS)
        answer = await service.run_program(IMPORTS)
        assert answer.views[-1].text == "3"

    server.run(act)

    assert len(server.records) == 2


def test_calls_that_come_together_are_carried_out_one_after_another(server: Server) -> None:
    answers: list[Answer] = []

    async def act(service: Service) -> None:
        async def ask(number: int) -> None:
            program = f'import {{ views }} from "gg"; views.openText("n", "{number}");'
            answer = await service.run_program(program)
            assert answer.views == (Shown(title="View: n", text=str(number)),)
            answers.append(answer)

        async with anyio.create_task_group() as tasks:
            for number in range(5):
                tasks.start_soon(ask, number)

    server.run(act)

    assert len(answers) == 5


def test_a_ceiling_is_an_answer(server: Server) -> None:
    server.document |= {**keeps("scratchpad"), "sandbox": {"guestSecs": 0.2}}

    (answer,) = server.programs(ENDLESS)

    assert answer.error == Shown(title="Runtime error", text="Guest time: 0.2 s used, limit 0.2 s.")


def test_a_worker_that_is_killed_between_two_programs_is_replaced(server: Server) -> None:
    answers = []

    async def act(service: Service) -> None:
        await service.run_program(SHOWS)
        killed = _workers()
        for worker in killed:
            worker.kill()
        while not all(map(_is_dead, killed)):
            await anyio.lowlevel.checkpoint()
        answers.append(await service.run_program(SHOWS))

    server.run(act)

    assert answers[0].views == (Shown(title="View: a", text="b\nc"),)


@pytest.mark.slow
def test_a_defect_ends_the_run_and_the_next_call_begins_another(server: Server) -> None:
    answers = []

    async def act(service: Service) -> None:
        await service.run_program(KEEPS)
        async with anyio.create_task_group() as tasks:

            async def ask() -> None:
                answers.append(await service.run_program(ENDLESS))

            tasks.start_soon(ask)
            while not (busy := [worker for worker in _workers() if worker.cpu_times().user > 0.5]):
                await anyio.lowlevel.checkpoint()
            os.kill(busy[0].pid, signal.SIGKILL)
        answers.append(await service.run_program(IMPORTS))

    server.run(act)

    lost, after = answers
    assert lost.end is not None
    assert lost.end.status == "internal_error"
    assert [event.event.kind for event in server.events if isinstance(event.event, Defect)] == ["sandbox"]
    assert after.views[-1].text == "3"


def test_a_folder_has_one_server(server: Server) -> None:
    async def act(service: Service) -> None:
        with pytest.raises(FolderTaken, match=r"mcp cannot keep .*: another server keeps its memories there"):
            Service(served_plan(None), server.folder, watch=server.events.append, tell=server.told.append)

    server.run(act)


def test_a_folder_that_takes_no_record_any_more_is_named_with_its_option(server: Server) -> None:
    async def act(service: Service) -> None:
        await service.run_program(FINISHES)
        shutil.rmtree(server.folder)
        server.folder.symlink_to(server.folder.parent / "nowhere")
        with pytest.raises(FolderTaken, match=r"mcp cannot keep .*: file exists; name another with --record"):
            await service.run_program(SHOWS)
        server.folder.unlink()
        assert (await service.run_program(SHOWS)).views

    server.run(act)


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        ("return a", "return 'hunter2-hunter2'.length + a", "without its code"),
        ('"yes"', '"hunter2-hunter2"', "without its onUse"),
        ('"d"', '"hunter2-hunter2"', "with a mask in its description"),
        ('"b"', '"hunter2-hunter2"', "with a mask in its body"),
    ],
)
def test_what_held_a_secret_is_kept_as_far_as_the_record_has_it(
    server: Server, monkeypatch: pytest.MonkeyPatch, before: str, after: str, told: str
) -> None:
    monkeypatch.setenv("VENDOR_API_KEY", "hunter2-hunter2")
    server.programs(KEEPS.replace(before, after))

    (again,) = server.programs(IMPORTS)

    assert server.told == [f"the memory sums is kept {told}, which held a secret"]
    assert again.failed == (told == "without its code")
    (store,) = RecordReader(server.records[-1]).view().stores.values()
    memory = store.memories["sums"]
    assert "hunter2" not in str(memory)
    assert (memory.code is None, memory.on_use is None) == (
        told == "without its code",
        told == "without its onUse",
    )


def _workers() -> list[psutil.Process]:
    """The processes that run programs, and none of a compiler."""
    children = psutil.Process().children(recursive=True)
    return [child for child in children if kind_of(child) == "worker"]


def _is_dead(worker: psutil.Process) -> bool:
    try:
        return bool(worker.status() == psutil.STATUS_ZOMBIE)
    except psutil.NoSuchProcess:
        return True


def test_the_oldest_turns_leave_the_window_of_a_server_that_runs_for_long(server: Server) -> None:
    fills = """
import { views } from "gg";
for (let n = 0; n < 8; n++) views.openText(`%s ${n}`, "x".repeat(65_000));
"""
    lists = (
        'import { views } from "gg"; views.openText("all", views.current().map((v) => v.selector).join());'
    )

    *filled, listed = server.programs(*(fills % round_ for round_ in "abcdefgh"), lists)

    assert [len(answer.views) for answer in filled] == [8] * 8
    shown = set(listed.views[0].text.split(","))
    assert {f"h {n}" for n in range(8)} <= shown
    assert not {f"a {n}" for n in range(8)} & shown
    closed = [e.event for e in server.events if isinstance(e.event, View) and e.event.action == "closed"]
    assert {view.selector for view in closed} >= {f"a {n}" for n in range(8)}


def test_a_copy_of_the_agent_has_nobody_and_ends(server: Server) -> None:
    server.document |= {"agents": [{"id": "agent", "capabilities": [{"id": "delegation"}]}]}
    forks = 'import { delegation } from "gg"; delegation.fork();'
    waits = """
import { delegation, views } from "gg";
const ended = delegation.waitForSubagents().map((child) => [child.id, child.status]);
views.openText("ended", JSON.stringify(ended));
"""

    _, ended = server.programs(forks, waits)

    assert ended.views == (Shown(title="View: ended", text='[["agent-2","canceled"]]'),)
