"""Replies that are twice the same, and those that only seem so."""

import pytest

from host.core.healing import HealingSettings
from host.turn.healing import Healed, heal
from host.turn.healing.doubled import drop_doubled

PROGRAM = 'import { views } from "gg";\nviews.openText("a", "b");'
ON = HealingSettings(drop_doubled_response=True)

DOUBLED = [
    pytest.param(PROGRAM + PROGRAM, PROGRAM, id="glued"),
    pytest.param(f"  {PROGRAM}{PROGRAM}\n", PROGRAM, id="glued, white space around"),
    pytest.param("foo();foo();", "foo();", id="glued, anything"),
    pytest.param(f"{PROGRAM}\n{PROGRAM}", PROGRAM, id="a line apart"),
    pytest.param(f"{PROGRAM}\n\n{PROGRAM}\n", PROGRAM, id="a blank line apart"),
    pytest.param("const a = 1; \nconst a = 1;", "const a = 1;", id="a declaration"),
    pytest.param("export class A {}\n\nexport class A {}", "export class A {}", id="a class"),
]

NOT_DOUBLED = [
    pytest.param("", id="nothing"),
    pytest.param(PROGRAM, id="once"),
    pytest.param("foo();\nfoo();", id="a call that may be meant twice"),
    pytest.param("foo();\n\nfoo();", id="a blank line apart, of even length"),
    pytest.param("var a = 1;\nvar a = 1;", id="what may be declared twice"),
    pytest.param('import("a");\nimport("a");', id="modules that may be loaded twice"),
    pytest.param(f"{PROGRAM}\n{PROGRAM} ".replace("b", "c", 1), id="almost"),
    pytest.param(f"{PROGRAM}\n{PROGRAM}\n{PROGRAM}", id="three times"),
]


@pytest.mark.parametrize(("text", "half"), DOUBLED)
def test_the_second_half_is_dropped(text: str, half: str) -> None:
    assert drop_doubled(text) == half


@pytest.mark.parametrize("text", NOT_DOUBLED)
def test_what_is_left_as_it_is(text: str) -> None:
    assert drop_doubled(text) is None


def test_by_default_it_is_off() -> None:
    assert heal(PROGRAM + PROGRAM) == Healed(PROGRAM + PROGRAM)
    assert heal(PROGRAM + PROGRAM, ON) == Healed(PROGRAM, ("drop-doubled-response",))


def test_a_block_sent_twice_is_dropped_and_then_its_fence() -> None:
    block = f"```ts\n{PROGRAM}\n```"

    assert heal(f"{block}\n\n{block}", ON) == Healed(PROGRAM, ("drop-doubled-response", "strip-fences"))
