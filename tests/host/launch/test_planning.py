"""What a valid document comes to."""

import json
from pathlib import Path

import pytest

from host.core.healing import DEFAULT_HEALING, HealingSettings
from host.core.messages import Message, Reply, Usage
from host.launch import (
    AgentPlan,
    CodeModePlan,
    ErrorRate,
    FilesPlan,
    HumanModel,
    LaunchPlan,
    MemoriesPlan,
    RunLimits,
    SandboxPlan,
    ScriptedModel,
    validate,
)
from host.launch.capabilities import STRATEGIES
from host.memories import MemoryLimits
from host.providers import ScriptedReply
from tests.host.launch.documents import VALID, broken

MEMORY = ("agents", 0, "capabilities", 0)
SHORTEST = {"task": "t", "model": {"provider": "scripted", "replies": ["x"]}, "agents": [{"id": "a"}]}


def answer(messages: tuple[Message, ...], agent: str) -> str:
    return f"// {agent} {len(messages)}"


def test_a_full_document_becomes_values_with_units(tmp_path: Path) -> None:
    plan = validate(VALID, base=tmp_path)

    memories = MemoriesPlan(
        strategy="scratchpad",
        scope="isolated",
        limits=MemoryLimits(
            max_count=64,
            max_len_per_memory=0,
            max_total_len=0,
            max_len_index=4096,
            max_len_description=256,
            max_results=25,
        ),
    )
    agent = AgentPlan(
        id="analyst",
        model=ScriptedModel(replies=("export {}",)),
        prompt="You keep notes.",
        memories=memories,
    )
    assert plan == LaunchPlan(
        name="quickstart",
        task="Summarise exports.csv",
        root="analyst",
        agents=(agent,),
        base=tmp_path,
        document=VALID,
        limits=RunLimits(max_turns=20, max_runtime_s=600.0, max_consecutive_errors=5),
        sandbox=SandboxPlan(guest_s=30.0, memory_bytes=256 * 2**20),
        seed=7,
    )


def test_the_shortest_document_gets_the_defaults(tmp_path: Path) -> None:
    plan = validate(SHORTEST, base=tmp_path)

    assert plan == LaunchPlan(
        name="run",
        task="t",
        root="a",
        agents=(AgentPlan(id="a", model=ScriptedModel(replies=("x",)), code_mode=CodeModePlan()),),
        base=tmp_path,
        document=SHORTEST,
    )
    assert (plan.sandbox.confine, plan.root_agent.code_mode.typecheck) == ("required", "error")


def test_settings_that_differ_from_the_defaults_arrive(tmp_path: Path) -> None:
    document = {
        **SHORTEST,
        "limits": {"maxErrorRate": 0.5, "errorRateWindow": 4},
        "sandbox": {"guestSecs": 0.5, "memoryMiB": 64, "confine": "best-effort"},
        "agents": [{"id": "a", "codeMode": {"typecheck": "off", "healing": {"strip-fences": False}}}],
    }

    plan = validate(document, base=tmp_path)

    assert plan.limits == RunLimits(error_rate=ErrorRate(share=0.5, window=4))
    assert plan.sandbox == SandboxPlan(guest_s=0.5, memory_bytes=64 * 2**20, confine="best-effort")
    assert plan.root_agent.code_mode == CodeModePlan(
        typecheck="off", healing=HealingSettings(strip_fences=False)
    )


@pytest.mark.parametrize("execution", ["responses_as_code", "tool_calling"])
def test_both_execution_modes_take_the_same_document(execution: str, tmp_path: Path) -> None:
    code_mode = {"typecheck": "warn", "delivery": "tool", "healing": {"strip-prose": False}}
    library = {"id": "program-library"}
    agent = {**VALID["agents"][0], "execution": execution, "codeMode": code_mode}
    agent["capabilities"] = [*agent["capabilities"], library]

    planned = validate({**VALID, "agents": [agent]}, base=tmp_path).root_agent

    assert planned.execution == execution
    assert planned.code_mode == CodeModePlan(
        typecheck="warn", delivery="tool", healing=HealingSettings(strip_prose=False)
    )
    assert planned.keeps_programs


# value of `features`, whether memories may be revised
FEATURES = [({}, True), ({"reviseMemories": True}, True), ({"reviseMemories": False}, False)]


@pytest.mark.parametrize(("features", "may_revise"), FEATURES)
def test_memories_may_be_revised_unless_it_is_switched_off(
    features: dict[str, bool], may_revise: bool, tmp_path: Path
) -> None:
    plan = validate(broken((*MEMORY, "features"), features), base=tmp_path)

    assert plan.root_agent.memories is not None
    assert plan.root_agent.memories.may_revise is may_revise


# Blocks as a study may write them: a small index and no limit of a body; a store that is its spawner's.
BLOCKS = [
    {"scope": "isolated", "maxLenPerMemory": 0},
    {"scope": "inherited", "maxLenPerMemory": 8192},
]


@pytest.mark.parametrize("block", BLOCKS)
@pytest.mark.parametrize("strategy", STRATEGIES)
def test_one_block_of_parameters_serves_every_strategy(
    strategy: str, block: dict[str, object], tmp_path: Path
) -> None:
    params = {
        "maxCount": 64,
        "maxTotalLen": 0,
        "maxLenIndex": 4096,
        "maxLenDescription": 256,
        "maxResults": 25,
        **block,
    }
    capability = {"id": "memories", "enabled": True, "implementation": strategy, "params": params}

    plan = validate(broken(MEMORY, capability), base=tmp_path)

    assert plan.root_agent.memories == MemoriesPlan(
        strategy=strategy,
        scope=str(block["scope"]),
        limits=MemoryLimits(
            max_count=64,
            max_len_per_memory=params["maxLenPerMemory"],
            max_total_len=0,
            max_len_index=4096,
            max_len_description=256,
            max_results=25,
        ),
    )


