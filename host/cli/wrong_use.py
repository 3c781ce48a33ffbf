"""Wrong use in one line that names the remedy, worded here: click's own words differ between its versions."""

import re
from typing import Final

import click

from host.core.text import join_words, nearest, quoted, shortened

_LINE_BREAK: Final = re.compile(r"\s*\n\s*")
_TOO_MANY: Final = re.compile(r"Got unexpected extra arguments? \((.*)\)", re.DOTALL)
_NO_CHOICE: Final = re.compile(r"'(.*)' is not one of .*", re.DOTALL)
_MAX_CHARS: Final = 300


def wrong_use(error: click.ClickException) -> tuple[str, str]:
    """The command that was used, and what is wrong and what would be right."""
    context = error.ctx if isinstance(error, click.UsageError) else None
    path = context.command_path.strip() if context else "gg"
    message = _LINE_BREAK.sub(" ", _message(error, context).strip()).removesuffix(".")
    message = shortened(message, _MAX_CHARS)
    end = "" if message.endswith(("?", "!")) else "."
    return path, f"{message}{end} See {path} --help"


def _message(error: click.ClickException, context: click.Context | None) -> str:
    match error:
        case click.NoSuchOption():
            return _no_such_option(error, context)
        case click.MissingParameter(param=click.Parameter() as parameter):
            return _missing(parameter, context)
        case click.BadOptionUsage():
            return _bad_option(error, context)
        case click.BadParameter(param=click.Parameter() as parameter):
            return f"{_name(parameter)}: {_bad_value(error.message, parameter)}"
    message = error.format_message()
    if too_many := _TOO_MANY.fullmatch(message):
        return f"{quoted(too_many[1])} is too much"
    return f"{message[:1].lower()}{message[1:]}"


def _no_such_option(error: click.NoSuchOption, context: click.Context | None) -> str:
    parameters = context.command.get_params(context) if context else []
    known = [name for each in parameters for name in each.opts if name.startswith("--")]
    near = nearest(error.option_name, known, count=1)
    told = f"did you mean {near[0]}?" if near else f"there are {join_words(known)}"
    return f"no such option {quoted(error.option_name)}; {told}"


def _missing(parameter: click.Parameter, context: click.Context | None) -> str:
    value = f" {parameter.metavar}" if isinstance(parameter, click.Option) else ""
    told = f"{_name(parameter)}{value} is missing"
    if isinstance(parameter.type, click.Choice):
        return f"{told}; it is {_choices(parameter.type)}"
    remedy = parameter.type.get_missing_message(param=parameter, ctx=context)
    return f"{told}; {remedy}" if remedy else told


def _bad_option(error: click.BadOptionUsage, context: click.Context | None) -> str:
    parameters = context.command.get_params(context) if context else []
    option = next((each for each in parameters if error.option_name in each.opts), None)
    if not isinstance(option, click.Option):
        return error.format_message()
    if option.is_flag:
        return f"{error.option_name} takes no value"
    return f"{error.option_name} needs a value: {error.option_name} {option.metavar}"


def _bad_value(message: str, parameter: click.Parameter) -> str:
    no_choice = _NO_CHOICE.fullmatch(message)
    if no_choice and isinstance(parameter.type, click.Choice):
        return f"{quoted(no_choice[1])} is none of {_choices(parameter.type)}"
    return f"{message[:1].lower()}{message[1:]}"


def _choices(choice: "click.Choice[str]") -> str:
    return join_words(map(str, choice.choices), "or")


def _name(parameter: click.Parameter) -> str:
    """`--out`, `CONFIG`."""
    if isinstance(parameter, click.Option):
        return max(parameter.opts, key=len)
    return (parameter.metavar or (parameter.name or "").upper()).strip("[]…")
