"""Fills the generated regions of the documentation: `python docs/build.py`.

A region stands between `<!-- begin: NAME -->` and `<!-- end -->`. What it holds is computed from the code,
checked in, and compared by a test, so that the pages cannot drift from what they describe. Runs where gg is
installed in editable form.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

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
)


def main() -> None:
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
