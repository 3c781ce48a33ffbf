"""A person in the model's place."""

import anyio
import pytest

from host.core.errors import PersonLeft
from host.core.messages import Message, Reply, ToolCall, ToolSpec
from host.providers import HumanProvider, ModelRequest, TypedCall

TOOL = ToolSpec(name="submit_program", description="Runs.", parameters='{"required": ["program"]}')
REQUEST = ModelRequest(agent_id="root", messages=(Message("user", "Task\n----\ndo it"),))


Written = str | tuple[TypedCall, ...] | None


def replies(*written: Written, request: ModelRequest = REQUEST) -> list[Reply]:
    left, asked = list(written), []

    def ask(request: ModelRequest) -> Written:
        asked.append(request)
        return left.pop(0)

    async def answer() -> list[Reply]:
        provider = HumanProvider(ask)
        return [await provider.reply(request) for _ in written]

    given = anyio.run(answer)
    assert asked == [request] * len(written)
    return given


def test_what_is_written_is_the_reply() -> None:
    assert replies("a;\n", "") == [Reply(text="a;\n"), Reply(text="")]


def test_where_a_tool_is_forced_it_is_the_argument_of_a_call() -> None:
    forced = ModelRequest(agent_id="root", messages=(), tools=(TOOL,), forced_tool="submit_program")

    assert replies('say("é");', "b", request=forced) == [
        Reply(
            tool_calls=(
                ToolCall(id="call_1_1", name="submit_program", arguments='{"program": "say(\\"é\\");"}'),
            )
        ),
        Reply(tool_calls=(ToolCall(id="call_2_1", name="submit_program", arguments='{"program": "b"}'),)),
    ]


def test_calls_that_are_asked_for_have_ids_of_their_own() -> None:
    offered = ModelRequest(agent_id="root", messages=(), tools=(TOOL,))
    first, second = TypedCall(name="list_dir", arguments="{}"), TypedCall(name="x", arguments='{"a": 1}')

    assert replies((first, second), "Hm.", (first,), request=offered) == [
        Reply(
            tool_calls=(
                ToolCall(id="call_1_1", name="list_dir", arguments="{}"),
                ToolCall(id="call_1_2", name="x", arguments='{"a": 1}'),
            )
        ),
        Reply(text="Hm."),
        Reply(tool_calls=(ToolCall(id="call_3_1", name="list_dir", arguments="{}"),)),
    ]


def test_who_leaves_gives_no_reply() -> None:
    with pytest.raises(PersonLeft, match="whoever wrote the replies has left"):
        replies("a", None)
