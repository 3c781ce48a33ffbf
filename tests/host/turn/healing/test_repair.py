"""The order of the repairs, the end of them, and what is no repair."""

import pytest

from host.core.healing import DEFAULT_HEALING, STRATEGY_IDS, HealingSettings
from host.turn.healing import PASSES, Healed, heal

PROGRAM = 'import { views } from "gg";\nviews.openText("a", "b");'
SENTENCE = "Here is the program:"
OFF = HealingSettings(strip_fences=False, strip_prose=False)


def wrapped(text: str, times: int) -> str:
    for length in range(3, 3 + times):
        text = f"{'`' * length}{'md' if length > 3 else 'ts'}\n{text}\n{'`' * length}"
    return text


def test_the_defaults() -> None:
    assert [id_ for id_ in STRATEGY_IDS if id_ in DEFAULT_HEALING.enabled] == ["strip-fences", "strip-prose"]
    assert OFF.enabled == frozenset()


@pytest.mark.parametrize(
    ("reply", "strategies"),
    [
        (PROGRAM, ()),
        (wrapped(PROGRAM, 1), ("strip-fences",)),
        (f"{SENTENCE}\n{PROGRAM}", ("strip-prose",)),
        (wrapped(f"{SENTENCE}\n{PROGRAM}", 1), ("strip-fences", "strip-prose")),
        (f"{wrapped(f'{SENTENCE}{chr(10)}{PROGRAM}', 2)}\n{SENTENCE}", ("strip-fences", "strip-prose")),
    ],
)
def test_each_repair_is_named_once_in_the_order_of_its_first_use(
    reply: str, strategies: tuple[str, ...]
) -> None:
    assert heal(reply) == Healed(PROGRAM, strategies)


def test_a_repair_that_is_off_is_not_made() -> None:
    reply = wrapped(f"{SENTENCE}\n{PROGRAM}", 1)

    assert heal(reply, HealingSettings(strip_fences=False)) == Healed(reply)
    assert heal(reply, HealingSettings(strip_prose=False)) == Healed(
        f"{SENTENCE}\n{PROGRAM}", ("strip-fences",)
    )
    assert heal(reply, OFF) == Healed(reply)


def test_the_last_pass_has_to_find_nothing() -> None:
    assert heal(wrapped(PROGRAM, PASSES - 1)) == Healed(PROGRAM, ("strip-fences",))
    too_often = wrapped(PROGRAM, PASSES)
    assert heal(f"\n{too_often}\n") == Healed(f"\n{too_often}", did_not_converge=True)


def test_margins_are_no_repair() -> None:
    assert heal(f"\ufeff \n\t\n  {PROGRAM}\n \n") == Healed(f" \n\t\n  {PROGRAM}")
    assert heal(f"\n```ts\n{PROGRAM}\n```\n", OFF) == Healed(f"\n```ts\n{PROGRAM}\n```")


def test_the_indent_of_the_first_line_stays() -> None:
    assert heal(f"{SENTENCE}\n\n  {PROGRAM}\n") == Healed(f"  {PROGRAM}", ("strip-prose",))
