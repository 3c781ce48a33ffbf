"""The two arms of a comparison: one document with one switch moved.

What a capability writes is checked alike on both sides; only what is absent is asked for, of the enabled one.
"""

import json
from pathlib import Path

import pytest

from host.launch.capabilities import LIMIT_KEYS, SCOPES
from tests.host.launch.documents import MEMORIES, VALID, Document, broken, defects_of, outcome

PLACE = "agents[0].capabilities[0]"
WHOLE = MEMORIES["params"]
MISSING = ("implementation", *(f"params.{key}" for key in ("scope", *LIMIT_KEYS)))

# A capability less `enabled`, the places under it that are refused on both sides, and those where the enabled
# one alone misses something.
ARMS: list[tuple[Document, tuple[str, ...], tuple[str, ...]]] = [
    ({k: v for k, v in MEMORIES.items() if k != "enabled"}, (), ()),
    ({"id": "memories"}, (), MISSING),
    ({"id": "memories", "implementation": "keyword-search", "params": {}}, (), MISSING[1:]),
    ({"id": "memories", "implementation": " ", "params": WHOLE}, (), ("implementation",)),
    ({"id": "memories", "implementation": None, "params": WHOLE}, (), ("implementation",)),
    ({"id": "memories", "implementation": "notes", "params": WHOLE}, ("implementation",), ()),
    ({"id": "memories", "implementation": 1, "params": WHOLE}, ("implementation",), ()),
    ({"id": "memories", "implementation": "markdown", "params": None}, ("params",), ()),
    (
        {"id": "memories", "implementation": "markdown", "params": {**WHOLE, "scope": "all"}},
        ("params.scope",),
        (),
    ),
    (
        {"id": "memories", "implementation": "markdown", "params": {**WHOLE, "scope": None}},
        (),
        ("params.scope",),
    ),
    (
        {"id": "memories", "implementation": "markdown", "params": {**WHOLE, "maxSize": 4, "maxlenindex": 4}},
        ("params.maxSize", "params.maxlenindex"),
        (),
    ),
    (
        {"id": "memories", "implementation": "markdown", "params": dict.fromkeys(WHOLE, None)},
        (),
        MISSING[1:],
    ),
    (
        {
            "id": "memories",
            "implementation": "markdown",
            "params": dict(
                zip(WHOLE, ["root", True, 64.0, "64", -1, float("inf"), 10**400], strict=True),
            ),
        },
        tuple(f"params.{key}" for key in WHOLE),
        (),
    ),
    (
        {"id": "memories", "features": {"reviseMemories": "no", "read": True}, "params": WHOLE},
        ("features.reviseMemories", "features.read"),
        ("implementation",),
    ),
    (
        {"id": "memories", "implementation": "markdown", "features": None, "params": WHOLE},
        ("features",),
        (),
    ),
    (
        {"id": "memories", "implementation": "files", "params": {"scope": "x", "maxCount": 0}, "limits": {}},
        ("implementation", "params.scope", "limits"),
        tuple(f"params.{key}" for key in LIMIT_KEYS[1:]),
    ),
    ({"id": "files"}, (), ("params.dir",)),
    ({"id": "files", "params": {"dir": "nowhere"}}, ("params.dir",), ()),
    ({"id": "files", "params": {"dir": "."}, "features": {}}, ("features",), ()),
    ({"id": "program-library", "features": {}}, ("features",), ()),
    ({"id": "agent-managed-context", "features": {}}, ("features",), ()),
    ({"id": "delegation"}, (), ()),
    ({"id": "delegation", "params": {}}, ("params",), ()),
]


@pytest.mark.parametrize(("written", "wrong", "missing"), ARMS)
def test_on_and_off_are_refused_for_the_same_written_values(
    written: Document, wrong: tuple[str, ...], missing: tuple[str, ...], tmp_path: Path
) -> None:
    on = defects_of({**written, "enabled": True}, tmp_path)
    off = defects_of({**written, "enabled": False}, tmp_path)

    assert {defect.place for defect in off} == {f"{PLACE}.{place}" for place in wrong}
    assert [defect for defect in on if defect in off] == off
    absences = [defect for defect in on if defect not in off]
    assert {defect.place for defect in absences} == {f"{PLACE}.{place}" for place in missing}
    assert all(defect.message.startswith("required") for defect in absences)
    assert defects_of(written, tmp_path) == on


def test_every_wrong_scope_of_a_configuration_is_named_at_once(tmp_path: Path) -> None:
    scopes = [("a", True, "alone"), ("b", False, "isolate"), ("c", True, 5), ("d", True, "shared")]
    agents = [
        {
            "id": id_,
            "capabilities": [
                {"id": "files", "enabled": False},
                {**MEMORIES, "enabled": enabled, "params": {**WHOLE, "scope": scope}},
            ],
        }
        for id_, enabled, scope in scopes
    ]

    found = outcome({**VALID, "root": "a", "agents": agents}, tmp_path)

    assert isinstance(found, tuple)
    assert [(defect.agent, defect.place, defect.found, defect.known) for defect in found] == [
        ("a", "agents[0].capabilities[1].params.scope", "alone", SCOPES),
        ("b", "agents[1].capabilities[1].params.scope", "isolate", SCOPES),
        ("c", "agents[2].capabilities[1].params.scope", 5, SCOPES),
    ]


def test_whatever_is_missing_anywhere_is_named_beside_what_is_wrong(tmp_path: Path) -> None:
    second = {"id": "b", "capabilities": [{"id": "memories"}, {"id": "memories", "params": {"scope": "x"}}]}

    found = outcome(broken(("agents", 1), second), tmp_path)

    assert isinstance(found, tuple)
    assert [defect.place for defect in found] == [
        *(f"agents[1].capabilities[0].{place}" for place in MISSING),
        "agents[1].capabilities[1].id",
        "agents[1].capabilities[1].params.scope",
        *(f"agents[1].capabilities[1].params.{key}" for key in LIMIT_KEYS),
        "agents[1].capabilities[1].implementation",
    ]


def test_a_block_without_params_is_answered_with_a_whole_one_to_paste(tmp_path: Path) -> None:
    bare = defects_of({"id": "memories"}, tmp_path)
    (example,) = [defect.example for defect in bare if defect.example]
    pasted: Document = json.loads(f"{{{example}}}")

    assert [defect.place for defect in bare if defect.example] == [f"{PLACE}.params.scope"]
    assert defects_of({"id": "memories", "implementation": "markdown", **pasted}, tmp_path) == []
    partly = defects_of({"id": "memories", "params": {"maxResults": 0}}, tmp_path)
    assert [defect.example for defect in partly] == [""] * 7
