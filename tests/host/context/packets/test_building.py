"""The packet of a task: what is given, what is remembered, and a share of what the files say."""

import json
import os
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from host.context import (
    REPOSITORY_SHARE,
    Bm25Reranker,
    ContextPacket,
    RerankDecision,
    Retriever,
    Workspace,
    build_packet,
    estimate_tokens,
    fingerprint,
)
from host.core.context_item import ContextItem

TASK = "fix the parser timeout"
KEY = "sk-abcdefghijklmnopqrstuv"


def files(tmp_path: Path, **texts: str) -> Retriever:
    root = tmp_path / "src"
    root.mkdir()
    for name, text in texts.items():
        (root / f"{name}.py").write_text(text)
    return Retriever(root)


def codes(packet: ContextPacket) -> list[str]:
    return [found.code.removeprefix("G6_E_CONTEXT_") for found in packet.evidence]


def labels(items: Sequence[ContextItem]) -> list[tuple[str, str, str, str, str]]:
    return [(item.key, item.value, item.authority, item.kind, item.trust) for item in items]


def test_what_is_given_is_trusted_and_what_is_found_is_not(tmp_path: Path) -> None:
    check = ContextItem("tests", "pytest", source="ci", kind="verification")
    packet = build_packet(
        TASK, files(tmp_path, a="parser"), 400, components=["the parser", check], output_contract="a diff"
    )

    assert labels(packet.task) == [("task", TASK, "user_intent", "instruction", "trusted")]
    assert labels(packet.output_contract) == [
        ("output_contract", "a diff", "task_contract", "output_contract", "trusted")
    ]
    assert labels(packet.components) == [("component_1", "the parser", "operational", "component", "trusted")]
    assert labels(packet.verification) == [("tests", "pytest", "evidence", "verification", "untrusted")]
    assert labels(packet.repository) == [("a.py", "parser", "evidence", "evidence", "untrusted")]
    assert [item.key for item in packet.items() if item.may_instruct] == ["task"]
    assert packet.repository_handles == ({"kind": "file_path", "file_path": "a.py", "root": 0},)
    assert (packet.completion_state, packet.code, codes(packet)) == (
        "qualified-draft",
        "G6_E_CONTEXT_UNVERIFIED",
        [],
    )
    assert packet.warning_card.checks_run[-2:] == ("recognised secrets masked", "retrieval")


def test_an_output_contract_may_be_an_item(tmp_path: Path) -> None:
    contract = ContextItem("shape", "a diff", source="schema", kind="output_contract", trust="trusted")

    packet = build_packet(TASK, files(tmp_path), 400, output_contract=contract)
    assert labels(packet.output_contract) == [("shape", "a diff", "evidence", "output_contract", "trusted")]


@pytest.mark.parametrize("task", ["", " \n\t"])
def test_without_a_task(tmp_path: Path, task: str) -> None:
    packet = build_packet(task, files(tmp_path, a="parser"), 400)

    assert (packet.completion_state, packet.code) == ("blocked-escalated", "G6_E_CONTEXT_TASK_MISSING")
    assert (packet.task, codes(packet)) == ((), ["TASK_MISSING", "EMPTY_RETRIEVAL"])


def test_a_task_alone_over_the_budget(tmp_path: Path) -> None:
    packet = build_packet(TASK, files(tmp_path, a="parser"), 5)

    assert (packet.completion_state, packet.code) == ("blocked-escalated", "G6_E_CONTEXT_BUDGET_TOO_SMALL")
    assert [item.value for item in packet.items()] == [TASK]


def test_excerpts_take_their_share_of_the_budget_and_no_more(tmp_path: Path) -> None:
    retriever = files(
        tmp_path, **{f"f{number:02}": f"parser {number}".ljust(80, ".") for number in range(30)}
    )

    assert REPOSITORY_SHARE == 24
    for budget, count, tokens in ((1000, 12, 240), (84, 1, 20), (83, 1, 19), (42, 1, 10), (41, 0, 0)):
        packet = build_packet(TASK, retriever, budget)
        assert len(packet.repository) == count
        assert packet.tokens_by_section().get("repository", 0) == tokens
        assert codes(packet) == ["RETRIEVAL_TRUNCATED"]
        assert packet.evidence[0].more == {"matched": 30, "shown": count}


def test_an_excerpt_is_cut_to_the_share(tmp_path: Path) -> None:
    retriever = files(tmp_path, a="\n".join(["parser"] + ["." * 50] * 30))

    assert len(build_packet(TASK, retriever, 10_000).repository[0].value) == 567
    assert len(build_packet(TASK, retriever, 300).repository[0].value) == 261


def test_chinese_against_a_budget_of_ten(tmp_path: Path) -> None:
    packet = build_packet("修复解析器的超时", files(tmp_path, a="解析器在超时之后" * 100), 10)

    assert [item.value for item in packet.items()] == ["修复解析器的超时"]
    assert (packet.completion_state, packet.tokens, codes(packet)) == (
        "qualified-draft",
        2,
        ["RETRIEVAL_TRUNCATED"],
    )


