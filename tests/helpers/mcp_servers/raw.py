"""A server over stdio that misbehaves on demand. By hand, for no library would; standard library only.

The first argument is how it starts, the others belong to that. Each tool is named after what it does.
"""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

ANY = {"type": "object", "additionalProperties": True}


def send(message: object, *, ascii_only: bool = True) -> None:
    write(json.dumps(message, ensure_ascii=ascii_only))


def write(line: str) -> None:
    sys.stdout.buffer.write(line.encode("utf-8", "surrogatepass") + b"\n")
    sys.stdout.buffer.flush()


def say(line: str) -> None:
    sys.stderr.write(f"{line}\n")
    sys.stderr.flush()


def answer(request: dict, result: object) -> None:
    send({"jsonrpc": "2.0", "id": request["id"], "result": result})


def text(request: dict, value: str) -> None:
    answer(request, {"content": [{"type": "text", "text": value}]})


def structured(request: dict, json_text: str) -> None:
    """A structured result, given as text so that it may be no JSON."""
    id_ = json.dumps(request["id"])
    write(f'{{"jsonrpc":"2.0","id":{id_},"result":{{"content":[],"structuredContent":{json_text}}}}}')


# What the tools do: each takes the request and its arguments.


def pid(request: dict, arguments: dict) -> None:
    text(request, str(os.getpid()))


def die(request: dict, arguments: dict) -> None:
    say("going down")
    if "signal" in arguments:
        os.kill(os.getpid(), arguments["signal"])
    os._exit(arguments.get("status", 3))


def hang(request: dict, arguments: dict) -> None:
    Path(arguments["folder"], "began").write_text(str(request["id"]))


def seen(request: dict, arguments: dict) -> None:
    """The notifications so far, without those of the handshake."""
    text(request, json.dumps([m for m in NOTIFICATIONS if m["method"] != "notifications/initialized"]))


def replies(request: dict, arguments: dict) -> None:
    """What the client answered to the requests of this server."""
    text(request, json.dumps(REPLIES))


def asks(request: dict, arguments: dict) -> None:
    send({"jsonrpc": "2.0", "id": "q", "method": arguments["method"], "params": arguments.get("params", {})})
    text(request, "asked")


def flood_line(request: dict, arguments: dict) -> None:
    while True:
        os.write(1, b"x" * 65536)


def flood_notifications(request: dict, arguments: dict) -> None:
    line = json.dumps(
        {"jsonrpc": "2.0", "method": "notifications/message", "params": {"level": "info", "data": "again"}}
    )
    while True:
        write(line)


def flood_requests(request: dict, arguments: dict) -> None:
    while True:
        send({"jsonrpc": "2.0", "id": "again", "method": "ping"})


def flood_garbage(request: dict, arguments: dict) -> None:
    while True:
        write("garbage")


def flood_stderr(request: dict, arguments: dict) -> None:
    for _ in range(arguments["lines"]):
        os.write(2, b"y" * 99 + b"\n")
    text(request, "done")


def long_lines(request: dict, arguments: dict) -> None:
    """Notifications that are too long, and then an answer."""
    for _ in range(arguments["count"]):
        send({"jsonrpc": "2.0", "method": "notifications/message", "params": {"data": "x" * 9_000_000}})
    text(request, "after")


def huge(request: dict, arguments: dict) -> None:
    """An answer of so many bytes; where its number stands is up to the library a server uses."""
    result = {"content": [{"type": "text", "text": "x" * arguments["size"]}]}
    match arguments.get("id", "first"):
        case "first":
            send({"jsonrpc": "2.0", "id": request["id"], "result": result})
        case "last":
            send({"result": result, "jsonrpc": "2.0", "id": request["id"]})
        case "middle":
            send({"result": result, "id": request["id"], "jsonrpc": "2.0", "more": {"a": "x" * 300}})


def value(request: dict, arguments: dict) -> None:
    structured(request, arguments["json"])


def line(request: dict, arguments: dict) -> None:
    """A line as it is, with `ID` for the number of the request."""
    write(arguments["line"].replace("ID", json.dumps(request["id"])))


def content(request: dict, arguments: dict) -> None:
    answer(request, {"content": arguments["content"], "isError": arguments.get("isError", False)})


def error(request: dict, arguments: dict) -> None:
    send({"jsonrpc": "2.0", "id": request["id"], "error": arguments})


def close_stdout(request: dict, arguments: dict) -> None:
    os.close(1)


