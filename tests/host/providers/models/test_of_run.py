"""The models of one run: opened once, when they are first asked, and closed with it."""

import subprocess
import sys

import anyio
import pytest

from host.core.errors import ProviderError
from host.core.messages import Reply
from host.providers import RealModel, RunModels
from tests.helpers.model_server import Said, chat_completions, model_server
from tests.host.providers.models.vendors import request


def models(environ: dict[str, str] | None = None) -> RunModels:
    return RunModels(environ=environ or {}, mask=lambda text: text.replace("k-1", "*"), arriving=_nobody)


def _nobody(agent_id: str, chars: int) -> None:
    pass


async def ask(of_run: RunModels, model: RealModel, agent_id: str = "root") -> Reply:
    provider = of_run.provider(model, agent_id=agent_id, note=lambda text: None, is_over=lambda: False)
    return await provider.reply(request())


def test_agents_of_one_model_share_its_connections() -> None:
    with model_server(*[chat_completions(Said(text="a"))] * 3) as server:
        one = RealModel(name="openai:one", base_url=server.url("/v1"))
        other = RealModel(name="openai:other", base_url=server.url("/v1"))

        async def run() -> list[Reply]:
            of_run = models()
            replies = [await ask(of_run, one), await ask(of_run, one, "second"), await ask(of_run, other)]
            await of_run.aclose()
            return replies

        replies = anyio.run(run)

    assert [reply.text for reply in replies] == ["a"] * 3
    assert (len(server.asked), server.connections) == (3, 2)


def test_the_key_is_that_of_the_environment() -> None:
    with model_server(chat_completions(Said(text="a"))) as server:
        model = RealModel(name="openai:m", base_url=server.url("/v1"), key_variable="MINE")

        async def run() -> None:
            of_run = models({"MINE": "k-1\n"})
            await ask(of_run, model)
            await of_run.aclose()

        anyio.run(run)

    assert server.asked[0].headers["authorization"] == "Bearer k-1"


def test_what_the_library_does_not_take_is_a_failure_of_the_provider() -> None:
    model = RealModel(name="azure:gpt-5", key_variable="MINE")  # without the variables that it wants besides

    with pytest.raises(ProviderError) as caught:
        anyio.run(lambda: ask(models({"MINE": "k-1"}), model))

    assert caught.value.failure == "model_rejected"
    assert str(caught.value).startswith("azure:gpt-5: ")


@pytest.mark.slow
def test_nothing_of_the_library_is_imported_before_a_model_is_asked() -> None:
    code = (
        "import sys; from host.launch import validate; from pathlib import Path; import host.cli.main\n"
        "document = {'task': 't', 'model': 'openai:gpt-5', 'agents': [{'id': 'a'}]}\n"
        "validate(document, base=Path('.'), environ={'OPENAI_API_KEY': 'k'})\n"
        "print([name for name in sys.modules if name.split('.')[0] in ('pydantic_ai', 'openai', 'httpx2')])"
    )

    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert ran.stdout == "[]\n"
