"""Which package may import which, who may use what is powerful, and how large things may grow.

`docs/architecture.md` prints the tables of this file.
"""

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Final

import pytest

ROOT: Final = Path(__file__).parents[1]

CORE: Final = frozenset({"host.core"})
STORES: Final = CORE | {"host.events"}
FAMILIES: Final = STORES | {
    "host.memories",
    "host.records",
    "host.skillbook",
    "host.context",
    "host.tools",
    "host.skills",
}
TURN: Final = FAMILIES | {"host.operations", "host.providers", "runtime_js", "sandbox"}
AGENTS: Final = TURN | {"host.turn"}
LAUNCH: Final = CORE | {
    "host.memories",
    "host.records",
    "host.skillbook",
    "host.context",
    "host.tools",
    "host.skills",
    "host.providers",
    "host.operations",
    "runtime_js",  # the names that programs have, which no source of tools may hide
}
APP: Final = AGENTS | {"host.agents", "host.launch"}
ENTRY: Final = APP | {"host.app"}

# Imports point downwards: a package may import itself and what stands here, nothing else of gg's.
MAY_IMPORT: Final[Mapping[str, frozenset[str]]] = {
    "sandbox": frozenset(),
    "runtime_js": frozenset({"sandbox"}),
    "host.core": frozenset(),
    "host.events": CORE,
    "host.memories": STORES,
    "host.records": STORES,
    "host.skillbook": STORES,
    "host.context": STORES,
    "host.tools": STORES,
    "host.skills": STORES,
    "host.providers": STORES,
    "host.operations": FAMILIES,
    "host.turn": TURN,
    "host.agents": AGENTS,
    "host.launch": LAUNCH,
    "host.app": APP,
    "host.experiments": ENTRY,
    "host.mcp": ENTRY,
    "host.cli": ENTRY | {"host.experiments", "host.mcp"},  # gg mcp starts the other entry point
    "host.facade": CORE | {"host.context", "host.records"},
    "host.testing": ENTRY | {"host.experiments"},
    "host": ENTRY | {"host.experiments"},
}

# A package is entered by its `__init__`. What else may be imported from another package, and why:
OTHER_DOORS: Final[Mapping[str, str]] = {
    "host.core": "a shelf of small pure modules, imported one by one",
    "sandbox.process": "compilers are children as confined as workers are",
    "sandbox.confine": "compilers are children as confined as workers are",
}

# What is powerful has the users listed here; a folder ends with a slash.
SOLE_USERS: Final[Mapping[str, frozenset[str]]] = {
    "quickjs": frozenset(),  # the extension alone does: its wrapper starts a thread
    "_quickjs": frozenset({"sandbox/engine.py"}),
    "subprocess": frozenset(
        {
            "sandbox/spawner.py",
            "sandbox/process.py",
            "runtime_js/build_hook.py",
            "host/app/bench/peers/plain_process.py",  # peers are started as their users do
            "host/experiments/checks.py",  # a check is the operator's own command
        }
    ),
    "multiprocessing": frozenset(),
    "ctypes": frozenset({"sandbox/", "host/tools/servers/launcher.py"}),
    "sqlite3": frozenset(
        {
            "host/records/",
            "host/app/bench/records/peers.py",  # FTS5 and a scan, beside which search is timed
            "host/app/bench/retrieval/baselines.py",  # FTS5, which the search of records stands beside
        }
    ),
    "socket": frozenset(),
    "urllib": frozenset(),
    "http": frozenset(),
    "pickle": frozenset(),
    "asyncio": frozenset({"host/mcp/connections.py"}),  # types of what uvicorn hands to it
    "click": frozenset({"host/cli/"}),
    "rich": frozenset({"host/cli/"}),
    "hatchling": frozenset({"runtime_js/build_hook.py"}),
    "jinja2": frozenset({"host/turn/prompt/rendering.py", "host/experiments/html_page.py"}),
    "os.environ": frozenset({"host/app/"}),
    "os.getenv": frozenset(),
    "os.fork": frozenset({"sandbox/command_guard.py"}),  # which has one thread
    "os.system": frozenset(),
    "os.popen": frozenset(),
    "os.posix_spawn": frozenset(),
    "os.execve": frozenset({"sandbox/start.py"}),
    "os.execvpe": frozenset({"sandbox/command_guard.py"}),
    "time.time": frozenset(),
    "time.sleep": frozenset(),
    "datetime.now": frozenset({"host/core/clock.py"}),
    "datetime.utcnow": frozenset(),
    "eval": frozenset(),
    "exec": frozenset(),
    "print": frozenset({"host/cli/", "sandbox/start.py"}),
    "input": frozenset({"host/cli/"}),
}

