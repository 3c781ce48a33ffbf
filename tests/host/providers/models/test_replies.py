"""What the real clients make of whole replies, and what they send: text, calls, pictures, thoughts."""

import base64
import json
from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest

from host.core.messages import Image, Message, Reply, ToolCall, Usage
from tests.helpers.model_server import Said
from tests.host.providers.models.vendors import (
    ADD,
    ANTHROPIC,
    CHAT,
    COMPATIBLE,
    HI,
    RESPONSES,
    VENDORS,
    Vendor,
    ask,
    request,
)

vendors = pytest.mark.parametrize("vendor", VENDORS, ids=str)
PNG = b"\x89PNG\r\n\x1a\n"


@vendors
def test_a_text_is_the_reply(vendor: Vendor) -> None:
    outcome = ask(vendor, [Said(text="const a = 1;\n", cached_tokens=40)])

    assert (outcome.reply.text, outcome.reply.tool_calls) == ("const a = 1;\n", ())
    assert (outcome.reply.finish_reason, outcome.reply.model) == ("stop", vendor.name.partition(":")[2])
    assert outcome.arrived[-1] == len("const a = 1;\n")
    assert outcome.notes == ()


PRICES = [  # of 60 tokens that were sent anew, 40 from a cache and 20 that were answered
    (COMPATIBLE, None),
    (CHAT, Decimal("0.0004")),
    (RESPONSES, Decimal("0.0004")),
    (ANTHROPIC, Decimal("0.000492")),
]


@pytest.mark.parametrize(("vendor", "cost"), PRICES, ids=str)
def test_the_tokens_are_told_and_their_price_where_it_is_known(vendor: Vendor, cost: Decimal | None) -> None:
    outcome = ask(vendor, [Said(text="a", cached_tokens=40)])

    expected = Usage(input_tokens=100, output_tokens=20, cached_input_tokens=40, cost=cost)
    assert outcome.reply.usage == expected


@vendors
def test_a_model_without_a_price_has_none(vendor: Vendor) -> None:
    priceless = Vendor(
        name=f"{vendor.name.partition(':')[0]}:nobody-knows-me",
        path=vendor.path,
        speaks=lambda said: vendor.speaks.__call__(said, model="nobody-knows-me"),  # type: ignore[call-arg]
    )

    usage = ask(priceless, [Said(text="a")]).reply.usage

    assert usage == Usage(input_tokens=100, output_tokens=20, cost=None)


def test_a_server_that_tells_no_tokens_is_told_of_once() -> None:
    answer = COMPATIBLE.speaks(Said(text="a"))
    silent = replace(answer, pieces=tuple(piece for piece in answer.pieces if b'"usage"' not in piece))
    assert len(silent.pieces) == len(answer.pieces) - 1

    outcome = ask(COMPATIBLE, [silent, silent], request(), request())

    assert [each.usage for each in outcome.results if isinstance(each, Reply)] == [Usage(), Usage()]
    assert outcome.notes == ("openai:gpt-4o does not tell tokens; usage counts none for its replies",)


@vendors
def test_several_calls_are_the_reply_and_arguments_come_as_they_were_written(vendor: Vendor) -> None:
    said = Said(text="I add.", calls=(("c1", "add", '{"a": 1}'), ("c2", "add", '{"a": '), ("c3", "add", "")))

    outcome = ask(vendor, [said], request(tools=(ADD,)))

    assert outcome.reply.text == "I add."
    assert outcome.reply.tool_calls == (
        ToolCall(id="c1", name="add", arguments='{"a": 1}'),
        ToolCall(id="c2", name="add", arguments='{"a": '),
        ToolCall(id="c3", name="add", arguments="{}"),
    )


@vendors
def test_an_empty_reply_is_one(vendor: Vendor) -> None:
    assert ask(vendor, [Said()]).reply == Reply(
        usage=ask(vendor, [Said()]).reply.usage, model=vendor.name.partition(":")[2]
    )


@vendors
def test_a_reply_that_was_cut_off_at_its_length_says_so(vendor: Vendor) -> None:
    outcome = ask(vendor, [Said(text="half a", finish="length")], max_output_tokens=3)

    assert (outcome.reply.finish_reason, outcome.notes) == ("length", ())
    assert 3 in outcome.bodies[0].values()


@vendors
def test_the_prompt_and_the_settings_are_sent(vendor: Vendor) -> None:
    (body,) = ask(vendor, [Said(text="a")], temperature=0.5, max_output_tokens=64, key="k-123456").bodies

    assert (body["model"], body["stream"], body["temperature"]) == (vendor.name.partition(":")[2], True, 0.5)
    assert _texts(body) == ["You help.", "Hi."]


