"""What a reflector's calls do to a book: bounds, scopes, merged skills, sources, what is not tagged yet."""

from pathlib import Path

import pytest

from host.app.reflection.account import Account
from host.app.reflection.keeping import RunReflection
from host.app.reflection.run_turns import RunPart
from host.operations import BookChange
from host.skillbook import BookFile, Done, Skill
from host.testing.clock import FakeClock
from tests.helpers.skillbooks import skill

PROOF = "maxTurns: 3, limit 3"
ACCOUNT = Account(text="", parts=(RunPart(kind="outcome", label="l", text=PROOF, agent_id="kid", turn=7),))


@pytest.fixture
def file(tmp_path: Path) -> BookFile:
    return BookFile(tmp_path / "book.json", clock=FakeClock())


def filled(file: BookFile, *skills: Skill) -> None:
    def put(book: object) -> None:
        for each in skills:
            book.put(each)  # type: ignore[attr-defined]

    file.apply(put)


def reflection(file: BookFile, *injected: str, scope: str | None = None) -> RunReflection:
    return RunReflection(
        file,
        scope=scope,
        run="run-1",
        task="Sum the prices. " * 100,
        turn=3,
        injected=injected,
        account=ACCOUNT,
        mask=lambda text: text.replace("secret", "[masked]"),
    )


def add(kept: RunReflection, **given: object) -> BookChange:
    whole = {"issue": "a case", "keywords": ("k",), "insight": "do it", "evidence": PROOF, **given}
    return kept.add("context", **whole)  # type: ignore[arg-type]


def own(file: BookFile, id_: str) -> Skill:
    found = file.read().skillbook.own(id_)
    assert found is not None
    return found


TOO_MUCH = [
    ({"issue": "x" * 2_001}, "the issue has 2,001 of 2,000 characters; say it in fewer"),
    ({"insight": "x" * 2_001}, "the insight has 2,001 of 2,000 characters; say it in fewer"),
    ({"evidence": "x" * 4_001}, "the evidence has 4,001 of 4,000 characters; say it in fewer"),
    ({"keywords": ("k" * 65,)}, "the keyword has 65 of 64 characters; say it in fewer"),
    ({"keywords": ("k",) * 17}, "there are 17 of 16 keywords; give the most telling"),
    ({"keywords": ()}, None),
    ({"issue": " "}, "the issue is empty; say what the situation is"),
    ({"insight": None}, "the insight is empty; say what to do about it"),
]


@pytest.mark.parametrize(("given", "why"), TOO_MUCH)
def test_what_a_skill_may_be(file: BookFile, given: dict[str, object], why: str | None) -> None:
    done = add(reflection(file), **given).done

    assert (done.ok, done.why) == (why is None, why or "")
    assert len(file.read().skillbook.skills()) == (why is None)


def test_a_skill_is_of_the_runs_scope_and_its_source_is_where_the_evidence_was(file: BookFile) -> None:
    changed = add(reflection(file, scope="shop"), issue="the secret case")

    assert changed.skill is not None
    kept = own(file, changed.skill.id)
    assert (kept.scope, kept.issue, kept.evidence_is) == ("shop", "the [masked] case", "host")
    [source] = kept.occurrences
    assert (source.trace_uid, source.trace_id, source.display_name) == ("gg:run-1#7", "run-1#7", "kid")
    assert (source.learning_text, source.operation_type) == (PROOF, "ADD")
    assert source.sample_question is not None
    assert len(source.sample_question) == 501  # with the mark of the cut


def test_without_evidence_the_source_is_the_last_turn_of_the_root(file: BookFile) -> None:
    changed = add(reflection(file), evidence=None)

    assert changed.skill is not None
    [source] = own(file, changed.skill.id).occurrences
    assert (source.trace_id, source.display_name, source.learning_text) == ("run-1#3", None, None)


def test_a_skill_that_is_held_back_may_be_put_right_by_who_added_it(file: BookFile) -> None:
    kept = reflection(file)
    added = add(kept, evidence="nothing that was said").skill
    assert added is not None
    assert added.review == "pending"

    update = kept.update(added.id, issue=None, keywords=None, insight="better", evidence=PROOF)
    other = reflection(file).update(added.id, issue=None, keywords=None, insight="worse", evidence=PROOF)

    assert (update.done.ok, own(file, added.id).insight, own(file, added.id).review) == (
        True,
        "better",
        "pending",
    )
    assert other.done.why == f"there is no active skill `{added.id}`"


def test_what_is_out_of_scope_is_neither_read_nor_changed(file: BookFile) -> None:
    filled(file, skill("a", scope="shop"), skill("b", scope="bakery"), skill("c"))
    kept = reflection(file, "a", "b", "c", scope="shop")

    assert [isinstance(kept.read(id_), Done) for id_ in "abc"] == [False, True, False]
    assert [kept.tag(id_, 1).done.ok for id_ in "abc"] == [True, False, True]
    assert [kept.remove(id_, "It misleads.").done.ok for id_ in "abc"] == [True, False, True]
    hits, active = kept.search("lock", top_k=None, section=None, keywords=())
    assert (hits, active) == ([], 0)
    assert own(file, "b").active


def test_a_tag_of_a_merged_skill_counts_for_the_one_that_it_was_merged_into_once(file: BookFile) -> None:
    filled(file, skill("old", merged_into="new", active=False), skill("new"))
    kept = reflection(file, "old")

    first, second = kept.tag("old", -1), kept.tag("new", -1)

    assert (first.done.did, second.done.why) == (
        "tagged new harmful",
        "new was tagged for this run already",
    )
    assert (own(file, "new").harmful_count, kept.untagged) == (1, ())


@pytest.mark.parametrize("delta", [2, -2, True])
def test_another_delta_is_refused(file: BookFile, delta: int) -> None:
    filled(file, skill("a"))

    assert reflection(file, "a").tag("a", delta).done.why == f"delta {delta} is none of 1, 0 and -1"


def test_what_is_not_tagged_yet(file: BookFile) -> None:
    filled(file, skill("a"), skill("b"), skill("c"))
    kept = reflection(file, "b", "a")
    kept.tag("a", 0)
    kept.tag("c", 0)

    assert kept.untagged == ("b",)
    assert [own(file, id_).neutral_count for id_ in "abc"] == [1, 0, 0]


def test_a_search_by_section_and_keywords(file: BookFile) -> None:
    filled(file, skill("a", section="harness"), skill("b", keywords=("lock", "file")), skill("c"))
    kept = reflection(file)

    def found(**given: object) -> list[str]:
        hits, active = kept.search("lock", **{"top_k": None, "section": None, "keywords": (), **given})  # type: ignore[arg-type]
        assert active == 3
        return sorted(hit.skill.id for hit in hits)

    assert found() == ["a", "b", "c"]
    assert found(section="harness") == ["a"]
    assert found(keywords=("file",)) == ["b"]
    assert len(found(top_k=1)) == 1
