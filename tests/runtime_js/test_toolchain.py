"""What is missing, what is stale, and the command that mends it."""

import json
import re
from pathlib import Path

import pytest

from runtime_js.toolchain import (
    HERE,
    Layout,
    ToolchainMissing,
    ToolchainStale,
    find_toolchain,
    install_command,
    platform_name,
)

PLATFORM = platform_name()


@pytest.fixture
def layout(tmp_path: Path) -> Layout:
    """A checkout in a folder with a space in its name, with everything installed, of the size of nothing."""
    layout = Layout(tmp_path / "my gg" / "runtime_js", PLATFORM)
    layout.folder.mkdir(parents=True)
    (layout.folder.parent / "pyproject.toml").touch()
    (layout.folder / "package.json").write_text("{}")
    (layout.folder / "package-lock.json").write_text('{"lockfileVersion": 3}')
    for path in (*layout.files, layout.guest_library):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text('{"version": "1.2.3"}')
        path.chmod(0o755)
    layout.stamp.write_text(layout.stamp_text())
    return layout


def test_the_checkout_has_the_pinned_compilers() -> None:
    pins = json.loads((HERE / "package.json").read_text())["dependencies"]

    toolchain = find_toolchain()

    assert {"esbuild": toolchain.esbuild_version, "typescript": toolchain.typescript_version} == pins


def test_paths_and_versions_of_an_installation(layout: Layout) -> None:
    toolchain = find_toolchain(layout.folder)

    modules = layout.folder / "node_modules"
    assert toolchain.esbuild == modules / "@esbuild" / PLATFORM / "bin" / "esbuild"
    assert toolchain.tsc == modules / "@typescript" / f"typescript-{PLATFORM}" / "lib" / "tsc"
    assert toolchain.library == modules / "@typescript" / f"typescript-{PLATFORM}" / "lib"
    assert toolchain.guest_library == modules / "gg-lib" / "lib.d.ts"
    assert (toolchain.esbuild_version, toolchain.typescript_version) == ("1.2.3", "1.2.3")


NEEDED = ["esbuild", "tsc", "library/lib.d.ts", "guest_library", "esbuild_package/package.json"]


@pytest.mark.parametrize("needed", NEEDED)
def test_a_missing_file_is_named_with_the_command_to_run(needed: str, layout: Layout) -> None:
    name, _, rest = needed.partition("/")
    path: Path = getattr(layout, name) / rest
    path.unlink()

    with pytest.raises(ToolchainMissing) as caught:
        find_toolchain(layout.folder)

    command = f"cd '{layout.folder.parent}' && pip install -e '.[test]'"
    assert str(caught.value) == f"no {path.name} at {path}; run: {command}"


def test_a_compiler_without_the_right_to_run_is_refused(layout: Layout) -> None:
    layout.tsc.chmod(0o644)

    with pytest.raises(ToolchainMissing, match=f"^{re.escape(str(layout.tsc))} is not executable; run: cd "):
        find_toolchain(layout.folder)


@pytest.mark.parametrize("pin", ["package.json", "package-lock.json"])
def test_changed_pins_make_an_installation_stale(pin: str, layout: Layout) -> None:
    (layout.folder / pin).write_text('{"changed": true}')

    with pytest.raises(ToolchainStale) as caught:
        find_toolchain(layout.folder)

    assert str(caught.value) == (
        f"the compilers in {layout.node_modules} were installed from other pins than those in"
        f" {layout.folder}; run: {install_command(layout.folder)}"
    )


def test_an_installation_without_a_stamp_is_stale(layout: Layout) -> None:
    layout.stamp.unlink()

    with pytest.raises(ToolchainStale):
        find_toolchain(layout.folder)


def test_an_installation_for_another_platform_is_not_fresh(layout: Layout) -> None:
    assert layout.is_fresh()
    assert not Layout(layout.folder, "linux-riscv64").is_fresh()


def test_outside_a_checkout_the_remedy_is_the_wheel(tmp_path: Path) -> None:
    assert install_command(tmp_path / "runtime_js") == "pip install --force-reinstall --no-deps gg-*.whl"


def test_windows_has_its_own_paths() -> None:
    layout = Layout(Path("r"), "win32-x64")

    assert layout.esbuild == Path("r/node_modules/@esbuild/win32-x64/esbuild.exe")
    assert layout.tsc == Path("r/node_modules/@typescript/typescript-win32-x64/lib/tsc.exe")


PLATFORMS = [
    ("linux", "x86_64", "linux-x64"),
    ("linux", "aarch64", "linux-arm64"),
    ("darwin", "arm64", "darwin-arm64"),
    ("win32", "AMD64", "win32-x64"),
]


@pytest.mark.parametrize(("system", "processor", "expected"), PLATFORMS)
def test_platforms_have_their_npm_names(system: str, processor: str, expected: str) -> None:
    assert platform_name(system, processor) == expected


def test_a_platform_without_compilers_is_refused() -> None:
    with pytest.raises(ToolchainMissing) as caught:
        platform_name("linux", "s390x")

    assert str(caught.value) == (
        "no compilers for 'linux' on 's390x'; they come for Linux, macOS and Windows on x86-64 and arm64"
    )
