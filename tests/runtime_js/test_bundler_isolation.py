"""Nothing a guest writes makes esbuild read a file of the host or name a false place."""

import base64
import json
import os
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from runtime_js.bundler import Bundle, Bundler, BundleRefused
from runtime_js.places import Place
from runtime_js.toolchain import find_toolchain
from runtime_js.units import UnitKind
from tests.runtime_js.bundling import NOTHING_LOADED, SDK, bundled, errors_of, told, unit

SECRET = "c2VjcmV0"
FORGED = {"version": 3, "sources": ["/etc/forged.ts"], "mappings": "AAAA", "sourcesContent": [SECRET]}
DATA_URL = "data:application/json;base64," + base64.b64encode(json.dumps(FORGED).encode()).decode()

# Each names the secret file as `{file}`, or its folder as `{up}` from wherever the process stands.
READS = {
    "import": 'import "{file}";',
    "import of a value": 'import a from "{file}"; console.log(a);',
    "import as text": 'import a from "{file}" with {{ type: "text" }}; console.log(a);',
    "import as bytes": 'import a from "{file}" with {{ type: "bytes" }}; console.log(a);',
    "import as JSON": 'import a from "{file}" with {{ type: "json" }}; console.log(a);',
    "import by URL": 'import a from "file://{file}"; console.log(a);',
    "import of a relative path": 'import a from "{up}/secret.json"; console.log(a);',
    "import of a package": 'import a from "lodash"; console.log(a);',
    "export from": 'export * from "{file}";',
    "dynamic import": 'console.log(await import("{file}"));',
    "require": 'console.log(require("{file}"));',
    "require, tried": 'try {{ console.log(require("{file}")) }} catch {{}}',
    "require.resolve": 'console.log(require.resolve("{file}"));',
    "pattern of an import": 'console.log(await import("{up}/" + globalThis.a + ".json"));',
    "pattern of a template": "console.log(await import(`{up}/${{globalThis.a}}.json`));",
    "pattern of a require": 'console.log(require("{up}/" + globalThis.a + ".json"));',
    "URL": 'console.log(new URL("{file}", import.meta.url));',
    "worker": 'new Worker(new URL("{up}/secret.json", import.meta.url));',
    "import = require": 'import a = require("{file}"); console.log(a);',
}

# What is accepted, but reads nothing.
IGNORED = {
    "type import": 'import type {{ A }} from "{file}"; let a: A; console.log(1);',
    "type of a file": 'type A = typeof import("{file}"); console.log(1);',
    "reference": '/// <reference path="{file}"/>\nconsole.log(1);',
    "import that is not used": 'import a from "{file}"; console.log(1);',
    "source map": "console.log(1);\n//# sourceMappingURL={file}",
    "source map, old form": "console.log(1);\n//@ sourceMappingURL={file}\n",
    "source map in a block comment": "console.log(1);\n/*# sourceMappingURL={file} */",
    "source map, relative": "console.log(1);\n//# sourceMappingURL={up}/secret.json",
    "source map in a template": "console.log(`\n//# sourceMappingURL={file}\n`);",
}

