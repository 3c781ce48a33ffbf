"""Skills: notes with code that people write, kept in folders."""

from host.skills.finding import (
    MODULE_FILE,
    SCRIPT_FILE,
    SKILL_FILE,
    Found,
    SkillFiles,
    find_skills,
    is_skill,
    is_skills_folder,
    one_file_skill,
    skill_file,
    skill_in,
)
from host.skills.model import Fault, Skill
from host.skills.prose import Prose, parse_prose
from host.skills.reader import AgentSkills
from host.skills.reading import SkillsRead, read_skills

__all__ = [
    "MODULE_FILE",
    "SCRIPT_FILE",
    "SKILL_FILE",
    "AgentSkills",
    "Fault",
    "Found",
    "Prose",
    "Skill",
    "SkillFiles",
    "SkillsRead",
    "find_skills",
    "is_skill",
    "is_skills_folder",
    "one_file_skill",
    "parse_prose",
    "read_skills",
    "skill_file",
    "skill_in",
]
