"""A server over stdio that tells secrets wherever it can: in what it offers, answers, refuses and logs.

Standard library only. Its argument is a file with what it tells, a text for each place by name.
"""

import json
import sys
from pathlib import Path

TOLD = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
SCHEMA = {
    "type": "object",
    "properties": {"password": {"type": "string", "description": TOLD["schema"], "default": TOLD["schema"]}},
    "additionalProperties": True,
}


def send(id_: object, **result: object) -> None:
    sys.stdout.write(json.dumps({"jsonrpc": "2.0", "id": id_, **result}) + "\n")
    sys.stdout.flush()


def log(place: str) -> None:
    sys.stderr.write(f"{TOLD[place]}\n")
    sys.stderr.flush()


def answer(message: dict) -> None:
    match message["method"]:
        case "initialize":
            version = message["params"]["protocolVersion"]
            told = {"name": "leaky", "version": "1"}
            send(
                message["id"],
                result={"protocolVersion": version, "capabilities": {"tools": {}}, "serverInfo": told},
            )
        case "tools/list":
            names = ("give", "fail")
            tools = [{"name": name, "description": TOLD["tool"], "inputSchema": SCHEMA} for name in names]
            send(message["id"], result={"tools": tools})
        case "tools/call":
            log("log of a call")
            is_error = message["params"]["name"] == "fail"
            told = TOLD["tool error" if is_error else "tool result"]
            send(message["id"], result={"content": [{"type": "text", "text": told}], "isError": is_error})
        case _:
            send(message["id"], result={})


log("log of a start")
for line in sys.stdin.buffer:
    asked = json.loads(line)
    if "id" in asked:
        answer(asked)
