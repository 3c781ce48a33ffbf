"""What there is to check at the paths that were named."""

import os
from pathlib import Path

import pytest

from host.app.check.finding import CheckRefused, find_targets
from host.app.check.sources import SourceFault, SourceReader
from host.app.check.targets import Found
from host.events import RecordUnreadable
from runtime_js import UnitKind

PROGRAM, MODULE, ON_USE = UnitKind.PROGRAM, UnitKind.MODULE, UnitKind.ON_USE


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def write(*files: str) -> None:
    for file in files:
        path = Path(file)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("")


def find(*paths: str, kind: UnitKind | None = None, lenient: bool = False) -> Found:
    return find_targets([Path(path) for path in paths], SourceReader(), kind=kind, lenient=lenient)


def names(*paths: str, kind: UnitKind | None = None) -> list[str]:
    return [target.name for target in find(*paths, kind=kind).targets]


def test_a_folder_is_walked_in_the_order_of_names() -> None:
    write("b.ts", "a/z.mts", "a/a.js", "c.tsx", "d.json", "e.md", "a b/ü.ts", "a.ts", "a/deep/er/x.ts")

    assert names(".") == ["a/a.js", "a/deep/er/x.ts", "a/z.mts", "a b/ü.ts", "a.ts", "b.ts"]
    assert names("a") == ["a/a.js", "a/deep/er/x.ts", "a/z.mts"]


def test_what_is_not_the_operators_is_left_out() -> None:
    write("a.ts", ".gg/x.ts", ".hidden/x.ts", ".#a.ts", "node_modules/x.ts", "sub/node_modules/x.ts")
    write("record/run.json", "record/events.ndjson", "record/programs/root/0001.ts")
    os.mkfifo("pipe.ts")
    Path("folder.ts").mkdir()

    assert names(".") == ["a.ts"]
    assert names(".hidden") == [".hidden/x.ts"]


def test_links_are_followed_to_files_alone() -> None:
    write("other/real.ts", "root/a.ts")
    Path("root/link.ts").symlink_to("../other/real.ts")
    Path("root/loop").symlink_to(".")
    Path("root/elsewhere").symlink_to("../other")
    Path("root/lost.ts").symlink_to("gone.ts")
    Path("root/self.ts").symlink_to("self.ts")

    assert names("root") == ["root/a.ts", "root/link.ts", "root/lost.ts", "root/self.ts"]


def test_a_file_is_checked_once_by_the_name_that_came_first() -> None:
    write("src/a.ts")
    Path("link.ts").symlink_to("src/a.ts")
    Path("linked").symlink_to("src")

    assert names(
        "link.ts", "src/a.ts", "src", "./src/../src/a.ts", str(Path.cwd() / "src/a.ts"), "linked"
    ) == ["link.ts"]


def test_names_may_be_any() -> None:
    write("a b.ts", "ü😀.ts", "line\nbreak.ts")
    raw = os.fsdecode(b"\xff.ts")
    write(raw)

    assert names(".") == sorted(["a b.ts", "ü😀.ts", "line\nbreak.ts", raw])
    assert names("line\nbreak.ts") == ["line\nbreak.ts"]


def test_a_skill_is_its_two_halves_under_the_key_of_its_folder() -> None:
    write("skills/csv-tools/skill.md", "skills/csv-tools/skill.ts", "skills/csv-tools/on-use.ts")
    write("skills/csv-tools/csv-tools.md", "skills/csv-tools/helper.ts", "skills/csv-tools/sub/x.ts")
    write("skills/notes/skill.md", "skills/loose.ts", "skills/CSV/skill.md", "skills/CSV/on-use.ts")

    found = [(target.name, target.kind, target.key) for target in find("skills").targets]
    prose = "skills/csv-tools/skill.md", "skill", ""

    csv_tools = [
        ("skills/csv-tools/skill.ts", MODULE, "csvTools"),
        ("skills/csv-tools/on-use.ts", ON_USE, "csvTools"),
    ]
    assert found == [
        ("skills/CSV/skill.md", "skill", ""),
        ("skills/CSV/on-use.ts", ON_USE, "csv"),
        prose,
        *csv_tools,
        ("skills/loose.ts", PROGRAM, ""),
        ("skills/notes/skill.md", "skill", ""),
    ]
    for path in ("skills/csv-tools", "skills/csv-tools/skill.md"):
        assert [(target.name, target.kind, target.key) for target in find(path).targets] == [
            prose,
            *csv_tools,
        ]
    halves = find(*(row[0] for row in csv_tools)).targets
    assert [(target.name, target.kind, target.key) for target in halves] == csv_tools


