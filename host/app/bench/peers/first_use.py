"""Run as a module with a peer's name, in a Python that has just begun: tells how long its first result takes.

What is imported before it is timed by nobody: a host has it loaded.
"""

import sys
import time

from host.app.bench.peers.table import peer_named


def main(name: str) -> None:
    """Writes the seconds from the peer's opening to the end of its first program to stdout."""
    peer = peer_named(name)
    began = time.perf_counter()
    with peer.open(lambda text: None) as run:
        run(peer.texts.sum)
        took = time.perf_counter() - began
    sys.stdout.write(f"{took}\n")


if __name__ == "__main__":
    main(sys.argv[1])
