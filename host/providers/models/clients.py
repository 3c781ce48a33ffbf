"""Builds the model library's object for a model, with an HTTP client that is watched and closed by gg."""

import inspect
from typing import Any, Final, cast

import httpx2
from pydantic_ai.models import Model, infer_model
from pydantic_ai.models.openai import OpenAIChatModel
from pydantic_ai.profiles.openai import OpenAIModelProfile
from pydantic_ai.providers import Provider, infer_provider_class
from pydantic_ai.providers.openai_compatible import OpenAICompatibleProvider
from pydantic_ai.settings import ModelSettings

from host.providers.models.catalogue import split_name
from host.providers.models.choice import RealModel
from host.providers.models.pulse import watch

COMPATIBLE: Final = "compatible-server"
"""A name that no list of prices has: what such a server asks for a model, a vendor's price does not tell."""
NO_KEY: Final = "none"
"""What is sent where a client wants a key and a server needs none."""
# A stream without a finish reason was cut: it must not pass for a whole reply.
_WHOLE: Final = OpenAIModelProfile(openai_chat_streaming_requires_finish_reason=True)
_CONNECT_S: Final = 10.0
_WATCHED: Final = ("openai", "anthropic", "groq")  # clients that take the HTTP client of gg


class OpenModel:
    """A model with its connections. Build it and close it in the event loop that uses it."""

    def __init__(self, choice: RealModel, key: str | None) -> None:
        self._http: Final = _http_client(choice) if choice.vendor.client in _WATCHED else None
        self.library: Final = _library_model(choice, key, self._http)
        self.settings: Final = _settings(choice, self.library)

    async def aclose(self) -> None:
        if self._http is not None:
            await self._http.aclose()


def _http_client(choice: RealModel) -> httpx2.AsyncClient:
    """No phase of a request takes longer than the whole; reading is bounded by the pulse as well."""
    timeout = httpx2.Timeout(choice.timeout_s, connect=min(_CONNECT_S, choice.timeout_s))
    return httpx2.AsyncClient(timeout=timeout, event_hooks={"response": [watch]}, follow_redirects=False)


def _library_model(choice: RealModel, key: str | None, http: httpx2.AsyncClient | None) -> Model[Any]:
    """`openai:` at another server means what compatible servers have in common: chat completions.

    Raises what the library raises for a configuration that it does not take.
    """
    vendor, name = split_name(choice.name)
    if vendor == "openai" and choice.base_url is not None:
        profile = OpenAIModelProfile(**_WHOLE, openai_chat_supports_max_completion_tokens=False)
        compatible = OpenAICompatibleProvider(
            COMPATIBLE, base_url=choice.base_url, api_key=key or NO_KEY, http_client=http
        )
        return OpenAIChatModel(name, provider=compatible, profile=profile)
    provider = _provider(choice, key, http)
    model: Model[Any] = infer_model(choice.name, provider_factory=lambda _: provider)
    if isinstance(model, OpenAIChatModel):
        return type(model)(name, provider=provider, profile=_WHOLE)
    return model


def _provider(choice: RealModel, key: str | None, http: httpx2.AsyncClient | None) -> Provider[Any]:
    """The library's provider. What it is not told it finds in its vendor's own variables, but for the key
    where another server answers.
    """
    kind = infer_provider_class(split_name(choice.name)[0])
    takes = inspect.signature(kind.__init__).parameters
    if key is None and choice.base_url is not None:
        key = NO_KEY
    offered = {
        "api_key": key,
        "token": key,  # as one of them calls it
        "base_url": choice.base_url,
        "http_client": http,
    }
    given = {name: value for name, value in offered.items() if name in takes and value is not None}
    return kind(**given)


def _settings(choice: RealModel, model: Model[Any]) -> ModelSettings:
    """What every request says. Repeating it is gg's own, so the clients are to do none of that."""
    settings: dict[str, Any] = {
        "max_tokens": choice.max_output_tokens,
        "temperature": choice.temperature,
        "max_retries": 0,
        "timeout": choice.timeout_s,
        # A request only adds to the one before, which is what such a cache is for.
        "cache": True if choice.base_url is None else None,
    }
    known = model.unsupported_settings
    written = {name: value for name, value in settings.items() if value is not None and name not in known}
    return cast(ModelSettings, written)
