"""Completion, as a shell asks for it."""

import shutil
import subprocess
from pathlib import Path

import pytest
from click.shell_completion import BashComplete

from host.cli.main import cli
from tests.helpers.skillbooks import skill
from tests.host.app.runs.records import begun, ended
from tests.host.cli.processes import GG, environment, gg
from tests.host.cli.skillbook.books import written
from tests.host.events.stores import PlainStore


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A working directory with two records, a configuration and a folder."""
    ended(tmp_path / ".gg/runs/20261129-aa")
    store = PlainStore("one")
    events = [*store.write("csv-tools", "x"), *store.write("csv-notes", "y"), *store.write("other", "z")]
    begun(tmp_path / ".gg/runs/20261130-bb", *events, day=1).close()
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken/events.ndjson").write_text("damage")
    skills = (skill("a-1"), skill("a-2", active=False, review="pending"), skill("a-3", active=False))
    written(*skills, at=tmp_path / ".gg/skillbook.json")
    (tmp_path / "study.json").write_text("{}")
    return tmp_path


def asked(words: str, shell: str) -> dict[str, str]:
    """The variables by which a shell asks for the last of the words, which may be empty."""
    *_, last = places = words.split(" ")
    word = last if shell == "fish" else str(len(places) - 1)
    return {"_GG_COMPLETE": f"{shell}_complete", "COMP_WORDS": words, "COMP_CWORD": word}


def completed(words: str, folder: Path, shell: str = "bash") -> list[str]:
    ran = subprocess.run(
        [str(GG)],
        cwd=folder,
        env={**environment(), **asked(words, shell)},
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert ran.stderr == ""
    return ran.stdout.split()


OFFERED = [
    ("gg sh", ["plain,show"]),
    ("gg xyz", []),
    ("gg --v", ["plain,--version"]),
    ("gg show --m", ["plain,--memory"]),
    ("gg completion ", ["plain,bash", "plain,zsh", "plain,fish"]),
    ("gg run stu", ["file,stu"]),
    ("gg validate stu", ["file,stu"]),
    ("gg run x --out ", ["file,"]),
    ("gg show ", ["plain,20261130-bb", "plain,20261129-aa", "plain,last"]),
    ("gg show 20261129", ["plain,20261129-aa"]),
    ("gg show ./", ["dir,./"]),
    ("gg show 20261130-bb --memory ", ["plain,csv-notes", "plain,csv-tools", "plain,other"]),
    ("gg show last --memory csv-t", ["plain,csv-tools"]),
    ("gg show --memory csv-t", ["plain,csv-tools"]),
    ("gg show 20261129-aa --memory a", ["plain,a"]),
    ("gg show 20261129-aa --agent ", ["plain,root"]),
    ("gg show 20261129-aa --agent root --agent r", ["plain,root"]),
    ("gg show 20261129-aa --agent s", []),
    ("gg show broken --agent r", []),
    ("gg show nowhere --memory c", []),
    ("gg show broken --memory c", []),
    ("gg rec", ["plain,records"]),
    ("gg records s", ["plain,search", "plain,supersede", "plain,status"]),
    ("gg records put x --st", ["plain,--stale-after", "plain,--store"]),
    ("gg records search x --kind ", ["plain,note", "plain,lesson"]),
    ("gg records promote 20261129", ["plain,20261129-aa"]),
    ("gg records promote 20261129-aa --agent ", ["plain,root"]),
    ("gg skillbook re", ["plain,remove", "plain,restore", "plain,review"]),
    ("gg skillbook tag ", ["plain,a-1", "plain,a-2"]),
    ("gg skillbook restore a", ["plain,a-3"]),
    ("gg skillbook review --accept ", ["plain,a-2"]),
    ("gg skillbook tag a-1 h", ["plain,helpful", "plain,harmful"]),
    ("gg skillbook show --book none.json a", []),
    ("gg skillbook show --book broken/events.ndjson a", []),
    ("gg runs ", ["plain,prune"]),
    ("gg runs p", ["plain,prune"]),
    ("gg runs .g", ["dir,.g"]),
    ("gg runs --j", ["plain,--json"]),
    ("gg runs --json ", ["dir,"]),
    ("gg runs prune --k", ["plain,--keep"]),
]


@pytest.mark.parametrize(("words", "offered"), OFFERED)
def test_what_fits_is_offered(
    words: str, offered: list[str], folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)
    for name, value in asked(words, "bash").items():
        monkeypatch.setenv(name, value)

    assert BashComplete(cli, {}, "gg", "_GG_COMPLETE").complete().split() == offered


@pytest.mark.slow
def test_a_shell_asks_gg_itself(folder: Path) -> None:
    assert completed("gg show last --memory csv-t", folder) == ["plain,csv-tools"]
    assert completed("gg show broken --memory c", folder) == []


@pytest.mark.slow
def test_every_shell_has_a_form_of_its_own(folder: Path) -> None:
    assert completed("gg sh", folder, "zsh") == ["plain", "show", "Show", "the", "record", "of", "a", "run."]
    assert completed("gg show l", folder, "fish") == ["plain,last"]


@pytest.mark.parametrize(
    ("shell", "words"), [("bash", "complete -o"), ("zsh", "#compdef gg"), ("fish", "complete --no")]
)
def test_the_script_is_printed(shell: str, words: str, tmp_path: Path) -> None:
    ran = gg("completion", shell, cwd=tmp_path)

    assert (ran.returncode, ran.stderr) == (0, "")
    assert words in ran.stdout
    assert f"_GG_COMPLETE={shell}_complete" in ran.stdout


IN_BASH = [
    ("gg sho", "show"),
    ("gg show la", "last"),
    ("gg show 20261130-bb --memory csv-t", "csv-tools"),
    ("gg runs --js", "--json"),
]


@pytest.mark.slow
@pytest.mark.parametrize(("words", "completion"), IN_BASH)
def test_bash_completes(words: str, completion: str, folder: Path) -> None:
    bash = shutil.which("bash")
    if bash is None:
        pytest.skip("bash is not installed")
    script = (
        "source <(gg completion bash)\n"
        f"COMP_WORDS=({words}); COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1))\n"
        'declare -a found=($(complete -p gg)); "${found[4]}" gg\n'
        'printf "%s\\n" "${COMPREPLY[@]}"\n'
    )
    variables = {**environment(), "PATH": f"{GG.parent}:{environment()['PATH']}"}

    ran = subprocess.run(
        [bash, "--norc", "-c", script], cwd=folder, env=variables, capture_output=True, text=True, timeout=60
    )

    assert (ran.stdout, ran.stderr) == (f"{completion}\n", "")