NOT_IN_TESTS: Final = frozenset({"time.sleep", "anyio.sleep", "asyncio.sleep", "unittest.mock"})

MODULE_LINES: Final = 400
FUNCTION_LINES: Final = 60
LONG_FUNCTIONS: Final[Mapping[str, str]] = {}  # "path::function" to the reason


@dataclass(frozen=True)
class Source:
    """One Python file: `path` is relative to the project and has slashes."""

    path: str
    text: str

    @cached_property
    def tree(self) -> ast.Module:
        return ast.parse(self.text, self.path)

    @property
    def package(self) -> str | None:
        if self.path == "host/__main__.py":  # the command line under another name
            return "host.cli"
        return package_of(self.path.removesuffix(".py").removesuffix("/__init__").replace("/", "."))

    @cached_property
    def imports(self) -> frozenset[str]:
        """Dotted names of what is imported: `from a import b` gives `a` and `a.b`."""
        names: set[str] = set()
        for node in ast.walk(self.tree):
            if isinstance(node, ast.Import):
                names.update(alias.name for alias in node.names)
            elif isinstance(node, ast.ImportFrom):
                module = "." * node.level + (node.module or "")
                names.add(module)
                if node.level == 0:
                    names.update(f"{module}.{alias.name}" for alias in node.names)
        return frozenset(names)

    @cached_property
    def uses(self) -> frozenset[str]:
        """Imports with the packages around them, attributes of names, and calls of names."""
        names = {".".join(parts[: n + 1]) for parts in map(split, self.imports) for n in range(len(parts))}
        for node in ast.walk(self.tree):
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
                names.add(f"{node.value.id}.{node.attr}")
            elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                names.add(node.func.id)
        return frozenset(names)


def split(name: str) -> list[str]:
    return name.split(".")


def package_of(name: str) -> str | None:
    """The package of the table that the dotted `name` belongs to."""
    parts = split(name)
    return next((package for package in (".".join(parts[:2]), parts[0]) if package in MAY_IMPORT), None)


def sources(*tops: str) -> Iterator[Source]:
    for path in sorted(path for top in tops for path in (ROOT / top).rglob("*.py")):
        if "node_modules" not in path.parts:
            yield Source(path.relative_to(ROOT).as_posix(), path.read_text(encoding="utf-8"))


OURS: Final = tuple(sources("host", "sandbox", "runtime_js"))
TESTS: Final = tuple(sources("tests"))


def test_every_package_has_a_row() -> None:
    packages = {".".join(split(source.path.replace("/", "."))[:2]) for source in OURS}
    under_host = {
        name for name in packages if name.startswith("host.") and (ROOT / name.replace(".", "/")).is_dir()
    }

    assert under_host - set(MAY_IMPORT) == set()


def test_imports_point_downwards() -> None:
    assert [line for source in OURS for line in upward_imports(source)] == []


def upward_imports(source: Source) -> Iterator[str]:
    if source.package is None:
        yield f"{source.path} is in no package of the table"
        return
    for name in sorted(source.imports):
        package = package_of(name)
        if name.startswith("."):
            yield f"{source.path} imports {name} relatively"
        elif package not in {None, source.package} | MAY_IMPORT[source.package]:
            yield f"{source.path} imports {name}"


def test_packages_are_entered_by_their_front_door() -> None:
    assert [line for source in OURS for line in side_entries(source)] == []


def side_entries(source: Source) -> Iterator[str]:
    for name in sorted(source.imports):
        package = package_of(name)
        if package in {None, source.package} or package in OTHER_DOORS:
            continue
        if name != package and name not in OTHER_DOORS and is_module(name) and not is_offered(name):
            yield f"{source.path} imports {name} past the door of {package}"


def is_module(name: str) -> bool:
    path = ROOT / name.replace(".", "/")
    return path.is_dir() or path.with_suffix(".py").is_file()


def is_offered(name: str) -> bool:
    """Whether the package offers something under the name that a module of it has as well."""
    package, _, last = name.rpartition(".")
    door = ROOT / package.replace(".", "/") / "__init__.py"
    return door.is_file() and last in offered(door)


def offered(door: Path) -> list[str]:
    """What `__all__` lists."""
    for node in ast.parse(door.read_text(encoding="utf-8"), str(door)).body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__":
            return list(ast.literal_eval(node.value))
    return []


