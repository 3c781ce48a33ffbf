"""What is said where the libraries are not installed."""

import importlib.util
from collections.abc import Callable
from pathlib import Path

import pytest

from host.app import served_plan
from host.mcp import McpNotInstalled, Serving, missing_package, serve_http, serve_stdio

Serve = Callable[[Serving], None]


@pytest.mark.parametrize("package", ["mcp", "uvicorn"])
@pytest.mark.parametrize(
    "serve",
    [
        serve_stdio,
        lambda serving: serve_http(serving, host="127.0.0.1", port=0, token="t", listening=print),
    ],
)
def test_a_missing_package_is_named_before_anything_is_started(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, package: str, serve: Serve
) -> None:
    find = importlib.util.find_spec
    monkeypatch.setattr("host.mcp.serving.find_spec", lambda name: None if name == package else find(name))
    folder = tmp_path / "records"
    serving = Serving(
        plan=lambda: served_plan(None), folder=folder, skillbook=tmp_path / "b.json", watch=print, tell=print
    )

    assert missing_package() == package
    with pytest.raises(McpNotInstalled, match=rf"needs the package {package}, .* pip install 'gg\[mcp\]'"):
        serve(serving)
    assert not folder.exists()
