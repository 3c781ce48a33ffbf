"""Nothing of the host takes part in a check: every form of naming a file, against real files."""

import os
import sys
from pathlib import Path

import pytest

from runtime_js.checker import TypeChecker
from tests.runtime_js.checking import module, program, told

SECRET = "hunter2"

FILES = {
    "secret.ts": f"export const secret = '{SECRET}' as const; export type Secret = '{SECRET}';",
    "global.d.ts": f"declare const fromHost: '{SECRET}';",
    "plain.js": f"export const secret = '{SECRET}';",
    "module.mjs": f"export const secret = '{SECRET}';",
    "common.cjs": f"module.exports = '{SECRET}';",
    "page.tsx": f"export const secret = '{SECRET}';",
    "page2.jsx": f"export const secret = '{SECRET}';",
    "data.json": f'{{ "secret": "{SECRET}" }}',
    "style.css": SECRET,
    "style.d.css.ts": f"export const secret: '{SECRET}';",
    "package/package.json": '{ "name": "package", "types": "types.d.ts", "main": "main.js" }',
    "package/types.d.ts": f"export const secret: '{SECRET}';",
    "package/main.js": f"export const secret = '{SECRET}';",
    "folder/index.ts": f"export const secret = '{SECRET}';",
}
SPECIFIERS = [
    "secret", "secret.ts", "secret.js", "secret.d.ts", "global", "global.d.ts", "plain", "plain.js",
    "plain.ts", "module.mjs", "module.mts", "common.cjs", "page", "page.tsx", "page.js", "page2", "page2.jsx",
    "data", "data.json", "style.css", "package", "package/main", "folder", "folder/", "folder/index", ".", "",
]  # fmt: skip
FORMS = [
    "import type {{ Secret }} from '{}';\nconst a: Secret = 1;",
    "import {{ secret }} from '{}';\nconst a: number = secret;",
    "import all = require('{}');\nconst a: number = all;",
    "const a: typeof import('{}') = 1;",
    "const a: import('{}').Secret = 1;",
    "const a: number = (await import('{}')).secret;",
    "export * from '{}';",
    "import data from '{}' with {{ type: 'json' }};\nconst a: number = data;",
    "declare module '{}' {{ export const a: 1 }}\nimport {{ a }} from '{}';\nconst b: string = a;",
    "/// <reference path='{}' />\nconst a: number = fromHost;",
    "/// <reference types='{}' />\nconst a: number = fromHost;",
    "const a = 1;\n/// <reference path='{}' />\nfromHost;",
    "/** @import {{ Secret }} from '{}' */\n/** @type {{import('{}').Secret}} */ const a: number = '';",
    "// @ts-ignore\nimport {{ secret }} from '{}';\nconst a: number = secret;\nsecret.x.y;",
]


@pytest.fixture(scope="module")
def host(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("host")
    for name, text in FILES.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text)
    return folder


@pytest.mark.parametrize("form", FORMS)
def test_a_file_of_the_host_reads_like_one_that_does_not_exist(
    checker: TypeChecker, host: Path, form: str
) -> None:
    # Of the same length, so that places are the same.
    nowhere = host.with_name("x" * len(host.name))
    assert not nowhere.exists()

    for name in SPECIFIERS:
        for prefix in ("", "../../..", "../../../../../..", "file://"):
            real, absent = (
                [line.replace(specifier, "…") for line in told(checker.check(program(source)))]
                for specifier in (f"{prefix}{host}/{name}", f"{prefix}{nowhere}/{name}")
                for source in [form.format(specifier, specifier)]
            )
            assert SECRET not in "".join(real)
            assert real == absent


def test_it_holds_for_modules_too(checker: TypeChecker, host: Path) -> None:
    source = f"export const a: typeof import('{host}/secret') = 1;"
    expected = f"TS2307: Cannot find module '{host}/secret' or its corresponding type declarations."

    assert told(checker.check(module("csvTools", source))) == [f"csvTools.ts:1:31: {expected}"]
    assert told(checker.check(program("import { a } from 'csvTools'; a;", {"csvTools": source}))) == [
        f"csvTools.ts:1:31: {expected}"
    ]


@pytest.mark.parametrize("specifier", ["./gg", "./unit", "./tsconfig.json", "../0/lib"])
def test_the_checkers_own_files_are_no_modules(checker: TypeChecker, specifier: str) -> None:
    assert told(checker.check(program(f'export type A = typeof import("{specifier}");'))) == [
        f"program.ts:1:31: TS2307: Cannot find module '{specifier}' or its corresponding type declarations."
    ]


@pytest.mark.parametrize("lib", ["dom", "esnext", "webworker", "es2025.intl"])
def test_a_program_cannot_add_a_library(checker: TypeChecker, lib: str) -> None:
    source = f'/// <reference lib="{lib}" />\n/// <reference no-default-lib="true" />\nIntl; window;'

    assert told(checker.check(program(source))) == [
        "program.ts:3:1: TS2304: Cannot find name 'Intl'.",
        "program.ts:3:7: TS2304: Cannot find name 'window'.",
    ]


@pytest.mark.skipif(sys.platform != "linux", reason="limits of a running process are set on Linux only")
def test_a_running_checker_can_open_no_file(checker: TypeChecker) -> None:
    checker.check(program("1;"))
    limits = Path(f"/proc/{checker.pid}/limits").read_text().splitlines()
    (limit,) = [line.split()[3] for line in limits if line.startswith("Max open files")]

    assert sorted(map(int, os.listdir(f"/proc/{checker.pid}/fd"))) == list(range(int(limit)))
