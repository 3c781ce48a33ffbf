"""The model that is asked about similar skills, by its name."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

from host.app.environment import environment, masker_of
from host.app.skillbook.model_decider import AGENT_ID, ModelDecider
from host.core.errors import HostError
from host.launch import LaunchPlan, validate
from host.providers import RealModel, RunModels


class NoVendorsModel(HostError):
    """A name that is no model which can be asked questions."""


def model_plan(name: str, base_url: str | None = None) -> LaunchPlan:
    """The plan of asking a vendor's model, such as `openai:gpt-5`, or the server at `base_url` in its place.

    Raises `LaunchRefused` for an unknown name, and where its key or its library is missing.
    """
    model = {"provider": name} | ({"baseUrl": base_url} if base_url else {})
    document = {"task": "Consolidate a skillbook.", "model": model, "agents": [{"id": AGENT_ID}]}
    if name in ("human", "scripted"):
        raise NoVendorsModel(f"{name} is no model of a vendor; name one such as openai:gpt-5")
    return validate(document, base=Path(), environ=environment())


@asynccontextmanager
async def model_decider(plan: LaunchPlan, *, note: Callable[[str], None]) -> AsyncIterator[ModelDecider]:
    """Who asks the model of the plan. `note` is told of requests that failed and are sent again."""
    masker = masker_of(plan)
    models = RunModels(environ=environment(), mask=masker.mask)
    model = plan.agents[0].model
    assert isinstance(model, RealModel), "no other one is planned"
    try:
        provider = models.provider(model, agent_id=AGENT_ID, note=note, is_over=lambda: False)
        yield ModelDecider(provider, masker=masker)
    finally:
        await models.aclose()
