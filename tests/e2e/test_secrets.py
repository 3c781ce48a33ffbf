"""Secrets of the operator's environment that come into an agent's reach: neither the record nor the model
gets them, whole or in part, wherever a text was cut.
"""

import json
import threading
from pathlib import Path
from typing import Any, Final

import pytest

from host.agents.texts import MAX_QUOTED_CHARS
from host.core.hashing import sha256_of
from host.events import (
    AgentEnded,
    MemoryRevision,
    MemorySearch,
    Original,
    RecordReader,
    fold_memories,
    verify_record,
)
from host.tools import ServersFailed
from runtime_js import Compiler
from tests.helpers.acts import (
    Act,
    approves,
    asks_for,
    awaits_issues,
    finishes,
    requests,
    sends,
    spawns,
    waits,
)
from tests.helpers.mcp_servers.web import Exchange, RawApp, serving
from tests.helpers.runs import FINISH, FINISHES, MARKDOWN, SCRATCHPAD, Ran, calls, run_agent
from tests.helpers.teams import Script, after, failed_checks, run_team, says, starts

SECRET: Final = "s3cret-value-of-the-operator-0123456xyz"
KEY: Final = (
    "-----BEGIN KEY-----\nQWxhZGRpbjpvcGVuIHNlc2FtZQ==\nMIIEvQIBADANBgkqhkiG9w0B\n-----END KEY-----\n"
)
MARKED: Final = "[masked:DEPLOY_TOKEN]"

READ: Final = (
    'import { files, memories, views } from "gg";\nconst secret = files.readTextFile("token.txt");\n'
)
# What is done with the secret, and what marks its place then.
USES: Final = {
    "whole, in a view": ('views.openText("v", `<${secret}>`);', f"<{MARKED}>"),
    "whole, in a memory": (
        'memories.writeMemory({ name: "a", description: secret, body: secret });',
        MARKED,
    ),
    "cut, in a line of the log": ('console.log("x".repeat(2030) + secret);', f"xx{MARKED}…"),
    "cut, in an error": ('throw new Error("x".repeat(8090) + secret);', f"xx{MARKED}\n("),
    "cut, in a thrown text": ('throw "x".repeat(16370) + secret;', "Uncaught value: xx"),
    "cut, in the quotation of a refusal": (
        'files.readTextFile("x".repeat(100) + secret);',
        f"xx{MARKED}…",
    ),
    "cut, in the view of a file": ('views.openFile("long.txt", { maxLineChars: 110 });', f"xx{MARKED}…"),
    "cut, in a diagnostic": (f'const wrong: number = "{"x" * 50}{SECRET}{"x" * 99}";', MARKED),
    "in lines of its own": (
        'views.openText("v", files.readTextFile("key.txt").replaceAll("\\n", "\\n> "));',
        "> [masked:",
    ),
    "in lines of an error": ('throw new Error(files.readTextFile("key.txt"));', "| [masked:SIGNING_KEY]"),
}


def run(program: str, folder: Path, compiler: Compiler, *, secret: str = SECRET) -> Ran:
    workspace = folder / "workspace"
    workspace.mkdir()
    (workspace / "token.txt").write_text(secret)
    (workspace / "long.txt").write_text(f"{'x' * 100}{'' if secret == SECRET else ' '}{secret}\n")
    (workspace / "longer.txt").write_text(f"{'x ' * 40}{secret} needle {'y ' * 40}{secret}\n")
    (workspace / "key.txt").write_text(KEY)
    return run_agent(
        folder / "record",
        [READ + program, FINISH],
        compiler=compiler,
        memories=SCRATCHPAD,
        files={"params": {"dir": str(workspace)}},
    )


