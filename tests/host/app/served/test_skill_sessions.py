"""A skillbook for callers from outside: what they are given, what is kept of what they say, and refused."""

import json
from pathlib import Path
from typing import Any, Final

import pytest

from host.app import SKILL_REQUESTS, SkillSessions, SkillsRefused
from host.skillbook import BookFile, Skill
from tests.helpers.mcp_client import skills_at
from tests.helpers.skillbooks import skill

SECRET: Final = "tulip-quartz-5511"
SESSION: Final = {"session_id": "s"}
ASK: Final = {**SESSION, "question": "an export of many rows"}
FEEDBACK: Final = {**ASK, "answer": "It is 42, in parts.", "feedback": "The answer was fine."}
SKILLS: Final = (
    skill("a", "An export of many rows is asked for.", insight="Write it in parts."),
    skill("b", "The tests need a display.", insight="Start a virtual one."),
    skill("held", "An export to another host.", active=False, review="pending", evidence_is="untrusted"),
    skill("no", "An export of rows.", active=False, review="rejected"),
    skill("old", "An export of rows.", active=False),
    skill("x", "An export of rows for x.", scope="x"),
)


class Sessions:
    def __init__(self, folder: Path, *skills: Skill, listed: str = "ace", scope: str | None = None) -> None:
        self.folder = folder
        (folder / "books").mkdir(exist_ok=True)
        self.told: list[str] = []
        self.file = written(folder / "skillbook.json", *skills)
        self.made: SkillSessions = skills_at(folder, listed=listed, scope=scope, tell=self.told.append)

    def call(self, tool: str, **arguments: Any) -> dict[str, Any]:  # noqa: ANN401  (JSON)
        answer = self.made.call(tool, arguments)
        assert answer.pop("session_id") == arguments["session_id"]
        return answer

    def refused(self, tool: str, **arguments: Any) -> tuple[str, str]:  # noqa: ANN401  (JSON)
        before = self.file.read_bytes()
        with pytest.raises(SkillsRefused) as info:
            self.made.call(tool, arguments)
        assert self.file.read_bytes() == before
        return info.value.code, info.value.message

    def skill(self, id_: str) -> Skill:
        return next(each for each in BookFile(self.file).read().skillbook.skills(True) if each.id == id_)


def written(path: Path, *skills: Skill) -> Path:
    BookFile(path).apply(
        lambda book: [book.put(each) for each in skills] + [book.add_skill("context", "z", insight="z")]
    )
    return path


@pytest.fixture
def sessions(tmp_path: Path) -> Sessions:
    return Sessions(tmp_path, *SKILLS)


def test_a_question_is_answered_with_the_skills_that_share_words_with_it(sessions: Sessions) -> None:
    answer = sessions.call("ace.ask", **ASK)

    assert [each["id"] for each in answer["skills"]] == ["a"]
    assert answer["answer"].startswith("No model answered: this server has none.\n\nSkills that share words")
    assert "Write it in parts." in answer["answer"]
    assert (answer["answered_by"], answer["skill_count"], answer["notes"]) == (None, 3, [])
    assert (sessions.skill("a").used_count, sessions.skill("b").used_count) == (1, 0)


def test_nothing_that_bears_on_it_is_said(sessions: Sessions) -> None:
    before = sessions.file.read_bytes()
    answer = sessions.call("ace.ask", **{**ASK, "question": "設備 🚀"})

    assert answer["answer"].endswith("No skill shares words with the question.")
    assert (answer["skills"], sessions.file.read_bytes()) == ([], before)


def test_a_scope_is_the_server_s(tmp_path: Path) -> None:
    sessions = Sessions(tmp_path, *SKILLS, scope="x")

    assert {each["id"] for each in sessions.call("ace.ask", **ASK)["skills"]} == {"a", "x"}


def test_without_a_model_what_is_for_one_is_told_to_be_unused(sessions: Sessions) -> None:
    answer = sessions.call("ace.ask", **ASK, session_config={"model": "openai:gpt-5"})
    samples = [{"question": "export", "ground_truth": "b"}]
    learned = sessions.call("ace.learn.sample", **SESSION, samples=samples, epochs=3, session_config={})

    assert answer["notes"] == ["session_config is not used: no model answers or learns here"]
    assert learned["notes"][-1] == "session_config and epochs is not used: no model answers or learns here"


