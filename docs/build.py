"""Writes what is generated and checked in: `python docs/build.py`.

A region of a page stands between `<!-- begin: NAME -->` and `<!-- end -->`; the guest's SDK and the schema of
a run configuration are generated file by file. All of it is computed from the code and compared by a test,
so that nothing can drift from what it describes. Runs where gg is installed in editable form.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from docs.render_cli import render_commands
from docs.render_errors import (
    render_api_errors,
    render_ceilings,
    render_command_errors,
    render_defects,
    render_exit_codes,
    render_refusals,
    render_rejections,
    render_statuses,
    render_turn_errors,
)
from docs.render_json import render_json
from docs.render_memories import render_memory_limits, render_memory_refusals, render_strategies
from docs.render_models import render_provider_failures, render_vendors
from docs.render_replies import render_replies
from docs.render_settings import render_keys, render_limits, render_schema
from docs.render_study import render_study
from host.events import render_events_reference
from host.operations import FAMILIES, render_declarations, render_operations, render_sdk
from tests.test_architecture import render_imports, render_sole_users

ROOT: Final = Path(__file__).parents[1]


@dataclass(frozen=True)
class Region:
    file: str  # relative to the project
    name: str
    render: Callable[[], str]


REGIONS: Final = (
    Region("docs/architecture.md", "imports", render_imports),
    Region("docs/architecture.md", "sole users", render_sole_users),
    Region("docs/cli.md", "commands", render_commands),
    Region("docs/cli.md", "json", render_json),
    Region("docs/errors.md", "api errors", render_api_errors),
    Region("docs/errors.md", "turn errors", render_turn_errors),
    Region("docs/errors.md", "ceilings", render_ceilings),
    Region("docs/errors.md", "rejections", render_rejections),
    Region("docs/errors.md", "statuses", render_statuses),
    Region("docs/errors.md", "defects", render_defects),
    Region("docs/errors.md", "exit codes", render_exit_codes),
    Region("docs/errors.md", "command errors", render_command_errors),
    Region("docs/errors.md", "refusals", render_refusals),
    Region("docs/events.md", "events", render_events_reference),
    Region("docs/memories.md", "strategies", render_strategies),
    Region("docs/memories.md", "memory limits", render_memory_limits),
    Region("docs/memories.md", "memory refusals", render_memory_refusals),
    Region("docs/models.md", "provider failures", render_provider_failures),
    Region("docs/models.md", "vendors", render_vendors),
    Region("docs/operations.md", "operations", lambda: render_operations(FAMILIES)),
    Region("docs/replies.md", "replies", render_replies),
    Region("docs/compare.md", "study", render_study),
    Region("docs/settings.md", "keys", render_keys),
    Region("docs/settings.md", "limits", render_limits),
)


def sdk_files() -> dict[str, str]:
    """The generated files of the guest's SDK, by path from the project."""
    sources = {"gg.d.ts": render_declarations(FAMILIES), **render_sdk(FAMILIES)}
    return {f"runtime_js/sdk/{name}": text for name, text in sources.items()}


def whole_files() -> dict[str, str]:
    """Every file that is generated whole, by path from the project."""
    return {**sdk_files(), "docs/run-config.schema.json": render_schema()}


def main() -> None:
    for file, text in whole_files().items():
        path = ROOT / file
        before = path.read_text(encoding="utf-8") if path.exists() else ""
        path.write_text(text, encoding="utf-8")
        print(f"{file}: {'unchanged' if text == before else 'written'}")
    for file in sorted({region.file for region in REGIONS}):
        path = ROOT / file
        before = path.read_text(encoding="utf-8")
        after = filled(before, [region for region in REGIONS if region.file == file])
        path.write_text(after, encoding="utf-8")
        print(f"{file}: {'unchanged' if after == before else 'written'}")


def filled(page: str, regions: list[Region]) -> str:
    """`page` with what each region renders. Raises ValueError where a region is not in the page once."""
    for region in regions:
        pattern = re.compile(rf"(<!-- begin: {re.escape(region.name)} -->\n).*?(<!-- end -->)", re.DOTALL)
        text = region.render()
        page, count = pattern.subn(lambda marks, text=text: f"{marks[1]}{text}\n{marks[2]}", page)
        if count != 1:
            raise ValueError(f"{region.file}: region {region.name!r} stands {count} times, expected once")
    return page


if __name__ == "__main__":
    main()
