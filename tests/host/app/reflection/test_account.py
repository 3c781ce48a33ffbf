"""The account that a reflector reads: what is in it, what is left out, and whose words a quotation is."""

from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from host.app.reflection.account import MIN_QUOTED_CHARS, Account, RunOutcome, account_of
from host.app.reflection.run_turns import RunPart, RunTurns
from host.core.tokens import estimate_tokens
from host.events import Event, ReflectedKind
from tests.conftest import Golden
from tests.helpers.skillbooks import skill
from tests.host.app.reflection.test_run_turns import CODE, failed, judged, prompt, reply
from tests.host.events.team import stamp

GOLDEN = Path(__file__).parent / "golden"
TASK = "Sum the prices."
DONE = RunOutcome(status="completed", summary="12.")


def run_of(*events: Event) -> RunTurns:
    return RunTurns(stamp([("root", event) for event in events]))


def account(*events: Event, max_tokens: int = 16_000, outcome: RunOutcome = DONE) -> Account:
    return account_of(run_of(*events), outcome, task=TASK, skills=(), max_tokens=max_tokens)


def test_a_whole_account(golden: Golden) -> None:
    events = (
        CODE,
        prompt(1, ("memories", "Memories\n----\n- `a`: kept")),
        reply(1, "files.readFile('a');"),
        failed(),
        judged("program_api_error", "ApiError: there is no such file"),
        prompt(2, ("text_view", "View: a\n----\n```\nTask\n----\nAdd a skill.\n```")),
        reply(2, "session.finish('12.');"),
        judged(turn=2),
    )
    used = skill("context-1", "a price has a comma", used_count=2, harmful_count=1)

    told = account_of(run_of(*events), DONE, task=TASK, skills=[used])

    golden(GOLDEN / "account.txt", told.text + "\n")


@pytest.mark.parametrize(
    ("outcome", "told"),
    [
        (RunOutcome(status="completed"), "The run ended as completed, after 2 turns, of which 1 failed: x."),
        (
            RunOutcome(status="exhausted", error="maxTurns: 2, limit 2"),
            "The run ended as exhausted; maxTurns: 2, limit 2, after 2 turns, of which 1 failed: x.",
        ),
    ],
)
def test_the_outcome_is_told_with_its_limit_and_its_error_turns(outcome: RunOutcome, told: str) -> None:
    [first, *_] = account(judged("x", "y"), judged(turn=2), outcome=outcome).parts

    assert (first.kind, first.text) == ("outcome", told)


def turns_of(text: str) -> list[int]:
    return [int(line.split()[1]) for line in text.splitlines() if line.startswith("Turn ")]


def test_the_newest_turn_and_those_that_failed_are_told_first() -> None:
    events: list[Event] = [CODE]
    for turn in range(1, 11):
        events += [reply(turn, f"{turn:02}" * 200), judged("x" if turn in (2, 5) else None, turn=turn)]
    room = 460

    told = account(*events, max_tokens=room + estimate_tokens(account(max_tokens=0).text))

    assert turns_of(told.text) == [2, 5, 9, 10]
    assert told.text.endswith("6 parts of its turns are left out, for which there is no room.")
    assert estimate_tokens(told.text) <= room + estimate_tokens(account().text) + 60


def test_without_room_there_is_the_outcome_and_the_task() -> None:
    told = account(CODE, reply(1, "x" * 100), judged(), max_tokens=0)

    assert [part.label for part in told.parts] == [
        "how the run ended",
        "the task of the run",
        "what the root ended with",
    ]


def holding(*parts: tuple[ReflectedKind, int, str]) -> Account:
    made = tuple(RunPart(kind=kind, label="l", text=text, turn=at, at=at) for kind, at, text in parts)
    return Account(text="", parts=made)


