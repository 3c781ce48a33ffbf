"""Which vendors' models can be named, what each needs, and whether it is there.

Nothing of the model library is imported for it: a configuration is checked in no time.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from types import MappingProxyType
from typing import Final

LIBRARY: Final = "pydantic_ai"
OF_LIBRARY: Final = "pip install 'gg[models]'"


@dataclass(frozen=True, kw_only=True)
class Vendor:
    """What a vendor's models need.

    Args:
        client: the Python package that speaks to it.
        extra: the extra of the model library that brings the package.
        keys: environment variables of which any one holds the key; none where the client finds credentials
            by ways of its own, or no key is needed.
        wants: environment variables that have to be there besides, unless a base URL is written.
        takes_base_url: whether its models may be those of another server.
    """

    client: str
    extra: str
    keys: tuple[str, ...] = ()
    wants: tuple[str, ...] = ()
    takes_base_url: bool = False

    @property
    def missing(self) -> str | None:
        """The command that installs what is not there; `None` where everything is."""
        if find_spec(LIBRARY) is None:
            return OF_LIBRARY
        if _is_there(self.client):
            return None
        return f"pip install 'pydantic-ai-slim[{self.extra}]'"


def _is_there(package: str) -> bool:
    try:
        return find_spec(package) is not None
    except ModuleNotFoundError:  # of a package within one that is not there
        return False


def _openai(*keys: str, wants: tuple[str, ...] = (), takes_base_url: bool = False) -> Vendor:
    """A vendor that the client of OpenAI speaks to."""
    return Vendor(client="openai", extra="openai", keys=keys, wants=wants, takes_base_url=takes_base_url)


VENDORS: Final[Mapping[str, Vendor]] = MappingProxyType(
    {
        "openai": _openai("OPENAI_API_KEY", takes_base_url=True),
        "openai-chat": _openai("OPENAI_API_KEY", takes_base_url=True),
        "openai-responses": _openai("OPENAI_API_KEY", takes_base_url=True),
        "anthropic": Vendor(
            client="anthropic", extra="anthropic", keys=("ANTHROPIC_API_KEY",), takes_base_url=True
        ),
        "google": Vendor(
            client="google.genai",
            extra="google",
            keys=("GOOGLE_API_KEY", "GEMINI_API_KEY"),
            takes_base_url=True,
        ),
        "google-cloud": Vendor(client="google.genai", extra="google", takes_base_url=True),
        "mistral": Vendor(
            client="mistralai", extra="mistral", keys=("MISTRAL_API_KEY",), takes_base_url=True
        ),
        "groq": Vendor(client="groq", extra="groq", keys=("GROQ_API_KEY",), takes_base_url=True),
        "bedrock": Vendor(client="boto3", extra="bedrock", takes_base_url=True),
        "ollama": _openai(wants=("OLLAMA_BASE_URL",), takes_base_url=True),
        "alibaba": _openai("ALIBABA_API_KEY", "DASHSCOPE_API_KEY", takes_base_url=True),
        "azure": _openai("AZURE_OPENAI_API_KEY", wants=("AZURE_OPENAI_ENDPOINT", "OPENAI_API_VERSION")),
        "azure-responses": _openai(
            "AZURE_OPENAI_API_KEY", wants=("AZURE_OPENAI_ENDPOINT", "OPENAI_API_VERSION")
        ),
        "cerebras": _openai("CEREBRAS_API_KEY"),
        "cohere": Vendor(client="cohere", extra="cohere", keys=("CO_API_KEY",)),
        "crusoe": _openai("CRUSOE_API_KEY"),
        "deepseek": _openai("DEEPSEEK_API_KEY"),
        "fireworks": _openai("FIREWORKS_API_KEY"),
        "heroku": _openai("HEROKU_INFERENCE_KEY", takes_base_url=True),
        "huggingface": Vendor(
            client="huggingface_hub", extra="huggingface", keys=("HF_TOKEN",), takes_base_url=True
        ),
        "meta": _openai("META_API_KEY"),
        "moonshotai": _openai("MOONSHOTAI_API_KEY", takes_base_url=True),
        "nebius": _openai("NEBIUS_API_KEY"),
        "openrouter": _openai("OPENROUTER_API_KEY"),
        "ovhcloud": _openai("OVHCLOUD_API_KEY"),
        "sambanova": _openai("SAMBANOVA_API_KEY", takes_base_url=True),
        "snowflake": _openai("SNOWFLAKE_TOKEN", wants=("SNOWFLAKE_ACCOUNT",)),
        "together": _openai("TOGETHER_API_KEY"),
        "vercel": _openai("VERCEL_AI_GATEWAY_API_KEY", "VERCEL_OIDC_TOKEN"),
        "vllm": _openai(wants=("VLLM_BASE_URL",), takes_base_url=True),
        "xai": Vendor(client="xai_sdk", extra="xai", keys=("XAI_API_KEY",)),
        "zai": _openai("ZAI_API_KEY", takes_base_url=True),
    }
)
"""The vendors by the first half of a model's name, those first that are looked for first."""

LEFT_OUT: Final[Mapping[str, str]] = MappingProxyType(
    {
        "bedrock-mantle": "the models are those of `bedrock`",
        "elevenlabs": "has no chat models",
        "github": "its service has ended",
        "github-copilot": "signs in with an account",
        "google-decisions": "gives decisions, no texts",
        "litellm": "a proxy of it is `openai:…` with a base URL",
        "openai-chatgpt": "signs in with an account",
        "openai-codex": "signs in with an account",
        "openai-decisions": "gives decisions, no texts",
        "sentence-transformers": "has no chat models",
        "system-one": "gives decisions, no texts",
        "typesafe": "gives decisions, no texts",
        "voyageai": "has no chat models",
    }
)
"""What the model library knows besides, and why it is not offered."""


def split_name(name: str) -> tuple[str, str]:
    """`openai:gpt-5` → `openai`, `gpt-5`; either is empty where it is not there."""
    vendor, colon, model = name.partition(":")
    return (vendor, model) if colon else ("", name)
