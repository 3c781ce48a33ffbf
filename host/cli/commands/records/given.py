"""The arguments of an operation from the command line: by flags, or as one JSON object."""

import json
import sys
from collections.abc import Mapping, Sequence
from typing import Any, Final

import click

from host.cli.commands.records.opened import wrong_use
from host.cli.parameters import WholeNumber
from host.core.text import join_words, quoted
from host.records import Op, Parameter

STDIN: Final = "-"
ARGS: Final = "args_json"
PROVENANCE: Final = "passage_from"
_FLAGS: Final[Mapping[str, str]] = {"tags": "--tag", "record_ids": "--id"}
_METAVARS: Final[Mapping[str, str]] = {
    "tags": "TAG",
    "record_ids": "ID",
    "stale_after": "MOMENT",
    "written_by": "NAME",
    "reviewer": "NAME",
    "kind": "KIND",
}


def parameters_of(op: Op, positional: Sequence[str]) -> list[click.Parameter]:
    """Those of the command: the positional ones may be left out, since `--args` can say them."""
    by_name = {parameter.name: parameter for parameter in op.parameters}
    arguments = [_argument(by_name[name]) for name in positional]
    options = [_option(each) for each in op.parameters if each.name not in positional]
    if "passage" in by_name:
        options.append(
            click.Option(
                ["--passage-from", PROVENANCE],
                multiple=True,
                metavar="KEY=VALUE",
                help="Where the passage is from; may be given again. It is kept as a claim.",
            )
        )
    whole = click.Option(
        ["--args", ARGS],
        metavar="JSON",
        help="All arguments as one JSON object, or - to read it from stdin; in place of all the others.",
    )
    return [*arguments, *options, whole]


def arguments_from(op: Op, positional: Sequence[str], values: Mapping[str, Any]) -> object:
    """What `invoke` is given. Raises `UsageError`."""
    given = {
        name: value
        for name, value in values.items()
        if value is not None and value is not False and value != ()
    }
    whole = given.pop(ARGS, None)
    if whole is not None:
        if given:
            said = join_words(_spelled(name, positional) for name in given)
            raise wrong_use(f"--args says all arguments; leave {said} out")
        return _parsed(_from_stdin() if whole == STDIN else whole)
    for parameter in op.parameters:
        if parameter.is_required and parameter.name in positional and parameter.name not in given:
            stdin = ", or - to read it from stdin" if _takes_stdin(parameter) else ""
            raise wrong_use(f"no {_metavar(parameter)} is given; write it{stdin}")
    return _spelled_out(op, given)


def _spelled_out(op: Op, given: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for parameter in op.parameters:
        value = given.get(parameter.name)
        if value is None:
            continue
        if _takes_stdin(parameter):
            words = [value] if isinstance(value, str) else list(value)
            value = _from_stdin().removesuffix("\n") if words == [STDIN] else " ".join(words)
        found[parameter.name] = list(value) if isinstance(value, tuple) else value
    if PROVENANCE in given:
        if "passage" not in found:
            raise wrong_use("--passage-from says where a passage is from; give that with --passage")
        found["passage"] = {"text": found["passage"], "provenance": dict(map(_pair, given[PROVENANCE]))}
    return found


def _argument(parameter: Parameter) -> click.Argument:
    metavar = _metavar(parameter)
    if _is_list(parameter):
        return click.Argument([parameter.name], nargs=-1, metavar=f"[{metavar}]…")
    if parameter.name == "query":
        return click.Argument([parameter.name], nargs=-1, metavar=f"{metavar}…")
    return click.Argument([parameter.name], required=False, metavar=metavar)


def _option(parameter: Parameter) -> click.Option:
    flag = _FLAGS.get(parameter.name, f"--{parameter.name.replace('_', '-')}")
    told = parameter.text
    if parameter.default not in (None, [], False):
        told = f"{told} {parameter.default} when omitted."
    if parameter.type == "boolean":
        return click.Option([flag, parameter.name], is_flag=True, help=told)
    kind: click.ParamType[Any] | None = None
    if parameter.choices:
        kind = click.Choice(list(parameter.choices))
    elif parameter.type == "integer":
        kind = WholeNumber(0)
    return click.Option(
        [flag, parameter.name],
        type=kind,
        multiple=_is_list(parameter),
        metavar=_metavar(parameter),
        help=f"{told} May be given again." if _is_list(parameter) else told,
    )


def _is_list(parameter: Parameter) -> bool:
    return parameter.type in ("strings", "string-or-strings")


def _takes_stdin(parameter: Parameter) -> bool:
    return parameter.name in ("text", "query")


def _metavar(parameter: Parameter) -> str:
    usual = "N" if parameter.type == "integer" else parameter.name.upper()
    return _METAVARS.get(parameter.name, usual)


def _spelled(name: str, positional: Sequence[str]) -> str:
    usual = name.upper() if name in positional else f"--{name.replace('_', '-')}"
    return _FLAGS.get(name, usual) if name not in positional else usual


def _pair(text: str) -> tuple[str, str]:
    key, equals, value = text.partition("=")
    if not equals or not key:
        raise wrong_use(f"--passage-from {quoted(text)} is no KEY=VALUE")
    return key, value


def _from_stdin() -> str:
    try:
        return sys.stdin.buffer.read().decode("utf-8")
    except UnicodeDecodeError as error:
        raise wrong_use(f"stdin is no UTF-8, from byte {error.start} on") from None


def _parsed(text: str) -> object:
    try:
        return json.loads(text, parse_constant=_no_number)
    except RecursionError:
        raise wrong_use("--args is nested too deeply; it is an object of arguments by name") from None
    except ValueError as error:
        raise wrong_use(f"--args is no JSON: {error}") from None


def _no_number(name: str) -> object:
    raise ValueError(f"{name} is no number of JSON")
