"""What is wrong with a study and with the configuration it builds on, collected until it is told at once."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import NoReturn

from host.core.errors import Defect
from host.experiments.reading import Written
from host.launch import Problem, refusal, to_defects


@dataclass
class Defects:
    """Problems of the study, by places in it, and of its configuration, by places in that."""

    written: Written
    of_study: list[Problem] = field(default_factory=list)
    of_base: list[Problem] = field(default_factory=list)

    def __bool__(self) -> bool:
        return bool(self.of_study or self.of_base or self.written.defects)

    def refuse(self) -> NoReturn:
        """Raises `LaunchRefused` with all of it, each thing once."""
        raise refusal(tuple(self._all()))

    def _all(self) -> Iterator[Defect]:
        written, base = self.written, self.written.base
        of_study = list(self.of_study)
        if not written.own_file:
            of_study += [replace(each, path=(*written.prefix, *each.path)) for each in self.of_base]
        yield from to_defects(written.study.values, _once(of_study), written.study.source)
        if written.own_file and base is not None:
            yield from to_defects(base.values, _once(self.of_base), base.source)
        yield from written.defects


def _once(problems: Iterable[Problem]) -> list[Problem]:
    """Of problems that say the same of one place the first."""
    return list({(problem.path, problem.message): problem for problem in problems}.values())
