"""The real models of one run: each is opened once, whichever agents ask it, and closed with the run."""

import threading
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Final

import anyio
import anyio.to_thread

from host.core.errors import ProviderError
from host.core.messages import Reply
from host.providers.base import ModelProvider, ModelRequest
from host.providers.models.choice import RealModel

if TYPE_CHECKING:
    from host.providers.models.clients import OpenModel


class RunModels:
    """Gives each agent a provider of its own. The model library is imported for the first reply.

    Args:
        environ: where the keys are.
        mask: hides secrets in what the operator is told.
        arriving: told the agent and how many characters of its reply have arrived so far.
    """

    def __init__(
        self,
        *,
        environ: Mapping[str, str],
        mask: Callable[[str], str],
        arriving: Callable[[str, int], None] | None = None,
    ) -> None:
        self._environ: Final = environ
        self._mask: Final = mask
        self._arriving: Final = arriving or _nobody
        self._open: Final[dict[RealModel, OpenModel]] = {}
        self._lock: Final = threading.Lock()

    def provider(
        self,
        model: RealModel,
        *,
        agent_id: str,
        note: Callable[[str], None],
        is_over: Callable[[], bool],
    ) -> ModelProvider:
        """The provider of one agent. `note` tells the operator of something in the turn under way; `is_over`
        says whether the agent is to end, so that a request that failed is not sent again.
        """
        return _Provider(lambda: self._built(model, agent_id, note, is_over))

    async def aclose(self) -> None:
        """Closes the connections, in the event loop that the models were asked in."""
        with anyio.CancelScope(shield=True):
            while self._open:
                await self._open.popitem()[1].aclose()

    def _built(
        self,
        model: RealModel,
        agent_id: str,
        note: Callable[[str], None],
        is_over: Callable[[], bool],
    ) -> ModelProvider:
        from host.providers.models.provider import LibraryProvider
        from host.providers.models.retrying import Retrying

        return LibraryProvider(
            model,
            self._opened(model),
            retrying=Retrying(
                who=model.name,
                max_retries=model.max_retries,
                max_delay_s=model.retry_max_delay_s,
                note=note,
                is_over=is_over,
            ),
            mask=self._mask,
            arriving=lambda chars: self._arriving(agent_id, chars),
        )

    def _opened(self, model: RealModel) -> "OpenModel":
        from host.providers.models.clients import OpenModel

        with self._lock:
            if model not in self._open:
                try:
                    self._open[model] = OpenModel(model, model.key_from(self._environ))
                except Exception as error:  # the library's own words for what it does not take
                    told = f"{model.name}: {self._mask(str(error))}"
                    raise ProviderError(told, "model_rejected") from error
            return self._open[model]


def _nobody(agent_id: str, chars: int) -> None:
    """Nobody watches."""


class _Provider:
    """Builds what it asks when it is asked, in a thread: the library takes a second to import."""

    def __init__(self, build: Callable[[], ModelProvider]) -> None:
        self._build: Final = build
        self._provider: ModelProvider | None = None

    async def reply(self, request: ModelRequest) -> Reply:
        if self._provider is None:
            self._provider = await anyio.to_thread.run_sync(self._build)
        return await self._provider.reply(request)
