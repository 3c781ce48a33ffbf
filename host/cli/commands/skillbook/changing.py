"""The commands of `gg skillbook` that are one operation on a book each."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Final

import click

from host.app import masker_from_environment
from host.cli.commands.records.asking import confirm
from host.cli.commands.skillbook.asking import is_terminal
from host.cli.commands.skillbook.opened import Book, SkillId, answered, book_option, guarded, wrong_use
from host.cli.lines import Line, Span, line
from host.cli.options import examples, json_option, quiet_option
from host.cli.output import Output
from host.cli.skill_lines import skill_lines
from host.core.text import join_words
from host.skillbook import SECTIONS, Done, Occurrence, Skillbook

_STDIN: Final = "-"
_TAGS: Final = {"helpful": 1, "neutral": 0, "harmful": -1}
_OPERATOR: Final = "operator"

Change = Callable[[Skillbook], Done]


def by_operator(operation: str, reason: str | None = None) -> Occurrence:
    """What a person at the command line did, as the source of it."""
    return Occurrence(
        trace_uid=f"gg:{_OPERATOR}",
        source_system="gg",
        trace_id=_OPERATOR,
        operation_type=operation,
        learning_text=reason,
    )


@click.command(
    "add",
    short_help="Add a skill.",
    epilog=examples(
        'gg skillbook add "An export has 20,000 rows." --insight "Write it in parts." --keyword csv',
        'gg skillbook add "Results are cut at 4,000 characters." --section harness --keyword tools',
        "gg skillbook add - --insight-from advice.txt --scope billing < issue.txt",
    ),
)
@click.argument("issue", metavar="ISSUE")
@click.option("--insight", metavar="TEXT", help="What to do about it; has to be given in section context.")
@click.option(
    "--insight-from",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    metavar="FILE",
    help="A file with what to do about it.",
)
@click.option("--keyword", "keywords", multiple=True, metavar="WORD", help="May be given again.")
@click.option(
    "--section",
    type=click.Choice(SECTIONS),
    metavar="NAME",
    default=SECTIONS[0],
    help="context, for a task and its world, or harness, for how gg works; context when omitted.",
)
@click.option(
    "--scope", metavar="NAME", help="Family of tasks or project that it is for; everywhere when omitted."
)
@click.option("--id", "skill_id", metavar="ID", help="Its id, without a comma; the next one when omitted.")
@book_option
@json_option
@quiet_option
def add_command(
    issue: str,
    insight: str | None,
    insight_from: Path | None,
    keywords: tuple[str, ...],
    section: str,
    scope: str | None,
    skill_id: str | None,
    path: Path | None,
    as_json: bool,
    quiet: bool,
) -> int:
    """Add a skill: ISSUE is the situation, read from stdin where it is -, and the insight is what to do about
    it.

    Prints its id. Secrets that are recognised in its texts are masked. Makes the book where there is none.
    """
    output = Output(quiet=quiet)
    if insight is not None and insight_from is not None:
        raise wrong_use("--insight and --insight-from both say what to do about it; leave one out")
    texts = {
        "issue": _stdin() if issue == _STDIN else issue,
        "insight": insight if insight_from is None else _text_of(insight_from),
        "scope": scope,
    }
    mask = masker_from_environment().mask
    masked = {name: None if text is None else mask(text) for name, text in texts.items()}
    words = [mask(keyword) for keyword in keywords]
    hidden = [name for name, text in texts.items() if masked[name] != text]
    hidden += ["keywords"] if words != list(keywords) else []

    def added() -> int:
        done = Book(path).file.apply(
            lambda book: book.add_skill(
                section,
                masked["issue"] or "",
                insight=masked["insight"],
                keywords=words,
                scope=masked["scope"],
                skill_id=skill_id,
                insight_source=by_operator("ADD"),
            )
        )
        if done.ok and hidden:
            output.problem([line(Span("masked ", "warn"), f"a secret in the {join_words(hidden)}")])
        return answered(done, output, as_json=as_json, as_data=done.skill_id)

    return guarded(added, output, as_json=as_json)


@click.command(
    "tag",
    short_help="Count that a skill was helpful, neutral or harmful.",
    epilog=examples("gg skillbook tag context-00001 helpful"),
)
@click.argument("skill_id", metavar="ID", type=SkillId("active", "held back"))
@click.argument("how", type=click.Choice(list(_TAGS)))
@book_option
@json_option
@quiet_option
def tag_command(skill_id: str, how: str, path: Path | None, as_json: bool, quiet: bool) -> int:
    """Count that a skill was helpful, neutral or harmful. What is counted decides nothing by itself."""
    delta: Final = 1 if how == "helpful" else -1 if how == "harmful" else 0
    return _changed(lambda book: book.tag_skill(skill_id, delta), path, as_json=as_json, quiet=quiet)


@click.command(
    "remove",
    short_help="Retire a skill, for a reason.",
    epilog=examples('gg skillbook remove context-00001 --reason "the export writes in parts by itself now"'),
)
@click.argument("skill_id", metavar="ID", type=SkillId("active", "held back"))
@click.option(
    "--reason", required=True, metavar="TEXT", help="Why; it stands among the sources of the skill."
)
@book_option
@json_option
@quiet_option
def remove_command(skill_id: str, reason: str, path: Path | None, as_json: bool, quiet: bool) -> int:
    """Retire a skill: no run sees it any more. It stays in the book with the reason, and gg skillbook restore
    brings it back.
    """
    if not reason.strip():
        raise wrong_use("--reason is empty; say why")
    source = by_operator("REMOVE", masker_from_environment().mask(reason.strip()))
    return _changed(
        lambda book: book.remove_skill(skill_id, insight_source=source), path, as_json=as_json, quiet=quiet
    )


@click.command(
    "restore",
    short_help="Bring back a skill that was removed or merged.",
    epilog=examples("gg skillbook restore context-00001"),
)
@click.argument("skill_id", metavar="ID", type=SkillId("removed", "merged", "rejected"))
@book_option
@json_option
@quiet_option
def restore_command(skill_id: str, path: Path | None, as_json: bool, quiet: bool) -> int:
    """Bring back a skill that was removed, or merged into another one, whose counters are less by its own
    then. One that was rejected is held back again.
    """
    source = by_operator("RESTORE")
    return _changed(
        lambda book: book.restore(skill_id, insight_source=source), path, as_json=as_json, quiet=quiet
    )


@click.command(
    "purge",
    short_help="Drop a skill for good.",
    epilog=examples("gg skillbook purge context-00001", "gg skillbook purge context-00001 --yes"),
)
@click.argument("skill_id", metavar="ID", type=SkillId())
@click.option("--yes", is_flag=True, help="Do it without the question of a terminal.")
@book_option
@json_option
@quiet_option
def purge_command(skill_id: str, yes: bool, path: Path | None, as_json: bool, quiet: bool) -> int:
    """Drop a skill and every decision about it; nothing brings it back. On a terminal the skill is shown and
    it is asked; elsewhere it takes --yes.
    """
    output = Output(quiet=quiet)
    if not yes and not is_terminal():
        raise wrong_use("purge asks first, and stdin or stderr is no terminal; say --yes")

    def purged() -> int:
        lines = [] if yes else _to_go(Book(path), skill_id, output)
        if lines:
            confirm(lines, output)
        return answered(Book(path).change(lambda book: book.purge(skill_id)), output, as_json=as_json)

    return guarded(purged, output, as_json=as_json)


def _to_go(where: Book, skill_id: str, output: Output) -> list[Line]:
    """What is shown of it; nothing where there is nothing to ask about."""
    book = where.read(output).skillbook
    skill = book.own(skill_id)
    heading = line(Span("To be dropped for good:", "warn"))
    if skill is not None:
        return [heading, *skill_lines(skill, book.decisions)]
    return [heading, line(f"skill {skill_id}, which could not be read")] if skill_id in book.unread else []


def _changed(change: Change, path: Path | None, *, as_json: bool, quiet: bool) -> int:
    output = Output(quiet=quiet)
    return guarded(
        lambda: answered(Book(path).change(change), output, as_json=as_json), output, as_json=as_json
    )


def _stdin() -> str:
    try:
        return sys.stdin.buffer.read().decode("utf-8").removesuffix("\n")
    except UnicodeDecodeError as error:
        raise wrong_use(f"stdin is no UTF-8, from byte {error.start} on") from None


def _text_of(file: Path) -> str:
    try:
        return file.read_bytes().decode("utf-8").removesuffix("\n")
    except UnicodeDecodeError as error:
        raise wrong_use(f"--insight-from {file} is no UTF-8, from byte {error.start} on") from None
