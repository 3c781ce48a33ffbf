"""What requests come to in all."""

from host.app import AgentTotal, BandTotal, WindowFold, WindowTotals
from tests.host.app.runs.windows import breakdown, message, prompt, usage
from tests.host.events.team import Story, stamp

STORY: Story = [
    ("a", prompt(1, 1, message("system", 400))),
    ("a", breakdown(1, {"system": (1, 100)}, tokens=130, window_tokens=1000, context_window=2000)),
    ("a", usage(1, 120, 5, cached=60, cost=0.1)),
    ("a", prompt(2, 2, message("task", 40))),
    ("a", breakdown(2, {"system": (1, 100), "task": (1, 20)}, tokens=150, window_tokens=1000)),
    ("a", usage(2, 120, 7, cost=0.2)),
    ("b", prompt(1, 1, message("system", 400))),
    ("b", breakdown(1, {"system": (1, 50)})),
    ("a", prompt(3, 1, dropped=[1])),
    ("a", breakdown(3, {"system": (1, 100)}, tokens=130)),
]


def taken() -> WindowTotals:
    fold, totals = WindowFold(), WindowTotals()
    for each in stamp(STORY):
        for request in fold.add(each):
            totals.taken(request)
    for request in fold.rest():
        totals.taken(request)
    return totals


def test_bands_are_added_up_over_the_requests_that_have_them() -> None:
    totals = taken()

    assert totals.requests == 4
    assert totals.bands == {
        "system": BandTotal(requests=4, tokens=350, billed_tokens=220, cost=0.266666667),
        "task": BandTotal(requests=1, tokens=20, billed_tokens=20, cost=0.033333333),
    }


def test_agents_are_added_up_with_the_fullest_of_their_windows() -> None:
    agents = taken().agents

    assert agents["a"] == AgentTotal(
        requests=3,
        tokens=320,
        fullest=0.15,
        input_tokens=240,
        cached_input_tokens=60,
        output_tokens=12,
        cost=0.3,
    )
    assert agents["b"] == AgentTotal(requests=1, tokens=50)


def test_a_report_has_the_requests_that_its_caller_kept() -> None:
    report = taken().report(())

    assert (report.requests, list(report.bands), list(report.agents)) == ((), ["system", "task"], ["a", "b"])
