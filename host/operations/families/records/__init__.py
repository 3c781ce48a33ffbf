"""The records family: claims that outlive runs. Forgetting and approving are a person's, and no call."""

from host.operations.families.records.calls import record_read_event
from host.operations.families.records.rows import FAMILY

__all__ = ["FAMILY", "record_read_event"]
