"""One wrong value per rule, each with the whole refusal it gets."""

import copy
from pathlib import Path

import pytest

from host.core.errors import Defect, LaunchRefused
from host.core.healing import STRATEGY_IDS
from host.launch import validate
from host.launch.capabilities import CAPABILITY_IDS, SCOPES, STRATEGIES
from host.launch.model_settings import COUNTERS, PROVIDERS
from host.launch.places import ABSENT
from tests.host.launch.documents import MEMORIES, VALID, broken, changed

AGENT = ("agents", 0)
MEMORY = (*AGENT, "capabilities", 0)
PARAMS = (*MEMORY, "params")
FEATURES = (*MEMORY, "features")
IDENTIFIER = "needs 1 to 64 of the letters A to Z, digits, - and _, beginning with a letter or a digit"
COUNT = "needs a whole number, 1 or more"
LIFTABLE = "needs a whole number, 0 or more; 0 lifts the limit"
SECONDS = "needs a number of seconds, more than 0 and at most 10000000"
SHARE = "needs a number, 0 or more and below 1"
LINE = "needs one line of 1 to 200 printable characters"
FILLED = "needs text that is not empty"
REPLIES = 'needs a list of replies, a folder, or a Python function as "module:function"'
MODEL = 'needs an object such as {"provider": "scripted", "replies": "replies"}'
HEALING = 'needs true, false, null or an object such as {"strip-prose": false}'
RUN_KEYS = (
    *(
        "name",
        "task",
        "root",
        "model",
        "limits",
        "sandbox",
        "maxParallel",
        "seed",
        "agents",
        "states",
        "board",
    ),
)
MODES = ("responses_as_code", "tool_calling")
MEMORY_KEYS = ("id", "enabled", "implementation", "features", "params")
MODEL_KEYS = (
    "provider",
    "replies",
    "contextWindow",
    "counter",
    "baseUrl",
    "apiKeyEnv",
    "maxOutputTokens",
    "temperature",
    "timeoutSecs",
    "streamIdleSecs",
    "maxRetries",
    "retryMaxDelaySecs",
)
BOUNDS = {
    "maxCount": "the most memories at once",
    "maxLenPerMemory": "the most characters of one body",
    "maxTotalLen": "the most characters of all bodies",
    "maxLenIndex": "the most characters of the pinned index",
    "maxLenDescription": "the most characters of one description",
    "maxResults": "the most hits of one search",
}
PARAM_KEYS = ("scope", *BOUNDS)

