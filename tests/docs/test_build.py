"""What is generated and checked in holds what the code says now."""

from pathlib import Path

import pytest

from docs.build import REGIONS, Region, filled, sdk_files, whole_files

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("region", REGIONS, ids=lambda region: f"{region.file} {region.name}")
def test_a_generated_region_is_up_to_date(region: Region) -> None:
    page = (ROOT / region.file).read_text(encoding="utf-8")

    assert page == filled(page, [region]), "run: python docs/build.py"


@pytest.mark.parametrize("file", whole_files())
def test_a_generated_file_is_up_to_date(file: str) -> None:
    assert (ROOT / file).read_text(encoding="utf-8") == whole_files()[file], "run: python docs/build.py"


def test_no_generated_file_outlives_its_family() -> None:
    found = {
        path.relative_to(ROOT).as_posix()
        for path in (ROOT / "runtime_js" / "sdk").iterdir()
        if path.read_text(encoding="utf-8").startswith("// Generated from the table of operations")
    }

    assert found == set(sdk_files())


def test_a_region_is_replaced_and_its_surroundings_stay() -> None:
    page = "before\n<!-- begin: a -->\nold\n<!-- end -->\n<!-- begin: b -->\n<!-- end -->\nafter\n"

    assert filled(page, [Region("x.md", "a", lambda: r"new \1")]) == (
        "before\n<!-- begin: a -->\nnew \\1\n<!-- end -->\n<!-- begin: b -->\n<!-- end -->\nafter\n"
    )


def test_a_page_without_the_region_is_refused() -> None:
    with pytest.raises(ValueError, match=r"^x\.md: region 'a' stands 0 times, expected once$"):
        filled("nothing", [Region("x.md", "a", str)])
