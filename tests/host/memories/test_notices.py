"""The words of a notice, to the letter."""

import pytest

from host.memories import Change, Memory, render_notice, strategy_of
from tests.helpers.memories import CALLS

NATIVE = {"memories.read_memory": "read_memory", "memories.create_memory": "create_memory"}


def changed(
    kind: str, name: str, description: str = "", *, body: str = "body", is_code_changed: bool = False
) -> Change:
    memory = Memory(name=name, description=description, body=body, code=None, on_use=None, revision=1)
    assert kind in ("added", "updated", "deleted")
    return Change(
        kind=kind,
        name=name,
        memory=None if kind == "deleted" else memory,
        is_code_changed=is_code_changed,
    )


SEVERAL = (
    changed("added", "deploy-runbook", "how the staging cluster is rolled"),
    changed("updated", "api-conventions", "error envelope + pagination rules"),
    changed("deleted", "scratch-notes"),
)
HEAD = "Another agent sharing your memories has made changes since your last turn:\n\n"


def told(
    *changes: Change, strategy: str = "markdown", is_native: bool = False, loads_code: bool = True
) -> str:
    return render_notice(
        changes, strategy=strategy_of(strategy), calls=NATIVE if is_native else CALLS, loads_code=loads_code
    )


@pytest.mark.parametrize("strategy", ["markdown", "keyword-search"])
@pytest.mark.parametrize(
    ("is_native", "call"), [(True, "read_memory"), (False, "memories.readMemory")], ids=["tools", "programs"]
)
def test_every_change_has_a_line_and_the_read_is_named_as_the_reader_spells_it(
    is_native: bool, call: str, strategy: str
) -> None:
    assert told(*SEVERAL, strategy=strategy, is_native=is_native) == (
        f"{HEAD}- added `deploy-runbook` — how the staging cluster is rolled\n"
        "- updated `api-conventions` — error envelope + pagination rules\n"
        "- deleted `scratch-notes`\n"
        "\n"
        f"Read one with `{call}` if it bears on what you are doing."
    )


def test_a_memory_without_a_description_is_a_verb_and_a_name() -> None:
    assert told(changed("added", "a"), strategy="keyword-search") == (
        f"{HEAD}- added `a`\n\nRead one with `memories.readMemory` if it bears on what you are doing."
    )


def test_where_all_is_gone_there_is_nothing_to_read() -> None:
    assert told(changed("deleted", "a"), changed("deleted", "b")) == f"{HEAD}- deleted `a`\n- deleted `b`"


def test_code_that_changed_is_told_of_each_memory() -> None:
    changes = (
        changed("updated", "a", "one", is_code_changed=True),
        changed("updated", "b", "two"),
        changed("updated", "c", "three", is_code_changed=True),
    )

    assert told(*changes) == (
        f"{HEAD}- updated `a` — one\n- updated `b` — two\n- updated `c` — three\n"
        "\n"
        "Read one with `memories.readMemory` if it bears on what you are doing.\n"
        "The code of `a` changed; read it again to load it.\n"
        "The code of `c` changed; read it again to load it."
    )


def test_an_agent_without_programs_is_told_nothing_of_code() -> None:
    assert told(changed("updated", "a", "one", is_code_changed=True), is_native=True, loads_code=False) == (
        f"{HEAD}- updated `a` — one\n\nRead one with `read_memory` if it bears on what you are doing."
    )


def test_under_scratchpad_every_body_follows_its_line() -> None:
    changes = (
        changed("added", "a", "one", body="first\n\n- a list\n```sh\nls\n```", is_code_changed=True),
        changed("updated", "b", "two", body="x" * 10_000),
        changed("deleted", "c"),
    )

    assert told(*changes, strategy="scratchpad") == (
        f"{HEAD}- added `a` — one\n````\nfirst\n\n- a list\n```sh\nls\n```\n````\n"
        f"- updated `b` — two\n```\n{'x' * 10_000}\n```\n"
        "- deleted `c`"
    )
