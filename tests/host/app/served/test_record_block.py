"""The record store for callers from outside: what there is, what is refused, what has to be allowed."""

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest

from host.app import RecordBlock
from host.records import Store

NOTE: Final = {"text": "The export runs at two.", "written_by": "agent:run-1"}


class Block:
    """A block over a home of its own, and what its operator was told."""

    def __init__(self, home: Path, listed: str | None = None) -> None:
        self.home = home
        self.told: list[str] = []
        environ = {"G6_HOME": str(home)} | ({} if listed is None else {"G6_MCP_SENSITIVE": listed})
        self.block = RecordBlock(environ, self.told.append)

    def invoke(self, op: object, args: object, block: object = "ctx_ace") -> dict[str, Any]:
        return self.block.invoke(block, op, args).to_json()

    def code(self, op: object, args: object, block: object = "ctx_ace") -> object:
        return self.invoke(op, args, block)["code"]


@pytest.fixture
def block(tmp_path: Path) -> Iterator[Block]:
    made = Block(tmp_path / "g6")
    yield made
    made.block.close()


def test_the_store_is_the_one_of_the_home_and_made_when_it_is_needed(block: Block) -> None:
    file = block.home / "memory" / "ctx_ace.db"
    assert block.code("nothing", {}, "elsewhere") == "G6_E_NO_BLOCK"
    assert not file.exists()

    kept = block.invoke("put", NOTE)

    assert (kept["completion_state"], kept["code"]) == ("qualified-draft", "G6_E_MEMORY_KEPT")
    with Store(file) as store:
        assert store.status().fields["kept"] == 1


@pytest.mark.parametrize(
    ("block_name", "op", "args", "code", "told"),
    [
        ("context", "build", {}, "G6_E_NO_BLOCK", "context packets are built in Python, with g6.context"),
        ("grounding", "check", {}, "G6_E_NO_BLOCK", "there is no block `grounding` here. There is ctx_ace."),
        (None, "put", NOTE, "G6_E_NO_BLOCK", "block is missing; there is ctx_ace."),
        (7, "put", NOTE, "G6_E_NO_BLOCK", "there is no block `7` here"),
        (["ctx_ace"], "put", NOTE, "G6_E_NO_BLOCK", "there is no block"),
        ("guards", "check", {}, "G6_E_NO_BLOCK", "there is no block `guards` here"),
        ("knowledge_chunker", "cut", {}, "G6_E_NO_BLOCK", "there is no block `knowledge_chunker` here"),
        ("knowledge_manifest", "put", {}, "G6_E_NO_BLOCK", "there is no block `knowledge_manifest` here"),
        ("metaharness", "run", {}, "G6_E_NO_BLOCK", "there is no block `metaharness` here"),
        ("ctx_ace", "puts", NOTE, "G6_E_NO_OP", "did you mean put?"),
        ("ctx_ace", None, NOTE, "G6_E_NO_OP", "there is no op `None`"),
        ("ctx_ace", "supersede", {}, "G6_E_NO_OP", "there is no op `supersede`"),
        ("ctx_ace", "unblock", {}, "G6_E_NO_OP", "there is no op `unblock`"),
        ("ctx_ace", "put", {**NOTE, "path": "/tmp/x.db"}, "G6_E_MEMORY_INPUT", "put has no argument `path`"),
        ("ctx_ace", "put", {**NOTE, "db": "x"}, "G6_E_MEMORY_INPUT", "put has no argument `db`"),
        (
            "ctx_ace",
            "search",
            {"query": "x", "store": "x"},
            "G6_E_MEMORY_INPUT",
            "search has no argument `store`",
        ),
        (
            "ctx_ace",
            "search",
            {"query": "x", "weight": 2},
            "G6_E_MEMORY_INPUT",
            "search has no argument `weight`",
        ),
        (
            "ctx_ace",
            "search",
            "query",
            "G6_E_MEMORY_INPUT",
            "args of search is a text; it has to be an object",
        ),
        ("ctx_ace", "put", {"written_by": "a"}, "G6_E_MEMORY_NO_TEXT", "text is blank"),
        ("ctx_ace", "put", {"text": "a"}, "G6_E_MEMORY_NO_WRITER", "written_by is blank"),
        ("ctx_ace", "put", {**NOTE, "text": "\ud800"}, "G6_E_MEMORY_INPUT", "surrogate"),
        ("ctx_ace", "search", {}, "G6_E_MEMORY_NO_QUERY", "query"),
        ("ctx_ace", "forget", {"tags": ["a"], "reason": "r"}, "G6_E_SENSITIVE", "listed ctx_ace.forget in"),
        ("ctx_ace", "approve", {}, "G6_E_SENSITIVE", "listed ctx_ace.approve in G6_MCP_SENSITIVE"),
        ("ctx_ace", "forget", {"path": "x"}, "G6_E_SENSITIVE", "ctx_ace.forget"),
    ],
)
def test_each_refusal_is_an_answer(
    block: Block, block_name: object, op: object, args: object, code: str, told: str
) -> None:
    answer = block.invoke(op, args, block_name)

    assert (answer["completion_state"], answer["code"]) == ("blocked-escalated", code)
    assert told in answer["message"]
    assert block.told == []