def test_a_file_of_prose_is_a_skill_in_a_folder_of_skills_and_a_reply_elsewhere() -> None:
    write("skills/style.md", "skills/.hidden.md", "skills/README.md", "notes/style.md", "mine/style.md")
    write("mine/csv/SKILL.md", "mine/csv/notes.md")

    assert [(target.name, target.kind, target.skill) for target in find(".").targets] == [
        ("mine/style.md", "skill", "style"),
        ("mine/csv/SKILL.md", "skill", "csv"),
        ("skills/style.md", "skill", "style"),
    ]
    named = find("skills/style.md", "mine/style.md", "notes/style.md", "mine/csv/notes.md").targets
    assert [target.kind for target in named] == ["skill", "skill", PROGRAM, PROGRAM]
    assert [target.kind for target in find("skills/style.md", kind=PROGRAM).targets] == [PROGRAM]


def test_the_skill_is_called_as_its_folder_wherever_one_stands(monkeypatch: pytest.MonkeyPatch) -> None:
    write("csv-tools/skill.md", "csv-tools/skill.ts")
    monkeypatch.chdir("csv-tools")

    for path in (".", "skill.ts", "skill.md"):
        *prose, module = find(path).targets
        assert (module.name, module.key) == ("skill.ts", "csvTools")
        assert [target.skill for target in prose] == (["csv-tools"] if path != "skill.ts" else [])


def test_modules_that_are_checked_together_see_each_other() -> None:
    for skill in ("a", "b", "c/a", "c/A", "d"):
        write(f"{skill}/skill.md", f"{skill}/skill.ts", f"{skill}/on-use.ts")
    Path("d/skill.ts").unlink()

    seen = {
        target.name: {module.key: module.name for module in target.modules}
        for target in find("a", "b", "c", "d").targets
        if target.kind != "skill"
    }

    a, b, second = {"a": "a/skill.ts"}, {"b": "b/skill.ts"}, {"a2": "c/A/skill.ts"}
    assert seen == {
        "a/skill.ts": b | second,
        "a/on-use.ts": a | b | second,
        "b/skill.ts": a | second,
        "b/on-use.ts": a | b | second,
        "c/A/skill.ts": a | b,
        "c/A/on-use.ts": a | b | second,
        "c/a/skill.ts": b | second,
        "c/a/on-use.ts": {"a": "c/a/skill.ts"} | b | second,
        "d/on-use.ts": a | b | second,
    }


def test_a_script_has_its_module_though_it_was_named_alone() -> None:
    write("csv/skill.md", "csv/skill.ts", "csv/on-use.ts")

    (target,) = find("csv/on-use.ts").targets

    assert [(module.key, module.name) for module in target.modules] == [("csv", "csv/skill.ts")]


def test_a_kind_says_what_files_are() -> None:
    write("csv-tools.ts", "sub/two.ts", "csv/skill.md", "csv/skill.ts")

    modules = find("csv-tools.ts", "sub", kind=MODULE).targets
    scripts = find("csv-tools.ts", kind=ON_USE).targets

    assert [(target.kind, target.key, [m.key for m in target.modules]) for target in modules] == [
        (MODULE, "csvTools", ["two"]),
        (MODULE, "two", ["csvTools"]),
    ]
    assert [(target.kind, target.key, target.modules) for target in scripts] == [(ON_USE, "csvTools", ())]
    assert [target.kind for target in find("csv/skill.ts", kind=PROGRAM).targets] == [PROGRAM]


