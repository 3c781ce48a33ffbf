"""The import name `g6.context`: what it offers, and its worked examples as users have them."""

from pathlib import Path

import g6.context
import pytest


def test_what_is_offered_is_there() -> None:
    assert [name for name in g6.context.__all__ if not hasattr(g6.context, name)] == []


def test_a_packet_over_one_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)

    # fmt: off
    from g6.context import Retriever, Workspace, build_packet, load_handle, scrub
    Path("src").mkdir()
    Path("src/parser.py").write_text(
    "def parse(text):\n api_key = 'sk-abcdefghijklmnopqrstuv'\n return text # parser timeout fix goes here\n",
    encoding="utf-8")
    retriever = Retriever("src")
    packet = build_packet("fix the parser timeout", retriever, 4000, workspace=Workspace("ctx"))
    assert packet.completion_state == "qualified-draft"
    assert packet.task[0].may_instruct and not any(item.may_instruct for item in packet.repository)  # noqa: PT018
    assert packet.repository and all(item.trust == "untrusted" for item in packet.repository)  # noqa: PT018
    loaded = load_handle(retriever, packet.repository_handles[0], "fix the parser timeout")
    assert loaded.completion_state == "qualified-draft" and loaded.trust == "untrusted"  # noqa: PT018
    assert "sk-abcdefghijklmnopqrstuv" not in loaded.text and loaded.masked  # noqa: PT018
    forged = load_handle(retriever, {"kind": "file_path", "file_path": "../elsewhere.py"}, "fix the parser timeout")  # noqa: E501
    assert forged.completion_state == "blocked-escalated" and forged.text == ""  # noqa: PT018
    assert scrub("password = 'hunter2'") == "password = '[REDACTED]'"
    # fmt: on
