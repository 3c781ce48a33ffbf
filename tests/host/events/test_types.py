"""The types are complete, described, and closed."""

from collections.abc import Iterator
from typing import get_args

import pytest
from pydantic import ValidationError

from host.events import (
    ENVELOPE_FIELDS,
    EVENT_TYPES,
    MASK_FIELDS,
    AgentSurface,
    ApiCall,
    CodeExecution,
    Event,
    EventModel,
    MemoryState,
    Part,
    Prompt,
    TurnTiming,
)
from tests.host.events.samples import ALL_MODELS

# The types that a record has; a type enters with the capability that emits it.
TYPES = [
    "session_started",
    "agent_spawned",
    "agent_surface",
    "agent_modules",
    "agent_transition",
    "agent_ended",
    "issue_state",
    "prompt",
    "context_breakdown",
    "model_reply",
    "code_execution",
    "api_call",
    "approval",
    "compile_diagnostic",
    "operator_log",
    "memory_state",
    "memory_revision",
    "memory_read",
    "memory_search",
    "memory_refusal",
    "shell",
    "skill_read",
    "record_read",
    "record_kept",
    "skills_injected",
    "skillbook_read",
    "skillbook_changed",
    "view",
    "notice",
    "compaction",
    "usage",
    "turn_outcome",
    "turn_timing",
    "defect",
    "limit_exceeded",
    "session_summary",
]


def parts_of(annotation: object) -> Iterator[type[Part]]:
    if isinstance(annotation, type) and issubclass(annotation, Part):
        yield annotation
        for info in annotation.model_fields.values():
            yield from parts_of(info.annotation)
    for argument in get_args(annotation):
        yield from parts_of(argument)


ALL_PARTS = list(dict.fromkeys(part for model in ALL_MODELS for part in parts_of(model)))


def test_the_registry_is_the_union_and_holds_every_subclass() -> None:
    assert list(EVENT_TYPES) == TYPES
    assert set(EVENT_TYPES.values()) == set(get_args(Event)) == set(EventModel.__subclasses__())


@pytest.mark.parametrize("model", ALL_MODELS)
def test_a_class_is_named_after_its_type(model: type[EventModel]) -> None:
    assert model.__name__ == "".join(word.capitalize() for word in model.type.split("_"))


@pytest.mark.parametrize("part", ALL_PARTS)
def test_every_field_is_described_and_every_model_says_what_it_is(part: type[Part]) -> None:
    undescribed = [
        name for name, info in part.model_fields.items() if not (info.description or "").endswith(".")
    ]

    assert undescribed == []
    assert (part.__doc__ or "").strip()


@pytest.mark.parametrize("model", ALL_MODELS)
def test_no_field_takes_a_name_of_the_envelope(model: type[EventModel]) -> None:
    names = {info.alias for info in model.model_fields.values()}

    assert names & {*ENVELOPE_FIELDS, *MASK_FIELDS} == set()


def test_an_event_cannot_be_changed() -> None:
    call = ApiCall(turn=1, operation="files.read_file", ok=True, duration_us=42, origin="program")

    with pytest.raises(ValidationError, match="frozen"):
        call.ok = False  # type: ignore[misc]  # that is the point


REFUSED: list[tuple[type[EventModel], dict[str, object]]] = [
    (ApiCall, {"turn": "1", "operation": "x", "ok": True, "duration_us": 1, "origin": "program"}),
    (ApiCall, {"turn": 1, "operation": "x", "ok": 1, "duration_us": 1, "origin": "program"}),
    (ApiCall, {"turn": 1, "operation": "x", "ok": True, "duration_us": 1, "origin": "elsewhere"}),
    (ApiCall, {"turn": 1, "operation": "x", "ok": True, "duration_us": 1, "origin": "program", "more": 1}),
    (Prompt, {"turn": 1, "messages": 1, "new_messages": "all", "prompt_sha256": ""}),
    (AgentSurface, {"execution_mode": "x", "operations": [1], "modules": [], "declarations_sha256": ""}),
    (TurnTiming, {"turn": 1, "prompt_ms": float("nan"), "request_ms": 0.0, "response_ms": 0.0}),
]


@pytest.mark.parametrize(("model", "fields"), REFUSED)
def test_nothing_is_coerced(model: type[EventModel], fields: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        model(**fields)


def test_names_are_in_camel_case_on_disk() -> None:
    assert [info.alias for info in CodeExecution.model_fields.values()] == [
        "turn",
        "origin",
        "memory",
        "skill",
        "rerun",
        "sourcePath",
        "sha256",
        "ok",
        "outcome",
        "errorType",
        "error",
        "finished",
        "apiCalls",
        "seed",
        "healing",
        "healingDidNotConverge",
        "compileMs",
        "checkMs",
        "runMs",
        "guestMs",
        "compileCached",
        "logsDropped",
    ]
    assert "indexLen" in {info.alias for info in MemoryState.model_fields.values()}


def test_host_time_is_kept_to_the_microsecond() -> None:
    timing = TurnTiming(turn=1, prompt_ms=1.23456, request_ms=2, response_ms=0.0004)

    assert (timing.prompt_ms, timing.request_ms, timing.response_ms) == (1.235, 2.0, 0.0)