@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize("written", ["{}", " {}", "{}\n", "\t{}  "])
def test_white_space_around_the_name_of_a_strategy_is_no_part_of_it(
    strategy: str, written: str, tmp_path: Path
) -> None:
    plan = validate(broken((*MEMORY, "implementation"), written.format(strategy)), base=tmp_path)

    assert plan.root_agent.memories is not None
    assert plan.root_agent.memories.strategy == strategy


OFF = HealingSettings(strip_fences=False, strip_prose=False)
HEALING: list[tuple[object, HealingSettings]] = [
    (None, DEFAULT_HEALING),
    (True, DEFAULT_HEALING),
    ({}, DEFAULT_HEALING),
    (False, OFF),
    ({"strip-fences": False, "strip-prose": False, "drop-doubled-response": False}, OFF),
    ({"strip-prose": False}, HealingSettings(strip_prose=False)),
    ({"drop-doubled-response": True}, HealingSettings(drop_doubled_response=True)),
]


@pytest.mark.parametrize(("written", "healing"), HEALING)
def test_healing_is_written_as_what_differs(
    written: object, healing: HealingSettings, tmp_path: Path
) -> None:
    document = {**SHORTEST, "agents": [{"id": "a", "codeMode": {"healing": written}}]}

    assert validate(document, base=tmp_path).root_agent.code_mode.healing == healing


@pytest.mark.parametrize("scope", ["isolated", "shared", "inherited", "read-only"])
def test_the_root_may_have_any_scope(scope: str, tmp_path: Path) -> None:
    plan = validate(broken(("agents", 0, "capabilities", 0, "params", "scope"), scope), base=tmp_path)

    assert plan.root_agent.memories is not None
    assert plan.root_agent.memories.scope == scope


def test_a_files_directory_is_relative_to_the_configuration(tmp_path: Path) -> None:
    (tmp_path / "workspace").mkdir()
    files = {"id": "files", "params": {"dir": "workspace", "copy": True}}

    plan = validate(broken(("agents", 0, "capabilities", 1), files), base=tmp_path)

    assert plan.root_agent.files == FilesPlan(directory=tmp_path / "workspace", write=False, copy=True)


def test_an_agents_own_model_goes_before_the_runs(tmp_path: Path) -> None:
    own = {"provider": "scripted", "replies": ["own"]}

    plan = validate(broken(("agents", 0, "model"), own), base=tmp_path)

    assert plan.root_agent.model == ScriptedModel(replies=("own",))


def test_a_program_may_give_a_function_as_the_model(tmp_path: Path) -> None:
    plan = validate(broken(("model",), ScriptedModel(replies=answer)), base=tmp_path)

    assert plan.root_agent.model.replies is answer
    assert plan.document["model"] == {"provider": "scripted", "replies": f"{__name__}:answer"}


def test_the_context_window_of_a_model_is_in_tokens(tmp_path: Path) -> None:
    scripted = {"provider": "scripted", "replies": ["x"], "contextWindow": 128_000}
    given = ScriptedModel(replies=("x",), context_window_tokens=128_000)
    human = validate(broken(("model",), {"provider": "human", "contextWindow": 9}), base=tmp_path)

    for model in (scripted, given):
        plan = validate(broken(("model",), model), base=tmp_path)
        assert (plan.root_agent.model, plan.document["model"]) == (given, scripted)
    assert human.root_agent.model == HumanModel(context_window_tokens=9)


def test_a_program_may_say_how_tokens_are_counted(tmp_path: Path) -> None:
    given = ScriptedModel(replies=("x",), counter="utf-8")
    plan = validate(broken(("model",), given), base=tmp_path)

    assert plan.root_agent.model == given
    assert plan.document["model"] == {"provider": "scripted", "replies": ["x"], "counter": "utf-8"}


def test_a_program_may_give_a_tuple_as_the_model(tmp_path: Path) -> None:
    plan = validate(broken(("model",), ScriptedModel(replies=("a", "b"))), base=tmp_path)

    assert plan.root_agent.model == ScriptedModel(replies=("a", "b"))
    assert plan.document["model"] == {"provider": "scripted", "replies": ["a", "b"]}


def test_a_program_may_give_replies_with_usage(tmp_path: Path) -> None:
    replies = (Reply(text="a", usage=Usage(input_tokens=3)), ScriptedReply(text="b", error="down"))

    plan = validate(broken(("model",), ScriptedModel(replies=replies)), base=tmp_path)

    assert plan.root_agent.model == ScriptedModel(replies=replies)
    assert plan.document["model"] == {
        "provider": "scripted",
        "replies": [
            {"text": "a", "finishReason": "stop", "usage": {"inputTokens": 3, "outputTokens": 0}},
            {"text": "b", "error": "down"},
        ],
    }


def test_the_hash_of_a_configuration_ignores_the_order_of_its_keys(tmp_path: Path) -> None:
    reordered = json.loads(json.dumps(VALID, sort_keys=True))

    hashes = {validate(document, base=tmp_path).config_sha256 for document in (VALID, reordered)}

    assert len(hashes) == 1
    assert hashes != {validate(broken(("seed",), 8), base=tmp_path).config_sha256}


def test_a_reply_that_holds_half_a_character_is_part_of_the_hash(tmp_path: Path) -> None:
    hashes = {
        validate(broken(("model", "replies"), [reply]), base=tmp_path).config_sha256
        for reply in ("a\ud800", "a\udfff")
    }

    assert len(hashes) == 2