# place in the document, value put there, message, known values
WRONG_VALUES = [
    (("name",), "", LINE, ()),
    (("name",), "two\nlines", LINE, ()),
    (("name",), 5, LINE, ()),
    (("task",), "  ", FILLED, ()),
    (("task",), "half \ud83d", "holds half of a surrogate pair, which is no character", ()),
    (("root",), 5, "needs text", ()),
    (("root",), "nobody", "names no agent", ("analyst",)),
    (("model",), "opnai:gpt-5", 'unknown provider; did you mean "openai"?', PROVIDERS),
    (("model", "provider"), "script", 'unknown provider; did you mean "scripted"?', PROVIDERS),
    (("model", "provider"), None, 'needs a provider, such as "openai:gpt-5"', PROVIDERS),
    (("model", "replies"), 5, REPLIES, ()),
    (("model", "replies"), " ", REPLIES, ()),
    (("model", "replies"), "half \ud83d", "holds half of a surrogate pair, which is no character", ()),
    (("model", "replies"), [], "needs at least one reply", ()),
    (("model", "replies", 1), 5, "needs a whole reply as text", ()),
    (("model", "reply"), "x", 'unknown key; did you mean "replies"?', MODEL_KEYS),
    (("model", "contextWindow"), 0, COUNT, ()),
    (("model", "contextWindow"), 128_000.0, COUNT, ()),
    (("model", "contextWindow"), "128k", COUNT, ()),
    (("model", "counter"), "o200k", 'unknown counter; did you mean "o200k_base"?', COUNTERS),
    (("model", "counter"), "words", "unknown counter", COUNTERS),
    (("model", "counter"), None, "unknown counter", COUNTERS),
    (("limits",), [], "needs an object", ()),
    (("limits", "maxTurns"), 0, COUNT, ()),
    (("limits", "maxTurns"), True, COUNT, ()),
    (("limits", "maxTurns"), 20.0, COUNT, ()),
    (("limits", "maxTurns"), "20", COUNT, ()),
    (("limits", "maxConsecutiveErrors"), -1, COUNT, ()),
    (("limits", "maxTurns"), 2**53 + 1, f"needs at most {2**53}", ()),
    (("limits", "maxRuntimeSecs"), 0, SECONDS, ()),
    (("limits", "maxRuntimeSecs"), False, SECONDS, ()),
    (("limits", "maxRuntimeSecs"), float("inf"), SECONDS, ()),
    (("sandbox", "guestSecs"), "30", SECONDS, ()),
    (("sandbox", "guestSecs"), 10**400, SECONDS, ()),
    (("sandbox", "memoryMiB"), 8, "needs a whole number from 16 to 16384", ()),
    (("sandbox", "memoryMiB"), 256.0, "needs a whole number from 16 to 16384", ()),
    (("sandbox", "confine"), "never", "unknown confinement", ("required", "best-effort")),
    (("seed",), -1, f"needs a whole number from 0 to {2**63 - 1}", ()),
    (("seed",), 2**63, f"needs a whole number from 0 to {2**63 - 1}", ()),
    (("maxParallel",), 0, COUNT, ()),
    (("maxParallel",), True, COUNT, ()),
    (("maxParallel",), 16.0, COUNT, ()),
    (("maxParallel",), None, COUNT, ()),
    (("maxTurns",), 20, "unknown key; it belongs in limits", RUN_KEYS),
    (("tasks",), "x", 'unknown key; did you mean "task"?', RUN_KEYS),
    (("agents",), {}, "needs a list", ()),
    (("agents",), [], "needs at least one entry", ()),
    ((*AGENT, "id"), "", IDENTIFIER, ()),
    ((*AGENT, "execution"), "tool-calling", 'unknown execution mode; did you mean "tool_calling"?', MODES),
    ((*AGENT, "execution"), None, "unknown execution mode", MODES),
    ((*AGENT, "execution"), " tool_calling", 'unknown execution mode; did you mean "tool_calling"?', MODES),
    ((*AGENT, "codeMode"), None, "needs an object", ()),
    (
        (*AGENT, "codeMode", "typecheck"),
        "warning",
        'unknown type check level; did you mean "warn"?',
        ("error", "warn", "off"),
    ),
    ((*AGENT, "codeMode", "shape"), "reply", "unknown key", ("typecheck", "delivery", "healing")),
    ((*AGENT, "codeMode", "healing", "strip-fences"), 1, "needs true or false", ()),
    ((*AGENT, "codeMode", "healing", "trim"), True, "unknown key", STRATEGY_IDS),
    (
        (*AGENT, "codeMode", "healing", "drop-doubled"),
        True,
        'unknown key; did you mean "drop-doubled-response"?',
        STRATEGY_IDS,
    ),
    (
        (*AGENT, "codeMode", "healing", "strip-fence"),
        True,
        'unknown key; did you mean "strip-fences"?',
        STRATEGY_IDS,
    ),
    ((*AGENT, "codeMode", "healing", "strip-prose"), None, "needs true or false", ()),
    ((*AGENT, "codeMode", "healing"), "off", HEALING, ()),
    ((*AGENT, "codeMode", "healing"), 0, HEALING, ()),
    ((*AGENT, "codeMode", "healing"), ["strip-fences"], HEALING, ()),
    ((*AGENT, "prompt"), None, "needs text", ()),
    ((*AGENT, "model"), 5, MODEL, ()),
    ((*AGENT, "capabilities"), {}, "needs a list", ()),
    ((*AGENT, "capabilities", 1), "files", "needs an object", ()),
    ((*MEMORY, "id"), "memory", 'unknown capability; did you mean "memories"?', CAPABILITY_IDS),
    ((*MEMORY, "enabled"), "yes", "needs true or false", ()),
    ((*MEMORY, "feature"), {}, 'unknown key; did you mean "features"?', MEMORY_KEYS),
    ((*MEMORY, "features"), None, "needs an object", ()),
    ((*MEMORY, "features"), ["reviseMemories"], "needs an object", ()),
    ((*FEATURES, "reviseMemories"), None, "needs true or false", ()),
    ((*FEATURES, "reviseMemories"), "off", "needs true or false", ()),
    ((*FEATURES, "reviseMemories"), 0, "needs true or false", ()),
    (
        (*FEATURES, "revise_memories"),
        False,
        'unknown key; did you mean "reviseMemories"?',
        ("reviseMemories",),
    ),
    ((*FEATURES, "readMemories"), True, 'unknown key; did you mean "reviseMemories"?', ("reviseMemories",)),
    ((*FEATURES, "colours"), True, "unknown key", ("reviseMemories",)),
    (
        (*MEMORY, "implementation"),
        "scratchpda",
        'unknown memory strategy; did you mean "scratchpad"?',
        STRATEGIES,
    ),
    ((*MEMORY, "implementation"), None, "required: the strategy of an enabled capability", STRATEGIES),
    (
        (*MEMORY, "implementation"),
        "keyword_search",
        'unknown memory strategy; did you mean "keyword-search"?',
        STRATEGIES,
    ),
    ((*MEMORY, "implementation"), "files", "unknown memory strategy", STRATEGIES),
    ((*MEMORY, "implementation"), ["markdown"], "unknown memory strategy", STRATEGIES),
    ((*MEMORY, "params"), None, "needs an object", ()),
    ((*MEMORY, "params"), ["isolated"], "needs an object", ()),
    ((*PARAMS, "scope"), "isolatd", 'unknown scope; did you mean "isolated"?', SCOPES),
    ((*PARAMS, "scope"), ["isolated"], "unknown scope", SCOPES),
    ((*PARAMS, "scope"), None, "required: which store the agent binds", SCOPES),
    ((*PARAMS, "scope"), "isolated ", 'unknown scope; did you mean "isolated"?', SCOPES),
    ((*PARAMS, "maxCount"), 64.0, LIFTABLE, ()),
    ((*PARAMS, "maxLenPerMemory"), "64", LIFTABLE, ()),
    ((*PARAMS, "maxTotalLen"), True, LIFTABLE, ()),
    ((*PARAMS, "maxLenIndex"), -1, LIFTABLE, ()),
    ((*PARAMS, "maxLenDescription"), 10**400, f"needs at most {2**53}; 0 lifts the limit", ()),
    ((*PARAMS, "maxResults"), None, f"required: {BOUNDS['maxResults']}; 0 lifts the limit", ()),
    ((*PARAMS, "maxResults"), 2**53 + 1, f"needs at most {2**53}; 0 lifts the limit", ()),
    ((*PARAMS, "max_count"), 1, 'unknown key; did you mean "maxCount"?', PARAM_KEYS),
    ((*PARAMS, "reviseMemories"), False, "unknown key; it belongs in features, beside params", PARAM_KEYS),
    (
        (*FEATURES, "scope"),
        "shared",
        "unknown key; it belongs in params, beside features",
        ("reviseMemories",),
    ),
    ((*MEMORY, "scope"), "shared", "unknown key; it belongs in params", MEMORY_KEYS),
    ((*PARAMS, "implementation"), "markdown", "unknown key; it belongs beside params", PARAM_KEYS),
    ((*MEMORY, "dir"), ".", "unknown key", MEMORY_KEYS),
]


