"""Python types as JSON Schema and as what checks values, by way of models of pydantic."""

from collections.abc import Mapping
from typing import Annotated, Any, Final

from pydantic import BaseModel, ConfigDict, Field, create_model
from pydantic.errors import PydanticErrorMixin
from pydantic.fields import FieldInfo
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaMode, JsonSchemaWarningKind
from pydantic_core import CoreSchema
from pydantic_core.core_schema import DataclassField, ModelField, TypedDictField, WithDefaultSchema

from host.core.text import escape_line, shortened

Annotation = Any
Schema = dict[str, Any]

VALUE: Final = "value"
_Field = ModelField | DataclassField | TypedDictField
_MAX_REASON_CHARS: Final = 300


class TypeHasNoForm(Exception):
    """Of a Python type no value can be written as JSON, or read. The message says why."""


class _Checked(BaseModel):
    """What holds for the arguments and the results of all functions."""

    model_config = ConfigDict(
        extra="forbid",
        allow_inf_nan=False,
        ser_json_inf_nan="constants",  # to be found afterwards, and not taken for null
        ser_json_bytes="base64",
        val_json_bytes="base64",
        protected_namespaces=(),
    )


def field_name(number: int) -> str:
    """The attribute of a model that has the field of that number: names of others might hide pydantic's."""
    return f"field_{number}"


def model_of(
    fields: Mapping[str, tuple[Annotation, FieldInfo]], *, others: Annotation | None = None
) -> type[BaseModel]:
    """A model of an object with these fields; `others` is the type of any further ones.

    Raises `TypeHasNoForm`.
    """
    named: dict[str, Any] = {
        field_name(number): Annotated[annotation, info, Field(alias=name)]
        for number, (name, (annotation, info)) in enumerate(fields.items())
    }
    try:
        return create_model("Checked", __base__=_Checked if others is None else _open(others), **named)
    except Exception as error:  # whatever the types of others do when they are asked for their form
        raise TypeHasNoForm(_reason(error)) from error


def schema_of(model: type[BaseModel], mode: JsonSchemaMode = "validation") -> Schema:
    """The JSON Schema of the objects of a model. Raises `TypeHasNoForm`."""
    try:
        schema = model.model_json_schema(mode=mode, schema_generator=_Generator)
    except Exception as error:
        raise TypeHasNoForm(_reason(error)) from error
    return {keyword: part for keyword, part in schema.items() if keyword not in {"title", "description"}}


def holder_of(annotation: Annotation) -> type[BaseModel]:
    """A model whose one field, `value`, has the type. Raises `TypeHasNoForm`."""
    return model_of({VALUE: (annotation, Field())})


def value_schema(holder: type[BaseModel]) -> Schema:
    """The JSON Schema of the value in a holder, as it is written. Raises `TypeHasNoForm`."""
    schema = schema_of(holder, "serialization")
    definitions = {keyword: part for keyword, part in schema.items() if keyword == "$defs"}
    return {**schema["properties"][VALUE], **definitions}


def _open(others: Annotation) -> type[BaseModel]:
    namespace = {
        "__module__": __name__,
        "__annotations__": {"__pydantic_extra__": dict[str, others]},
        "model_config": ConfigDict(extra="allow"),
    }
    return type("Open", (_Checked,), namespace)


def _reason(error: Exception) -> str:
    told = error.message if isinstance(error, PydanticErrorMixin) else str(error)
    first = told.strip().partition("\n")[0]
    sentence = first.partition(". Set `arbitrary_types_allowed")[0].rstrip(".")
    return escape_line(shortened(sentence, _MAX_REASON_CHARS)) or type(error).__name__


class _Generator(GenerateJsonSchema):
    """Without titles, which only say the names again, and without a word on defaults that no JSON has.

    What is written has every field, whether or not there is a default.
    """

    def field_is_required(self, field: _Field, total: bool) -> bool:
        if self.mode == "validation" or field["type"] == "typed-dict-field":
            return super().field_is_required(field, total)
        return not (field.get("serialization_exclude") or "serialization_exclude_if" in field)

    def default_schema(self, schema: WithDefaultSchema) -> Schema:
        if self.mode == "validation":
            return super().default_schema(schema)
        return self.generate_inner(schema["schema"])

    def field_title_should_be_set(self, schema: CoreSchema) -> bool:
        return False

    def emit_warning(self, kind: JsonSchemaWarningKind, detail: str) -> None:
        pass