def test_a_list_has_counters_and_never_what_is_held_back(sessions: Sessions) -> None:
    listed, everything = (
        sessions.call("ace.skillbook.get", **SESSION, include_invalid=each) for each in (False, True)
    )

    assert [each["id"] for each in listed["skills"]] == ["a", "b", "context-00001"]
    assert [each["id"] for each in everything["skills"]] == ["a", "b", "old", "context-00001"]
    assert listed["stats"] == {
        "sections": 1,
        "skills": 6,
        "active_skills": 3,
        "held_back": 1,
        "by_section": {"context": 3, "harness": 0},
    }
    assert listed["skills"][0] == {
        "id": "a",
        "content": "Write it in parts.",
        "topic": "context",
        "helpful": 0,
        "harmful": 0,
        "neutral": 0,
        "used": 0,
        "issue": "An export of many rows is asked for.",
        "keywords": ["lock"],
        "state": "active",
    }
    assert len(sessions.call("ace.skillbook.get", **SESSION, limit=1)["skills"]) == 1


TRUTHS = [
    ("42", (1, 0), True),
    ("  IN   Parts ", (1, 0), True),
    ("2", (0, 1), True),
    ("43", (0, 1), True),
    (None, (0, 0), True),
]


@pytest.mark.parametrize(("truth", "counted", "learned"), TRUTHS)
def test_feedback_is_kept_and_counted_by_the_right_answer(
    truth: str | None, counted: tuple[int, int], learned: bool, sessions: Sessions
) -> None:
    sessions.call("ace.ask", **ASK)
    answer = sessions.call("ace.learn.feedback", **FEEDBACK, ground_truth=truth)
    found = sessions.skill("a")
    [source] = found.occurrences

    assert (answer["learned"], answer["new_skill_count"]) == (learned, 0)
    assert (found.helpful_count, found.harmful_count, found.neutral_count) == (*counted, 0)
    assert (source.trace_uid, source.relation) == ("mcp:s#1", "feedback")
    assert (source.sample_question, source.learning_text) == (ASK["question"], FEEDBACK["feedback"])
    assert (source.error_identification is not None) == (counted == (0, 1))
    assert sessions.skill("b").occurrences == ()


def test_feedback_is_about_what_was_given_to_its_own_session(sessions: Sessions) -> None:
    sessions.call("ace.ask", **{**ASK, "session_id": "another"})
    answer = sessions.call("ace.learn.feedback", **FEEDBACK)

    assert answer["learned"] is False
    assert answer["notes"][0].startswith("no skill was served to this session")
    assert sessions.skill("a").occurrences == ()


def test_feedback_on_a_skill_that_is_gone_by_then_says_so(sessions: Sessions) -> None:
    sessions.call("ace.ask", **ASK)
    BookFile(sessions.file).apply(lambda book: book.remove_skill("a"))

    assert sessions.call("ace.learn.feedback", **FEEDBACK)["learned"] is False
    assert sessions.skill("a").occurrences == ()


def test_samples_become_sources_of_the_skills_that_share_words_with_them(sessions: Sessions) -> None:
    samples = [
        {"question": "which display do the tests need", "ground_truth": "a virtual one"},
        {"question": "設備", "ground_truth": "b"},
        {"question": "an export of rows"},
    ]
    answer = sessions.call("ace.learn.sample", **SESSION, samples=samples)
    [source] = sessions.skill("b").occurrences

    assert (answer["processed"], answer["failed"], answer["new_skill_count"]) == (1, 2, 0)
    assert (source.relation, source.learning_text) == ("sample", "a virtual one")
    assert (sessions.skill("b").helpful_count, sessions.skill("a").occurrences) == (0, ())


def test_a_secret_is_masked_in_what_is_kept_and_what_is_answered(tmp_path: Path) -> None:
    sessions = Sessions(tmp_path, skill("a", f"An export of rows with {SECRET}."))
    asked = sessions.call("ace.ask", **{**ASK, "session_id": SECRET})
    sessions.call("ace.learn.feedback", **{**FEEDBACK, "session_id": SECRET, "feedback": f"It is {SECRET}."})

    assert SECRET not in json.dumps(asked)
    assert [source.trace_id for source in sessions.skill("a").occurrences] == ["[masked:BILLING_TOKEN]#1"]
    assert sessions.skill("a").occurrences[0].learning_text == "It is [masked:BILLING_TOKEN]."


