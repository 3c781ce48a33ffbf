"""What an agent does in a turn, written once and said in either execution mode, with what it gave."""

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final

from pydantic.alias_generators import to_camel

from host.core.messages import Message, Reply
from tests.helpers.runs import calls

_VIEW: Final = "acts"
_PROGRAM: Final = f"""\
import {{ board, context, delegation, memories, records, session, skillbook, views }} from "gg";
const all: unknown[] = [];
function act(call: () => unknown) {{
  try {{
    all.push(call() ?? null);
  }} catch (error: any) {{
    all.push(`${{error.code}}: ${{error.message}}`);
  }}
}}
%s
views.openText("{_VIEW}", JSON.stringify(all));
"""


@dataclass(frozen=True)
class Act:
    """One call: as an expression of a program, and as a tool with its arguments.

    The program's has no types, so that a call arrives that the agent was never declared.
    """

    code: str
    tool: str
    arguments: dict[str, Any]


def said(execution: str, *acts: Act) -> str | Reply:
    """A reply that does all of them, each whatever became of the one before."""
    if execution == "tool_calling":
        return calls(*((act.tool, act.arguments) for act in acts))
    return _PROGRAM % "\n".join(f"act(() => {act.code});" for act in acts)


def alone(execution: str, act: Act) -> str | Reply:
    """A reply that makes this call and no other: its program shows nothing and fails with it."""
    if execution == "tool_calling":
        return said(execution, act)
    module = re.match(r"\(?(\w+)", act.code)
    assert module, "a call begins with its module"
    return f'import {{ {module[1]} }} from "gg";\n{act.code};\n'


def given(messages: Iterable[Message]) -> list[Any]:
    """What the acts of the last turn gave, out of the messages that it has added: a value, or `code: message`
    of a call that failed.
    """
    values: list[Any] = []
    for message in messages:
        head, _, shown = message.text.partition("\n----\n")
        if message.role == "tool":
            failed = re.match("[a-z-]+: ", message.text)
            values.append(message.text if failed else json.loads(message.text))
        elif message.role == "user" and head == f"View: {_VIEW}":
            values += json.loads(shown)
    return [_without_nulls(value) for value in values]


def spawns(agent: str, prompt: str = "Help.") -> Act:
    return _of_object("delegation.spawnSubagent", "spawn_subagent", agent=agent, prompt=prompt)


def waits(*ids: str) -> Act:
    """For those; for all that were not waited for, without ids."""
    return _act("delegation.waitForSubagents", "wait_for_subagents", ids=list(ids)) if ids else _WAITS


def sends(id_: str, text: str) -> Act:
    return _act("delegation.sendMessage", "send_message", id=id_, text=text)


def forks(prompt: str = "Go on.") -> Act:
    return _of_object("delegation.fork", "fork", prompt=prompt)


def execs(agent: str, prompt: str = "Take over.") -> Act:
    return _of_object("delegation.exec", "exec", agent=agent, prompt=prompt)


def enters(state: str) -> Act:
    return _act("delegation.transitionState", "transition_state", state=state)


def asks_for(title: str, body: str = "Do it well.", blocked_by: Iterable[str] = ()) -> Act:
    """Puts an issue on the board."""
    fields = {"title": title, "body": body, "blockedBy": list(blocked_by)}
    native = {"title": title, "body": body, "blocked_by": list(blocked_by)}
    return Act(f"(board as any).createIssue({json.dumps(fields)})", "create_issue", native)


def awaits_issues(*ids: str) -> Act:
    return Act(
        f"(board as any).waitForIssue({json.dumps(ids) if ids else ''})",
        "wait_for_issue",
        {"ids": list(ids)} if ids else {},
    )


def finishes(summary: str = "done") -> Act:
    return _act("session.finish", "finish", summary=summary)


def approves() -> Act:
    return _act("session.approve", "approve")


def requests(*items: str) -> Act:
    return _act("session.requestChanges", "request_changes", items=list(items))


def writes(name: str, body: str = "A note.", description: str | None = None) -> Act:
    """Under scratchpad."""
    return _of_object("memories.writeMemory", "write_memory", **_memory(name, body, description))


def updates(name: str, body: str, description: str | None = None) -> Act:
    """Under scratchpad."""
    return _of_object("memories.updateMemory", "update_memory", **_memory(name, body, description))


