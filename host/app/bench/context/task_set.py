"""The judged tasks of `fixtures/reranking`, which its README describes."""

import hashlib
import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from host.launch import shipped_fixture

CATEGORIES: Final = ("direct", "identifier", "paraphrase")

_FOLDER: Final = Path("fixtures", "reranking")


@dataclass(frozen=True, kw_only=True)
class JudgedTask:
    """A task, and the paths of the files that it is about."""

    key: str
    task: str
    category: str
    relevant: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class TaskSet:
    """The texts of files by path, and tasks. `digest` is of both: figures of one digest compare."""

    files: Mapping[str, str]
    tasks: tuple[JudgedTask, ...]
    digest: str

    @contextmanager
    def on_disk(self) -> Iterator[Path]:
        """A folder with the files, for as long as the block runs."""
        with TemporaryDirectory(prefix="gg-bench-") as folder:
            for path, text in self.files.items():
                place = Path(folder, path)
                place.parent.mkdir(parents=True, exist_ok=True)
                place.write_text(text, encoding="utf-8")
            yield Path(folder)


def load_task_set() -> TaskSet:
    """The set that comes with gg. Raises `FileNotFoundError`."""
    folder = shipped_fixture(_FOLDER)
    if folder is None:
        raise FileNotFoundError(f"{_FOLDER} is not there; install gg anew")
    files, tasks = ((folder / name).read_bytes() for name in ("files.jsonl", "tasks.jsonl"))
    return TaskSet(
        files={row["path"]: row["text"] for row in _rows(files)},
        tasks=tuple(JudgedTask(**{**row, "relevant": tuple(row["relevant"])}) for row in _rows(tasks)),
        digest=hashlib.sha256(files + tasks).hexdigest(),
    )


def _rows(data: bytes) -> Iterator[dict[str, Any]]:
    return map(json.loads, data.splitlines())
