"""A packet counts itself anew, and is given as JSON with where each item came from."""

import json
from dataclasses import replace

from host.context import SECTIONS, assemble_packet
from host.core.context_item import ContextItem

HANDLE = {"kind": "file_path", "file_path": "a.py", "root": 0}
TASK = ContextItem(
    "task",
    "fix it",
    source="caller",
    section="task",
    authority="user_intent",
    kind="instruction",
    trust="trusted",
)
EXCERPT = ContextItem(
    "a.py", "the parser", source="a.py", freshness_class="live", metadata={"handle": HANDLE}
)


def test_a_packet_as_json() -> None:
    told = assemble_packet([TASK, EXCERPT, replace(EXCERPT, value="other", source="b")], 50).to_json()

    assert json.loads(json.dumps(told)) == told | {"conflicts": list(told["conflicts"])}  # type: ignore[call-overload]
    assert told["sections"] == {name: [] for name in SECTIONS} | {
        "task": [
            {
                "section": "task",
                "key": "task",
                "source": "caller",
                "authority": "user_intent",
                "kind": "instruction",
                "trust": "trusted",
                "freshness_class": "unknown",
                "may_instruct": True,
                "tokens": 2,
                "value": "fix it",
            }
        ],
        "repository": [
            {
                "section": "repository",
                "key": "a.py",
                "source": "a.py",
                "authority": "evidence",
                "kind": "evidence",
                "trust": "untrusted",
                "freshness_class": "live",
                "may_instruct": False,
                "tokens": 3,
                "value": "the parser",
            }
        ],
    }
    assert (told["budget"], told["tokens"], told["repository_handles"]) == (50, 5, [HANDLE])
    assert told["conflicts"] == [
        {
            "section": "repository",
            "key": "a.py",
            "kept_source": "a.py",
            "kept_authority": "evidence",
            "dropped_source": "b",
            "dropped_authority": "evidence",
        }
    ]
    assert (told["completion_state"], told["code"]) == ("qualified-draft", "G6_E_CONTEXT_UNVERIFIED")


def test_what_a_packet_takes_follows_its_items() -> None:
    packet = assemble_packet([TASK, EXCERPT], 50)

    assert packet.tokens == 5
    assert replace(packet, repository=()).tokens == 2 + 14
    assert replace(packet, notes=(replace(EXCERPT, value="x" * 400),)).tokens == 105
