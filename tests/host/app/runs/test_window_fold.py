"""What the windows of requests were made of, from the events alone."""

from hypothesis import given
from hypothesis import strategies as st

from host.app import RequestWindow, WindowChange, WindowFold
from host.app.runs.window_fold import divided
from host.events import AgentEnded, Compaction, Event, SessionSummary, StampedEvent, View
from tests.host.app.runs.windows import breakdown, calling, message, prompt, usage
from tests.host.events.runs import SUMMARY, stamp
from tests.host.events.samples import call
from tests.host.events.team import Story
from tests.host.events.team import stamp as stamp_story


def fold(stamped: list[StampedEvent], *, listed_turn: int | None = None) -> list[RequestWindow]:
    folding = WindowFold(listed_turn=listed_turn)
    requests = [request for each in stamped for request in folding.add(each)]
    return [*requests, *folding.rest()]


def folded(*events: Event, listed_turn: int | None = None) -> list[RequestWindow]:
    return fold(stamp(list(events)), listed_turn=listed_turn)


OPENING: tuple[Event, ...] = (
    prompt(1, 2, message("system", 400), message("task", 40)),
    breakdown(1, {"system": (1, 100), "task": (1, 10)}),
    usage(1),
)
SECOND: tuple[Event, ...] = (
    prompt(2, 4, message("program", 80), message("file_view", 1200)),
    breakdown(
        2, {"system": (1, 100), "task": (1, 10), "program": (1, 20), "file_view": (1, 300)}, tokens=599
    ),
)
CLOSED = View(turn=2, action="closed", kind="file", selector="a.csv", bytes=0, tokens=0, origin="program")


def test_what_came_and_what_left_is_told_by_band() -> None:
    third = prompt(3, 4, message("program", 40), dropped=[3])
    bands = {"system": (1, 100), "task": (1, 10), "program": (2, 30)}

    _, second, last = folded(*OPENING, *SECOND, usage(2), CLOSED, third, breakdown(3, bands), usage(3))

    assert second.new == WindowChange(messages=2, tokens=320)
    assert second.bands["file_view"].new == WindowChange(messages=1, tokens=300)
    assert (second.gone, second.closed) == (WindowChange(), ())
    assert list(last.bands) == ["system", "task", "program", "file_view"]
    assert last.bands["program"].new == WindowChange(messages=1, tokens=10)
    assert last.bands["file_view"].gone == WindowChange(messages=1, tokens=300)
    assert (last.bands["file_view"].messages, last.bands["file_view"].tokens) == (0, 0)
    assert (last.closed, last.compactions, last.archived) == (("a.csv",), (), 0)


def test_shares_are_of_the_bands_and_of_the_bill() -> None:
    [_, request] = folded(*OPENING, *SECOND, usage(2, 861, 5, cached=400, cost=0.0086))

    assert [band.share for band in request.bands.values()] == [0.2326, 0.0233, 0.0465, 0.6977]
    assert [band.billed_tokens for band in request.bands.values()] == [200, 20, 40, 601]
    assert [band.cost for band in request.bands.values()] == [0.002, 0.0002, 0.0004, 0.006]
    assert (request.tokens, request.band_tokens) == (599, 430)


def test_a_request_that_was_billed_nothing_has_no_parts_of_a_bill() -> None:
    [request] = folded(*OPENING)

    assert [(band.billed_tokens, band.cost) for band in request.bands.values()] == [(None, None)] * 2


def test_tokens_are_told_by_trust_and_authority() -> None:
    [_, request] = folded(*OPENING, *SECOND, usage(2))

    assert request.trust == {"trusted": 110, "untrusted": 320}
    assert request.authority == {"governance": 100, "user_intent": 10, "evidence": 320}
    assert {name: band.untrusted_tokens for name, band in request.bands.items()} == {
        "system": 0,
        "task": 0,
        "program": 20,
        "file_view": 300,
    }


