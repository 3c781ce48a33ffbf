"""What a merge moves from one skill to another, and what a restore moves back."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from host.skillbook.model import COUNTERS, Skill
from host.skillbook.normal import united


def absorbing(keep: Skill, sources: Iterable[Skill]) -> Skill:
    """The skill with the occurrences, keywords and counters of the sources added to its own."""
    for source in sources:
        keep = replace(
            keep,
            occurrences=united(keep.occurrences, source.occurrences),
            keywords=tuple(dict.fromkeys((*keep.keywords, *source.keywords))),
            evidence_is="untrusted"
            if "untrusted" in (keep.evidence_is, source.evidence_is)
            else keep.evidence_is,
            **{name: getattr(keep, name) + getattr(source, name) for name in COUNTERS},
        )
    return keep


def without_counters(keep: Skill, source: Skill) -> Skill:
    """The skill less the counters of one that was merged into it."""
    return replace(keep, **{name: max(0, getattr(keep, name) - getattr(source, name)) for name in COUNTERS})


def absorbers(skill: Skill, skills: Mapping[str, Skill]) -> Iterator[Skill]:
    """The skill that it was merged into, the one that that was merged into, and so on; each once."""
    seen = {skill.id}
    while skill.merged_into is not None and skill.merged_into not in seen:
        found = skills.get(skill.merged_into)
        if found is None:
            return
        yield found
        seen.add(found.id)
        skill = found
