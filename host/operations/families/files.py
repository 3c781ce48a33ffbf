"""The files family: reading, writing, editing, listing and searching in the agent's one directory."""

from typing import Final

from pydantic import Field

from host.context import MAX_IMAGE_BYTES
from host.core.errors import ApiErrorCode
from host.operations.families.file_reads import (
    READ_FAILURES,
    FileRead,
    ImageRead,
    TextRead,
    image_read,
    over_image_cap,
    text_read,
    workspace_of,
)
from host.operations.families.opened_views import open_view, view_of_picture
from host.operations.model import Arguments, Family, Native, Operation, Result
from host.operations.services import Caller
from host.operations.workspace import MAX_MATCHES, EntryKind, Picture

_PATH = "Relative to the agent's directory, parts separated by `/`."
_NOT_SHOWN = "files.readFile shows nothing; views.openFile shows it in the next prompt."
_DEFAULT_MATCHES: Final = 50


class ReadArguments(Arguments):
    path: str = Field(description=_PATH)
    offset: int | None = Field(default=None, ge=1, description="First line to read, from 1.")
    limit: int | None = Field(default=None, ge=1, description="Number of lines to read at most.")


class WriteArguments(Arguments):
    path: str = Field(description=f"{_PATH} Missing folders are made.")
    contents: str = Field(description="The whole text of the file.")


class EditArguments(Arguments):
    path: str = Field(description=_PATH)
    old_string: str = Field(description="The text to replace, to the letter; it occurs once in the file.")
    new_string: str = Field(description="What stands there afterwards; nothing in it has a special meaning.")


class ListArguments(Arguments):
    path: str | None = Field(default=None, description="The folder; the agent's directory when omitted.")


class SearchArguments(Arguments):
    query: str = Field(
        description="A regular expression of RE2, which is JavaScript's without look-around and"
        r" back-references: `\d \w \s \b`, groups, classes, `(?i)`; `^` and `$` are a line's ends."
    )
    path: str | None = Field(default=None, description="A folder or a file; all files when omitted.")
    limit: int = Field(
        default=_DEFAULT_MATCHES,
        ge=1,
        description=f"Lines to give; never more than {MAX_MATCHES}.",
    )


class DirEntry(Result):
    """One entry of a folder."""

    name: str = Field(description="Name within the folder.")
    kind: EntryKind = Field(description="`other` is a link, a special file, or gg's own records.")


class SearchMatch(Result):
    """A line that matches."""

    path: str = Field(description="The file, relative to the agent's directory.")
    line: int = Field(description="Number of the line, from 1.")
    text: str = Field(
        description="The line; over 200 characters, what stands around the match, with a count of the rest."
    )


def _read_file(caller: Caller, arguments: ReadArguments) -> TextRead | ImageRead:
    read = workspace_of(caller).read(arguments.path, offset=arguments.offset, limit=arguments.limit)
    if isinstance(read, Picture):
        return image_read(read, not_shown_reason=over_image_cap(read) or _NOT_SHOWN)
    return text_read(read)


def _read_file_by_tool(caller: Caller, arguments: ReadArguments) -> TextRead | ImageRead:
    """As a program reads it, but that the next prompt shows a picture: there is no other call that does."""
    read = workspace_of(caller).read(
        arguments.path, offset=arguments.offset, limit=arguments.limit, most_picture_bytes=MAX_IMAGE_BYTES
    )
    if not isinstance(read, Picture):
        return text_read(read)
    view, described = view_of_picture(arguments.path, read)
    if described.shown:
        open_view(caller, view)
    return described


def _read_text_file(caller: Caller, arguments: ReadArguments) -> str:
    workspace = workspace_of(caller)
    return workspace.read_text(arguments.path, offset=arguments.offset, limit=arguments.limit).contents


def _write_file(caller: Caller, arguments: WriteArguments) -> int:
    return workspace_of(caller).write_text(arguments.path, arguments.contents)


def _edit_file(caller: Caller, arguments: EditArguments) -> None:
    workspace_of(caller).edit_text(arguments.path, arguments.old_string, arguments.new_string)


def _list_dir(caller: Caller, arguments: ListArguments) -> list[DirEntry]:
    entries = workspace_of(caller).list_dir(arguments.path)
    return [DirEntry(name=entry.name, kind=entry.kind) for entry in entries]