def test_messages_that_do_not_say_what_they_count_for_are_not_counted() -> None:
    older = prompt(1, 2, message("system", 4, says=False), message("task", 4, says=False))

    [request] = folded(older, breakdown(1, {"system": (1, 5), "task": (1, 5)}), usage(1))

    assert (request.trust, request.authority) == ({}, {})
    assert [band.untrusted_tokens for band in request.bands.values()] == [None, None]
    assert (request.tokens, request.counter, request.most_tokens) == (None, None, None)


def test_a_window_that_has_no_limit_of_its_own_may_fill_the_model() -> None:
    [request] = folded(OPENING[0], breakdown(1, {}, context_window=4000), usage(1))
    [limited] = folded(OPENING[0], breakdown(1, {}, context_window=4000, window_tokens=3000), usage(1))

    assert (request.most_tokens, limited.most_tokens) == (4000, 3000)


def test_a_band_that_is_not_known_is_told_like_any_other() -> None:
    [request] = folded(prompt(1, 1, message("omens", 4)), breakdown(1, {"omens": (1, 7)}), usage(1))

    assert (request.bands["omens"].tokens, request.bands["omens"].share) == (7, 1.0)


def test_of_several_messages_that_came_at_once_the_tokens_are_divided_by_length() -> None:
    both = prompt(1, 3, message("text_view", 30), message("text_view", 10), calling("read", "12345678901"))

    [request] = folded(both, breakdown(1, {"text_view": (2, 11), "calls": (1, 9)}), usage(1), listed_turn=1)

    assert [(each.band, each.chars, each.tokens) for each in request.listed] == [
        ("text_view", 30, 8),
        ("text_view", 10, 3),
        ("calls", 15, 9),
    ]


def test_a_division_that_did_not_hold_is_made_again() -> None:
    both = prompt(1, 2, message("text_view", 20), message("text_view", 20))
    left = prompt(2, 1, dropped=[0])

    _, request = folded(
        both,
        breakdown(1, {"text_view": (2, 100)}),
        usage(1),
        left,
        breakdown(2, {"text_view": (1, 10)}),
        usage(2),
        listed_turn=2,
    )

    assert [(each.position, each.tokens, each.is_new) for each in request.listed] == [(0, 10, False)]
    assert request.trust == {"untrusted": 10}


def test_messages_are_listed_for_the_turn_alone_that_is_asked_for() -> None:
    first, second = folded(*OPENING, *SECOND, usage(2), listed_turn=2)

    assert first.listed == ()
    assert [(each.position, each.band, each.source, each.is_new) for each in second.listed] == [
        (0, "system", "gg", False),
        (1, "task", "caller", False),
        (2, "program", "model", True),
        (3, "file_view", "model", True),
    ]


def test_why_messages_left_is_told_once() -> None:
    archived = call(2, operation="context.archive_thread")
    refused = call(2, operation="context.archive_thread", ok=False, code="x", message="y")
    compaction = Compaction(
        turn=2,
        cause="agent",
        strategy="summary",
        summary="s",
        memories_kept=0,
        messages_before=4,
        messages_after=3,
        tokens_before=430,
        tokens_after=120,
    )
    last = prompt(3, 3, message("summary", 8), dropped=[2, 3])
    bands = {"system": (1, 100), "task": (1, 10), "summary": (1, 2)}

    *_, third, fourth = folded(
        *OPENING,
        *SECOND,
        usage(2),
        archived,
        refused,
        compaction,
        last,
        breakdown(3, bands),
        usage(3),
        prompt(4, 3),
        breakdown(4, bands),
        usage(4),
    )

    assert (third.compactions, third.archived, third.gone.messages) == (("summary",), 1, 2)
    assert (fourth.compactions, fourth.archived, fourth.closed) == ((), 0, ())


def test_a_request_for_a_summary_is_one_of_its_own() -> None:
    asked = prompt(1, 3, message("notice", 4), purpose="summary")
    bands = {"system": (1, 100), "task": (1, 10), "notice": (1, 1)}

    requests = folded(*OPENING, asked, breakdown(1, bands, purpose="summary"), usage(1, 7, purpose="summary"))

    assert [(each.turn, each.purpose, each.messages) for each in requests] == [
        (1, "turn", 2),
        (1, "summary", 3),
    ]