def test_a_compatible_server_is_told_the_limit_by_the_name_that_all_of_them_know() -> None:
    (body,) = ask(COMPATIBLE, [Said(text="a")], max_output_tokens=64).bodies

    assert (body["max_tokens"], "max_completion_tokens" in body) == (64, False)


@vendors
def test_a_key_is_sent_where_there_is_one_and_never_a_vendors_own(
    vendor: Vendor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-of-the-vendor")
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-of-the-vendor")
    monkeypatch.setenv("ANTHROPIC_AUTH_TOKEN", "sk-of-the-vendor")

    (keyless,) = ask(vendor, [Said(text="a")]).asked
    (keyed,) = ask(vendor, [Said(text="a")], key="sk-mine").asked

    assert "sk-of-the-vendor" not in str(keyless.headers)
    assert "sk-mine" in str(keyed.headers)
    assert "sk-of-the-vendor" not in str(keyed.headers)


@vendors
def test_a_tool_is_offered_as_it_is_described(vendor: Vendor) -> None:
    (body,) = ask(vendor, [Said(text="a")], request(tools=(ADD,))).bodies

    (tool,) = body["tools"]
    described = tool.get("function", tool)
    schema = described.get("parameters") or described["input_schema"]
    assert (described["name"], described["description"]) == ("add", "Adds.")
    assert schema["properties"] == {"a": {"type": "number"}}
    assert body.get("tool_choice", "auto") in ("auto", {"type": "auto"})


FORCED: dict[str, Any] = {
    COMPATIBLE.name: "required",
    CHAT.name: "required",
    RESPONSES.name: "required",
    ANTHROPIC.name: {"type": "any"},
}
NONE: dict[str, Any] = dict.fromkeys(FORCED, "none") | {ANTHROPIC.name: {"type": "none"}}


@vendors
def test_a_tool_that_has_to_be_called_is_forced_and_none_where_text_is_wanted(vendor: Vendor) -> None:
    forced = request(tools=(ADD,), forced_tool="add")
    wants_text = request(tools=(ADD,), wants_text=True)

    first, second = ask(vendor, [Said(text="a"), Said(text="b")], forced, wants_text).bodies

    assert (first["tool_choice"], second["tool_choice"]) == (FORCED[vendor.name], NONE[vendor.name])
    assert len(second["tools"]) == 1  # earlier messages may call it


@vendors
def test_calls_and_their_answers_are_sent_back_in_a_form_that_vendors_take(vendor: Vendor) -> None:
    calls = (
        ToolCall(id="c1", name="add", arguments='{"a": 1}'),
        ToolCall(id="c2", name="made.up", arguments="{not json"),
    )
    sent = (
        *HI,
        Message("assistant", "", tool_calls=calls),
        Message("tool", "2", answers="c1"),
        Message("tool", "invalid-argument: no JSON", answers="c2"),
        Message("user", "Notice\n------\nGo on."),
        Message("user", "More."),
    )

    (body,) = ask(vendor, [Said(text="a")], request(*sent, tools=(ADD,))).bodies

    made = _calls(body)
    assert [(id_, name) for id_, name, _ in made] == [("c1", "add"), ("c2", "made_up")]
    assert [json.loads(arguments) for *_, arguments in made] == [{"a": 1}, {"INVALID_JSON": "{not json"}]
    assert _answers(body) == [("c1", "2"), ("c2", "invalid-argument: no JSON")]
    assert _texts(body)[-2:] == ["Notice\n------\nGo on.", "More."]


def test_the_answers_of_calls_stand_first_in_the_message_after_them() -> None:
    """Anthropic takes them nowhere else."""
    call = ToolCall(id="c1", name="add", arguments='{"a": 1}')
    sent = (*HI, Message("assistant", "", tool_calls=(call,)), Message("tool", "2", answers="c1"))

    (body,) = ask(ANTHROPIC, [Said(text="a")], request(*sent, Message("user", "More."), tools=(ADD,))).bodies

    assert [message["role"] for message in body["messages"]] == ["user", "assistant", "user"]
    assert [block["type"] for block in body["messages"][2]["content"]] == ["tool_result", "text"]


@vendors
def test_a_reply_without_a_word_is_not_sent_back(vendor: Vendor) -> None:
    """Vendors refuse a message without content."""
    sent = (*HI, Message("assistant", " \n"), Message("user", "Write something."))

    (body,) = ask(vendor, [Said(text="a")], request(*sent)).bodies

    assert _texts(body) == ["You help.", "Hi.", "Write something."]


@vendors
def test_a_picture_goes_with_its_message(vendor: Vendor) -> None:
    seen = Message("user", "a.png", images=(Image("image/png", PNG),))

    (body,) = ask(vendor, [Said(text="a")], request(*HI, seen)).bodies

    assert base64.b64encode(PNG).decode() in json.dumps(body)
    assert _texts(body) == ["You help.", "Hi.", "a.png"]


@vendors
def test_half_a_surrogate_pair_is_replaced(vendor: Vendor) -> None:
    broken = "half \ud83d whole \ud83d\ude00"
    call = ToolCall(id="c1", name="add", arguments='{"a": "\ud83d"}')
    sent = (
        Message("system", broken),
        Message("user", broken),
        Message("assistant", broken, tool_calls=(call,)),
        Message("tool", broken, answers="c1"),
    )

    (body,) = ask(vendor, [Said(text="a")], request(*sent, tools=(ADD,))).bodies

    assert _texts(body) == ["half \ufffd whole \U0001f600"] * 3
    assert _answers(body) == [("c1", "half \ufffd whole \U0001f600")]


def test_a_thought_is_not_shown_and_goes_back_with_the_call_that_followed_it() -> None:
    said = Said(thought="I should add.", calls=(("c1", "add", '{"a": 1}'),))
    calls = (ToolCall(id="c1", name="add", arguments='{"a": 1}'),)
    after = (*HI, Message("assistant", "", tool_calls=calls), Message("tool", "2", answers="c1"))

    outcome = ask(ANTHROPIC, [said, Said(text="a")], request(tools=(ADD,)), request(*after, tools=(ADD,)))

    assert outcome.results[0] == Reply(
        tool_calls=calls,
        usage=outcome.results[0].usage,
        model="claude-sonnet-4-6",  # type: ignore[union-attr]
    )
    thought, called = outcome.bodies[1]["messages"][1]["content"]
    assert thought == {"type": "thinking", "thinking": "I should add.", "signature": "c2lnbmVk"}
    assert (called["type"], called["id"]) == ("tool_use", "c1")


def test_a_thought_of_a_compatible_server_is_not_taken_for_the_reply() -> None:
    outcome = ask(COMPATIBLE, [Said(thought="Hm.", text="1;")])

    assert outcome.reply.text == "1;"
    assert outcome.arrived[-1] == 2


def _texts(body: Any) -> list[str]:  # noqa: ANN401  (JSON)
    """The texts of a request, of whichever vendor."""
    system = body.get("system") or body.get("instructions")
    items = body.get("messages") or body["input"]
    texts = [system] if system else []
    for item in items:
        if item.get("role") == "tool" or "output" in item:
            continue
        content = item.get("content") or []
        parts = [{"text": content}] if isinstance(content, str) else content
        texts += [part["text"] for part in parts if "text" in part]
    return texts


def _calls(body: Any) -> list[tuple[str, str, str]]:  # noqa: ANN401  (JSON)
    found = []
    for item in body.get("messages") or body["input"]:
        for call in item.get("tool_calls") or []:
            found.append((call["id"], call["function"]["name"], call["function"]["arguments"]))
        if item.get("type") == "function_call":
            found.append((item["call_id"], item["name"], item["arguments"]))
        for block in item.get("content") or []:
            if isinstance(block, dict) and block["type"] == "tool_use":
                found.append((block["id"], block["name"], json.dumps(block["input"])))
    return found


def _answers(body: Any) -> list[tuple[str, str]]:  # noqa: ANN401  (JSON)
    found = []
    for item in body.get("messages") or body["input"]:
        if item.get("role") == "tool":
            found.append((item["tool_call_id"], item["content"]))
        if item.get("type") == "function_call_output":
            found.append((item["call_id"], item["output"]))
        for block in item.get("content") or []:
            if isinstance(block, dict) and block["type"] == "tool_result":
                content = block["content"]
                text = content if isinstance(content, str) else "".join(part["text"] for part in content)
                found.append((block["tool_use_id"], text))
    return found


def test_a_model_that_cannot_be_made_to_call_a_tool_is_asked_to() -> None:
    vendor = Vendor(name="ollama:gpt-oss", path="/v1", speaks=COMPATIBLE.speaks)
    forced = request(tools=(ADD,), forced_tool="add")

    outcome = ask(vendor, [Said(text="a"), Said(text="b")], forced, forced)

    assert [body["tool_choice"] for body in outcome.bodies] == ["auto", "auto"]
    assert outcome.notes == ("ollama:gpt-oss cannot be made to call add; it is asked to",)