@pytest.mark.parametrize("name", USES)
def test_no_part_of_a_secret_is_told_or_recorded(
    name: str, tmp_path: Path, compiler: Compiler, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DEPLOY_TOKEN", SECRET)
    monkeypatch.setenv("SIGNING_KEY", KEY)
    program, marked = USES[name]

    ran = run(program, tmp_path, compiler)

    written = [path.read_text() for path in (tmp_path / "record").rglob("*") if path.is_file()]
    told = "\n".join(message.text for prompt in ran.prompts for message in prompt)
    assert marked in told or json.dumps(marked)[1:-1] in "".join(written)
    for part in (SECRET[:4], SECRET[-4:], SECRET[15:23], "QWxhZGRpbjpv", "MIIEvQIBADAN"):
        assert part not in told
        assert [text for text in written if part in text] == []


SHAPED: Final = "sk-Qm3vX9kTbLw7RzYp2NdHc5sJf8"  # in no variable: its shape alone tells what it is
CUTS: Final = {
    **{name: USES[name][0] for name in USES if "lines" not in name},
    "cut, by a search of a file": 'views.openText("v", JSON.stringify(files.search("needle")));',
    "cut, by a search of memories": (
        'memories.writeMemory({ name: "a", description: "d", body: `${"x ".repeat(50)}${secret} find me`});\n'
        'views.openText("v", JSON.stringify(memories.searchMemories(["find"])));'
    ),
    "cut, in the closest line of a refusal": (
        'const body = `${"x".repeat(100)} ${secret} and its ends`;\n'
        'memories.writeMemory({ name: "a", description: "d", body });\n'
        'memories.editMemory({ name: "a", search: `${"x".repeat(99)}y and its ends`, replace: "z" });'
    ),
    "cut, in a name that is not known": "(memories as any).readMemory(`${'x'.repeat(50)} ${secret}`);",
}


@pytest.mark.parametrize("name", CUTS)
def test_of_a_secret_that_its_shape_tells_no_part_is_told_or_recorded(
    name: str, tmp_path: Path, compiler: Compiler
) -> None:
    program = CUTS[name].replace(SECRET, f" {SHAPED} ").replace(") + secret", ') + " " + secret')
    ran = run(program, tmp_path, compiler, secret=SHAPED)

    written = [path.read_text() for path in (tmp_path / "record").rglob("*") if path.is_file()]
    told = "\n".join(message.text for prompt in ran.prompts for message in prompt)
    parts = [SHAPED[at : at + 6] for at in range(3, len(SHAPED) - 6)]
    assert ran.result.status == "completed"
    assert [part for part in parts if part in told] == []
    assert [part for part in parts for text in written if part in text] == []


def test_the_headers_of_a_server_are_secrets_whatever_their_variables_are_called(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DOCS", SECRET)
    program = {"text": f"Authorization was {SECRET}"}
    with serving(RawApp(token=SECRET)) as url:
        ran = run_agent(
            tmp_path / "record",
            [calls(("raw__echo", program)), FINISHES],
            execution="tool_calling",
            others={
                "tools": {"params": {"mcp": {"raw": {"url": url, "headersFrom": {"Authorization": "DOCS"}}}}}
            },
        )

    written = [path.read_text() for path in (tmp_path / "record").rglob("*") if path.is_file()]
    assert ran.answers(1) == ['"Authorization was [masked:DOCS]"']
    assert [text for text in written if SECRET in text] == []


def test_a_server_that_refuses_a_header_and_repeats_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DOCS", SECRET)
    with serving(Repeating()) as url, pytest.raises(ServersFailed) as failed:
        run_agent(
            tmp_path / "record",
            [FINISHES],
            execution="tool_calling",
            others={"tools": {"params": {"mcp": {"raw": {"url": url, "headersFrom": {"X-Docs": "DOCS"}}}}}},
        )

    assert "answered HTTP 401 Unauthorized: no such token: [masked:DOCS]" in str(failed.value)
    assert SECRET not in str(failed.value)


class Repeating:
    """A server that lets nobody in, and tells each the header that was sent."""

    async def __call__(self, scope: dict[str, Any], receive: Any, send: Any) -> None:  # noqa: ANN401
        if scope["type"] == "http":
            given = dict(scope["headers"])[b"x-docs"]
            await Exchange(receive, send).answer(401, b"no such token: " + given, "text/plain")


def test_what_a_program_does_not_read_it_does_not_know(
    tmp_path: Path, compiler: Compiler, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DEPLOY_TOKEN", SECRET)
    monkeypatch.setenv("PLAIN", "value-of-the-environment")
    program = """\
const names = Object.getOwnPropertyNames(globalThis).join();
views.openText("v", [typeof globalThis, names, new Error().stack].join("\\n"));
"""

    told = run(program, tmp_path, compiler).told(1)

    assert told[0].startswith("View: v\n----\n")
    assert not [word for word in ("masked", "DEPLOY", "PLAIN", "value-of", str(tmp_path)) if word in told[0]]


def test_memories_that_hold_secrets_are_masked_wherever_they_are_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    spaced, mixed = "first-line \t of it\nsecond-line", "Mixed-Case-0123456789"
    monkeypatch.setenv("SIGNING_KEY", spaced)
    monkeypatch.setenv("DEPLOY_TOKEN", mixed)
    ran = run_agent(
        tmp_path / "record",
        [
            calls(
                ("create_memory", {"name": mixed, "description": mixed, "contents": f"<{spaced}>"}),
                ("create_memory", {"name": "x" * 50 + mixed, "contents": "b"}),
                ("read_memory", {"name": spaced}),
                ("search_memories", {"keywords": [mixed, spaced, "line"]}),
                ("edit_memory", {"name": mixed, "old_string": spaced, "new_string": mixed}),
                ("search_memories", {"keywords": ["case"]}),
            ),
            FINISHES,
        ],
        execution="tool_calling",
        memories={**MARKDOWN, "implementation": "keyword-search"},
    )

    found, second = (json.loads(ran.answers(1)[place])["hits"] for place in (3, 5))
    assert [(hit["name"], hit["description"], hit["excerpt"]) for hit in (*found, *second)] == [
        (MARKED, MARKED, "<[masked:SIGNING_KEY]>"),
        (MARKED, MARKED, f"<{MARKED}>"),
    ]
    assert [search.keywords for search in ran.of(MemorySearch)] == [
        (MARKED, "[masked:SIGNING_KEY]", "line"),
        ("case",),
    ]
    assert [check for check in verify_record(RecordReader(ran.result.record)) if not check.ok] == []
    written = [path.read_text() for path in (tmp_path / "record").rglob("*") if path.is_file()]
    told = [message.text for prompt in ran.prompts for message in prompt]
    for part in ("first-line", "second-line", "Mixed-", "mixed-case"):
        assert [text for text in (*told, *written) if part in text] == []


ONE: Final = "sk-abcdefghijklmnopqrstuv"
OTHER: Final = "sk-zyxwvutsrqponmlkjihgfe"


def test_memories_whose_names_are_masked_alike_are_told_apart(tmp_path: Path) -> None:
    def write(name: str, body: str, tool: str = "write_memory") -> tuple[str, dict[str, str]]:
        return tool, {"name": name, "description": "d", "body": body}

    ran = run_agent(
        tmp_path / "record",
        [
            calls(write(ONE, "1"), write(OTHER, "22"), write("third", f"password = '{ONE[3:]}'")),
            calls(write(OTHER, "333", "update_memory"), ("delete_memory", {"name": ONE})),
            FINISHES,
        ],
        execution="tool_calling",
        memories=SCRATCHPAD,
    )

    reader = RecordReader(ran.result.record)
    (store,) = fold_memories(reader.events()).values()
    assert [check for check in verify_record(reader) if not check.ok] == []
    assert {name: memory.body for name, memory in store.memories.items()} == {
        "[REDACTED]": "333",
        "third": "password = '[REDACTED]'",
    }


def test_an_event_says_how_long_a_scrubbed_text_was_and_what_its_hash_is(tmp_path: Path) -> None:
    body = f"the key is {ONE}"
    ran = run_agent(
        tmp_path / "record",
        [calls(("write_memory", {"name": "a", "description": "d", "body": body})), FINISHES],
        execution="tool_calling",
        memories=SCRATCHPAD,
    )

    (written,) = [stamped for stamped in ran.events if isinstance(stamped.event, MemoryRevision)]
    assert written.originals == (Original(field="body", length=len(body), sha256=sha256_of(body)),)
    assert isinstance(written.event, MemoryRevision)
    assert (written.event.body, written.event.len) == ("the key is [REDACTED]", len(body))
    on_disk = (tmp_path / "record" / "events.ndjson").read_text().splitlines()[written.seq - 1]
    assert json.loads(on_disk)["masked"] is True


def test_arguments_of_a_tool_stay_json_for_whoever_is_sent_them(tmp_path: Path) -> None:
    arguments = {"name": "a", "description": "d", "body": "b", "password": 12345678, "note": f'"{ONE}"'}
    ran = run_agent(
        tmp_path / "record",
        [calls(("write_memory", arguments)), FINISHES],
        execution="tool_calling",
        memories=SCRATCHPAD,
    )

    (call,) = [call for message in ran.prompts[1] for call in message.tool_calls]
    assert json.loads(call.arguments) == {**arguments, "password": "[REDACTED]", "note": '"[REDACTED]"'}


def test_no_part_of_a_secret_goes_from_one_agent_to_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As a task, a message, what one finished with, whole or cut, and in all that is said of an issue."""
    monkeypatch.setenv("DEPLOY_TOKEN", SECRET)
    monkeypatch.setenv("SIGNING_KEY", KEY)
    sent, ended = threading.Event(), threading.Event()

    def goes_on() -> tuple[Act, ...]:
        sent.set()
        assert ended.wait(60)
        return (waits("reader-2"), asks_for(SECRET, KEY), awaits_issues())

    cut = "x" * (MAX_QUOTED_CHARS - 20) + SECRET
    begins = (spawns("reader", SECRET), spawns("reader", KEY), sends("reader", KEY))
    script: Script = {
        "lead": [begins, goes_on, (waits("reader"),), (finishes(),)],
        "reader": [after(lambda: sent.wait(60), waits()), (finishes(cut),)],
        "reader-2": [(finishes(KEY),)],
        "dev": [(finishes(KEY),)],
        "judge": [(requests(KEY, SECRET),)],
        "dev-2": [(finishes(SECRET),)],
        "judge-2": [(approves(),)],
        "dev-3": [(finishes(KEY),)],
    }
    agents: dict[str, Any] = {"lead": {"roster": starts("reader")}, "reader": {}, "dev": {}, "judge": {}}
    board = {"implementer": "dev", "reviewer": "judge", "merge": "dev"}
    ran = run_team(tmp_path / "record", script, agents, board=board, change=says(ended, AgentEnded, "reader"))

    assert (ran.result.status, failed_checks(ran), len(ran.prompts)) == ("completed", [], 8)
    written = [path.read_text() for path in (tmp_path / "record").rglob("*") if path.is_file()]
    told = [message.text for prompts in ran.prompts.values() for prompt in prompts for message in prompt]
    assert any(f"xx{MARKED}…" in text for text in told)
    for part in (SECRET[:4], SECRET[-4:], SECRET[15:23], "QWxhZGRpbjpv", "MIIEvQIBADAN"):
        assert [text for text in (*told, *written) if part in text] == []
