"""Folders of skills on the disk: what is a skill, what is passed over, what refuses the whole."""

import os
from pathlib import Path

import pytest

from host.core.module_keys import MAX_CODE_CHARS
from host.skills import Skill, read_skills
from host.skills.model import MAX_SKILLS
from tests.helpers.skills import PARSE, prose, write_skill

FRONT = "a line ---, then description: with one line on what the skill is about, then a line ---"


@pytest.fixture
def at(tmp_path: Path) -> Path:
    directory = tmp_path / "skills"
    directory.mkdir()
    return directory


def faults(directory: Path) -> list[str]:
    """Each fault, as of the directory."""
    return [str(fault).replace(f"{directory}/", "") for fault in read_skills(directory).faults]


def names(directory: Path) -> list[str]:
    return [skill.name for skill in read_skills(directory).skills]


def test_a_skill_has_four_parts(at: Path) -> None:
    write_skill(at, "csv-tools", "Body.", description="D.", code=PARSE, on_use="views.current();\n")
    (at / "style.md").write_text(prose("Short sentences.", "How to write."))

    read = read_skills(at)

    assert read.faults == ()
    assert read.skills == (
        Skill(name="csv-tools", description="D.", body="Body.", code=PARSE, on_use="views.current();\n"),
        Skill(name="style", description="How to write.", body="Short sentences."),
    )


def test_a_blank_half_is_none(at: Path) -> None:
    write_skill(at, "a", code=" \n", on_use="")

    (skill,) = read_skills(at).skills
    assert (skill.code, skill.on_use) == (None, None)


def test_the_file_of_prose_may_be_in_capitals(at: Path) -> None:
    write_skill(at, "a")
    (at / "a" / "skill.md").rename(at / "a" / "SKILL.md")
    (at / "B.MD").write_text(prose())

    assert (names(at), faults(at)) == (["B", "a"], [])


def test_what_is_no_skill_is_passed_over(at: Path) -> None:
    write_skill(at, "a")
    for file in ("notes.txt", ".hidden.md", "README.md", "a/reference.md", "a/helper.ts", "assets/logo.md"):
        (at / file).parent.mkdir(exist_ok=True)
        (at / file).write_text("nothing")
    write_skill(at, ".git")
    (at / "a" / "scripts").mkdir()

    assert (names(at), faults(at)) == (["a"], [])


def test_an_empty_folder_has_no_skills(at: Path) -> None:
    assert (names(at), faults(at)) == ([], [])


def test_a_folder_that_is_not_there_is_a_fault(at: Path) -> None:
    at.rmdir()

    assert [str(fault) for fault in read_skills(at).faults] == [
        f"{at}:1:1: cannot be listed: no such file or directory"
    ]


def test_everything_that_is_wrong_is_told_at_once(at: Path) -> None:
    write_skill(at, "good")
    write_skill(at, "two words")
    write_skill(at, "-" * 65)
    write_skill(at, "Csv")
    write_skill(at, "long", code="x" * (MAX_CODE_CHARS + 1))
    write_skill(at, "odd", on_use="a")
    (at / "odd" / "on-use.ts").write_bytes(b"a\n\xe9\n")
    (at / "odd" / "onUse.ts").write_text("b")
    (at / "csv.md").write_text("no front matter")
    (at / "skill.md").write_text(prose())
    (at / "loose").mkdir()
    (at / "loose" / "on-use.ts").write_text("views.current();")

    assert names(at) == ["Csv", "good"]
    allowed = "its name has 1 to 64 of letters, digits, -, _ and ."
    assert faults(at) == [
        f"{'-' * 65}/skill.md:1:1: a skill cannot be called `{'-' * 65}`; {allowed}",
        "csv.md:1:1: has the name of Csv/skill.md, whatever their case; give one another name",
        f"csv.md:1:1: needs front matter above the prose: {FRONT}",
        "long/skill.ts:1:1: code: 32,769 characters, limit 32,768",
        "loose/on-use.ts:1:1: there is no skill.md beside it, so it is no skill",
        "odd/on-use.ts:2:1: byte 3 is no UTF-8; save the file as UTF-8",
        "odd/onUse.ts:1:1: is not read under this name; call it on-use.ts",
        "skill.md:1:1: belongs to one skill, and this is the folder of all; put it into a folder of its own",
        f"two words/skill.md:1:1: a skill cannot be called `two words`; {allowed}",
    ]


def test_a_byte_order_mark_is_no_part_of_a_text(at: Path) -> None:
    write_skill(at, "a", code=PARSE)
    for file in ("skill.md", "skill.ts"):
        text = (at / "a" / file).read_bytes()
        (at / "a" / file).write_bytes(b"\xef\xbb\xbf" + text)

    (skill,) = read_skills(at).skills
    assert (skill.body, skill.code) == ("How it is done.", PARSE)


def test_a_name_that_is_no_utf8_is_a_fault(at: Path) -> None:
    write_skill(at, os.fsdecode(b"\xff"), description="D.")

    (fault,) = read_skills(at).faults
    assert fault.message.startswith("a skill cannot be called `\\udcff`; ")


def test_links_are_followed_within_the_folder_alone(at: Path, tmp_path: Path) -> None:
    write_skill(at, "inside", code=PARSE)
    write_skill(at, "copy")
    (at / "copy" / "skill.ts").symlink_to("../inside/skill.ts")
    (at / "twin.md").symlink_to("copy/skill.md")
    secret = tmp_path / "secret.ts"
    secret.write_text("export const key = 1;")
    (at / "inside" / "on-use.ts").symlink_to(secret)
    (at / "leak.md").symlink_to(secret)
    write_skill(tmp_path, "other")
    (at / "other").symlink_to(tmp_path / "other")

    assert names(at) == ["copy", "twin"]
    told = "is a link that leads out of the folder of the skills, to"
    assert faults(at) == [
        f"inside/on-use.ts:1:1: {told} {secret}; copy the file there",
        f"leak.md:1:1: {told} {secret}; copy the file there",
        f"other/skill.md:1:1: {told} {tmp_path}/other/skill.md; copy the file there",
    ]


def test_the_folder_itself_may_be_a_link(at: Path, tmp_path: Path) -> None:
    write_skill(at, "a")
    (tmp_path / "linked").symlink_to(at)

    assert (names(tmp_path / "linked"), faults(tmp_path / "linked")) == (["a"], [])


def test_what_is_no_file_is_not_waited_for(at: Path) -> None:
    os.mkfifo(at / "pipe.md")
    (at / "gone.md").symlink_to("nowhere.md")
    (at / "loop.md").symlink_to("loop.md")

    assert faults(at) == [
        "gone.md:1:1: cannot be read: no such file or directory",
        "loop.md:1:1: cannot be read: too many levels of symbolic links",
        "pipe.md:1:1: cannot be read: not a regular file",
    ]


def test_a_huge_file_is_not_read_to_its_end(at: Path) -> None:
    with open(at / "huge.md", "wb") as file:
        file.truncate(2**32)

    (fault,) = faults(at)
    assert fault.startswith("huge.md:1:1: over ")


def test_the_number_of_skills_is_bounded(at: Path) -> None:
    for number in range(MAX_SKILLS + 1):
        (at / f"s{number}.md").write_text(prose())

    assert faults(at.parent / "skills") == [f"{at}:1:1: holds 257 skills, limit 256"]
    (at / "s0.md").unlink()
    assert faults(at) == []
