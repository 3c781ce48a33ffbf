"""A run that edits, searches and looks at a picture; what it is asked with next, and what is recorded."""

import base64
import hashlib
from pathlib import Path

import pytest

from host.core.messages import Image
from host.events import ApiCall, Prompt, PromptImage, View
from runtime_js import Compiler
from tests.helpers.runs import FINISH, run_agent

PNG = b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 8
WORK = """\
import { files, views } from "gg";

const matches = files.search("retries = \\\\d+", { path: "src" });
for (const match of matches) files.editFile(match.path, match.text, "retries = 5");
const read = views.openFile("./shots/plan.png");
views.openText("done", [
  ...matches.map((match) => `${match.path}:${match.line} ${match.text}`),
  files.readTextFile("src/main.py"),
  read.kind === "image" ? `${read.label} ${read.shown}` : read.contents,
].join("\\n"));
"""
PICTURE_AGAIN = 'import { views } from "gg";\nviews.openFile("shots/plan.png");\n'
CLOSE = 'import { views } from "gg";\nviews.close("./shots/plan.png");\nviews.openText("a", "b");\n'


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    root = tmp_path / "workspace"
    (root / "src").mkdir(parents=True)
    (root / "shots").mkdir()
    (root / "build").mkdir()
    (root / ".gitignore").write_text("build/\n")
    (root / "build" / "main.py").write_text("retries = 3\n")
    (root / "src" / "main.py").write_bytes(b"wait = 1\r\nretries = 3\r\n")
    (root / "shots" / "plan.png").write_bytes(PNG)
    return root


def test_a_program_searches_edits_and_looks(tmp_path: Path, workspace: Path, compiler: Compiler) -> None:
    files = {"params": {"dir": str(workspace), "write": True}}

    ran = run_agent(tmp_path / "out", [WORK, PICTURE_AGAIN, CLOSE, FINISH], compiler=compiler, files=files)

    assert ran.result.status == "completed"
    assert (workspace / "src" / "main.py").read_bytes() == b"wait = 1\r\nretries = 5\r\n"
    assert ran.told(1) == [
        "File: shots/plan.png\n----",
        "View: done\n----\n"
        "src/main.py:2 retries = 3\nwait = 1\r\nretries = 5\r\n\npicture image/png, 2 KiB true",
    ]
    picture = Image("image/png", PNG)
    assert [[m.images for m in prompt if m.images] for prompt in ran.prompts] == [
        [],
        [(picture,)],
        [(picture,), (picture,)],
        [(picture,)],
    ]
    assert all(event.ok for event in ran.of(ApiCall))


def test_the_record_has_a_picture_by_its_hash(tmp_path: Path, workspace: Path, compiler: Compiler) -> None:
    files = {"params": {"dir": str(workspace)}}

    ran = run_agent(tmp_path / "out", [PICTURE_AGAIN, FINISH], compiler=compiler, files=files)

    opened = ran.of(View)[0]
    assert (opened.action, opened.selector, opened.bytes, opened.media_type) == (
        "opened",
        "shots/plan.png",
        len(PNG),
        "image/png",
    )
    second = ran.of(Prompt)[1]
    sha256 = hashlib.sha256(PNG).hexdigest()
    assert [message.images for message in second.new_messages if message.images] == [
        (PromptImage(media_type="image/png", bytes=len(PNG), sha256=sha256),)
    ]
    log = (tmp_path / "out" / "events.ndjson").read_text()
    assert base64.b64encode(PNG).decode()[:20] not in log


NO_NARROWING = 'import { files } from "gg";\nconsole.log(files.readFile("src/main.py").contents);\n'


def test_a_read_that_may_be_a_picture_has_to_be_told_apart(
    tmp_path: Path, workspace: Path, compiler: Compiler
) -> None:
    files = {"params": {"dir": str(workspace)}}

    ran = run_agent(tmp_path / "out", [NO_NARROWING, FINISH], compiler=compiler, files=files)

    assert ran.told(1) == [
        "Compiler error\n----\n"
        "program.ts:2:43: error TS2339: Property 'contents' does not exist on type 'FileRead'."
        " Property 'contents' does not exist on type 'ImageRead'.\n"
        '  2 | console.log(files.readFile("src/main.py").contents);\n'
        "    |                                           ^"
    ]
