"""Models of vendors in a configuration: what is planned, and every way to write one wrong."""

import json
from pathlib import Path
from typing import Any

import pytest

from host.core import tokens
from host.core.errors import LaunchRefused
from host.launch import HumanModel, load, render_defects, summarize, validate
from host.launch.model_settings import PROVIDERS
from host.providers import RealModel
from host.providers.models import catalogue
from tests.host.launch.documents import VALID, broken, changed

KEYS = {"OPENAI_API_KEY": "sk-1", "ANTHROPIC_API_KEY": "sk-2"}
WHOLE: dict[str, Any] = {
    "provider": "openai:gpt-5",
    "baseUrl": "http://127.0.0.1:8000/v1",
    "apiKeyEnv": "MY_KEY",
    "contextWindow": 128_000,
    "counter": "utf-8",
    "maxOutputTokens": 4096,
    "temperature": 0,
    "timeoutSecs": 120,
    "streamIdleSecs": 5.5,
    "maxRetries": 0,
    "retryMaxDelaySecs": 10,
}
PLANNED = [
    ("openai:gpt-5", RealModel(name="openai:gpt-5")),
    ({"provider": "anthropic:claude-sonnet-4-6"}, RealModel(name="anthropic:claude-sonnet-4-6")),
    ({"provider": "openai:gpt-5", "baseUrl": None, "maxRetries": None}, RealModel(name="openai:gpt-5")),
    (
        WHOLE,
        RealModel(
            name="openai:gpt-5",
            base_url="http://127.0.0.1:8000/v1",
            key_variable="MY_KEY",
            context_window_tokens=128_000,
            counter="utf-8",
            max_output_tokens=4096,
            temperature=0.0,
            timeout_s=120.0,
            stream_idle_s=5.5,
            max_retries=0,
            retry_max_delay_s=10.0,
        ),
    ),
]


@pytest.mark.parametrize(("written", "model"), PLANNED)
def test_a_model_is_planned(written: object, model: RealModel, tmp_path: Path) -> None:
    plan = validate(broken(("model",), written), base=tmp_path, environ={**KEYS, "MY_KEY": "k"})

    assert plan.root_agent.model == model
    assert f"root analyst ({model.name}; responses_as_code" in summarize(plan)[0]


def test_waits_and_attempts_have_the_values_that_are_documented() -> None:
    plain = RealModel(name="openai:gpt-5")

    assert (plain.timeout_s, plain.stream_idle_s) == (900, 60)
    assert (plain.max_retries, plain.retry_max_delay_s) == (10, 60)


OPENAI = {"provider": "openai:gpt-5"}
ADDRESS = 'needs the address of a server, such as "http://127.0.0.1:8000/v1"'
VARIABLE = "needs the name of an environment variable, such as OPENAI_API_KEY; never the key itself"
SUCH_AS = 'such as "openai:gpt-5"'
# what is written as the model, the place below it, what is said
WRONG: list[tuple[Any, str, str]] = [
    ("gpt-5", "", f"unknown provider; a model is named with its vendor, {SUCH_AS}"),
    ("openai", "", 'unknown provider; did you mean "openai"?'),
    ("antropic:claude", "", 'unknown provider; did you mean "anthropic"?'),
    ("qqqq:claude", "", "unknown provider"),
    ("openai:", "", f'needs a model after "openai:", {SUCH_AS}'),
    ("openai: gpt-5", "", f'needs a model after "openai:", {SUCH_AS}'),
    ("openai:gpt\n5", "", f'needs a model after "openai:", {SUCH_AS}'),
    ("openai:half \ud83d", "", "holds half of a surrogate pair, which is no character"),
    ({"provider": 5}, ".provider", f"needs a provider, {SUCH_AS}"),
    ({**OPENAI, "replies": ["a"]}, ".replies", "a vendor's model takes no replies; leave it out"),
    (
        {"provider": "human", "temperature": 1},
        ".temperature",
        "a human model takes no temperature; leave it out",
    ),
    ({"provider": "human", "replies": ["a"]}, ".replies", "a human model takes no replies; leave it out"),
    (
        {"provider": "scripted", "replies": ["a"], "baseUrl": "http://a/v1"},
        ".baseUrl",
        "a scripted model takes no baseUrl; leave it out",
    ),
    ({**OPENAI, "baseUrl": "127.0.0.1:8000"}, ".baseUrl", ADDRESS),
    ({**OPENAI, "baseUrl": "ftp://a/v1"}, ".baseUrl", ADDRESS),
    ({**OPENAI, "baseUrl": 5}, ".baseUrl", ADDRESS),
    (
        {**OPENAI, "baseUrl": "http://me:secret@a/v1"},
        ".baseUrl",
        "needs an address without a user, a query or a fragment; a key goes into apiKeyEnv",
    ),
    (
        {**OPENAI, "baseUrl": "http://a/v1?key=secret"},
        ".baseUrl",
        "needs an address without a user, a query or a fragment; a key goes into apiKeyEnv",
    ),
    (
        {"provider": "openrouter:x/y", "baseUrl": "http://a/v1"},
        ".baseUrl",
        "models of openrouter have one address; a compatible server is openai:… with baseUrl",
    ),
    ({**OPENAI, "apiKeyEnv": "sk-secret"}, ".apiKeyEnv", VARIABLE),
    ({**OPENAI, "apiKeyEnv": 5}, ".apiKeyEnv", VARIABLE),
    ({**OPENAI, "temperature": 2.5}, ".temperature", "needs a number from 0 to 2"),
    ({**OPENAI, "temperature": True}, ".temperature", "needs a number from 0 to 2"),
    ({**OPENAI, "maxRetries": -1}, ".maxRetries", "needs a whole number, 0 or more"),
    ({**OPENAI, "maxRetries": 1.0}, ".maxRetries", "needs a whole number, 0 or more"),
    ({**OPENAI, "maxOutputTokens": 0}, ".maxOutputTokens", "needs a whole number, 1 or more"),
    (
        {**OPENAI, "timeoutSecs": 0},
        ".timeoutSecs",
        "needs a number of seconds, more than 0 and at most 10000000",
    ),
    ({**OPENAI, "timeout": 5}, ".timeout", 'unknown key; did you mean "timeoutSecs"?'),
    (
        {**OPENAI, "apiKey": "sk-secret"},
        ".apiKey",
        "unknown key; a key is in the environment alone, and apiKeyEnv names its variable",
    ),
    (
        {**OPENAI, "token": "sk-secret"},
        ".token",
        "unknown key; a key is in the environment alone, and apiKeyEnv names its variable",
    ),
]


