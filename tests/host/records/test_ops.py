"""The operations by name and JSON arguments, as they come over MCP and from the command line."""

import inspect
import json
from pathlib import Path
from typing import Final

import jsonschema
import pytest

from host.records import OPS, REMOTE_OPS, Store, invoke
from tests.helpers.records import ABSENT_ID, kept, opened, refused

EXAMPLES: Final = (
    (
        "put",
        '{"text": "The billing export runs at 02:00 UTC and takes about 40 minutes.",'
        ' "written_by": "agent:ops-run-12", "source": "https://example.org/runbooks/billing",'
        ' "tags": ["billing"], "stale_after": "2027-06-30T00:00:00Z"}',
        "G6_E_MEMORY_KEPT",
    ),
    ("search", '{"query": "when does the billing export run", "top_k": 3}', "G6_E_MEMORY_FOUND"),
    ("recall", '{"tags": ["billing"], "limit": 10}', "G6_E_MEMORY_FOUND"),
    ("status", "{}", "G6_E_MEMORY_STATUS"),
    (
        "approve",
        '{"record_ids": ["0000000000000000000000000000000000000000000000000000000000000000"],'
        ' "reviewer": "Sam Rivera", "reason": "matches the payments runbook"}',
        "G6_E_MEMORY_NOT_FOUND",
    ),
)
REFUSED: Final[dict[str, tuple[str, object, str]]] = {
    "no such op": ("serch", {}, "G6_E_NO_OP"),
    "an op that is no name": (7, {}, "G6_E_NO_OP"),  # type: ignore[dict-item]
    "a list of names": (["put"], {}, "G6_E_NO_OP"),  # type: ignore[dict-item]
    "in capitals": ("PUT", {}, "G6_E_NO_OP"),
    "arguments in a list": ("put", ["text"], "G6_E_MEMORY_INPUT"),
    "no arguments": ("put", None, "G6_E_MEMORY_INPUT"),
    "a weight": ("put", {"text": "a", "written_by": "b", "weight": 2}, "G6_E_MEMORY_INPUT"),
    "a weight of a search": ("search", {"query": "a", "weight": 2}, "G6_E_MEMORY_INPUT"),
    "a path": ("status", {"path": "/tmp/other.db"}, "G6_E_MEMORY_INPUT"),
    "progress": ("status", {"progress": 1}, "G6_E_MEMORY_INPUT"),
    "no text": ("put", {"written_by": "b"}, "G6_E_MEMORY_NO_TEXT"),
    "text null": ("put", {"text": None, "written_by": "b"}, "G6_E_MEMORY_NO_TEXT"),
    "text blank": ("put", {"text": " \u3000\n", "written_by": "b"}, "G6_E_MEMORY_NO_TEXT"),
    "text of another type": ("put", {"text": ["a"], "written_by": "b"}, "G6_E_MEMORY_INPUT"),
    "no writer": ("put", {"text": "a"}, "G6_E_MEMORY_NO_WRITER"),
    "no query": ("search", {}, "G6_E_MEMORY_NO_QUERY"),
    "query blank": ("search", {"query": "\t"}, "G6_E_MEMORY_NO_QUERY"),
    "no filter": ("forget", {"reason": "tidy"}, "G6_E_MEMORY_NO_FILTER"),
    "neither filter nor reason": ("forget", {}, "G6_E_MEMORY_NO_FILTER"),
    "empty filters": ("forget", {"record_ids": [], "tags": [], "reason": "a"}, "G6_E_MEMORY_NO_FILTER"),
    "no filter of a preview": ("forget", {"preview": True}, "G6_E_MEMORY_NO_FILTER"),
    "no reason to forget": ("forget", {"kind": "note"}, "G6_E_MEMORY_NO_REASON"),
    "no reason to approve": (
        "approve",
        {"record_ids": [ABSENT_ID], "reviewer": "S"},
        "G6_E_MEMORY_NO_REASON",
    ),
    "no ids": ("approve", {"reviewer": "Sam", "reason": "ok"}, "G6_E_MEMORY_INPUT"),
    "no reviewer": ("approve", {"record_ids": [ABSENT_ID], "reason": "ok"}, "G6_E_MEMORY_REVIEWER"),
    "no old": ("supersede", {"new": ABSENT_ID, "reason": "ok"}, "G6_E_MEMORY_INPUT"),
    "nothing to unblock": ("unblock", {"text": "a", "reason": "ok"}, "G6_E_MEMORY_NOT_FOUND"),
    "a limit of text": ("recall", {"limit": "10"}, "G6_E_MEMORY_INPUT"),
    "a limit of true": ("recall", {"limit": True}, "G6_E_MEMORY_INPUT"),
    "a limit of a fraction": ("search", {"query": "a", "top_k": 2.5}, "G6_E_MEMORY_INPUT"),
    "too high a limit": ("search", {"query": "a", "top_k": 101}, "G6_E_MEMORY_INPUT"),
    "block of text": ("forget", {"kind": "note", "reason": "a", "block": "no"}, "G6_E_MEMORY_INPUT"),
    "another kind": ("recall", {"kind": "memo"}, "G6_E_MEMORY_INPUT"),
    "tags of text": ("recall", {"tags": "billing"}, "G6_E_MEMORY_INPUT"),
    "a surrogate": ("search", {"query": "a\ud800"}, "G6_E_MEMORY_INPUT"),
    "a surrogate in a name": ("search", {"query": "a", "\ud800": 1}, "G6_E_MEMORY_INPUT"),
}


