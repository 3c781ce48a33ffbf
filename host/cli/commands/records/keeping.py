"""`gg records init`, `verify` and `promote`: the key, a look at every row, memories that become records."""

import stat
from collections.abc import Iterator
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Final

import click

from host.app import (
    NotThere,
    Promotion,
    RunMemory,
    check_agents,
    environment,
    init_keys,
    masker_from_environment,
    memories_of_run,
    promote,
)
from host.cli.commands.records.asking import confirm, may_decide
from host.cli.commands.records.opened import Place, answered, keys_option, refused, store_option, told
from host.cli.counting import Counting
from host.cli.exit_codes import DONE, FAILED
from host.cli.found_lines import SHORT_ID
from host.cli.kept_lines import verified_lines
from host.cli.lines import Line, Span, line, styled
from host.cli.options import examples, json_option, quiet_option
from host.cli.output import Output
from host.cli.parameters import AgentId, RecordName
from host.cli.table import Cell, Column, table
from host.core.envelope import Envelope
from host.core.text import join_words, nearest, quoted
from host.events import RecordReader
from host.records import KEY_FILE, KINDS, Refused

_COLUMNS: Final = (
    Column(title="memory"),
    Column(title="agent", rank=2),
    Column(title="became", rank=0),
    Column(title="record"),
)
_MOST_NAMED: Final = 10


@click.command("init", short_help="Make the store's key.", epilog=examples("gg records init"))
@store_option
@json_option
@quiet_option
def init_command(path: Path | None, as_json: bool, quiet: bool) -> int:
    """Make the key of the record store, in $G6_KEYS or $G6_HOME/keys, where there is none. From then on an
    edit of the file from outside gg is seen, also one that recomputes hashes or puts an earlier file back.

    A store that is there already is taken under the key as it is. Runs of gg make the key by themselves. The
    store cannot be read without its key any more: whoever copies the one copies the other, to another place.
    """
    output = Output(quiet=quiet)
    try:
        folder, is_new = init_keys(environment())
        place = Place(path=path, keys=folder)
        if place.file.exists():
            with place.opened():
                pass  # opening takes it under the key
    except Refused as error:
        return refused(error, output, as_json=as_json)
    key = folder / KEY_FILE
    if as_json:
        output.json({"key": str(key), "made": is_new, "store": str(place.file)})
        return DONE
    output.data_lines([line(str(key))])
    mode = stat.S_IMODE(key.stat().st_mode)
    what = "the key is made" if is_new else "the key is there, and is left as it is"
    output.progress([told(f"{what}; mode {mode:04o}, for this user alone")])
    output.progress([told(f"runs of gg and gg records use it for {place.file}")])
    return DONE


@click.command(
    "verify",
    short_help="Check every record, the ledger and the head.",
    epilog=examples("gg records verify", 'gg records verify --accept "restored from the copy of Monday"'),
)
@click.option(
    "--accept",
    "reason",
    metavar="REASON",
    help="Take the file as it is from then on, for this reason, which is kept.",
)
@click.option("--yes", is_flag=True, help="Do it without the question of a terminal.")
@store_option
@keys_option
@json_option
@quiet_option
def verify_command(
    reason: str | None, yes: bool, path: Path | None, keys: Path | None, as_json: bool, quiet: bool
) -> int:
    """Check every record against its hash and the key, the chain of the ledger, and the head beside the key.
    Exits with 1 if something was changed outside gg.

    With --accept the file counts as right from then on: what was changed stays unreadable, what is missing is
    noted as lost, and writes go on. It needs a terminal, or GG_SENSITIVE=1 in the environment.
    """
    output = Output(quiet=quiet)
    try:
        is_asked = reason is not None and may_decide("verify --accept", output, yes=yes)
        with Place(path=path, keys=keys).opened(may_make=False) as store:
            with output.waiting("checking"):
                envelope = store.verify(Counting(output, "checked"))
            if reason is None:
                return _verified(envelope, output, as_json=as_json)
            if is_asked:
                confirm([*verified_lines(envelope.to_json()), line("It is taken as it is.")], output)
            with output.waiting("accepting"):
                accepted = store.accept(reason)
    except Refused as error:
        return refused(error, output, as_json=as_json)
    return answered(accepted, output, as_json=as_json, lines=None)


def _verified(envelope: Envelope, output: Output, *, as_json: bool) -> int:
    """What is wrong is what was asked for: it goes to stdout, though the answer is a refusal."""
    if not as_json and envelope.is_refusal:
        output.data_lines(verified_lines(envelope.to_json()))
        output.problem([line(Span("gg: ", "bad"), f"{envelope.code}: {envelope.message}")])
        return FAILED
    return answered(envelope, output, as_json=as_json, lines=verified_lines)


