"""The record that a caller names by its id."""

from host.core.envelope import Refused
from host.core.text import quoted
from host.records import codes
from host.records.look import Look
from host.records.model import Record


def is_there(look: Look, record_id: str) -> bool:
    """Whether there is a row of the id, readable or not."""
    return look.connection.execute("SELECT 1 FROM records WHERE id = ?", (record_id,)).fetchone() is not None


def ids_beginning(look: Look, beginning: str, *, most: int) -> tuple[str, ...]:
    """In their order, of rows readable or not."""
    rows = look.connection.execute(
        "SELECT id FROM records WHERE id >= :first AND id < :after ORDER BY id LIMIT :most",
        {"first": beginning, "after": f"{beginning}g", "most": most},  # no digit comes after an f
    )
    return tuple(str(row[0]) for row in rows)


def named(look: Look, record_id: str) -> Record:
    """The record. Raises `Refused` where there is none, or none that can be served."""
    record = look.with_id(record_id)
    if record is not None:
        return record
    if is_there(look, record_id):
        raise changed_outside(record_id)
    raise Refused.of(codes.NOT_FOUND, f"there is no record {quoted(record_id)}; nothing was changed")


def changed_outside(record_id: str) -> Refused:
    return Refused.of(
        codes.STORE,
        f"record {record_id} was changed in the file outside gg since it was kept; look at it with gg records"
        " verify, forget it by its id, and put it again",
    )
