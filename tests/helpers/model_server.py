"""A server on loopback that answers as vendors do, and as they do when something is wrong.

It speaks the streams of OpenAI's chat completions and responses, and of Anthropic's messages. What it was
asked is kept. Answers are given in order, or by a function of the request.
"""

import json
import select
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

JSON = {"content-type": "application/json"}
EVENTS = {"content-type": "text/event-stream"}


@dataclass(frozen=True, kw_only=True)
class Asked:
    """One request."""

    path: str
    headers: Mapping[str, str]
    body: Mapping[str, Any]


@dataclass(frozen=True, kw_only=True)
class Answer:
    """One response. After its pieces it ends, or the connection is cut, or nothing more comes (`holds`).

    Its second half waits for `gate`, where it has one.
    """

    status: int = 200
    headers: Mapping[str, str] = field(default_factory=lambda: EVENTS)
    pieces: tuple[bytes, ...] = ()
    cuts: bool = False
    holds: bool = False
    gate: threading.Event | None = None


@dataclass(frozen=True, kw_only=True)
class Said:
    """A reply of a model: text, then calls of tools as id, name and the arguments' text."""

    text: str = ""
    calls: tuple[tuple[str, str, str], ...] = ()
    finish: str = "stop"
    input_tokens: int = 100
    output_tokens: int = 20
    cached_tokens: int = 0
    thought: str = ""


Policy = Callable[[Asked], Answer]


class ModelServer:
    """What a test sees of the server."""

    def __init__(self) -> None:
        self.answers: list[Answer] = []
        self.asked: list[Asked] = []
        self.policy: Policy | None = None
        self.hung_up = threading.Event()  # set where a client left while an answer was held
        self.is_over = threading.Event()
        self.port = 0
        self.connections = 0

    def url(self, path: str = "") -> str:
        return f"http://127.0.0.1:{self.port}{path}"

    def answer(self, asked: Asked) -> Answer:
        self.asked.append(asked)
        return self.policy(asked) if self.policy else self.answers.pop(0)


@contextmanager
def model_server(*answers: Answer) -> Iterator[ModelServer]:
    """Serves until the block is left."""
    seen = ModelServer()
    seen.answers += answers
    with ThreadingHTTPServer(("127.0.0.1", 0), _handler(seen)) as http:
        seen.port = http.server_address[1]
        thread = threading.Thread(target=http.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield seen
        finally:
            seen.is_over.set()
            http.shutdown()
            thread.join()


def _handler(server: ModelServer) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def setup(self) -> None:
            super().setup()
            server.connections += 1

        def handle_one_request(self) -> None:
            """Waits for one, and meanwhile for the end of the server."""
            if self._wait_for_client():
                super().handle_one_request()
            else:
                self.close_connection = True

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["content-length"])))
            headers = {name.lower(): value for name, value in self.headers.items()}
            self._send(server.answer(Asked(path=self.path, headers=headers, body=body)))

        def _send(self, answer: Answer) -> None:
            self.send_response(answer.status)
            for name, value in answer.headers.items():
                self.send_header(name, value)
            self.send_header("transfer-encoding", "chunked")
            self.end_headers()
            try:
                for place, piece in enumerate(answer.pieces):
                    if answer.gate is not None and place == len(answer.pieces) // 2:
                        answer.gate.wait(timeout=30)
                    self.wfile.write(b"%x\r\n%b\r\n" % (len(piece), piece))
                    self.wfile.flush()
                if answer.holds:
                    self._hold()
                elif answer.cuts:
                    self.close_connection = True
                else:
                    self.wfile.write(b"0\r\n\r\n")
            except OSError:  # the client has left
                self.close_connection = True

        def _hold(self) -> None:
            self.close_connection = True
            if self._wait_for_client() and not self.connection.recv(1):
                server.hung_up.set()

        def _wait_for_client(self) -> bool:
            """Until the client sends something or leaves; false where the server ends first."""
            while not server.is_over.is_set():
                if select.select([self.connection], [], [], 0.02)[0]:
                    return True
            return False

        def log_message(self, format: str, *args: object) -> None:
            """Nothing: what was asked is kept."""

    return Handler


