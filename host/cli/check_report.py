"""What `gg check` found, in each of the forms that it can be asked for."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from host.app import Checked, CheckKind, HeldMemory
from host.cli.lines import Line, Span, counted, flat, line, styled
from host.core.text import escape_controls, join_words
from runtime_js import Diagnostic, Severity, UnitKind, render_diagnostics

_MOST_SHOWN: Final = 50
"""Diagnostics of one text that a person is shown; a file of another language has thousands."""

_HALVES: Final[Mapping[CheckKind, str]] = {
    UnitKind.PROGRAM: "program",
    UnitKind.MODULE: "code",
    UnitKind.ON_USE: "onUse",
}
_IN_DATA: Final = {"%": "%25", "\r": "%0D", "\n": "%0A"}
_IN_PROPERTIES: Final = {**_IN_DATA, ":": "%3A", ",": "%2C"}


def human_lines(checked: Checked) -> Iterator[Line]:
    """Each diagnostic with its source line and a caret; nothing for what is healthy."""
    judged = [*_judged(checked)]
    if judged:
        yield from _heading(checked)
    for diagnostic, severity in judged[:_MOST_SHOWN]:
        first, *rest = render_diagnostics((diagnostic,), severity=severity).split("\n")
        yield Line((Span(first, "bad" if severity == "error" else "warn"),))
        yield from (Line((Span(row),), may_crop=True) for row in rest)
    if len(judged) > _MOST_SHOWN:
        yield line(styled(checked.name, "name"), f": … {len(judged) - _MOST_SHOWN:,} more; --json has all")


def github_lines(checked: Checked) -> Iterator[str]:
    """Workflow commands, which GitHub shows at the lines of a pull request.

    A memory of a record is no file of the repository, so its place stands in the message.
    """
    for diagnostic, severity in _judged(checked):
        title, message = diagnostic.code or severity, diagnostic.message
        place = {"file": diagnostic.file, "line": str(diagnostic.line), "col": str(diagnostic.column)}
        if checked.memory:
            place, title = {}, f"{_named(checked.memory)}#{checked.memory.revision} {title}"
            message = f"{diagnostic.file}:{diagnostic.line}:{diagnostic.column}: {message}"
        elif checked.healing:
            title = f"{title} ({_healed_by(checked)})"
        properties = {**place, "title": title}
        told = ",".join(f"{name}={_escaped(text, _IN_PROPERTIES)}" for name, text in properties.items())
        yield f"::{severity} {told}::{_escaped(message, _IN_DATA)}"


def report_json(checked: Sequence[Checked]) -> dict[str, object]:
    """What `--json` prints. `files` counts texts, a half of a memory as one."""
    return {
        "files": len(checked),
        "errors": error_count(checked),
        "warnings": sum(len(each.warnings) for each in checked),
        "diagnostics": [entry for each in checked for entry in _entries(each)],
    }


def summary_line(checked: Sequence[Checked], *, more: str = "") -> Line:
    """`2 errors and 1 warning in 3 files and 1 code memory`.

    Where there is nothing, what was named are records; or `more` follows, as of files that are awaited.
    """
    if not (checked or more):
        return line("nothing to check: the run held no code memory when it ended")
    errors, warnings = error_count(checked), sum(len(each.warnings) for each in checked)
    told = counted(errors, "error") if errors else "no errors"
    also = f" and {counted(warnings, 'warning')}" if warnings else ""
    memories = {(each.memory.record, each.memory.store, each.memory.slug) for each in checked if each.memory}
    files = sum(each.memory is None for each in checked)
    counts = [counted(files, "file")] if files or not memories else []
    counts += [counted(len(memories), "code memory")] if memories else []
    return line(styled(told, "bad" if errors else "good"), f"{also} in {' and '.join(counts)}{more}")


def error_count(checked: Iterable[Checked]) -> int:
    return sum(len(each.errors) for each in checked)


def _judged(checked: Checked) -> Iterator[tuple[Diagnostic, Severity]]:
    yield from ((diagnostic, "error") for diagnostic in checked.errors)
    yield from ((diagnostic, "warning") for diagnostic in checked.warnings)


def _heading(checked: Checked) -> Iterator[Line]:
    """What the diagnostics cannot say themselves: whose text it is, and that it is not the file's."""
    if (memory := checked.memory) is not None:
        verdict = "does not compile" if checked.errors else "compiles with warnings"
        masked = "; the record holds it masked, which may be why" if memory.masked else ""
        store = "" if memory.is_alone else f" of {memory.store}"
        half = f"{store}, revision {memory.revision}: its {_HALVES[checked.kind]} {verdict}{masked}"
        yield line(flat(f"{memory.record}: "), styled(memory.slug, "name"), half)
    if checked.healing:
        told = f": {_healed_by(checked)}; places are in the healed text"
        yield line(styled(checked.name, "name"), told)


def _named(memory: HeldMemory) -> str:
    return memory.slug if memory.is_alone else f"{memory.store}/{memory.slug}"


def _healed_by(checked: Checked) -> str:
    return f"healed by {join_words(checked.healing)}"


def _entries(checked: Checked) -> Iterator[dict[str, object]]:
    memory = checked.memory
    whose = {"store": memory.store, "memory": memory.slug, "revision": memory.revision} if memory else {}
    healing = {"healing": [*checked.healing]} if checked.healing else {}
    for diagnostic, severity in _judged(checked):
        yield {
            "file": diagnostic.file,
            "line": diagnostic.line,
            "column": diagnostic.column,
            "code": diagnostic.code,
            "severity": severity,
            "message": diagnostic.message,
            "kind": str(checked.kind),
            **whose,
            **healing,
        }


def _escaped(text: str, escapes: dict[str, str]) -> str:
    return "".join(escapes.get(character) or escape_controls(character) for character in text)
