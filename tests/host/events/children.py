"""Programs that tests run in a process of their own, to kill or to confine it."""

import os
import resource
import signal
import subprocess
import sys
import threading
from pathlib import Path
from queue import SimpleQueue
from typing import Final

from host.events import RecordLocked, RecordUnwritable, SessionRecord
from tests.host.events.samples import NO_SECRETS, StillClock, call, log_at

ROOT: Final = Path(__file__).parents[3]


def start(program: str, *arguments: object) -> subprocess.Popen[str]:
    """Starts one of the functions below; what it writes comes by `stdout`."""
    code = f"from tests.host.events import children; children.{program}(*{[str(a) for a in arguments]!r})"
    return subprocess.Popen(
        [sys.executable, "-c", code], cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )


def say(text: object) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def emit_until_killed(path: str) -> None:
    """Emits for ever from two threads; says, after each flush, how many events were emitted before it."""
    log = log_at(Path(path))

    def emit_alone() -> None:
        while True:
            log.emit(call(2), agent_id="other")

    threading.Thread(target=emit_alone, daemon=True).start()
    emitted = 0
    while True:
        log.emit(call(1), agent_id="root")
        emitted += 1
        if emitted % 20 == 0:
            log.flush()
            say(emitted)


def emit_while_interrupted(path: str, interrupts: str) -> None:
    """Emits while Ctrl-C comes again and again; says how often it came."""
    log = log_at(Path(path))
    log.subscribe(lambda stamped: None)
    main = threading.main_thread().ident
    assert main is not None
    emitting: SimpleQueue[None] = SimpleQueue()

    def interrupt() -> None:
        while True:
            emitting.get()
            signal.pthread_kill(main, signal.SIGINT)

    threading.Thread(target=interrupt, daemon=True).start()
    caught = 0
    while caught < int(interrupts):
        try:
            emitting.put(None)
            while True:
                for _ in range(caught % 7 + 1):
                    log.emit(call(1), agent_id="root")
                log.flush()
        except KeyboardInterrupt:
            caught += 1
    log.close()
    say(caught)


def flush_after_fork(path: str) -> None:
    """Says what a copy of the process meets that has the log and not the thread that writes it."""
    log = log_at(Path(path))
    if pid := os.fork():
        os.waitpid(pid, 0)
        log.close()
        return
    log.emit(call(1), agent_id="root")
    try:
        log.flush()
    except RecordUnwritable as error:
        say(error)
    os._exit(0)


def emit_within_file_size(path: str, bytes_allowed: str) -> None:
    """Emits under a limit of the file's size until that is refused; says what was said and how often."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (int(bytes_allowed), int(bytes_allowed)))
    emit_until_refused(path)


def emit_until_refused(path: str) -> None:
    log = log_at(Path(path))
    refusals = 0
    while refusals < 2:
        try:
            log.emit(call(1), agent_id="root")
            log.flush()
        except RecordUnwritable as error:
            refusals += 1
            say(error)
    log.close()
    say("closed")


def hold_record(out: str) -> None:
    """Begins a record, says so, and keeps it until its standard input ends."""
    try:
        record = begin(Path(out))
    except RecordLocked as error:
        say(error)
        return
    say(os.getpid())
    sys.stdin.read()
    record.close()


def begin(out: Path) -> SessionRecord:
    return SessionRecord.create(
        out,
        run_id="run-1",
        config={"name": "study"},
        gg_version="0.1.0",
        clock=StillClock(),
        masker=NO_SECRETS,
    )
