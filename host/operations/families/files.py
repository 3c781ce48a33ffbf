"""The files family: reading, writing and listing in the agent's one directory."""

from typing import Final, Literal

from pydantic import Field

from host.core.errors import ApiErrorCode, Refusal
from host.operations.model import Arguments, Family, Operation, Result
from host.operations.services import Caller
from host.operations.workspace import Workspace

_PATH = "Relative to the agent's directory, parts separated by `/`."


class ReadArguments(Arguments):
    path: str = Field(description=_PATH)
    offset: int | None = Field(default=None, ge=1, description="First line to read, from 1.")
    limit: int | None = Field(default=None, ge=1, description="Number of lines to read at most.")


class WriteArguments(Arguments):
    path: str = Field(description=f"{_PATH} Missing folders are made.")
    contents: str = Field(description="The whole text of the file.")


class ListArguments(Arguments):
    path: str | None = Field(default=None, description="The folder; the agent's directory when omitted.")


class FileRead(Result):
    """Lines of a text file."""

    kind: Literal["text"] = Field(default="text", description="What the file holds.")
    contents: str = Field(description="The lines that were read, with their line ends.")
    first_line: int = Field(description="Number of the first line read, from 1; 0 in an empty file.")
    last_line: int = Field(description="Number of the last line read; 0 in an empty file.")
    total_lines: int = Field(description="Lines in the whole file.")


class DirEntry(Result):
    """One entry of a folder."""

    name: str = Field(description="Name within the folder.")
    kind: Literal["file", "directory", "other"] = Field(
        description="`other` is a link, a special file, or gg's own records."
    )


def read_lines(caller: Caller, path: str, offset: int | None, limit: int | None) -> FileRead:
    """Reads whole lines of a text file, as `files.readFile` and `views.openFile` do."""
    read = _workspace(caller).read_text(path, offset=offset, limit=limit)
    return FileRead(
        contents=read.contents,
        first_line=read.first_line,
        last_line=read.last_line,
        total_lines=read.total_lines,
    )


def _read_file(caller: Caller, arguments: ReadArguments) -> FileRead:
    return read_lines(caller, arguments.path, arguments.offset, arguments.limit)


def _read_text_file(caller: Caller, arguments: ReadArguments) -> str:
    return read_lines(caller, arguments.path, arguments.offset, arguments.limit).contents


def _write_file(caller: Caller, arguments: WriteArguments) -> int:
    return _workspace(caller).write_text(arguments.path, arguments.contents)


def _list_dir(caller: Caller, arguments: ListArguments) -> list[DirEntry]:
    entries = _workspace(caller).list_dir(arguments.path)
    return [DirEntry(name=entry.name, kind=entry.kind) for entry in entries]


def _workspace(caller: Caller) -> Workspace:
    if caller.workspace is None:
        raise Refusal("unavailable", "This agent has no directory.", kind="no_workspace")
    return caller.workspace


READ_FAILURES: Final[tuple[tuple[ApiErrorCode, str], ...]] = (
    ("not-found", "there is no such file"),
    (
        "invalid-argument",
        "the path leads out of the directory, the file is no UTF-8 text, or it ends before the offset",
    ),
    ("refused", "the path goes through a link or names a special file"),
)
_TOO_LARGE: Final[tuple[ApiErrorCode, str]] = (
    "limit-exceeded",
    "the lines are over 8 MiB; read them in parts",
)

FAMILY = Family(
    "files",
    "Reads, writes and lists the files of one directory.",
    (
        Operation(
            id="files.read_file",
            summary="Reads a text file, or lines of it, with their numbers.",
            arguments=ReadArguments,
            options=("offset", "limit"),
            run=_read_file,
            result=FileRead,
            capability="files",
            failures=(*READ_FAILURES, _TOO_LARGE),
            example='const read = files.readFile("data.csv", { offset: 21, limit: 20 });',
        ),
        Operation(
            id="files.read_text_file",
            summary="Reads a text file, or lines of it, as a string.",
            arguments=ReadArguments,
            options=("offset", "limit"),
            run=_read_text_file,
            result=str,
            capability="files",
            failures=(*READ_FAILURES, _TOO_LARGE),
            example='const text = files.readTextFile("data.csv");',
        ),
        Operation(
            id="files.write_file",
            summary="Writes a text file, replacing what was there; returns its size in bytes of UTF-8.",
            arguments=WriteArguments,
            run=_write_file,
            result=int,
            capability="files",
            failures=(
                (
                    "invalid-argument",
                    "the path leads out of the directory, or the text holds a lone surrogate",
                ),
                ("refused", "nothing may be written there, or the path goes through a link"),
                ("io-error", "the disk refused"),
            ),
            example='const bytes = files.writeFile("out/total.txt", "42\\n");',
        ),
        Operation(
            id="files.list_dir",
            summary="Lists a folder, sorted by name.",
            arguments=ListArguments,
            run=_list_dir,
            result=list[DirEntry],
            capability="files",
            failures=(
                ("not-found", "there is no such folder"),
                ("invalid-argument", "the path leads out of the directory, or names no folder"),
                ("refused", "the path goes through a link"),
            ),
            example="const names = files.listDir().map((entry) => entry.name);",
        ),
    ),
)