def environment(request: dict, arguments: dict) -> None:
    """The variables that the process was started with."""
    text(request, Path("/proc/self/environ").read_text())


def change(request: dict, arguments: dict) -> None:
    send({"jsonrpc": "2.0", "method": "notifications/tools/list_changed"})
    text(request, "changed")


TOOLS = {
    f.__name__: f
    for f in (
        pid,
        die,
        hang,
        seen,
        replies,
        asks,
        flood_line,
        flood_notifications,
        flood_requests,
        flood_garbage,
        flood_stderr,
        long_lines,
        huge,
        value,
        line,
        content,
        error,
        close_stdout,
        change,
        environment,
    )
}
NOTIFICATIONS: list[dict] = []
REPLIES: list[dict] = []
RETURNS = {"value": {"type": "object"}}


def described(name: str) -> dict:
    described = {"name": name, "description": TOOLS[name].__doc__ or "", "inputSchema": ANY}
    return described | ({"outputSchema": RETURNS[name]} if name in RETURNS else {})


def serve(listing: object = None) -> None:
    """Speaks the protocol; `listing` are the pages of the list of tools."""
    pages = listing or [[described(name) for name in TOOLS]]
    for text_line in sys.stdin.buffer:
        message = json.loads(text_line)
        method = message.get("method")
        if method is None:
            REPLIES.append(message)
        elif "id" not in message:
            NOTIFICATIONS.append(message)
        elif method == "initialize":
            answer(
                message,
                {
                    "protocolVersion": "2025-06-18",
                    "capabilities": {"tools": {}},
                    "serverInfo": {"name": "raw", "version": "1"},
                },
            )
        elif method == "tools/list":
            page = int(message.get("params", {}).get("cursor", 0))
            more = {"nextCursor": str(page + 1)} if page + 1 < len(pages) else {}
            answer(message, {"tools": pages[page], **more})
        elif method == "tools/call":
            params = message["params"]
            TOOLS.get(params["name"], content)(message, params.get("arguments", {}))
        else:
            error(message, {"code": -32601, "message": "no such method"})


# How it starts.


def listing(path: str) -> None:
    """With the pages of tools in a file."""
    serve(json.loads(Path(path).read_text()))


def late_tools() -> None:
    """Has another tool by the time that the list is asked for a second time."""
    pages = [[described("pid")]]
    listed = TOOLS["pid"]

    class Pages(list):
        def __getitem__(self, index: int) -> list:
            if len(pages[0]) == 1:
                send({"jsonrpc": "2.0", "method": "notifications/tools/list_changed"})
                pages[0] = [described("pid"), described("change")]
                return pages[0][:1]
            return pages[0]

    serve(Pages([listed]))


def endless_pages() -> None:
    class Pages(list):
        def __len__(self) -> int:
            return 10**9

        def __getitem__(self, index: int) -> list:
            return [{"name": f"tool{index}", "inputSchema": {"type": "object"}}]

    serve(Pages([0]))


def garbage() -> None:
    write("Welcome to the server!\nIt listens.")
    for _ in sys.stdin:
        pass


def greeting() -> None:
    """Prints a line that is no message, and serves."""
    write("Welcome")
    serve()


def leave(status: str, words: str) -> None:
    say(words)
    sys.exit(int(status))


def silent() -> None:
    for _ in sys.stdin:
        pass


def refuse() -> None:
    request = json.loads(sys.stdin.readline())
    error(request, {"code": -32603, "message": "no licence"})
    silent()


def wrong_result() -> None:
    request = json.loads(sys.stdin.readline())
    answer(request, {"hello": "world"})
    silent()


def after(path: str) -> None:
    """Serves once somebody has written into the named pipe at the path."""
    Path(path).read_text()
    serve()


def stubborn() -> None:
    """Ends neither with its input nor when it is told to, and has a child of the same kind."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    child = subprocess.Popen(
        [
            sys.executable,
            "-c",
            "import signal\nsignal.signal(signal.SIGTERM, signal.SIG_IGN)\nsignal.pause()",
        ]
    )
    TOOLS["child"] = lambda request, arguments: text(request, str(child.pid))
    serve()
    signal.pause()


def once(path: str) -> None:
    """Serves the first time; later there is a file at the path, and it fails."""
    if Path(path).exists():
        leave("4", "not again")
    Path(path).touch()
    serve()


if __name__ == "__main__":
    globals()[sys.argv[1]](*sys.argv[2:])