REFUSALS = [
    pytest.param(
        ["nope"], "there is no nope; name a file, a folder, a skill or a session record", id="missing"
    ),
    pytest.param(["src/appel.ts"], "there is no src/appel.ts; did you mean src/apple.ts?", id="misspelt"),
    pytest.param(
        ["a\nb"], "there is no a\\u000ab; name a file, a folder, a skill or a session record", id="odd"
    ),
    pytest.param(
        ["empty"],
        "nothing to check in empty: no *.ts, *.mts or *.js file and no skill; name the file itself",
        id="empty folder",
    ),
    pytest.param(
        ["src", "pipe.ts"],
        "cannot check pipe.ts: it is a pipe; save what is to be checked as a file",
        id="pipe",
    ),
    pytest.param(
        ["lost.ts"],
        "cannot check lost.ts: it is a link to nothing (gone.ts); make it lead to a file",
        id="lost link",
    ),
    pytest.param(
        ["loop"],
        "cannot check loop: it is a link that leads back to itself; make it lead to a file",
        id="link in a circle",
    ),
    pytest.param(
        ["run.YAML"], "run.YAML is no program; gg validate checks a configuration", id="configuration"
    ),
    pytest.param(
        ["binary.ts"], "cannot check binary.ts: byte 3 is no UTF-8; save the file as UTF-8", id="binary"
    ),
]


@pytest.mark.parametrize(("paths", "told"), REFUSALS)
def test_what_cannot_be_checked_is_refused_with_a_remedy(paths: list[str], told: str) -> None:
    write("src/apple.ts", "empty/readme.md", "empty/.hidden.ts")
    os.mkfifo("pipe.ts")
    Path("lost.ts").symlink_to("gone.ts")
    Path("loop").symlink_to("loop")
    Path("binary.ts").write_bytes(b"ab\xff")
    Path("run.YAML").write_text("task: x")

    with pytest.raises(CheckRefused) as raised:
        find(*paths)

    assert str(raised.value) == told


def test_a_record_that_cannot_be_read_is_no_wrong_use() -> None:
    write("broken/events.ndjson")
    Path("broken/run.json").write_text('{"formatVersion": "x"}')
    told = "broken/run.json: formatVersion is 'x', not a whole number from 1"

    with pytest.raises(RecordUnreadable) as raised:
        find("broken")
    (target,) = find("broken", lenient=True).targets

    assert str(raised.value) == told
    assert str(target.source) == f"cannot read this session record: {told}"


@pytest.mark.parametrize(
    ("path", "what"), [("csv", "a skill"), ("csv/skill.md", "a skill"), ("record", "a session record")]
)
def test_a_kind_for_what_has_one_is_refused(path: str, what: str) -> None:
    write("csv/skill.md", "csv/skill.ts", "record/events.ndjson")

    with pytest.raises(CheckRefused) as raised:
        find(path, kind=MODULE)

    shown = path.removesuffix("/skill.md")
    assert str(raised.value) == f"--as says what a file is, and {shown} is {what}; leave --as out"


def test_a_huge_file_is_no_wrong_use() -> None:
    with open("huge.ts", "wb") as file:
        file.truncate(2**30)

    assert names("huge.ts") == ["huge.ts"]


def test_leniently_all_that_is_wrong_is_a_target() -> None:
    write("empty/readme.md", "csv/skill.md")
    os.mkfifo("pipe.ts")

    found = find("nope.ts", "empty", "pipe.ts", "csv", kind=MODULE, lenient=True)

    assert [target.name for target in found.targets] == ["nope.ts", "pipe.ts", "csv"]
    assert isinstance(found.targets[2].source, SourceFault)


def test_folders_are_watched_where_something_may_come_to_be(tmp_path: Path) -> None:
    write("src/sub/a.ts", "other/real.ts", "csv/skill.md", "csv/on-use.ts", "one/two.ts")
    Path("src/link.ts").symlink_to("../other/real.ts")

    found = find("src", "csv/on-use.ts", "one/two.ts", "gone/for/good.ts", lenient=True)

    below = {folder.relative_to(tmp_path).as_posix() for folder in found.folders}
    places = {place.relative_to(tmp_path).as_posix() for place in found.places}
    assert below == {".", "src", "src/sub", "other", "csv", "one"}
    assert places == {
        "src",
        "other/real.ts",
        "csv/on-use.ts",
        "csv/skill.ts",
        "one/two.ts",
        "gone/for/good.ts",
    }
