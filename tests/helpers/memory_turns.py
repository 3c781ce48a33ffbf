"""Calls of memories, written once: as the turns of an agent in either execution mode, with what they gave."""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal

from host.core.messages import Reply
from runtime_js import Compiler
from tests.helpers.runs import FINISH, FINISHES, Ran, calls, run_agent

Execution = Literal["responses_as_code", "tool_calling"]
EXECUTIONS: Final[tuple[Execution, ...]] = ("responses_as_code", "tool_calling")
STRATEGIES: Final = ("scratchpad", "markdown", "keyword-search")

_LIMITS: Final = (
    "maxCount",
    "maxLenPerMemory",
    "maxTotalLen",
    "maxLenIndex",
    "maxLenDescription",
    "maxResults",
)
_POSITIONAL: Final = {"read": "name", "delete": "name", "search": "keywords"}
_TOOL_FIELDS: Final = {
    "search": "old_string",
    "replace": "new_string",
    "expectedRevision": "expected_revision",
}


@dataclass(frozen=True)
class Call:
    """One call with the fields that a program gives; `make` is the one that makes a memory."""

    verb: Literal["make", "update", "edit", "read", "delete", "search"]
    fields: Mapping[str, Any]


def arm(strategy: str, **limits: int) -> dict[str, Any]:
    """Memories with the limits given; the others are lifted."""
    params = {"scope": "isolated", **dict.fromkeys(_LIMITS, 0), **limits}
    return {"implementation": strategy, "params": params}


def spellings(execution: Execution, strategy: str) -> dict[str, str]:
    """Calls by their verbs and fields by what a program calls them, as refusals spell them; and `verb`, the
    word for making a memory.
    """
    is_code = execution == "responses_as_code"
    verb = "write" if strategy == "scratchpad" else "create"
    tools = {
        "make": f"{verb}_memory",
        **{name: f"{name}_memory" for name in ("update", "edit", "read", "delete")},
        "search": "search_memories",
    }
    fields = {"body": "body", "old": "search", "new": "replace"}
    if not is_code:
        in_files = {} if strategy == "scratchpad" else {"body": "contents"}
        fields = {"body": "body", "old": "old_string", "new": "new_string", **in_files}
    return {
        "verb": verb,
        **fields,
        **{name: _camel(tool) if is_code else tool for name, tool in tools.items()},
    }


def reply_of(execution: Execution, strategy: str, turn: Sequence[Call]) -> str | Reply:
    """The calls of one turn. A program goes on after a call that failed, and shows what each of them gave."""
    spelled = spellings(execution, strategy)
    if execution == "tool_calling":
        named = {**_TOOL_FIELDS, "body": spelled["body"]}
        return calls(
            *((spelled[call.verb], {named.get(k, k): v for k, v in call.fields.items()}) for call in turn)
        )
    lines = [f"said(() => {spelled[call.verb]}({_arguments(call)}));" for call in turn]
    return "\n".join([_PROGRAM, *lines, 'views.openText("said", JSON.stringify(all));', ""])


def answers(
    out: Path,
    execution: Execution,
    strategy: str,
    turns: Sequence[Sequence[Call]],
    *,
    compiler: Compiler,
    **limits: int,
) -> tuple[list[Any], Ran]:
    """What each call gave, as a value without what is `null`, named as tools name it; `code: message` for
    one that failed.
    """
    end: str | Reply = FINISH if execution == "responses_as_code" else FINISHES
    ran = run_agent(
        out,
        [*(reply_of(execution, strategy, turn) for turn in turns), end],
        execution=execution,
        compiler=compiler,
        memories=arm(strategy, **limits),
    )
    given: list[Any] = []
    for turn in range(1, len(turns) + 1):
        if execution == "tool_calling":
            given += map(_value, ran.answers(turn))
        else:
            (shown,) = (text for text in ran.told(turn) if text.startswith("View: said\n"))
            given += map(_without_nulls, json.loads(shown.partition("\n----\n")[2]))
    return given, ran


_PROGRAM: Final = """\
import { memories, views } from "gg";
const all: unknown[] = [];
function said(call: () => unknown) {
  try {
    const given = call();
    all.push(Array.isArray(given) ? { hits: given, total: (given as any).total } : given);
  } catch (error: any) {
    all.push(`${error.code}: ${error.message}`);
  }
}"""


def _arguments(call: Call) -> str:
    fields = dict(call.fields)
    given = [fields.pop(_POSITIONAL[call.verb])] if call.verb in _POSITIONAL else []
    if fields:
        given.append(fields)
    return ", ".join(map(json.dumps, given))


def _camel(tool: str) -> str:
    first, _, second = tool.partition("_")
    return f"memories.{first}{second.capitalize()}"


def _value(answer: str) -> Any:  # noqa: ANN401  (JSON)
    return answer if re.match("[a-z-]+: ", answer) else _without_nulls(json.loads(answer))


def _without_nulls(value: Any) -> Any:  # noqa: ANN401  (JSON)
    """What is no field of an answer stays as it is."""
    if isinstance(value, list):
        return [_without_nulls(each) for each in value]
    if isinstance(value, dict):
        return {_snake(key): _without_nulls(each) for key, each in value.items() if each is not None}
    return value


def _snake(name: str) -> str:
    return re.sub("[A-Z]", lambda letter: f"_{letter[0].lower()}", name)