def test_the_documented_arguments_work_as_they_stand(tmp_path: Path) -> None:
    with opened(tmp_path) as store:
        answers = [invoke(store, op, json.loads(args)).to_json() for op, args, _ in EXAMPLES]
    assert [answer["code"] for answer in answers] == [code for _, _, code in EXAMPLES]
    kept_, found, recalled, status, _ = answers
    assert kept_["record"]["trust"] == "untrusted"  # type: ignore[index]
    assert [each["id"] for each in found["records"]] == [kept_["record"]["id"]]  # type: ignore[attr-defined, index]
    assert found["records"][0]["score_scale"] == "bm25"  # type: ignore[index]
    assert recalled["records"] == [kept_["record"]]
    assert status["kept"] == 1


@pytest.mark.parametrize(("op", "args", "code"), REFUSED.values(), ids=REFUSED)
def test_what_cannot_be_answered_is_refused_by_its_code(
    tmp_path: Path, op: str, args: object, code: str
) -> None:
    with opened(tmp_path) as store:
        before = store.path.stat().st_mtime_ns
        answer = invoke(store, op, args)
        assert (answer.code, answer.is_refusal) == (code, True), answer.message
        assert store.path.stat().st_mtime_ns == before
        json.dumps(answer.to_json(), allow_nan=False).encode()


def test_an_unknown_argument_is_named_with_what_it_may_have_meant(tmp_path: Path) -> None:
    with opened(tmp_path) as store:
        assert invoke(store, "put", {"weight": 1}).message == (
            "put has no argument `weight`. It takes text, written_by, source, kind, tags, stale_after,"
            " passage."
        )
        assert invoke(store, "search", {"topk": 1}).message == (
            "search has no argument `topk`; did you mean top_k? It takes query, top_k, tags, kind."
        )
        assert (
            invoke(store, "status", {"path": "x"}).message
            == "status has no argument `path`. It takes no arguments."
        )
        assert invoke(store, "forgett", {}).message == (
            "there is no op `forgett`; did you mean forget? There are put, search, recall, forget, approve,"
            " status, supersede, unblock."
        )


TOLD: Final[tuple[tuple[str, dict[str, object], str], ...]] = (
    ("search", {"query": "a", "top_k": 101}, "top_k is 101; it has to be a whole number from 1 to 100"),
    ("search", {"query": "a", "top_k": 2.5}, "top_k is 2.5; it has to be a whole number from 1 to 100"),
    ("search", {"query": "a", "top_k": True}, "top_k is true; it has to be a whole number from 1 to 100"),
    ("recall", {"limit": "9\n9"}, "limit is `9\\u000a9`; it has to be a whole number from 1 to 100"),
    ("recall", {"limit": [1]}, "limit is a list; it has to be a whole number from 1 to 100"),
    (
        "recall",
        {"limit": 10**5_000},
        "limit is a number of many digits; it has to be a whole number from 1 to 100",
    ),
    ("recall", {"kind": "\x1b[2J"}, "kind is `\\u001b[2J`; it has to be note or lesson"),
    ("recall", {"tags": "a"}, "tags is a text; it has to be a list of texts"),
    ("recall", {"tags": [None]}, "a tag is missing; it has to be a text"),
    ("search", {"query": {"a": 1}}, "query is an object; it has to be a text"),
    ("recall", {"proposed": "yes"}, "proposed is `yes`; it has to be true or false"),
)
LONG: Final = "k" * 1_000_000
LONG_VALUES: Final[tuple[tuple[str, dict[str, object]], ...]] = (
    ("recall", {"kind": LONG}),
    ("recall", {"limit": LONG}),
    ("recall", {"proposed": LONG}),
    ("recall", {"tags": [LONG]}),
    ("recall", {LONG: 1}),
    ("forget", {"record_ids": LONG, "reason": "a"}),
    ("approve", {"record_ids": LONG, "reviewer": "Sam", "reason": "a"}),
    ("supersede", {"old": LONG, "new": LONG, "reason": "a"}),
    ("put", {"text": "a", "written_by": "b", "stale_after": LONG}),
    ("put", {"text": "a", "written_by": "b", "passage": {"text": "a", LONG: "b"}}),
    ("put", {"text": "a", "written_by": "b", "passage": {"text": "a", "provenance": {LONG: 1}}}),
    (LONG, {}),
)


