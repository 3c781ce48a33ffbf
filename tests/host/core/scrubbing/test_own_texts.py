"""Nothing of what gg itself writes or shows is taken for a secret."""

import subprocess
from pathlib import Path

from host.core.masking import Masker
from host.core.scrubbing import scrub_report
from host.operations import FAMILIES, sdk_pages

ROOT = Path(__file__).parents[4]
LOOKED_AT = (
    *("docs/*", "README.md", "CHANGELOG.md", "host/*", "sandbox/*", "runtime_js/*", "fixtures/*"),
    *(
        "tests/host/turn/golden/*",
        "tests/host/tools/golden/*",
        "tests/host/cli/golden/*",
        "tests/e2e/golden/*",
    ),
)
# These show secrets, on purpose: what is masked, what is stored, what is tried on an agent.
WITH_SECRETS = {
    "docs/context.md",
    "docs/skillbook.md",  # ids of sessions
    "fixtures/retrieval/records.jsonl",
    "fixtures/tripwire/flags.txt",
    "host/core/scrubbing/kept_text.py",
    "host/core/scrubbing/value_shapes.py",
}
LISTS_OF_WORDS = ("fixtures/masking/", "host/skillbook/similarity/lexical_")


def tracked() -> list[str]:
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--", *LOOKED_AT], cwd=ROOT, capture_output=True, check=True, text=True
    )
    return [name for name in listed.stdout.split("\0") if name and not name.startswith(LISTS_OF_WORDS)]


def text_of(name: str) -> str:
    return (ROOT / name).read_bytes().decode("utf-8", "replace")


def test_no_file_of_gg_is_changed() -> None:
    names = [name for name in tracked() if (ROOT / name).is_file()]

    assert len(names) > 900
    assert {name for name in names if scrub_report(text_of(name))} == WITH_SECRETS


def test_no_page_of_the_sdk_is_changed_by_a_run() -> None:
    mask = Masker({}).mask
    pages = sdk_pages(FAMILIES, lambda _: True)

    assert len(pages) > 100
    assert [page.key for page in pages if mask(page.text) != page.text] == []
