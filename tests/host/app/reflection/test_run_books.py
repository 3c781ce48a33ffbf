"""The books of a run: which are reflected on, by whom, and the copies of a run that has a home of its own."""

from pathlib import Path

from host.app.reflection.run_books import Reflected, RunBooks
from host.launch import AgentPlan, LaunchPlan, ScriptedModel, SkillbookPlan
from host.testing.clock import FakeClock

MODEL = ScriptedModel(replies=["export {}"])


def agent(id_: str, book: Path | None = None, **fields: str | None) -> AgentPlan:
    own = None if book is None else SkillbookPlan(book=book, **fields)  # type: ignore[arg-type]
    return AgentPlan(id=id_, model=MODEL, skillbook=own)


def plan(*agents: AgentPlan) -> LaunchPlan:
    return LaunchPlan(name="run", task="t", root="root", agents=agents, base=Path("/"), document={})


def test_agents_that_share_a_reflector_a_book_and_a_scope_are_reflected_on_together() -> None:
    a, b = Path("/a.json"), Path("/b.json")
    run = plan(
        agent("root", a, reflector="keeper"),
        agent("one", a, reflector="keeper"),
        agent("two", a, reflector="keeper", scope="shop"),
        agent("three", b, reflector="keeper"),
        agent("four", a),
        agent("never", a, reflector="other"),
        agent("keeper"),
    )
    books = RunBooks(clock=FakeClock())
    for name in ("root", "one", "two", "three", "four"):
        books.note(name, ("s-1", f"s-{name}"))

    found = books.to_reflect_on(run)

    assert [(each.reflector, each.plan.book, each.plan.scope, each.profiles) for each in found] == [
        ("keeper", a, None, ("root", "one")),
        ("keeper", a, "shop", ("two",)),
        ("keeper", b, None, ("three",)),
    ]
    assert books.injected(found[0]) == ("s-1", "s-root", "s-one")


def test_an_agent_that_began_without_skills_is_reflected_on() -> None:
    books = RunBooks(clock=FakeClock())
    books.note("root", ())

    [found] = books.to_reflect_on(plan(agent("root", Path("/a.json"), reflector="keeper")))

    assert found == Reflected(
        reflector="keeper",
        plan=SkillbookPlan(book=Path("/a.json"), reflector="keeper"),
        profiles=("root",),
    )
    assert books.injected(found) == ()


def test_a_run_with_a_home_changes_its_own_copy(tmp_path: Path) -> None:
    book = SkillbookPlan(book=tmp_path / "book.json")
    shared = RunBooks(clock=FakeClock()).file(book)
    added = shared.apply(lambda skills: skills.add_skill("context", "a", keywords=["k"], insight="i"))
    before = book.book.read_bytes()

    own = RunBooks(clock=FakeClock(), home=tmp_path / "home")
    own.file(book).apply(lambda skills: skills.tag_skill(added.skill_id or "", 1))

    assert book.book.read_bytes() == before
    [skill] = own.file(book).read().skillbook.skills()
    assert (skill.id, skill.helpful_count) == (added.skill_id, 1)
    assert own.file(book).path.is_relative_to(tmp_path / "home")
    absent = SkillbookPlan(book=tmp_path / "other" / "book.json")
    assert own.file(absent).read().skillbook.skills() == []
    assert own.file(absent).path != own.file(book).path
