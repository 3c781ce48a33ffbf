"""`gg skillbook review`: skills that are held back, accepted or rejected by an operator."""

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Final

import click

from host.app import masker_from_environment
from host.cli.commands.skillbook.asking import Gone, ask_word, is_terminal
from host.cli.commands.skillbook.changing import by_operator
from host.cli.commands.skillbook.opened import (
    Book,
    SkillId,
    answered,
    book_option,
    done_json,
    guarded,
    told,
    wrong_use,
)
from host.cli.exit_codes import DONE, FAILED
from host.cli.lines import Line, Span, line
from host.cli.options import examples, json_option, quiet_option
from host.cli.output import Output
from host.cli.skill_lines import skill_lines
from host.core.text import counted, join_words, quoted
from host.skillbook import Done, Skill, Skillbook, state_of

_WORDS: Final[Mapping[str, str]] = {"a": "accept", "r": "reject", "l": "later", "s": "stop"}


@click.command(
    "review",
    short_help="Accept or reject the skills that are held back.",
    epilog=examples(
        "gg skillbook review",
        "gg skillbook review --accept context-00003",
        'gg skillbook review --reject context-00004 --reason "the page told it so"',
    ),
)
@click.option(
    "--accept",
    "accepted",
    multiple=True,
    type=SkillId("held back"),
    metavar="ID",
    help="Accept this skill; may be given again.",
)
@click.option(
    "--reject",
    "rejected",
    multiple=True,
    type=SkillId("held back"),
    metavar="ID",
    help="Reject this skill; may be given again.",
)
@click.option(
    "--reason", metavar="TEXT", help="With --reject: why; it stands among the sources of the skill."
)
@book_option
@json_option
@quiet_option
def review_command(
    accepted: tuple[str, ...],
    rejected: tuple[str, ...],
    reason: str | None,
    path: Path | None,
    as_json: bool,
    quiet: bool,
) -> int:
    """Show the skills that are held back, since what they were learned from is untrusted: a page, a file, the
    result of a tool, or nothing that was in the run. No run sees them until they are accepted.

    On a terminal each is shown with its evidence, and it is asked whether to accept or reject it. Elsewhere,
    and with --json, they are listed. --accept and --reject decide without a question. A skill that is
    rejected stays in the book; gg skillbook restore holds it back again.
    """
    output = Output(quiet=quiet)
    where = Book(path)
    if reason is not None and not rejected:
        raise wrong_use("--reason is for --reject; leave it out")
    if both := sorted({*accepted} & {*rejected}):
        raise wrong_use(f"--accept and --reject both name {join_words(map(quoted, both))}; leave one out")

    def reviewed() -> int:
        if accepted or rejected:
            return _decided(where, accepted, rejected, reason, output, as_json=as_json)
        book = where.read(output).skillbook
        waiting = [skill for skill in book.skills(include_invalid=True) if state_of(skill) == "held back"]
        if as_json:
            written = book.to_dict()["skills"]
            output.json({"book": str(where.shown), "skills": [written[skill.id] for skill in waiting]})
            return DONE
        if waiting and is_terminal():
            return _asked(where, book, waiting, output)
        for number, skill in enumerate(waiting):
            output.data_lines([*([Line()] if number else []), *skill_lines(skill, book.decisions)])
        output.progress([told(f"{counted(len(waiting), 'skill')} held back")])
        return DONE

    return guarded(reviewed, output, as_json=as_json)


def _decided(
    where: Book,
    accepted: Sequence[str],
    rejected: Sequence[str],
    reason: str | None,
    output: Output,
    *,
    as_json: bool,
) -> int:
    """Each is decided by itself: one that cannot be stops no other one."""

    def change(book: Skillbook) -> list[Done]:
        return [
            *(_accept(book, id_) for id_ in dict.fromkeys(accepted)),
            *(_reject(book, id_, reason) for id_ in dict.fromkeys(rejected)),
        ]

    results = where.change(change)
    if as_json:
        output.json({"results": [done_json(done) for done in results]})
    else:
        for done in results:
            answered(done, output, as_json=False)
    return DONE if all(done.ok for done in results) else FAILED


def _asked(where: Book, book: Skillbook, waiting: Sequence[Skill], output: Output) -> int:
    """Asks about each. What is decided is decided at once, and only while the skill is as it was shown."""
    counts = dict.fromkeys(_WORDS, 0)
    is_whole = True
    for number, skill in enumerate(waiting, 1):
        heading = line(Span(f"{number:,} of {len(waiting):,}", "dim"))
        try:
            word = ask_word(_WORDS, output, after=[Line(), heading, *skill_lines(skill, book.decisions)])
        except Gone:
            word = "s"
        if word == "s":
            break
        if word != "l":
            done = where.change(partial(_as_shown, skill, word))
            is_whole = is_whole and done.ok
            answered(done, output, as_json=False)
            word = word if done.ok else "l"
        counts[word] += 1
    left = len(waiting) - counts["a"] - counts["r"]
    output.progress([told(f"{counts['a']:,} accepted, {counts['r']:,} rejected, {left:,} still held back")])
    return DONE if is_whole else FAILED


def _as_shown(shown: Skill, word: str, book: Skillbook) -> Done:
    """Accepts or rejects a skill that says what was shown."""
    if book.own(shown.id) != shown:
        return Done(
            ok=False, skill_id=shown.id, why=f"{shown.id} changed since it was shown; review it again"
        )
    return _accept(book, shown.id) if word == "a" else _reject(book, shown.id)


def _accept(book: Skillbook, skill_id: str) -> Done:
    return book.accept(skill_id, insight_source=by_operator("ACCEPT"))


def _reject(book: Skillbook, skill_id: str, reason: str | None = None) -> Done:
    skill = book.own(skill_id)
    if skill is not None and state_of(skill) != "held back":
        return Done(
            ok=False, skill_id=skill_id, why=f"{skill_id} is not held back; gg skillbook remove retires it"
        )
    told = None if reason is None else masker_from_environment().mask(reason)
    return book.remove_skill(skill_id, insight_source=by_operator("REJECT", told))
