"""Turns a compiler that could not finish into a defect that an operator can reproduce."""

from collections.abc import Callable

from host.core.errors import HostDefect
from host.events import SessionRecord
from runtime_js import CompilerBroken


def compiler_defects(record: SessionRecord) -> Callable[[CompilerBroken], HostDefect]:
    """Keeps the input in the record and names it, its hash, the exit status and the end of stderr."""

    def defect_of(broken: CompilerBroken) -> HostDefect:
        path = record.save_defect_input(broken.input_sha256, broken.input)
        return HostDefect(
            "compiler",
            f"{broken.compiler} could not finish: {broken.detail}",
            {
                "compiler": broken.compiler,
                "exitStatus": broken.exit_status,
                "stderrTail": broken.stderr_tail,
                "inputSha256": broken.input_sha256,
                "inputPath": path,
            },
        )

    return defect_of
