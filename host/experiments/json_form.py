"""A comparison as JSON: all that the console and the page show, and every run behind it."""

import json
from typing import Any, Final

from host.events import plain
from host.experiments.comparison import Comparison, Part, tokens_per_correct
from host.experiments.running import result_json

COMPARISON_FILE: Final = "comparison.json"


def write_comparison(comparison: Comparison) -> None:
    """Keeps it beside the records, as `comparison.json`. Raises `OSError`."""
    text = json.dumps(comparison_json(comparison), indent=1)
    (comparison.out / COMPARISON_FILE).write_text(f"{text}\n", encoding="utf-8")


def comparison_json(comparison: Comparison) -> dict[str, Any]:
    """One object; records are named from the folder that they are in."""
    return {
        "name": comparison.name,
        "sha256": comparison.sha256,
        "ggVersion": comparison.gg_version,
        "machine": plain(comparison.machine),
        "model": comparison.model,
        "arms": list(comparison.arms),
        "tasks": list(comparison.tasks),
        "repeats": comparison.repeats,
        "seed": comparison.seed,
        "parallel": comparison.parallel,
        "planned": comparison.planned,
        "partial": comparison.is_partial,
        "estimatedTokens": comparison.is_estimated,
        "pairsAlike": comparison.pairs_alike,
        "whole": _part(comparison, comparison.whole),
        "kinds": [_part(comparison, part) for part in comparison.kinds],
        "differences": plain(comparison.differences),
        "records": str(comparison.out),
        "runs": [result_json(run, comparison.out) for run in comparison.runs],
    }


def _part(comparison: Comparison, part: Part) -> dict[str, Any]:
    tokens = {arm: tokens_per_correct(part, arm) for arm in comparison.arms}
    return {**plain(part), "tokensPerCorrect": tokens}