@pytest.mark.parametrize(("written", "place", "message"), WRONG)
def test_what_is_wrong_is_told_where_it_stands(
    written: object, place: str, message: str, tmp_path: Path
) -> None:
    with pytest.raises(LaunchRefused) as caught:
        validate(broken(("model",), written), base=tmp_path, environ=KEYS)

    (defect,) = caught.value.defects
    assert (defect.place, defect.message) == (f"model{place}", message)
    if message.startswith("unknown provider"):
        assert defect.known == PROVIDERS


@pytest.mark.parametrize("key", ["apiKey", "apiKeyEnv", "token", "secret"])
def test_a_key_that_was_written_is_not_shown_again(key: str, tmp_path: Path) -> None:
    with pytest.raises(LaunchRefused) as caught:
        validate(broken(("model",), {**OPENAI, key: "sk-secret-1"}), base=tmp_path, environ=KEYS)

    assert "sk-secret-1" not in f"{caught.value}{render_defects(caught.value.defects)}{caught.value.defects}"


MISSING: list[tuple[Any, str, str]] = [
    ("openai:gpt-5", "", "OPENAI_API_KEY"),
    ({"provider": "google:gemini-3-pro"}, ".provider", "GOOGLE_API_KEY or GEMINI_API_KEY"),
    ({"provider": "openai:gpt-5", "apiKeyEnv": "MINE"}, ".apiKeyEnv", "MINE"),
    ({"provider": "openai:gpt-5", "baseUrl": "http://a/v1", "apiKeyEnv": "MINE"}, ".apiKeyEnv", "MINE"),
    ({"provider": "ollama:qwen3"}, ".provider", "OLLAMA_BASE_URL"),
]