FORGERIES = {
    "last line": "f();\n//# sourceMappingURL={url}",
    "last line, with a break": "f();\n//# sourceMappingURL={url}\n",
    "first line": "//# sourceMappingURL={url}\nf();",
    "old form": "f();\n//@ sourceMappingURL={url}",
    "block comment": "f();\n/*# sourceMappingURL={url} */",
    "block comment, old form": "f(); /*@ sourceMappingURL={url} */",
    "several": "//# sourceMappingURL=x:y\nf();\n//# sourceMappingURL={url}\n//# sourceMappingURL={url}",
    "after a carriage return": "f();\r//# sourceMappingURL={url}\r",
    "after a line separator": "f();\u2028//# sourceMappingURL={url}\u2028",
    "behind code": "f(); //# sourceMappingURL={url}",
    "in a template": "f(`\n//# sourceMappingURL={url}`);",
}


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder full of what a bundler looks for; the process under test stands in a folder of it."""
    folder = tmp_path_factory.mktemp("room")
    package = folder / "node_modules" / "lodash"
    package.mkdir(parents=True)
    (folder / "secret.json").write_text(json.dumps(FORGED))
    (folder / "package.json").write_text(
        '{"type": "commonjs", "sideEffects": false, "imports": {"#a": "./secret.json"}}'
    )
    (folder / "tsconfig.json").write_text(
        '{"compilerOptions": {"paths": {"alias": ["./secret.json"]}, "target": "es5", "jsx": "react",'
        ' "verbatimModuleSyntax": true, "experimentalDecorators": true}}'
    )
    (package / "package.json").write_text('{"main": "index.js"}')
    (package / "index.js").write_text(f"export default {SECRET!r};")
    return folder


@pytest.fixture(scope="module")
def standing(room: Path) -> Iterator[Bundler]:
    before, tempfile.tempdir = tempfile.tempdir, str(room)
    try:
        bundler = Bundler(find_toolchain().esbuild, SDK, timeout_s=60, memory_bytes=2**30)
    finally:
        tempfile.tempdir = before
    assert Path(psutil.Process(bundler.pid).cwd()).parent == room
    yield bundler
    bundler.close()


@pytest.mark.parametrize("source", READS.values(), ids=READS)
def test_a_file_is_refused_where_the_guest_names_it(standing: Bundler, room: Path, source: str) -> None:
    result = standing.bundle(unit(named(source, room)))

    assert isinstance(result, BundleRefused)
    assert [error.diagnostic.file for error in result.errors] == ["program.ts"] * len(result.errors)
    assert SECRET not in "".join(told(result.errors))


@pytest.mark.parametrize("source", IGNORED.values(), ids=IGNORED)
def test_a_file_that_only_a_comment_or_a_type_names_is_not_read(
    standing: Bundler, room: Path, source: str
) -> None:
    bundle = bundled(standing, unit(named(source, room)))

    assert SECRET not in bundle.js
    line = next(number for number, text in enumerate(bundle.js.split("\n"), 1) if "console.log(" in text)
    place = bundle.source_map.locate(line, 1)
    assert place is not None
    assert place.file == "program.ts"


@pytest.mark.parametrize("source", FORGERIES.values(), ids=FORGERIES)
@pytest.mark.parametrize("kind", list(UnitKind))
def test_no_comment_forges_a_place(standing: Bundler, kind: UnitKind, source: str) -> None:
    text = source.format(url=DATA_URL)
    bundle = bundled(standing, unit(text, kind=kind, key="a"))

    assert place_of_call(bundle) == Place(
        unit("", kind=kind, key="a").file_name, 1 + text[: text.index("f(")].count("\n"), 1
    )


@pytest.mark.parametrize("source", FORGERIES.values(), ids=FORGERIES)
def test_no_comment_of_a_module_forges_a_place(standing: Bundler, source: str) -> None:
    text = source.format(url=DATA_URL)
    bundle = bundled(standing, unit('import "a";', {"a": text}))

    assert place_of_call(bundle) == Place("a.ts", 1 + text[: text.index("f(")].count("\n"), 1)


def test_settings_in_the_folders_above_are_not_read(standing: Bundler) -> None:
    decorated = bundled(standing, unit("@f class A { b = 1 }"))
    aliased = errors_of(standing, unit('import a from "alias"; import b from "#a"; a(b);'))

    assert "__decorateClass" not in decorated.js
    assert "=>" in bundled(standing, unit("f(() => 1);")).js
    assert aliased == [
        f'RULE program.ts:1:15: Cannot import "alias": no module of that key is loaded. {NOTHING_LOADED}',
        f'RULE program.ts:1:38: Cannot import "#a": no module of that key is loaded. {NOTHING_LOADED}',
    ]


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere esbuild keeps descriptors to open files with")
def test_the_process_has_no_descriptor_left_to_open_a_file_with(standing: Bundler) -> None:
    process = psutil.Process(standing.pid)

    assert process.rlimit(psutil.RLIMIT_NOFILE) == (5, 5)
    assert process.num_fds() == 5
    assert process.environ() == {}
    assert os.listdir(process.cwd()) == []


def named(source: str, room: Path) -> str:
    return source.format(file=room / "secret.json", up="../" * 12 + str(room)[1:])


def place_of_call(bundle: Bundle) -> Place | None:
    line = next(
        number for number, text in enumerate(bundle.js.split("\n"), 1) if text.lstrip().startswith("f(")
    )
    return bundle.source_map.locate(line, 1)
