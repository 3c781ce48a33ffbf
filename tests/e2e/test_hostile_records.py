"""Session records that somebody else wrote: what is damaged is refused, and no text of one reaches a terminal
as it is.
"""

import json
import random
import re
import shutil
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Final

import pytest

from host.events import RecordError, RecordReader, glance_at
from host.events.encoding import mask_event, stamped_fields, to_json
from runtime_js import Compiler
from tests.helpers.runs import FINISH, SCRATCHPAD, run_agent
from tests.host.cli.processes import gg

EVIL: Final = "\x1b[2J\x1b]0;owned\x07\x9b31m\u202egnp\r\nTurn 99\n"
CONTROLS: Final = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
NOTE: Final = {
    "name": "a",
    "description": "b",
    "body": "c",
    "code": "export const n = 1;",
    "onUse": 'views.openText("used", "d");',
}
PROGRAM: Final = f"""\
import {{ memories, views }} from "gg";
memories.writeMemory({json.dumps(NOTE)});
views.openText("label", "body");
console.log("a line");
"""
FILES: Final = ("events.ndjson", "run.json")
TOKENS: Final = (
    b"",
    b"null",
    b"9" * 5_000,
    b"-1",
    b"1e400",
    b"NaN",
    b"[" * 50_000,
    b'"\\ud800"',
    b"\xff",
    b"\n",
    b"{}",
)


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory, compiler: Compiler) -> Path:
    """One of a run with a memory, a failed program, a view and a log."""
    out = tmp_path_factory.mktemp("record") / "record"
    ran = run_agent(out, [PROGRAM, "nothing();", FINISH], compiler=compiler, memories=SCRATCHPAD)
    assert ran.result.status == "completed"
    return out


@pytest.mark.slow
def test_no_text_of_a_record_reaches_a_terminal_as_it_is(record: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(record, copy)
    with (copy / "events.ndjson").open("w") as file:
        for stamped in RecordReader(record).events():
            event, _ = mask_event(stamped.event, lambda text: EVIL + text)  # every free text
            evil = replace(stamped, event=event, run=EVIL, agent_id=EVIL, originals=())
            file.write(f"{to_json(stamped_fields(evil))}\n")

    RecordReader(copy).view()  # for all of it is read
    for command in (
        ("show", copy),
        ("show", copy, "--json"),
        ("show", copy, "--window"),
        ("runs", tmp_path),
        ("check", copy),
    ):
        done = gg(*command, cwd=tmp_path)
        assert done.returncode in (0, 1), done.stderr
        assert "fault of gg's own" not in done.stderr
        assert CONTROLS.findall(done.stdout + done.stderr) == []
        assert "\nTurn 99" not in done.stdout
    assert "owned" in gg("show", copy, cwd=tmp_path).stdout


def test_a_damaged_record_is_read_or_refused(
    record: Path, tmp_path: Path, fuzz_seed: int, fuzz_examples: int
) -> None:
    chance = random.Random(fuzz_seed)
    copy = tmp_path / "copy"
    shutil.copytree(record, copy)
    before = {name: (record / name).read_bytes() for name in FILES}
    refused = 0
    for _ in range(max(20, fuzz_examples // 10)):
        for name, content in before.items():
            (copy / name).write_bytes(damaged(content, chance))
        for look in looks(copy):
            with suppress(RecordError):
                look()
                continue
            refused += 1

    assert refused > 0


def looks(directory: Path) -> Iterator[Callable[[], object]]:
    """What is done with a record; whatever is not `RecordError` fails the test."""
    yield lambda: RecordReader(directory).view()
    yield lambda: RecordReader(directory).module_state("root")
    yield lambda: list(RecordReader(directory).events().from_end(most_bytes=1_000))
    yield lambda: glance_at(directory)


def damaged(content: bytes, chance: random.Random) -> bytes:
    for _ in range(chance.randint(0, 2)):
        at = chance.randrange(len(content))
        to = min(len(content), at + chance.choice((0, 1, 5, 500)))
        content = content[:at] + chance.choice(TOKENS) + content[to:] or b"x"
    return content