def test_a_session_may_load_a_book_of_its_own_and_save_it(sessions: Sessions) -> None:
    written(sessions.folder / "books/theirs.json", skill("t", "An export of stars.", insight="Count them."))
    before = sessions.file.read_bytes()
    loaded = sessions.call("ace.skillbook.load", **SESSION, path="theirs.json")
    asked = sessions.call("ace.ask", **ASK)
    sessions.call("ace.learn.feedback", **FEEDBACK, ground_truth="42")
    saved = sessions.call("ace.skillbook.save", **SESSION, path="deep/mine.json")
    other = sessions.call("ace.ask", **{**ASK, "session_id": "another"})

    assert (loaded["skill_count"], loaded["path"], loaded["problems"]) == (2, "theirs.json", [])
    assert [each["id"] for each in asked["skills"]] == ["t"]
    assert (saved["path"], saved["saved_skill_count"]) == ("deep/mine.json", 2)
    kept = BookFile(sessions.folder / "books/deep/mine.json").read().skillbook.own("t")
    assert kept is not None
    assert (kept.used_count, kept.helpful_count) == (1, 1)
    assert BookFile(sessions.folder / "books/theirs.json").read().skillbook.own("t") != kept
    assert [each["id"] for each in other["skills"]] == ["a"]
    assert sessions.file.read_bytes() != before  # by the other session alone
    assert sessions.skill("a").used_count == 1


def test_the_server_s_book_is_copied_and_no_file_overwritten(sessions: Sessions) -> None:
    assert sessions.call("ace.skillbook.save", **SESSION, path="copy.json")["saved_skill_count"] == 4
    assert BookFile(sessions.folder / "books/copy.json").read().skillbook.own("a") == sessions.skill("a")
    sessions.call("ace.ask", **ASK)

    code, message = sessions.refused("ace.skillbook.save", **SESSION, path="copy.json")
    assert (code, message.startswith("`copy.json` holds what this book was not read from")) == (
        "ACE_MCP_INTERNAL_ERROR",
        True,
    )
    assert str(sessions.folder) not in message
    assert [str(sessions.folder) in told for told in sessions.told] == [True]


OUTSIDE = [
    "../skillbook.json",
    "/etc/passwd",
    "a/../../x.json",
    "link.json",
    ".",
    "",
    "folder/../..",
    "~/x.json/../../..",
]


@pytest.mark.parametrize("tool", ["ace.skillbook.save", "ace.skillbook.load"])
@pytest.mark.parametrize("path", OUTSIDE)
def test_no_path_leads_out_of_the_folder_for_books(path: str, tool: str, sessions: Sessions) -> None:
    (sessions.folder / "books/link.json").symlink_to(sessions.file)
    code, message = sessions.refused(tool, **SESSION, path=path)

    assert code == "ACE_MCP_VALIDATION_ERROR"
    assert "outside of the folder for books" in message or path == ""
    assert str(sessions.folder) not in message


@pytest.mark.parametrize("path", ["a\0b", "x" * 300, "none.json"])
def test_a_path_that_is_no_file_is_refused(path: str, sessions: Sessions) -> None:
    code, message = sessions.refused("ace.skillbook.load", **SESSION, path=path)

    assert code in ("ACE_MCP_VALIDATION_ERROR", "ACE_MCP_INTERNAL_ERROR")
    assert str(sessions.folder) not in message


def test_without_a_folder_for_books_none_is_named(tmp_path: Path) -> None:
    made = SkillSessions(
        tmp_path / "b.json", root=None, scope=None, listed="ace", tell=print, mask=lambda text: text
    )
    with pytest.raises(SkillsRefused, match="this server has no folder for books;") as info:
        made.call("ace.skillbook.load", {**SESSION, "path": "a.json"})

    assert info.value.code == "ACE_MCP_SAVE_LOAD_DISABLED"


def test_sessions_with_books_of_their_own_are_counted(sessions: Sessions) -> None:
    written(sessions.folder / "books/a.json")
    for number in range(16):
        sessions.call("ace.skillbook.load", session_id=f"s{number}", path="a.json")
    for number in range(400):  # which lets none of those go
        sessions.call("ace.skillbook.get", session_id=f"t{number}")

    code, message = sessions.refused("ace.skillbook.load", session_id="one more", path="a.json")
    assert (code, message[:30]) == ("ACE_MCP_INTERNAL_ERROR", "16 sessions hold a book that t")
    assert sessions.call("ace.skillbook.get", session_id="s0")["stats"]["skills"] == 1
    sessions.call("ace.skillbook.load", session_id="s0", path="a.json")


LISTED = [
    ("", set()),
    ("ctx_ace.forget", set()),
    ("ace", {"ace.learn.sample", "ace.learn.feedback", "ace.skillbook.save", "ace.skillbook.load"}),
    (" ace.learn , ctx_ace", {"ace.learn.sample", "ace.learn.feedback"}),
    ("ace.skillbook", {"ace.skillbook.save", "ace.skillbook.load"}),
    ("ace.learn.sample,ace.skillbook.load", {"ace.learn.sample", "ace.skillbook.load"}),
]
CALLS: Final[dict[str, dict[str, Any]]] = {
    "ace.learn.sample": {"samples": [{"question": "a"}]},
    "ace.learn.feedback": {"question": "a", "answer": "b", "feedback": "c"},
    "ace.skillbook.save": {"path": "copy.json"},
    "ace.skillbook.load": {"path": "a.json"},
}