def test_a_request_without_a_reply_is_told_when_its_agent_goes_on_or_ends() -> None:
    folding = WindowFold()
    events = stamp([*OPENING[:2], *SECOND, AgentEnded(status="model_error")])

    told = [len(folding.add(each)) for each in events]

    assert told == [0, 0, 1, 0, 1]
    assert folding.rest() == ()


def test_a_request_that_was_cut_off_before_its_breakdown_has_its_messages() -> None:
    [_, request] = folded(*OPENING, SECOND[0], listed_turn=2)

    assert request.usage is None
    assert [(name, band.messages, band.chars, band.tokens) for name, band in request.bands.items()] == [
        ("system", 1, 400, None),
        ("task", 1, 40, None),
        ("program", 1, 80, None),
        ("file_view", 1, 1200, None),
    ]
    assert request.new == WindowChange(messages=2, tokens=None)
    assert [each.tokens for each in request.listed] == [100, 10, None, None]
    assert (request.trust, request.band_tokens) == ({}, None)


def test_windows_of_agents_are_kept_apart() -> None:
    story: Story = [("a", OPENING[0]), ("b", OPENING[0]), ("b", OPENING[1]), ("a", OPENING[1])]
    story += [("b", usage(1, 220)), ("a", usage(1, 110))]

    requests = fold(stamp_story(story))

    assert [(each.agent_id, each.bands["system"].billed_tokens) for each in requests] == [
        ("b", 200),
        ("a", 100),
    ]


def test_the_end_of_a_run_is_noticed() -> None:
    folding = WindowFold()
    for each in stamp([*OPENING]):
        folding.add(each)
    assert (folding.events, folding.has_ended) == (3, False)

    folding.add(stamp([*OPENING, SUMMARY])[-1])
    assert isinstance(SUMMARY, SessionSummary)
    assert (folding.events, folding.has_ended) == (4, True)


@given(total=st.integers(0, 10**9), weights=st.lists(st.integers(0, 10**6), min_size=1, max_size=20))
def test_parts_add_up_and_are_the_nearest(total: int, weights: list[int]) -> None:
    parts = divided(total, weights)

    assert sum(parts) == total
    whole = sum(weights)
    if whole:
        assert all(
            abs(part * whole - total * weight) < whole for part, weight in zip(parts, weights, strict=True)
        )


BANDS = st.sampled_from(["system", "program", "text_view", "notice"])
STEPS = st.lists(
    st.tuples(
        st.lists(st.tuples(BANDS, st.integers(0, 50)), max_size=4),  # what comes
        st.sets(st.integers(0, 9), max_size=4),  # positions of what leaves
        st.integers(1, 3),  # tokens that a character is taken for
    ),
    min_size=1,
    max_size=8,
)


@given(steps=STEPS)
def test_the_messages_of_a_band_add_up_to_it_whatever_comes_and_leaves(
    steps: list[tuple[list[tuple[str, int]], set[int], int]],
) -> None:
    held: list[tuple[str, int]] = []
    folding = WindowFold(listed_turn=1)
    for came, leaving, rate in steps:
        dropped = sorted(place for place in leaving if place < len(held))
        held = [each for place, each in enumerate(held) if place not in dropped] + came
        bands: dict[str, tuple[int, int]] = {}
        for band, chars in held:
            messages, tokens = bands.get(band, (0, 0))
            bands[band] = (messages + 1, tokens + rate * chars)
        new = [message(band, chars) for band, chars in came]
        events = [prompt(1, len(held), *new, dropped=dropped), breakdown(1, bands), usage(1)]
        *_, [request] = [folding.add(each) for each in stamp(events)]

        assert [each.band for each in request.listed] == [band for band, _ in held]
        sums: dict[str, int] = {}
        for each in request.listed:
            sums[each.band] = sums.get(each.band, 0) + (each.tokens or 0)
        assert sums == {band: tokens for band, (_, tokens) in bands.items()}
        assert sum(request.trust.values()) == sum(tokens for _, tokens in bands.values())
        assert request.gone.messages == len(dropped)
        assert request.new.messages == len(came)
