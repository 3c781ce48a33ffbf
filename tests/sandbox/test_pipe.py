"""The host's ends of the pipes: whole frames, and nothing that blocks past a deadline."""

import os
import threading
import time
from collections.abc import Iterator
from typing import Final

import pytest

from sandbox import WorkerBrokeProtocol
from sandbox.pipe import PastDeadline, Pipe, WorkerGone
from sandbox.protocol import frame

MAX_BODY: Final = 1_000_000


class Ends:
    """A pipe of the host, and the worker's ends of it."""

    def __init__(self) -> None:
        self.worker_in, write_fd = os.pipe()
        read_fd, self.worker_out = os.pipe()
        self.ticks = 0
        self.pipe = Pipe(write_fd=write_fd, read_fd=read_fd, max_body=MAX_BODY, on_tick=self.tick)
        self.open = {self.worker_in, self.worker_out, write_fd, read_fd}

    def tick(self) -> None:
        self.ticks += 1

    def close(self, *descriptors: int) -> None:
        for descriptor in descriptors:
            os.close(descriptor)
            self.open.discard(descriptor)


@pytest.fixture
def ends() -> Iterator[Ends]:
    ends = Ends()
    yield ends
    ends.close(*list(ends.open))


def soon() -> float:
    return time.monotonic() + 10


def test_frames_in_one_write_come_out_one_by_one(ends: Ends) -> None:
    os.write(ends.worker_out, frame(b"{}") + frame(b"{1}", b"value") + frame(b""))

    assert [ends.pipe.receive(deadline=soon()) for _ in range(3)] == [b"{}", b"{1}\nvalue", b""]


def test_a_frame_in_many_writes_comes_out_whole(ends: Ends) -> None:
    body = os.urandom(300_000)

    def write_slowly() -> None:
        for byte in frame(body)[:10]:
            os.write(ends.worker_out, bytes([byte]))
        os.write(ends.worker_out, frame(body)[10:])

    writer = threading.Thread(target=write_slowly)
    writer.start()
    assert ends.pipe.receive(deadline=soon()) == body
    writer.join()


def test_a_frame_larger_than_allowed_is_refused_by_its_length(ends: Ends) -> None:
    os.write(ends.worker_out, (MAX_BODY + 1).to_bytes(4))

    with pytest.raises(
        WorkerBrokeProtocol, match=r"a frame of 1,000,001 bytes, limit 1,000,000; it was killed"
    ):
        ends.pipe.receive(deadline=soon())


@pytest.mark.parametrize("start", [b"", b"\0\0", b"\0\0\0\x05abc"])
def test_a_frame_that_does_not_come_runs_into_the_deadline(start: bytes, ends: Ends) -> None:
    os.write(ends.worker_out, start)

    with pytest.raises(PastDeadline):
        ends.pipe.receive(deadline=time.monotonic() + 0.06)
    assert ends.ticks >= 1


@pytest.mark.parametrize("start", [b"", b"\0\0", b"\0\0\0\x05abc"])
def test_a_closed_end_is_a_worker_gone(start: bytes, ends: Ends) -> None:
    os.write(ends.worker_out, start)
    ends.close(ends.worker_out)

    with pytest.raises(WorkerGone):
        ends.pipe.receive(deadline=soon())


def test_sending_to_a_worker_that_does_not_read_runs_into_the_deadline(ends: Ends) -> None:
    with pytest.raises(PastDeadline):
        ends.pipe.send(b"x" * 1_000_000, deadline=time.monotonic() + 0.03)


def test_sending_more_than_a_pipe_holds(ends: Ends) -> None:
    data = os.urandom(1_000_000)
    read: list[bytes] = []

    def read_all() -> None:
        while sum(map(len, read)) < len(data):
            read.append(os.read(ends.worker_in, 10_000))

    reader = threading.Thread(target=read_all)
    reader.start()
    ends.pipe.send(data, deadline=soon())
    reader.join()
    assert b"".join(read) == data


def test_sending_to_a_worker_gone(ends: Ends) -> None:
    ends.close(ends.worker_in)

    with pytest.raises(WorkerGone):
        ends.pipe.send(frame(b"{}"), deadline=soon())