def test_what_is_powerful_has_few_users() -> None:
    assert [line for source in OURS for line in unlisted_uses(source)] == []


def unlisted_uses(source: Source) -> Iterator[str]:
    for name in sorted(source.uses & set(SOLE_USERS)):
        if not source.path.startswith(tuple(SOLE_USERS[name])):
            yield f"{source.path} uses {name}"


def test_tests_neither_sleep_nor_mock() -> None:
    assert [(test.path, name) for test in TESTS for name in sorted(test.uses & NOT_IN_TESTS)] == []


def test_modules_stay_small() -> None:
    scripts = [path for path in (ROOT / "runtime_js").rglob("*.ts") if "node_modules" not in path.parts]
    lengths = {source.path: line_count(source.text) for source in OURS}
    written = {path: text for path in scripts if not (text := path.read_text()).startswith("// Generated")}
    lengths |= {path.relative_to(ROOT).as_posix(): line_count(text) for path, text in written.items()}

    assert {path: lines for path, lines in lengths.items() if lines > MODULE_LINES} == {}


def line_count(text: str) -> int:
    return len(text.splitlines())


def test_functions_stay_short() -> None:
    long = {place: lines for source in OURS for place, lines in functions(source) if lines > FUNCTION_LINES}

    assert sorted(long) == sorted(LONG_FUNCTIONS), long


def functions(source: Source) -> Iterator[tuple[str, int]]:
    for node in ast.walk(source.tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield f"{source.path}::{node.name}", (node.end_lineno or node.lineno) - node.lineno + 1


PLANTED: Final = [
    pytest.param(
        Source("host/core/x.py", "from host.events import EventLog"),
        ["host/core/x.py imports host.events", "host/core/x.py imports host.events.EventLog"],
        id="upwards",
    ),
    pytest.param(
        Source("host/events/x.py", "from . import log"),
        ["host/events/x.py imports . relatively"],
        id="relative",
    ),
    pytest.param(
        Source("host/memories/x.py", "import host.context"),
        ["host/memories/x.py imports host.context"],
        id="sibling",
    ),
    pytest.param(Source("other/x.py", ""), ["other/x.py is in no package of the table"], id="no package"),
    pytest.param(Source("host/core/x.py", "from host.core.text import nearest"), [], id="own package"),
    pytest.param(Source("host/events/x.py", "import json, host.core.clock"), [], id="downwards"),
]


@pytest.mark.parametrize(("source", "expected"), PLANTED)
def test_an_import_upwards_is_found(source: Source, expected: list[str]) -> None:
    assert list(upward_imports(source)) == expected


def test_an_entry_past_the_front_door_is_found() -> None:
    source = Source("host/turn/x.py", "from host.events import types\nfrom host.events.types import View")

    assert list(side_entries(source)) == [
        "host/turn/x.py imports host.events.types past the door of host.events"
    ]


USES: Final = [
    pytest.param("import quickjs", ["quickjs"], id="import"),
    pytest.param("from subprocess import Popen", ["subprocess"], id="import from"),
    pytest.param("import urllib.request", ["urllib"], id="submodule"),
    pytest.param("import os\nkey = os.environ['KEY']", ["os.environ"], id="attribute"),
    pytest.param("from os import environ", ["os.environ"], id="attribute imported"),
    pytest.param("print('x')", ["print"], id="call"),
    pytest.param("def show(print: int) -> int:\n    return print", [], id="a name is no call"),
]


@pytest.mark.parametrize(("text", "expected"), USES)
def test_a_use_of_what_is_powerful_is_found(text: str, expected: list[str]) -> None:
    source = Source("host/core/x.py", text)

    assert list(unlisted_uses(source)) == [f"host/core/x.py uses {name}" for name in expected]


def render_imports() -> str:
    """The table of packages for `docs/architecture.md`."""
    rows = [f"| `{package}` | {listed(allowed)} |" for package, allowed in MAY_IMPORT.items()]
    return "\n".join(["| package | may import |", "|---|---|", *rows])


def render_sole_users() -> str:
    """The table of powerful things for `docs/architecture.md`."""
    rows = [f"| `{name}` | {listed(users)} |" for name, users in SOLE_USERS.items()]
    return "\n".join(["| what | used in |", "|---|---|", *rows])


def listed(names: frozenset[str]) -> str:
    return ", ".join(f"`{name}`" for name in sorted(names)) or "none"
