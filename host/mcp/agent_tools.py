"""gg itself as tools: programs, a search of the documentation, and the calls of the agent's memories."""

import json
from collections.abc import Iterator, Mapping
from typing import Any, Final

import mcp_types as types

from host.app import Answer, RunResult, Service, Shown
from host.context import titled
from host.core.messages import ToolSpec
from host.mcp.offered import Block, Offered, encodable, image_block, one_text, text_block

FAILED: Final = (
    "gg itself failed, and what was asked may have been done in part. Whoever runs the server has been told;"
    " the next call begins a new run with the memories that were kept."
)
_SEARCH: Final = 'import {{ docs }} from "gg";\ndocs.search({query});\n'

_PROGRAM: Final = {
    "type": "object",
    "properties": {
        "program": {"type": "string", "description": "The whole program: one ES module in TypeScript."}
    },
    "required": ["program"],
    "additionalProperties": False,
}
_QUERY: Final = {
    "type": "object",
    "properties": {"query": {"type": "string", "description": "Words, or a part of a name."}},
    "required": ["query"],
    "additionalProperties": False,
}
_SHOWN: Final = {
    "type": "object",
    "properties": {"title": {"type": "string"}, "text": {"type": "string"}},
    "required": ["title", "text"],
    "additionalProperties": False,
}
_OUTCOME: Final = {
    "type": "object",
    "properties": {
        "outcome": {"enum": ["ran", "failed", "finished", "ended"]},
        "views": {"type": "array", "items": _SHOWN},
        "notices": {"type": "array", "items": {"type": "string"}},
        "error": {**_SHOWN, "type": ["object", "null"]},
        "summary": {"type": ["string", "null"]},
    },
    "required": ["outcome", "views", "notices", "error", "summary"],
    "additionalProperties": False,
}
_RUN_PROGRAM: Final = (
    "Runs a TypeScript program in a sandbox, for an agent that is there as long as the server and keeps"
    " memories.\n\n"
    'A program imports what it uses: `import { memories, views } from "gg";`. Views are the only way to see a'
    ' value: `views.openText("label", text)`. Nothing else of a program is returned, nor its console. Code'
    ' that a memory carries is imported by its key: `import { parseCsv } from "csvTools";`. What there is'
    ' is found with search_docs, and read with `views.openDocsView("memories.writeMemory")`. A program that'
    " does not compile, throws or reaches a ceiling is answered with the error and its place."
)
_SEARCH_DOCS: Final = (
    "Finds what programs can call: pages of the SDK and of the modules that memories carry. A page is read in"
    " a program, with views.openDocsView(key)."
)


def agent_tools(service: Service) -> Iterator[Offered]:
    """Those that every agent has, then the calls of its memories."""

    async def run_program(arguments: Mapping[str, Any]) -> types.CallToolResult:
        return _told(await service.run_program(one_text("run_program", arguments, "program")))

    async def search_docs(arguments: Mapping[str, Any]) -> types.CallToolResult:
        query = one_text("search_docs", arguments, "query")
        return _told(await service.run_program(_SEARCH.format(query=json.dumps(query))))

    program = types.Tool(
        name="run_program", description=_RUN_PROGRAM, input_schema=_PROGRAM, output_schema=_OUTCOME
    )
    search = types.Tool(
        name="search_docs",
        description=_SEARCH_DOCS,
        input_schema=_QUERY,
        output_schema=_OUTCOME,
        annotations=types.ToolAnnotations(read_only_hint=True),
    )
    yield Offered(tool=program, call=run_program)
    yield Offered(tool=search, call=search_docs)
    for spec in service.tools:
        yield _of_memories(service, spec)


def _of_memories(service: Service, spec: ToolSpec) -> Offered:
    async def call(arguments: Mapping[str, Any]) -> types.CallToolResult:
        answer = await service.call(spec.name, json.dumps(arguments))
        if answer.end is not None:
            return _told(answer)
        told = [text_block(answer.result or ""), *_blocks(answer)]
        return types.CallToolResult(content=[*told], is_error=answer.failed)

    tool = types.Tool(name=spec.name, description=spec.description, input_schema=json.loads(spec.parameters))
    return Offered(tool=tool, call=call)


def _told(answer: Answer) -> types.CallToolResult:
    """What an agent would read, in its order, and the same sorted."""
    end = answer.end
    if end is not None and end.ending is None:
        told = FAILED if end.status == "internal_error" else _ended(end)
        return types.CallToolResult(
            content=[text_block(told)], structured_content=_sorted(answer, "ended"), is_error=True
        )
    summary = end.ending.summary if end is not None and end.ending is not None else None
    outcome = "finished" if summary is not None else "failed" if answer.failed else "ran"
    blocks = [*_blocks(answer)]
    if summary is not None:
        blocks.append(text_block(titled("Finished", summary)))
    return types.CallToolResult(
        content=[*blocks], structured_content=_sorted(answer, outcome, summary), is_error=answer.failed
    )


def _ended(end: RunResult) -> str:
    why = f"{end.status}: {end.error}" if end.error else end.status
    return f"The run of the agent ended ({why}). The next call begins a new one with its memories."


def _blocks(answer: Answer) -> Iterator[Block]:
    for view in answer.views:
        yield text_block(titled(view.title, view.text))
        yield from map(image_block, view.images)
    for notice in answer.notices:
        yield text_block(titled("Notice", notice))
    if answer.error is not None:
        yield text_block(titled(answer.error.title, answer.error.text))


def _sorted(answer: Answer, outcome: str, summary: str | None = None) -> dict[str, object]:
    return {
        "outcome": outcome,
        "views": [_shown(view) for view in answer.views],
        "notices": [encodable(notice) for notice in answer.notices],
        "error": None if answer.error is None else _shown(answer.error),
        "summary": None if summary is None else encodable(summary),
    }


def _shown(shown: Shown) -> dict[str, str]:
    return {"title": encodable(shown.title), "text": encodable(shown.text)}
