"""`gg skillbook export` and `gg skillbook import`: books as files of other forms."""

import json
import sys
from collections import Counter
from pathlib import Path
from typing import Final, get_args

import click

from host.cli.commands.records.files import target_of
from host.cli.commands.skillbook.opened import Book, book_option, guarded, told, wrong_use
from host.cli.exit_codes import DONE, FAILED
from host.cli.lines import Line, Span, line, styled
from host.cli.options import examples, json_option, quiet_option
from host.cli.output import Output
from host.core.errors import HostError
from host.core.scrubbing import scrub
from host.core.text import counted, join_words, quoted
from host.skillbook import FORMATS, Became, Imported, Skillbook, embedding_text, import_skills, markdown

_STDIO: Final = "-"
_MARKDOWN: Final = "markdown"


class NoBookGiven(HostError):
    """What was to be imported is no skillbook."""


@click.command(
    "export",
    short_help="Write the book as Markdown, or in a format of ACE.",
    epilog=examples(
        "gg skillbook export",
        "gg skillbook export --format v1 skillbook-v1.json",
        "gg skillbook export --format v2 | jq '.skills | length'",
    ),
)
@click.argument("file", type=click.Path(path_type=Path, allow_dash=True), required=False, metavar="[FILE]")
@click.option(
    "--format",
    "written_as",
    type=click.Choice([_MARKDOWN, *FORMATS]),
    default=_MARKDOWN,
    metavar="NAME",
    help=f"{join_words([_MARKDOWN, *FORMATS], 'or')}; {_MARKDOWN} when omitted.",
)
@book_option
@json_option
@quiet_option
def export_command(file: Path | None, written_as: str, path: Path | None, as_json: bool, quiet: bool) -> int:
    """Write the whole book to FILE, which must not be there yet, or to stdout: as Markdown for a person, or
    in a format that ACE reads. What a format has no place for stands under its key gg.

    With --json says where it was written to and how many skills that are, which then needs a FILE.
    """
    output = Output(quiet=quiet)
    target = file or Path(_STDIO)
    if as_json and str(target) == _STDIO:
        raise wrong_use("--json says where the book was written to; name a FILE, or leave it out")

    def exported() -> int:
        book = Book(path).read(output).skillbook
        with target_of(target, output) as (write, _):
            write(_written(book, written_as, is_shown=str(target) == _STDIO and sys.stdout.isatty()))
        count = len(book.skills(include_invalid=True))
        if as_json:
            output.json({"file": str(target), "format": written_as, "skills": count})
        output.progress([] if as_json else [told(f"{counted(count, 'skill')} exported")])
        return DONE

    return guarded(exported, output, as_json=as_json)


def _written(book: Skillbook, written_as: str, *, is_shown: bool) -> str:
    """The text of it; what reaches a terminal is in ASCII, so that no text of a skill acts on it."""
    if written_as == _MARKDOWN:
        return markdown(book)
    known = next(name for name in FORMATS if name == written_as)
    return json.dumps(book.to_dict(known), ensure_ascii=is_shown, indent=2) + "\n"


@click.command(
    "import",
    short_help="Take over the skills of another book.",
    epilog=examples(
        "gg skillbook import skillbook-v1.json",
        "gg skillbook import theirs.json --hold-back",
        "cat theirs.json | gg skillbook import -",
    ),
)
@click.argument("file", type=click.Path(path_type=Path, allow_dash=True))
@click.option("--replace", "replaces", is_flag=True, help="Put a skill in place of another one under its id.")
@click.option(
    "--hold-back", "holds_back", is_flag=True, help="Have each active skill wait for gg skillbook review."
)
@book_option
@json_option
@quiet_option
def import_command(
    file: Path, replaces: bool, holds_back: bool, path: Path | None, as_json: bool, quiet: bool
) -> int:
    """Take over the skills of FILE, or of stdin where it is -, in any format of ACE, with their counters,
    sources and state, and decisions about them. Makes the book where there is none.

    What is there already is passed over. A skill that has the id of another one is not taken, nor is one that
    cannot be read: each is told, stops no other one, and has the command exit with 1. --replace takes the
    former. Nothing is masked; skills in which a secret is recognised are told.
    """
    output = Output(quiet=quiet)

    def imported() -> int:
        other = _given(file)
        results = Book(path).file.apply(
            lambda book: import_skills(book, other, replaces=replaces, holds_back=holds_back)
        )
        return _told(results, other, output, as_json=as_json)

    return guarded(imported, output, as_json=as_json)


def _given(file: Path) -> Skillbook:
    """Raises `Refused` for a file that is no book."""
    if str(file) != _STDIO:
        return Skillbook.load_from_file(file)
    try:
        return Skillbook.from_dict(json.loads(sys.stdin.buffer.read().decode("utf-8")))
    except (ValueError, RecursionError) as error:
        raise NoBookGiven(f"what stdin holds is no skillbook: {error}") from None


def _told(results: tuple[Imported, ...], other: Skillbook, output: Output, *, as_json: bool) -> int:
    kept = [each.skill_id for each in results if each.became == "kept"]
    secrets = [
        skill.id for skill in other.skills(include_invalid=True) if _holds_secret(embedding_text(skill))
    ]
    code = FAILED if kept or other.problems else DONE
    if as_json:
        output.json(
            {
                "skills": [{"skill_id": each.skill_id, "became": each.became} for each in results],
                "problems": [{"place": problem.place, "why": problem.why} for problem in other.problems],
                "secrets": secrets,
            }
        )
        return code
    output.data_lines(_row(each) for each in results if each.became in ("added", "replaced"))
    output.problem(_kept_line(id_) for id_ in kept)
    output.problem(line(Span("not read ", "warn"), str(problem)) for problem in other.problems)
    output.problem(
        line(Span("secret ", "warn"), f"something in {quoted(id_)} looks like one, and is kept as it is")
        for id_ in secrets
    )
    counts = Counter(each.became for each in results)
    words: dict[Became, str] = {name: _WORDS[name] for name in get_args(Became)}
    parts = [f"{counts[name]:,} {word}" for name, word in words.items() if counts[name] or name == "added"]
    output.progress([told(join_words(parts))])
    return code


_WORDS: Final[dict[Became, str]] = {
    "added": "added",
    "replaced": "replaced",
    "there": "there already",
    "kept": "not taken",
}


def _row(each: Imported) -> Line:
    return line(styled(each.skill_id, "name"), *(["  replaced"] if each.became == "replaced" else []))


def _kept_line(skill_id: str) -> Line:
    told = (
        f"{quoted(skill_id)} is another skill here, and stays as it is; --replace puts the other in its place"
    )
    return line(Span("not taken ", "warn"), told)


def _holds_secret(text: str) -> bool:
    return scrub(text) != text
