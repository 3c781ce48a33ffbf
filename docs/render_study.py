"""The figures of the committed study, from the latest results of record."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

RESULTS: Final = Path(__file__).parents[1] / "benchmarks" / "results"
_ROWS: Final = ("modelCalls", "inputTokens", "outputTokens", "hostCalls", "compileMs", "wallMs")


def render_study() -> str:
    """Markdown: what each mode spent by kind of task, then the tokens of each task."""
    study = _latest()
    return "\n".join([*_kinds(study), "", *_tasks(study)])


def _latest() -> dict[str, Any]:
    path = max(RESULTS.glob("*-compare.json"))
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return found


def _kinds(study: Mapping[str, Any]) -> Iterator[str]:
    arms = study["arms"]
    yield f"| median of a run | {' | '.join(f'{arm}' for arm in arms)} | better, in pairs of runs |"
    yield f"| --- |{' ---: |' * len(arms)} --- |"
    for part in study["kinds"]:
        yield f"| **{part['kind']}**, {part['tasks']} tasks |{' |' * len(arms)} |"
        correct = [f"{part['counts'][arm]['correct']} of {part['counts'][arm]['runs']}" for arm in arms]
        yield f"| correct | {' | '.join(correct)} | |"
        for row in part["rows"]:
            if row["key"] in _ROWS:
                yield _row(row, arms)
        per_run = [f"{part['tokensPerCorrect'][arm]:,.0f}" for arm in arms]
        yield f"| tokens for each correct run | {' | '.join(per_run)} | |"


def _row(row: Mapping[str, Any], arms: list[str]) -> str:
    unit = " ms" if row["unit"] == "ms" else ""
    values = [f"{row['figures'][arm]['median']:,.0f}{unit}" for arm in arms]
    wins = [f"{arm} {won}" for arm, won in row["contest"]["wins"].items() if won]
    ties = [f"tie {row['contest']['ties']}"] if row["contest"]["ties"] else []
    return f"| {row['title'].strip()} | {' | '.join(values)} | {', '.join([*wins, *ties])} |"


def _tasks(study: Mapping[str, Any]) -> Iterator[str]:
    arms = study["arms"]
    heads = [f"{arm}: {what}" for arm in arms for what in ("calls", "in", "out")]
    yield f"| task | {' | '.join(heads)} |"
    yield f"| --- |{' ---: |' * len(heads)}"
    for task in study["tasks"]:
        runs = {run["arm"]: run["measures"] for run in study["runs"] if run["task"] == task}
        cells = [
            f"{runs[arm][key]:,}" for arm in arms for key in ("modelCalls", "inputTokens", "outputTokens")
        ]
        yield f"| `{task}` | {' | '.join(cells)} |"
