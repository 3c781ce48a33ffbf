"""The compilers are really started, and one that does not work is told apart from one that is not there."""

import dataclasses
from pathlib import Path

import pytest

from runtime_js.probe import probe_compilers
from runtime_js.toolchain import Toolchain, find_toolchain, install_command

TOOLCHAIN = find_toolchain()


def test_the_installed_compilers_answer_with_their_versions() -> None:
    found = [(probe.name, probe.version, probe.problem) for probe in probe_compilers(TOOLCHAIN)]

    assert found == [
        ("esbuild", TOOLCHAIN.esbuild_version, None),
        ("TypeScript", TOOLCHAIN.typescript_version, None),
    ]


BROKEN = [
    pytest.param(
        "#!/bin/sh\necho cannot start >&2\nexit 3\n",
        "ended with exit status 3: cannot start",
        id="fails",
    ),
    pytest.param("#!/bin/sh\nexit 4\n", "ended with exit status 4: it printed nothing", id="fails silently"),
    pytest.param("#!/bin/sh\necho 0.1.0\n", "says '0.1.0', expected {version}", id="other version"),
    pytest.param("#!/bin/sh\n", "says '', expected {version}", id="says nothing"),
]


@pytest.mark.parametrize(("script", "expected"), BROKEN)
def test_a_compiler_that_does_not_work_is_described_with_the_remedy(
    script: str, expected: str, tmp_path: Path
) -> None:
    toolchain = with_esbuild(tmp_path, script)

    problem = probe_compilers(toolchain)[0].problem

    detail = expected.format(version=TOOLCHAIN.esbuild_version)
    assert problem == f"{toolchain.esbuild} {detail}; run: {install_command()}"


def test_a_compiler_that_hangs_is_given_up(tmp_path: Path) -> None:
    toolchain = with_esbuild(tmp_path, "#!/bin/sh\nread never\n")

    problem = probe_compilers(toolchain, timeout_s=0.1)[0].problem

    assert problem == (f"{toolchain.esbuild} --version gave no answer within 0.1 s; run: {install_command()}")


def with_esbuild(folder: Path, script: str) -> Toolchain:
    esbuild = folder / "esbuild"
    esbuild.write_text(script)
    esbuild.chmod(0o755)
    return dataclasses.replace(TOOLCHAIN, esbuild=esbuild)
