"""What makes a file a picture, and what a read gives of one."""

from pathlib import Path

import pytest

from host.core.errors import Refusal
from host.operations.workspace import FileText, Picture, Workspace
from host.operations.workspace.pictures import picture_type

PNG = b"\x89PNG\r\n\x1a\n"
HEADS = [
    pytest.param(PNG + b"\0\0\0\rIHDR", "image/png", id="PNG"),
    pytest.param(b"\xff\xd8\xff\xe0\0\x10JFIF", "image/jpeg", id="JPEG"),
    pytest.param(b"GIF87a\1\0\1\0", "image/gif", id="GIF of 1987"),
    pytest.param(b"GIF89a\1\0\1\0", "image/gif", id="GIF of 1989"),
    pytest.param(b"RIFF\n\0\0\0WEBPVP8 ", "image/webp", id="WebP, with a line feed in its size"),
    pytest.param(PNG, "image/png", id="cut off after its first bytes"),
    pytest.param(b"RIFF\0\0\0\0WAVEfmt ", None, id="sound"),
    pytest.param(b"\x89PNG\n\x1a\n", None, id="a PNG whose line ends were changed"),
    pytest.param(b"GIF88a", None, id="no year of GIF"),
    pytest.param(b" " + PNG, None, id="not at the start"),
    pytest.param(b"", None, id="empty"),
    pytest.param(b"plain text", None, id="text"),
]


@pytest.mark.parametrize(("head", "expected"), HEADS)
def test_the_first_bytes_tell(head: bytes, expected: str | None) -> None:
    assert picture_type(head) == expected


def test_a_picture_is_read_up_to_so_many_bytes(tmp_path: Path) -> None:
    workspace = Workspace(tmp_path, writable=False)
    (tmp_path / "picture.txt").write_bytes(PNG + b"rest")
    (tmp_path / "text.png").write_bytes(b"text")

    assert workspace.read("picture.txt", most_picture_bytes=12) == Picture("image/png", 12, PNG + b"rest")
    assert workspace.read("picture.txt", most_picture_bytes=11) == Picture("image/png", 12, None)
    assert workspace.read("picture.txt", offset=100, limit=1) == Picture("image/png", 12, None)
    assert workspace.read("text.png", most_picture_bytes=12) == FileText("text", 1, 1, 1)


def test_a_picture_is_no_text(tmp_path: Path) -> None:
    (tmp_path / "plan").write_bytes(b"GIF89a")

    with pytest.raises(Refusal) as caught:
        Workspace(tmp_path, writable=False).read_text("plan")

    assert (caught.value.code, caught.value.kind, caught.value.message) == (
        "invalid-argument",
        "picture",
        "Cannot read `plan`: it is a picture, image/gif; views.openFile shows it.",
    )