@pytest.mark.parametrize(
    ("listed", "forget", "approve"),
    [
        ("", "G6_E_SENSITIVE", "G6_E_SENSITIVE"),
        (" ctx_ace.forget ", "G6_E_MEMORY_NO_FILTER", "G6_E_SENSITIVE"),
        ("ctx_ace.approve", "G6_E_SENSITIVE", "G6_E_MEMORY_NO_REASON"),
        ("ctx_ace.forget,ctx_ace.approve", "G6_E_MEMORY_NO_FILTER", "G6_E_MEMORY_NO_REASON"),
        ("other, ctx_ace,", "G6_E_MEMORY_NO_FILTER", "G6_E_MEMORY_NO_REASON"),
        ("ctx_ace.forgt", "G6_E_SENSITIVE", "G6_E_SENSITIVE"),
        ("ctx_ace.put", "G6_E_SENSITIVE", "G6_E_SENSITIVE"),
        ("forget", "G6_E_SENSITIVE", "G6_E_SENSITIVE"),
        ("CTX_ACE", "G6_E_SENSITIVE", "G6_E_SENSITIVE"),
        ("*", "G6_E_SENSITIVE", "G6_E_SENSITIVE"),
    ],
)
def test_what_is_sensitive_has_to_be_listed(tmp_path: Path, listed: str, forget: str, approve: str) -> None:
    block = Block(tmp_path, listed)

    assert block.code("forget", {"reason": "r"}) == forget
    assert (
        block.code("approve", {"record_ids": ["0" * 64], "reviewer": "Sam Rivera", "reason": ""}) == approve
    )
    described: Any = block.block.describe("ctx_ace")["ops"]
    allowed = {op["op"]: op["allowed"] for op in described if op["sensitive"]}
    assert allowed == {"forget": forget != "G6_E_SENSITIVE", "approve": approve != "G6_E_SENSITIVE"}
    block.block.close()


def test_the_operator_is_told_of_what_the_list_means(tmp_path: Path) -> None:
    assert Block(tmp_path, "ctx_ace.forget").told == []
    assert Block(tmp_path, "ctx_ace.forgt").told == [
        "G6_MCP_SENSITIVE lists `ctx_ace.forgt`, which nothing here is;"
        " it takes ctx_ace.approve or ctx_ace.forget, or ctx_ace for both"
    ]
    (told,) = Block(tmp_path, "ctx_ace").told
    assert told.startswith("G6_MCP_SENSITIVE lets clients approve lessons under any name that they type")


def test_the_list_is_read_at_the_start(tmp_path: Path) -> None:
    environ = {"G6_HOME": str(tmp_path)}
    block = RecordBlock(environ, print)
    environ["G6_MCP_SENSITIVE"] = "ctx_ace"

    assert block.invoke("ctx_ace", "forget", {}).code == "G6_E_SENSITIVE"
    block.close()


def test_what_is_described_are_the_operations_that_there_are(block: Block) -> None:
    described = block.block.describe("ctx_ace")

    ops: Any = described["ops"]
    assert [op["op"] for op in ops] == ["put", "search", "recall", "forget", "approve", "status"]
    put = ops[0]["args"]
    assert put["required"] == ["text", "written_by"]
    assert put["additionalProperties"] is False
    assert block.block.describe("context")["code"] == "G6_E_NO_BLOCK"


def test_a_store_that_cannot_be_opened_is_an_answer_and_is_tried_again(tmp_path: Path) -> None:
    home = tmp_path / "g6"
    home.write_text("a file where the folder should be")
    block = Block(home)

    assert block.code("status", {}) == "G6_E_MEMORY_STORE"
    home.unlink()
    assert block.code("status", {}) == "G6_E_MEMORY_STATUS"
    block.block.close()


def test_a_store_that_was_replaced_is_opened_again(block: Block) -> None:
    block.invoke("put", NOTE)
    shutil.rmtree(block.home)

    assert block.code("put", NOTE) == "G6_E_MEMORY_STORE"
    assert block.invoke("put", NOTE)["existed"] is False


def test_where_an_unusable_store_is_is_for_the_operator(tmp_path: Path) -> None:
    file = tmp_path / "g6" / "memory" / "ctx_ace.db"
    file.mkdir(parents=True)
    block = Block(tmp_path / "g6")

    answer = block.invoke("status", {})

    assert answer["message"] == "the store $G6_HOME/memory/ctx_ace.db is a folder; name a file"
    assert str(tmp_path) not in json.dumps(answer)
    assert block.told == [f"the store {file} is a folder; name a file"]