def test_warnings_of_the_retrieval_are_those_of_the_packet(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_bytes(b"\xff")
    packet = build_packet(TASK, Retriever([tmp_path, tmp_path / "gone"]), 400)

    assert codes(packet) == ["ROOT_MISSING", "UNREADABLE_FILES", "EMPTY_RETRIEVAL"]


def reverse(query: str, candidates: Sequence[ContextItem]) -> RerankDecision:
    assert query == TASK
    return RerankDecision(tuple(reversed(range(len(candidates)))), (), fingerprint(candidates))


def last_alone(query: str, candidates: Sequence[ContextItem]) -> RerankDecision:
    last = len(candidates) - 1
    return RerankDecision((last,), tuple(range(last)), fingerprint(candidates))


def stale(query: str, candidates: Sequence[ContextItem]) -> RerankDecision:
    return RerankDecision(tuple(range(len(candidates))), (), fingerprint(candidates[1:]))


def failing(query: str, candidates: Sequence[ContextItem]) -> RerankDecision:
    raise RuntimeError(f"no answer for password = '{KEY}'")


RERANKED = [
    pytest.param(reverse, ["c.py", "b.py", "a.py"], "RERANKER_USED", id="another order"),
    pytest.param(last_alone, ["c.py"], "RERANKER_USED", id="some dropped"),
    pytest.param(Bm25Reranker(), ["c.py", "b.py", "a.py"], "RERANKER_USED", id="BM25"),
    pytest.param(stale, ["a.py", "b.py", "c.py"], "RERANKER_FALLBACK", id="a decision about others"),
    pytest.param(failing, ["a.py", "b.py", "c.py"], "RERANKER_FALLBACK", id="a failure"),
    pytest.param(lambda *_: None, ["a.py", "b.py", "c.py"], "RERANKER_FALLBACK", id="no decision"),
]


@pytest.mark.parametrize(("reranker", "keys", "code"), RERANKED)
def test_a_reranker_orders_and_where_it_fails_the_files_do(
    tmp_path: Path, reranker: Bm25Reranker, keys: list[str], code: str
) -> None:
    retriever = files(tmp_path, a="a prefix", b="the parser", c="timeout of the parser: fix it")
    packet = build_packet(TASK, retriever, 400, reranker=reranker)

    assert [item.key for item in packet.repository] == keys
    assert code in codes(packet)
    assert "the re-ranker's decision" in packet.warning_card.checks_run
    assert "whether the re-ranker's order is better" in packet.warning_card.not_checked
    assert KEY not in repr(packet.evidence)


def test_the_budget_is_cut_after_the_reranker(tmp_path: Path) -> None:
    retriever = files(tmp_path, **{name: f"parser {name}".ljust(80, ".") for name in "abc"})
    packet = build_packet(TASK, retriever, 84, reranker=reverse)

    assert [item.key for item in packet.repository] == ["c.py"]


def test_a_reranker_sees_masked_text_and_is_not_asked_about_nothing(tmp_path: Path) -> None:
    seen: list[str] = []

    def looking(query: str, candidates: Sequence[ContextItem]) -> RerankDecision:
        seen.extend((query, *(item.value for item in candidates)))
        return reverse(TASK, candidates)

    retriever = files(tmp_path, a=f"parser token = '{KEY}'")
    build_packet(f"{TASK} token = '{KEY}'", retriever, 400, reranker=looking)
    build_packet("nothing matches", retriever, 400, reranker=failing)

    assert seen == [f"{TASK} token = '[REDACTED]'", "parser token = '[REDACTED]'"]


def test_a_workspace_gives_notes_and_gets_what_was_built(tmp_path: Path) -> None:
    workspace = Workspace(tmp_path / "ctx")
    workspace.write_note("old", "the parser is slow")
    workspace.write_note("form", "a good diff", exemplar=True)
    (tmp_path / "ctx" / "memory" / "broken").write_bytes(b"\xff")
    os.utime(tmp_path / "ctx" / "memory" / "old", (0, 0))
    packet = build_packet(TASK, files(tmp_path, a="parser"), 400, workspace=workspace)

    assert labels(packet.notes) == [("old", "the parser is slow", "evidence", "memory_note", "untrusted")]
    assert labels(packet.exemplars) == [("form", "a good diff", "evidence", "memory_note", "untrusted")]
    assert codes(packet) == ["STALE", "UNREADABLE_FILES"]
    [log], [card] = (list((tmp_path / "ctx" / name).iterdir()) for name in ("retrieval", "scorecards"))
    assert [item["source"] for item in json.loads(log.read_text())["items"]] == [
        "caller",
        "memory/old",
        "memory/exemplars/form",
        "a.py",
    ]
    assert json.loads(card.read_text())["tokens"] == packet.tokens


@pytest.mark.parametrize("budget", [True, 1.5, "10"])
def test_a_budget_is_a_whole_number(tmp_path: Path, budget: int) -> None:
    with pytest.raises(ValueError, match=r"^budget .* is no whole number of tokens$"):
        build_packet(TASK, files(tmp_path), budget)


@pytest.fixture(scope="module")
def shelf(tmp_path_factory: pytest.TempPathFactory) -> Retriever:
    return files(
        tmp_path_factory.mktemp("shelf"),
        **{f"f{number}": "\n".join(["parser timeout", "解析器超时"] * number) for number in range(9)},
    )


@given(
    st.one_of(st.text(max_size=60), st.just(TASK), st.just("解析器超时")),
    st.integers(-5, 900),
    st.lists(st.text(max_size=60), max_size=3),
    st.one_of(st.none(), st.text(max_size=60)),
    st.sampled_from([None, Bm25Reranker(), failing]),
)
def test_a_packet_fits_or_is_blocked_and_the_share_holds(
    shelf: Retriever,
    task: str,
    budget: int,
    components: list[str],
    contract: str | None,
    reranker: Bm25Reranker | None,
) -> None:
    packet = build_packet(
        task, shelf, budget, components=components, output_contract=contract, reranker=reranker
    )
    tokens = sum(estimate_tokens(item.value) for item in packet.items())

    assert packet.is_refusal == (not task.strip() or tokens > budget)
    assert tokens <= budget or "BUDGET_TOO_SMALL" in codes(packet)
    assert packet.tokens_by_section().get("repository", 0) <= max(0, budget * 24 // 100)
    assert bool(packet.task) == bool(task.strip())
    assert bool(packet.output_contract) == (contract is not None)
