"""Processes that use one record store, each a command of this module: they write, read, and are killed.

`python -m tests.helpers.record_children COMMAND FILE KEYS …`, with `-` for no folder of keys. What goes
wrong in one is told on stderr, and it exits with 1.
"""

import os
import signal
import sqlite3
import sys
from collections.abc import Callable
from pathlib import Path
from random import Random
from types import FrameType
from typing import NoReturn

from host.records import Store

PUTS_AT_A_POINT = 2


def opened(path: str, keys: str) -> Store:
    return Store(path, keys=None if keys == "-" else keys, max_records=100_000)


def write(path: str, keys: str, label: str, count: str) -> None:
    """Puts records; says the id of each when it is kept."""
    with opened(path, keys) as store:
        for number in range(int(count)):
            say(put(store, label, number))


def read(path: str, keys: str) -> None:
    """Reads and searches until stdin ends; says when it begins, and how often it looked."""
    looks = most = 0
    with opened(path, keys) as store:
        say("reads")
        os.set_blocking(0, False)
        while not has_ended():
            found = store.recall(limit=100)
            searched = store.search("word", top_k=100)
            for each in (found, searched):
                assert (each.unreadable, each.evidence) == (0, ()), each.envelope
            count = len(found.current) + found.more
            assert count >= most, f"{count} records, and {most} before"
            most = count
            looks += 1
    say(str(looks))


def lock(path: str, keys: str) -> None:
    """Holds the file against every other process until stdin ends."""
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("PRAGMA locking_mode = EXCLUSIVE")
    connection.execute("BEGIN EXCLUSIVE")
    connection.execute("INSERT INTO exports (at, target) VALUES ('', '')")
    say("locked")
    sys.stdin.read()
    connection.close()


def killed_at_moments(path: str, keys: str, seed: str, count: str) -> None:
    """Kills a writer after some of its puts, anywhere in the next ones, `count` times; looks after each."""
    random = Random(int(seed))
    for number in range(int(count)):
        puts, turns = random.randrange(4), random.randrange(200_000)

        def writes(say_kept: Callable[[str], None], number: int = number) -> None:
            with opened(path, keys) as store:
                for each in range(1_000_000):
                    say_kept(put(store, f"moment{number}", each))

        child, said = forked(writes)
        lines = [said.readline() for _ in range(puts)]
        for _ in range(turns):  # so many turns of this loop later: it sleeps nowhere
            pass
        os.kill(child, signal.SIGKILL)
        look_after(path, keys, f"moment{number}", lines + said.readlines(), child)


def killed_at_points(path: str, keys: str, first: str, step: str) -> None:
    """Has a writer kill itself before every `step`-th call of a function in C; says how many there are."""
    point = int(first)
    while True:

        def writes(say_kept: Callable[[str], None], point: int = point) -> None:
            with opened(path, keys) as store:
                sys.setprofile(killing(point))
                for each in range(PUTS_AT_A_POINT):
                    say_kept(put(store, f"point{point}", each))
                sys.setprofile(None)

        child, said = forked(writes)
        kept = said.readlines()
        look_after(path, keys, f"point{point}", kept, child)
        if len(kept) == PUTS_AT_A_POINT:
            say(str(point))
            return
        point += int(step)


def killed_while_it_opens(path: str, keys: str, step: str) -> None:
    """Has a process kill itself before every `step`-th call in C while it makes a store, and while it takes
    one under a key that had none; says how many calls there are in each.
    """
    for count in (0, 3):
        point = 0
        has_opened = False
        while not has_opened:
            there = f"{path}.{count}.{point}"
            if count:
                write_silently(there, count)

            def opens(say_kept: Callable[[str], None], there: str = there, point: int = point) -> None:
                sys.setprofile(killing(point))
                store = opened(there, keys)
                sys.setprofile(None)
                say_kept("opened")
                store.close()

            child, said = forked(opens)
            has_opened = said.readlines() == ["opened\n"]
            os.waitpid(child, 0)
            with opened(there, keys) as store:
                found = store.recall()
                assert (len(found.current), found.unreadable, found.evidence) == (count, 0, ()), point
                assert not store.verify().is_refusal, point
                put(store, "after", 0)
            point += int(step)
        say(str(point))


def write_silently(path: str, count: int) -> None:
    with Store(path) as store:
        for number in range(count):
            put(store, "before", number)


def killing(point: int) -> Callable[[FrameType, str, object], None]:
    """For `sys.setprofile`: ends the process before a call of a function in C."""
    left = point

    def count_down(frame: FrameType, event: str, argument: object) -> None:
        nonlocal left
        if event == "c_call":
            left -= 1
            if left < 0:
                os.kill(os.getpid(), signal.SIGKILL)

    return count_down


def look_after(path: str, keys: str, label: str, said: list[str], child: int) -> None:
    """Every record that was told as kept is there, at most one more, all is whole, the next write works."""
    os.waitpid(child, 0)
    told = [line.strip() for line in said if line.endswith("\n")]
    with opened(path, keys) as store:
        there = [hit.record.id for hit in store.recall(tags=[label], limit=100).current]
        more = store.recall(tags=[label], limit=100).more
        assert len(told) <= len(there) + more <= len(told) + 1, (label, len(told), len(there) + more)
        assert store.recall(record_ids=told).missing == (), label
        envelope = store.verify()
        assert not envelope.is_refusal, (label, envelope.message)
        put(store, f"after-{label}", 0)


def put(store: Store, label: str, number: int) -> str:
    record, _ = store.put(text=f"A word of {label}: {number}.", written_by=f"agent:{label}", tags=[label])
    return record.id


def forked(work: Callable[[Callable[[str], None]], None]) -> tuple[int, "os._wrap_close"]:  # type: ignore[name-defined]
    """A process that does some work and ends; what it says as it goes."""
    reads, writes = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reads)
        work_and_exit(work, writes)
    os.close(writes)
    return child, os.fdopen(reads)


def work_and_exit(work: Callable[[Callable[[str], None]], None], writes: int) -> NoReturn:
    code = 1
    try:
        work(lambda line: (os.write(writes, line.encode() + b"\n"), None)[1])
        code = 0
    finally:
        os._exit(code)


def has_ended() -> bool:
    try:
        return os.read(0, 1) == b""
    except BlockingIOError:
        return False


def say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


COMMANDS = {
    each.__name__: each
    for each in (write, read, lock, killed_at_moments, killed_at_points, killed_while_it_opens)
}


def environment() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}


if __name__ == "__main__":
    COMMANDS[sys.argv[1]](*sys.argv[2:])
