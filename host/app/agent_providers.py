"""What gives the replies of one agent."""

from host.app.agent_parts import AgentParts
from host.app.run_parts import RunParts
from host.launch import HumanModel, ScriptedModel
from host.providers import HumanProvider, ModelProvider, ModelRequest, ScriptedProvider


def provider_of(agent: AgentParts, parts: RunParts) -> ModelProvider:
    """What gives the replies of one instance of the agent."""
    model, run, company = agent.plan.model, parts.run, agent.order.company
    match model:
        case ScriptedModel(replies=replies):
            return ScriptedProvider(replies)
        case HumanModel():
            assert parts.ask is not None, "a session with a human model is not created without"
            is_left_alone = parts.driven is not None and agent.driven is None
            return HumanProvider(_nobody if is_left_alone else parts.ask)
    return parts.models.provider(
        model,
        agent_id=agent.agent_id,
        note=agent.note,
        is_over=lambda: run.is_canceled or run.latch.defect is not None or company.is_canceled,
    )


def _nobody(_: ModelRequest) -> None:
    """Gives the replies of a copy of an agent that is driven from outside, which alone is."""
