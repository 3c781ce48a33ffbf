"""`gg repl`: a person types programs, or calls of tools, in the model's place."""

from pathlib import Path

import click

from host.app import Session, repl_plan
from host.cli.approval import person_at_terminal
from host.cli.interrupts import interruptible
from host.cli.lines import Line, Span, labeled, line, styled
from host.cli.options import examples, out_option, quiet_option
from host.cli.output import Output
from host.cli.person import Person
from host.cli.program_input import program_reader
from host.cli.terminal import kept_terminal
from host.core.text import escape_controls
from host.events import Defect, OperatorLog, StampedEvent


@click.command(
    short_help="Type programs in the model's place.",
    epilog=examples("gg repl", "gg repl fixtures/quickstart"),
)
@click.argument("config", required=False, metavar="[CONFIG]", type=click.Path(path_type=Path))
@out_option
@quiet_option
def repl(config: Path | None, out: Path | None, quiet: bool) -> int:
    """Type programs in the model's place: the same compilers, sandbox, SDK and feedback.

    CONFIG is a configuration as for `gg run`; its model and its limits of a run are put aside, and no key of
    a vendor is needed. Without it there is one agent with memories and, for reading, the files of this
    directory. Ctrl-D ends a program and runs it; where none was typed, it leaves. Programs may come through
    a pipe, each ended by a line that is Ctrl-D alone or by the end of the input.

    Where the agent of CONFIG calls tools, a reply is one call to a line, as name {json}; a text without a
    call is a reply that makes none.
    """
    output = Output(quiet=quiet)
    plan = repl_plan(config)
    person = Person(
        program_reader(styled=output.is_styled),
        show=output.data_lines,
        say=output.progress,
        names_agents=any(agent.delegates for agent in plan.agents),
    )
    approver = person_at_terminal(output)
    session = Session.create(plan, out=out, ask=person, approve=approver)
    session.subscribe(lambda stamped: output.progress(_beside(stamped)))
    with kept_terminal() as restore, interruptible(session, output, before_exit=restore):
        result = session.run()
        if approver is not None:
            approver.rest()
    if result.error is not None:
        output.problem([line(Span(f"{result.status}: ", "bad"), result.error)])
    if result.ending is not None:
        output.data(escape_controls(result.ending.summary))
    output.progress([line(Span("record  ", "dim"), str(result.record))])
    return result.exit_code


def _beside(stamped: StampedEvent) -> list[Line]:
    """What a model does not read: console output, and the host's own word."""
    match stamped.event:
        case OperatorLog(source=source, text=text):
            return [labeled("gg" if source == "host" else "console", styled(text, "dim"))]
        case Defect(kind=kind, detail=detail):
            return [labeled("defect", styled(f"{kind}: {detail}", "bad"), style="bad")]
    return []
