"""`gg runs`: the records of earlier runs, as a list; `gg runs prune` removes the oldest."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

import click

from host.app import RUNS_FOLDER, FoundRun, Pruned, list_runs, prune, size_of
from host.cli.exit_codes import DONE, FAILED
from host.cli.groups import DefaultGroup
from host.cli.lines import Line, Span, Style, counted, line
from host.cli.options import examples, json_option, quiet_option
from host.cli.output import Output
from host.cli.parameters import RunsFolder, WholeNumber
from host.cli.table import Cell, Column, table
from host.cli.team_lines import STATUS_STYLES
from host.cli.turn_lines import duration
from host.core.text import format_size
from host.events import plain

_COLUMNS: Final = (
    Column(title="id"),
    Column(title="status"),
    Column(title="started (UTC)", rank=4),
    Column(title="agents", rank=6, is_number=True),
    Column(title="turns", rank=1, is_number=True),
    Column(title="tokens", rank=2, is_number=True),
    Column(title="took", rank=3, is_number=True),
    Column(title="size", rank=5, is_number=True),
    Column(title="task"),
)

_folder = click.argument("folder", required=False, metavar="[DIR]", default=RUNS_FOLDER, type=RunsFolder())


@click.command(
    "list",
    short_help="List the records of earlier runs.",
    epilog=examples("gg runs", "gg runs prune --keep 20"),
)
@_folder
@json_option
@quiet_option
def list_command(folder: Path, as_json: bool, quiet: bool) -> None:
    """List the records of earlier runs, the newest first: those under .gg/runs, or in or under DIR.

    With --json prints one object {folder, runs}. What is no record, or cannot be read, is listed as such.
    """
    output = Output(quiet=quiet)
    with output.waiting("reading"):
        runs = list_runs(folder)
        sizes = [size_of(run.path) for run in runs]
    if as_json:
        entries = [run_json(run, size) for run, size in zip(runs, sizes, strict=True)]
        output.json({"folder": str(folder), "runs": entries})
        return
    if runs:
        output.data_lines(run_lines(runs, sizes, output.width))
    else:
        output.progress([line(f"no records under {folder}; gg run CONFIG makes one")])


@click.command(
    "prune",
    short_help="Remove the oldest records.",
    epilog=examples("gg runs prune --keep 20 --dry-run", "gg runs prune --keep 20"),
)
@click.option(
    "--keep", required=True, metavar="N", type=WholeNumber(0), help="How many records to keep: the newest."
)
@click.option("--dry-run", is_flag=True, help="Say what would be removed, and remove nothing.")
@_folder
@json_option
@quiet_option
def prune_command(keep: int, dry_run: bool, folder: Path, as_json: bool, quiet: bool) -> int:
    """Remove the oldest records, those under .gg/runs or in or under DIR, but the N newest.

    One that is being written is kept, and so is what is no record. Says what was removed, or with --json
    prints one object {removed, kept, failed, bytes}. Exits with 1 if a record could not be removed.
    """
    output = Output(quiet=quiet)
    done: list[Pruned] = []
    with output.waiting("removing"):
        for pruned in prune(folder, keep=keep, dry_run=dry_run):
            done.append(pruned)
            if not as_json:
                write = output.problem if pruned.fate == "failed" else output.data_lines
                write([pruned_line(pruned, dry_run=dry_run)])
    if as_json:
        output.json(pruned_json(done))
    output.progress([total_line(done, dry_run=dry_run)])
    return FAILED if any(pruned.fate == "failed" for pruned in done) else DONE


runs = DefaultGroup("runs", default=list_command, commands=[prune_command])


def run_lines(runs: Sequence[FoundRun], sizes: Sequence[int], width: int | None) -> Iterator[Line]:
    """One line for each; of the width of the terminal."""
    rows = [_row(run, size) for run, size in zip(runs, sizes, strict=True)]
    return table(_COLUMNS, rows, width)


def run_json(run: FoundRun, size_bytes: int) -> dict[str, object]:
    """What `--json` says of one of them."""
    glance = run.glance
    end = glance.end if glance else None
    return {
        "id": run.id,
        "path": str(run.path),
        "kind": run.kind,
        "problem": run.problem or None,
        "status": run.status,
        "torn": glance.torn if glance else None,
        "run": glance.run if glance else None,
        "name": glance.name if glance else None,
        "task": glance.task if glance else None,
        "startedAt": plain(glance.created_at) if glance else None,
        "agents": end.agents if end else None,
        "turns": end.turns if end else None,
        "inputTokens": end.input_tokens if end else None,
        "outputTokens": end.output_tokens if end else None,
        "durationS": end.duration_s if end else None,
        "bytes": size_bytes,
    }


def pruned_line(pruned: Pruned, *, dry_run: bool) -> Line:
    """`removed  20261130-184015-3e621f  31.2 KiB`."""
    fate, style = _FATES[pruned.fate]
    told = format_size(pruned.bytes) if pruned.fate == "removed" else pruned.reason
    word = f"would be {fate}" if dry_run and pruned.fate == "removed" else fate
    return line(Span(f"{word:<7}  ", style), Span(pruned.path.name), f"  {told}")


def total_line(done: Sequence[Pruned], *, dry_run: bool) -> Line:
    """`removed 3 records, 1.2 MiB`."""
    removed = [pruned for pruned in done if pruned.fate == "removed"]
    size = format_size(sum(pruned.bytes for pruned in removed))
    return line(f"{'would remove' if dry_run else 'removed'} {counted(len(removed), 'record')}, {size}")


def pruned_json(done: Sequence[Pruned]) -> dict[str, object]:
    """What `--json` prints."""
    removed = [{"path": str(each.path), "bytes": each.bytes} for each in done if each.fate == "removed"]
    others = {
        fate: [{"path": str(each.path), "reason": each.reason} for each in done if each.fate == fate]
        for fate in ("kept", "failed")
    }
    return {"removed": removed, **others, "bytes": sum(pruned.bytes for pruned in done)}


_FATES: Final[dict[str, tuple[str, Style]]] = {
    "removed": ("removed", "good"),
    "kept": ("kept", "warn"),
    "failed": ("failed", "bad"),
}


def _row(run: FoundRun, size_bytes: int) -> list[Cell]:
    size = Cell(format_size(size_bytes))
    if run.glance is None or run.status is None:
        told = "no record" if run.kind == "foreign" else "unreadable"
        return [Cell(run.id), Cell(told, "warn"), *([Cell("")] * 5), size, Cell(run.problem)]
    glance, end = run.glance, run.glance.end
    status = f"{run.status}, torn" if glance.torn and run.status == "cut off" else run.status
    task = f"{glance.name}: {glance.task}".lstrip(": ")
    tokens = None if end.input_tokens is None else end.input_tokens + (end.output_tokens or 0)
    return [
        Cell(run.id),
        Cell(status, STATUS_STYLES.get(run.status, "bad")),
        Cell(f"{glance.created_at:%Y-%m-%d %H:%M}"),
        Cell(_figure(end.agents)),
        Cell(_figure(end.turns)),
        Cell(_figure(tokens)),
        Cell("?" if end.duration_s is None else duration(end.duration_s * 1000)),
        size,
        Cell(task.partition("\n")[0]),
    ]


def _figure(value: int | None) -> str:
    return "?" if value is None else f"{value:,}"
