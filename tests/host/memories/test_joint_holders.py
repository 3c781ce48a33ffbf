"""Agents that come, go, copy and follow each other over stores, against full snapshots of what each knows."""

from collections.abc import Callable
from dataclasses import dataclass, field

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from host.events import StartKind
from host.memories import Change, Holder, Start, StoreRegistry
from tests.helpers.memories import draft, refusal_of, wanted

SCOPES = ("isolated", "shared", "inherited", "read-only")
STARTS: tuple[StartKind, ...] = ("root", "subagent", "subagent", "fork", "fork", "successor")
MAX_AGENTS = 8

Row = tuple[str, str | None, int]  # body, code, revision
Rows = dict[str, Row]


@dataclass
class Notebook:
    """A store as it should be. `revisions` counts by name, `mutations` all of them."""

    rows: Rows = field(default_factory=dict)
    revisions: dict[str, int] = field(default_factory=dict)
    mutations: int = 0

    def count(self, name: str) -> int:
        self.mutations += 1
        self.revisions[name] = self.revisions.get(name, 0) + 1
        return self.revisions[name]

    def copy(self) -> "Notebook":
        return Notebook(dict(self.rows), dict(self.revisions), self.mutations)


@dataclass
class Agent:
    """One holder and what it knows: every memory, as it was told of it or wrote it itself.

    `differing` has the names of those that are otherwise now, in the order in which they came to be.
    """

    holder: Holder
    profile: str
    scope: str
    notebook: Notebook
    known: Rows
    differing: list[str] = field(default_factory=list)

    def look(self) -> None:
        rows, known = self.notebook.rows, self.known
        now = [name for name in sorted({*rows, *known}) if rows.get(name) != known.get(name)]
        self.differing = [name for name in self.differing if name in now]
        self.differing += [name for name in now if name not in self.differing]


names = st.sampled_from("abc")
bodies = st.sampled_from(["x", "y", "z"])
codes = st.sampled_from([None, "f()", "g()"])


