"""Errors as a person at a shell reads them."""

import re
import tempfile
from pathlib import Path

import click
import pytest

from host.cli.failures import report
from host.cli.lines import Line, to_text
from host.core.errors import Defect, HostDefect, LaunchRefused, ProviderError
from host.launch import ConfigurationNotFound
from host.tools import ServerFailure, ServersFailed
from runtime_js import ToolchainMissing
from sandbox import ConfinementUnavailable


def reported(error: BaseException) -> tuple[int, str]:
    written: list[Line] = []
    code = report(error, written.extend)
    return code, to_text(written)


def usage_error() -> click.UsageError:
    context = click.Context(
        click.Command("run"), info_name="run", parent=click.Context(click.Group("gg"), info_name="gg")
    )
    return click.UsageError("No such option: --jsn.", ctx=context)


REPORTS = [
    (usage_error(), 2, "gg run: no such option: --jsn. See gg run --help\n"),
    (
        click.MissingParameter("Choose from:\n\ta,\n\tb", param_hint="'X'", param_type="argument"),
        2,
        "gg: missing argument 'X'. Choose from: a, b. See gg --help\n",
    ),
    (ConfigurationNotFound("x holds no run.json; name one"), 2, "gg: x holds no run.json; name one\n"),
    (
        ServersFailed([ServerFailure(server="git", target="git\x1b[2J", reason="ended", remedy="Look.")]),
        1,
        "gg: The MCP server `git` ended.\n  It is: git\\u001b[2J\n  Look.\n",
    ),
    (ProviderError("scripted replies used up after 3"), 1, "gg: scripted replies used up after 3\n"),
    (ToolchainMissing("no esbuild; run: pip install"), 1, "gg: no esbuild; run: pip install\n"),
    (OSError(28, "No space left on device"), 1, "gg: no space left on device\n"),
    (KeyboardInterrupt(), 130, "gg: interrupted\n"),
    (click.exceptions.Exit(3), 3, ""),
    (
        ConfinementUnavailable("no seccomp"),
        1,
        "gg: a worker cannot be confined on this machine: no seccomp; "
        'set sandbox.confine to "best-effort" to run programs with less isolation\n',
    ),
    (
        LaunchRefused((Defect(place="seed", message="needs a number"),), "1 defect\nseed: needs a number"),
        1,
        "gg: 1 defect\nseed: needs a number\n",
    ),
]


@pytest.mark.parametrize(("error", "code", "text"), REPORTS, ids=lambda value: type(value).__name__)
def test_an_error_that_was_foreseen_is_told_in_its_own_words(
    error: BaseException, code: int, text: str
) -> None:
    assert reported(error) == (code, text)


KEY = "sk-abcdefghijklmnopqrstuv"
WITH_SECRETS = [
    click.UsageError(f"no such value: {KEY}"),
    ConfigurationNotFound(f"nothing at {KEY}, opensesame-1"),
    ProviderError(f"refused {KEY}\nand opensesame-1"),
]


@pytest.mark.parametrize("error", WITH_SECRETS, ids=lambda error: type(error).__name__)
def test_secrets_in_an_error_are_masked(error: Exception, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DOOR_KEY", "opensesame-1")

    text = reported(error)[1]

    assert "[REDACTED]" in text
    assert [secret for secret in (KEY, "opensesame-1") if secret in text] == []


def test_secrets_in_a_crash_are_masked_where_it_is_told_and_where_it_is_kept() -> None:
    text = reported(raised(ValueError(f"password = 'hunter2' {KEY}")))[1]

    match = re.search(r"the whole traceback is in (\S+)\n$", text)
    assert match is not None
    kept = Path(match[1])
    assert "ValueError: password = '[REDACTED]' [REDACTED]" in text
    assert kept.read_text().endswith("ValueError: password = '[REDACTED]' [REDACTED]\n")
    kept.unlink()


def raised(error: Exception) -> Exception:
    try:
        raise error
    except Exception as caught:
        return caught


@pytest.mark.parametrize("error", [ValueError("odd\x1b[31m"), HostDefect("compiler", "odd\x1b[31m")])
def test_an_error_that_was_not_is_told_shortly_and_kept_whole(error: Exception) -> None:
    code, text = reported(raised(error))

    match = re.search(r"the whole traceback is in (\S+)\n$", text)
    assert match is not None
    kept = Path(match[1])
    assert (code, text.split("\n")[0]) == (1, "gg: a fault of gg's own ended this command")
    assert "\x1b" not in text
    assert kept.read_text().startswith("Traceback (most recent call last):\n")
    assert kept.stat().st_mode & 0o777 == 0o600
    kept.unlink()


def test_a_traceback_that_cannot_be_kept_is_told_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "absent"))

    code, text = reported(raised(ValueError("odd")))

    assert (code, text.split("\n")[0]) == (1, "gg: a fault of gg's own ended this command")
    assert "  the traceback cannot be kept: [Errno 2] No such file or directory" in text
    assert text.endswith("│ ValueError: odd\n")
