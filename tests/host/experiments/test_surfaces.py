"""What the arms could do otherwise than each other, by their records."""

from host.events import AgentModule, AgentModules, AgentSpawned, AgentSurface
from host.experiments.surfaces import Difference, Surface, differences
from tests.host.experiments.test_metrics import stamped, state


def surface(
    *operations: str, scope: str = "isolated", agent_id: str = "root", model: str | None = None
) -> Surface:
    found = Surface()
    found.add(
        stamped(
            AgentSpawned(profile="root"),
            AgentModules(modules=(AgentModule(kind="memories", enabled=True, writable=True, scope=scope),)),
            AgentSurface(execution_mode="tool_calling", model=model, operations=operations),
            state(0, 0),
            agent_id=agent_id,
        )
    )
    return found


def test_arms_that_could_do_the_same_do_not_differ() -> None:
    assert differences({"a": surface("x", "y"), "b": surface("x", "y", agent_id="root-2")}) == ()


def test_what_not_all_arms_have_is_told_by_arm() -> None:
    arms = {"a": surface("x", "y"), "b": surface("x", "z", scope="shared")}

    assert differences(arms) == (
        Difference(
            profile="root",
            fact="memories: scope",
            values={"a": ("isolated",), "b": ("shared",)},
            in_all=(),
        ),
        Difference(profile="root", fact="operations", values={"a": ("y",), "b": ("z",)}, in_all=("x",)),
    )


def test_the_runs_of_an_arm_are_taken_together() -> None:
    merged = surface("x")
    merged.merge(surface("y"))

    assert differences({"a": merged, "b": surface("x", "y")}) == ()


def test_another_model_is_a_difference() -> None:
    arms = {"a": surface("x", model="scripted"), "b": surface("x", model="openai:gpt-5")}

    assert differences(arms) == (
        Difference(
            profile="root", fact="model", values={"a": ("scripted",), "b": ("openai:gpt-5",)}, in_all=()
        ),
    )
    assert [sorted(one.models()) for one in arms.values()] == [["scripted"], ["openai:gpt-5"]]