@pytest.mark.parametrize(("place", "value", "message", "known"), WRONG_VALUES)
def test_a_wrong_value_is_refused_with_what_is_known_there(
    place: tuple[str | int, ...], value: object, message: str, known: tuple[str, ...], tmp_path: Path
) -> None:
    with pytest.raises(LaunchRefused) as exc_info:
        validate(broken(place, value), base=tmp_path)

    (defect,) = exc_info.value.defects
    assert (defect.message, defect.known) == (message, known)
    assert defect.found == (ABSENT if message.startswith("required") else value)
    assert defect.agent == (None if place[0] != "agents" or len(place) < 2 else _agent_id(place, value))


def _agent_id(place: tuple[str | int, ...], value: object) -> object:
    return value if place == (*AGENT, "id") else "analyst"


# a key taken out of the valid document, place of the refusal, message
MISSING = [
    ((), "task", "task", "required"),
    ((), "agents", "agents", "required"),
    ((), "model", "agents[0].model", "required where the run names no model"),
    (("model",), "provider", "model.provider", "required"),
    (("model",), "replies", "model.replies", "required: the replies of a scripted model"),
    (AGENT, "id", "agents[0].id", "required"),
    (MEMORY, "id", "agents[0].capabilities[0].id", "required: the capability's name"),
    (
        MEMORY,
        "implementation",
        "agents[0].capabilities[0].implementation",
        "required: the strategy of an enabled capability",
    ),
    (PARAMS, "scope", "agents[0].capabilities[0].params.scope", "required: which store the agent binds"),
    *(
        (PARAMS, key, f"agents[0].capabilities[0].params.{key}", f"required: {bound}; 0 lifts the limit")
        for key, bound in BOUNDS.items()
    ),
]


