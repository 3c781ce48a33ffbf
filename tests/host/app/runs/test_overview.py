"""What a run came to, folded while it is shown."""

from dataclasses import replace

from host.app import Overview
from host.events import MemoryState, fold_memories
from tests.host.app.runs.test_revisions import story
from tests.host.events.runs import SUMMARY, stamp, whole_run


def test_the_stores_are_those_of_the_fold_with_their_revisions() -> None:
    overview = Overview()
    for stamped in stamp(story()):
        overview.add(stamped)

    folded = fold_memories(stamp(story()))
    assert [each.store.module_id for each in overview.stores()] == ["one", "two"]
    for each in overview.stores():
        whole = folded[each.store.module_id]
        assert (each.store.state, each.store.memories) == (whole.state, whole.memories)
        assert {name: [row.revision for row in rows] for name, rows in each.revisions.items()} == {
            name: [entry.revision.revision for entry in whole.history if entry.revision.name == name]
            for name in dict.fromkeys(entry.revision.name for entry in whole.history)
        }


def test_how_it_ended() -> None:
    overview = Overview()
    for stamped in stamp(whole_run()):
        overview.add(stamped)

    assert (overview.events, overview.summary) == (len(whole_run()), SUMMARY)


def test_contradictions_are_kept_up_to_a_bound() -> None:
    overview = Overview()
    state = next(event for event in story() if isinstance(event, MemoryState))
    wrong = stamp([state.model_copy(update={"count": 7})])[0]
    for number in range(1, 100):
        overview.add(replace(wrong, seq=number))

    assert [mismatch.seq for mismatch in overview.mismatches] == list(range(1, 21))