@click.command(
    "promote",
    short_help="Make records of the memories of a run.",
    epilog=examples(
        "gg records promote last", "gg records promote last --slug 'csv-*' --kind lesson --tag exports"
    ),
)
@click.argument("record", type=RecordName())
@click.option(
    "--agent", "agents", type=AgentId(), multiple=True, metavar="ID", help="Only memories of its store."
)
@click.option(
    "--slug", "slugs", multiple=True, metavar="SLUG", help="Only this memory, or those of a pattern as csv-*."
)
@click.option(
    "--kind",
    type=click.Choice(KINDS),
    default="note",
    metavar="KIND",
    help="What they become; note when omitted.",
)
@click.option("--tag", "tags", multiple=True, metavar="TAG", help="Give each this tag; may be given again.")
@store_option
@keys_option
@json_option
@quiet_option
def promote_command(
    record: Path,
    agents: tuple[str, ...],
    slugs: tuple[str, ...],
    kind: str,
    tags: tuple[str, ...],
    path: Path | None,
    keys: Path | None,
    as_json: bool,
    quiet: bool,
) -> int:
    """Make a record of each memory that the agents of RECORD held in the end: its description, an empty line,
    and its body, written by agent:RUN/AGENT, with run:RUN#TURN of its last revision as the source. Code is
    left out, and secrets are masked.

    What is there already is passed over. A memory that cannot be kept, as one of more than 4,000 characters,
    is told with the reason, stops no other one, and has the command exit with 1.
    """
    output = Output(quiet=quiet)
    reader = RecordReader(record)
    with output.waiting("reading"):
        if agents:
            check_agents(agents, [agent.agent_id for agent in reader.agents()])
        memories = _chosen(memories_of_run(reader.events(), frozenset(agents) or None), slugs)
    try:
        with Place(path=path, keys=keys).opened() as store, output.waiting("promoting"):
            mask = masker_from_environment().mask
            made = list(promote(store, memories, kind=kind, tags=tags, mask=mask))
    except Refused as error:
        return refused(error, output, as_json=as_json)
    return _shown(made, record, output, as_json=as_json)


def _chosen(memories: tuple[RunMemory, ...], slugs: tuple[str, ...]) -> list[RunMemory]:
    """Those of one of the slugs. Raises `NotThere` for one that is none's."""
    known = sorted({memory.slug for memory in memories})
    for slug in slugs:
        if not any(fnmatchcase(name, slug) for name in known):
            near = nearest(slug, known, count=1)
            more = [f"{len(known) - _MOST_NAMED} more"] if len(known) > _MOST_NAMED else []
            held = join_words([*map(quoted, known[:_MOST_NAMED]), *more]) or "none"
            there = f"did you mean {quoted(near[0])}?" if near else f"the stores held {held}"
            raise NotThere(f"no memory is called {quoted(slug)}; {there}")
    return [
        memory for memory in memories if not slugs or any(fnmatchcase(memory.slug, slug) for slug in slugs)
    ]


def _shown(made: list[Promotion], record: Path, output: Output, *, as_json: bool) -> int:
    failed = sum(each.refused is not None for each in made)
    if as_json:
        output.json({"record": str(record), "promoted": [_json(each) for each in made]})
        return FAILED if failed else DONE
    if made:
        output.data_lines(table(_COLUMNS, [_row(each) for each in made], output.width))
    output.problem(_reasons(made))
    new = sum(each.refused is None and not each.existed for each in made)
    there = sum(each.existed for each in made)
    parts = [f"{new:,} kept", *([f"{there:,} there already"] if there else [])]
    parts += [f"{failed:,} refused"] if failed else []
    output.progress([told(join_words(parts))])
    return FAILED if failed else DONE


def _became(promotion: Promotion) -> str:
    if promotion.refused is not None:
        return "refused"
    return "there" if promotion.existed else "kept"


def _row(promotion: Promotion) -> list[Cell]:
    memory, record = promotion.memory, promotion.record
    became = _became(promotion)
    return [
        Cell(memory.slug, "name"),
        Cell(memory.agent_id),
        Cell(became, "bad" if promotion.refused else ""),
        Cell(record.id[:SHORT_ID] if record else promotion.refused.code if promotion.refused else ""),
    ]


def _reasons(made: list[Promotion]) -> Iterator[Line]:
    for each in made:
        if each.refused is not None:
            yield line(styled(each.memory.slug, "name"), f"  {each.refused.message}")


def _json(promotion: Promotion) -> dict[str, object]:
    memory, record, error = promotion.memory, promotion.record, promotion.refused
    return {
        "memory": memory.slug,
        "agent": memory.agent_id,
        "outcome": _became(promotion),
        **({"record": record.to_json()} if record else {}),
        **({"code": error.code, "message": error.message} if error else {}),
    }
