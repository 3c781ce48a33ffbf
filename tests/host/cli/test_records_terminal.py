"""`gg records` in processes of its own: on a terminal, in a pipe, and when it is stopped."""

import json
import re
from pathlib import Path
from typing import Final

import pytest

from host.records import Store
from tests.host.cli.processes import Step, environment, gg, on_terminal, start_gg

NOTE: Final = "The billing export runs at 02:00 UTC and takes about 40 minutes, says the runbook of the team."
QUESTION: Final = "yes or no?"


def without_escapes(shown: str) -> str:
    return re.sub(r"\x1b\[[\d;?]*[A-Za-z]", "", shown)


@pytest.fixture
def ids(tmp_path: Path) -> tuple[str, str]:
    """The ids of a note and of a lesson in `a.db`."""
    with Store(tmp_path / "a.db") as store:
        note, _ = store.put(text=NOTE, written_by="agent:ops", tags=["billing"])
        lesson, _ = store.put(text="Ask first.\nThen run.", written_by="model:planner", kind="lesson")
    return note.id, lesson.id


def left(folder: Path) -> list[tuple[str, str]]:
    """The text and the status of each record that is left."""
    with Store(folder / "a.db") as store:
        hits = [*store.recall().current, *store.recall(proposed=True).current]
    return sorted((hit.record.text[:10], hit.record.status) for hit in hits)


KEPT: Final = [("Ask first.", "proposed"), ("The billin", "note")]
FORGET: Final = ("forget", "--tag", "billing", "--reason", "asked for")
APPROVE: Final = ("approve", "ID", "--reviewer", "Sam Rivera", "--reason", "it is so")
ASKED = [
    pytest.param(FORGET, "yes\n", [("Ask first.", "proposed")], id="forget, yes"),
    pytest.param(FORGET, "Y\n", [("Ask first.", "proposed")], id="forget, y"),
    pytest.param(FORGET, "no\n", KEPT, id="forget, no"),
    pytest.param(FORGET, "\n", KEPT, id="forget, nothing"),
    pytest.param(FORGET, "\x04", KEPT, id="forget, the end"),
    pytest.param((*FORGET, "--json"), "yes\n", [("Ask first.", "proposed")], id="forget, in JSON"),
    pytest.param(APPROVE, "yes\n", [("Ask first.", "approved"), ("The billin", "note")], id="approve, yes"),
    pytest.param(APPROVE, "n\n", KEPT, id="approve, no"),
]


@pytest.mark.slow
@pytest.mark.parametrize(("arguments", "typed", "after"), ASKED)
def test_a_person_is_asked_and_shown_what_it_is_about(
    arguments: tuple[str, ...], typed: str, after: list[tuple[str, str]], ids: tuple[str, str], tmp_path: Path
) -> None:
    spelt = [ids[1][:8] if each == "ID" else each for each in arguments]
    code, shown = on_terminal(
        "records", *spelt, "--store", "a.db", cwd=tmp_path, steps=[(QUESTION, typed)], columns=100
    )
    plain = without_escapes(shown)

    assert code == (0 if after != KEPT else 1), plain
    assert left(tmp_path) == after
    assert ("│ Then run." if arguments[0] == "approve" else "The billing export runs at 02:00") in plain
    assert ("it was not confirmed; nothing was changed" in plain) == (after == KEPT)


@pytest.mark.slow
def test_what_was_not_shown_does_not_go(ids: tuple[str, str], tmp_path: Path) -> None:
    def meanwhile() -> None:
        with Store(tmp_path / "a.db") as store:
            store.put(text="Newer.", written_by="user", tags=["billing"])

    steps: list[Step] = [("To be removed", meanwhile), (QUESTION, "yes\n")]
    code, _ = on_terminal("records", *FORGET, "--store", "a.db", cwd=tmp_path, steps=steps)

    assert (code, left(tmp_path)) == (0, [("Ask first.", "proposed"), ("Newer.", "note")])


@pytest.mark.slow
def test_ctrl_c_at_the_question_changes_nothing(ids: tuple[str, str], tmp_path: Path) -> None:
    code, shown = on_terminal("records", *FORGET, "--store", "a.db", cwd=tmp_path, steps=[(QUESTION, "\x03")])

    assert (code, left(tmp_path)) == (130, KEPT)
    assert "interrupted" in shown