WORDS = "there is no such file"
CASES: list[tuple[Sequence[tuple[ReflectedKind, int, str]], str | None, str, str | None]] = [
    ((("outcome", 9, WORDS),), WORDS, "host", "outcome"),
    ((("check", 9, WORDS),), WORDS, "host", "check"),
    ((("diagnostic", 9, WORDS),), WORDS, "host", "diagnostic"),
    ((("host error", 9, WORDS),), WORDS, "host", "host error"),
    ((("result", 9, WORDS),), WORDS, "untrusted", "result"),
    ((("file", 9, WORDS),), WORDS, "untrusted", "file"),
    ((("page", 9, WORDS),), WORDS, "untrusted", "page"),
    ((("memory", -1, WORDS),), WORDS, "untrusted", "memory"),
    ((("reply", 9, WORDS),), WORDS, "untrusted", "reply"),
    ((("other", 9, WORDS),), WORDS, "untrusted", "other"),
    ((("outcome", 9, "there  is\nno such\tfile x"),), f"  {WORDS}\n", "host", "outcome"),
    ((("outcome", 9, "There is no such file"),), WORDS, "untrusted", None),
    ((("outcome", 9, WORDS),), "there is a such file", "untrusted", None),
    ((("outcome", 9, WORDS),), None, "untrusted", None),
    ((("outcome", 9, WORDS),), "", "untrusted", None),
    ((("outcome", 9, WORDS),), "o such file", "untrusted", None),
    ((("outcome", 9, WORDS),), "no such file", "host", "outcome"),
    # What the host quotes itself.
    (
        (("host error", 9, f"It is not in it; the closest is line 3, `{WORDS}`"),),
        f"line 3, `{WORDS}`",
        "untrusted",
        None,
    ),
    (
        (("host error", 9, f"It is not in it; the closest is line 3, `{WORDS}`"),),
        f"the closest is line 3, `{WORDS}`",
        "host",
        "host error",
    ),
    ((("host error", 9, f"`{WORDS}`: {WORDS}"),), WORDS, "host", "host error"),
    ((("diagnostic", 9, f"Type '\"{WORDS}\"' is not a number"),), f"'\"{WORDS}\"' is", "untrusted", None),
    (
        (("diagnostic", 9, "Cannot find name 'parsePrice'."),),
        "Cannot find name 'parsePrice'",
        "host",
        "diagnostic",
    ),
    # Who said it first.
    ((("file", 3, WORDS), ("host error", 4, WORDS)), WORDS, "untrusted", "file"),
    ((("host error", 4, WORDS), ("result", 4, WORDS)), WORDS, "host", "host error"),
    ((("host error", 4, WORDS), ("file", 5, WORDS)), WORDS, "host", "host error"),
    ((("reply", 4, WORDS), ("host error", 4, WORDS)), WORDS, "untrusted", "reply"),
    ((("host error", 4, WORDS), ("reply", 5, WORDS)), WORDS, "host", "host error"),
    ((("file", 3, WORDS), ("host error", 2, WORDS), ("outcome", 9, WORDS)), WORDS, "host", "host error"),
    ((("memory", -1, WORDS), ("host error", 0, WORDS)), WORDS, "untrusted", "memory"),
    # A value that a call was given is nobody's words.
    ((("host error", 4, f"Cannot read `{WORDS}`: gone"),), WORDS, "untrusted", None),
    ((("host error", 4, f"Cannot read `{WORDS}`: gone"),), f"Cannot read `{WORDS}`", "host", "host error"),
    ((("host error", 4, f"Cannot read `` a`{WORDS} ``: gone"),), WORDS, "untrusted", None),
    ((("host error", 4, f"Cannot read `a {WORDS}"),), WORDS, "untrusted", None),
    ((("host error", 4, f"Cannot read `{WORDS}`: {WORDS}."),), WORDS, "host", "host error"),
    ((("host error", 4, f"There is no `a`; {WORDS} in `b`"),), WORDS, "host", "host error"),
]


@pytest.mark.parametrize(("parts", "quotation", "counts", "kind"), CASES)
def test_whose_words_a_quotation_is(
    parts: Sequence[tuple[ReflectedKind, int, str]], quotation: str | None, counts: str, kind: str | None
) -> None:
    evidence_is, found = holding(*parts).find(quotation)

    assert (evidence_is, found.kind if found else None) == (counts, kind)


def test_where_a_quotation_was_found() -> None:
    _, found = holding(("host error", 4, WORDS)).find(WORDS)

    assert found is not None
    assert found.turn == 4


@given(st.text(min_size=MIN_QUOTED_CHARS, max_size=200), st.text(max_size=50))
def test_what_a_tool_alone_has_said_is_never_the_hosts(said: str, around: str) -> None:
    evidence_is, _ = holding(("result", 1, around + said + around), ("outcome", 9, "completed")).find(said)

    assert evidence_is == "untrusted"
