"""Templates are rendered strictly, and each of them is used."""

import pytest
from jinja2 import UndefinedError

from host.turn.prompt.rendering import TEMPLATES, TemplateMismatch, render, variables_of
from tests.host.turn.prompt.agents import CODE, STRATEGIES, TOOLS

AFTER = "after_compaction.j2"


def test_a_template_is_rendered() -> None:
    text = render(AFTER, {"compacts": True, "pins_memories": False, "sections": ()})

    assert text == "- `Summary`: what was kept of the turns that are no longer in your window.\n"


@pytest.mark.parametrize(
    ("variables", "complaint"),
    [
        pytest.param(
            {}, "lacks ['compacts', 'pins_memories', 'sections'] and does not use nothing", id="none"
        ),
        pytest.param(
            {"compacts": False, "pins_memories": False, "sections": (), "extra": 1, "more": 2},
            "lacks nothing and does not use ['extra', 'more']",
            id="too many",
        ),
        pytest.param(
            {"compacts": False, "pin_memories": False, "sections": ()},
            "lacks ['pins_memories'] and does not use ['pin_memories']",
            id="one misspelled",
        ),
    ],
)
def test_other_variables_than_the_template_uses_fail(variables: dict[str, object], complaint: str) -> None:
    with pytest.raises(TemplateMismatch, match=f"^{AFTER}: ") as caught:
        render(AFTER, variables)

    assert complaint in str(caught.value)


def test_a_call_that_the_agent_does_not_have_fails() -> None:
    variables = dict.fromkeys(variables_of("tool_calling.j2"), "") | {"calls": {}}

    with pytest.raises(UndefinedError, match=r"has no attribute 'session\.finish'"):
        render("tool_calling.j2", variables)


def test_the_variables_of_a_template_are_those_of_the_ones_it_includes_too() -> None:
    assert variables_of("compaction.j2") == {"compaction"}
    assert {"compaction", "compacts", "pins_memories", "memories"} < variables_of("tool_calling.j2")


def test_each_template_is_of_a_mode_a_strategy_or_what_an_agent_has_or_is_included() -> None:
    names = {path.relative_to(TEMPLATES).as_posix() for path in TEMPLATES.rglob("*.j2")}
    tops = {f"{mode}.j2" for mode in (CODE, TOOLS)} | {f"memories/{name}.j2" for name in STRATEGIES}
    tops |= {"delegation.j2", "board.j2", "records.j2", "skillbook.j2", "skills.j2"}
    texts = {name: (TEMPLATES / name).read_text(encoding="utf-8") for name in names}
    included = {name for name in names if any(f'include "{name}"' in text for text in texts.values())}

    assert {path.name for path in TEMPLATES.rglob("*.*") if path.suffix != ".j2"} == set()
    assert tops <= names
    assert names - tops == included
