"""What a server is started with."""

from pathlib import Path

import pytest

from host.tools.servers import ServerSpec
from host.tools.servers.preparing import CannotStart, headers_of, launch_of


def program(folder: Path, name: str = "server", mode: int = 0o755) -> Path:
    path = folder / name
    path.write_text("#!/bin/sh\n")
    path.chmod(mode)
    return path


def test_the_environment_is_scrubbed_but_for_what_is_named(tmp_path: Path) -> None:
    path = program(tmp_path)
    environ = {"PATH": "/bin", "HOME": "/h", "SECRET": "s", "TOKEN": "t", "PYTHONPATH": "x", "LC_ALL": "C"}

    launch = launch_of(ServerSpec(name="x", command=(str(path), "-v"), env=("TOKEN",)), environ)

    assert launch.env == {"PATH": "/bin", "HOME": "/h", "LC_ALL": "C", "TOKEN": "t"}
    assert launch.argv == (str(path), "-v")


def test_a_program_is_found_in_path_and_a_path_from_the_folder_it_runs_in(tmp_path: Path) -> None:
    path = program(tmp_path)

    in_path = launch_of(ServerSpec(name="x", command=("server",)), {"PATH": f"/nowhere:{tmp_path}"})
    beside = launch_of(ServerSpec(name="x", command=("./server",), cwd=tmp_path), {})

    assert in_path.argv == beside.argv == (str(path),)


def test_what_is_missing_is_told_with_a_remedy(tmp_path: Path) -> None:
    plain = program(tmp_path, "plain", 0o644)
    cases = [
        (
            ServerSpec(name="x", command=("uvx", "a")),
            "cannot be started: there is no program `uvx` in PATH, which is /bin-of-nobody",
            "Install it, or write its whole path.",
        ),
        (
            ServerSpec(name="x", command=("./gone",), cwd=tmp_path),
            f"cannot be started: there is no file {tmp_path}/gone",
            "Write where the program is.",
        ),
        (
            ServerSpec(name="x", command=(str(plain),)),
            f"cannot be started: {plain} is not executable",
            f"Run: chmod +x {plain}",
        ),
        (
            ServerSpec(name="x", command=(str(plain),), cwd=tmp_path / "gone"),
            f"cannot run in {tmp_path}/gone, which is no folder",
            "Make it, or name another.",
        ),
        (
            ServerSpec(name="x", command=(str(plain),), env=("A", "B", "PATH")),
            "needs environment variables that are not set: A and B",
            "Set them before gg starts, or take their names out of the configuration.",
        ),
    ]

    for spec, *told in cases:
        with pytest.raises(CannotStart) as caught:
            launch_of(spec, {"PATH": "/bin-of-nobody"})

        assert [caught.value.reason, caught.value.remedy] == told


def test_headers_have_their_values_from_the_environment() -> None:
    spec = ServerSpec(name="x", url="http://x", headers_env={"Authorization": "TOKEN", "X-Id": "ID"})

    assert headers_of(spec, {"TOKEN": "Bearer a\n", "ID": "7"}) == {"Authorization": "Bearer a", "X-Id": "7"}


@pytest.mark.parametrize("value", ["a\r\nX-Other: b", "ä"])
def test_a_value_that_no_header_holds_is_refused_without_telling_it(value: str) -> None:
    with pytest.raises(CannotStart) as caught:
        headers_of(ServerSpec(name="x", url="http://x", headers_env={"X-Key": "KEY"}), {"KEY": value})

    assert caught.value.reason == "cannot be sent the header X-Key: KEY holds what no header can"


TARGETS = [
    pytest.param({"command": ("a b", "c\x1b")}, "'a b' 'c\\u001b'", id="a command"),
    pytest.param(
        {"url": "https://me:pw@host:1/mcp?key=secret#x"}, "https://host:1/mcp", id="a URL without secrets"
    ),
    pytest.param({"command": ("x" * 400,)}, "x" * 300 + "…", id="a long one"),
]


@pytest.mark.parametrize(("given", "told"), TARGETS)
def test_what_is_told_of_where_a_server_is(given: dict[str, object], told: str) -> None:
    assert ServerSpec(name="x", **given).target == told  # type: ignore[arg-type]


@pytest.mark.parametrize("given", [{}, {"command": ()}, {"command": ("a",), "url": "http://x"}])
def test_a_server_is_a_command_or_a_url(given: dict[str, object]) -> None:
    with pytest.raises(ValueError, match=r"^the server 'x' needs either a command or a url$"):
        ServerSpec(name="x", **given)  # type: ignore[arg-type]
