"""A set of memories that keeps nothing but its rows, counts from them anew and searches them one by one."""

import re
import unicodedata

from host.memories import Hit, MemoryDraft

CODE_LIMIT = 32_768
EXCERPT = 80
APPLIED = {
    "scratchpad": {"max_count", "max_len_per_memory", "max_total_len", "max_len_description"},
    "markdown": {"max_len_per_memory", "max_len_index", "max_len_description"},
    "keyword-search": {"max_count", "max_len_per_memory", "max_len_description", "max_results"},
}

Row = tuple[str, str, str | None, str | None, int]  # description, body, code, onUse, revision


class Naive:
    def __init__(self, caps: dict[str, int], *, describes: bool = True) -> None:
        self.caps = caps
        self.describes = describes
        self.rows: dict[str, Row] = {}
        self.counters: dict[str, int] = {}
        self.peak: tuple[int, ...] = (0, 0, 0)

    def figures(self, rows: dict[str, Row]) -> tuple[int, int, int, int]:
        texts = [row[1] for row in rows.values()]
        return len(rows), sum(map(len, texts)), sum(len(t.splitlines()) for t in texts), len(index_of(rows))

    def text_fault(self, d: MemoryDraft) -> str | None:
        if has_surrogate(d.name, d.description, d.body, d.code or "", d.on_use or ""):
            return "lone_surrogate"
        return None if d.name and (d.description or not self.describes) and d.body else "empty_field"

    def line_fault(self, d: MemoryDraft) -> str | None:
        return "description_line" if re.search("[\n\u2028]", d.description) else None

    def limit_fault(self, d: MemoryDraft) -> str | None:
        old = self.rows.get(d.name, ("", "", None, None, 0))
        after = {**self.rows, d.name: (d.description, d.body, d.code, d.on_use, 0)}
        now, then = self.figures(self.rows), self.figures(after)
        count = (then[0], now[0]) if d.name not in self.rows else (0, 0)
        for kind, cap, new, before in (
            ("description_cap", self.caps.get("max_len_description"), len(d.description), len(old[0])),
            ("code_cap", CODE_LIMIT, len(d.code or ""), len(old[2] or "")),
            ("code_cap", CODE_LIMIT, len(d.on_use or ""), len(old[3] or "")),
            ("body_cap", self.caps.get("max_len_per_memory"), len(d.body), len(old[1])),
            ("count_cap", self.caps.get("max_count"), *count),
            ("total_cap", self.caps.get("max_total_len"), then[1], now[1]),
            ("index_cap", self.caps.get("max_len_index"), then[3], now[3]),
        ):
            if is_over(new, cap, before):
                return kind
        return None

    def fault_of_new(self, d: MemoryDraft) -> str | None:
        if fault := self.text_fault(d):
            return fault
        if not re.fullmatch(r"[A-Za-z0-9._-]{1,64}", d.name):
            return "invalid_name"
        return self.line_fault(d) or ("duplicate" if d.name in self.rows else self.limit_fault(d))

    def fault_of_update(self, d: MemoryDraft, expected: int | None) -> str | None:
        fault = self.text_fault(d) or self.line_fault(d)
        return fault or self.fault_of_name(d.name, expected) or self.limit_fault(d)

    def fault_of_edit(self, name: str, search: str, replace: str, expected: int | None) -> str | None:
        if has_surrogate(search, replace):
            return "lone_surrogate"
        if not name or not search:
            return "empty_field"
        if search == replace:
            return "edit_same"
        if fault := self.fault_of_name(name, expected):
            return fault
        before = self.rows[name][1]
        places = sum(before[at:].startswith(search) for at in range(len(before)))
        if places != 1:
            return "edit_several" if places else "edit_no_match"
        after = self.edited(name, search, replace).body
        if not after or after == before:
            return "would_empty" if not after else "edit_same"
        return "body_cap" if is_over(len(after), self.caps.get("max_len_per_memory"), len(before)) else None

    def edited(self, name: str, search: str, replace: str) -> MemoryDraft:
        description, body, code, on_use, _ = self.rows[name]
        body = replace.join(body.split(search)).strip()
        return MemoryDraft(name=name, description=description, body=body, code=code, on_use=on_use)

    def keeping_code(self, d: MemoryDraft) -> MemoryDraft:
        code, on_use = self.rows[d.name][2:4] if d.name in self.rows else (None, None)
        return MemoryDraft(name=d.name, description=d.description, body=d.body, code=code, on_use=on_use)

    def fault_of_name(self, name: str, expected: int | None) -> str | None:
        if not name:
            return "empty_field"
        if name not in self.rows:
            return "not_found"
        return "stale_revision" if expected not in (None, self.rows[name][4]) else None

    def count_up(self, name: str) -> int:
        self.counters[name] = self.counters.get(name, 0) + 1
        return self.counters[name]

    def put(self, d: MemoryDraft) -> int:
        self.rows[d.name] = (d.description, d.body, d.code, d.on_use, self.count_up(d.name))
        self.peak = tuple(map(max, self.peak, self.figures(self.rows)))
        return self.counters[d.name]

    def remove(self, name: str) -> int:
        del self.rows[name]
        return self.count_up(name)

    def search(self, keywords: list[str]) -> tuple[list[Hit], int] | str:
        """The hits and how many matched, or the kind of the refusal."""
        if has_surrogate(*keywords):
            return "lone_surrogate"
        wanted = {plain(keyword.strip()) for keyword in keywords} - {""}
        if not wanted:
            return "no_keywords"
        hits = []
        for name, (description, body, _, _, revision) in self.rows.items():
            counts = [sum(count(k, plain(text)) for text in (name, description, body)) for k in wanted]
            if any(counts):
                hits.append(
                    Hit(
                        name=name,
                        description=description,
                        matched=len(counts) - counts.count(0),
                        occurrences=sum(counts),
                        excerpt=excerpt(body, wanted),
                        revision=revision,
                    )
                )
        hits.sort(key=lambda hit: hit.name)
        hits.sort(key=lambda hit: (hit.matched, hit.occurrences), reverse=True)
        return hits[: self.caps.get("max_results") or None], len(hits)


