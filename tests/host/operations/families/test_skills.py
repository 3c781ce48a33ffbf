"""The skills family on one agent's parts: what a read answers, opens, loads and records."""

from dataclasses import replace

import pytest

from host.app.declarations import DECLARATIONS
from host.events import RunOrigin, SkillRead, SkillText, View
from host.operations import Caller
from host.skills import AgentSkills, Skill
from host.turn import AgentCode
from runtime_js import Compiler
from tests.host.operations.callers import Desk, error
from tests.host.operations.families.memory_desks import defect_of

CODE = "export const width = 3;\n"
SCRIPT = 'views.openText("a", "b");\n'
CSV = Skill(name="csv", description="Reads exports.", body="Fields are quoted.", code=CODE, on_use=SCRIPT)
BROKEN = Skill(name="broken", description="Does not compile.", body="How.", code="const = 5;", on_use=SCRIPT)
STYLE = Skill(name="style", description="How to write.", body="x" * 65_536)
WHOLE = SkillText(description="Reads exports.", body="Fields are quoted.", code=CODE, on_use=SCRIPT)


class SkillDesk(Desk):
    """A desk at which these skills are: of programs with a compiler, of replies that call tools without."""

    def __init__(self, compiler: Compiler | None = None) -> None:
        super().__init__(code=None)
        self.held = AgentSkills((BROKEN, CSV, STYLE))
        if compiler is None:
            return
        self.code = self.halves = AgentCode(
            compiler=compiler,
            declarations=DECLARATIONS,
            typecheck="error",
            window=self.window,
            emit=lambda event: self.captured.emit(event, agent_id="root"),
            turn=lambda: 3,
            defect_of=defect_of,
        )

    def caller(self, origin: RunOrigin) -> Caller:
        return replace(super().caller(origin), skills=self.held)


def test_a_program_gets_the_prose_which_is_pinned_and_the_code_is_loaded(compiler: Compiler) -> None:
    at = SkillDesk(compiler)

    assert at.call("skills.read_skill", " csv ") == {"ok": "Fields are quoted."}
    assert [(module.key, module.source) for module in at.halves.modules] == [("csv", CODE)]
    assert [(use.carrier.origin, use.key, use.source) for use in at.halves.take_due()] == [
        ("skill", "csv", SCRIPT)
    ]
    assert at.halves.take_problems() == ()
    assert at.captured.of(SkillRead) == (SkillRead(name="csv", hit=True, loaded=True, skill=WHOLE, turn=3),)
    assert [(view.kind, view.selector, view.bytes) for view in at.captured.of(View)] == [("skill", "csv", 18)]
    assert at.texts() == ["Documentation: csv\n----\nFields are quoted."]


def test_reading_again_opens_nothing_and_records_no_text(compiler: Compiler) -> None:
    at = SkillDesk(compiler)

    for _ in range(2):
        at.call("skills.read_skill", "csv")

    assert len(at.captured.of(View)) == 1
    assert [read.skill is None for read in at.captured.of(SkillRead)] == [False, True]
    assert [skill.name for skill in at.held.read] == ["csv"]
    assert len(at.halves.take_due()) == 2


def test_what_does_not_compile_is_told_once_in_a_turn(compiler: Compiler) -> None:
    at = SkillDesk(compiler)

    for _ in range(2):
        assert at.call("skills.read_skill", "broken") == {"ok": "How."}

    assert [read.loaded for read in at.captured.of(SkillRead)] == [False, False]
    ((kind, told),) = at.halves.take_problems()
    assert kind == "code_does_not_compile"
    assert told.startswith(
        "Code of the skill `broken` does not compile, and was not loaded:\nbroken.ts:1:7: error"
    )
    assert at.halves.take_problems() == ()
    assert (at.halves.modules, len(at.halves.take_due())) == ((), 2)


def test_pinned_prose_spends_nothing_of_the_views_of_a_turn(compiler: Compiler) -> None:
    at = SkillDesk(compiler)
    for number in range(128):
        at.call("views.open_text", str(number), "x" * 65_536)

    assert at.call("skills.read_skill", "style")["ok"] == "x" * 65_536
    assert at.call("views.open_text", "more", "x")["error"]["code"] == "limit-exceeded"


def test_a_reply_that_calls_tools_gets_the_prose_and_opens_nothing() -> None:
    at = SkillDesk()

    assert at.tool("read_skill", name="csv") == '"Fields are quoted."'
    assert at.captured.of(SkillRead) == (SkillRead(name="csv", hit=True, loaded=False, skill=WHOLE, turn=3),)
    assert (at.captured.of(View), at.texts()) == ((), [])


NAMES = [("xls", "xls"), ("a\nb", "a\\u000ab"), ("x" * 99, f"{'x' * 64}…")]


@pytest.mark.parametrize(("name", "recorded"), NAMES, ids=["short", "lines", "long"])
def test_a_name_that_is_none_is_recorded_on_one_line_and_cut(name: str, recorded: str) -> None:
    at = SkillDesk()

    assert at.tool("read_skill", name=name).startswith("not-found: There is no skill `")
    assert at.captured.of(SkillRead) == (SkillRead(name=recorded, hit=False, turn=3),)
    assert at.held.read == ()


def test_an_agent_without_skills_reads_none() -> None:
    assert Desk().call("skills.read_skill", "csv") == error(
        "unavailable", "skills.readSkill", "This agent has no skills."
    )
