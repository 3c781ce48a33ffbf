"""What a window opens with: a packet of items, each a message under its heading, the task last."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import count
from typing import Final

from host.agents import Briefing
from host.context import Band, ContextPacket, Entry, assemble_packet, skill_view, standing_of
from host.core.context_item import Authority, ContextItem
from host.core.text import fenced, join_words, quoted
from host.skills import Skill
from host.turn import SECTION_NAMES, SectionName

_UNBOUNDED: Final = 2**31
"""In tokens. What does not fit a model's window is refused with its figures, never left out in silence."""
_HEADED: Final[dict[str, tuple[Band, str]]] = {
    "memories": ("memories", "Memories"),
    "records": ("records", "Records"),
    "skillbook": ("skillbook", "Skillbook"),
}
_WIDER: Final = "`{spawner}`, which set your task, works on this. Your part of it stands under Task."


@dataclass(frozen=True, kw_only=True)
class Opening:
    """What an agent begins with.

    Args:
        task: its own.
        authority: what that counts for.
        briefing: what it has of the agent that set that task.
        shares_files: whether it works on the same files as that one.
        memories, records, skillbook: what their sections show, without a heading; absent where they show
            nothing.
        account: how the run went that it reflects on, where it does on one.
        skills: those that it has read.
    """

    task: str
    authority: Authority = "user_intent"
    briefing: Briefing | None = None
    shares_files: bool = False
    memories: str | None = None
    records: str | None = None
    skillbook: str | None = None
    account: str | None = None
    skills: tuple[Skill, ...] = ()

    @cached_property
    def packet(self) -> ContextPacket:
        """All of it, masked."""
        items = (*self._notes(), *map(_skill_item, self.skills), *self._tasks())
        return assemble_packet(items, _UNBOUNDED)

    @cached_property
    def entries(self) -> tuple[Entry, ...]:
        """The messages, in the order in which the model reads them."""
        *wider, own = self.packet.task
        context = self._context(wider)
        views = {skill.name: skill_view(skill.name, skill.body) for skill in self.skills}
        return (
            *(Entry.of(item, *_HEADED[item.key]) for item in self.packet.notes),
            *(Entry.of(item, "account", "Run") for item in self.packet.results),
            *(
                replace(Entry.showing(views[item.key]), own_standing=standing_of(item))
                for item in self.packet.components
            ),
            *([Entry.of(context, "parent", "Context")] if context else []),
            Entry.of(own, "task", "Task"),
        )

    @property
    def sections(self) -> frozenset[SectionName]:
        """Those that the system prompt explains where they are there."""
        bands = {entry.band for entry in self.entries}
        return frozenset(name for name in SECTION_NAMES if name in bands)

    def _notes(self) -> Iterator[ContextItem]:
        shown = {"memories": self.memories, "records": self.records, "skillbook": self.skillbook}
        for key, text in shown.items():
            if text is not None:
                yield ContextItem(
                    key, text, source=key, section="notes", kind="memory_note", freshness_class="live"
                )
        if self.account is not None:
            yield ContextItem(
                "account", self.account, source="run", section="results", freshness_class="live"
            )

    def _tasks(self) -> Iterator[ContextItem]:
        wider = self.briefing.wider_tasks if self.briefing else ()
        yield from wider
        taken = {item.key for item in wider}
        yield ContextItem(
            next(key for number in count() if (key := f"task_{number}") not in taken),
            self.task,
            source="caller" if self.authority == "user_intent" else "parent agent",
            section="task",
            authority=self.authority,
            kind="instruction",
            trust="trusted",
            freshness_class="live",
        )

    def _context(self, wider: list[ContextItem]) -> ContextItem | None:
        """What the agent that set its task works on, for this one to know and not to do."""
        if self.briefing is None:
            return None
        told = []
        if wider:
            said = "\n\n".join(fenced(item.value) for item in wider)
            told.append(f"{_WIDER.format(spawner=self.briefing.spawner)}\n\n{said}")
        handles = self.briefing.packet.repository_handles if self.shares_files else ()
        if handles:
            paths = [str(handle["file_path"]) for handle in handles]
            named = join_words(quoted(path, max_chars=len(path)) for path in paths)  # a path in part is none
            told.append(f"Files that it has open, which you can read: {named}.")
        if not told:
            return None
        return ContextItem(
            "parent",
            "\n\n".join(told),
            source=self.briefing.spawner,
            section="components",
            kind="component",
            trust="trusted",
            authority="operational",
            freshness_class="live",
        )


def _skill_item(skill: Skill) -> ContextItem:
    return ContextItem(
        skill.name,
        skill.body,
        source=skill.name,
        section="components",
        authority="operational",
        kind="component",
        trust="trusted",
        freshness_class="live",
    )
