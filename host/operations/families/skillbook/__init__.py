"""The skillbook family: reading and keeping the book of skills after a run. A reflector's alone."""

from host.operations.families.skillbook.rows import FAMILY

__all__ = ["FAMILY"]