@pytest.mark.parametrize(("parent", "key", "place", "message"), MISSING)
def test_an_absent_key_is_refused_where_it_is_required(
    parent: tuple[str | int, ...], key: str, place: str, message: str, tmp_path: Path
) -> None:
    document = copy.deepcopy(VALID)
    if key == "agents":
        document.pop("root")
    holder = document
    for step in parent:
        holder = holder[step]
    del holder[key]

    with pytest.raises(LaunchRefused) as exc_info:
        validate(document, base=tmp_path)

    (defect,) = exc_info.value.defects
    assert (defect.place, defect.message, defect.found) == (place, message, ABSENT)


def test_an_absent_word_is_told_with_those_there_are(tmp_path: Path) -> None:
    document = copy.deepcopy(VALID)
    del document["model"]["provider"]
    document["agents"][0]["roster"] = [{"agent": "analyst"}]

    with pytest.raises(LaunchRefused) as exc_info:
        validate(document, base=tmp_path)

    assert [(defect.place, defect.message, defect.known) for defect in exc_info.value.defects] == [
        ("model.provider", "required", ("scripted", "human")),
        ("agents[0].roster[0].as", "required", ("subagent", "implementer", "reviewer", "merge")),
    ]


@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize("key", PARAM_KEYS)
def test_every_strategy_writes_the_scope_and_all_limits(strategy: str, key: str, tmp_path: Path) -> None:
    params = {name: value for name, value in MEMORIES["params"].items() if name != key}
    capability = {**MEMORIES, "implementation": strategy, "params": params}

    with pytest.raises(LaunchRefused) as exc_info:
        validate(broken(MEMORY, capability), base=tmp_path)

    assert [(d.place, d.found) for d in exc_info.value.defects] == [
        (f"agents[0].capabilities[0].params.{key}", ABSENT)
    ]


@pytest.mark.parametrize("blank", ["", " ", "\n\t"])
def test_a_blank_strategy_is_none(blank: str, tmp_path: Path) -> None:
    with pytest.raises(LaunchRefused) as exc_info:
        validate(broken((*MEMORY, "implementation"), blank), base=tmp_path)

    assert exc_info.value.defects == (
        Defect(
            place="agents[0].capabilities[0].implementation",
            message="required: the strategy of an enabled capability",
            found=blank,
            agent="analyst",
            known=STRATEGIES,
        ),
    )


@pytest.mark.parametrize(
    ("written", "missing"), [("maxErrorRate", "errorRateWindow"), ("errorRateWindow", "maxErrorRate")]
)
def test_the_two_halves_of_the_error_rate_come_together(written: str, missing: str, tmp_path: Path) -> None:
    document = broken(("limits", written), 0.5 if written == "maxErrorRate" else 10)

    with pytest.raises(LaunchRefused) as exc_info:
        validate(document, base=tmp_path)

    assert exc_info.value.defects == (
        Defect(place=f"limits.{missing}", message=f"required, since {written} is written", found=ABSENT),
    )


def test_an_agent_declared_twice_is_refused(tmp_path: Path) -> None:
    with pytest.raises(LaunchRefused) as exc_info:
        validate(broken(("agents", 1), {"id": "analyst"}), base=tmp_path)

    assert exc_info.value.defects == (
        Defect(
            place="agents[1].id",
            message="this agent is already declared",
            found="analyst",
            agent="analyst",
        ),
    )


