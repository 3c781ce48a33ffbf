"""The best of some rows for a query by BM25, without a look at every posting.

Terms are taken from the rarest on. As soon as the best rows so far are worth more than all terms that are
left could be, a row that has none of the terms taken cannot come among them, and the frequencies of the terms
that are left, the most of all, are needed for a few rows alone. These are then scored anew, each to the last
bit as `host.core.bm25` says.
"""

import json
import sqlite3
from collections.abc import Collection, Mapping, Sequence
from contextlib import closing
from heapq import nlargest
from itertools import islice
from typing import Final

from host.core.bm25 import K1, idf, weight
from host.records import index

_ROUNDING: Final = 1e-9
"""Sums of the same numbers in another order differ by less than this share."""

_LOOKED_UP_SHARE: Final = 8  # to look up one posting costs as much as to read so many of a term
_WALKED_LEAST: Final = 2_000  # where so many scores are equal, the ids of all rows are read in their order


class Ranking:
    """The terms of a query over all rows, at one moment of a file."""

    def __init__(self, connection: sqlite3.Connection, asked: Sequence[str]) -> None:
        self._connection: Final = connection
        places = {term: index.places(connection, term) for term in asked}
        self.matches: Final[set[int]] = set().union(*places.values())
        """The places of all rows that hold a term of the query; the score of each is above 0."""
        self._df: Final = {term: len(seqs) for term, seqs in places.items() if seqs}
        count, total = index.totals(connection)
        if self._df and (total < 1 or count < max(self._df.values())):
            raise index.damaged()
        self._average: Final = total / count if count else 0.0
        self._worth: Final = {term: idf(count, df) for term, df in self._df.items()}
        self._read: Final[dict[str, Mapping[int, int]]] = {}

    def best(self, members: set[int], most: int) -> list[tuple[int, float]]:
        """The places and scores of the best of some matches, at most so many; equal scores by id."""
        scores = self._scores(self._candidates(members, most))
        least = nlargest(most, scores.values())[-1] if len(scores) > most else 0.0
        better = [seq for seq, score in scores.items() if score > least]
        equal = {seq for seq, score in scores.items() if score == least}
        ids = ids_at(self._connection, better)
        ranked = sorted(better, key=lambda seq: (-scores[seq], ids.get(seq, "")))
        ranked += _first_by_id(self._connection, equal, most - len(ranked))
        return [(seq, scores[seq]) for seq in ranked]

    def _candidates(self, members: set[int], most: int) -> Collection[int]:
        """Some of the members, with the best of them in any case."""
        if len(members) <= most:
            return members
        sums: dict[int, float] = {}
        left = sum(self._worth.values()) * (K1 + 1)
        for term in sorted(self._worth, key=self._worth.__getitem__, reverse=True):
            new = self._weights(term, members)
            for seq in new.keys() & sums.keys():
                new[seq] += sums[seq]
            sums.update(new)
            left -= self._worth[term] * (K1 + 1)
            if len(sums) < most:
                continue
            needed = nlargest(most, sums.values())[-1] * (1 - _ROUNDING) - left
            if needed > 0:  # no other row can come among the best
                sums = {seq: score for seq, score in sums.items() if score >= needed}
                members = set(sums)
        return sums

    def _weights(self, term: str, members: set[int]) -> dict[int, float]:
        """What a term adds to the score of each member that holds it."""
        packed = self._frequencies(term, members)
        seqs = packed.keys() if members is self.matches else packed.keys() & members
        weights = _Weights(self._worth[term], self._average)
        return dict(zip(seqs, map(weights.__getitem__, map(packed.__getitem__, seqs)), strict=True))

    def _frequencies(self, term: str, among: Collection[int]) -> Mapping[int, int]:
        """The packed frequencies of a term by place, of some rows at least."""
        if term not in self._read:
            if len(among) * _LOOKED_UP_SHARE < self._df[term]:
                return index.frequencies_at(self._connection, term, among)
            self._read[term] = index.frequencies(self._connection, term)
        return self._read[term]

    def _scores(self, seqs: Collection[int]) -> dict[int, float]:
        """The scores to the last bit."""
        columns = [map(self._frequencies(term, seqs).get, seqs) for term in self._worth]
        scores = _Scores(list(self._worth.values()), self._average)
        return dict(zip(seqs, map(scores.__getitem__, zip(*columns, strict=True)), strict=True))


class _Weights(dict[int, float]):
    """What one term adds to a score, by its packed frequency; most rows have one of a few."""

    def __init__(self, worth: float, average_length: float) -> None:
        self._worth: Final = worth
        self._average_length: Final = average_length

    def __missing__(self, packed: int) -> float:
        tf, length = index.unpacked(packed)
        self[packed] = found = self._worth * weight(tf, length, self._average_length)
        return found


class _Scores(dict[tuple[int | None, ...], float]):
    """The score of a row by the packed frequencies that it has of each term, in the order of the query."""

    def __init__(self, worths: Sequence[float], average_length: float) -> None:
        self._weights: Final = [_Weights(worth, average_length) for worth in worths]

    def __missing__(self, packed: tuple[int | None, ...]) -> float:
        score = 0.0
        for weights, each in zip(self._weights, packed, strict=True):
            if each is not None:
                score += weights[each]
        self[packed] = score
        return score


def ids_at(connection: sqlite3.Connection, seqs: Collection[int]) -> dict[int, str]:
    """The ids of some rows by place."""
    sql = "SELECT r.seq, r.id FROM json_each(?) asked CROSS JOIN records r ON r.seq = asked.value"
    found = connection.execute(sql, (json.dumps(list(seqs)),))
    # What was made something else comes first, so that it is judged, and not served.
    return {seq: id_ if isinstance(id_, str) else "" for seq, id_ in found}


def _first_by_id(connection: sqlite3.Connection, seqs: set[int], most: int) -> list[int]:
    """The first of some rows in the order of ids."""
    if most < 1:
        return []
    if len(seqs) < _WALKED_LEAST:
        ids = ids_at(connection, seqs)
        return sorted(ids, key=ids.__getitem__)[:most]
    with closing(connection.execute("SELECT seq FROM records ORDER BY id")) as walk:
        return list(islice((seq for (seq,) in walk if seq in seqs), most))