def _search(caller: Caller, arguments: SearchArguments) -> list[SearchMatch]:
    matches = workspace_of(caller).search(arguments.query, arguments.path, limit=arguments.limit)
    return [SearchMatch(path=match.path, line=match.line, text=match.text) for match in matches]


_TOO_LARGE: Final[tuple[ApiErrorCode, str]] = (
    "limit-exceeded",
    "the lines are over 8 MiB; read them in parts",
)

FAMILY = Family(
    "files",
    "Reads, writes, edits, lists and searches the files of one directory.",
    (
        Operation(
            id="files.read_file",
            summary=(
                "Reads a text file, or lines of it, with their numbers; a picture is described. `kind` tells"
                " which, and `readTextFile` takes texts alone."
            ),
            arguments=ReadArguments,
            options=("offset", "limit"),
            run=_read_file,
            result=FileRead,
            capability="files",
            failures=(*READ_FAILURES, _TOO_LARGE),
            native=Native(
                "read_file",
                summary=(
                    "Reads a text file, or lines of it, with their numbers. A picture is described, and shown"
                    " in the next prompt."
                ),
                run=_read_file_by_tool,
                failures=(
                    *READ_FAILURES,
                    ("limit-exceeded", "the lines, or the turn's pictures, are over 8 MiB"),
                ),
                narrow="read it in parts, with `offset` and `limit`",
            ),
            example=(
                'const read = files.readFile("data.csv", { offset: 21, limit: 20 });\n'
                'if (read.kind === "text") console.log(read.contents, read.totalLines);'
            ),
        ),
        Operation(
            id="files.read_text_file",
            summary="Reads a text file, or lines of it, as a string.",
            arguments=ReadArguments,
            options=("offset", "limit"),
            run=_read_text_file,
            result=str,
            capability="files",
            failures=(
                READ_FAILURES[0],
                (
                    "invalid-argument",
                    "the path leads out of the directory, the file is a picture or no UTF-8 text, or it ends"
                    " before the offset",
                ),
                READ_FAILURES[2],
                _TOO_LARGE,
            ),
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
            native=Native("write_file"),
            example='const bytes = files.writeFile("out/total.txt", "42\\n");',
        ),
        Operation(
            id="files.edit_file",
            summary="Replaces the one place where a text stands in a file; the rest stays to the byte.",
            arguments=EditArguments,
            run=_edit_file,
            capability="files",
            failures=(
                ("not-found", "there is no such file, or the text does not occur in it"),
                ("conflict", "the text occurs several times"),
                (
                    "invalid-argument",
                    "the text to replace is empty or is the new one, the file is no UTF-8 text, or the path"
                    " leads out of the directory",
                ),
                ("refused", "nothing may be written there, or the path goes through a link"),
                ("limit-exceeded", "the file is over 8 MiB, or would be"),
                ("io-error", "the disk refused"),
            ),
            native=Native("edit_file"),
            example='files.editFile("src/main.py", "retries = 3\\n", "retries = 5\\n");',
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
            native=Native("list_dir", narrow="search it with `search_files`"),
            example="const names = files.listDir().map((entry) => entry.name);",
        ),
        Operation(
            id="files.search",
            summary=(
                "Gives the lines that match a regular expression, by path and line. What a `.gitignore` or a"
                " `.ignore` names is left out unless `path` names it, and so are `.git` and files that are no"
                " UTF-8 text."
            ),
            arguments=SearchArguments,
            options=("path", "limit"),
            run=_search,
            result=list[SearchMatch],
            capability="files",
            failures=(
                (
                    "invalid-argument",
                    "the query is blank or no regular expression, the limit is 0, or the path leads out of"
                    " the directory or names a file that is no text",
                ),
                ("not-found", "there is no such file or folder"),
                ("refused", "the path goes through a link or names a special file"),
                ("limit-exceeded", "it takes over 5 s, 100,000 entries or 1 GiB; search a part with `path`"),
            ),
            native=Native("search_files", narrow="give a smaller `limit`, or a `path`"),
            example=(
                'const matches = files.search("TODO|FIXME", { path: "src" });\n'
                "for (const match of matches) console.log(`${match.path}:${match.line} ${match.text}`);"
            ),
        ),
    ),
)
