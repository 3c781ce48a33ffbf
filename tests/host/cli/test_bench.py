"""`gg bench`: how what is measured is printed, and that all of it is measured."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from host.app import Comparison, Figure, LimitProof, Machine, PeerNote, verdict_of
from host.app.bench.figures import percentile
from host.app.bench.peers.base import Work
from host.app.bench.peers.table import PEERS
from host.cli.bench_lines import (
    comparison_lines,
    figure_line,
    machine_lines,
    note_lines,
    proof_heading,
    proof_line,
    verdict_lines,
)
from host.cli.lines import to_text
from tests.host.cli.processes import gg

MIB = 2**20
MACHINE = Machine(
    processor="AMD EPYC", cores=2, system="Linux 6 x86_64", versions={"gg": "0.1.0", "esbuild": "0.28.2"}
)
FIGURE = Figure(name="one call to the host and back", value=18.234, unit="µs", goal=25, how="median of 7")
PROOF = LimitProof(
    name="spin_loop",
    outcome="guest_time",
    expected="guest_time",
    differs="",
    wall_s=0.3123,
    guest_limit_s=0.3,
    over_s=0.0123,
    peak_bytes=13 * MIB,
    memory_limit_bytes=64 * MIB,
    over_bytes=0,
)
ROW = Comparison(
    work="a fresh engine", peer="gg", median=0.46, fastest=0.44, slowest=0.52, unit="ms", rounds=9
)
NAMES = {
    "sandbox": [
        "cold start of the first worker",
        "one call to the host and back",
        "fresh engine with the prelude",
        "idle worker",
        "one SDK call through the bracket",
    ],
    "compile": [
        "bundle a program",
        "type-check it",
        "type-check it, 95 of 100",
        "a whole turn less the model",
    ],
    "sessions": [
        "sessions that failed",
        "processor time of one alone",
        "of one among the others",
        "sessions in a second",
        "the cores' limit",
        "share of the cores' limit",
        "of the cores' time used by them",
        "processes beside the host",
        "open files of the host",
        "memory of the host",
    ],
    "records": [
        "1,000: load",
        "1,000: file",
        "1,000: open",
        "1,000: first search",
        "1,000: search, p50",
        "1,000: search, p95",
        "1,000: search in a tag, p95",
        "1,000: recall, p95",
        "1,000: recall of a tag, p95",
        "1,000: put, p95",
        "1,000: forget, p95",
        "1,000: plain scan, p95",
        "1,000: FTS5 bm25(), p95",
        "1,000: FTS5 with a count, p95",
    ],
    "context": [
        "a retrieval, first",
        "a retrieval, again",
        "direct, keyword order",
        "direct, BM25",
        "identifier, keyword order",
        "identifier, BM25",
        "paraphrase, keyword order",
        "paraphrase, BM25",
        "all, keyword order",
        "all, BM25",
        "1,000 tokens, keyword order",
        "1,000 tokens, BM25",
        "4,000 tokens, keyword order",
        "4,000 tokens, BM25",
    ],
    "turns": [
        "a turn of the first 20",
        "a turn of the last 20",
        "what it grew by",
        "memory of the host, turn 20",
        "memory of the host, turn 60",
        "a call, median",
        "a call, 999 of 1,000",
        "a call, the slowest",
    ],
}
FIGURES = [
    pytest.param(
        FIGURE,
        "one call to the host and back          18.2 µs   goal 25 µs      median of 7\n",
        id="at most",
    ),
    pytest.param(
        replace(FIGURE, name="share", value=91.26, unit="%", goal=80, at_least=True),
        "share                                  91.3 %    goal ≥ 80 %     median of 7\n",
        id="at least",
    ),
    pytest.param(
        replace(FIGURE, name="processes", value=1504, unit="", goal=None),
        "processes                             1,504                      median of 7\n",
        id="no goal",
    ),
]
REACHED = [
    (replace(FIGURE, value=25), True),
    (replace(FIGURE, value=26), False),
    (replace(FIGURE, value=80, goal=80, at_least=True), True),
    (replace(FIGURE, value=79, goal=80, at_least=True), False),
    (replace(FIGURE, goal=None), True),
]


@pytest.mark.parametrize(("figure", "expected"), FIGURES)
def test_a_figure_stands_beside_its_goal_and_how_it_was_measured(figure: Figure, expected: str) -> None:
    assert to_text([figure_line(figure)]) == expected


def test_the_machine_comes_first() -> None:
    assert to_text(machine_lines("gg bench sandbox", MACHINE)) == (
        "gg bench sandbox\nAMD EPYC, 2 cores, Linux 6 x86_64\ngg 0.1.0, esbuild 0.28.2\n\n"
    )


@pytest.mark.parametrize(("figure", "reached"), REACHED)
def test_a_goal_is_the_most_or_the_least(figure: Figure, reached: bool) -> None:
    assert figure.reached is reached


def test_a_proof_stands_under_its_heading_and_says_what_differs() -> None:
    differs = replace(PROOF, name="other", outcome="ended", differs="outcome 'ended', expected 'memory'")
    untold = replace(PROOF, name="untold", peak_bytes=None, over_bytes=None)

    assert to_text([proof_heading(PROOF), *map(proof_line, (PROOF, differs, untold))]) == (
        "program                           ended by        time, s    beyond, goal 0.3 s"
        "   memory, MiB   beyond, goal 64 MiB\n"
        "spin_loop                         guest_time         0.31                 0.012"
        "          13.0                   0.0\n"
        "other                             ended              0.31                 0.012"
        "          13.0                   0.0  outcome 'ended', expected 'memory'\n"
        "untold                            guest_time         0.31                 0.012\n"
    )


def test_the_verdict_names_the_worst() -> None:
    other = replace(PROOF, name="other", outcome="memory", over_bytes=3 * MIB, over_s=0.0)

    assert to_text(verdict_lines(verdict_of([PROOF, other]))) == (
        "\n"
        "2 programs: 1 guest_time, 1 memory\n"
        "furthest beyond its time: spin_loop, 0.012 s\n"
        "furthest beyond its memory: other, 3.0 MiB\n"
        "every program ended as expected\n"
    )


def test_the_verdict_names_who_differs() -> None:
    lines = to_text(verdict_lines(verdict_of([replace(PROOF, differs="log 'x', expected 'y'")])))

    assert lines.splitlines()[-1] == "1 program ended otherwise than expected: spin_loop"


def test_peers_stand_beside_gg_with_their_spread() -> None:
    other = replace(ROW, peer="quickjs-rs", median=2310.4, fastest=1740, slowest=3390)
    notes = (
        PeerNote(peer="gg", version="", compared="a worker process", missing=""),
        PeerNote(peer="Monty", version="1.4.0", compared="a worker process", missing=""),
        PeerNote(peer="Deno", version="", compared="V8", missing="deno is not installed; pip install x"),
    )

    assert to_text([*note_lines(notes), *comparison_lines([ROW, other])]) == (
        "gg                                a worker process\n"
        "Monty 1.4.0                       a worker process\n"
        "Deno                              deno is not installed; pip install x\n"
        "\n"
        "a fresh engine, median of 9 rounds\n"
        "  gg                                   0.46 ms  0.44 to 0.52\n"
        "  quickjs-rs                          2,310 ms  1,740 to 3,390      5,023 times gg's\n"
    )


@pytest.mark.parametrize(("share", "value"), [(0.5, 50), (0.95, 95), (0.951, 96), (1.0, 100), (0.0, 1)])
def test_a_percentile_is_a_sample(share: float, value: float) -> None:
    assert percentile(range(100, 0, -1), share) == value


@pytest.mark.slow
def test_peers_belong_to_the_sandbox(tmp_path: Path) -> None:
    ran = gg("bench", "turns", "--peers", cwd=tmp_path)

    assert (ran.returncode, ran.stdout) == (2, "")
    assert "--peers belongs to sandbox; gg bench turns has no peers to compare" in ran.stderr


@pytest.mark.slow
def test_a_number_of_records_belongs_to_records(tmp_path: Path) -> None:
    ran = gg("bench", "turns", "--records", "10", cwd=tmp_path)

    assert (ran.returncode, ran.stdout) == (2, "")
    assert "--records belongs to records; gg bench turns has none to count" in ran.stderr


@pytest.mark.slow
def test_other_numbers_of_records(tmp_path: Path) -> None:
    ran = gg("bench", "records", "--records", "50", "--records", "70", "--json", cwd=tmp_path)

    found = json.loads(ran.stdout)
    assert found["command"] == "gg bench records --records 50 --records 70"
    assert {figure["name"].partition(":")[0] for figure in found["figures"]} == {"50", "70"}
    assert "70 records: peers" in ran.stderr


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_every_figure_is_measured(name: str, tmp_path: Path) -> None:
    ran = gg("bench", name, "--quick", "--json", "--quiet", cwd=tmp_path)

    assert (ran.returncode, ran.stderr) == (0, "")
    found = json.loads(ran.stdout)
    assert found["command"] == f"gg bench {name} --quick"
    assert [figure["name"] for figure in found["figures"]] == NAMES[name]


@pytest.mark.slow
def test_retrieval_is_judged(tmp_path: Path) -> None:
    ran = gg("bench", "retrieval", "--quick", "--json", "--quiet", cwd=tmp_path)

    assert (ran.returncode, ran.stderr) == (0, "")
    found = json.loads(ran.stdout)["retrieval"]
    assert (found["records"], found["questions"], found["same_as_scan"]) == (661, 95, 95)
    assert set(found["misserved"]["Store.search"]["by_state"].values()) == {0}


@pytest.mark.slow
def test_the_ceilings_are_proved(tmp_path: Path) -> None:
    ran = gg("bench", "limits", "--quick", cwd=tmp_path)

    assert ran.returncode == 0
    lines = ran.stdout.splitlines()
    assert [line.split()[:2] for line in lines[5:10]] == [
        ["escape_import", "ended"],
        ["flood_calls", "calls"],
        ["mem_strings", "memory"],
        ["spin_loop", "guest_time"],
        ["storm_never", "never-settled"],
    ]
    assert lines[-1] == "every program ended as expected"


@pytest.mark.slow
def test_peers_are_compared_as_far_as_they_are_installed(tmp_path: Path) -> None:
    ran = gg("bench", "sandbox", "--peers", "--quick", "--json", cwd=tmp_path)

    assert ran.returncode == 0
    found = json.loads(ran.stdout)
    there = [peer for peer in PEERS if peer.version is not None]
    assert [(row["work"], row["peer"]) for row in found["comparisons"]] == [
        (work, peer.name) for work in Work for peer in there if work in peer.works
    ]
    assert [note["peer"] for note in found["peers"] if not note["missing"]] == [p.name for p in there]
    assert ran.stderr.splitlines() == [f"{work}, round 1 of 1" for work in Work]


@pytest.mark.slow
def test_learning_is_measured(tmp_path: Path) -> None:
    ran = gg("bench", "skillbook", "--quick", "--json", "--quiet", cwd=tmp_path)
    assert ran.returncode == 0, ran.stderr
    found = json.loads(ran.stdout)["learning"]

    assert found["model"] == "scripted"
    assert found["tallies"]["helps"]["held out"]["learned book"]["solved"] == 2
    assert [skill["state"] for skill in found["skills"]] == ["removed", "active"]
    assert not (tmp_path / ".gg").exists()

    shown = gg("bench", "skillbook", "--quick", "--quiet", cwd=tmp_path).stdout
    assert "the operator accepted 0 skills that had been held back" in shown
    assert "wrong skill alone  0 of" in shown


def test_a_model_is_for_the_skillbook_alone(tmp_path: Path) -> None:
    ran = gg("bench", "sandbox", "--model", "openai:x", cwd=tmp_path)
    assert ran.returncode == 2
    assert "--model belongs to skillbook; gg bench sandbox asks no model" in ran.stderr
