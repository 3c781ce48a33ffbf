"""A store that is kept the plain way, everything counted anew, and tells of itself in events."""

from copy import deepcopy
from dataclasses import dataclass, field

from host.core.text import count_lines
from host.events import Event, MemoryCaps, MemoryEntry, MemoryPeak, MemoryRevision, MemoryState


@dataclass
class PlainStore:
    module_id: str
    turn: int = 1
    strategy: str = "markdown"
    author: str = "root"
    texts: dict[str, tuple[str, str, str | None, str | None]] = field(default_factory=dict)
    counters: dict[str, int] = field(default_factory=dict)
    peaks: list[tuple[int, int, int]] = field(default_factory=lambda: [(0, 0, 0)])

    def write(
        self, name: str, body: str, description: str = "", code: str | None = None, on_use: str | None = None
    ) -> list[Event]:
        change = "updated" if name in self.texts else "written"
        self.texts[name] = (description, body, code, on_use)
        return [self._revision(name, change, description, body, code, on_use), self.state()]

    def delete(self, name: str) -> list[Event]:
        del self.texts[name]
        return [self._revision(name, "deleted", "", "", None, None), self.state()]

    def copy(self, module_id: str) -> "PlainStore":
        """Another store that has the same, revision numbers and peaks included."""
        copied = deepcopy(self)
        copied.module_id = module_id
        return copied

    def state(self, *, scope: str = "isolated", writable: bool = True) -> MemoryState:
        entries = tuple(
            MemoryEntry(
                name=name,
                description=description,
                len=len(body),
                lines=count_lines(body),
                code=code is not None,
                on_use=on_use is not None,
            )
            for name, (description, body, code, on_use) in sorted(self.texts.items())
        )
        held = (len(entries), sum(e.len for e in entries), sum(e.lines for e in entries))
        self.peaks.append(held)
        index = "\n".join(
            f"- `{e.name}` — {e.description}" if e.description else f"- `{e.name}`" for e in entries
        )
        count, total_len, total_lines = (max(column) for column in zip(*self.peaks, strict=True))
        return MemoryState(
            module_id=self.module_id,
            strategy=self.strategy,
            memories=entries,
            count=held[0],
            total_len=held[1],
            total_lines=held[2],
            index_len=len(index) if self.strategy == "markdown" else None,
            peak=MemoryPeak(count=count, total_len=total_len, total_lines=total_lines),
            caps=MemoryCaps(max_count=64),
            scope=scope,
            writable=writable,
        )

    def _revision(
        self, name: str, change: str, description: str, body: str, code: str | None, on_use: str | None
    ) -> MemoryRevision:
        self.counters[name] = self.counters.get(name, 0) + 1
        return MemoryRevision.model_validate(
            {
                "module_id": self.module_id,
                "name": name,
                "revision": self.counters[name],
                "change": change,
                "op": {"written": "write", "updated": "update", "deleted": "delete"}[change],
                "description": description,
                "body": body,
                "code": code,
                "on_use": on_use,
                "len": len(body),
                "lines": count_lines(body) if body else 0,
                "author": self.author,
                "turn": self.turn,
            }
        )
