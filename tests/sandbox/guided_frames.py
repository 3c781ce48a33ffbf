"""Decodes bytes that atheris makes up, guided by the code they reach; run by `test_fuzz_frames.py`."""

import sys
from contextlib import suppress

import atheris

with atheris.instrument_imports(include=["sandbox"]):
    from sandbox.errors import WorkerBrokeProtocol
    from sandbox.frames import decode


def decodes_or_breaks(body: bytes) -> None:
    with suppress(WorkerBrokeProtocol):
        decode(body)


atheris.Setup(sys.argv, decodes_or_breaks)
atheris.Fuzz()
