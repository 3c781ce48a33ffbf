"""The text of a configuration as JSON values, whichever of three formats it is written in.

What a format can write and JSON cannot (a date, a tag, NaN, …) is a problem at its place, so that one
document means the same in all three.
"""

from host.launch.formats.json_text import parse_json
from host.launch.formats.toml_text import parse_toml
from host.launch.formats.values import MAX_DEPTH, Parsed, SyntaxFault, TooDeep, Unreadable
from host.launch.formats.yaml_text import parse_yaml

__all__ = [
    "MAX_DEPTH",
    "Parsed",
    "SyntaxFault",
    "TooDeep",
    "Unreadable",
    "parse_json",
    "parse_toml",
    "parse_yaml",
]
