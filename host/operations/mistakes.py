"""What is wrong with the arguments of a call, in the words of whoever made it."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, get_args

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from host.core.errors import Refusal
from host.core.text import escape_line, nearest, quoted, shortened
from host.core.value_words import SHOWN_CHARS
from host.core.value_words import what as what  # who binds arguments has it from here
from host.operations.model import Arguments, guest_name
from host.operations.typescript import members

_MOST_DIGITS: Final = 4_300


@dataclass(frozen=True)
class CallForm:
    """A call as its caller writes it: its spelling, the model of its arguments, which has their names.

    `wanted` says of an argument what it wants, where its type does not.
    """

    spelling: str
    arguments: type[Arguments]
    wanted: Mapping[str, str] = field(default_factory=dict)

    def refusal(self, error: ValidationError) -> Refusal:
        """The first mistake. A value that fits no member of a union is told what each of them wants."""
        errors = error.errors(include_url=False)
        found = errors[0]
        place = _place(self.arguments, found["loc"])
        alternatives = [found]
        if place.union_at is not None:
            union = found["loc"][: place.union_at]
            alternatives = [other for other in errors if other["loc"][: place.union_at] == union]
            within = next((other for other in alternatives if _is_within(other, place.union_at)), None)
            if within is not None:
                found, alternatives = within, [within]
                place = _place(self.arguments, found["loc"])
        if found["type"] == "missing":
            return refused(f"{self.spelling} needs {place.text}, and it is missing.")
        if found["type"] == "extra_forbidden":
            return self.unknown(str(found["loc"][-1]), names_of(place.owner))
        wanted = " or ".join(dict.fromkeys(map(self._wanted, alternatives)))
        got = found["ctx"]["actual_length"] if found["type"] in _LENGTHS else what(found["input"])
        return refused(f"{self.spelling}: {place.text} wants {wanted} and got {got}.")

    def unknown(self, name: str, known: Iterable[str]) -> Refusal:
        """Of a name that no argument has."""
        names = list(known)
        near = nearest(name, names)
        hint = f"Did you mean {near[0]}?" if near else f"It knows {', '.join(names)}."
        if not names:
            hint = "It takes no argument."
        return refused(f"{self.spelling} does not know {quoted(name, max_chars=SHOWN_CHARS)}. {hint}")

    def _wanted(self, error: ErrorDetails) -> str:
        if len(error["loc"]) == 1 and (told := self.wanted.get(str(error["loc"][0]))) is not None:
            return told
        return _WANTED[error["type"]](error.get("ctx", {}))


def whole_number(digits: str) -> int:
    """Raises `ValueError` for thousands of digits, as Python does, in words for who has written them."""
    if len(digits) > _MOST_DIGITS:
        raise ValueError(f"a number has {len(digits):,} digits")
    return int(digits)


def refused(message: str) -> Refusal:
    """A refusal of the arguments of a call."""
    return Refusal("invalid-argument", message, kind="arguments")


def names_of(model: type[BaseModel]) -> list[str]:
    """The names of a model's fields, as its caller writes them."""
    return [guest_name(model, name) for name in model.model_fields]


def _is_within(error: ErrorDetails, union_at: int) -> bool:
    """Whether the value is of a kind that a member of the union wants, and wrong in itself."""
    if len(error["loc"]) > union_at + 1:
        return True
    return not error["type"].endswith("_type") and error["type"] != "literal_error"


def _number(bound: float) -> str:
    return f"a {'whole ' if isinstance(bound, int) else ''}number"


Context = Mapping[str, Any]

# Every kind of mistake that the arguments in the table can meet; a test holds it to that.
_WANTED: Final[Mapping[str, Callable[[Context], str]]] = {
    "string_type": lambda _: "a string",
    "string_unicode": lambda _: "a string without half of a surrogate pair",
    "int_type": lambda _: "a whole number",
    "float_type": lambda _: "a number",
    "bool_type": lambda _: "true or false",
    "list_type": lambda _: "an array",
    "dict_type": lambda _: "an object",
    "model_type": lambda _: "an object",
    "literal_error": lambda found: str(found["expected"]).replace("'", '"'),
    "greater_than": lambda found: f"a number over {found['gt']:g}",
    "greater_than_equal": lambda found: f"{_number(found['ge'])} of {found['ge']} or more",
    "less_than_equal": lambda found: f"{_number(found['le'])} of {found['le']} or less",
    "too_short": lambda found: f"an array of {found['min_length']} or more",
    "too_long": lambda found: f"an array of {found['max_length']} at most",
}
_LENGTHS: Final = frozenset({"too_short", "too_long"})


@dataclass(frozen=True)
class _Place:
    """Where in the arguments a mistake is: `options.modules[0]`. `owner` is the object that holds it.

    `union_at` is where in the validator's location a member of a union is named, if one is.
    """

    text: str
    owner: type[BaseModel]
    union_at: int | None


def _place(model: type[BaseModel], location: tuple[int | str, ...]) -> _Place:
    text, owner, union_at = "", model, None
    annotation: Any = model
    for position, step in enumerate(location):
        options = members(annotation)
        if len(options) > 1:
            union_at = position
            annotation = next((o for o in options if getattr(o, "__name__", "") == step), None)
            continue
        annotation = options[0]
        if isinstance(step, int):
            text += f"[{step}]"
        else:
            text += f"{'.' if text else ''}{escape_line(shortened(step, SHOWN_CHARS))}"
        if isinstance(annotation, type) and issubclass(annotation, BaseModel):
            owner = annotation
            fields = {info.alias: info.annotation for info in owner.model_fields.values()}
            annotation = fields.get(str(step))
        else:
            annotation = (get_args(annotation) or (None,))[-1]  # what an array or a record holds
    return _Place(text, owner, union_at)