def test_a_capability_declared_twice_is_refused(tmp_path: Path) -> None:
    with pytest.raises(LaunchRefused) as exc_info:
        validate(broken((*AGENT, "capabilities", 1), MEMORIES), base=tmp_path)

    assert exc_info.value.defects == (
        Defect(
            place="agents[0].capabilities[1].id",
            message="this capability is already declared",
            found="memories",
            agent="analyst",
        ),
    )


def test_a_key_of_a_python_object_that_is_no_text_is_refused(tmp_path: Path) -> None:
    with pytest.raises(LaunchRefused) as exc_info:
        validate(broken(("limits",), {1: 2, "x": 3}), base=tmp_path)

    assert [(d.place, d.message, d.found) for d in exc_info.value.defects] == [
        ("limits[1]", "a key is text", 2),
        ("limits.x", "unknown key", 3),
    ]


def test_every_defect_is_reported_at_once_in_document_order(tmp_path: Path) -> None:
    document = {
        "seed": -1,
        "agents": [
            {
                "capabilities": [
                    {
                        "id": "memories",
                        "params": {"maxCount": "9", "scope": "all"},
                        "implementation": "files",
                    },
                    {"id": "files", "params": {"dirs": "x"}},
                ],
                "id": "a",
                "colour": "red",
            }
        ],
        "name": "",
        "root": "b",
    }

    with pytest.raises(LaunchRefused) as exc_info:
        validate(document, base=tmp_path)

    assert [defect.place for defect in exc_info.value.defects] == [
        "seed",
        "agents[0].capabilities[0].params.maxCount",
        "agents[0].capabilities[0].params.scope",
        "agents[0].capabilities[0].params.maxLenPerMemory",
        "agents[0].capabilities[0].params.maxTotalLen",
        "agents[0].capabilities[0].params.maxLenIndex",
        "agents[0].capabilities[0].params.maxLenDescription",
        "agents[0].capabilities[0].params.maxResults",
        "agents[0].capabilities[0].implementation",
        "agents[0].capabilities[1].params.dirs",
        "agents[0].capabilities[1].params.dir",
        "agents[0].colour",
        "agents[0].model",
        "name",
        "root",
        "task",
    ]


DISABLED = {"id": "memories", "enabled": False}


OFF = [
    DISABLED,
    {**DISABLED, "implementation": "keyword-search"},
    {**DISABLED, "params": {"scope": "shared"}},
    {**DISABLED, "params": {"maxCount": 3, "scope": None}},
    {"id": "files", "enabled": False},
    {"id": "compaction", "enabled": False},
    {"id": "compaction", "enabled": False, "implementation": "memory-compaction", "params": {}},
]


@pytest.mark.parametrize("capability", OFF)
def test_a_capability_that_is_off_may_leave_everything_out(
    capability: dict[str, object], tmp_path: Path
) -> None:
    plan = validate(broken(MEMORY, capability), base=tmp_path)

    agent = plan.root_agent
    assert (agent.memories, agent.files, agent.compaction) == (None, None, None)


@pytest.mark.parametrize(
    ("capability", "place"),
    [
        ({**DISABLED, "implementation": "files"}, "implementation"),
        ({**DISABLED, "params": {"scope": "isolatd"}}, "params.scope"),
        ({**DISABLED, "params": {"maxCount": 64.0}}, "params.maxCount"),
        ({**DISABLED, "params": {"max": 64}}, "params.max"),
        ({"id": "files", "enabled": False, "params": {"dir": "nowhere"}}, "params.dir"),
    ],
)
def test_a_capability_that_is_off_is_checked_in_what_it_writes(
    capability: dict[str, object], place: str, tmp_path: Path
) -> None:
    with pytest.raises(LaunchRefused) as exc_info:
        validate(broken(MEMORY, capability), base=tmp_path)

    assert [d.place for d in exc_info.value.defects] == [f"agents[0].capabilities[0].{place}"]


def test_the_root_is_the_first_agent_where_none_is_named(tmp_path: Path) -> None:
    plan = validate(changed(lambda document: document.pop("root")), base=tmp_path)

    assert plan.root == "analyst"
