"""An agent with a shell, beside a store of records that is none of its business."""

import json
import sys
from pathlib import Path
from typing import Final

import pytest

from host.app.record_home import init_keys, open_store
from runtime_js import Compiler
from tests.e2e.test_shell import output_of, ran

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the store is hidden on Linux alone")

TEXT: Final = "Escalate refund disputes to a person."
GG: Final = Path(sys.executable).with_name("gg")


@pytest.fixture
def lesson(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A lesson that waits in the store of this user, which is under the default of `HOME`."""
    monkeypatch.setenv("HOME", str(tmp_path / "user"))
    monkeypatch.delenv("XDG_DATA_HOME", raising=False)
    monkeypatch.delenv("G6_HOME")
    monkeypatch.setenv("GG_SENSITIVE", "1")
    (tmp_path / "w").mkdir()
    environ = {"HOME": str(tmp_path / "user")}
    init_keys(environ)
    with open_store(environ) as store:
        record, _ = store.put(text=TEXT, written_by="model:planner", kind="lesson")
    return record.id


def said(command: str, compiler: Compiler, folder: Path) -> str:
    """What the command of an agent shows."""
    asked = (
        'import { shell, views } from "gg";\n'
        f'views.openText("told", JSON.stringify(shell.shell({json.dumps(command)})));\n'
    )
    others = {"shell": {"params": {"dir": "w", "env": ["G6_HOME", "GG_SENSITIVE"]}}}
    done = ran(folder / "r", "responses_as_code", compiler, asked, others=others)
    return output_of(done, "responses_as_code")


ATTEMPTS = [
    pytest.param("env; ls -la ~/.local/share/g6", id="looks"),
    pytest.param("cat ~/.local/share/g6/keys/* ~/.local/share/g6/memory/*", id="reads"),
    pytest.param(f"{GG} records recall --proposed", id="asks gg"),
    pytest.param(
        f"{GG} records recall --proposed --store ~/.local/share/g6/memory/ctx_ace.db", id="by its path"
    ),
    pytest.param(f"GG_SENSITIVE=1 {GG} records approve ID --reviewer Sam --reason ok", id="approves"),
    pytest.param(f"GG_SENSITIVE=1 {GG} records forget ID --reason ok", id="forgets"),
    pytest.param(
        "rm -rf ~/.local/share/g6; mv ~/.local/share/g6 seen; cat seen/memory/*", id="takes it away"
    ),
]


@pytest.mark.slow
@pytest.mark.parametrize("command", ATTEMPTS)
def test_no_command_sees_the_store_or_changes_it(
    command: str, lesson: str, compiler: Compiler, tmp_path: Path
) -> None:
    key = (tmp_path / "user/.local/share/g6/keys/records.key").read_text().strip()
    shown = said(command.replace("ID", lesson), compiler, tmp_path)

    assert TEXT not in shown
    assert key not in shown
    assert "GG_SENSITIVE=" not in shown
    with open_store({"HOME": str(tmp_path / "user")}) as store:
        assert [hit.record.id for hit in store.recall(proposed=True).current] == [lesson]
        assert store.verify().code == "G6_E_MEMORY_VERIFIED"
