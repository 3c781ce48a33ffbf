"""The arguments of a call of a tool, read as models write them."""

import json


def parse_arguments(text: str) -> object:
    """The JSON value, of which only texts can be relied on.

    Raises `ValueError` for what is no JSON, `RecursionError` where it is nested too deeply.
    """
    # Models write line feeds into the text of a program as they are, which JSON has no place for. Numbers are
    # of no use here, and Python refuses to read very long ones.
    return json.loads(text.removeprefix("\ufeff"), strict=False, parse_int=float)
