"""The refusal that `docs/configuration.md` shows is the one that its configuration gets."""

import re
from pathlib import Path

import pytest

from host.cli.failures import refusal_lines
from host.cli.lines import to_text
from host.core.errors import LaunchRefused
from host.launch import validate

PAGE = Path(__file__).parents[2] / "docs" / "configuration.md"
LIMITS = ("maxCount", "maxLenPerMemory", "maxTotalLen", "maxLenIndex", "maxLenDescription", "maxResults")


def test_the_refusal_shown_is_the_one_given(tmp_path: Path) -> None:
    memories = {
        "id": "memories",
        "implementation": "markdown",
        "params": {"scope": "isolatd", **dict.fromkeys(LIMITS, 0)},
    }
    document = {
        "task": "t",
        "model": {"provider": "scripted", "replies": ["x"]},
        "limits": {"maxturns": 20},
        "agents": [{"id": "analyst", "capabilities": [memories]}],
    }

    with pytest.raises(LaunchRefused) as exc_info:
        validate(document, base=tmp_path)

    shown = re.search(r"```\n(gg: .*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    assert shown is not None
    assert shown[1] == to_text(refusal_lines(exc_info.value))
