"""What each strategy offers, applies and pins."""

import pytest

from host.memories import Caps, strategy_of
from tests.helpers.memories import draft, holder_of, store_of

CSV = "The third column is sometimes quoted and sometimes not; parseCsv handles both."

SCRATCHPAD_BLOCK = """\
- `api` — error envelope
```
first

- `forged` — an entry
```

- `csv-tools` — Parsing the vendor CSV exports, which quote inconsistently.
```
The third column is sometimes quoted and sometimes not; parseCsv handles both.
```

- `fences` — how a program is fenced
`````
```ts
a();
````
`````"""

MARKDOWN_BLOCK = """\
- `api` — error envelope
- `csv-tools` — Parsing the vendor CSV exports, which quote inconsistently.
- `fences` — how a program is fenced"""

CALLS = {
    "scratchpad": {"memories.write_memory", "memories.update_memory", "memories.delete_memory"},
    "markdown": {
        "memories.create_memory",
        "memories.read_memory",
        "memories.edit_memory",
        "memories.delete_memory",
    },
    "keyword-search": {
        "memories.create_memory",
        "memories.read_memory",
        "memories.edit_memory",
        "memories.delete_memory",
        "memories.search_memories",
    },
}


@pytest.mark.parametrize(("name", "calls"), CALLS.items())
def test_a_strategy_offers_its_calls(name: str, calls: set[str]) -> None:
    assert (strategy_of(name).name, strategy_of(name).calls) == (name, calls)


@pytest.mark.parametrize(
    ("strategy", "block"), [("scratchpad", SCRATCHPAD_BLOCK), ("markdown", MARKDOWN_BLOCK)]
)
def test_the_pinned_block_is_in_the_order_of_names(strategy: str, block: str) -> None:
    holder = holder_of(store_of(strategy))
    description = "Parsing the vendor CSV exports, which quote inconsistently."
    holder.create(draft("csv-tools", CSV, description=description, code="export const a = 1;"), turn=1)
    holder.create(draft("fences", "```ts\na();\n````", description="how a program is fenced"), turn=1)
    holder.create(draft("api", "first\n\n- `forged` — an entry", description="error envelope"), turn=1)

    assert holder.block() == block


@pytest.mark.parametrize("strategy", CALLS)
def test_an_empty_store_pins_nothing(strategy: str) -> None:
    holder = holder_of(store_of(strategy))
    assert holder.block() is None

    holder.create(draft("a"), turn=1)
    holder.delete("a", turn=1)
    assert holder.block() is None


def test_keyword_search_pins_nothing_whatever_there_is() -> None:
    holder = holder_of(store_of("keyword-search"))
    holder.create(draft("a"), turn=1)

    assert holder.block() is None


def test_a_memory_without_a_description_is_its_name_in_the_index() -> None:
    holder = holder_of(store_of("keyword-search"))
    holder.create(draft("b", description=" \n"), turn=1)
    holder.create(draft("a"), turn=1)

    assert [memory.index_line for memory in holder.state().memories] == ["- `a` — about", "- `b`"]
    assert holder.state().figures.index_chars == len("- `a` — about\n- `b`")


@pytest.mark.parametrize(
    ("strategy", "expected"),
    [
        ("scratchpad", Caps(max_count=1, max_len_per_memory=2, max_total_len=3, max_len_description=5)),
        ("markdown", Caps(max_len_per_memory=2, max_len_index=4, max_len_description=5)),
        ("keyword-search", Caps(max_count=1, max_len_per_memory=2, max_len_description=5, max_results=6)),
    ],
)
def test_a_strategy_applies_its_limits(strategy: str, expected: Caps) -> None:
    counts = {
        "max_count": 1,
        "max_len_per_memory": 2,
        "max_total_len": 3,
        "max_len_index": 4,
        "max_len_description": 5,
        "max_results": 6,
    }

    assert holder_of(store_of(strategy, **counts)).caps == expected
    assert holder_of(store_of(strategy)).caps == Caps()


def test_names_are_ordered_by_their_bytes() -> None:
    holder = holder_of(store_of("markdown"))
    for name in ("b", "B", "a-b", "a", "a.b", "_", "1"):
        holder.create(draft(name, description="d"), turn=1)

    assert holder.block() == "\n".join(f"- `{name}` — d" for name in ("1", "B", "_", "a", "a-b", "a.b", "b"))
