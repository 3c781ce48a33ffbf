"""What a model needs besides its shape: replies, a client that is installed, a key in the environment."""

from collections.abc import Iterator, Mapping
from pathlib import Path as FilePath
from typing import Final

from host.core.text import join_words
from host.core.tokens import ENCODINGS, encodings_missing
from host.launch.fields import IDENTIFIER
from host.launch.model_settings import BUILT_IN
from host.launch.models import EXECUTIONS
from host.launch.places import Path, Problem, entries_at, mapping_at, value_at
from host.launch.sources import replies_problems
from host.providers import VENDORS, RealModel, split_name

_AGENTS: Final[Path] = ("agents",)
_OF_ALL: Final = ("provider", "contextWindow", "counter")
_OF_VENDORS: Final = (
    "baseUrl",
    "apiKeyEnv",
    "maxOutputTokens",
    "temperature",
    "timeoutSecs",
    "streamIdleSecs",
    "maxRetries",
    "retryMaxDelaySecs",
)


def model_problems(
    document: Mapping[str, object],
    *,
    base: FilePath,
    environ: Mapping[str, str] | None,
    asks_models: bool = True,
) -> Iterator[Problem]:
    """Every problem of the run's model and of the agents' own. Without `environ` no key is looked for, and
    unless it `asks_models` no client either.
    """
    environ = environ if asks_models else None
    paths = entries_at(document, _AGENTS)
    without = [path for path in paths if mapping_at(document, path).get("model") is None]
    is_used = asks_models and (bool(without) or not paths)
    yield from _model(document, ("model",), environ if is_used else None, is_used=is_used)
    ways = [_way(document, path) for path in without or paths[:1]]
    yield from replies_problems(document, ("model", "replies"), base=base, ways=ways or [()])
    for path in paths:
        if path in without and document.get("model") is None:
            yield Problem(path=(*path, "model"), message="required where the run names no model")
        yield from _model(document, (*path, "model"), environ, is_used=asks_models)
        own = _way(document, path)
        yield from replies_problems(document, (*path, "model", "replies"), base=base, ways=[own])


def _model(
    document: Mapping[str, object], path: Path, environ: Mapping[str, str] | None, *, is_used: bool
) -> Iterator[Problem]:
    """What a provider needs, and what it takes no notice of."""
    model = value_at(document, path)
    fields = {"provider": model} if isinstance(model, str) else mapping_at(document, path)
    provider = fields.get("provider")
    if not isinstance(provider, str):
        return
    yield from _counter_problems(fields, path)
    is_vendors = split_name(provider)[0] in VENDORS
    if provider not in BUILT_IN and not is_vendors:
        return  # reported already
    at = path if isinstance(model, str) else (*path, "provider")
    if provider == "scripted" and fields.get("replies") is None:
        place = path if isinstance(model, str) else (*path, "replies")
        yield Problem(path=place, message="required: the replies of a scripted model")
    yield from _not_taken(fields, path, provider, is_vendors=is_vendors)
    if is_vendors:
        yield from _vendor_problems(fields, path, at, environ, is_used=is_used)


def _counter_problems(fields: Mapping[str, object], path: Path) -> Iterator[Problem]:
    counter = fields.get("counter")
    missing = encodings_missing() if counter in ENCODINGS else None
    if missing is not None:
        told = f'{missing}; or write "characters", which adds a margin to an estimate'
        yield Problem(path=(*path, "counter"), message=told, found=counter)


def _not_taken(
    fields: Mapping[str, object], path: Path, provider: str, *, is_vendors: bool
) -> Iterator[Problem]:
    takes = {"scripted": ("replies",), "human": ()}.get(provider, _OF_VENDORS)
    whose = "vendor's" if is_vendors else provider
    for key, found in fields.items():
        if key in (*_OF_VENDORS, "replies") and key not in takes and found is not None:
            told = f"a {whose} model takes no {key}; leave it out"
            yield Problem(path=(*path, key), message=told, found=found, known=(*_OF_ALL, *takes))


def _vendor_problems(
    fields: Mapping[str, object],
    path: Path,
    at: Path,
    environ: Mapping[str, str] | None,
    *,
    is_used: bool,
) -> Iterator[Problem]:
    provider, base_url, variable = (fields.get(key) for key in ("provider", "baseUrl", "apiKeyEnv"))
    assert isinstance(provider, str), "looked at before"
    name, vendor = split_name(provider)[0], VENDORS[split_name(provider)[0]]
    if base_url is not None and not vendor.takes_base_url:
        able = tuple(f"{each}:…" for each, row in VENDORS.items() if row.takes_base_url)
        told = f"models of {name} have one address; a compatible server is openai:… with baseUrl"
        yield Problem(path=(*path, "baseUrl"), message=told, found=base_url, known=able)
    if is_used and (command := vendor.missing) is not None:
        told = f"the client of {name} is not installed; run {command}"
        yield Problem(path=at, message=told, found=provider)
    if environ is None or not isinstance(base_url, str | None) or not isinstance(variable, str | None):
        return
    model = RealModel(name=provider, base_url=base_url, key_variable=variable)
    for group in model.missing_variables(environ):
        is_named = group == (variable,)
        place = (*path, "apiKeyEnv") if is_named else at
        told = f"set the environment variable {join_words(group, 'or')}, which is not there or empty"
        yield Problem(path=place, message=told, found=variable if is_named else provider)


def _way(document: Mapping[str, object], path: Path) -> tuple[str, ...]:
    """The steps to an agent's own part of a folder of replies, as far as they are usable."""
    agent_id = value_at(document, (*path, "id"))
    if not isinstance(agent_id, str) or not IDENTIFIER.fullmatch(agent_id):
        return ()
    execution = mapping_at(document, path).get("execution", EXECUTIONS[0])
    return (agent_id, str(execution)) if execution in EXECUTIONS else (agent_id,)