@pytest.mark.parametrize(("op", "args", "told"), TOLD)
def test_a_value_that_cannot_be_is_told_on_one_line(
    tmp_path: Path, op: str, args: dict[str, object], told: str
) -> None:
    with opened(tmp_path) as store:
        assert invoke(store, op, args).message == told


@pytest.mark.parametrize(("op", "args"), LONG_VALUES, ids=range(len(LONG_VALUES)))
def test_no_message_is_as_long_as_what_it_is_about(tmp_path: Path, op: str, args: dict[str, object]) -> None:
    with opened(tmp_path) as store:
        answer = invoke(store, op, args)
        assert answer.is_refusal
        assert len(answer.message) < 500


def test_null_is_as_good_as_absent(tmp_path: Path) -> None:
    with opened(tmp_path) as store:
        given = {parameter.name: None for parameter in OPS["put"].parameters}
        answer = invoke(store, "put", {**given, "text": "a", "written_by": "b"}).to_json()
        assert answer["code"] == "G6_E_MEMORY_KEPT"
        assert invoke(store, "recall", dict.fromkeys(OPS["recall"].names)).to_json()["records"] == [
            answer["record"]
        ]


def test_every_operation_changes_and_answers_as_its_method(tmp_path: Path) -> None:
    with opened(tmp_path) as store:
        old, new = kept(store, "One."), kept(store, "Two.")
        lesson = kept(store, "Three.", kind="lesson")
        codes = [
            invoke(store, op, args).code
            for op, args in (
                ("supersede", {"old": old.id, "new": new.id, "reason": "newer"}),
                ("approve", {"record_ids": lesson.id, "reviewer": "Sam", "reason": "ok"}),
                ("forget", {"record_ids": [new.id], "reason": "wrong", "block": True}),
                ("unblock", {"text": "two.", "reason": "right"}),
                ("forget", {"kind": "lesson", "preview": True}),
            )
        ]
    assert [code.removeprefix("G6_E_MEMORY_") for code in codes] == [
        "SUPERSEDED",
        "APPROVED",
        "FORGOTTEN",
        "UNBLOCKED",
        "FOUND",
    ]


def test_only_some_operations_are_remote_and_those_that_decide_are_sensitive() -> None:
    assert list(REMOTE_OPS) == ["put", "search", "recall", "forget", "approve", "status"]
    assert {name for name, op in OPS.items() if op.is_sensitive} == {"forget", "approve", "unblock"}


def test_what_a_caller_does_not_have_is_no_op_to_it(tmp_path: Path) -> None:
    with opened(tmp_path) as store:
        assert invoke(store, "unblock", {"text": "a"}, ops=REMOTE_OPS).code == "G6_E_NO_OP"


@pytest.mark.parametrize("op", OPS)
def test_the_table_says_what_the_method_takes(op: str) -> None:
    taken = inspect.signature(getattr(Store, op)).parameters
    named = {name for name, parameter in taken.items() if parameter.kind is not parameter.VAR_KEYWORD}
    assert named - {"self", "progress"} == set(OPS[op].names)
    for parameter in OPS[op].parameters:
        default = taken[parameter.name].default
        is_needed = default is inspect.Parameter.empty
        assert is_needed is parameter.is_required, parameter.name
        if parameter.default is not None:
            assert default == (tuple(parameter.default) if parameter.default == [] else parameter.default)  # type: ignore[arg-type]


@pytest.mark.parametrize("op", OPS)
def test_the_schema_of_an_operation_is_json_schema(op: str) -> None:
    schema = json.loads(json.dumps(OPS[op].schema()))
    jsonschema.Draft202012Validator.check_schema(schema)
    assert schema["additionalProperties"] is False
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({"weight": 1, **dict.fromkeys(schema["required"], "a")}, schema)


def test_the_schemas_take_the_documented_arguments() -> None:
    for op, args, _ in EXAMPLES:
        jsonschema.validate(json.loads(args), OPS[op].schema())


@pytest.mark.parametrize(
    "call",
    [
        lambda store: store.put(text="a", written_by="b", weight=2),
        lambda store: store.search("a", weight=2),
        lambda store: store.recall(path="x"),
        lambda store: store.forget(kind="note", reason="a", weight=1),
        lambda store: store.approve(ABSENT_ID, reviewer="Sam", reason="ok", weight=1),
        lambda store: store.supersede(ABSENT_ID, ABSENT_ID, "ok", weight=1),
        lambda store: store.unblock("a", reason="ok", weight=1),
        lambda store: store.status(weight=1),
    ],
)
def test_a_method_refuses_an_unknown_keyword_as_the_operation_does(tmp_path: Path, call: object) -> None:
    with opened(tmp_path) as store, refused("G6_E_MEMORY_INPUT") as caught:
        call(store)  # type: ignore[operator]
    assert "has no argument" in caught.value.message
