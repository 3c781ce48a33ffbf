"""The calls of tools from outside, through the bracket, as a program and as a reply make them."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import anyio

from host.core.errors import Refusal
from host.core.messages import ToolCall
from host.events import ApiCall, OperatorLog
from host.operations import OPERATIONS, Grants, open_attachments, tool_operations
from host.operations.native import tool_specs
from host.tools import Attachment, Namespace, Tool, ToolOutput, TypedTool
from tests.host.operations.callers import Desk, error

PNG = b"\x89PNG\r\n\x1a\n" + bytes(8)
SCHEMA = {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}


@dataclass
class Drawer:
    """Calls tools at once, in a loop of its own."""

    kept: list[Attachment] = field(default_factory=list)

    def call(self, tool: Tool, bound: object) -> ToolOutput:
        async def run() -> ToolOutput:
            return await tool.run(bound)

        return anyio.run(run)

    def keep(self, attachments: tuple[Attachment, ...]) -> None:
        self.kept.extend(attachments)

    def take_kept(self) -> tuple[Attachment, ...]:
        kept, self.kept = self.kept, []
        return tuple(kept)


def bind(given: Mapping[str, object]) -> object:
    if not isinstance(given.get("name"), str):
        raise Refusal("invalid-argument", "things.lookUp needs name, and it is missing.", kind="arguments")
    return given["name"]


async def run(bound: object) -> ToolOutput:
    if bound == "gone":
        raise Refusal("io-error", "The server of things has ended.", kind="server_gone")
    pictures = (Attachment(label="things.look-up 1", media_type="image/png", data=PNG),)
    if bound == "long":
        return ToolOutput(value="x" * (9 * 2**20))
    return ToolOutput(value={"name": bound, "id": 2**60}, attachments=pictures if bound == "drawn" else ())


TOOL = Tool(
    namespace="things",
    name="look-up",
    description="Looks a thing up.\nSlowly.",
    parameters=SCHEMA,
    returns=None,
    bind=bind,
    run=run,
    timeout_s=1.0,
    is_local=False,
)
TYPED = TypedTool(
    tool=TOOL,
    identifier="lookUp",
    native_name="things__look-up",
    signature="lookUp(args: LookUpArgs): Promise<string>",
)
ROWS = tool_operations((Namespace(name="things", brief="Things.", tools=(TYPED,)),))
ID = "tools.things.look-up"


@dataclass
class ToolDesk(Desk):
    """A desk with the tools."""

    toolbox: Drawer = field(default_factory=Drawer)


def desk() -> ToolDesk:
    return ToolDesk(operations={**OPERATIONS, **ROWS}, granted=frozenset({*OPERATIONS, *ROWS}))


def by_program(at: ToolDesk, *arguments: object) -> dict[str, Any]:
    caller = replace(at.caller("program"), toolbox=at.toolbox)
    decoded: dict[str, Any] = json.loads(
        at.bracket(native=False).answer(caller, ID, json.dumps(arguments), lambda: None)
    )
    return decoded


def test_a_program_gets_the_value_whole() -> None:
    answer = by_program(desk(), {"name": "a"})

    assert answer == {"ok": {"name": "a", "id": str(2**60)}, "bigints": [["id"]]}


def test_a_call_is_recorded_under_the_name_of_its_source() -> None:
    at = desk()
    by_program(at, {"name": "a"})
    by_program(at, {})

    calls = [event for event in at.captured.events if isinstance(event, ApiCall)]
    assert [(call.operation, call.ok, call.code) for call in calls] == [
        (ID, True, None),
        (ID, False, "invalid-argument"),
    ]


def test_failures_are_told_under_the_name_that_a_program_has_for_it() -> None:
    at = desk()

    assert by_program(at) == error(
        "invalid-argument", "things.lookUp", "things.lookUp needs name, and it is missing."
    )
    assert by_program(at, {"name": "gone"}) == error(
        "io-error", "things.lookUp", "The server of things has ended."
    )


def test_what_is_no_object_is_refused() -> None:
    assert by_program(desk(), "a") == error(
        "invalid-argument", "things.lookUp", "things.lookUp: args wants an object and got the string `a`."
    )


def test_a_reply_gets_the_value_as_json() -> None:
    at = desk()
    caller = replace(at.caller("tool"), toolbox=at.toolbox, code=None, docs=None, programs=None)
    call = at.bracket(native=True)
    answer = call.answer_tool(
        caller, ToolCall(id="c1", name=TYPED.native_name, arguments='{"name": "drawn"}')
    )

    assert json.loads(answer.text) == {"name": "drawn", "id": 2**60}
    assert answer.operation_id == ID
    assert at.texts() == ["File: things.look-up 1\n----"]


def test_a_value_of_more_than_8_mib_is_refused_in_both_modes() -> None:
    at = desk()
    caller = replace(at.caller("tool"), toolbox=at.toolbox, code=None, docs=None, programs=None)
    asked = ToolCall(id="c1", name=TYPED.native_name, arguments='{"name": "long"}')
    refused = "Value: 9 MiB, limit 8 MiB."

    assert by_program(at, {"name": "long"})["error"]["message"] == refused
    assert at.bracket(native=True).answer_tool(caller, asked).text == f"limit-exceeded: {refused}"


def test_what_belongs_to_the_result_of_a_program_is_shown_when_it_has_ended() -> None:
    at = desk()
    by_program(at, {"name": "drawn"})
    opened_before = at.window.current()

    open_attachments(replace(at.caller("program"), toolbox=at.toolbox))

    assert not opened_before
    assert at.texts() == ["File: things.look-up 1\n----"]


def test_a_text_that_is_too_long_for_a_view_says_how_much_is_shown() -> None:
    at = desk()
    at.toolbox.keep((Attachment(label="a\nb", media_type="text/plain", text="x" * 500_000),))

    open_attachments(replace(at.caller("program"), toolbox=at.toolbox))

    (text,) = at.texts()
    assert text.startswith("View: a\\u000ab\n----\nxxx")
    assert text.endswith("\n… 65,336 of 500,000 bytes are shown; the call gave them all.")


def test_what_is_over_the_views_of_a_turn_is_told_to_the_operator() -> None:
    at = desk()
    at.toolbox.keep(
        tuple(
            Attachment(label=f"picture {place}", media_type="image/png", data=PNG + bytes(5 * 2**20))
            for place in range(2)
        )
    )

    open_attachments(replace(at.caller("program"), toolbox=at.toolbox))

    told = [event.text for event in at.captured.events if isinstance(event, OperatorLog)]
    assert len(told) == 1
    assert told[0].startswith("picture 1 is not shown: ")
    assert at.texts() == ["File: picture 0\n----"]


def test_the_schema_is_the_one_of_the_source() -> None:
    at = desk()
    grants = Grants(at.operations, at.granted, native=True)
    (spec,) = [spec for spec in tool_specs(grants, None) if spec.name == TYPED.native_name]

    assert json.loads(spec.parameters) == SCHEMA
    assert spec.description == "Looks a thing up.\nSlowly."
