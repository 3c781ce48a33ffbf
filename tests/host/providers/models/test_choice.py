"""Which key is sent, and what has to be in the environment for it."""

import pytest

from host.providers import RealModel

OPENAI = RealModel(name="openai:gpt-5")
GOOGLE = RealModel(name="google:gemini-3-pro")
OWN = RealModel(name="openai:gpt-5", key_variable="MINE")
LOCAL = RealModel(name="openai:m", base_url="http://127.0.0.1:8000/v1")
LOCAL_KEYED = RealModel(name="openai:m", base_url="http://127.0.0.1:8000/v1", key_variable="MINE")
OLLAMA = RealModel(name="ollama:qwen3")
BEDROCK = RealModel(name="bedrock:x")
AZURE = RealModel(name="azure:gpt-5")
ENVIRON = {"OPENAI_API_KEY": " sk-1 \n", "GEMINI_API_KEY": "g-1", "MINE": "m-1", "EMPTY": " "}

# model, key that is sent, the groups of variables that are missing where none is there
CASES = [
    (OPENAI, "sk-1", (("OPENAI_API_KEY",),)),
    (GOOGLE, "g-1", (("GOOGLE_API_KEY", "GEMINI_API_KEY"),)),
    (OWN, "m-1", (("MINE",),)),
    (LOCAL, None, ()),
    (LOCAL_KEYED, "m-1", (("MINE",),)),
    (OLLAMA, None, (("OLLAMA_BASE_URL",),)),
    (BEDROCK, None, ()),
    (
        AZURE,
        None,
        (("AZURE_OPENAI_API_KEY",), ("AZURE_OPENAI_ENDPOINT",), ("OPENAI_API_VERSION",)),
    ),
]


@pytest.mark.parametrize(("model", "key", "missing"), CASES, ids=str)
def test_the_key_and_what_is_missing(
    model: RealModel, key: str | None, missing: tuple[tuple[str, ...], ...]
) -> None:
    assert model.key_from(ENVIRON) == key
    assert model.missing_variables({}) == missing


def test_a_blank_variable_is_none() -> None:
    model = RealModel(name="openai:gpt-5", key_variable="EMPTY")

    assert (model.key_from(ENVIRON), model.missing_variables(ENVIRON)) == (None, (("EMPTY",),))
