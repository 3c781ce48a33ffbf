"""The skillbook family over a real book, by programs and by calls of tools: answers, events, refusals."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

import pytest
from pydantic.alias_generators import to_camel

from host.app.reflection.account import Account
from host.app.reflection.keeping import RunReflection
from host.app.reflection.run_turns import RunPart
from host.events import ApiCall, RunOrigin, SkillbookChanged, SkillbookRead
from host.operations import OPERATIONS, Caller
from host.skillbook import BookFile, Skill, Skillbook, text_hash
from host.testing import FakeClock
from tests.helpers.skillbooks import START, own, skill, source
from tests.host.operations.callers import EVERYTHING, Desk
from tests.host.operations.families.test_records import as_program

Mode = Literal["program", "tool"]
MODES: tuple[Mode, ...] = ("program", "tool")
PROOF = "The run ended as completed."
ACCOUNT = Account(text="", parts=(RunPart(kind="outcome", label="l", text=PROOF),))


class BookDesk(Desk):
    """A desk at which a reflector sits, in either mode."""

    def __init__(self, path: Path, mode: Mode, *, injected: tuple[str, ...] = ()) -> None:
        super().__init__(granted=EVERYTHING - {"skills.read_skill"})
        self.mode = mode
        self.file = BookFile(path, clock=FakeClock())
        self.reflection = RunReflection(
            self.file, scope=None, run="r1", task="t", turn=1, injected=injected, account=ACCOUNT, mask=str
        )

    def caller(self, origin: RunOrigin) -> Caller:
        return replace(super().caller(origin), reflection=self.reflection)

    def ask(self, name: str, *required: object, **options: object) -> Any:  # noqa: ANN401  (JSON)
        """The answer under the names of programs, or `code: message` of a failure."""
        operation = OPERATIONS[f"skillbook.{name}"]
        if self.mode == "program":
            given = {to_camel(key): value for key, value in options.items()}
            envelope = self.call(operation.id, *required, *([given] if given else []))
            error = envelope.get("error")
            return f"{error['code']}: {error['message']}" if error else envelope["ok"]
        named = dict(zip(operation.positional, required, strict=True))
        answer = self.tool(name, **named, **options)
        return as_program(json.loads(answer)) if answer.startswith("{") else answer


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "book.json"


def filled(desk: BookDesk, *skills: Skill) -> None:
    def put(book: Skillbook) -> None:
        for each in skills:
            book.put(each)

    desk.file.apply(put)


@pytest.mark.parametrize("mode", MODES)
def test_a_search_gives_skills_as_untrusted_notes(path: Path, mode: Mode) -> None:
    at = BookDesk(path, mode)
    filled(at, skill("a", used_count=2, evidence_is="host"), skill("b", "a ship sails", keywords=("ship",)))

    found = at.ask("search_skills", "lock", top_k=3, section="context", keywords=["Lock"])

    [given] = found["skills"]
    assert (found["ok"], found["active"], given.pop("score") > 0) == (True, 2, True)
    assert given == {
        "as": "memory_note",
        "trust": "untrusted",
        "skillId": "a",
        "section": "context",
        "issue": "the lock is held",
        "insight": "wait for it",
        "keywords": ["lock"],
        "usedCount": 2,
        "helpfulCount": 0,
        "harmfulCount": 0,
        "neutralCount": 0,
        "evidenceIs": "host",
        "updatedAt": START,
    }
    assert list(at.captured.of(SkillbookRead)) == [
        SkillbookRead(operation="skillbook.search_skills", query="lock", skill_ids=("a",), turn=3)
    ]


@pytest.mark.parametrize("mode", MODES)
def test_a_skill_is_read_with_its_latest_sources(path: Path, mode: Mode) -> None:
    at = BookDesk(path, mode)
    sources = tuple(source(f"run-{number}#1", f"text {number}") for number in range(25))
    filled(at, skill("a", occurrences=sources))

    given = at.ask("read_skill", "a")

    assert (given["ok"], given["skill"]["skillId"], len(given["sources"])) == (True, "a", 20)
    assert given["sources"][-1] == {"source": "gg:run-24#1", "text": "text 24"}
    assert at.ask("read_skill", "b") == {"ok": False, "why": "there is no active skill `b`"}
    assert [event.skill_ids for event in at.captured.of(SkillbookRead)] == [("a",), ()]


@pytest.mark.parametrize("mode", MODES)
def test_each_change_says_what_it_did_or_why_it_did_nothing(path: Path, mode: Mode) -> None:
    at = BookDesk(path, mode, injected=("a",))
    filled(at, skill("a"))

    assert at.ask("tag_skill", "a", -1) == {"ok": True, "skillId": "a", "did": "tagged a harmful"}
    assert at.ask("tag_skill", "a", 1) == {"ok": False, "why": "a was tagged for this run already"}
    added = at.ask("add_skill", "harness", "A case.", ["k"], evidence=PROOF)
    assert added == {"ok": True, "skillId": "harness-00001", "did": "added harness-00001"}
    updated = at.ask("update_skill", "a", insight="Ask.")
    assert updated["did"] == "updated a, held back until it is accepted"
    assert at.ask("remove_skill", "harness-00001", "It misleads.")["did"].startswith("removed harness-00001")

    changes = at.captured.of(SkillbookChanged)
    assert [(each.ok, each.skill_id, each.held_back) for each in changes] == [
        (True, "a", False),
        (False, None, False),
        (True, "harness-00001", False),
        (True, "a", True),
        (True, "harness-00001", False),
    ]
    assert (changes[2].evidence_is, changes[2].evidence_kind) == ("host", "outcome")
    assert changes[3].text_sha256 == text_hash(own(at.file.read().skillbook, "a"))
    assert [call.ok for call in at.captured.of(ApiCall)] == [True] * 5


WRONG = [
    ("add_skill", ("other", "A case.", ["k"]), "section"),
    ("add_skill", ("context", "A case.", "k"), "keywords"),
    ("tag_skill", ("a", 2), "delta"),
    ("tag_skill", ("a", 0.5), "delta"),
    ("search_skills", (1,), "query"),
]


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(("name", "required", "field"), WRONG)
def test_what_is_no_argument_is_refused(
    path: Path, mode: Mode, name: str, required: tuple[object, ...], field: str
) -> None:
    answer = BookDesk(path, mode).ask(name, *required)

    assert answer.startswith("invalid-argument: ")
    assert f": {field} wants " in answer


@pytest.mark.parametrize("mode", MODES)
def test_a_book_that_cannot_be_read_is_an_error_of_the_call(path: Path, mode: Mode) -> None:
    path.write_text("{", encoding="utf-8")
    at = BookDesk(path, mode, injected=("a",))

    for name, required in (("search_skills", ("a",)), ("read_skill", ("a",)), ("tag_skill", ("a", 1))):
        answer = at.ask(name, *required)
        assert answer.startswith(f"io-error: G6_E_SKILLBOOK_FILE: `{path}` "), answer
    assert at.captured.of(SkillbookChanged) == ()


@pytest.mark.parametrize("mode", MODES)
def test_who_reflects_on_no_run_has_no_book(mode: Mode) -> None:
    at = Desk()
    answer = (
        at.tool("tag_skill", skill_id="a", delta=1)
        if mode == "tool"
        else str(at.call("skillbook.tag_skill", "a", 1)["error"])
    )

    assert "This agent reflects on no run." in answer
