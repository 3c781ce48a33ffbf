"""What a configuration points at: folders of replies, Python functions, directories."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from host.core.errors import LaunchRefused
from host.launch import LaunchPlan, ScriptedModel, validate
from host.providers import ScriptedReply
from tests.host.launch.documents import Document, broken, outcome


@pytest.fixture(autouse=True)
def python_path() -> Iterator[None]:
    before, modules = list(sys.path), set(sys.modules)
    yield
    sys.path[:] = before
    for name in set(sys.modules) - modules:
        del sys.modules[name]


def refusal(replies: str, base: Path) -> str:
    with pytest.raises(LaunchRefused) as exc_info:
        validate(broken(("model", "replies"), replies), base=base)
    (defect,) = exc_info.value.defects
    assert (defect.place, defect.found) == ("model.replies", replies)
    return defect.message


def test_a_folder_of_replies_is_relative_to_the_configuration(tmp_path: Path) -> None:
    (tmp_path / "replies").mkdir()
    (tmp_path / "replies" / "1.ts").write_text("export {}")

    plan = validate(broken(("model", "replies"), "replies"), base=tmp_path)

    assert plan.root_agent.model == ScriptedModel(replies=("export {}",))


def test_the_agents_own_subfolder_is_used_where_there_is_one(tmp_path: Path) -> None:
    own = tmp_path / "replies" / "analyst"
    own.mkdir(parents=True)
    (own / "1.md").write_text("own 1")
    (own / "2.json").write_text('{"text": "own 2", "finishReason": "length"}')
    (own.parent / "1.md").write_text("for every agent")

    plan = validate(broken(("model", "replies"), "replies"), base=tmp_path)

    second = ScriptedReply(text="own 2", finishReason="length")
    assert plan.root_agent.model == ScriptedModel(replies=("own 1", second))


# which of these hold a reply, the agent's execution, the folder that is read
FOLDERS = [
    (("analyst/tool_calling", "analyst", "."), "tool_calling", "analyst/tool_calling"),
    (("analyst/tool_calling", "analyst", "."), "responses_as_code", "analyst"),
    (("analyst/responses_as_code", "analyst/tool_calling"), None, "analyst/responses_as_code"),
    (("analyst/tool_calling", "."), None, "analyst"),
    (("tool_calling", "other/tool_calling", "."), "tool_calling", "."),
]


@pytest.mark.parametrize("is_the_runs", [True, False])
@pytest.mark.parametrize(("written", "execution", "read"), FOLDERS)
def test_an_agent_reads_the_part_of_the_folder_for_its_execution_mode(
    written: tuple[str, ...], execution: str | None, read: str, is_the_runs: bool, tmp_path: Path
) -> None:
    for folder in written:
        (tmp_path / "replies" / folder).mkdir(parents=True, exist_ok=True)
        (tmp_path / "replies" / folder / "1.ts").write_text(folder)
    model = {"provider": "scripted", "replies": "replies"}
    document = broken(("model",) if is_the_runs else ("agents", 0, "model"), model)
    document["agents"][0]["execution"] = execution or "responses_as_code"

    if read in written:
        plan = validate(document, base=tmp_path)
        assert plan.root_agent.model == ScriptedModel(replies=(read,))
    else:
        with pytest.raises(LaunchRefused) as exc_info:
            validate(document, base=tmp_path)
        assert [defect.message for defect in exc_info.value.defects] == [
            f"the folder {tmp_path / 'replies' / read} holds no reply: no file *.json, *.md, *.ts or *.txt"
        ]


# the folders that hold a reply, the folder that each of three agents reads
SEVERAL = [
    (("a", "b/tool_calling", "."), {"a": "a", "b": "b/tool_calling", "c": "."}),
    (("a", "b/responses_as_code", "b", "c"), {"a": "a", "b": "b", "c": "c"}),
]
WITHOUT_REPLIES = [(("a", "b"), "", "c"), (("c",), "", "a and b"), (("a", "b", "c/tool_calling"), "c", "c")]


@pytest.mark.parametrize(("written", "read"), SEVERAL)
def test_each_agent_reads_its_own_part_of_a_folder(
    written: tuple[str, ...], read: dict[str, str], tmp_path: Path
) -> None:
    found = outcome(three_agents(written, tmp_path), tmp_path)

    assert isinstance(found, LaunchPlan)
    assert {agent.id: agent.model for agent in found.agents} == {
        id_: ScriptedModel(replies=(part,)) for id_, part in read.items()
    }


@pytest.mark.parametrize(("written", "folder", "whose"), WITHOUT_REPLIES)
def test_it_is_said_whose_folder_holds_no_reply(
    written: tuple[str, ...], folder: str, whose: str, tmp_path: Path
) -> None:
    found = outcome(three_agents(written, tmp_path), tmp_path)

    assert isinstance(found, tuple)
    assert [(defect.place, defect.message) for defect in found] == [
        (
            "model.replies",
            f"the folder {tmp_path / 'replies' / folder} holds no reply: no file *.json, *.md, *.ts or *.txt;"
            f" it is that of {whose}",
        )
    ]


def three_agents(written: tuple[str, ...], base: Path) -> Document:
    """A document of three agents, beside a folder of replies with these parts."""
    for part in written:
        folder = base / "replies" / part
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "1.ts").write_text(part)
    modes = {"a": "responses_as_code", "b": "tool_calling", "c": "responses_as_code"}
    agents = [{"id": id_, "execution": mode} for id_, mode in modes.items()]
    return {"task": "t", "model": {"provider": "scripted", "replies": "replies"}, "agents": agents}


def test_a_folder_that_every_agent_reads_is_refused_once(tmp_path: Path) -> None:
    agents = [{"id": id_} for id_ in "abc"]
    own = {"id": "d", "model": {"provider": "scripted", "replies": ["x"]}}
    model = {"provider": "scripted", "replies": "replies"}

    found = outcome({"task": "t", "model": model, "agents": [*agents, own]}, tmp_path)

    assert isinstance(found, tuple)
    assert [defect.message for defect in found] == [
        f"the folder {tmp_path / 'replies'} cannot be read: no such file or directory; it is"
        " that of a, b and c"
    ]


def test_a_function_that_every_agent_calls_is_refused_once(tmp_path: Path) -> None:
    model = {"provider": "scripted", "replies": "absent_answers:answer"}

    found = outcome({"task": "t", "model": model, "agents": [{"id": "a"}, {"id": "b"}]}, tmp_path)

    assert isinstance(found, tuple)
    assert [(defect.place, defect.found) for defect in found] == [("model.replies", "absent_answers:answer")]


def test_a_folder_that_is_absent_is_refused(tmp_path: Path) -> None:
    assert refusal("replies", tmp_path) == (
        f"the folder {tmp_path / 'replies'} cannot be read: no such file or directory"
    )


def test_a_file_in_place_of_a_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "replies").write_text("")

    assert (
        refusal("replies", tmp_path) == f"the folder {tmp_path / 'replies'} cannot be read: not a directory"
    )


def test_a_folder_without_a_reply_is_refused(tmp_path: Path) -> None:
    (tmp_path / "replies").mkdir()
    (tmp_path / "replies" / "1.js").write_text("")

    assert refusal("replies", tmp_path) == (
        f"the folder {tmp_path / 'replies'} holds no reply: no file *.json, *.md, *.ts or *.txt"
    )


def test_a_reply_file_that_is_no_reply_is_refused(tmp_path: Path) -> None:
    (tmp_path / "replies").mkdir()
    (tmp_path / "replies" / "1.json").write_text('{"txt": "x"}')

    assert refusal("replies", tmp_path) == (
        'the reply 1.json: txt: unknown key; did you mean "text"?'
        " known are text, toolCalls, finishReason, usage, error"
    )


def test_a_path_that_no_file_system_takes_is_refused(tmp_path: Path) -> None:
    message = refusal("re\0plies", tmp_path)

    folder, _, reason = message.partition(" cannot be read: ")
    assert folder == f"the folder {tmp_path}/re\0plies"
    # Python 3.13 says it otherwise than the versions before.
    assert reason in {"embedded null byte", "scandir: embedded null character in path"}


def test_a_function_beside_the_configuration_is_found(tmp_path: Path) -> None:
    (tmp_path / "beside_answers.py").write_text("def answer(messages, agent):\n    return agent\n")

    plan = validate(broken(("model", "replies"), "beside_answers:answer"), base=tmp_path)

    replies = plan.root_agent.model.replies
    assert callable(replies)
    assert replies((), "analyst") == "analyst"
    assert plan.document["model"] == {"provider": "scripted", "replies": "beside_answers:answer"}


def test_a_module_that_is_absent_is_refused(tmp_path: Path) -> None:
    assert refusal("absent_answers:answer", tmp_path) == (
        "absent_answers cannot be imported: ModuleNotFoundError: No module named 'absent_answers';"
        f" it is neither in {tmp_path} nor installed beside gg"
    )


def test_a_module_that_is_misspelt_is_refused_with_the_one_beside_the_configuration(tmp_path: Path) -> None:
    (tmp_path / "spelt_answers.py").write_text("def answer(messages, agent):\n    return agent\n")

    assert refusal("spelt_answer:answer", tmp_path) == (
        "spelt_answer cannot be imported: ModuleNotFoundError: No module named 'spelt_answer';"
        " did you mean spelt_answers?"
    )
    assert refusal("spelt_answers:answers", tmp_path) == (
        "spelt_answers has no answers; did you mean answer?"
    )


def test_a_module_that_needs_an_absent_one_is_refused_with_that(tmp_path: Path) -> None:
    (tmp_path / "needing_answers.py").write_text("import needed_answers\n")

    assert refusal("needing_answers:answer", tmp_path) == (
        "needing_answers cannot be imported: ModuleNotFoundError: No module named 'needed_answers'"
    )


def test_a_module_that_fails_is_refused_with_its_error(tmp_path: Path) -> None:
    (tmp_path / "failing_answers.py").write_text("1 / 0\n")

    assert refusal("failing_answers:answer", tmp_path) == (
        "failing_answers cannot be imported: ZeroDivisionError: division by zero"
    )


def test_a_module_that_ends_the_process_is_refused(tmp_path: Path) -> None:
    (tmp_path / "ending_answers.py").write_text("raise SystemExit(3)\n")

    assert refusal("ending_answers:answer", tmp_path) == ("ending_answers cannot be imported: SystemExit: 3")


def test_a_module_that_fails_to_give_the_function_is_refused(tmp_path: Path) -> None:
    (tmp_path / "lazy_answers.py").write_text("def __getattr__(name):\n    return 1 / 0\n")

    assert refusal("lazy_answers:answer", tmp_path) == "lazy_answers has no answer"


def test_a_function_that_is_absent_is_refused(tmp_path: Path) -> None:
    (tmp_path / "empty_answers.py").write_text("")

    assert refusal("empty_answers:answer", tmp_path) == "empty_answers has no answer"


def test_a_value_that_is_no_function_is_refused(tmp_path: Path) -> None:
    (tmp_path / "constant_answers.py").write_text("answer = 5\n")

    assert (
        refusal("constant_answers:answer", tmp_path)
        == "constant_answers:answer is an int, which cannot be called"
    )


def test_a_module_hidden_by_an_imported_one_is_refused(tmp_path: Path) -> None:
    (tmp_path / "json.py").write_text("def answer(messages, agent):\n    return agent\n")

    assert refusal("json:answer", tmp_path) == (
        f"json is another module, {sys.modules['json'].__file__}; rename {tmp_path / 'json.py'}"
    )


@pytest.mark.parametrize(
    ("name", "message"), [("nowhere", "{} does not exist"), ("file.txt", "{} is no directory")]
)
def test_a_files_directory_that_is_none_is_refused(name: str, message: str, tmp_path: Path) -> None:
    (tmp_path / "file.txt").write_text("")
    files = {"id": "files", "params": {"dir": name}}

    with pytest.raises(LaunchRefused) as exc_info:
        validate(broken(("agents", 0, "capabilities", 1), files), base=tmp_path)

    (defect,) = exc_info.value.defects
    assert (defect.place, defect.message) == (
        "agents[0].capabilities[1].params.dir",
        message.format(tmp_path / name),
    )
