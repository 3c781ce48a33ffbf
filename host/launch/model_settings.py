"""The object `model` of a configuration: which model answers, and how long it is waited for."""

import re
from typing import Annotated, Final

from pydantic import Field, GetJsonSchemaHandler, PlainValidator, WithJsonSchema, model_validator
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema

from host.core.text import has_lone_surrogate
from host.core.tokens import ENCODINGS
from host.launch.fields import (
    HALF_CHARACTER,
    Count,
    Replies,
    Seconds,
    Settings,
    Whole,
    did_you_mean,
    expected,
    one_of,
    words,
)
from host.providers import VENDORS, split_name

BUILT_IN: Final = ("scripted", "human")
NAMED_ALONE: Final = ("human",)  # those of gg's own that need nothing more
COUNTERS: Final = ("characters", "utf-8", *ENCODINGS)
PROVIDERS: Final = (*BUILT_IN, *(f"{vendor}:…" for vendor in VENDORS))
_MODEL: Final = re.compile(r"\S(?:.*\S)?")
_VARIABLE: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_URL: Final = re.compile(r"https?://(?P<user>[^/?#@]*@)?[^/?#@\s]+(?P<path>/[^?#\s]*)?(?P<rest>[?#].*)?")
_MOST_TEMPERATURE: Final = 2.0


def _provider(value: object) -> str:
    if not isinstance(value, str):
        raise expected(f"needs a provider, {_SUCH_AS}", PROVIDERS)
    if value in BUILT_IN:
        return value
    vendor, model = split_name(value)
    if has_lone_surrogate(value):
        raise expected(HALF_CHARACTER)
    if vendor not in VENDORS:
        raise expected(_unknown(value, vendor), PROVIDERS)
    if not _MODEL.fullmatch(model) or not model.isprintable():
        raise expected(f'needs a model after "{vendor}:", {_SUCH_AS}')
    return value


_SUCH_AS: Final = 'such as "openai:gpt-5"'


def _unknown(value: str, vendor: str) -> str:
    if not vendor:
        hint = did_you_mean(value, (*BUILT_IN, *VENDORS))
        return f"unknown provider{hint or f'; a model is named with its vendor, {_SUCH_AS}'}"
    return f"unknown provider{did_you_mean(vendor, tuple(VENDORS))}"


def _base_url(value: object) -> str:
    """A key has no place in it: it would stand in the record."""
    found = _URL.fullmatch(value) if isinstance(value, str) else None
    if not isinstance(value, str) or found is None or has_lone_surrogate(value):
        raise expected('needs the address of a server, such as "http://127.0.0.1:8000/v1"')
    if found["user"] or found["rest"]:
        raise expected("needs an address without a user, a query or a fragment; a key goes into apiKeyEnv")
    return value


def _variable(value: object) -> str:
    if isinstance(value, str) and _VARIABLE.fullmatch(value):
        return value
    raise expected("needs the name of an environment variable, such as OPENAI_API_KEY; never the key itself")


def _temperature(value: object) -> float:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    if isinstance(value, int | float) and is_number and 0 <= value <= _MOST_TEMPERATURE:
        return float(value)
    raise expected(f"needs a number from 0 to {_MOST_TEMPERATURE:g}")


def _of_vendor() -> dict[str, object]:
    """Schema of the name of a vendor's model."""
    return {"type": "string", "pattern": rf"^({'|'.join(VENDORS)}):\S"}


Provider = Annotated[
    str, PlainValidator(_provider), WithJsonSchema({"anyOf": [{"enum": [*BUILT_IN]}, _of_vendor()]})
]
BaseUrl = Annotated[
    str, PlainValidator(_base_url), WithJsonSchema({"type": "string", "pattern": r"^https?://[^/?#@\s]"})
]
Variable = Annotated[
    str, PlainValidator(_variable), WithJsonSchema({"type": "string", "pattern": f"^{_VARIABLE.pattern}$"})
]
Temperature = Annotated[
    float,
    PlainValidator(_temperature),
    WithJsonSchema({"type": "number", "minimum": 0, "maximum": _MOST_TEMPERATURE}),
]


CounterName = Annotated[str, PlainValidator(one_of(*COUNTERS, what="counter")), words(*COUNTERS)]


class ModelSettings(Settings):
    """Which model answers. The provider's name alone may stand in place of the object."""

    provider: Provider = Field(
        description="`scripted`: replies written beforehand. `human`: a person at the terminal. Or a vendor"
        " and its model, such as `openai:gpt-5`; see [models.md](models.md)."
    )
    replies: Replies = Field(
        default=None,
        description="Of a scripted model: a list of replies, a folder of reply files, or a Python function as"
        " `module:function`.",
    )
    context_window: Count | None = Field(
        default=None, description="Tokens of the model's context window; compaction is measured against it."
    )
    counter: CounterName = Field(
        default=COUNTERS[0],
        description="How the tokens of a window are counted. `characters`: a quarter of the characters, and"
        " 30 % more. `utf-8`: each byte as one, which no tokenizer over bytes exceeds. `o200k_base`,"
        " `cl100k_base`: as OpenAI's models make them, with the extra `tokens`.",
    )
    base_url: BaseUrl | None = Field(
        default=None,
        description="Of a vendor's model: the server that answers. `openai:` then speaks chat completions, as"
        " every compatible server does, and no key is sent but that of `apiKeyEnv`.",
    )
    api_key_env: Variable | None = Field(
        default=None,
        description="Of a vendor's model: the environment variable that holds the key; the vendor's own when"
        " absent.",
    )
    max_output_tokens: Count | None = Field(
        default=None, description="Of a vendor's model: the most tokens of one reply."
    )
    temperature: Temperature | None = Field(
        default=None, description="Of a vendor's model: how much chance there is in a reply."
    )
    timeout_secs: Seconds | None = Field(
        default=None,
        description="Of a vendor's model: seconds until a reply has to be whole; 900 when absent.",
    )
    stream_idle_secs: Seconds | None = Field(
        default=None,
        description="Of a vendor's model: seconds that a reply may pause once it has begun; 60 when absent.",
    )
    max_retries: Whole | None = Field(
        default=None,
        description="Of a vendor's model: how often a request that failed is sent again; 10 when absent.",
    )
    retry_max_delay_secs: Seconds | None = Field(
        default=None,
        description="Of a vendor's model: the most seconds between two attempts, unless the provider asks for"
        " more; 60 when absent.",
    )

    @model_validator(mode="before")
    @classmethod
    def _named(cls, value: object) -> object:
        return {"provider": value} if isinstance(value, str) else value

    @classmethod
    def __get_pydantic_json_schema__(
        cls, core_schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> JsonSchemaValue:
        of_object = handler.resolve_ref_schema(handler(core_schema))
        described = of_object.pop("description")
        alone = [{"enum": [*NAMED_ALONE]}, _of_vendor()]
        return {"description": described, "anyOf": [*alone, of_object]}
