import pytest

from runtime_js.specifiers import Importables, Target, missing_export, near_importable, whereabouts

PROGRAM = Importables(families=("files", "views"), keys=("csvTools", "dates", "git"))
ALL = 'Importable are "gg", "gg:<family>" (files, views) and the loaded modules "csvTools", "dates", "git".'

FOUND = [
    ("gg", Target("gg", "gg")),
    ("gg:views", Target("family", "views")),
    ("csvTools", Target("module", "csvTools")),
    ("lib:csvTools", Target("module", "csvTools")),
]

NO_KEY = "no module of that key is loaded."
NO_FILE = "there are no files to import."
NO_FETCH = "nothing is fetched."
NO_NODE = "there is no Node.js here."
REFUSED = [
    ("functions", f'Cannot import "functions": {NO_KEY}'),
    ("gti", f'Cannot import "gti": {NO_KEY} Did you mean "git"?'),
    ("gxx", f'Cannot import "gxx": {NO_KEY}'),
    ("csv-tools", f'Cannot import "csv-tools": {NO_KEY} Did you mean "csvTools"?'),
    ("CSVTools", f'Cannot import "CSVTools": {NO_KEY} Did you mean "csvTools"?'),
    ("lib:date", f'Cannot import "lib:date": {NO_KEY} Did you mean "dates"?'),
    ("views", f'Cannot import "views": {NO_KEY} Did you mean "gg:views"?'),
    ("gg/views", f'Cannot import "gg/views": {NO_KEY} Did you mean "gg:views"?'),
    ("@gg/files", f'Cannot import "@gg/files": {NO_KEY} Did you mean "gg:files"?'),
    ("", f'Cannot import "": {NO_KEY}'),
    ("lib:", f'Cannot import "lib:": {NO_KEY}'),
    ("gg:view", 'Cannot import "gg:view": there is no such family. Did you mean "gg:views"?'),
    ("gg:shell", 'Cannot import "gg:shell": there is no such family.'),
    ("sdk:core", 'Cannot import "sdk:core": there is no such prefix.'),
    ("./helpers", f'Cannot import "./helpers": {NO_FILE}'),
    ("..", f'Cannot import "..": {NO_FILE}'),
    ("/etc/hostname", f'Cannot import "/etc/hostname": {NO_FILE}'),
    ("file:///etc/passwd", f'Cannot import "file:///etc/passwd": {NO_FILE}'),
    ("~/notes", f'Cannot import "~/notes": {NO_FILE}'),
    ("C:\\a", f'Cannot import "C:\\\\a": {NO_FILE}'),
    ("https://a.b/c", f'Cannot import "https://a.b/c": {NO_FETCH}'),
    ("data:text/javascript,1", f'Cannot import "data:text/javascript,1": {NO_FETCH}'),
    ("npm:zod", f'Cannot import "npm:zod": {NO_FETCH}'),
    ("node:fs", f'Cannot import "node:fs": {NO_NODE}'),
    ("fs/promises", f'Cannot import "fs/promises": {NO_NODE}'),
    ("path", f'Cannot import "path": {NO_NODE}'),
    ("a\nb", f'Cannot import "a\\nb": {NO_KEY}'),
    ("é字", f'Cannot import "é字": {NO_KEY}'),
    ("x" * 500, f'Cannot import "{"x" * 80}…": {NO_KEY}'),
]

TOLD = [
    pytest.param(
        Target("module", "csvTools"),
        "parseCsvs",
        ("parse", "parseCsv"),
        'Module "csvTools" has no export "parseCsvs". Did you mean "parseCsv" or "parse"?'
        " It exports parse, parseCsv.",
        id="near",
    ),
    pytest.param(
        Target("gg", "gg"),
        "openText",
        ("files", "views"),
        'Module "gg" has no export "openText". It is in "gg:views". It exports files, views.',
        id="in a family",
    ),
    pytest.param(
        Target("family", "views"),
        "default",
        ("openText",),
        'Module "gg:views" has no default export. It exports openText.',
        id="default",
    ),
    pytest.param(
        Target("module", "empty"),
        "x",
        (),
        'Module "empty" has no export "x". It exports nothing.',
        id="nothing",
    ),
]


@pytest.mark.parametrize(("specifier", "target"), FOUND)
def test_what_exists_is_found(specifier: str, target: Target) -> None:
    assert PROGRAM.find(specifier) == target


@pytest.mark.parametrize(("specifier", "sentences"), REFUSED)
def test_what_does_not_exist_is_answered_with_what_does(specifier: str, sentences: str) -> None:
    assert PROGRAM.find(specifier) is None
    assert PROGRAM.refusal(specifier) == f"{sentences} {ALL}"


WHERE = [
    pytest.param([Target("gg", "gg")], False, ' It is in "gg".', id="gg"),
    pytest.param(
        [Target("family", "views"), Target("module", "csvTools")],
        True,
        ' It is in "gg:views" or "csvTools".',
        id="a family and a module",
    ),
    pytest.param([], True, ' It is the module "name".', id="a key"),
    pytest.param([], False, "", id="nowhere"),
]


@pytest.mark.parametrize(("exporters", "is_key", "sentence"), WHERE)
def test_where_a_name_is(exporters: list[Target], is_key: bool, sentence: str) -> None:
    assert whereabouts("name", exporters, is_key=is_key) == sentence


def test_what_can_be_imported_under_nearly_a_name() -> None:
    assert near_importable("view", ["views", "files"]) == ' Did you mean "views"?'
    assert near_importable("zzzzz", ["views", "files"]) == ""


def test_one_module_is_one() -> None:
    found = Importables(families=("views",), keys=("dates",))

    assert found.all() == 'Importable are "gg", "gg:<family>" (views) and the loaded module "dates".'


def test_a_program_without_modules_is_told_so() -> None:
    found = Importables(families=("views",), keys=())

    assert found.all() == 'Importable are "gg" and "gg:<family>" (views); no module is loaded.'


def test_of_many_modules_the_first_are_listed() -> None:
    found = Importables(families=("views",), keys=tuple(f"m{number:03}" for number in range(50)))

    assert found.all().endswith('"m038", "m039" and 10 more.')


def test_a_module_cannot_import_itself() -> None:
    found = Importables(families=("views",), keys=("dates",), own_key="csvTools")

    assert found.refusal("lib:csvTools").startswith(
        'Cannot import "lib:csvTools": that is this module itself.'
    )


def test_an_on_use_script_imports_its_own_module_only() -> None:
    found = Importables(families=("views",), keys=("csvTools",), is_on_use=True)

    assert found.refusal("lodash") == (
        'Cannot import "lodash": no module of that key may be imported here.'
        ' Importable are "gg", "gg:<family>" (views) and its own module "csvTools".'
    )


@pytest.mark.parametrize(("target", "name", "exports", "expected"), TOLD)
def test_an_export_that_is_missing(
    target: Target, name: str, exports: tuple[str, ...], expected: str
) -> None:
    elsewhere = whereabouts(name, [Target("family", "views")] if name == "openText" else [], is_key=False)

    assert missing_export(target, name, exports, elsewhere) == expected
