"""The peers: the same work in each language, what is missing is named, and all that is there is measured."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Final

import pytest

from host.app.bench.peers.base import Peer, Report, Runner, Work
from host.app.bench.peers.comparison import compare, peer_notes
from host.app.bench.peers.plain_process import LineProcess, python_argv, run_python
from host.app.bench.peers.programs import JAVASCRIPT, PYTHON, REPORTED, lookup
from host.app.bench.peers.table import PEERS, peer_named

MISSING: Final = replace(peer_named("quickjs-rs"), name="nobody's", package="nobody-makes-this")


def test_the_programs_are_of_about_two_kilobytes() -> None:
    assert [len(texts.whole) // 1000 for texts in (JAVASCRIPT, PYTHON)] == [2, 1]


def test_the_python_reports_what_all_do() -> None:
    assert reported_by_python(PYTHON.whole) == [REPORTED]


def test_a_salted_program_is_another_text_of_the_same_work() -> None:
    one, other = (PYTHON.salted(PYTHON.whole, salt) for salt in (1, 2))

    assert one != other
    assert reported_by_python(one) == reported_by_python(other) == [REPORTED]


def reported_by_python(program: str) -> list[str]:
    reported: list[str] = []
    exec(program, {"lookup": lookup, "report": reported.append})
    return reported


@pytest.mark.parametrize("peer", [peer for peer in PEERS if peer.version is not None], ids=lambda p: p.name)
@pytest.mark.slow
def test_every_peer_that_is_installed_does_the_work(peer: Peer) -> None:
    reported: list[str] = []
    with peer.open(reported.append) as run:
        run(peer.texts.sum)
        run(peer.texts.calling(3))
        run(peer.texts.whole)

    assert reported == ([REPORTED] if Work.WHOLE in peer.works else [])


def test_who_is_not_installed_says_how_to_get_it() -> None:
    (note,) = peer_notes((MISSING,))

    assert note.version == ""
    assert (
        note.missing
        == "nobody-makes-this is not installed; pip install -e '.[bench]' in a clone of gg has it"
    )


def test_who_is_not_installed_is_left_out() -> None:
    assert list(compare(lambda _: None, peers=(MISSING,), rounds=1)) == []


@contextmanager
def open_liar(report: Report) -> Iterator[Runner]:
    yield lambda program: report("something else")


def test_who_reports_something_else_is_not_compared() -> None:
    liar = replace(peer_named("gg"), name="liar", works=frozenset({Work.WHOLE}), open=open_liar)

    with pytest.raises(RuntimeError, match="liar reported"):
        list(compare(lambda _: None, peers=(liar,), rounds=1))


@pytest.mark.slow
def test_every_kind_of_work_is_compared_in_rounds() -> None:
    heard: list[str] = []
    peers = tuple(peer_named(name) for name in ("gg", "gg, type-checked", "a bare pipe pair"))

    rows = list(compare(heard.append, peers=peers, rounds=2, calls=5))

    assert [(row.work, row.peer, row.unit, row.rounds) for row in rows] == [
        (Work.CALL, "gg", "µs", 2),
        (Work.CALL, "a bare pipe pair", "µs", 2),
        (Work.FRESH, "gg", "ms", 2),
        (Work.COLD, "gg", "ms", 2),
        (Work.WHOLE, "gg", "ms", 2),
        (Work.WHOLE, "gg, type-checked", "ms", 2),
    ]
    assert all(row.fastest <= row.median <= row.slowest for row in rows)
    assert heard == [f"{work.value}, round {number} of 2" for work in Work for number in (1, 2)]


def test_a_process_that_ends_in_mid_program_is_an_error() -> None:
    process = LineProcess(python_argv("import sys; sys.stdin.readline(); sys.exit(3)"), {})

    with pytest.raises(RuntimeError, match="ended with status 3"):
        process.run("x")
    process.close()


def test_a_python_that_fails_says_why() -> None:
    with pytest.raises(RuntimeError, match="no_such_module"):
        run_python("no_such_module")