@pytest.mark.slow
@pytest.mark.parametrize("options", [("--yes",), ("--preview",)])
def test_without_a_question_none_is_asked(
    options: tuple[str, ...], ids: tuple[str, str], tmp_path: Path
) -> None:
    code, shown = on_terminal("records", *FORGET, *options, "--store", "a.db", cwd=tmp_path, steps=[])

    assert (code, QUESTION in shown) == (0, False)
    assert (left(tmp_path) == KEPT) == (options == ("--preview",))


@pytest.mark.slow
def test_what_would_be_refused_is_not_asked_about(ids: tuple[str, str], tmp_path: Path) -> None:
    code, shown = on_terminal(
        "records", "forget", "--tag", "none", "--reason", "x", "--store", "a.db", cwd=tmp_path, steps=[]
    )

    assert (code, "G6_E_MEMORY_NOT_FOUND" in shown, QUESTION in shown) == (1, True, False)


@pytest.mark.slow
@pytest.mark.parametrize("columns", [100, 60, 30])
def test_a_table_fits_the_terminal(columns: int, ids: tuple[str, str], tmp_path: Path) -> None:
    code, shown = on_terminal(
        "records", "recall", "--store", "a.db", cwd=tmp_path, steps=[], columns=columns, NO_COLOR="1"
    )
    rows = [row for row in shown.replace("\r", "").split("\n") if ids[0][:12] in row]

    assert (code, len(rows)) == (0, 1)
    assert len(rows[0]) <= columns
    assert rows[0].endswith("…")
    assert "\x1b[3" not in shown  # no colour


@pytest.mark.slow
def test_hostile_texts_reach_no_terminal_even_when_they_are_exported(tmp_path: Path) -> None:
    with Store(tmp_path / "a.db") as store:
        store.put(text="\x9b2J \x1b[2J \u202e 日本", written_by="user")
    _, shown = on_terminal("records", "export", "-", "--store", "a.db", cwd=tmp_path, steps=[])
    code, full = on_terminal("records", "recall", "--full", "--store", "a.db", cwd=tmp_path, steps=[])

    assert json.loads(shown.splitlines()[0])["text"] == "\x9b2J \x1b[2J \u202e 日本"
    assert "\\u009b2J \\u001b[2J \\u202e" in shown
    assert (code, "\\u009b2J \\u001b[2J \\u202e 日本" in full) == (0, True)
    assert not re.search("[\x9b\u202e]|\x1b\\[2J", shown + full)


@pytest.mark.slow
def test_ctrl_c_ends_an_import_that_waits_and_keeps_nothing_by_halves(tmp_path: Path) -> None:
    line = json.dumps({"text": "half", "written_by": "user"})
    steps: list[Step] = [("importing", f"{line}\n"), ("half", "\x03")]
    code, shown = on_terminal("records", "import", "-", "--store", "a.db", cwd=tmp_path, steps=steps)

    assert (code, "interrupted" in shown) == (130, True)
    with Store(tmp_path / "a.db") as store:
        assert store.recall().current == ()


@pytest.mark.slow
def test_whoever_closes_the_pipe_ends_an_export(tmp_path: Path) -> None:
    with Store(tmp_path / "a.db") as store:
        for number in range(100):
            store.put(text=f"{number} {'x' * 3_900}", written_by="user")
    process = start_gg(["records", "export", "-", "--store", "a.db"], cwd=tmp_path)
    with process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline().startswith('{"id":')
        process.stdout.close()
        assert (process.wait(timeout=60), process.stderr.read()) == (141, "")


@pytest.mark.slow
def test_arguments_come_from_stdin_and_the_exit_code_says_what_became_of_them(tmp_path: Path) -> None:
    args = json.dumps({"text": NOTE, "written_by": "user"})
    put = gg("records", "put", "--args", "-", "--store", "a.db", cwd=tmp_path, typed=args)
    refused = gg("records", "put", "--args", "-", "--store", "a.db", cwd=tmp_path, typed='{"text": "a"}')
    wrong = gg("records", "put", "--args", "-", "--store", "a.db", cwd=tmp_path, typed="{")

    assert (put.returncode, len(put.stdout)) == (0, 65)
    assert (refused.returncode, refused.stderr.split(": ")[1]) == (1, "G6_E_MEMORY_NO_WRITER")
    assert wrong.returncode == 2


@pytest.mark.slow
def test_gg_records_alone_shows_what_there_is(tmp_path: Path) -> None:
    alone, asked = gg("records", cwd=tmp_path), gg("records", "--help", cwd=tmp_path)

    assert (alone.returncode, alone.stdout, alone.stderr) == (2, "", asked.stdout)
    assert not (Path(environment()["G6_HOME"]) / "memory").exists()