class Joint(RuleBasedStateMachine):
    stores: StoreRegistry
    strategy: str
    started: int
    agents: list[Agent]
    shared: dict[str, Notebook]

    @initialize(strategy=st.sampled_from(["scratchpad", "markdown", "keyword-search"]))
    def begin(self, strategy: str) -> None:
        self.stores, self.strategy, self.started = StoreRegistry(), strategy, 0
        self.agents, self.shared = [], {}
        self.add("root", "p", "isolated", None)

    @precondition(lambda self: len(self.agents) < MAX_AGENTS)
    @rule(
        kind=st.sampled_from(STARTS),
        profile=st.sampled_from("pq"),
        scope=st.sampled_from(SCOPES),
        data=st.data(),
    )
    def start(self, kind: StartKind, profile: str, scope: str, data: st.DataObject) -> None:
        offers = self.one(data)
        if kind == "fork":
            self.add(kind, offers.profile, offers.scope, offers)
        else:
            self.add(kind, f"{profile}-{scope}", scope, offers)

    def add(self, kind: StartKind, profile: str, scope: str, offers: Agent | None) -> None:
        self.started += 1
        want = wanted(f"agent-{self.started}", scope=scope, strategy=self.strategy, profile=profile)
        holder = self.stores.bind(want, Start(kind=kind, offered=offers and offers.holder)).holder
        notebook, known, differing = self.expected(kind, profile, scope, offers)
        is_theirs = offers is not None and offers.notebook is notebook
        assert holder.writable == (scope != "read-only" or not is_theirs)
        if kind == "successor" and offers is not None:
            self.agents.remove(offers)
        self.agents.append(Agent(holder, profile, scope, notebook, known, differing))

    def expected(
        self, kind: StartKind, profile: str, scope: str, offers: Agent | None
    ) -> tuple[Notebook, Rows, list[str]]:
        """What the agent should hold, know and not yet have been told."""
        if kind == "fork" and offers is not None:
            notebook = offers.notebook.copy() if scope == "isolated" else offers.notebook
            return notebook, dict(offers.known), list(offers.differing)
        if scope == "shared":
            notebook = self.shared.setdefault(profile, Notebook())
        elif offers is not None and (kind == "successor" or (kind == "subagent" and scope != "isolated")):
            notebook = offers.notebook
        else:
            notebook = Notebook()
        return notebook, dict(notebook.rows), []

    @rule(name=names, body=bodies, code=codes, data=st.data())
    def put(self, name: str, body: str, code: str | None, data: st.DataObject) -> None:
        agent = self.one(data)
        holder, rows, made = agent.holder, agent.notebook.rows, draft(name, body, code=code)
        if name not in rows:
            self.mutate(agent, name, (body, code), lambda: holder.commit_write(made, turn=1))
        elif holder.strategy.revises:
            self.mutate(agent, name, (body, code), lambda: holder.commit_update(made, turn=1))
        elif rows[name][0] != body:
            text = (body, rows[name][1])
            self.mutate(agent, name, text, lambda: holder.edit(name, rows[name][0], body, turn=1))

    @rule(data=st.data())
    def delete(self, data: st.DataObject) -> None:
        agent = self.one(data)
        if agent.notebook.rows:
            name = data.draw(st.sampled_from(sorted(agent.notebook.rows)))
            self.mutate(agent, name, None, lambda: agent.holder.delete(name, turn=1))

    def mutate(
        self, agent: Agent, name: str, text: tuple[str, str | None] | None, act: Callable[[], object]
    ) -> None:
        if not agent.holder.writable:
            assert refusal_of(act).kind == "read_only"
            return
        act()
        book = agent.notebook
        revision = book.count(name)
        if text is None:
            del book.rows[name]
        else:
            book.rows[name] = (*text, revision)
        agent.known.pop(name, None)
        if name in book.rows:
            agent.known[name] = book.rows[name]
        for other in self.agents:
            other.look()

    @rule(data=st.data())
    def ask(self, data: st.DataObject) -> None:
        agent = self.one(data)
        rows, known = agent.notebook.rows, agent.known
        expected = [(name, known.get(name), rows.get(name)) for name in agent.differing]

        assert [told(change) for change in agent.holder.news()] == [line(*change) for change in expected]
        agent.known, agent.differing = dict(rows), []

    @rule(data=st.data())
    def pin(self, data: st.DataObject) -> None:
        agent = self.one(data)
        rows, known = agent.notebook.rows, agent.known
        shown = {
            name for name in agent.differing if line(name, known.get(name), rows.get(name))[0] in self.shows
        }

        assert (agent.holder.pin() is None) is (self.strategy == "keyword-search" or not rows)
        known.update({name: rows[name] for name in shown})
        agent.look()

    @rule(data=st.data())
    def open(self, data: st.DataObject) -> None:
        agent = self.one(data)

        assert (agent.holder.open() is None) is (self.strategy == "keyword-search" or not agent.notebook.rows)
        agent.known, agent.differing = dict(agent.notebook.rows), []

    @property
    def shows(self) -> tuple[str, ...]:
        """What a block of the strategy tells of as well as a notice does."""
        return {"scratchpad": ("added", "updated"), "markdown": ("added",)}.get(self.strategy, ())

    @precondition(lambda self: len(self.agents) > 1)
    @rule(data=st.data())
    def leave(self, data: st.DataObject) -> None:
        agent = self.one(data)
        agent.holder.leave()
        self.agents.remove(agent)
        assert agent.holder.news() == ()

    def one(self, data: st.DataObject) -> Agent:
        return self.agents[data.draw(st.integers(0, len(self.agents) - 1))]

    @invariant()
    def every_holder_sees_its_store(self) -> None:
        for agent in self.agents:
            memories = agent.holder.state().memories
            assert {
                each.name: (each.body, each.code, each.revision) for each in memories
            } == agent.notebook.rows
            assert agent.holder.position == agent.notebook.mutations

    @invariant()
    def every_holder_knows_who_else_is_there(self) -> None:
        for agent in self.agents:
            beside = [
                other for other in self.agents if other.notebook is agent.notebook and other is not agent
            ]
            assert agent.holder.co_holders == tuple(other.holder.agent_id for other in beside)
            assert {other.holder.module_id for other in beside} <= {agent.holder.module_id}


def told(change: Change) -> tuple[str, str, str | None, bool]:
    return change.kind, change.name, change.memory and change.memory.body, change.is_code_changed


def line(name: str, known: Row | None, now: Row | None) -> tuple[str, str, str | None, bool]:
    kind = "deleted" if now is None else "updated" if known else "added"
    return kind, name, now and now[0], bool(now and known and now[1] != known[1])


Joint.TestCase.settings = settings(max_examples=80, stateful_step_count=30, deadline=None)
TestJoint = Joint.TestCase
