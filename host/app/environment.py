"""The one place that reads the environment."""

import os
import sys
from collections.abc import Iterable, Mapping
from itertools import chain
from typing import Final

from host.app.record_home import RECORD_VARIABLES
from host.core.masking import Masker
from host.core.scrubbing import MIN_SECRET_CHARS, secrets_from
from host.launch import LaunchPlan
from host.providers import RealModel

_FOR_SHELL: Final = frozenset({"HOME", "LANG", "PATH", "TMPDIR", "TZ"})


def environment() -> Mapping[str, str]:
    """The environment, for what looks for a key in it."""
    return os.environ


def masker_from_environment(keys: Iterable[str] = ()) -> Masker:
    """Masks the values of the environment's secret variables, and of `keys`, which do not say that they are
    secret but are, unless they are too short to be one.
    """
    found = {name: os.environ.get(name, "") for name in keys}
    named = {name: value for name, value in found.items() if len(value.strip()) >= MIN_SECRET_CHARS}
    return Masker(secrets_from(os.environ) | named)


def masker_of(plan: LaunchPlan) -> Masker:
    """Masks besides the keys of the plan's models, and the values of headers of its servers of tools."""
    models = (agent.model.key_variables for agent in plan.agents if isinstance(agent.model, RealModel))
    tools = (agent.tools for agent in plan.agents if agent.tools is not None)
    servers = (server.headers_from.values() for given in tools for server in given.servers)
    return masker_from_environment(dict.fromkeys(chain(*models, *servers)))


def environment_for_commands(added: Mapping[str, str]) -> dict[str, str]:
    """The environment of a command that an operator names: gg's own less its secrets, and `added`."""
    secret = secrets_from(os.environ)
    return {name: value for name, value in os.environ.items() if name not in secret} | dict(added)


def environment_for_shell(names: Iterable[str]) -> dict[str, str]:
    """The environment of the commands that an agent runs: what any program needs, and the variables `names`,
    as far as gg has them. Those of the record store are none of an agent's business.
    """
    known = (_FOR_SHELL | set(names)) - RECORD_VARIABLES
    found = {name: value for name, value in os.environ.items() if name in known or name.startswith("LC_")}
    return {"PATH": os.defpath, "TERM": "dumb"} | found


def environment_for_servers() -> dict[str, str]:
    """The environment that servers of tools are given parts of.

    What is installed beside gg is found before anything else, whether or not its environment is activated.
    """
    beside = os.path.dirname(sys.executable)
    return {**os.environ, "PATH": os.pathsep.join([beside, os.environ.get("PATH", os.defpath)])}