def creates(name: str, body: str = "A note.", description: str | None = None, code: str | None = None) -> Act:
    """Under the strategies that are shaped as files; a tool has no `code`."""
    fields = _memory(name, body, description)
    native = {"name": name, "description": fields["description"], "contents": body}
    coded = fields if code is None else {**fields, "code": code}
    return Act(f"(memories as any).createMemory({json.dumps(coded)})", "create_memory", native)


def edits(name: str, search: str, replace: str, revision: int | None = None) -> Act:
    """`revision` is the one that is expected."""
    fields: dict[str, Any] = {"name": name, "search": search, "replace": replace}
    native: dict[str, Any] = {"name": name, "old_string": search, "new_string": replace}
    if revision is not None:
        fields["expectedRevision"] = native["expected_revision"] = revision
    return Act(f"(memories as any).editMemory({json.dumps(fields)})", "edit_memory", native)


def deletes(name: str) -> Act:
    return _act("memories.deleteMemory", "delete_memory", name=name)


def reads(name: str) -> Act:
    return _act("memories.readMemory", "read_memory", name=name)


def searches(*keywords: str) -> Act:
    return _act("memories.searchMemories", "search_memories", keywords=list(keywords))


def puts_record(text: str, **options: Any) -> Act:  # noqa: ANN401 - JSON values
    """`options` under the names of the tool."""
    return _with_options("records.put", "put_record", options, text=text)


def seeks_records(query: str, **options: Any) -> Act:  # noqa: ANN401 - JSON values
    return _with_options("records.search", "search_records", options, query=query)


def seeks_skills(query: str, **options: Any) -> Act:  # noqa: ANN401 - JSON values
    return _with_options("skillbook.searchSkills", "search_skills", options, query=query)


def reads_skill(skill_id: str) -> Act:
    """Of the book."""
    return _act("skillbook.readSkill", "read_skill", skill_id=skill_id)


def adds_skill(section: str, issue: str, keywords: Iterable[str], **options: str) -> Act:
    return _with_options(
        "skillbook.addSkill",
        "add_skill",
        options,
        section=section,
        issue=issue,
        keywords=list(keywords),
    )


def updates_skill(skill_id: str, **options: Any) -> Act:  # noqa: ANN401 - JSON values
    return _with_options("skillbook.updateSkill", "update_skill", options, skill_id=skill_id)


def tags_skill(skill_id: str, delta: int) -> Act:
    return _act("skillbook.tagSkill", "tag_skill", skill_id=skill_id, delta=delta)


def removes_skill(skill_id: str, reason: str) -> Act:
    return _act("skillbook.removeSkill", "remove_skill", skill_id=skill_id, reason=reason)


def opens_file(path: str) -> Act:
    """Brings it into the window."""
    return Act(f"void views.openFile({json.dumps(path)})", "read_file", {"path": path})


def compacts(summary: str) -> Act:
    return _act("context.compact", "compact", summary=summary)


def _act(call: str, tool: str, **arguments: Any) -> Act:  # noqa: ANN401 - JSON values
    """A call whose arguments stand one after another in a program."""
    module, _, function = call.partition(".")
    return Act(
        f"({module} as any).{function}({', '.join(map(json.dumps, arguments.values()))})", tool, arguments
    )


def _with_options(
    call: str,
    tool: str,
    options: dict[str, Any],
    **required: Any,  # noqa: ANN401 - JSON values
) -> Act:
    """A call with arguments in a row and the others in one object behind them."""
    plain = _act(call, tool, **required)
    passed = json.dumps({to_camel(name): value for name, value in options.items()})
    return Act(f"{plain.code[:-1]}, {passed})", tool, {**required, **options})


def _of_object(call: str, tool: str, **fields: Any) -> Act:  # noqa: ANN401 - JSON values
    """A call that takes one object in a program."""
    module, _, function = call.partition(".")
    return Act(f"({module} as any).{function}({json.dumps(fields)})", tool, fields)


def _memory(name: str, body: str, description: str | None) -> dict[str, str]:
    return {
        "name": name,
        "description": f"About {name}." if description is None else description,
        "body": body,
    }


def _without_nulls(value: Any) -> Any:  # noqa: ANN401 - JSON values
    if isinstance(value, list):
        return [_without_nulls(each) for each in value]
    if isinstance(value, dict):
        return {key: _without_nulls(each) for key, each in value.items() if each is not None}
    return value


_WAITS: Final = _act("delegation.waitForSubagents", "wait_for_subagents")
