"""The vectors of records: made of their texts when a hybrid search first needs them, and kept in the file.

A vector is a cache. It is bound to the place and the hash of its row and to its model, by the key that
vouches for rows where there is one: what is of an earlier state, of another row or of somebody else's making
is made anew. It says only where a record stands in an answer. What is served is read from the row and judged
by that.
"""

import json
import sqlite3
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Final, NamedTuple

from host.core.envelope import Refused
from host.core.text import has_lone_surrogate
from host.records.access import Access
from host.records.embedder import Embedder
from host.records.integrity.check import Progress
from host.records.integrity.seal import Seal
from host.records.look import Look

_READ: Final = 2_000
_MADE: Final = 500
_HASH_BYTES: Final = 32
_TAG_BYTES: Final = 16

_ALL: Final = """SELECT r.seq, r.hash, v.vector, v.tag FROM records r
 LEFT JOIN vectors v ON v.seq = r.seq AND v.model = ?"""
_TEXTS: Final = """SELECT r.seq, r.hash, r.text FROM json_each(?) asked
 CROSS JOIN records r ON r.seq = asked.value"""
_KEEP: Final = """INSERT OR REPLACE INTO vectors
 SELECT seq, ?, ?, ? FROM records WHERE seq = ? AND hash = ?"""


@dataclass(frozen=True, kw_only=True)
class Near:
    """Rows of like meaning by place, with their cosines; and the places of rows that have no vector yet."""

    similarities: dict[int, float] = field(default_factory=dict)
    missing: list[int] = field(default_factory=list)


class _Made(NamedTuple):
    seq: int
    hash: bytes
    vector: bytes


def nearest(look: Look, embedder: Embedder, asked: bytes) -> Near:
    """All rows whose vectors are near the one that is asked for. Linear in the rows; a batch is in memory."""
    near = Near()
    tag, sizes = Tags(look.seal, embedder).of, (0, embedder.vector_bytes)
    cursor = look.connection.execute(_ALL, (embedder.model,))
    while batch := cursor.fetchmany(_READ):
        known: list[tuple[int, bytes]] = []
        for seq, hash_, vector, kept_tag in batch:
            if not _is_hash(hash_):
                continue  # of a row that was changed, which is not served
            is_vector = type(vector) is bytes and len(vector) in sizes
            if not is_vector or tag(seq, hash_, vector) != kept_tag:
                near.missing.append(seq)
            elif vector:
                known.append((seq, vector))
        near.similarities.update(_near_of(embedder, asked, known))
    return near


def nearest_unkept(
    look: Look, embedder: Embedder, asked: bytes, missing: Sequence[int]
) -> Iterator[tuple[int, float]]:
    """The same of rows whose vectors are not in the file; they are made for this once."""
    for some in _batches(missing):
        made = [(each.seq, each.vector) for each in _made(embedder, _texts(look.connection, some))]
        yield from _near_of(embedder, asked, [pair for pair in made if pair[1]])


def make(access: Access, embedder: Embedder, missing: Sequence[int], progress: Progress | None) -> None:
    """Keeps vectors of rows that have none, a batch in each write, so that nobody waits for all of them.

    A file that cannot be written, since its head speaks against it, its disk is full or another process holds
    it, is searched all the same: what was not kept is made for that search alone.
    """
    done = 0
    for some in _batches(missing):
        with access.reading() as look:
            texts = _texts(look.connection, some)
        made = _made(embedder, texts)
        try:
            with access.writing() as (change, look):
                _keep(change.connection, look.seal, embedder, made)
        except Refused:
            return
        done += len(some)
        if progress is not None:
            progress(done, len(missing))


def _texts(connection: sqlite3.Connection, seqs: Sequence[int]) -> list[tuple[int, bytes, object]]:
    return connection.execute(_TEXTS, (json.dumps(seqs),)).fetchall()


def _made(embedder: Embedder, rows: Collection[tuple[int, bytes, object]]) -> list[_Made]:
    """A text that was changed to no text has an empty vector."""
    read = [text if isinstance(text, str) and not has_lone_surrogate(text) else "" for _, _, text in rows]
    vectors = embedder.embed(read)
    return [
        _Made(seq, hash_, vector)
        for (seq, hash_, _), vector in zip(rows, vectors, strict=True)
        if _is_hash(hash_)
    ]


def _keep(connection: sqlite3.Connection, seal: Seal, embedder: Embedder, made: Sequence[_Made]) -> None:
    """Only beside a row that is still as it was: one may have been forgotten meanwhile."""
    tags = Tags(seal, embedder)
    connection.executemany(
        _KEEP,
        [(embedder.model, each.vector, tags.of(*each), each.seq, each.hash) for each in made],
    )


def _near_of(
    embedder: Embedder, asked: bytes, known: Sequence[tuple[int, bytes]]
) -> Iterator[tuple[int, float]]:
    if known:
        cosines = embedder.similarities(asked, b"".join(vector for _, vector in known))
        for (seq, _), cosine in zip(known, cosines, strict=True):
            if cosine >= embedder.least:
                yield seq, cosine


class Tags:
    """What binds a vector to its row and its model: keyed as the rows' MACs are, of a hash that is faster."""

    def __init__(self, seal: Seal, embedder: Embedder) -> None:
        key = seal.of("vectors", embedder.model.encode())
        self._begun: Final = blake2b(key=key, digest_size=_TAG_BYTES)

    def of(self, seq: int, hash_: bytes, vector: bytes) -> bytes:
        tag = self._begun.copy()
        tag.update(seq.to_bytes(8, "big", signed=True) + hash_ + vector)
        return tag.digest()


def _is_hash(value: object) -> bool:
    return isinstance(value, bytes) and len(value) == _HASH_BYTES


def _batches(seqs: Sequence[int]) -> Iterator[Sequence[int]]:
    for start in range(0, len(seqs), _MADE):
        yield seqs[start : start + _MADE]
