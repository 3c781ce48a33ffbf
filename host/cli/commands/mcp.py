"""`gg mcp`: gg as a server for clients of the Model Context Protocol."""

import sys
from ipaddress import ip_address
from pathlib import Path
from typing import Final

import click

from host.app import RUNS_FOLDER, served_plan
from host.cli.aside import Aside
from host.cli.exit_codes import DONE
from host.cli.lines import Line, Span, labeled, line, styled
from host.cli.options import examples, quiet_option
from host.cli.output import Output
from host.events import Defect, OperatorLog, StampedEvent
from host.launch import BOOK_FILE
from host.mcp import Serving, serve_http, serve_stdio, token_of

RECORDS_FOLDER: Final = RUNS_FOLDER.with_name("mcp")
_AT_A_TERMINAL: Final = "waits for a client of MCP on stdin, which starts it itself as a rule; Ctrl-C ends it"
_OF_HTTP: Final = ("host", "port", "token_file")


def _loopback(context: click.Context, parameter: click.Parameter, host: str) -> str:
    """The address; a server that others can reach is refused."""
    try:
        address = ip_address("127.0.0.1" if host == "localhost" else host)
    except ValueError:
        address = None
    if address is None or not address.is_loopback:
        raise click.UsageError(
            f"--host {host} is no address of this machine alone; 127.0.0.1 is", ctx=context
        )
    return str(address)


@click.command(
    short_help="Serve programs and memories to MCP clients.",
    epilog=examples("gg mcp", "gg mcp fixtures/quickstart --transport http --port 8700"),
)
@click.argument("config", required=False, metavar="[CONFIG]", type=click.Path(path_type=Path))
@click.option(
    "--transport",
    type=click.Choice(["stdio", "http"]),
    default="stdio",
    help="How clients are spoken to; stdio when omitted.",
)
@click.option(
    "--host",
    metavar="ADDRESS",
    default="127.0.0.1",
    callback=_loopback,
    help="Loopback address to listen on; 127.0.0.1 when omitted.",
)
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    metavar="N",
    default=8700,
    help="Port to listen on, 0 for any that is free; 8700 when omitted.",
)
@click.option(
    "--token-file",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="File with the token of clients over HTTP; else GG_MCP_TOKEN has it, or one is made and printed.",
)
@click.option(
    "--record",
    type=click.Path(path_type=Path),
    metavar="DIR",
    default=RECORDS_FOLDER,
    help="Folder of the session records, which memories are taken up from; .gg/mcp when omitted.",
)
@click.option(
    "--skillbook",
    type=click.Path(path_type=Path),
    metavar="FILE",
    default=BOOK_FILE,
    help="The book of the tools ace.…; .gg/skillbook.json when omitted.",
)
@click.option(
    "--skillbook-root",
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    metavar="DIR",
    help="Folder in which clients may save and load books; nowhere when omitted.",
)
@click.option(
    "--skillbook-scope",
    metavar="NAME",
    help="Give clients skills for this scope, and those for everywhere; the latter alone when omitted.",
)
@quiet_option
@click.pass_context
def mcp(
    context: click.Context,
    config: Path | None,
    transport: str,
    host: str,
    port: int,
    token_file: Path | None,
    record: Path,
    skillbook: Path,
    skillbook_root: Path | None,
    skillbook_scope: str | None,
    quiet: bool,
) -> int:
    """Serve gg to clients of the Model Context Protocol, over stdio or streamable HTTP.

    Clients run programs for one agent, which keeps memories between calls and over restarts, and call its
    memories as tools. CONFIG is a configuration as for `gg run`: its root is that agent, whose replies come
    from the clients. Without it the agent has memories, and neither files nor a shell. The tools ace.…
    give skills of the book, under the names of ACE's server.

    Over HTTP the server is reached from this machine alone, and every request needs the token. Ctrl-C ends
    it. What is not of the protocol goes to stderr.
    """
    _refuse_unused(context, transport)
    output = Output(quiet=quiet)
    aside = Aside(output, quiet=quiet)
    serving = Serving(
        plan=lambda: served_plan(config),
        folder=record,
        skillbook=skillbook,
        skillbook_root=skillbook_root,
        skillbook_scope=skillbook_scope,
        watch=lambda stamped: aside.progress(_beside(stamped)),
        tell=aside.tell,
    )
    if transport == "stdio":
        if sys.stdin is not None and sys.stdin.isatty():
            output.progress([line(styled("gg: ", "dim"), _AT_A_TERMINAL)])
        serve_stdio(serving)
        return DONE
    token = token_of(token_file)

    def listening(url: str) -> None:
        output.problem([line(Span("mcp    ", "dim"), url)])
        if token.is_new:
            output.problem([line(Span("token  ", "dim"), token.value)])

    serve_http(serving, host=host, port=port, token=token.value, listening=listening)
    return DONE


def _refuse_unused(context: click.Context, transport: str) -> None:
    given = click.core.ParameterSource.COMMANDLINE
    for name in _OF_HTTP:
        if transport == "stdio" and context.get_parameter_source(name) is given:
            option = f"--{name.replace('_', '-')}"
            raise click.UsageError(f"{option} is for --transport http; leave it out", ctx=context)


def _beside(stamped: StampedEvent) -> list[Line]:
    """Console output of programs, and the host's own word."""
    match stamped.event:
        case OperatorLog(source=source, text=text):
            return [labeled("gg" if source == "host" else "console", styled(text, "dim"))]
        case Defect(kind=kind, detail=detail):
            return [labeled("defect", styled(f"{kind}: {detail}", "bad"), style="bad")]
    return []