def index_of(rows: dict[str, Row]) -> str:
    return "\n".join(
        f"- `{name}`" + (" — " + rows[name][0] if rows[name][0] else "") for name in sorted(rows)
    )


def has_surrogate(*texts: str) -> bool:
    return any("\ud800" <= character <= "\udfff" for text in texts for character in text)


def is_over(new: int, cap: int | None, before: int) -> bool:
    return bool(cap) and new > (cap or 0) and not (before > (cap or 0) and new < before)


def plain(text: str) -> str:
    return "".join(character.casefold() for character in unicodedata.normalize("NFC", text))


def count(keyword: str, text: str) -> int:
    at = found = 0
    while at < len(text):
        here = text[at : at + len(keyword)] == keyword
        found += here
        at += len(keyword) if here else 1
    return found


def excerpt(body: str, wanted: set[str]) -> str:
    folded = plain(body)
    found = [(at, at + len(k)) for at in range(len(folded)) for k in wanted if folded[at:].startswith(k)]
    start = end = 0
    if found:
        first = min(found)[0]
        start, end = span(body, folded, first, max(stop for at, stop in found if at == first))
    begin, stop = max(0, start - EXCERPT), min(len(body), end + EXCERPT)
    marks = ("…" if begin else "", "…" if stop < len(body) else "")
    return marks[0] + re.sub(r"\s+", " ", body[begin:stop]).strip() + marks[1]


def span(body: str, folded: str, first: int, last: int) -> tuple[int, int]:
    """The least part between two places where the body can be parted: it folds the same, no mark is alone."""
    parted = [
        (at, len(plain(body[:at])))
        for at in range(len(body) + 1)
        if plain(body[:at]) + plain(body[at:]) == folded
        and (at in (0, len(body)) or not unicodedata.combining(body[at]))
    ]
    return max(at for at, before in parted if before <= first), min(at for at, to in parted if to >= last)