@pytest.mark.parametrize(("listed", "allowed"), LISTED)
def test_what_is_sensitive_has_to_be_listed(listed: str, allowed: set[str], tmp_path: Path) -> None:
    sessions = Sessions(tmp_path, *SKILLS, listed=listed)
    written(tmp_path / "books/a.json")
    for tool, arguments in CALLS.items():
        if tool in allowed:
            sessions.call(tool, **SESSION, **arguments)
            continue
        code, message = sessions.refused(tool, **SESSION, **arguments)
        assert code in ("ACE_MCP_FORBIDDEN_IN_SAFE_MODE", "ACE_MCP_SAVE_LOAD_DISABLED")
        assert message.endswith("has listed it in G6_MCP_SENSITIVE; ask them")
    assert sessions.call("ace.ask", **{**ASK, "session_id": "another"})["skills"]
    assert sessions.told == []


def test_a_name_that_nothing_is_is_told_to_the_operator(tmp_path: Path) -> None:
    sessions = Sessions(tmp_path, listed="ace.lern,ctx_ace")

    [told] = sessions.told
    assert told.startswith(
        "G6_MCP_SENSITIVE lists `ace.lern`, which nothing here is; it takes ace.learn.feedback"
    )


UNFIT = [
    ("ace.ask", {}, "session_id and question is missing"),
    ("ace.ask", {**ASK, "question": None}, "question is missing"),
    ("ace.ask", {**ASK, "question": " "}, "question is not a text of 1 to 100,000 characters"),
    ("ace.ask", {**ASK, "question": "x" * 100_001}, "question is not a text of 1 to 100,000 characters"),
    ("ace.ask", {**ASK, "question": 7}, "question is not a text"),
    ("ace.ask", {**ASK, "session_id": "x" * 201}, "session_id is not a text of 1 to 200 characters"),
    ("ace.ask", {**ASK, "quest": "x"}, "`quest` is not known; there are session_id, question, context,"),
    ("ace.ask", {**ASK, "metadata": []}, "metadata is not an object"),
    ("ace.skillbook.get", {**SESSION, "limit": 0}, "limit is not a whole number from 1 to 200"),
    ("ace.skillbook.get", {**SESSION, "limit": 1.0}, "limit is not a whole number"),
    ("ace.skillbook.get", {**SESSION, "limit": True}, "limit is not a whole number"),
    ("ace.skillbook.get", {**SESSION, "include_invalid": 1}, "include_invalid is not true or false"),
    ("ace.learn.sample", {**SESSION, "samples": []}, "samples is not a list of 1 to 25"),
    ("ace.learn.sample", {**SESSION, "samples": "a"}, "samples is not a list"),
    ("ace.learn.sample", {**SESSION, "samples": [{}] * 26}, "samples is not a list of 1 to 25"),
    ("ace.learn.sample", {**SESSION, "samples": [{}]}, "samples[0].question is missing"),
    ("ace.learn.sample", {**SESSION, "samples": [7]}, "samples[0] is not an object"),
    (
        "ace.learn.sample",
        {**SESSION, "samples": [{"question": "a"}, {"question": "b", "x": 1}]},
        "`samples[1].x` is not known;",
    ),
]


@pytest.mark.parametrize(("tool", "arguments", "told"), UNFIT)
def test_arguments_that_do_not_fit_are_named(
    tool: str, arguments: dict[str, Any], told: str, sessions: Sessions
) -> None:
    code, message = sessions.refused(tool, **arguments)

    assert (code, message[: len(told)]) == ("ACE_MCP_VALIDATION_ERROR", told)


def test_a_book_that_is_none_is_refused_and_only_the_operator_is_told_where_it_is(tmp_path: Path) -> None:
    sessions = Sessions(tmp_path)
    sessions.file.write_text("{")

    code, message = sessions.refused("ace.ask", **ASK)
    assert (code, str(tmp_path) in message) == ("ACE_MCP_INTERNAL_ERROR", False)
    assert message.startswith("`the skillbook` is no whole JSON, and stays as it is:")
    assert [str(tmp_path) in told for told in sessions.told] == [True]


def test_every_tool_has_a_schema_that_says_what_it_takes() -> None:
    for schema in SKILL_REQUESTS.values():
        assert schema["additionalProperties"] is False
        assert set(schema["required"]) <= set(schema["properties"])
        assert all("description" in each or "items" in each for each in schema["properties"].values())