@pytest.mark.parametrize(("written", "place", "variable"), MISSING)
def test_a_key_that_is_not_there_is_told_with_its_variable(
    written: object, place: str, variable: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(catalogue, "_is_there", lambda package: True)
    document = broken(("model",), written)

    with pytest.raises(LaunchRefused) as caught:
        validate(document, base=tmp_path, environ={"MINE": " ", "OPENAI_API_KEY": ""})

    (defect,) = caught.value.defects
    told = f"set the environment variable {variable}, which is not there or empty"
    assert (defect.place, defect.message) == (f"model{place}", told)
    assert isinstance(validate(document, base=tmp_path).root_agent.model, RealModel)  # no key is looked for


def test_a_server_without_a_key_needs_none(tmp_path: Path) -> None:
    document = broken(("model",), {"provider": "openai:m", "baseUrl": "http://127.0.0.1:8000/v1"})

    assert validate(document, base=tmp_path, environ={}).root_agent.model.context_window_tokens is None


def test_a_client_that_is_not_installed_is_told_with_its_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(catalogue, "_is_there", lambda package: package != "google.genai")

    with pytest.raises(LaunchRefused) as caught:
        validate(broken(("model",), "google:gemini-3-pro"), base=tmp_path, environ={"GOOGLE_API_KEY": "g"})

    (defect,) = caught.value.defects
    assert (
        defect.message == "the client of google is not installed; run pip install 'pydantic-ai-slim[google]'"
    )


def test_where_models_are_not_asked_neither_client_nor_key_is_needed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(catalogue, "_is_there", lambda package: False)
    own = [{"id": "a"}, {"id": "b", "model": "openai:gpt-5"}]
    document = {"task": "x", "model": {"provider": "google:m", "apiKeyEnv": "MINE"}, "agents": own}
    (tmp_path / "run.json").write_text(json.dumps(document))

    assert load(tmp_path, environ={}, asks_models=False).root == "a"
    with pytest.raises(LaunchRefused) as caught:
        load(tmp_path, environ={})

    assert [defect.place for defect in caught.value.defects] == [
        "model.provider",
        "model.apiKeyEnv",
        "agents[1].model",
        "agents[1].model",
    ]


def test_every_defect_of_every_model_is_told_at_once(tmp_path: Path) -> None:
    agents = [
        {"id": "analyst", "model": "openai:gpt-5"},
        {"id": "second", "model": {"provider": "opnai:gpt-5"}},
        {"id": "third", "model": {**OPENAI, "apiKey": "x", "replies": ["a"]}},
    ]
    document = changed(lambda document: document.update(agents=agents, limits={"maxCost": 0}))

    with pytest.raises(LaunchRefused) as caught:
        validate(document, base=tmp_path, environ={})

    assert [(defect.place, defect.agent) for defect in caught.value.defects] == [
        ("limits.maxCost", None),
        ("agents[0].model", "analyst"),
        ("agents[1].model.provider", "second"),
        ("agents[2].model.provider", "third"),
        ("agents[2].model.apiKey", "third"),
        ("agents[2].model.replies", "third"),
    ]


def test_a_model_that_no_agent_uses_needs_no_key(tmp_path: Path) -> None:
    own = {"provider": "scripted", "replies": ["export {}"]}
    document = changed(lambda document: document.update(model="openai:gpt-5"))
    document["agents"][0]["model"] = own

    assert validate(document, base=tmp_path, environ={}).root_agent.id == "analyst"


COSTS = [0, -1, True, "5", 1_000_001, float("nan"), float("inf")]


@pytest.mark.parametrize("cost", COSTS)
def test_a_cost_that_is_none_is_refused(cost: object, tmp_path: Path) -> None:
    with pytest.raises(LaunchRefused) as caught:
        validate({**VALID, "limits": {"maxCost": cost}}, base=tmp_path)

    (defect,) = caught.value.defects
    assert defect.message == "needs a number of US dollars, more than 0 and at most 1000000"


def test_a_cost_is_planned(tmp_path: Path) -> None:
    assert validate({**VALID, "limits": {"maxCost": 1.5}}, base=tmp_path).limits.max_cost == 1.5


def test_compaction_without_a_window_tells_how_to_write_the_model(tmp_path: Path) -> None:
    capability = {"id": "compaction", "implementation": "summary"}
    document = broken(("model",), "openai:gpt-5")
    document["agents"][0]["capabilities"].append(capability)

    with pytest.raises(LaunchRefused) as caught:
        validate(document, base=tmp_path, environ=KEYS)

    (defect,) = caught.value.defects
    assert 'write {"provider": "openai:gpt-5", "contextWindow": 128000}' in defect.message


@pytest.fixture
def without_encodings(monkeypatch: pytest.MonkeyPatch) -> None:
    find = tokens.find_spec
    monkeypatch.setattr(tokens, "find_spec", lambda name: None if name == "bpe_openai" else find(name))


NO_EXTRA = (
    "needs the extra `tokens`, whose package bpe_openai is not installed: pip install 'gg[tokens]';"
    ' or write "characters", which adds a margin to an estimate'
)


@pytest.mark.usefixtures("without_encodings")
@pytest.mark.parametrize("counter", ["o200k_base", "cl100k_base"])
def test_a_counter_without_its_extra_is_refused_with_the_extra_s_name(tmp_path: Path, counter: str) -> None:
    document = broken(("model",), {"provider": "human", "counter": counter})

    with pytest.raises(LaunchRefused) as caught:
        validate(document, base=tmp_path)

    (defect,) = caught.value.defects
    assert (defect.place, defect.found, defect.message) == ("model.counter", counter, NO_EXTRA)


@pytest.mark.usefixtures("without_encodings")
@pytest.mark.parametrize("counter", ["characters", "utf-8"])
def test_the_other_counters_need_no_extra(tmp_path: Path, counter: str) -> None:
    plan = validate(broken(("model",), {"provider": "human", "counter": counter}), base=tmp_path)

    assert plan.root_agent.model == HumanModel(counter=counter)


def test_an_agent_s_own_model_has_its_own_counter(tmp_path: Path) -> None:
    document = broken(("model",), {"provider": "human", "counter": "utf-8"})
    document["agents"][0]["model"] = {"provider": "human"}

    assert validate(document, base=tmp_path).root_agent.model.counter == "characters"