def fault(status: int, message: str, *, headers: Mapping[str, str] | None = None, code: str = "") -> Answer:
    """An error in the shape that both vendors have in common."""
    body = {"type": "error", "error": {"type": code or "error", "code": code or None, "message": message}}
    pieces = (json.dumps(body).encode(),)
    return Answer(status=status, headers={**JSON, **(headers or {})}, pieces=pieces)


def halves(text: str) -> tuple[str, str]:
    return text[: len(text) // 2], text[len(text) // 2 :]


def _lines(*events: Mapping[str, Any], named: bool = False) -> tuple[bytes, ...]:
    def line(event: Mapping[str, Any]) -> str:
        name = f"event: {event['type']}\n" if named else ""
        return f"{name}data: {json.dumps(event)}\n\n"

    return tuple(line(event).encode() for event in events)


def chat_completions(said: Said, *, model: str = "gpt-4o") -> Answer:
    """As OpenAI's chat completions stream it."""

    def chunk(delta: Mapping[str, Any], finish: str | None = None) -> dict[str, Any]:
        choice = {"index": 0, "delta": delta, "finish_reason": finish}
        return {**_chunk(model), "choices": [choice]}

    events = [chunk({"role": "assistant", "content": ""})]
    if said.thought:
        events += [chunk({"reasoning_content": said.thought})]
    events += [chunk({"content": half}) for half in halves(said.text) if half]
    for index, (id_, name, arguments) in enumerate(said.calls):
        begun = {"name": name, "arguments": ""}
        events += [
            chunk({"tool_calls": [{"index": index, "id": id_, "type": "function", "function": begun}]})
        ]
        events += [
            chunk({"tool_calls": [{"index": index, "function": {"arguments": half}}]})
            for half in halves(arguments)
            if half
        ]
    finish = "tool_calls" if said.calls and said.finish == "stop" else said.finish
    events += [chunk({}, finish)]
    details = {"cached_tokens": said.cached_tokens}
    usage = {
        "prompt_tokens": said.input_tokens,
        "completion_tokens": said.output_tokens,
        "total_tokens": said.input_tokens + said.output_tokens,
        "prompt_tokens_details": details,
    }
    events += [{**_chunk(model), "choices": [], "usage": usage}]
    return Answer(pieces=(*_lines(*events), b"data: [DONE]\n\n"))


def _chunk(model: str) -> dict[str, Any]:
    return {"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1_700_000_000, "model": model}


def responses(said: Said, *, model: str = "gpt-4o") -> Answer:
    """As OpenAI's responses stream it."""
    output: list[dict[str, Any]] = []
    events: list[dict[str, Any]] = [
        {"type": "response.created", "response": _response(model, said, [], "in_progress")}
    ]
    if said.text:
        item = {"type": "message", "id": "msg_1", "role": "assistant", "status": "in_progress", "content": []}
        at = {"item_id": "msg_1", "output_index": 0, "content_index": 0}
        part = {"type": "output_text", "text": said.text, "annotations": []}
        events += [{"type": "response.output_item.added", "output_index": 0, "item": item}]
        events += [{"type": "response.content_part.added", **at, "part": {**part, "text": ""}}]
        events += [
            {"type": "response.output_text.delta", **at, "delta": half, "logprobs": []}
            for half in halves(said.text)
            if half
        ]
        events += [{"type": "response.output_text.done", **at, "text": said.text, "logprobs": []}]
        events += [{"type": "response.content_part.done", **at, "part": part}]
        whole = {**item, "status": "completed", "content": [part]}
        events += [{"type": "response.output_item.done", "output_index": 0, "item": whole}]
        output += [whole]
    for index, (id_, name, arguments) in enumerate(said.calls, start=len(output)):
        call = {"type": "function_call", "id": f"fc_{index}", "call_id": id_, "name": name}
        at = {"item_id": f"fc_{index}", "output_index": index}
        begun = {**call, "arguments": "", "status": "in_progress"}
        events += [{"type": "response.output_item.added", "output_index": index, "item": begun}]
        events += [
            {"type": "response.function_call_arguments.delta", **at, "delta": half}
            for half in halves(arguments)
            if half
        ]
        events += [
            {"type": "response.function_call_arguments.done", **at, "name": name, "arguments": arguments}
        ]
        whole = {**call, "arguments": arguments, "status": "completed"}
        events += [{"type": "response.output_item.done", "output_index": index, "item": whole}]
        output += [whole]
    is_cut = said.finish == "length"
    status = "incomplete" if is_cut else "completed"
    events += [{"type": f"response.{status}", "response": _response(model, said, output, status)}]
    numbered = [{**event, "sequence_number": number} for number, event in enumerate(events)]
    return Answer(pieces=_lines(*numbered, named=True))


def _response(model: str, said: Said, output: Sequence[Mapping[str, Any]], status: str) -> dict[str, Any]:
    return {
        "id": "resp_1",
        "object": "response",
        "created_at": 1_700_000_000,
        "status": status,
        "model": model,
        "output": list(output),
        "incomplete_details": {"reason": "max_output_tokens"} if status == "incomplete" else None,
        "error": None,
        "parallel_tool_calls": True,
        "tool_choice": "auto",
        "tools": [],
        "usage": {
            "input_tokens": said.input_tokens,
            "output_tokens": said.output_tokens,
            "total_tokens": said.input_tokens + said.output_tokens,
            "input_tokens_details": {"cached_tokens": said.cached_tokens},
            "output_tokens_details": {"reasoning_tokens": 0},
        },
    }


def messages(said: Said, *, model: str = "claude-sonnet-4-6") -> Answer:
    """As Anthropic's messages stream it."""
    usage = {
        "input_tokens": said.input_tokens - said.cached_tokens,
        "cache_read_input_tokens": said.cached_tokens,
        "cache_creation_input_tokens": 0,
        "output_tokens": 1,
    }
    message = {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": model,
        "content": [],
        "stop_reason": None,
        "stop_sequence": None,
        "usage": usage,
    }
    events: list[dict[str, Any]] = [{"type": "message_start", "message": message}, {"type": "ping"}]
    index = 0
    if said.thought:
        signed = {"type": "signature_delta", "signature": "c2lnbmVk"}
        deltas = [{"type": "thinking_delta", "thinking": said.thought}, signed]
        events += _block(index, {"type": "thinking", "thinking": "", "signature": ""}, deltas)
        index += 1
    if said.text:
        deltas = [{"type": "text_delta", "text": half} for half in halves(said.text) if half]
        events += _block(index, {"type": "text", "text": ""}, deltas)
        index += 1
    for id_, name, arguments in said.calls:
        deltas = [{"type": "input_json_delta", "partial_json": half} for half in halves(arguments) if half]
        events += _block(index, {"type": "tool_use", "id": id_, "name": name, "input": {}}, deltas)
        index += 1
    reasons = {"length": "max_tokens", "content_filter": "refusal"}
    stopped = "tool_use" if said.calls and said.finish == "stop" else reasons.get(said.finish, "end_turn")
    events += [
        {
            "type": "message_delta",
            "delta": {"stop_reason": stopped, "stop_sequence": None},
            "usage": {"output_tokens": said.output_tokens},
        },
        {"type": "message_stop"},
    ]
    return Answer(pieces=_lines(*events, named=True))


def _block(index: int, block: Mapping[str, Any], deltas: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    return [
        {"type": "content_block_start", "index": index, "content_block": block},
        *({"type": "content_block_delta", "index": index, "delta": delta} for delta in deltas),
        {"type": "content_block_stop", "index": index},
    ]
