"""A skillbook does what a naive model of it does, whichever operations come in whichever order, and is the
same book after it was written in any format and read again.
"""

import json
from dataclasses import dataclass, field
from itertools import combinations

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from host.skillbook import (
    FORMATS,
    Delta,
    Done,
    Format,
    Merge,
    Skillbook,
    apply_decision,
    asked_about,
    search_skills,
)
from host.testing.clock import FakeClock
from tests.helpers.skillbooks import own, source

IDS = ["a", "b", "c", "d"]
ISSUES = ["the lock is held", "設備の点検", "café 🚀"]
SCOPES = [None, "shop"]
COUNTED = {1: "helpful", 0: "neutral", -1: "harmful"}

some_id = st.sampled_from(IDS)
some_ids = st.lists(some_id, min_size=2, max_size=3, unique=True)


@dataclass
class Told:
    """A skill of the model. `counts` are its own; those of what was merged into it come on top."""

    issue: str
    insight: str
    scope: str | None
    state: str  # active, removed, held, rejected or merged
    counts: dict[str, int] = field(default_factory=lambda: dict.fromkeys(("used", *COUNTED.values()), 0))
    keywords: set[str] = field(default_factory=set)
    occurrences: set[str] = field(default_factory=set)
    merged_into: str | None = None


class Model(RuleBasedStateMachine):
    """What a book is, without a thought for how it is kept."""

    def __init__(self) -> None:
        super().__init__()
        self.book = Skillbook(clock=FakeClock())
        self.told: dict[str, Told] = {}
        self.apart: set[frozenset[str]] = set()
        self.reasons = 0

    @initialize(count=st.integers(0, len(IDS)))
    def begin(self, count: int) -> None:
        for id_ in IDS[:count]:
            self.add(id_, ISSUES[0], None, is_held=False)

    @rule(
        id_=some_id,
        issue=st.sampled_from(ISSUES),
        scope=st.sampled_from(SCOPES),
        is_held=st.booleans(),
    )
    def add(self, id_: str, issue: str, scope: str | None, is_held: bool) -> None:
        done = self.book.add_skill(
            "context",
            issue,
            insight="wait",
            keywords=[id_],
            skill_id=id_,
            scope=scope,
            evidence_is="untrusted" if is_held else "host",
        )

        if self.did(done, id_ not in self.told):
            state = "held" if is_held else "active"
            self.told[id_] = Told(issue=issue, insight="wait", scope=scope, state=state, keywords={id_})

    @rule(id_=some_id, insight=st.sampled_from(["wait", "break it"]))
    def update(self, id_: str, insight: str) -> None:
        done = self.book.update_skill(id_, insight=insight)

        told = self.told.get(id_)
        if self.did(done, told is not None and told.state in {"active", "held"} and told.insight != insight):
            self.told[id_].insight = insight

    @rule(id_=some_id, delta=st.sampled_from([1, 0, -1]))
    def tag(self, id_: str, delta: Delta) -> None:
        done = self.book.tag_skill(id_, delta)

        if self.did(done, id_ in self.told):
            self.told[self.kept(id_)].counts[COUNTED[delta]] += 1

    @rule(ids=some_ids)
    def use(self, ids: list[str]) -> None:
        done = self.book.mark_used(ids)

        used = {at for id_ in ids if id_ in self.told and self.told[at := self.kept(id_)].state == "active"}
        if self.did(done, bool(used)):
            for id_ in used:
                self.told[id_].counts["used"] += 1

    @rule(id_=some_id)
    def remove(self, id_: str) -> None:
        reason = self.reason()
        done = self.book.remove_skill(id_, insight_source=source(reason))

        told = self.told.get(id_)
        if self.did(done, told is not None and told.state in {"active", "held"}):
            self.told[id_].state = "removed" if self.told[id_].state == "active" else "rejected"
            self.told[id_].occurrences.add(f"gg:{reason}")

    @rule(id_=some_id)
    def accept(self, id_: str) -> None:
        done = self.book.accept(id_)

        if self.did(done, id_ in self.told and self.told[id_].state == "held"):
            self.told[id_].state = "active"

    @rule(id_=some_id)
    def restore(self, id_: str) -> None:
        done = self.book.restore(id_)

        told = self.told.get(id_)
        if self.did(done, told is not None and told.state in {"removed", "rejected", "merged"}):
            assert told is not None
            told.state = "held" if told.state == "rejected" else "active"
            told.merged_into = None

    @rule(id_=some_id)
    def purge(self, id_: str) -> None:
        done = self.book.purge(id_)

        if self.did(done, id_ in self.told):
            gone = self.told.pop(id_)
            self.apart = {pair for pair in self.apart if id_ not in pair}
            if gone.merged_into is not None:
                for name, count in gone.counts.items():
                    self.told[gone.merged_into].counts[name] += count
            for each in self.told.values():
                if each.merged_into == id_:  # as if they had been merged into what that was merged into
                    each.merged_into = gone.merged_into
                    each.state = "removed" if gone.merged_into is None else "merged"

    @rule(ids=some_ids)
    def merge(self, ids: list[str]) -> None:
        keep_id, *source_ids = ids
        reason = self.reason()
        there = [skill for id_ in ids if (skill := self.book.own(id_)) is not None]
        decision = Merge(source_ids=tuple(ids), keep_id=keep_id, merged_content="both", reasoning=reason)
        done = apply_decision(self.book, decision, asked=asked_about(there, {}, "lexical/1"))

        told = [self.told[id_] for id_ in ids if id_ in self.told]
        may_be = len(told) == len(ids) and all(each.state == "active" for each in told)
        if self.did(done, may_be and all(told[0].scope in (None, each.scope) for each in told)):
            told[0].insight = "both"
            for id_, each in zip(source_ids, told[1:], strict=True):
                told[0].keywords |= each.keywords
                told[0].occurrences |= each.occurrences
                each.state, each.merged_into = "merged", keep_id
                each.occurrences.add("gg:consolidation")
                self.apart = {pair for pair in self.apart if id_ not in pair}

    @rule(ids=st.lists(some_id, min_size=2, max_size=2))
    def keep_apart(self, ids: list[str]) -> None:
        done = self.book.set_similarity_decision(*ids, "other locks", similarity=8_000, measure="lexical/1")

        known = [id_ for id_ in ids if id_ in self.told and self.told[id_].state != "merged"]
        if self.did(done, len(set(known)) == 2):
            self.apart.add(frozenset(ids))

    @rule(written_as=st.sampled_from(FORMATS))
    def write_and_read(self, written_as: Format) -> None:
        written = json.loads(json.dumps(self.book.to_dict(written_as)))
        read = Skillbook.from_dict(written, clock=FakeClock())

        assert read.problems == ()
        assert read.contents.skills == self.book.contents.skills
        assert read.decisions == self.book.decisions
        assert read.to_dict(written_as) == written
        self.book = read

    @invariant()
    def skills_are_as_told(self) -> None:
        assert [skill.id for skill in self.book.skills(include_invalid=True)] == list(self.told)
        for id_, told in self.told.items():
            skill = own(self.book, id_)
            assert (skill.issue, skill.insight, set(skill.keywords)) == (
                told.issue,
                told.insight,
                told.keywords,
            )
            assert {occurrence.trace_uid for occurrence in skill.occurrences} == told.occurrences
            assert (skill.merged_into, skill.is_served) == (told.merged_into, told.state == "active")
            assert list(skill.counters.values()) == [
                self.count(id_, name) for name in ("used", "helpful", "harmful", "neutral")
            ]
            assert self.book.get_skill(id_) == own(self.book, self.kept(id_))

    @invariant()
    def runs_see_active_skills_in_scope_alone(self) -> None:
        for scope in SCOPES:
            seen = [
                id_
                for id_, told in self.told.items()
                if told.state == "active" and told.scope in (None, scope)
            ]
            assert [skill.id for skill in self.book.skills(scope=scope)] == seen
            for issue in ISSUES:
                found = [hit.skill.id for hit in search_skills(self.book, issue, scope=scope)]
                assert {id_ for id_ in seen if self.told[id_].issue == issue} <= set(found) <= set(seen)

    @invariant()
    def decisions_are_as_told(self) -> None:
        assert set(self.book.decisions) == self.apart

    def did(self, done: Done, should: bool) -> bool:
        """Whether it was done, which the model foresaw."""
        assert (done.ok, bool(done.did), bool(done.why)) == (should, should, not should), done
        return done.ok

    def kept(self, id_: str) -> str:
        """The id that an id leads to."""
        while (into := self.told[id_].merged_into) is not None:
            id_ = into
        return id_

    def count(self, id_: str, name: str) -> int:
        merged = (other for other, told in self.told.items() if told.merged_into == id_)
        return self.told[id_].counts[name] + sum(self.count(other, name) for other in merged)

    def reason(self) -> str:
        self.reasons += 1
        return f"reason-{self.reasons}"


TestModel = pytest.mark.slow(Model.TestCase)
TestModel.settings = settings(max_examples=400, stateful_step_count=40, deadline=None)


def test_a_pair_is_the_same_in_either_order() -> None:
    book = Skillbook(clock=FakeClock())
    for id_ in IDS:
        book.add_skill("context", ISSUES[0], insight="wait", skill_id=id_)
    book.set_similarity_decision("b", "a", "other locks")

    kept = {pair for pair in combinations(IDS, 2) if book.has_keep_decision(*pair)}
    assert (
        kept == {("a", "b")} == {pair for pair in combinations(IDS, 2) if book.has_keep_decision(*pair[::-1])}
    )
